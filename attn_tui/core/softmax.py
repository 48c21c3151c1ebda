"""Softmax, as the textbook writes it and as it has to be computed.

The stable form subtracts the largest score first; softmax does not notice, since a constant added to every
score cancels, and the largest exponent becomes 0. Everything here works along one axis of an array of any
number of axes, so that one row (T,), a matrix (T, T) and a batch (B, T, T) are the same to it.
"""

import math
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property

import numpy as np
from numpy.typing import ArrayLike

from attn_tui.core.arrays import BoolArray, FloatArray, as_floats, as_mask


def naive_softmax(
    scores: ArrayLike,
    axis: int = -1,
    *,
    mask: ArrayLike | None = None,
    temperature: float = 1.0,
    scale: float = 1.0,
) -> FloatArray:
    """exp(z) / sum(exp(z)) for z = scale * scores / temperature, failing as the textbook form fails.

    (..., T, ...) -> the same shape. Above 709.78 exp overflows float64, and inf / inf is NaN. A masked score
    is -inf. Raises ValueError as `softmax` does. Source: lesson, sections 2 and 3.
    """
    check_temperature(temperature)
    check_scale(scale)
    s, attended = _axis_last(scores, axis), _mask_last(mask, scores, axis)
    with np.errstate(all="ignore"):
        exps = np.exp(np.where(as_mask(attended, s.shape), scaled(s, scale, temperature), -np.inf))
        return np.moveaxis(exps / exps.sum(axis=-1, keepdims=True), -1, axis)


def softmax(
    scores: ArrayLike,
    axis: int = -1,
    *,
    mask: ArrayLike | None = None,
    temperature: float = 1.0,
    scale: float = 1.0,
) -> FloatArray:
    """Attention weights, softmax of scale * scores / temperature along an axis: the same shape.

    A masked score has weight exactly 0; where no key may be attended all are 0. A NaN or +inf among the
    attended makes their weights NaN. Raises ValueError for a temperature that is not finite and above 0, a
    scale that is not finite and an empty axis. Source: lesson, section 3; P. Blanchard, D. J. Higham,
    N. J. Higham, "Accurately computing the log-sum-exp and softmax functions", 2021.
    """
    along = distribution(_axis_last(scores, axis), _mask_last(mask, scores, axis), temperature, scale)
    return np.moveaxis(along.weights, -1, axis)


def log_softmax(
    scores: ArrayLike,
    axis: int = -1,
    *,
    mask: ArrayLike | None = None,
    temperature: float = 1.0,
    scale: float = 1.0,
) -> FloatArray:
    """ln of the weights, finite even where the weight underflows: the same shape; errors as `softmax`."""
    along = distribution(_axis_last(scores, axis), _mask_last(mask, scores, axis), temperature, scale)
    return np.moveaxis(along.log_weights, -1, axis)


def logsumexp(
    scores: ArrayLike,
    axis: int = -1,
    *,
    mask: ArrayLike | None = None,
    temperature: float = 1.0,
    scale: float = 1.0,
) -> FloatArray:
    """ln(sum(exp(z))) for z = scale * scores / temperature: (..., T, ...) -> without that axis.

    -inf where no key may be attended; errors as `softmax`.
    """
    s, attended = _axis_last(scores, axis), _mask_last(mask, scores, axis)
    along = distribution(s, attended, temperature, scale)
    with np.errstate(invalid="ignore"):
        z = np.where(as_mask(attended, s.shape), scaled(s, scale, temperature), -np.inf)
        return z.max(axis=-1) + along.log_total


def scaled(scores: FloatArray, scale: float, temperature: float) -> FloatArray:
    """scale * scores / temperature, of any shape, rounded once and overflowing only where the result does.

    Mantissas and exponents go separate ways, so that 1e10 / 1e-300 * 1e-300 never meets infinity.
    """
    mantissa, exponent = np.frexp(scores)
    scale_mantissa, scale_exponent = math.frexp(scale)
    temperature_mantissa, temperature_exponent = math.frexp(temperature)
    with np.errstate(all="ignore"):
        product = _times(mantissa, Fraction(scale_mantissa) / Fraction(temperature_mantissa))
        return np.ldexp(product, exponent + (scale_exponent - temperature_exponent))


def _times(numbers: FloatArray, ratio: Fraction) -> FloatArray:
    """Numbers below 1 times a ratio of at most 2, rounded once, of any shape.

    The ratio is a float and what that lacks; the error of the product with the float is exact, in halves of 26 bits.
    Source: T. J. Dekker, "A floating-point technique for extending the available precision", 1971.
    """
    high = float(ratio)
    product = numbers * high
    if ratio == high and abs(math.frexp(high)[0]) == 0.5:
        return product
    low = float(ratio - Fraction(high))
    (a, b), (c, d) = _halves(numbers), _halves(np.float64(high))
    error = ((a * c - product) + a * d + b * c) + b * d
    return np.where(np.isfinite(numbers), product + (error + numbers * low), product)


def _halves(numbers: FloatArray | np.float64) -> tuple[FloatArray | np.float64, FloatArray | np.float64]:
    """Numbers as sums of two with at most 26 bits each, so that products of those are exact."""
    wide = numbers * 134217729.0
    high = wide - (wide - numbers)
    return high, numbers - high


def check_temperature(temperature: float) -> None:
    """Raise ValueError for a temperature that is not finite and above 0."""
    if not (math.isfinite(temperature) and temperature > 0.0):
        raise ValueError(f"the temperature has to be a finite number above 0, not {temperature:g}")


def check_scale(scale: float) -> None:
    """Raise ValueError for a scale that is not finite."""
    if not math.isfinite(scale):
        raise ValueError(f"the scale has to be a finite number, not {scale:g}")


@dataclass(frozen=True, eq=False)
class Distribution:
    """A softmax along the last axis, kept as the distance of each exponent below the largest.

    From these distances every weight and measure follows without cancellation: the sum of all exps but the
    largest (`rest`) keeps the digits that 1 - peak would lose.
    """

    shifted: FloatArray
    """(..., T): z - max z, at most 0; -inf where the key is masked, NaN where there is no answer."""
    attended: BoolArray
    """(..., T): which keys may be attended."""

    @cached_property
    def exps(self) -> FloatArray:
        """exp of the distances: (..., T), the largest is 1."""
        with np.errstate(under="ignore"):
            return np.exp(self.shifted)

    @cached_property
    def winner(self) -> BoolArray:
        """One key of those with the largest weight: (..., T), true once along the last axis."""
        first = np.argmax(self.shifted, axis=-1, keepdims=True)
        winner = np.zeros(self.shifted.shape, dtype=np.bool_)
        np.put_along_axis(winner, first, values=True, axis=-1)
        return winner

    @cached_property
    def rest(self) -> FloatArray:
        """Sum of all exps but the winner's: (...)."""
        return np.where(self.winner, 0.0, self.exps).sum(axis=-1)

    @cached_property
    def top(self) -> FloatArray:
        """The winner's exp: (...), 1 where there is a distribution, 0 where no key may be attended, else NaN."""
        return np.where(self.winner, self.exps, 0.0).sum(axis=-1)

    @cached_property
    def log_total(self) -> FloatArray:
        """ln of the sum of all exps: (...), with every digit of a small `rest`."""
        with np.errstate(divide="ignore"):
            return np.log1p(self.rest + (self.top - 1.0))

    @cached_property
    def weights(self) -> FloatArray:
        """(..., T), summing to 1; exactly 0 where masked."""
        total = (self.top + self.rest)[..., None]
        with np.errstate(invalid="ignore", divide="ignore", over="ignore", under="ignore"):
            return np.where(self.attended, self.exps / total, 0.0)

    @cached_property
    def log_weights(self) -> FloatArray:
        """ln of the weights: (..., T); -inf where masked."""
        with np.errstate(invalid="ignore"):
            return np.where(self.attended, self.shifted - self.log_total[..., None], -np.inf)

    @cached_property
    def count(self) -> FloatArray:
        """How many keys may be attended: (...)."""
        return self.attended.sum(axis=-1).astype(np.float64)


def distribution(
    scores: FloatArray, mask: ArrayLike | None = None, temperature: float = 1.0, scale: float = 1.0
) -> Distribution:
    """Softmax of scale * scores / temperature along the last axis: (..., T); errors as `softmax`."""
    check_temperature(temperature)
    check_scale(scale)
    if scores.ndim == 0 or scores.shape[-1] == 0:
        raise ValueError("softmax needs at least one score")
    attended = as_mask(mask, scores.shape)
    s = np.where(attended, math.copysign(1.0, scale) * scores, -np.inf)
    top = s.max(axis=-1, keepdims=True)
    return Distribution(np.where(attended, _below(s, top, abs(scale), temperature), -np.inf), attended)


def _below(scores: FloatArray, top: FloatArray, scale: float, temperature: float) -> FloatArray:
    """Scale * (scores - top) / temperature: (..., T), (..., 1) -> (..., T).

    The maximum is subtracted before the division, so that a tiny temperature cannot turn both into
    infinity; where the difference itself would overflow, it is taken between halves.
    """
    with np.errstate(over="ignore", invalid="ignore"):
        difference = scores - top
        shifted = scaled(difference, scale, temperature)
        too_far = np.isinf(difference) & np.isfinite(scores) & np.isfinite(top)
        if too_far.any():
            halves = scaled(scores / 2.0 - top / 2.0, scale, temperature)
            shifted = np.where(too_far, 2.0 * halves, shifted)
    return shifted


def _axis_last(scores: ArrayLike, axis: int) -> FloatArray:
    """The scores with an axis moved to the end, in one piece, so that sums along it are pairwise."""
    s = as_floats(scores, "scores")
    if s.size == 0 or s.ndim == 0:
        raise ValueError(f"softmax needs an axis with at least one score, and the scores have shape {s.shape}")
    return np.ascontiguousarray(np.moveaxis(s, axis, -1))


def _mask_last(mask: ArrayLike | None, scores: ArrayLike, axis: int) -> BoolArray | None:
    """The mask, spread to the scores' shape, with an axis moved to the end."""
    return None if mask is None else np.moveaxis(as_mask(mask, np.shape(scores)), axis, -1)
