"""What a temperature makes of the same scores: softer, base and sharper, and weights along an axis of temperatures."""

from dataclasses import dataclass

import numpy as np

from attn_tui.core import measures
from attn_tui.core.arrays import BoolArray, FloatArray
from attn_tui.core.softmax import Distribution, distribution

FACTOR = 4.0
"""How much softer and sharper than the base the two others are (lesson, section 4)."""
_FURTHEST = -1000.0
"""Distances below this have no weight that could be drawn."""


@dataclass(frozen=True, eq=False)
class Tempered:
    """The weights at one temperature, and what they amount to."""

    temperature: float
    row: Distribution
    """(T,)."""

    @property
    def weights(self) -> FloatArray:
        """(T,)."""
        return self.row.weights

    @property
    def entropy(self) -> float:
        """In nats, nan where there is no distribution."""
        return float(measures.shannon_entropy(self.row))

    @property
    def peak(self) -> float:
        """The largest weight."""
        return float(measures.peak(self.row))


def softer_base_sharper(
    scores: FloatArray, mask: BoolArray, temperature: float, scale: float
) -> tuple[Tempered, Tempered, Tempered]:
    """The weights at four times a temperature, at it, and at a quarter of it: (T,), (T,) -> three times (T,).

    A temperature that float64 does not hold is replaced by the nearest that it does. Source: lesson, section 4.
    """
    limits = np.finfo(np.float64)
    wanted = (min(temperature * FACTOR, float(limits.max)), temperature, max(temperature / FACTOR, 5e-324))
    softer, base, sharper = (Tempered(tau, distribution(scores, mask, tau, scale)) for tau in wanted)
    return softer, base, sharper


def weights_along(row: Distribution, temperature: float, temperatures: FloatArray, keys: list[int]) -> FloatArray:
    """The weights of some keys at other temperatures, for drawing: row (T,) at one, (n,) others -> (n, keys)."""
    total = np.exp(distances_along(row.shifted[row.attended], temperature, temperatures)).sum(axis=1, keepdims=True)
    return np.exp(distances_along(row.shifted[keys], temperature, temperatures)) / total


def entropies_along(row: Distribution, temperature: float, temperatures: FloatArray) -> FloatArray:
    """The entropy in nats at other temperatures, for drawing: row (T,) at one, (n,) others -> (n,)."""
    distances = distances_along(row.shifted[row.attended], temperature, temperatures)
    exps = np.exp(distances)
    total = exps.sum(axis=1)
    return np.log(total) - (exps * distances).sum(axis=1) / total


def distances_along(below: FloatArray, temperature: float, temperatures: FloatArray) -> FloatArray:
    """Distances below the maximum at other temperatures: (T,) at one, (n,) others -> (n, T), never below -1000."""
    with np.errstate(over="ignore", under="ignore", invalid="ignore"):
        moved = below * (temperature / temperatures)[:, None]
        return np.where(below == 0.0, 0.0, np.fmax(moved, _FURTHEST))
