"""View 6, Matrix: all queries of a head as a heat map, the entropy of every row, and a cell in words."""

from dataclasses import dataclass
from typing import ClassVar

from rich.cells import cell_len
from rich.style import Style

from attn_tui.core.diagnosis import spoken
from attn_tui.files.visible import visible
from attn_tui.model.figures import figure
from attn_tui.model.heads import with_row
from attn_tui.model.matrix import Matrix, Row
from attn_tui.ui.fields import Desk
from attn_tui.ui.lines import Piece, fit
from attn_tui.ui.shown import Shown
from attn_tui.ui.views.heat import CURSOR, INKS, Span, cell_pieces, flow, in_frame, legend, shades
from attn_tui.ui.views.matrix_words import words
from attn_tui.ui.views.view import Lines, View

_MARKS = 4
"""Cells of a line that are neither label, map nor figure: two marks, a blank and the strip."""
_FIGURE = 7
"""Cells for a row's entropy as a number, a blank before it included."""
_LABELS = (3, 10)
"""The fewest and the most cells that labels get."""
_LEAST_ROWS = 3
"""Rows that are shown however much there is to say."""
_TALLEST_HEADS = 8
"""Lines that the names of the columns may take."""


@dataclass(frozen=True)
class _Layout:
    """How a line is divided."""

    label: int
    """Cells for the row's label."""
    cell: int
    """Cells for each key, one or two."""
    columns: Span
    has_figures: bool
    """Whether there is room for the entropies as numbers."""

    @property
    def map_x(self) -> int:
        """Where the map begins, after the query's mark, the label and the cursor's mark."""
        return self.label + 2

    @property
    def strip_x(self) -> int:
        """Where the strip of entropies is."""
        return self.map_x + self.cell * self.columns.count + 1


class MatrixView(View):
    """Rows are queries, columns are keys; only what is in sight is drawn, and only rows in sight are computed."""

    has_cursor: ClassVar[bool] = True

    def __init__(self, desk: Desk) -> None:
        super().__init__(desk)
        self._matrix: Matrix | None = None
        self._row = self._column = 0
        self._rows = self._columns = Span()
        self._longest = _LABELS[0]
        """Cells of the longest label, the first and the last few hundred standing for all."""
        self._subtitle = ""
        self._word_lines = (0, 0)
        """How many lines the words take, and for which width."""

    def title(self, shown: Shown) -> str:
        """Which head it is, and what the mask is."""
        source = shown.scene.source
        head = source.dump.head_name(source.indices) if source is not None and source.dump is not None else ""
        return " ".join(part for part in ("Matrix", head, "causal" if shown.options.causal else "") if part)

    def subtitle(self) -> str:
        """Which rows and keys are in sight, and what the shades mean."""
        return self._subtitle

    def draw(self, shown: Shown, width: int, height: int) -> Lines:
        """The names of the columns, the map, and the words."""
        matrix = self._follow(shown)
        said = self._said(matrix, shown, width)[: max(0, height - _LEAST_ROWS - 1)]
        layout = self._layout(matrix, width)
        room = height - len(said) - 1
        self._columns, self._rows = layout.columns, self._rows.around(self._row, room, matrix.count)
        self._subtitle = self._position(matrix, width)
        inks = {code: self.ink(name) for code, name in enumerate(INKS)}
        return [
            *self._names(matrix, layout, min(_TALLEST_HEADS, room - matrix.count)),
            self._pointer(matrix, layout),
            *(self._line(matrix, row, layout, inks) for row in self._rows.range),
            *said,
        ]

    def move(self, rows: int, columns: int) -> None:
        """Go to another cell."""
        if self._matrix is not None:
            self._row, self._column = self._row + rows, self._column + columns
            self._stay_inside(self._matrix)
            self.desk.present()

    def enter(self) -> None:
        """Make the row under the cursor the query."""
        matrix = self._matrix
        if matrix is None or matrix.count == 1:
            self.desk.say(
                "this scene has one query: open a model's head to choose another (f for a file, : for the examples)"
            )
            return
        name = visible(spoken(matrix.labels[self._row]))
        if self._row == matrix.own:
            self.desk.say(f"{name} is the query already")
            return
        self.desk.open(with_row(self.desk.current, self._row), f"query {name}")
        beyond = "; the causal mask is the matrix's own" if matrix.causal else ""
        self.desk.say(f"{name} is the query now, with the keys as they are{beyond}")

    def _follow(self, shown: Shown) -> Matrix:
        """The matrix of what is shown; the cursor goes where the query is when that is another one."""
        old = self._matrix
        if old is not None and old.scene is shown.scene and old.causal == shown.options.causal:
            return old
        matrix = self._matrix = Matrix(shown.scene, causal=shown.options.causal)
        if old is None or (_dump(old), old.causal) != (_dump(matrix), matrix.causal):
            self._word_lines = (0, 0)
        if old is None or _dump(old) is not _dump(matrix):
            self._column = next(iter(matrix.row(matrix.own).heaviest(1)), 0)
        if old is None or (_dump(old), old.own, old.count) != (_dump(matrix), matrix.own, matrix.count):
            self._row = matrix.own
        labels = (*matrix.labels[:200], *matrix.labels[-200:])
        self._longest = min(_LABELS[1], max(_LABELS[0], *(cell_len(visible(label)) for label in labels)))
        self._stay_inside(matrix)
        return matrix

    def _stay_inside(self, matrix: Matrix) -> None:
        """Put the cursor onto the nearest cell there is."""
        self._row = max(0, min(self._row, matrix.count - 1))
        self._column = max(0, min(self._column, matrix.scene.count - 1))

    def _said(self, matrix: Matrix, shown: Shown, width: int) -> list[list[Piece]]:
        """The words, in as many lines as they have taken for any cell so far, so that the map keeps its size."""
        phrases = words(matrix, self._row, self._column, self.glyphs, width)
        lines = flow([(text, self.ink(ink)) for text, ink in phrases], width)
        before = self._word_lines[0] if self._word_lines[1] == width else 0
        self._word_lines = (max(before, len(lines)), width)
        return [*lines, *([] for _ in range(self._word_lines[0] - len(lines)))]

    def _layout(self, matrix: Matrix, width: int) -> _Layout:
        """Two characters a key where all keys fit so, else one; labels get what is left."""
        keys, longest = matrix.scene.count, self._longest
        for cell in (2, 1):
            label = min(longest, width - _MARKS - cell * keys)
            if label >= min(longest, 6):
                spare = width - _MARKS - cell * keys - label
                return _Layout(label, cell, Span(0, keys), spare >= _FIGURE)
        label = min(longest, max(_LABELS[0], width // 4))
        has_figures = width >= 8 * _FIGURE
        room = width - _MARKS - label - (_FIGURE if has_figures else 0)
        return _Layout(label, 1, self._columns.around(self._column, room, keys), has_figures)

    def _position(self, matrix: Matrix, width: int) -> str:
        """Which part is in sight, and the legend, as much of it as fits into the frame."""
        keys = matrix.scene.count
        rows, columns = self._rows.said("rows", matrix.count), self._columns.said("keys", keys)
        return in_frame((rows, legend(keys, self.glyphs), columns), width)

    def _names(self, matrix: Matrix, layout: _Layout, room: int) -> list[list[Piece]]:
        """The columns' names, a letter a line, where there are lines to spare."""
        labels = [visible(matrix.scene.labels[key])[:room] for key in layout.columns.range] if room >= 3 else []
        height = max((len(label) for label in labels), default=0)
        lines: list[list[Piece]] = []
        for y in range(height):
            line = [(" " * layout.map_x, self.ink("dim"))]
            for key, label in zip(layout.columns.range, labels, strict=True):
                letter = label.rjust(height)[y]
                ink = "cursor-row" if key == self._column else "dim"
                line.append((fit(letter, layout.cell, self.glyphs), self.ink(ink)))
            lines.append(line)
        return lines

    def _pointer(self, matrix: Matrix, layout: _Layout) -> list[Piece]:
        """A line that points at the column under the cursor and names it, on the side where there is room."""
        x = layout.map_x + (self._column - layout.columns.first) * layout.cell
        name, down = visible(matrix.scene.labels[self._column]), self.glyphs.down
        room = layout.strip_x - x - 3
        if cell_len(name) <= room:
            text = " " * x + f"{down} {fit(name, room, self.glyphs)}"
        else:
            name = fit(name, min(x - 1, cell_len(name)), self.glyphs)
            text = " " * (x - 1 - cell_len(name)) + f"{name} {down}"
        heading = "H nats".rjust(_FIGURE + 1) if layout.has_figures else "H"
        return [(fit(text, layout.strip_x, self.glyphs), self.ink("cursor-row")), (heading, self.ink("dim"))]

    def _line(self, matrix: Matrix, index: int, layout: _Layout, inks: dict[int, Style]) -> list[Piece]:
        """One row: marks and label, the cells in sight, and the entropy."""
        row, here = matrix.row(index), index == self._row
        seen = slice(layout.columns.first, layout.columns.first + layout.columns.count)
        codes = shades(row.weights[seen], row.attended[seen], matrix.scene.count).tolist()
        if here:
            codes[self._column - layout.columns.first] = CURSOR
        ink = self.ink("cursor-row" if here else "text" if row.is_sound else "error")
        mark = self.glyphs.here if index == matrix.own else " "
        label = fit(visible(matrix.labels[index]), layout.label, self.glyphs)
        return [
            (f"{mark}{label}{self.glyphs.right if here else ' '}", ink),
            *cell_pieces(codes, layout.cell, self.glyphs, inks),
            *self._entropy(row, layout),
        ]

    def _entropy(self, row: Row, layout: _Layout) -> list[Piece]:
        """A row's entropy as a part of ln n, one cell high, and as a number where there is room."""
        ink = self.ink("bar" if row.is_sound else "error")
        number = figure(row.entropy, _FIGURE - 1) if row.keys else "no key"
        text = number.rjust(_FIGURE) if layout.has_figures else ""
        if not row.is_sound:
            return [(f" {'!' if row.keys else self.glyphs.hidden}{text}", ink)]
        levels = self.glyphs.levels
        level = levels[min(len(levels) - 1, int(row.entropy_ratio * len(levels)))]
        return [(f" {level}", ink), (text, self.ink("text"))]


def _dump(matrix: Matrix) -> object:
    """The dump that a matrix is of."""
    return None if matrix.scene.source is None else matrix.scene.source.dump
