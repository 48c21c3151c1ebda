"""What grows with the head size, on log axes, with the scene's own head size marked by a dot."""

import math
from collections.abc import Mapping, Sequence
from types import ModuleType

from rich.style import Style

from attn_tui.core.head_size import HEAD_SIZES, HeadSize
from attn_tui.ui.charts import plot
from attn_tui.ui.lines import Glyphs, Piece

_LABEL = 3
"""Cells for the numbers at the left, so that charts stand exactly above each other."""
_CELLS_PER_LABEL = 6
_ROOM_FOR_THREE = 4
"""Lines from which on three numbers at the left have a line each; which of two in one line stays is up to chance."""


def spread_chart(
    found: Sequence[HeadSize], own: int, width: int, height: int, glyphs: Glyphs, inks: Mapping[int, Style]
) -> list[list[Piece]]:
    """The spread of q.k as points over the line sqrt(hs), both axes logarithmic, without numbers below."""
    spreads = [math.log2(size.spread) for size in found]
    last = _last_power(own)
    low, high = min([0.0, *spreads]), max([last / 2.0, *spreads])
    powers = (0, 3, 6) if height >= _ROOM_FOR_THREE else (0, 6)

    def describe(plotext: ModuleType) -> None:
        """The line, the points on it or beside it, and the dot."""
        plotext.plot([0.0, last], [0.0, last / 2.0], marker=glyphs.line, color=plot.CURVE)
        _points(plotext, found, spreads)
        _dot(plotext, found, spreads, own, glyphs)
        _axes(plotext, last, width, numbered=False)
        plotext.ylim(low, high)
        plotext.yticks(powers, [f"{2**power}".rjust(_LABEL) for power in powers])

    return plot.chart(width, height, glyphs, inks, describe)


def entropy_chart(
    found: Sequence[HeadSize], own: int, width: int, height: int, glyphs: Glyphs, inks: Mapping[int, Style]
) -> list[list[Piece]]:
    """The entropy as a part of ln T against the head size: points raw, a line scaled."""
    raw = [size.raw.entropy_ratio for size in found]
    scaled = [size.scaled.entropy_ratio for size in found]
    last = _last_power(own)

    def describe(plotext: ModuleType) -> None:
        """The line, the points, and a dot on each."""
        if found:
            plotext.plot(_powers(found), scaled, marker=glyphs.line, color=plot.CURVE)
        _points(plotext, found, raw)
        _dot(plotext, found, raw, own, glyphs)
        _dot(plotext, found, scaled, own, glyphs)
        _axes(plotext, last, width, numbered=True)
        plotext.ylim(0.0, 1.0)
        plotext.yticks([0.0, 0.5, 1.0], [label.rjust(_LABEL) for label in ("0", ".5", "1")])

    return plot.chart(width, height, glyphs, inks, describe)


def _points(plotext: ModuleType, found: Sequence[HeadSize], heights: Sequence[float]) -> None:
    """A cross for each head size; plotext needs at least one point, so an empty chart has a blank."""
    if found:
        plotext.scatter(_powers(found), heights, marker="x", color=plot.AXIS)
    else:
        plotext.scatter([0.0], [0.0], marker=" ", color=plot.AXIS)


def _dot(plotext: ModuleType, found: Sequence[HeadSize], heights: Sequence[float], own: int, glyphs: Glyphs) -> None:
    """The scene's own head size, once it is there."""
    for size, height in zip(found, heights, strict=True):
        if size.head_size == own:
            plotext.scatter([math.log2(own)], [height], marker=glyphs.dot, color=plot.MARK)


def _axes(plotext: ModuleType, last: float, width: int, *, numbered: bool) -> None:
    """Log axes that are open above and to the right; as many head sizes below as there is room for."""
    every = next(every for every in (2, 3, 4, 6, 12) if (12 // every + 1) * _CELLS_PER_LABEL <= width or every == 12)
    powers = list(range(0, 13, every))
    plotext.xaxes(True, False)
    plotext.yaxes(True, False)
    plotext.xlim(0.0, last)
    plotext.xticks(powers if numbered else [], [f"{2**power}" for power in powers] if numbered else [])


def _powers(found: Sequence[HeadSize]) -> list[float]:
    """The places of head sizes on the log axis."""
    return [math.log2(size.head_size) for size in found]


def _last_power(own: int) -> float:
    """Where the log axis ends."""
    return max(math.log2(HEAD_SIZES[-1]), math.log2(own))
