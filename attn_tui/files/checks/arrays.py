"""What can be said of each array by itself: numbers that are none, rows of weights that are no distribution."""

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from attn_tui.core.arrays import BoolArray, FloatArray, in_float64
from attn_tui.files.checks.finding import Finding, Place
from attn_tui.files.dumps import roles

_NUMBERS_AT_ONCE = 2**20
"""Numbers that are looked at in one block, so that a huge file takes little memory."""

Test = Callable[[FloatArray], BoolArray]
"""Which numbers are wrong, of any shape."""

_NOT_FINITE: tuple[tuple[str, Test], ...] = (
    ("nan", np.isnan),
    ("inf", np.isposinf),
    ("-inf", np.isneginf),
)
_EPSILONS = {"float64": 2.0**-52, "float32": 2.0**-23, "float16": 2.0**-10, "bfloat16": 2.0**-7}
_LEAST_NEAR, _ROUNDINGS = 1e-6, 4.0
"""How far from 1 a row may add up to: at least so much, and so many of its dtype's spacings."""
_MAY_HOLD = {(roles.MASK, "-inf"), (roles.SCORES, "-inf")}
"""Infinities that mean something: masked."""


def not_finite(name: str, role: str, array: NDArray[Any]) -> Iterator[Finding]:
    """Nan and infinities, each with how many and the first place."""
    for word, test in _NOT_FINITE:
        if (role, word) in _MAY_HOLD:
            continue
        count, place = counted(array, test)
        if count:
            yield Finding("finite", name, count, place, f"{count} of {array.size} numbers are {word}")


def counted(array: NDArray[Any], test: Test) -> tuple[int, Place | None]:
    """How many numbers a test is true of, and the first of them."""
    count, first = 0, None
    for start, block in blocks(array):
        found = test(block)
        count += int(found.sum())
        if first is None and found.any():
            at = np.argwhere(found)[0]
            first = (*start[:-1], start[-1] + int(at[0]), *(int(i) for i in at[1:])) if start else ()
    return count, first


def blocks(array: NDArray[Any]) -> Iterator[tuple[Place, FloatArray]]:
    """The array in float64, in blocks of rows (n, last axis) or numbers (n,), each with where it begins."""
    if array.ndim == 0:
        yield (), in_float64(np.asarray(array)).reshape(1)
        return
    if array.ndim == 1:
        for first in range(0, array.size, _NUMBERS_AT_ONCE):
            yield (first,), in_float64(array[first : first + _NUMBERS_AT_ONCE])
        return
    rows, length = array.shape[-2:]
    count = max(1, _NUMBERS_AT_ONCE // max(1, length))
    for lead in np.ndindex(array.shape[:-2]):
        for first in range(0, rows, count):
            yield (*lead, first), in_float64(array[lead][first : first + count])


def epsilon(*dtypes: str) -> float:
    """The spacing of the coarsest of these dtypes at 1; float8's for one that is not known."""
    return max(_EPSILONS.get(name, 2.0**-3) for name in dtypes)


def distributions(name: str, weights: NDArray[Any]) -> Iterator[Finding]:
    """Weights below 0, rows that add up to something else than 1, and rows of nothing but 0: (..., Tq, Tk)."""
    negative, place = counted(weights, lambda block: block < 0.0)
    if negative:
        yield Finding("negative", name, negative, place, f"{negative} weights are below 0")
    near = max(_LEAST_NEAR, _ROUNDINGS * epsilon(weights.dtype.name))
    empty, wrong, first_empty, worst = 0, 0, None, (0.0, (0,))
    for start, block in blocks(np.atleast_2d(weights)):
        sums = block.sum(axis=-1)
        is_empty = (block == 0.0).all(axis=-1)
        off = np.where(is_empty | np.isnan(sums), 0.0, np.abs(sums - 1.0))
        empty, wrong = empty + int(is_empty.sum()), wrong + int((off > near).sum())
        if first_empty is None and is_empty.any():
            first_empty = (*start[:-1], start[-1] + int(is_empty.argmax()))
        if off.max(initial=0.0) > worst[0]:
            worst = float(off.max()), (*start[:-1], start[-1] + int(off.argmax()))
    if empty:
        yield Finding("empty rows", name, empty, first_empty, f"{empty} rows have no key with any weight")
    if wrong:
        words, end = f"{wrong} rows do not add up to 1, by up to {worst[0]:.3g}", _columns_instead(weights, near)
        yield Finding("row sums", name, wrong, worst[1], words, "the worst", end)


def masked_weight(name: str, weights: NDArray[Any], mask: BoolArray) -> Iterator[Finding]:
    """Keys that may not be attended and have weight: (..., Tq, Tk), (..., Tq or 1, Tk)."""
    allowed = np.broadcast_to(mask, weights.shape)
    count, first, largest = 0, None, 0.0
    for lead in np.ndindex(weights.shape[:-2]):
        block = in_float64(weights[lead])
        leaks = ~allowed[lead] & (block != 0.0) & ~np.isnan(block)
        if leaks.any():
            count += int(leaks.sum())
            first = first or (*lead, *(int(i) for i in np.argwhere(leaks)[0]))
            largest = max(largest, float(np.where(leaks, np.abs(block), 0.0).max()))
    if count:
        words = f"{count} keys that may not be attended have weight, the largest {largest:.3g}"
        yield Finding("masked weight", name, count, first, words)


def _columns_instead(weights: NDArray[Any], near: float) -> str:
    """What is worth saying when the columns add up to 1 where the rows do not."""
    if weights.ndim < 2:
        return ""
    sums = in_float64(weights[(0,) * (weights.ndim - 2)]).sum(axis=0)
    return "; the columns do: softmax was taken over the queries" if (np.abs(sums - 1.0) <= near).all() else ""
