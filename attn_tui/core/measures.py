"""Measures of attention weights: how spread out, how concentrated, how sensitive.

Each takes a `Distribution` (..., T) and gives (...), NaN where there is no distribution. They are sums of
terms of one sign wherever that can be had, so that a nearly one-hot row and a nearly uniform one keep their digits.
"""

import numpy as np
from numpy.typing import ArrayLike

from attn_tui.core.arrays import FloatArray, as_floats
from attn_tui.core.softmax import Distribution

SUM_TOLERANCE = 1e-3
"""How far from 1 the sum of given weights may be: rounded figures and float16 pass, scores do not."""

_SERIES_BELOW = 0.01
"""Below this, (1+x) ln(1+x) - x is summed as a series."""


def entropy(weights: ArrayLike, axis: int = -1) -> FloatArray:
    """Shannon entropy in nats of given weights, -sum w ln w with 0 ln 0 = 0: (..., T, ...) -> without that axis.

    NaN where a weight is NaN. Raises ValueError for a negative weight and for a sum that is not 1
    within 1e-3, since those are no weights. Source: lesson, section 5.
    """
    w = as_floats(weights, "weights")
    return shannon_entropy(from_weights(np.moveaxis(w, axis, -1) if w.ndim else w))


def from_weights(weights: FloatArray) -> Distribution:
    """The distribution that has these weights: (..., T); errors as `entropy`."""
    if weights.ndim == 0 or weights.shape[-1] == 0:
        raise ValueError("there has to be at least one weight")
    if (weights < 0.0).any():
        raise ValueError("weights cannot be negative")
    sums = weights.sum(axis=-1)
    if (wrong := np.abs(sums - 1.0) > SUM_TOLERANCE).any():
        raise ValueError(f"weights have to sum to 1, and sum to {sums[wrong][0]:g}")
    return from_rounded(weights, np.ones(weights.shape, dtype=np.bool_))


def from_rounded(weights: FloatArray, attended: np.ndarray[tuple[int, ...], np.dtype[np.bool_]]) -> Distribution:
    """The distribution of weights that a dtype has rounded, normalised: (..., T).

    All zeros, as when only a sum overflowed, are no distribution: NaN.
    """
    with np.errstate(divide="ignore", invalid="ignore"):
        logs = np.log(weights)
        shifted = logs - logs.max(axis=-1, keepdims=True)
    return Distribution(np.where(attended, shifted, -np.inf), attended)


def shannon_entropy(row: Distribution) -> FloatArray:
    """Entropy in nats: ln(sum of exps) minus the mean distance, both of one sign."""
    with np.errstate(invalid="ignore"):
        terms = np.where(row.weights == 0.0, 0.0, row.weights * -row.log_weights)
        return _where_defined(row, terms.sum(axis=-1) + 0.0)


def effective_keys(row: Distribution) -> FloatArray:
    """exp(H): how many equally weighted keys would have this entropy."""
    return np.exp(shannon_entropy(row))


def entropy_max(row: Distribution) -> FloatArray:
    """ln n over the n keys that may be attended."""
    with np.errstate(divide="ignore"):
        return _where_defined(row, np.log(row.count))


def entropy_ratio(row: Distribution) -> FloatArray:
    """H / ln n, NaN for a single key, where it is 0 / 0."""
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.where(row.count > 1, shannon_entropy(row) / entropy_max(row), np.nan)


def kl_to_uniform(row: Distribution) -> FloatArray:
    """ln n - H in nats, the divergence from the uniform weights 1/n.

    Summed as (1+x) ln(1+x) - x over x = n w - 1, where no term is negative and a nearly uniform row
    loses nothing to the difference of two nearly equal numbers.
    """
    with np.errstate(invalid="ignore", divide="ignore", under="ignore"):
        n = row.count[..., None]
        below = np.where(row.attended, np.expm1(row.shifted), 0.0)
        mean = below.sum(axis=-1, keepdims=True) / n
        x = (below - mean) / (1.0 + mean)
        terms = np.where(row.attended, _relative_entropy_term(x), 0.0)
        return _where_defined(row, terms.sum(axis=-1) / row.count)


def kl_divergence(row: Distribution, other: Distribution) -> FloatArray:
    """Kullback-Leibler divergence of one row of weights from another over the same keys, in nats: sum w ln(w / other).

    Infinite where a weight stands against 0, nan where one of the rows is no distribution. Summed over terms of one
    sign, as `kl_to_uniform`.
    """
    with np.errstate(all="ignore"):
        both_zero = (row.weights == 0.0) & (other.weights == 0.0)
        x = np.expm1(np.where(both_zero, 0.0, row.log_weights - other.log_weights))
        terms = np.where(other.weights == 0.0, np.inf, other.weights * _relative_entropy_term(x))
        total = np.where(both_zero, 0.0, terms).sum(axis=-1)
        return np.where((row.count > 0) & (other.count > 0), total, np.nan)


def peak(row: Distribution) -> FloatArray:
    """The largest weight."""
    return _where_defined(row, row.weights.max(axis=-1))


def margin(row: Distribution) -> FloatArray:
    """The largest weight minus the second largest, p (1 - exp(their distance)): 0 for a tie, p itself for one key."""
    second = np.where(row.winner, -np.inf, row.shifted).max(axis=-1)
    return peak(row) * (0.0 - np.expm1(second))


def top_k_mass(row: Distribution, k: int) -> FloatArray:
    """Sum of the k largest weights, k at least 1; added up one by one, so that it never falls as k grows."""
    if k < 1:
        raise ValueError(f"the mass of the top {k} keys is not defined: k starts at 1")
    falling = np.sort(row.weights, axis=-1)[..., ::-1]
    return _where_defined(row, np.minimum(np.add.accumulate(falling[..., :k], axis=-1)[..., -1], 1.0))


def sum_of_squares(row: Distribution) -> FloatArray:
    """Sum of w squared: 1 for one-hot, 1/n for uniform."""
    with np.errstate(under="ignore"):
        return _where_defined(row, np.square(row.weights).sum(axis=-1))


def participation_ratio(row: Distribution) -> FloatArray:
    """1 / (sum of w squared), a second count of effective keys that the heavy ones dominate."""
    return 1.0 / sum_of_squares(row)


def jacobian_frobenius(row: Distribution) -> FloatArray:
    """Frobenius norm of diag(w) - w w^T, the derivative of the weights by the scaled scores.

    With r the weights other than the peak p, taken relative to the largest of them so that their squares do
    not underflow: p^2 (1-p)^2 + 2 p^2 |r|^2 + sum r^2 (1-r)^2 + (|r|^2)^2 - sum r^4. Multiply by
    |scale| / temperature for the derivative by q.k.
    """
    with np.errstate(invalid="ignore", divide="ignore", under="ignore"):
        others = np.where(row.winner, 0.0, row.weights)
        unit = others.max(axis=-1, keepdims=True)
        r = np.where(unit > 0.0, others / unit, np.where(np.isnan(unit), np.nan, 0.0))
        squares = np.square(r)
        p, mass, unit = row.weights.max(axis=-1), squares.sum(axis=-1), unit[..., 0]
        of_the_peak = np.square(p) * (np.square(r.sum(axis=-1)) + 2.0 * mass)
        of_the_others = (squares * np.square(1.0 - others)).sum(axis=-1)
        between_others = np.square(unit) * np.maximum(np.square(mass) - np.square(squares).sum(axis=-1), 0.0)
        return _where_defined(row, unit * np.sqrt(of_the_peak + of_the_others + between_others))


def _relative_entropy_term(x: FloatArray) -> FloatArray:
    """(1+x) ln(1+x) - x for x >= -1, by its series x^2/2 - x^3/6 + x^4/12 - ... near 0."""
    small = np.where(np.abs(x) < _SERIES_BELOW, x, 0.0)
    with np.errstate(divide="ignore", invalid="ignore"):
        direct = np.where(x == -1.0, 1.0, (1.0 + x) * np.log1p(x) - x)
    series = sum((-1) ** k * small**k / (k * (k - 1)) for k in range(2, 11))
    return np.where(np.abs(x) < _SERIES_BELOW, series, direct)


def _where_defined(row: Distribution, measure: FloatArray) -> FloatArray:
    """The measure, NaN where no key may be attended."""
    return np.where(row.count > 0, measure, np.nan)
