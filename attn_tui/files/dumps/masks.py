"""A file's mask, in whichever form it is: which keys each query may attend."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from attn_tui.core.arrays import BoolArray
from attn_tui.files.errors import ForeignError

_MOST_ENTRIES = 2**28
"""Entries of the largest mask that is taken: it has to be looked at as a whole."""
_BLOCKS = -1e4
"""The largest number that, added to a score, is meant to mask its key: what float16 models add."""


def read_mask(
    array: NDArray[Any], lead: Sequence[int], queries: int, keys: int, *, inverted: bool = False
) -> tuple[BoolArray, str]:
    """The mask of a dump with these leading axes, (..., Tq or 1, Tk), and in words how it was read.

    Raises ForeignError for a shape that does not fit, and for numbers that neither select keys nor block them.
    """
    if array.size > _MOST_ENTRIES:
        raise ForeignError(f"the mask has {array.size} entries: more than {_MOST_ENTRIES} are too many to look at")
    selected, how = _selected(np.asarray(array))
    if inverted:
        selected, how = ~selected, f"{how}, turned round: 1 = may not"
    placed = _placed(selected, tuple(lead), queries, keys)
    rows = f", read as {queries} queries x {keys} keys" if selected.shape == (queries, keys) and queries in lead else ""
    return placed, f"mask: {how}{rows}; {int(selected.sum())} of {selected.size} entries may be attended"


def _selected(array: NDArray[Any]) -> tuple[BoolArray, str]:
    """The entries that may be attended, and how that was told."""
    if array.dtype == np.bool_:
        return array, "true = may be attended"
    if array.dtype.kind not in "iuf":
        raise ForeignError("the mask holds text: it needs true and false, 1 and 0, or numbers added to the scores")
    numbers = array.astype(np.float64)
    if np.isin(numbers, (0.0, 1.0)).all() and (array.dtype.kind in "iu" or numbers.any()):
        return numbers == 1.0, "1 = may be attended"
    blocked = numbers <= _BLOCKS
    if (blocked | (numbers == 0.0)).all():
        below = f", {numbers[blocked].max():g} and below = masked" if blocked.any() else ""
        return ~blocked, f"added to the scores, 0 = may be attended{below}"
    odd = numbers[~(blocked | (numbers == 0.0))].flat[0]
    raise ForeignError(
        f"the mask holds {odd:g}: it selects keys, so it needs true and false, 1 and 0, "
        f"or 0 and numbers of {_BLOCKS:g} and below that are added to the scores"
    )


def _placed(mask: BoolArray, lead: tuple[int, ...], queries: int, keys: int) -> BoolArray:
    """The mask with every axis of the dump: (..., Tq or 1, Tk); no entry is ever spread over several keys."""
    while mask.ndim > max(2, len(lead) + 2) and mask.shape[0] == 1:
        mask = mask[0]
    shape, ones = mask.shape, (1,) * len(lead)
    if shape in {(keys,), (keys, 1), (1, keys)} and shape != (queries, keys):
        return mask.reshape(*ones, 1, keys)
    if shape == (queries, keys):
        return mask.reshape(*ones, queries, keys)
    if mask.ndim == len(lead) + 2 and shape[-2:] in {(queries, keys), (1, keys)} and _fits(shape[:-2], lead):
        return mask
    for axis, length in enumerate(lead):
        own = (*ones[:axis], length, *ones[axis + 1 :])
        if shape == (length, keys):
            return mask.reshape(*own, 1, keys)
        if shape in {(length, queries, keys), (length, 1, keys)}:
            return mask.reshape(*own, shape[1], keys)
    if mask.ndim == 1:
        raise ForeignError(f"the mask has {mask.size} entries, there are {keys} keys")
    raise ForeignError(f"the mask has the shape {shape}, and there are {queries} queries and {keys} keys")


def _fits(shape: tuple[int, ...], lead: tuple[int, ...]) -> bool:
    """Whether leading axes are the dump's, or of length 1."""
    return all(ours in {1, theirs} for ours, theirs in zip(shape, lead, strict=True))
