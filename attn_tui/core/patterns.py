"""What a head does on average over its queries: how widely it looks, and whether at the start or one token back.

Every measure is a mean over the rows (queries) for which it is defined. A row in which no key may be attended is left
out of all of them; a row that is nan makes the mean nan, since it would hide behind the others otherwise.
"""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from attn_tui.core import measures
from attn_tui.core.arrays import BoolArray, FloatArray
from attn_tui.core.causal import Places, causal_mask, places
from attn_tui.core.scores import check_head_size
from attn_tui.core.softmax import Distribution, distribution

_NUMBERS_AT_ONCE = 2**16
"""Weights computed in one block, so that whoever waits for one never waits long."""


@dataclass(frozen=True)
class Pattern:
    """The averages of one head; None where no row defines them."""

    entropy: float | None
    """Mean entropy of the rows, in nats."""
    first: float | None
    """Mean weight on the first key: near 1 for an attention sink."""
    previous: float | None
    """Mean weight on the key before the query's own place, over the queries that have one: near 1 for a head that
    looks one token back."""
    peak: float | None
    """Mean of the rows' largest weights."""


def pattern(
    queries: FloatArray, keys: FloatArray, *, temperature: float = 1.0, scale: float = 1.0, causal: bool = False
) -> Pattern:
    """The averages of a head: queries (Tq, hs), keys (Tk, hs). Errors as `attend`."""
    mask = causal_mask(len(queries), len(keys)) if causal else None
    parts = list(row_blocks(queries, keys, mask, temperature=temperature, scale=scale))
    return average(np.concatenate(parts, axis=1), places(len(queries), len(keys)))


def row_blocks(
    queries: FloatArray, keys: FloatArray, mask: BoolArray | None, *, temperature: float, scale: float
) -> Iterator[FloatArray]:
    """The measures of a head's rows, a block of n rows at a time, see `of_rows`.

    (Tq, hs), (Tk, hs) or (Tq, Tk, hs) where each query has keys of its own, (Tq, Tk) -> (5, n) each.
    """
    total = keys.shape[-2]
    at, count = places(len(queries), total), max(1, _NUMBERS_AT_ONCE // total)
    for first in range(0, len(queries), count):
        rows = slice(first, first + count)
        scores = _scores(queries[rows], keys[rows] if keys.ndim == 3 else keys)
        yield of_rows(distribution(scores, None if mask is None else mask[rows], temperature, scale), at[rows])


def _scores(queries: FloatArray, keys: FloatArray) -> FloatArray:
    """Dot products: (n, hs), (Tk, hs) or (n, Tk, hs) -> (n, Tk).

    One by one, since a matrix product would wake threads that take the processor from whoever presses a key meanwhile.
    """
    check_head_size(queries, keys)
    with np.errstate(over="ignore", invalid="ignore"):
        return np.vecdot(queries[:, None], keys)


def of_rows(rows: Distribution, at: Places) -> FloatArray:
    """Entropy, first and previous weight, peak and number of keys of each row: (n, Tk) at places (n,) -> (5, n)."""
    return np.stack([
        measures.shannon_entropy(rows),
        first_weight(rows),
        previous_weight(rows, at),
        measures.peak(rows),
        rows.count.astype(np.float64),
    ])  # fmt: skip


def first_weight(rows: Distribution) -> FloatArray:
    """Weight on the first key: (n, Tk) -> (n,), nan where no key may be attended."""
    return np.where(rows.count > 0, rows.weights[:, 0], np.nan)


def previous_weight(rows: Distribution, at: Places) -> FloatArray:
    """Weight on the key before each query's place: (n, Tk), (n,) -> (n,), nan where there is none."""
    has_one = (at >= 1) & (rows.count > 0)
    before = np.take_along_axis(rows.weights, np.maximum(at - 1, 0)[:, None], axis=1)[:, 0]
    return np.where(has_one, before, np.nan)


def average(of_each: FloatArray, at: Places) -> Pattern:
    """The means over the rows that define them: (5, Tq), (Tq,) -> four numbers."""
    entropy, first, previous, peak, keys = of_each
    has_keys: BoolArray = keys > 0.0
    return Pattern(
        _mean(entropy, has_keys), _mean(first, has_keys), _mean(previous, has_keys & (at >= 1)), _mean(peak, has_keys)
    )


def _mean(of_each: FloatArray, defined: BoolArray) -> float | None:
    """The mean over the rows that define a measure, None if none does."""
    return float(of_each[defined].mean()) if defined.any() else None
