"""Which head and which query of a dump are shown first."""

import re

from attn_tui.files.errors import ForeignError
from attn_tui.model.source import Dump


def chosen_head(text: str | None, dump: Dump) -> tuple[tuple[int, ...], list[str]]:
    """The indices that a text such as 3,1 means, the first head's for none, and what to say of them.

    Axes of length 1 may be left out. Raises ForeignError for another number of indices, and for one that is too large.
    """
    shape = dump.shape
    if 0 in shape:
        raise ForeignError(f"there are no heads: the axes {dump.axes} have the lengths {shape}")
    if text is None:
        indices = (0,) * len(shape)
        count = " x ".join(str(length) for length in shape)
        return indices, ([f"{dump.head_name(indices)} of {count} heads"] if any(n > 1 for n in shape) else [])
    parts = [part for part in re.split(r"[,.\s]+", text.strip()) if part]
    if not all(re.fullmatch(r"-?\d{1,9}", part) for part in parts):
        raise ForeignError(f"the head {text!r} has to be whole numbers, such as 3,1")
    given = [int(part) for part in parts]
    long = [axis for axis, length in enumerate(shape) if length > 1]
    if len(given) == len(long) < len(shape):
        filled = dict(zip(long, given, strict=True))
        given = [filled.get(axis, 0) for axis in range(len(shape))]
    if len(given) != len(shape):
        names = ", ".join(f"{axis} 0-{length - 1}" for axis, length in zip(dump.axes, shape, strict=True))
        raise ForeignError(f"the head {text!r} needs {len(shape)} indices: {names or 'this file has one head'}")
    return tuple(_index(i, length, f"axis {axis}") for i, length, axis in zip(given, shape, dump.axes, strict=True)), []


def chosen_row(row: int | None, dump: Dump) -> int:
    """A query's row, from the end if it is below 0, the last by default. Raises ForeignError for one too large."""
    return _index(-1 if row is None else row, dump.query_count, "the row")


def _index(index: int, length: int, what: str) -> int:
    """An index from 0 on."""
    if not -length <= index < length:
        raise ForeignError(f"{what} goes from 0 to {length - 1}, and {index} is asked for")
    return index % length
