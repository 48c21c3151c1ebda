"""The axis of temperatures that charts share: logarithmic, around where the weights change."""

import math

import numpy as np

from attn_tui.core.arrays import FloatArray
from attn_tui.core.attend import Reading

_MOST_TERMS = 40_000
"""Temperatures times keys that are computed for one chart: beyond it the chart gets fewer points."""
_FEWEST_POINTS = 20
_MOST_TICKS = 5
_BESIDE, _APART = 6, 2
"""Cells of a chart that are no canvas, and those between two labels."""


def decades(reading: Reading, width: int) -> list[int]:
    """Powers of ten for the axis: two to each side of where the scores' spread lets the weights change, and tau.

    No more than have room for their labels: which of them plotext would leave out is up to chance.
    """
    attended = reading.scores[reading.inputs.mask]
    with np.errstate(over="ignore"):
        spread = float(attended.max() - attended.min()) * abs(reading.inputs.scale)
    centre = round(math.log10(spread / 4.0)) if 0.0 < spread < math.inf else 0
    here = math.log10(reading.inputs.temperature)
    low, high = min(centre - 2, math.floor(here)), max(centre + 2, math.ceil(here))
    low, high = max(low, -300), min(high, 300)
    room = (width - _BESIDE) // (max(map(len, tick_labels([low, high]))) + _APART)
    every = max(1, math.ceil((high - low) / (max(2, min(_MOST_TICKS, room)) - 1)))
    return [*range(low, high - every // 2, every), high]


def exponents(reading: Reading, axis: list[int], points: int) -> FloatArray:
    """log10 of the temperatures at which a chart of so many points is computed: (n,)."""
    count = min(points, max(_FEWEST_POINTS, _MOST_TERMS // max(1, reading.attended)))
    return np.linspace(axis[0], axis[-1], count)


def tick_labels(axis: list[int]) -> list[str]:
    """The powers of ten as text."""
    return [f"{10.0**decade:g}" if -4 < decade < 5 else f"1e{decade}" for decade in axis]
