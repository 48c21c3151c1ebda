"""The numbers of the head sizes as lines of text: all that was found for one, and a row for each."""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from attn_tui.core.head_size import HeadSize, Weighing
from attn_tui.model.figures import figure

OWN_WIDTH = 38
"""Cells that the numbers of one head size take side by side."""
LEAST_TABLE_WIDTH = 38
"""Cells that the table needs for the spread, the entropy and the peak."""
_MEASURES = (("H", 6), ("/ln n", 6), ("peak", 6), ("grad", 6), ("median", 7))
"""What is shown of one head size, and in how many cells."""


def own_lines(found: HeadSize | None, unknown: str) -> list[str]:
    """Heads, and a line each for raw and scaled scores; `unknown` stands for what is still being computed."""
    raw, scaled = _own_figures(found, unknown)
    lines = ["".join([" " * 7, *(title.rjust(width) for title, width in _MEASURES)])]
    for name, figures in (("raw", raw), ("scaled", scaled)):
        cells = (text.rjust(width) for text, (_, width) in zip(figures, _MEASURES, strict=True))
        lines.append("".join([f" {name}".ljust(7), *cells]))
    return lines


def own_stack(found: HeadSize | None, unknown: str) -> list[str]:
    """The same in twenty cells, one measure below the other, the spread above them and entropy / ln n last."""
    spread, root = (unknown, unknown) if found is None else (figure(found.spread), figure(math.sqrt(found.head_size)))
    raw, scaled = _own_figures(found, unknown)
    rows = [f" {_MEASURES[i][0]}".ljust(7) + raw[i].rjust(6) + scaled[i].rjust(7) for i in (0, 2, 3, 4, 1)]
    return [f" spread   {spread.rjust(10)}", f" sqrt(hs) {root.rjust(10)}", " " * 7 + "   raw scaled", *rows]


def _own_figures(found: HeadSize | None, unknown: str) -> tuple[list[str], list[str]]:
    """The measures, raw and scaled."""
    if found is None:
        return [unknown] * len(_MEASURES), [unknown] * len(_MEASURES)
    return _figures(found.raw), _figures(found.scaled)


def _figures(weighing: Weighing) -> list[str]:
    """The measures of one scale, in the order of `_MEASURES`."""
    means = (weighing.entropy, weighing.entropy_ratio, weighing.peak, weighing.gradient)
    return [*(figure(mean, 5, 3) for mean in means), figure(weighing.median_gradient, 6)]


def words(found: HeadSize, *, short: bool) -> str:
    """What the scale does to the peak."""
    size, raw, scaled = found.head_size, figure(found.raw.peak, 5, 3), figure(found.scaled.peak, 5, 3)
    if short:
        return f"peak at hs {size}: {raw}, scaled {scaled}"
    return f"without the scale the peak at hs {size} is {raw}; with 1/sqrt(hs) it is {scaled}"


def more_words(found: HeadSize) -> str:
    """What the scale does to the gradient of most draws."""
    raw, scaled = figure(found.raw.median_gradient, 7), figure(found.scaled.median_gradient, 7)
    return f"there half of all gradients are below {raw}; with 1/sqrt(hs), {scaled}"


@dataclass(frozen=True)
class Column:
    """A column of the table: two heads, its width, and its number."""

    group: str
    title: str
    width: int
    figure: Callable[[HeadSize], str]


_COLUMNS = (
    Column("", "spread", 7, lambda found: figure(found.spread, 6, 3)),
    Column("", "sqrt", 7, lambda found: figure(math.sqrt(found.head_size), 6, 3)),
    Column("H", "raw", 6, lambda found: figure(found.raw.entropy, 5, 3)),
    Column("H", "scaled", 7, lambda found: figure(found.scaled.entropy, 5, 3)),
    Column("peak", "raw", 6, lambda found: figure(found.raw.peak, 5, 3)),
    Column("peak", "scaled", 7, lambda found: figure(found.scaled.peak, 5, 3)),
    Column("gradient", "raw", 8, lambda found: figure(found.raw.gradient, 7)),
    Column("gradient", "scaled", 8, lambda found: figure(found.scaled.gradient, 7)),
    Column("median", "raw", 8, lambda found: figure(found.raw.median_gradient, 7)),
    Column("median", "scaled", 8, lambda found: figure(found.scaled.median_gradient, 7)),
)
_DROPPED = ("sqrt", "median", "gradient", "peak", "H")
"""What goes first where there is no room."""


def table(found: Sequence[HeadSize], own: int, mark: str, width: int) -> list[tuple[str, bool]]:
    """Two heads and a row for each head size, in at most `width` cells; the scene's own has a mark, and is true."""
    digits = max(4, len(str(own)))
    columns = _that_fit(width - digits - 1)
    groups = "".join(_group(i, columns) for i in range(len(columns)))
    titles = "".join(column.title.rjust(column.width) for column in columns)
    lines = [(" " * (digits + 1) + groups, False), ("hs".rjust(digits + 1) + titles, False)]
    for size in found:
        is_own = size.head_size == own
        cells = "".join(column.figure(size).rjust(column.width) for column in columns)
        lines.append(((mark if is_own else " ") + str(size.head_size).rjust(digits) + cells, is_own))
    return lines


def _that_fit(width: int) -> tuple[Column, ...]:
    """As many columns as there is room for."""
    columns = _COLUMNS
    for dropped in _DROPPED:
        if sum(column.width for column in columns) <= width:
            break
        columns = tuple(column for column in columns if dropped not in (column.group, column.title))
    return columns


def _group(index: int, columns: Sequence[Column]) -> str:
    """The upper head of a column: the group's name over the first one of the group."""
    column = columns[index]
    is_first = index == 0 or columns[index - 1].group != column.group
    return (column.group if is_first else "").rjust(column.width)
