"""Temperature turned round: which one gives a wished peak or entropy, and what the two ends of the scale are."""

import math
from collections.abc import Callable

import numpy as np
from numpy.typing import ArrayLike

from attn_tui.core.arrays import BoolArray, FloatArray, as_floats, as_mask
from attn_tui.core.measures import kl_to_uniform, shannon_entropy
from attn_tui.core.softmax import Distribution, check_scale, distribution


def temperature_for(
    scores: ArrayLike,
    *,
    peak: float | None = None,
    entropy: float | None = None,
    mask: ArrayLike | None = None,
    scale: float = 1.0,
) -> float:
    """The temperature at which softmax(scale * scores / tau) has this peak, or this entropy in nats: (T,) -> tau.

    Both move one way only as tau grows: the peak down from 1/ties to 1/T, the entropy up from ln(ties) to ln T.
    Raises ValueError, with the reason, when no temperature that float64 holds does it, and unless just one of the
    two is given.
    Source: lesson, exercise 2.
    """
    check_scale(scale)
    s = as_floats(scores, "scores", 1)
    attended = s[as_mask(mask, s.shape)] * math.copysign(1.0, scale)
    _check_scores(attended, scale)
    ties, count = int((attended == attended.max()).sum()), attended.size
    if peak is not None and entropy is None:
        _check_peak(peak, ties, count)
        rest = 1.0 / peak - 1.0
        return _solve(
            lambda tau: float(distribution(attended, None, tau, abs(scale)).rest) - rest,
            attended,
            scale,
        )
    if entropy is not None and peak is None:
        _check_entropy(entropy, ties, count)
        return _solve(
            lambda tau: _entropy_above(distribution(attended, None, tau, abs(scale)), entropy),
            attended,
            scale,
        )
    raise ValueError("give either a peak or an entropy")


def zero_limit(scores: FloatArray, mask: BoolArray, scale: float = 1.0) -> FloatArray:
    """The weights as tau -> 0: (T,) -> (T,), shared equally by the keys that tie for the largest score.

    It is a limit, not a value; +inf ties with +inf. NaN where there is no distribution at any temperature, 0 where
    nothing may be attended.
    """
    signed = _signed(scores, mask, scale)
    return _shared(mask & (signed == signed.max(initial=-np.inf)), mask, signed)


def infinite_limit(scores: FloatArray, mask: BoolArray, scale: float = 1.0) -> FloatArray:
    """The weights as tau -> infinity: (T,) -> (T,), equal for all keys with a finite score; a score of -inf gets none.

    NaN with a score of +inf, which no temperature divides; else NaN and 0 as `zero_limit`.
    """
    signed = _signed(scores, mask, scale)
    if (signed == np.inf).any():
        return np.where(mask, np.nan, 0.0)
    return _shared(mask & np.isfinite(signed), mask, signed)


def _signed(scores: FloatArray, mask: BoolArray, scale: float) -> FloatArray:
    """The scores as the scale orders them, all alike for a scale of 0; -inf where masked."""
    with np.errstate(invalid="ignore"):
        factor = 0.0 if scale == 0.0 else math.copysign(1.0, scale)
        return np.where(mask, scores * factor, -np.inf)


def _shared(keys: BoolArray, mask: BoolArray, signed: FloatArray) -> FloatArray:
    """One weight, shared equally by some keys; NaN if a score is NaN or all are -inf."""
    attended = signed[mask]
    if np.isnan(attended).any() or (attended.size and (attended == -np.inf).all()):
        return np.where(mask, np.nan, 0.0)
    return keys / max(1, int(keys.sum()))


def _check_scores(attended: FloatArray, scale: float) -> None:
    """Raise ValueError for scores that every temperature leaves as they are."""
    if attended.size == 0:
        raise ValueError("no key may be attended: there are no weights to change")
    if not np.isfinite(attended).all():
        raise ValueError("a score is not finite: no temperature changes that")
    if scale == 0.0 or (attended == attended[0]).all():
        raise ValueError("all scores are equal: the weights are uniform at every temperature")


def _check_peak(peak: float, ties: int, count: int) -> None:
    """Raise ValueError for a peak that is only a limit, or not even that."""
    if not 0.0 < peak < 1.0:
        raise ValueError(f"a peak lies between 0 and 1, and reaches neither: not {peak:g}")
    if peak <= 1.0 / count:
        raise ValueError(f"the peak of {count} keys stays above the uniform weight 1/{count} = {1 / count:.4g}")
    if peak >= 1.0 / ties:
        raise ValueError(f"{ties} keys tie for the largest score: the peak stays below 1/{ties} = {1 / ties:.4g}")


def _check_entropy(entropy: float, ties: int, count: int) -> None:
    """Raise ValueError for an entropy that is only a limit, or not even that."""
    if not entropy > 0.0:
        raise ValueError(f"entropy stays above 0, and reaches it only as tau goes to 0: not {entropy:g}")
    if entropy >= math.log(count):
        raise ValueError(f"the entropy of {count} keys stays below ln {count} = {math.log(count):.4g}")
    if entropy <= math.log(ties):
        raise ValueError(
            f"{ties} keys tie for the largest score: the entropy stays above ln {ties} = {math.log(ties):.4g}"
        )


def _entropy_above(row: Distribution, wanted: float) -> float:
    """How far a row's entropy is above this one; in a nearly uniform row from ln T, which keeps the digits."""
    largest = math.log(row.shifted.size)
    if wanted < largest / 2.0:
        return float(shannon_entropy(row)) - wanted
    return (largest - wanted) - float(kl_to_uniform(row))


def _solve(rising: Callable[[float], float], attended: FloatArray, scale: float) -> float:
    """The root of a function that rises with the temperature, by bisection of ln tau."""
    spread = float(attended.max()) - float(attended.min())
    middle = min(max(math.log(abs(scale)) + math.log(spread), _LOWEST), _HIGHEST)
    low = max(middle - 1.0, _LOWEST)
    while rising(math.exp(low)) > 0.0:
        if low == _LOWEST:
            raise ValueError("the temperature would have to be below 5e-324, the smallest number of float64")
        low = max(low - 4.0, _LOWEST)
    high = min(middle + 1.0, _HIGHEST)
    while rising(math.exp(high)) < 0.0:
        if high == _HIGHEST:
            raise ValueError(f"the temperature would have to be above {_LARGEST:.4g}, the largest number of float64")
        high = min(high + 4.0, _HIGHEST)
    return math.exp(_root(rising, low, high))


def _root(rising: Callable[[float], float], low: float, high: float) -> float:
    """The ln tau between two others at which a function of tau, negative at one and positive at the other, is 0.

    By the chord between the ends, the end that stays being weighed down (the Illinois rule), and every third time by
    halves, so that a flat end cannot hold it up.
    """
    at_low, at_high = rising(math.exp(low)), rising(math.exp(high))
    for turn in range(_MOST_TURNS):
        chord = (low * at_high - high * at_low) / (at_high - at_low) if at_high != at_low else low
        middle = chord if turn % 3 != 2 and low < chord < high else (low + high) / 2.0
        if not low < middle < high:
            return high
        at_middle = rising(math.exp(middle))
        if at_middle == 0.0:
            return middle
        if at_middle < 0.0:
            low, at_low, at_high = middle, at_middle, at_high / 2.0
        else:
            high, at_high, at_low = middle, at_middle, at_low / 2.0
    return high


_MOST_TURNS = 250
"""More than it takes to halve any interval of float64 away."""
_LARGEST = float(np.finfo(np.float64).max)
_LOWEST, _HIGHEST = math.log(5e-324), math.nextafter(math.log(_LARGEST), 0.0)
"""ln of the temperatures that float64 holds."""
