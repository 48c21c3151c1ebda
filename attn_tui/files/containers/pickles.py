"""Pickles, which run code when they are loaded: never loaded, and how to convert them."""

from pathlib import Path

from attn_tui.files.containers.container import Listing
from attn_tui.files.containers.content import Content
from attn_tui.files.errors import ForeignError

TORCH_EXTENSIONS = frozenset({".pt", ".pth", ".ckpt", ".bin", ".tar"})
"""What torch.save is usually told to call a file."""
PICKLE_EXTENSIONS = TORCH_EXTENSIONS - {".bin", ".tar"} | {".pkl", ".pickle", ".joblib"}
"""Names that only pickles have."""

_PROTOCOLS = b"\x02\x03\x04\x05"
_LOAD = "is a pickle, which runs code when it is loaded: never opened. If you trust it, convert it once: "


def is_pickle(content: Content) -> bool:
    """Whether the content is a pickle, by how it begins; the oldest protocol is text and only the name tells it."""
    start = content.beginning
    by_start = start[:1] == b"\x80" and start[1:2] in {bytes([protocol]) for protocol in _PROTOCOLS}
    return by_start or content.extension in PICKLE_EXTENSIONS


def refuse_pickle(content: Content) -> Listing:
    """Raises ForeignError with the line that converts it."""
    extension = content.extension
    is_torch = extension in TORCH_EXTENSIONS
    raise ForeignError(torch_pickle(content.name) if is_torch else _plain_pickle(content.name))


def torch_pickle(name: str) -> str:
    """What to do about a file of torch.save."""
    load = f"torch.load({name!a}, map_location='cpu').items()"
    stem = ascii(f"{Path(name).stem}.npz")
    return f"{_LOAD}import torch, numpy as np; np.savez({stem}, **{{k: v.float().numpy() for k, v in {load}}})"


def _plain_pickle(name: str) -> str:
    """What to do about a dictionary of arrays that pickle wrote."""
    stem = ascii(f"{Path(name).stem}.npz")
    return f"{_LOAD}import pickle, numpy as np; np.savez({stem}, **pickle.load(open({name!a}, 'rb')))"
