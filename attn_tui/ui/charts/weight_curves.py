"""The weights of a few keys against temperature on a log axis, each curve lettered, the current temperature marked."""

import math
from collections.abc import Mapping, Sequence
from types import ModuleType

from rich.style import Style

from attn_tui.core.attend import Reading
from attn_tui.core.sharpening import weights_along
from attn_tui.ui.charts import plot
from attn_tui.ui.charts.temperature_axis import decades, exponents, tick_labels
from attn_tui.ui.lines import Glyphs, Piece

LETTERS = "abcdef"
"""What the curves are called on the chart, so that no colour is needed to tell them apart."""
_BETWEEN_LETTERS = 9
"""Cells between two letters of a curve."""


def weight_curves(
    reading: Reading, keys: Sequence[int], width: int, height: int, glyphs: Glyphs, inks: Mapping[int, Style]
) -> list[list[Piece]]:
    """The chart's lines; none where there is no distribution."""
    if not reading.is_sound:
        return []
    axis = decades(reading, width)
    along = exponents(reading, axis, 2 * width)
    temperature = reading.inputs.temperature
    curves = weights_along(reading.unrounded, temperature, 10.0**along, list(keys)).T.tolist()
    here = math.log10(temperature)
    every = max(1, along.size * _BETWEEN_LETTERS // width)

    def describe(plotext: ModuleType) -> None:
        """The curves with their letters, and a dot on each at the current temperature."""
        for curve in curves:
            plotext.plot(along.tolist(), curve, marker=glyphs.line, color=plot.CURVE)
        for number, curve in enumerate(curves):
            start = (number * every // max(1, len(curves))) % every
            letters = along[start::every].tolist(), curve[start::every]
            plotext.scatter(*letters, marker=LETTERS[number], color=plot.CURVE)
        weights = [float(reading.weights[key]) for key in keys]
        plotext.scatter([here] * len(keys), weights, marker=glyphs.dot, color=plot.MARK)
        plotext.xlim(axis[0], axis[-1])
        plotext.ylim(0.0, 1.0)
        plotext.xticks(axis, tick_labels(axis))
        plotext.yticks([0.0, 0.5, 1.0], ["0", ".5", "1"])

    return plot.chart(width, height, glyphs, inks, describe)
