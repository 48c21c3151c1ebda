"""Weights as plotext bars, one line for each key, over an axis from 0 to 1."""

from collections.abc import Mapping, Sequence
from types import ModuleType

from rich.style import Style

from attn_tui.ui.charts import plot
from attn_tui.ui.lines import Glyphs, Piece

_TICKS = (0.0, 0.25, 0.5, 0.75, 1.0)


def weight_bars(weights: Sequence[float], width: int, glyphs: Glyphs, inks: Mapping[int, Style]) -> list[list[Piece]]:
    """One line for each weight and one for the axis; a weight that fills less than half a cell has no bar.

    plotext would paint a whole cell for it, and silently overlaps bars when there are more of them than lines.
    """
    rows = len(weights)
    drawn = [(rows - i, weight) for i, weight in enumerate(weights) if weight * width >= 0.5]

    def describe(plotext: ModuleType) -> None:
        """The bars, the first at the top."""
        if drawn:
            places, lengths = zip(*drawn, strict=True)
            plotext.bar(places, lengths, orientation="h", width=0.1, color=plot.CURVE, marker=glyphs.full)
        else:
            plotext.scatter([0.0], [1.0], marker=" ", color=plot.CURVE)
        plotext.frame(False)
        plotext.xlim(0.0, 1.0)
        plotext.ylim(0.5, rows + 0.5)
        plotext.yticks([], [])
        plotext.xticks(_TICKS, [f"{tick:g}" for tick in _TICKS])

    return plot.chart(width, rows + 1, glyphs, inks, describe)
