"""Files as named arrays, listed from their headers alone and read when they are asked for."""

from attn_tui.files.containers.container import Container, Entry
from attn_tui.files.containers.opening import from_bytes, open_container

__all__ = ["Container", "Entry", "from_bytes", "open_container"]
