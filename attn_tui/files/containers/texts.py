"""Texts as arrays: labels, tokens, a scale in words."""

import math
from typing import Any

import numpy as np
from numpy.typing import NDArray

from attn_tui.files.containers.container import Entry
from attn_tui.files.errors import ForeignError

LARGEST_TEXTS = 256 * 2**20
"""Bytes of an array of texts, in which each takes as much as the longest."""

_LAST_CHARACTER = 0x10FFFF


def text_entry(name: str, texts: list[str], shape: tuple[int, ...]) -> Entry:
    """Texts as an entry: their array is made when it is read, and refused there if one of them is absurdly long."""

    def read() -> NDArray[Any]:
        """The texts, each as wide as the longest."""
        longest = max(map(len, texts), default=0)
        _check_size(4 * max(longest, 1) * len(texts))
        return np.array(texts, dtype=np.str_).reshape(shape)

    return Entry(name, shape, "text", read)


def native_text(array: NDArray[Any]) -> NDArray[np.str_]:
    """Texts as a file stores them, of any byte order or in UTF-8, as NumPy's own; raises ForeignError if broken."""
    _check_size(array.size * array.dtype.itemsize * (4 if array.dtype.kind == "S" else 1))
    if array.dtype.kind == "S":
        try:
            return np.char.decode(array, "utf-8")
        except UnicodeDecodeError:
            raise ForeignError("holds bytes that are no UTF-8 text: save the texts as str") from None
    codes = np.ascontiguousarray(array).reshape(-1).view(array.dtype.str[0] + "u4")
    if codes.size and int(codes.max()) > _LAST_CHARACTER:
        raise ForeignError(f"holds a character {int(codes.max()):#x}, which does not exist: the file is broken")
    return array.astype(array.dtype.newbyteorder("="))


def _check_size(size: int) -> None:
    """Raise ForeignError for more texts than are worth reading."""
    if size > LARGEST_TEXTS:
        most = math.floor(LARGEST_TEXTS / 2**20)
        raise ForeignError(f"its texts would take {size} bytes, and at most {most} MiB are read: shorten the longest")
