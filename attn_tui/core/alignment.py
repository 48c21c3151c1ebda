"""When lengths overrule angles: a key that points less towards the query and scores as much, or more."""

from dataclasses import dataclass

import numpy as np

from attn_tui.core.arrays import BoolArray, FloatArray
from attn_tui.core.scores import cosines, norms

TIE_WITHIN = 0.05
"""Scores that differ by less than this part of their range count as a tie."""
MOST_KEYS = 256
"""Pairs are looked for among this many keys, those with the largest scores."""
_LEAST_GAP = 0.05
"""Cosines that differ by less are as good as equal."""


@dataclass(frozen=True)
class Aligned:
    """A key's angle and length."""

    key: int
    cosine: float
    norm: float


@dataclass(frozen=True)
class Upset:
    """Two keys, of which the less aligned one does at least nearly as well."""

    less: Aligned
    """The key with the smaller cosine."""
    more: Aligned
    """The key with the larger one."""
    is_tie: bool
    """Whether their scores are nearly the same."""


def find_upset(
    query: FloatArray, keys: FloatArray, scores: FloatArray, mask: BoolArray, about: int | None = None
) -> Upset | None:
    """The most telling such pair: (hs,), (T, hs), (T,), (T,) -> a pair, or None.

    A pair with the key `about` comes first, then near ties, then the widest gap between cosines.
    Source: lesson, section 1.
    """
    usable = np.flatnonzero(mask & np.isfinite(scores))
    found = usable[np.argsort(-scores[usable], kind="stable")[:MOST_KEYS]]
    if found.size < 2:
        return None
    s, c = scores[found], cosines(query, keys[found])
    with np.errstate(over="ignore", invalid="ignore"):
        tolerance = TIE_WITHIN * float(s[0] - s[-1])
        lead, gap = s[:, None] - s[None, :], c[None, :] - c[:, None]
    candidates = (gap > _LEAST_GAP) & (lead >= -tolerance)
    if not candidates.any():
        return None
    ties = np.abs(lead) <= tolerance
    concerns = (found[:, None] == about) | (found[None, :] == about)
    merit = np.where(candidates, gap + 4.0 * ties + 16.0 * concerns, -np.inf)
    less, more = (int(i) for i in np.unravel_index(int(np.argmax(merit)), merit.shape))
    lengths = norms(keys[found[[less, more]]])
    return Upset(
        Aligned(int(found[less]), float(c[less]), float(lengths[0])),
        Aligned(int(found[more]), float(c[more]), float(lengths[1])),
        bool(ties[less, more]),
    )
