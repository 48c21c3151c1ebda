"""What the program keeps of its own: in which folder, and how a file gets its place whole or not at all."""

import os
import stat
from collections.abc import Callable, Mapping
from contextlib import suppress
from pathlib import Path

UNFINISHED = ".attn-tui-"
"""How the name of a file begins that is still being written."""


def folder(environment: Mapping[str, str] = os.environ) -> Path | None:
    """$XDG_STATE_HOME/attn-tui; None where nobody has a home. A relative $XDG_STATE_HOME counts as none."""
    state = Path(environment.get("XDG_STATE_HOME", ""))
    if not state.is_absolute():
        home = Path(environment.get("HOME") or Path("~").expanduser())
        if not home.is_absolute():
            return None
        state = home / ".local" / "state"
    return state / "attn-tui"


def put(file: Path, content: bytes, *, mode: int = 0o666, claim: Callable[[int], object] | None = None) -> None:
    """Put content into a file's place in one step: until it is all on the disk the old file stays. Raises OSError.

    A file that is there already hands its permissions on; a new one gets `mode`, less what the umask takes. `claim` is
    called with the descriptor of the new file before anybody can see it in its place.
    """
    temporary = file.parent / f"{UNFINISHED}{os.urandom(8).hex()}"
    handle = os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL, mode)
    try:
        with os.fdopen(handle, "wb") as stream:
            if claim is not None:
                claim(handle)
            with suppress(FileNotFoundError):
                os.fchmod(handle, stat.S_IMODE(file.stat().st_mode))
            stream.write(content)
            stream.flush()
            os.fsync(handle)
        os.replace(temporary, file)
    except BaseException:
        with suppress(OSError):
            temporary.unlink()
        raise
    _settle(file.parent)


def _settle(parent: Path) -> None:
    """Have the folder's own entry on the disk too, where its file system knows how."""
    with suppress(OSError):
        handle = os.open(parent, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)
