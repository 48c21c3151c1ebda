"""Signed numbers as plotext bars to both sides of a line."""

import math
from collections.abc import Mapping, Sequence
from types import ModuleType

from rich.style import Style

from attn_tui.ui.charts import plot
from attn_tui.ui.lines import Glyphs, Piece


def signed_bars(numbers: Sequence[float], width: int, glyphs: Glyphs, inks: Mapping[int, Style]) -> list[list[Piece]]:
    """One line for each number, 0 in the middle and the largest filling its side; none for what is not finite."""
    finite = [abs(number) for number in numbers if math.isfinite(number)]
    largest = max(finite, default=0.0)
    if not numbers or largest == 0.0:
        return []
    rows, half = len(numbers), width / 2.0
    parts = [number / largest if math.isfinite(number) else 0.0 for number in numbers]
    drawn = [(rows - i, part) for i, part in enumerate(parts) if abs(part) * half >= 0.5]

    def describe(plotext: ModuleType) -> None:
        """The bars, the first at the top."""
        places, lengths = zip(*drawn, strict=True)
        plotext.bar(places, lengths, orientation="h", width=0.1, color=plot.CURVE, marker=glyphs.full)
        plotext.frame(False)
        plotext.xlim(-1.0, 1.0)
        plot.one_line_each(plotext, rows)
        plotext.xticks([], [])
        plotext.yticks([], [])

    return plot.chart(width, rows, glyphs, inks, describe)
