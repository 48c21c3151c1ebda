"""What heat maps share: shades of weights, the part of a map that is in sight, and words in lines."""

import math
from collections.abc import Iterable
from dataclasses import dataclass
from itertools import groupby

import numpy as np
from numpy.typing import NDArray
from rich.cells import cell_len
from rich.style import Style

from attn_tui.core.arrays import BoolArray, FloatArray
from attn_tui.model.figures import short
from attn_tui.ui.lines import Glyphs, Piece

HIDDEN, BROKEN, CURSOR = 5, 6, 7
"""What a cell may be beside a shade 0 to 4: masked, nan, under the cursor."""
INKS = ("dim", "heat-1", "heat-2", "heat-3", "heat-4", "dim", "error", "cursor")
"""The inks of all these."""
_FRAME = 6
"""Cells of a frame's line, as long as what is in it, that its words cannot have."""
_ROUNDING = 1.0 - 1e-9
"""Equal shares count as such though their sums are rounded."""


@dataclass(frozen=True)
class Span:
    """The part of a row of things that is in sight."""

    first: int = 0
    count: int = 0

    @property
    def range(self) -> range:
        """Which of them."""
        return range(self.first, self.first + self.count)

    def around(self, wanted: int, room: int, total: int) -> "Span":
        """Moved as little as it takes to see one of them, and no further than there is something to see."""
        count = max(1, min(room, total))
        first = min(max(self.first, wanted - count + 1), wanted)
        return Span(max(0, min(first, total - count)), count)

    def said(self, what: str, total: int) -> str:
        """Which of them are in sight, in words; empty if all are."""
        return "" if self.count >= total else f"{what} {self.first}-{self.first + self.count - 1} of {total}"


def thresholds(keys: int) -> tuple[float, ...]:
    """From which weights on the four shades begin: from the equal share 1/T in even ratios up towards 1.

    Rounded down to two digits, so that the legend says just where they are.
    """
    return tuple(_two_digits(keys ** (step / 4.0 - 1.0)) for step in range(4))


def _two_digits(number: float) -> float:
    """The number rounded down to two significant digits."""
    unit = 10.0 ** (math.floor(math.log10(number)) - 1)
    return float(f"{math.floor(number / unit + 1e-9) * unit:.2g}")


def legend(keys: int, glyphs: Glyphs) -> str:
    """From how many percent on each shade stands, as short as it goes."""
    pairs = zip(glyphs.ramp[1:], thresholds(keys), strict=True)
    return " ".join(glyph + short(100.0 * threshold, 3).removeprefix("0") for glyph, threshold in pairs) + "%"


def shades(weights: FloatArray, attended: BoolArray, keys: int) -> NDArray[np.intp]:
    """What each cell is, a shade, hidden or broken: (n,), (n,) -> (n,)."""
    levels = np.searchsorted(np.array(thresholds(keys)) * _ROUNDING, weights, side="right")
    return np.where(attended, np.where(np.isnan(weights), BROKEN, levels), HIDDEN)


def shade_of(part: float) -> int:
    """The shade of a part of 1, in even steps; `BROKEN` if it is nan."""
    return BROKEN if math.isnan(part) else max(0, min(4, int(part * 5.0)))


def glyph_of(code: int, glyphs: Glyphs) -> str:
    """The character of a shade, or of what is hidden or broken."""
    return (glyphs.ramp + glyphs.hidden + "!+")[code]


def cell_pieces(codes: Iterable[int], cell: int, glyphs: Glyphs, inks: dict[int, Style]) -> list[Piece]:
    """The cells of a row, `cell` characters each, put together where they are alike."""
    pieces: list[Piece] = []
    for code, alike in groupby(codes):
        text = "[]" if code == CURSOR and cell == 2 else glyph_of(code, glyphs) * cell
        pieces.append((text * len(list(alike)), inks[code]))
    return pieces


def in_frame(parts: Iterable[str], width: int) -> str:
    """As many of the parts as the frame has room for, whole; `width` is that of what is in the frame."""
    said = ""
    for part in parts:
        longer = f"{said}  {part}" if said and part else said or part
        if cell_len(longer) <= width - _FRAME:
            said = longer
    return said


def flow(phrases: Iterable[Piece], width: int) -> list[list[Piece]]:
    """Phrases in lines of at most this width, a blank before them and two between; none is parted unless it has to be.

    A phrase longer than a line is parted at its blanks.
    """
    lines: list[list[Piece]] = []
    used = width
    for phrase, ink in phrases:
        fits, gap = cell_len(phrase) < width, 2
        used = used if fits else width
        for part in [phrase] if fits else phrase.split():
            length = cell_len(part)
            if used + gap + length > width:
                lines.append([(" " + part, ink)])
                used = 1 + length
            else:
                lines[-1].append((" " * gap + part, ink))
                used += gap + length
            gap = 1
    return lines
