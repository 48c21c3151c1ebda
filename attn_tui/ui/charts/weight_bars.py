"""Weights as plotext bars, one line for each key, over an axis from 0 to 1."""

from collections.abc import Mapping, Sequence
from types import ModuleType

from rich.style import Style

from attn_tui.ui.charts import plot
from attn_tui.ui.lines import Glyphs, Piece

_TICKS = (0.0, 0.25, 0.5, 0.75, 1.0)


def weight_bars(
    weights: Sequence[float],
    width: int,
    glyphs: Glyphs,
    inks: Mapping[int, Style],
    ghosts: Sequence[float] = (),
) -> list[list[Piece]]:
    """One line for each weight and one for the axis; a weight that fills less than half a cell has no bar.

    plotext would paint a whole cell for it, and silently overlaps bars when there are more of them than lines. Ghosts
    are other weights of the same keys, drawn behind.
    """
    rows = len(weights)

    def describe(plotext: ModuleType) -> None:
        """The ghosts, then the bars, the first key at the top."""
        for lengths, marker, color in ((ghosts, glyphs.empty, plot.GHOST), (weights, glyphs.full, plot.CURVE)):
            drawn = [(rows - i, length) for i, length in enumerate(lengths) if length * width >= 0.5]
            if drawn:
                plotext.bar(*zip(*drawn, strict=True), orientation="h", width=0.1, color=color, marker=marker)
        if not any(length * width >= 0.5 for length in (*ghosts, *weights)):
            plotext.scatter([0.0], [1.0], marker=" ", color=plot.CURVE)
        plotext.frame(False)
        plotext.xlim(0.0, 1.0)
        plot.one_line_each(plotext, rows)
        plotext.yticks([], [])
        plotext.xticks(_TICKS, [f"{tick:g}" for tick in _TICKS])

    return plot.chart(width, rows + 1, glyphs, inks, describe)
