"""The spreadsheet: the query above the keys, label column and query row frozen, drawn line by line.

Only what can be seen is drawn, so that ten or ten thousand keys cost the same.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass

from rich.cells import cell_len
from textual.geometry import Offset

from attn_tui.files.visible import visible
from attn_tui.model.figures import figure
from attn_tui.model.scene import QUERY, Cell, Scene
from attn_tui.ui.lines import Piece, fit
from attn_tui.ui.pane import Pane
from attn_tui.ui.pen import PEN_WIDTH
from attn_tui.ui.shown import Shown

HEADER_LINES = 3
"""Column heads, the query and the output, blank without values, stay while the keys scroll."""
_LABEL_WIDTHS = range(3, 11)
"""Cells that the labels may take."""


@dataclass(frozen=True)
class Window:
    """The part of the spreadsheet that can be seen."""

    top: int = 0
    """First key."""
    left: int = 0
    """First column."""
    rows: int = 0
    columns: int = 0
    label_width: int = 3

    def around(self, cell: Cell, scene: Scene) -> "Window":
        """The window moved as little as it takes to see a cell, and no further than there is something to see."""
        top = self.top if cell.row == QUERY else _moved(self.top, self.rows, cell.row)
        left = _moved(self.left, self.columns, cell.column)
        return Window(
            max(0, min(top, scene.count - self.rows)),
            max(0, min(left, scene.columns - self.columns)),
            self.rows,
            self.columns,
            self.label_width,
        )

    def place(self, cell: Cell) -> Offset:
        """Where a cell begins, from the corner of the window."""
        y = 1 if cell.row == QUERY else HEADER_LINES + cell.row - self.top
        return Offset(1 + self.label_width + (cell.column - self.left) * PEN_WIDTH, y)


class Grid(Pane):
    """The editor's pane."""

    def __init__(self) -> None:
        super().__init__(id="grid")
        self.window = Window()
        self._labels: tuple[str, tuple[str, ...]] = "", ()
        self._label_width = _LABEL_WIDTHS.start

    def draw(self, shown: Shown, width: int, height: int) -> Sequence[Sequence[Piece]]:
        """Column heads, the query, the output, and the keys from the window's top on."""
        scene = shown.scene
        if scene.query_label != self._labels[0] or scene.labels is not self._labels[1]:
            self._labels, self._label_width = (scene.query_label, scene.labels), _label_width(scene)
        label_width = self._label_width
        columns = max(1, (width - 1 - label_width) // PEN_WIDTH)
        size = Window(self.window.top, self.window.left, max(1, height - HEADER_LINES), columns, label_width)
        self.window = size.around(shown.cursor, scene)
        self.name_frame(*self._position(scene))
        keys = range(self.window.top, min(scene.count, self.window.top + self.window.rows))
        return [
            self._heads(shown),
            self._row(shown, QUERY),
            self._output(shown),
            *(self._row(shown, key) for key in keys),
        ]

    def place(self, cell: Cell) -> Offset:
        """Where a cell is on the screen."""
        return self.content_region.offset + self.window.place(cell)

    @property
    def page(self) -> int:
        """How many keys can be seen at once."""
        return max(1, self.window.rows)

    def _visible_columns(self, scene: Scene) -> range:
        """The columns of the window."""
        return range(self.window.left, min(scene.columns, self.window.left + self.window.columns))

    def _heads(self, shown: Shown) -> list[Piece]:
        """The columns' names."""
        pieces = [(" " * (1 + self.window.label_width), self.ink("dim"))]
        for column in self._visible_columns(shown.scene):
            of_value = column - shown.scene.head_size
            name = f"d{column}" if of_value < 0 else f"v{of_value}"
            ink = "strong" if column == shown.cursor.column else "dim"
            pieces.append((name.rjust(PEN_WIDTH), self.ink(ink)))
        return pieces

    def _row(self, shown: Shown, row: int) -> list[Piece]:
        """The query or a key: its mark and label, then its numbers."""
        scene = shown.scene
        masked = row != QUERY and not scene.mask[row]
        ink = self.ink("cursor-row" if row == shown.cursor.row else "dim" if masked else "text")
        label = fit(visible(scene.row_label(row)), self.window.label_width, self.glyphs)
        pieces = [("x" if masked else " ", ink), (label, ink)]
        for column in self._visible_columns(scene):
            cell = Cell(row, column)
            if scene.holds(cell):
                number = scene.component(cell)
                number_ink = ink if math.isfinite(number) else self.ink("error")
                pieces.append((figure(number, PEN_WIDTH - 1).rjust(PEN_WIDTH), number_ink))
        return pieces

    def _output(self, shown: Shown) -> list[Piece]:
        """The output under the heads of the values' columns, where one of those can be seen."""
        scene, output = shown.scene, shown.reading.output
        columns = self._visible_columns(scene)
        if output is None or columns.stop <= scene.head_size:
            return []
        pieces = [(fit(" out", 1 + self.window.label_width, self.glyphs), self.ink("dim"))]
        for column in columns:
            number = "" if column < scene.head_size else figure(float(output[column - scene.head_size]), PEN_WIDTH - 1)
            pieces.append((number.rjust(PEN_WIDTH), self.ink("strong")))
        return pieces

    def _position(self, scene: Scene) -> tuple[str, str]:
        """What the frame says above and below: which columns and keys can be seen, where that is not all."""
        window, title, subtitle = self.window, "Vectors", ""
        if window.columns < scene.columns:
            last = min(scene.columns, window.left + window.columns) - 1
            title += f", columns {window.left}-{last} of {scene.columns}"
        if window.rows < scene.count:
            subtitle = f"keys {window.top}-{window.top + window.rows - 1} of {scene.count}"
        return title, subtitle


def _label_width(scene: Scene) -> int:
    """Cells for the label column: the longest label's, within bounds; the first and last thousand stand for all."""
    labels = (scene.query_label, *scene.labels[:1000], *scene.labels[-1000:])
    longest = max(cell_len(visible(label)) for label in labels)
    return min(max(longest, _LABEL_WIDTHS.start), _LABEL_WIDTHS.stop - 1)


def _moved(first: int, count: int, wanted: int) -> int:
    """The first of `count` in sight, moved so that the wanted one is among them."""
    return min(max(first, wanted - count + 1), wanted)
