"""Entropy against temperature on a log axis, with the current temperature marked."""

import math
from collections.abc import Mapping
from types import ModuleType

import numpy as np
from rich.style import Style

from attn_tui.core.arrays import FloatArray
from attn_tui.core.attend import Reading
from attn_tui.ui.charts import plot
from attn_tui.ui.lines import Glyphs, Piece

_MOST_TERMS = 40_000
"""Points times keys that are computed for one curve: beyond it the curve gets fewer points."""
_FEWEST_POINTS = 20
_FURTHEST = -1000.0
"""Distances below this add nothing to a curve."""


def entropy_curve(
    reading: Reading, width: int, height: int, glyphs: Glyphs, inks: Mapping[int, Style]
) -> list[list[Piece]]:
    """The chart's lines; none where there is no distribution, and no curve to draw of it."""
    if not reading.is_sound or reading.entropy is None or reading.entropy_max is None:
        return []
    entropy, highest = reading.entropy, reading.entropy_max
    decades = _decades(reading)
    exponents, entropies = _curve(reading, decades, 2 * width)
    here = math.log10(reading.inputs.temperature)

    def describe(plotext: ModuleType) -> None:
        """The curve, and a dot at the current temperature."""
        plotext.plot(exponents.tolist(), entropies.tolist(), marker=glyphs.line, color=plot.CURVE)
        plotext.scatter([here], [entropy], marker=glyphs.dot, color=plot.MARK)
        plotext.xlim(decades[0], decades[-1])
        plotext.ylim(0.0, max(highest, 1e-9))
        plotext.xticks(decades, [_power(decade) for decade in decades])
        plotext.yticks([0.0, highest], ["0", f"{highest:.2f}"])

    return plot.chart(width, height, glyphs, inks, describe)


def _decades(reading: Reading) -> list[int]:
    """Powers of ten for the axis: two to each side of where the scores' spread makes the curve rise, and tau."""
    attended = reading.scores[reading.inputs.mask]
    with np.errstate(over="ignore"):
        spread = float(np.ptp(attended)) * abs(reading.inputs.scale)
    centre = round(math.log10(spread / 4.0)) if 0.0 < spread < math.inf else 0
    here = math.log10(reading.inputs.temperature)
    low, high = min(centre - 2, math.floor(here)), max(centre + 2, math.ceil(here))
    every = max(1, math.ceil((high - low) / 6))
    return [*range(low, high, every), high]


def _power(decade: int) -> str:
    """A power of ten as an axis has it, also one beyond float64."""
    return f"{10.0**decade:g}" if -5 < decade < 6 else f"1e{decade}"


def _curve(reading: Reading, decades: list[int], points: int) -> tuple[FloatArray, FloatArray]:
    """log10 of temperatures along the axis, and the entropy at each: (n,), (n,)."""
    below = reading.distribution.shifted[reading.inputs.mask]
    count = min(points, max(_FEWEST_POINTS, _MOST_TERMS // below.size))
    exponents = np.linspace(decades[0], decades[-1], count)
    with np.errstate(over="ignore", under="ignore"):
        ratios = 10.0 ** np.clip(math.log10(reading.inputs.temperature) - exponents, -300.0, 300.0)
        distances = np.maximum(np.where(below == 0.0, 0.0, below * ratios[:, None]), _FURTHEST)
        exps = np.exp(distances)
        total = exps.sum(axis=1)
        return exponents, np.log(total) - (exps * distances).sum(axis=1) / total
