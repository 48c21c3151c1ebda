"""What the items of a stored array are: names, sizes, and the NumPy dtypes that decode them."""

import importlib
import math
import re
from dataclasses import dataclass
from typing import Any

import numpy as np

from attn_tui.core.precision import ML_DTYPES, ML_EXTRA
from attn_tui.files.containers.container import UnreadableError
from attn_tui.files.errors import ForeignError

MOST_AXES = 32
"""Axes that an array may have; attention has at most five or six."""
MOST_BYTES = 2**62
"""Bytes that an array may promise, so that no size and no offset overflows."""
LARGEST_ITEM = 2**20
"""Bytes of the longest text in an array of texts."""

PICKLE_ADVICE = (
    "not opened, since loading such a pickle runs code: re-save plain arrays with np.savez(f, q=..., keys=...)"
)
"""What to do about Python objects."""
UNTYPED_NOTE = "2-byte items without a type: probably bfloat16, and read as that"
"""What NumPy leaves of a bfloat16 array."""


@dataclass(frozen=True)
class ItemType:
    """A kind of item: its name, its bytes, and how NumPy writes it, or '' for what ml_dtypes adds."""

    name: str
    size: int
    code: str = ""

    def dtype(self) -> np.dtype[Any]:
        """What decodes it. Raises ForeignError where the `ml` extra is needed and missing."""
        if self.code:
            return np.dtype(self.code)
        try:
            return np.dtype(getattr(importlib.import_module("ml_dtypes"), self.name))
        except ImportError:
            raise ForeignError(f"{self.name} needs the extra: {ML_EXTRA}") from None


SMALL_FLOATS = {name: ItemType(name, 2 if name == "bfloat16" else 1) for name in ML_DTYPES}
"""What NumPy itself does not know."""

_DESCRIPTION = re.compile(r"([<>|=]?)([a-zA-Z?])(\d{0,9})(?:\[.*\])?")
_NUMBERS = {
    "f": ("float", (2, 4, 8, 12, 16)),
    "i": ("int", (1, 2, 4, 8)),
    "u": ("uint", (1, 2, 4, 8)),
}
_UNREAD = {
    "O": ("holds Python objects", PICKLE_ADVICE),
    "c": ("holds complex numbers", "save the real part: np.save(f, array.real)"),
    "M": ("holds dates", "save them as numbers: np.save(f, array.astype(float))"),
    "m": ("holds time spans", "save them as numbers: np.save(f, array.astype(float))"),
}


def described(description: str) -> ItemType:
    """The kind of item that NumPy describes so, such as <f4 or |V2; raises UnreadableError for one that is not read."""
    match = _DESCRIPTION.fullmatch(description)
    if match is None:
        raise UnreadableError(f"has items of an unknown kind ({description[:20]!r})")
    order, letter, digits = match.groups()
    size = int(digits or "0")
    if letter in _UNREAD:
        raise UnreadableError(*_UNREAD[letter])
    if letter in _NUMBERS and size in _NUMBERS[letter][1]:
        return _number(_NUMBERS[letter][0], order, letter, size)
    if (letter == "b" and size == 1) or (letter == "?" and size <= 1):
        return ItemType("bool", 1, "|b1")
    if letter in "US":
        return _text(order, letter, size)
    if letter == "V":
        return _untyped(size)
    raise UnreadableError(f"has items of an unknown kind ({description[:20]!r})")


def checked_bytes(shape: tuple[int, ...], size: int) -> int:
    """The bytes of an array of this shape; raises ForeignError for a shape that no array can have."""
    if len(shape) > MOST_AXES:
        raise ForeignError(f"its header promises {len(shape)} axes: no array of attention has more than {MOST_AXES}")
    if any(length < 0 for length in shape):
        raise ForeignError(f"its header promises a negative length, {min(shape)}: the file is broken")
    # the lengths beside a 0 count too: NumPy multiplies them before it looks for the 0
    if any(length > MOST_BYTES for length in shape) or math.prod(n for n in shape if n) * size > MOST_BYTES:
        raise ForeignError("its header promises more bytes than any file can hold: the file is broken")
    return math.prod(shape) * size


def _number(kind: str, order: str, letter: str, size: int) -> ItemType:
    """A number of NumPy's; raises UnreadableError for a long double that this machine does not have."""
    try:
        return ItemType(f"{kind}{8 * size}", size, np.dtype(f"{order}{letter}{size}").str)
    except TypeError:
        advice = "save it as float64: np.save(f, array.astype(np.float64))"
        raise UnreadableError(f"holds {8 * size}-bit floats, which this machine does not have", advice) from None


def _text(order: str, letter: str, size: int) -> ItemType:
    """Texts of one length each; raises UnreadableError for absurdly long ones."""
    width = size * (4 if letter == "U" else 1)
    if not 0 < width <= LARGEST_ITEM:
        raise UnreadableError(f"holds texts of {size} characters each")
    return ItemType("text", width, f"{order if letter == 'U' else '|'}{letter}{size}")


def _untyped(size: int) -> ItemType:
    """Items without a type, of which two bytes are bfloat16; raises UnreadableError for any other."""
    if size == 2:
        return SMALL_FLOATS["bfloat16"]
    said = "float8_e4m3fn or float8_e5m2, which nothing tells apart" if size == 1 else "nothing says what they are"
    advice = "save it as numbers: np.save(f, array.astype(np.float32))"
    raise UnreadableError(f"holds {size}-byte items without a type: {said}", advice)
