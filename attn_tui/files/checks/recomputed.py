"""Weights or scores against what follows from the queries and keys beside them."""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from attn_tui.core.arrays import BoolArray, FloatArray, in_float64
from attn_tui.core.causal import causal_mask
from attn_tui.core.softmax import softmax
from attn_tui.files.checks.arrays import epsilon
from attn_tui.files.checks.finding import Finding, Place
from attn_tui.files.dumps import roles
from attn_tui.model.source import Dump

_ROUNDINGS = 4.0
"""How many of the coarsest dtype's spacings each product may be off, after all steps."""


@dataclass(frozen=True)
class Setting:
    """A scale and a mask that scores may have been weighed with."""

    scale: float
    mask: str
    """given, both (it and causal), causal or none."""
    words: str


@dataclass(frozen=True)
class Given:
    """Weights or scores of a file, (..., Tq, Tk), and how exactly they can be known."""

    name: str
    role: str
    array: NDArray[Any]
    epsilon: float
    """The spacing of the coarsest dtype among them, the queries and the keys."""


def given(name: str, role: str, array: NDArray[Any], dump: Dump, dtype: str = "float64") -> Given:
    """Weights or scores beside the queries and keys of a dump, computed in a dtype."""
    dtypes = (array.dtype.name, dump.queries.dtype.name, dump.keys.dtype.name, dtype)
    return Given(name, role, array, epsilon(*(one for one in dtypes if not one.startswith(("int", "uint")))))


def settings_of(dump: Dump, scale: float, role: str) -> list[Setting]:
    """The setting that was given, then those that models use; scores know no mask."""
    root = 1.0 / math.sqrt(dump.queries.shape[-1])
    scales = {scale: f"scale {scale:g}", root: "scale 1/sqrt(hs)", 1.0: "scale 1"}
    if role == roles.SCORES:
        return [Setting(one, "none", words) for one, words in scales.items()]
    masks = {"given": "the mask"} if dump.mask is not None else {"none": "no mask"}
    masks |= {"causal": "a causal mask", "none": "no mask"}
    masks |= {"both": "the mask and a causal one"} if dump.mask is not None else {}
    return [Setting(one, mask, f"{scales[one]} and {masks[mask]}") for one in scales for mask in masks]


def recomputed(these: Given, dump: Dump, scale: float, temperature: float) -> Iterator[Finding]:
    """What differs from what the dump gives, and which setting does match; scores may be scaled or raw."""
    settings = settings_of(dump, scale, these.role)
    may_be = [settings[0], *(one for one in settings if these.role == roles.SCORES and one.scale == 1.0)]
    if any(_difference(these, dump, setting, temperature) is None for setting in may_be):
        return
    size, place = _difference(these, dump, settings[0], temperature) or (0.0, ())
    words = f"differs from q and k with {settings[0].words} by up to {size:.3g}"
    matching = _matching(these, dump, settings[1:], temperature)
    end = "; no usual scale and mask match" if matching is None else f"; it matches {matching.words}"
    yield Finding("recomputed", these.name, 1, place, words, "the worst", end)


def _matching(these: Given, dump: Dump, settings: Sequence[Setting], temperature: float) -> Setting | None:
    """The first setting that gives the same, None if none does."""
    return next((one for one in settings if _difference(these, dump, one, temperature) is None), None)


def _difference(these: Given, dump: Dump, setting: Setting, temperature: float) -> tuple[float, Place] | None:
    """The largest difference that rounding does not explain, and where; None if there is none."""
    worst: tuple[float, Place] | None = None
    for head in dump.heads():
        apart = _beyond_rounding(these, dump, head, setting, temperature)
        if apart.size and (largest := float(apart.max())) > (0.0 if worst is None else worst[0]):
            place = np.unravel_index(int(apart.argmax()), apart.shape)
            worst = largest, (*head, *(int(i) for i in place))
    return worst


def _beyond_rounding(
    these: Given, dump: Dump, head: tuple[int, ...], setting: Setting, temperature: float
) -> FloatArray:
    """How far each number of a head is off where that is more than rounding can do, else 0: (Tq, Tk).

    A score is a sum of products, each of which may be off by a few spacings; a weight is off by as much of itself as
    two scores are off. Infinite where one of the two is nan and the other is not.
    """
    theirs, mask = in_float64(these.array[head]), _mask(dump, head, setting)
    queries, keys = dump.head(head)
    with np.errstate(over="ignore", invalid="ignore"):
        scores = queries @ keys.T * setting.scale
        off = _ROUNDINGS * these.epsilon * (np.abs(queries) @ np.abs(keys).T * abs(setting.scale) + 1.0)
        if these.role == roles.SCORES:
            ours, may_be_off, counts = scores, off, ~_is_masked(theirs, dump, head)
        else:
            ours = softmax(scores, mask=mask, temperature=temperature)
            row = np.where(mask, off, 0.0).max(axis=-1, keepdims=True) / temperature
            may_be_off = ours * np.expm1(np.minimum(2.0 * row, 50.0)) + _ROUNDINGS * these.epsilon
            counts = np.ones_like(mask)
        apart = np.abs(ours - theirs)
        same = (ours == theirs) | (np.isnan(ours) & np.isnan(theirs)) | (apart <= may_be_off)
    return np.where(same | ~(counts | np.isnan(theirs)), 0.0, np.where(np.isnan(apart), np.inf, apart))


def _is_masked(scores: FloatArray, dump: Dump, head: tuple[int, ...]) -> BoolArray:
    """Which scores (Tq, Tk) are of masked keys: by the mask if there is one, else by what models put in their place."""
    if dump.mask is not None:
        return ~np.stack([dump.row_mask(head, row) for row in range(dump.query_count)])
    return (scores <= _FAR_BELOW) | (np.abs(scores + _ADDED) < _ADDED / 10.0)


_FAR_BELOW, _ADDED = -6e4, 1e4
"""Scores from which on down a key has been masked, and what is subtracted for it where float16 holds no more."""


def _mask(dump: Dump, head: tuple[int, ...], setting: Setting) -> BoolArray:
    """The mask of a head under a setting: (Tq, Tk)."""
    shape = (dump.query_count, dump.key_count)
    if setting.mask == "causal":
        return causal_mask(*shape)
    if setting.mask == "none":
        return np.ones(shape, dtype=np.bool_)
    given_mask = np.stack([dump.row_mask(head, row) for row in range(shape[0])])
    return given_mask & causal_mask(*shape) if setting.mask == "both" else given_mask
