"""Weights or scores against what follows from the queries and keys beside them."""

import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from attn_tui.core.arrays import BoolArray, FloatArray
from attn_tui.core.causal import causal_mask
from attn_tui.core.softmax import softmax
from attn_tui.files.checks.arrays import tolerance
from attn_tui.files.checks.finding import Finding, Place, spelt
from attn_tui.files.dumps import roles
from attn_tui.model.source import Dump

_SCORES_PER_WEIGHT = 8.0
"""How much further scores may be off than weights, as a part of the largest: sums over the head size add up errors."""


@dataclass(frozen=True)
class Setting:
    """A scale and a mask that scores may have been weighed with."""

    scale: float
    mask: str
    """given, causal or none."""
    words: str


@dataclass(frozen=True)
class Difference:
    """How far arrays are apart at most, and where."""

    size: float
    place: Place


def settings_of(dump: Dump, given: float) -> list[Setting]:
    """The setting that was given, then those that models use."""
    root = 1.0 / math.sqrt(dump.queries.shape[-1])
    scales = {given: f"scale {given:g}", root: "scale 1/sqrt(hs)", 1.0: "scale 1"}
    masks = {"given": "the mask"} if dump.mask is not None else {"none": "no mask"}
    masks |= {"causal": "a causal mask", "none": "no mask"}
    return [
        Setting(scale, mask, f"{name} and {with_}") for scale, name in scales.items() for mask, with_ in masks.items()
    ]


def recomputed(
    name: str, role: str, given: NDArray[Any], dump: Dump, scale: float, temperature: float
) -> Iterator[Finding]:
    """What differs from the weights or scores (..., Tq, Tk) that the dump gives, and which setting does match."""
    settings = settings_of(dump, scale)
    near = tolerance(given) * (_SCORES_PER_WEIGHT if role == roles.SCORES else 1.0)
    first = difference(role, given, dump, settings[0], temperature)
    if first.size <= near:
        return
    words = f"differs from q and k with {settings[0].words} by up to {first.size:.3g} at {spelt(first.place)}"
    for setting in settings[1:]:
        if difference(role, given, dump, setting, temperature).size <= near:
            yield Finding("recomputed", name, 1, None, f"{words}; it matches {setting.words}")
            return
    yield Finding("recomputed", name, 1, None, f"{words}; no usual scale and mask match")


def difference(role: str, given: NDArray[Any], dump: Dump, setting: Setting, temperature: float) -> Difference:
    """The largest difference, nan where only one of the two is nan; scores as a part of the largest of them."""
    worst = Difference(0.0, ())
    for head in dump.heads():
        theirs = np.asarray(given[head]).astype(np.float64)
        mask = _mask(dump, head, setting)
        queries, keys = dump.head(head)
        with np.errstate(over="ignore", invalid="ignore"):
            scores = queries @ keys.T * setting.scale
            ours = scores if role == roles.SCORES else softmax(scores, mask=mask, temperature=temperature)
        apart = _apart(ours, theirs, None if role == roles.WEIGHTS else mask)
        if apart.size and float(apart.max()) > worst.size:
            place = np.unravel_index(int(apart.argmax()), apart.shape)
            worst = Difference(float(apart.max()), (*head, *(int(i) for i in place)))
    return worst


def _apart(ours: FloatArray, theirs: FloatArray, only: BoolArray | None) -> FloatArray:
    """How far numbers are apart; infinite where one of the two is nan and the other is not."""
    with np.errstate(invalid="ignore"):
        apart = np.abs(ours - theirs)
    largest = 1.0 if only is None else float(np.nanmax(np.abs(np.where(np.isfinite(ours), ours, 0.0)), initial=1.0))
    apart = np.where((ours == theirs) | (np.isnan(ours) & np.isnan(theirs)), 0.0, apart / largest)
    apart = np.where(np.isnan(apart), np.inf, apart)
    return apart if only is None else np.where(only & (theirs > -1e4), apart, 0.0)


def _mask(dump: Dump, head: tuple[int, ...], setting: Setting) -> BoolArray:
    """The mask of a head under a setting: (Tq, Tk)."""
    shape = (dump.query_count, dump.key_count)
    if setting.mask == "causal":
        return causal_mask(*shape)
    if setting.mask == "none":
        return np.ones(shape, dtype=np.bool_)
    return np.stack([dump.row_mask(head, row) for row in range(shape[0])])
