"""plotext, asked for text and taken apart into styled pieces.

plotext is imported after the first paint, so every chart has a form without it. It is given finite numbers inside its
limits only: it raises on infinities and can hang on a point far outside.
"""

import importlib
import re
from collections.abc import Callable, Mapping
from types import ModuleType

from rich.style import Style

from attn_tui.ui.lines import ASCII, Glyphs, Piece

AXIS, CURVE, MARK, GHOST = 8, 4, 1, 2
"""Colour codes in plotext's 256: told apart when its text is taken apart, never sent to a terminal."""

_CODES = re.compile(r"\x1b\[([0-9;]*)m")
_BOX_TO_ASCII = str.maketrans("┌┐└┘├┤┬┴┼─│", "+++++++++-|")

_loaded: list[ModuleType] = []


def load() -> None:
    """Import plotext, once."""
    if not _loaded:
        _loaded.append(importlib.import_module("plotext"))


def is_loaded() -> bool:
    """Whether charts can be drawn already."""
    return bool(_loaded)


def chart(
    width: int, height: int, glyphs: Glyphs, inks: Mapping[int, Style], describe: Callable[[ModuleType], None]
) -> list[list[Piece]]:
    """The lines of a chart of just this size; `describe` tells plotext what is in it. Empty until it is loaded."""
    if not _loaded or width < 1 or height < 1:
        return []
    plotext = _loaded[0]
    plotext.clear_data()
    plotext.frame(True)
    plotext.limit_size(False, False)
    plotext.plot_size(width, height)
    plotext.canvas_color("default")
    plotext.axes_color("default")
    plotext.ticks_color(AXIS)
    describe(plotext)
    lines = str(plotext.build()).split("\n")[:height]
    return [_pieces(line.translate(_BOX_TO_ASCII) if glyphs is ASCII else line, inks) for line in lines]


def one_line_each(plotext: ModuleType, rows: int) -> None:
    """Have places 1 to `rows` fall on the middle of a line each: with other limits a bar can cover two lines."""
    plotext.ylim(1.0, max(rows, 2.0) if rows > 1 else 1.5)


def _pieces(line: str, inks: Mapping[int, Style]) -> list[Piece]:
    """A line of plotext's, with the theme's styles in place of its colours."""
    pieces: list[Piece] = []
    ink, begin = inks[AXIS], 0
    for code in _CODES.finditer(line):
        if code.start() > begin:
            pieces.append((line[begin : code.start()], ink))
        begin = code.end()
        ink = _ink(code.group(1), ink, inks)
    if begin < len(line):
        pieces.append((line[begin:], ink))
    return pieces


def _ink(code: str, ink: Style, inks: Mapping[int, Style]) -> Style:
    """The style after a colour code: another one for a foreground, the axis' after a reset."""
    if code.startswith("38;5;"):
        return inks.get(int(code[5:]), inks[AXIS])
    return inks[AXIS] if code in {"", "0"} else ink
