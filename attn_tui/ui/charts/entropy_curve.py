"""Entropy against temperature on a log axis, with the current temperature marked."""

import math
from collections.abc import Mapping
from types import ModuleType

from rich.style import Style

from attn_tui.core.attend import Reading
from attn_tui.core.sharpening import entropies_along
from attn_tui.ui.charts import plot
from attn_tui.ui.charts.temperature_axis import decades, exponents, tick_labels
from attn_tui.ui.lines import Glyphs, Piece


def entropy_curve(
    reading: Reading, width: int, height: int, glyphs: Glyphs, inks: Mapping[int, Style]
) -> list[list[Piece]]:
    """The chart's lines; none where there is no distribution, and no curve to draw of it."""
    if not reading.is_sound or reading.entropy is None or reading.entropy_max is None:
        return []
    entropy, highest = reading.entropy, reading.entropy_max
    axis = decades(reading, width)
    along = exponents(reading, axis, max(24, width // 2))
    entropies = entropies_along(reading.unrounded, reading.inputs.temperature, 10.0**along)
    here = math.log10(reading.inputs.temperature)

    def describe(plotext: ModuleType) -> None:
        """The curve, and a dot at the current temperature."""
        plotext.plot(along.tolist(), entropies.tolist(), marker=glyphs.line, color=plot.CURVE)
        plotext.scatter([here], [entropy], marker=glyphs.dot, color=plot.MARK)
        plotext.xlim(axis[0], axis[-1])
        plotext.ylim(0.0, max(highest, 1e-9))
        plotext.xticks(axis, tick_labels(axis))
        plotext.yticks([0.0, highest], ["0", f"{highest:.2f}"])

    return plot.chart(width, height, glyphs, inks, describe)
