"""Lines of the screen: styled pieces of text put together to strips, and outside text made harmless."""

import textwrap
from collections.abc import Iterable
from dataclasses import dataclass
from typing import TypeAlias

from rich.cells import cell_len, chop_cells, set_cell_size
from rich.segment import Segment
from rich.style import Style
from textual.strip import Strip

from attn_tui.files.visible import visible

Piece: TypeAlias = tuple[str, Style]
"""A stretch of text in one style."""


@dataclass(frozen=True)
class Glyphs:
    """The characters that drawings are made of."""

    full: str
    empty: str
    ellipsis: str
    dot: str
    line: str
    """plotext's name for the marker of a curve."""
    rule: str
    edges: tuple[str, str]
    """A frame's upper and lower line: corner, line, corner."""
    side: str
    """A frame's left and right."""
    ramp: str
    """Shades of a heat map, from next to nothing to the most."""
    levels: str
    """Heights of something in one cell, from the least to the most."""
    hidden: str
    """What stands where a mask hides something."""
    down: str
    """Points at a column."""
    right: str
    """Points at a row."""
    here: str
    """Marks what is open among others."""


UNICODE = Glyphs("█", "░", "…", "●", "braille", "─", ("╭─╮", "╰─╯"), "│", " ░▒▓█", "▁▂▃▄▅▆▇█", "·", "▾", "▸", "●")
ASCII = Glyphs("#", ".", "~", "O", "*", "-", ("+-+", "+-+"), "|", " -=*#", "0123456789", ".", "v", ">", "@")


def strip(pieces: Iterable[Piece], width: int, blank: Style) -> Strip:
    """Pieces as one line of just this width, cut or filled up with blanks."""
    return Strip([Segment(text, style) for text, style in pieces if text]).adjust_cell_length(width, blank)


def wrapped(text: str, width: int) -> list[str]:
    """Text, made harmless, in lines of at most so many cells; no line for no text."""
    width = max(1, width)
    lines = textwrap.wrap(visible(text), width)
    return [piece for line in lines for piece in (chop_cells(line, width) if cell_len(line) > width else [line])]


def fit(text: str, width: int, glyphs: Glyphs) -> str:
    """Text in just this many cells, the end replaced by an ellipsis when it is too long."""
    if cell_len(text) <= width:
        return set_cell_size(text, width)
    return set_cell_size(text, max(0, width - 1)) + glyphs.ellipsis


def cut(text: str, width: int, glyphs: Glyphs) -> str:
    """Text in at most this many cells."""
    return fit(text, min(width, cell_len(text)), glyphs)
