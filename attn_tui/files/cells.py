"""Lines of a table cut into cells, without a list of them: a line may be very long."""

import re
from collections.abc import Iterator
from typing import NamedTuple


class Cell(NamedTuple):
    """What stands in a cell, where it begins in the text, and whether it stood in quotes."""

    text: str
    offset: int
    quoted: bool


_PIECE = re.compile(r"\S++")

_BLANK_CELL = re.compile(r'\s*+(?:"(?P<quoted>(?:[^"]|"")*+)"(?=\s|$)|(?P<plain>\S++))')


def _cell_pattern(separators: str) -> re.Pattern[str]:
    """A cell, in quotes or not, and the separator after it."""
    blank = rf"[^\S{separators}]*+"
    return re.compile(
        rf'{blank}(?:"(?P<quoted>(?:[^"]|"")*+)"{blank}(?=[{separators}]|\Z)|(?P<plain>[^{separators}]*+))'
        rf"(?P<end>[{separators}]|\Z)"
    )


_PATTERNS = {separators: _cell_pattern(separators) for separators in (",", ";", "\t", "|│┃")}

PIPES = "|│┃"


def cells(line: str, offset: int, separators: str) -> Iterator[Cell]:
    """The cells of a line that begins at `offset`: between blanks for '', else between separators; may be ''."""
    if not separators:
        yield from _blank_cells(line, offset)
        return
    pattern = _PATTERNS[separators]
    position = len(line) - len(line.lstrip()) if separators == PIPES else 0
    position += separators == PIPES and line[position : position + 1] in PIPES
    while match := pattern.match(line, position):
        quoted = match.group("quoted")
        kind = "plain" if quoted is None else "quoted"
        yield Cell(_unquoted(match.group(kind), kind), offset + match.start(kind), quoted is not None)
        position = match.end()
        if not match.group("end"):
            return


def pieces(cell: Cell) -> Iterator[Cell]:
    """What stands between the blanks of a cell; a cell in quotes is one piece."""
    if cell.quoted:
        yield cell
        return
    for match in _PIECE.finditer(cell.text):
        yield Cell(match.group(), cell.offset + match.start(), quoted=False)


def _blank_cells(line: str, offset: int) -> Iterator[Cell]:
    """The cells between blanks."""
    for match in _BLANK_CELL.finditer(line):
        quoted = match.group("quoted")
        kind = "plain" if quoted is None else "quoted"
        yield Cell(_unquoted(match.group(kind), kind), offset + match.start(kind), quoted is not None)


def _unquoted(text: str, kind: str) -> str:
    """The text of a cell; in quotes a doubled quote is one."""
    return text.replace('""', '"') if kind == "quoted" else text.rstrip()
