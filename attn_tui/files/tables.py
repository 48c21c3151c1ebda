"""Arrays printed as lines: MATLAB, Octave, R, Julia, CSV, TSV, Markdown, and plain numbers."""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np

from attn_tui.files.calls import DTYPES, UNNAMING
from attn_tui.files.cells import PIPES, Cell, cells, pieces
from attn_tui.files.columns import Columns
from attn_tui.files.errors import ForeignError
from attn_tui.files.headings import ASSIGNED, LABEL_HEADS, PREFIX, TYPE_NAMES, heading_of
from attn_tui.files.literal import MOST_NAMED
from attn_tui.files.numbers import format_exact
from attn_tui.files.reading import MISSING, POWER_OF_TEN, SEPARATING, Commas, Found, NumberReader
from attn_tui.files.runs import PLAIN

MOST_NAMES = 65_536
"""Words that may stand in a line before a number comes."""

_NUMBER_BEGINS = frozenset("+-.\u2212\u2012\u2013")
_LINES = {"\n": re.compile(r"[^\n]++"), "\n;": re.compile(r"[^\n;]++"), "": re.compile(r"(?s:.)++")}
_ELEMENT_TYPE = re.compile(r"\b(?:BFloat16|Float\d+|U?Int\d+|single|double)\b")


@dataclass(frozen=True)
class Layout:
    """One way to take a text as a table: what separates cells ('' for blanks), what ends a row, how commas are meant.

    A certain layout is the one meant wherever it fits; `name` says what it is beside its commas.
    """

    separators: str
    row_end: str = "\n"
    commas: Commas = SEPARATING
    name: str = ""
    certain: bool = False


class Table:
    """One pass over the lines of a text, which may hold several arrays by name."""

    def __init__(self, reader: NumberReader, layout: Layout) -> None:
        self.notes: list[str] = []
        self._reader = reader
        self._layout = layout
        self._found: list[Found] = []
        self._comments = 0
        self._line_kinds = self._kinds()
        self._begin(None)

    def _kinds(self) -> dict[str, Callable[[re.Match[str], int], None]]:
        """What takes each kind of line without numbers."""
        return {
            "columns": self._take_columns,
            "factor": self._take_factor,
            "shape": self._take_shape,
            "name": self._take_name,
            "rule": self._take_rule,
            "aside": self._take_aside,
            "comment": self._take_comment,
        }

    def read(self) -> list[Found]:
        """Every array of the text in order; raises ForeignError with the place at what cannot be read."""
        for match in _LINES[self._layout.row_end].finditer(self._reader.source):
            line = match.group()
            if not line.isspace():
                self._take_line(line, match.start())
        self._end_array()
        if self._comments:
            self.notes.append(f"comment lines skipped: {self._comments}")
        return self._found

    def _begin(self, name: str | None) -> None:
        """A new array begins."""
        self._name = name
        self._columns = [Columns()]
        self._shape: tuple[int, int | None] | None = None
        self._dtype: str | None = None
        self._is_matrix = False
        self._offset = 0
        self._reader.exponent = 0

    @property
    def _current(self) -> Columns:
        """The rows below the last heading."""
        return self._columns[-1]

    def _take_line(self, line: str, offset: int) -> None:
        """One line: a heading, or a row."""
        if PLAIN.fullmatch(line) and "--" not in line:
            self._take_row(line, offset)
            return
        heading = heading_of(line)
        if heading is not None:
            self._line_kinds[heading[0]](heading[1], offset)
            return
        assigned = None if self._layout.separators else ASSIGNED.match(line)
        if assigned is not None:
            self._take_name(assigned, offset)
            self._take_row(assigned.group("rest"), offset + assigned.start("rest"))
            return
        self._take_row(*self._without_prefix(line, offset))

    def _without_prefix(self, line: str, offset: int) -> tuple[str, int]:
        """The line after R's index, which must count on, and where it begins."""
        match = PREFIX.match(line)
        if match is None:
            return line, offset
        columns, row = self._current, int(match.group("row")[:9])
        columns.running = not match.group("matrix")
        self._is_matrix |= not columns.running
        if row != (len(columns.flat) if columns.running else columns.rows) + 1:
            raise self._reader.refusal(offset, f"{match.group().strip()[:20]} does not count on: numbers are missing")
        return line[match.end() :], offset + match.end()

    def _take_row(self, line: str, offset: int) -> None:
        """A row of numbers, with a name or without, or a heading of names."""
        columns, before = self._current, len(self._current.flat)
        run = self._read_run(line) if not columns.label_first else None
        if run is not None:
            columns.flat.extend(run)
            columns.end_row(self._reader, offset, None)
            return
        words: list[Cell] = []
        missing: Cell | None = None
        for position, cell in enumerate(cells(line, offset, self._layout.separators)):
            if missing is not None:
                raise self._reader.refused_number(missing.offset, "")
            if position == 0 and columns.label_first:
                words.append(cell)
            elif cell.text or position == 0:
                self._take_cell(cell, words, before)
            elif len(columns.flat) > before:
                missing = cell
            elif not words[-1].text:
                raise self._reader.refused_number(cell.offset, "")
            else:
                words.append(cell)
        if len(columns.flat) == before:
            self._take_heading(words, offset)
        elif words and not words[0].text and not (columns.rows or columns.heading):
            self._take_counted_heading(words[0])
        else:
            columns.end_row(self._reader, offset, self._label(words))

    def _take_counted_heading(self, first: Cell) -> None:
        """The columns counted from 0 above row names, as pandas writes them; ForeignError for any other numbers."""
        columns = self._current
        if list(columns.flat) != list(range(len(columns.flat))):
            raise self._reader.refused_number(first.offset, "")
        columns.head(["", *map(format_exact, columns.flat)], label_first=True)
        del columns.flat[:]

    def _read_run(self, line: str) -> list[float] | None:
        """All numbers of a line of nothing else, None where it needs a closer look."""
        layout = self._layout
        simple = layout.commas is SEPARATING and layout.separators in ("", ",") and self._reader.exponent == 0
        if not simple or PLAIN.fullmatch(line) is None or (not layout.separators and "," in line):
            return None
        return self._reader.read_run(line)

    def _take_cell(self, cell: Cell, words: list[Cell], before: int) -> None:
        """A cell: numbers go to the rows, words before the first number to `words`."""
        columns = self._current
        number = self._reader.read(cell.text)
        if number is not None:
            columns.flat.append(number)
        elif self._layout.separators in (",", PIPES) and self._take_pieces(cell):
            return
        elif len(columns.flat) > before:
            raise self._reader.refused_number(cell.offset, cell.text)
        else:
            if not cell.quoted:
                self._check_word(cell)
            words.append(cell)
            if len(words) > MOST_NAMES:
                raise self._reader.refused_number(words[0].offset, words[0].text)

    def _take_pieces(self, cell: Cell) -> bool:
        """Whether a cell begins with a number and a blank: then all of it are numbers, or ForeignError is raised."""
        numbers = self._current.flat
        before = len(numbers)
        for piece in pieces(cell):
            number = self._reader.read(piece.text)
            if number is not None:
                numbers.append(number)
            elif len(numbers) > before:
                raise self._reader.refused_number(piece.offset, piece.text)
            else:
                return False
        return len(numbers) > before

    def _label(self, words: list[Cell]) -> str | None:
        """The name of a row from the words before its numbers; raises ForeignError for half a number."""
        if not words:
            return None
        if self._layout.separators and len(words) > 1:
            raise self._reader.refused_number(words[1].offset, words[1].text)
        label = " ".join(word.text for word in words)
        return label if self._layout.separators else label.removesuffix(":")

    def _check_word(self, word: Cell) -> None:
        """Raise ForeignError for a word that looks like a number gone wrong, or like a number left out."""
        lower = word.text[:40].lower()
        commas = "," in word.text and self._layout.commas is not SEPARATING
        numeric = lower[:1].isdigit() or lower[:1] in _NUMBER_BEGINS
        if lower in MISSING or lower in ("true", "false") or commas or numeric:
            raise self._reader.refused_number(word.offset, word.text)

    def _take_heading(self, words: list[Cell], offset: int) -> None:
        """A line of names above columns; further down it begins more columns, as R wraps them."""
        filled = [word for word in words if word.text]
        if not filled:
            raise self._reader.refused_number(offset, "")
        columns = self._current
        if columns.heading is not None and not columns.rows:
            if all(TYPE_NAMES.fullmatch(part.text) for word in filled for part in pieces(word)):
                return
            raise self._reader.refused_number(filled[0].offset, filled[0].text)
        if columns.rows:
            if columns.heading is None or self._layout.separators:
                raise self._reader.refused_number(filled[0].offset, filled[0].text)
            self._columns.append(Columns())
        self._offset = offset
        label_first = bool(self._layout.separators) and words[0].text.lower() in LABEL_HEADS
        self._current.head([word.text for word in words], label_first=label_first)

    def _take_columns(self, match: re.Match[str], offset: int) -> None:
        """MATLAB's 'Columns 1 through 8' or R's [,1]: more columns of the same rows."""
        self._is_matrix |= "[" in match.group()
        self._offset = offset
        if self._current.rows:
            self._columns.append(Columns())

    def _take_factor(self, match: re.Match[str], offset: int) -> None:
        """A factor common to all numbers below."""
        written = match.group("factor")
        power = POWER_OF_TEN.fullmatch(written)
        if power is None:
            raise self._reader.refusal(offset, f"the common factor {written[:20]} is not a power of ten")
        self._reader.exponent = int(power.group(1))
        self.notes.append(f"common factor {written}")

    def _take_shape(self, match: re.Match[str], offset: int) -> None:
        """What Julia or MATLAB says of an array before its numbers."""
        parts = match.groupdict()
        if self._current.rows or parts.get("name"):
            self._take_name(match, offset)
        columns = parts.get("columns")
        self._shape = int(parts["rows"][:9]), None if columns is None else int(columns[:9])
        self._offset = offset
        element = _ELEMENT_TYPE.search(parts.get("type") or "")
        self._dtype = DTYPES.get(element.group(), element.group().lower()) if element else None
        self._is_matrix |= "{" in (parts.get("type") or "") and columns is not None

    def _take_name(self, match: re.Match[str], offset: int) -> None:
        """A name, after which its numbers come."""
        self._end_array()
        name = match.groupdict().get("name")
        self._begin(None if name in UNNAMING else name)
        self._offset = offset

    def _take_rule(self, _: re.Match[str], __: int) -> None:
        """A line of dashes: what stands above it are names of columns."""
        if self._current.rows == 1 and self._current.heading is None:
            self._current.row_to_heading()

    def _take_aside(self, _: re.Match[str], __: int) -> None:
        """A line that says nothing about the numbers."""

    def _take_comment(self, _: re.Match[str], __: int) -> None:
        """A line that begins with # or %."""
        self._comments += 1

    def _end_array(self) -> None:
        """Keep the array read so far, if there is any; raises ForeignError for a name or a heading without numbers."""
        untouched = len(self._columns) == 1 and not self._current.rows and self._current.heading is None
        if untouched and self._name is None and self._shape is None:
            return
        if len(self._found) == MOST_NAMED:
            raise ForeignError(f"this holds more than {MOST_NAMED} named arrays: paste fewer")
        self._found.append(self._array())

    def _array(self) -> Found:
        """The array read so far: columns side by side, and a vector where there is one row or one column."""
        if self._shape and not self._current.rows:
            raise self._reader.refusal(self._offset, "this is a shape, not the numbers")
        strict = self._layout.separators != PIPES
        parts = [columns.finish(self._reader, self._offset, strict=strict) for columns in self._columns]
        if len({len(part) for part in parts}) > 1:
            raise self._reader.refusal(self._offset, "these columns have another number of rows than those above")
        labels = tuple(self._columns[0].labels) or None
        numbers = parts[0] if len(parts) == 1 else np.hstack(parts)
        self._check_shape(numbers.shape)
        is_column = self._shape is not None and self._shape[1] is None
        if is_column or (not labels and not self._is_matrix and 1 in numbers.shape):
            numbers = numbers.reshape(() if self._name and numbers.size == 1 else -1)
        return Found(numbers, self._name, labels, self._dtype)

    def _check_shape(self, shape: tuple[int, ...]) -> None:
        """Raise ForeignError when other numbers stand here than the heading says."""
        if self._shape is None:
            return
        wanted = (self._shape[0], self._shape[1] or 1)
        if shape != wanted:
            said = f"{wanted[0]} rows and {wanted[1]} columns"
            raise self._reader.refusal(
                self._offset, f"the heading says {said}, here are {shape[0]} and {shape[1]}: some are missing"
            )


def table_lines(source: str) -> Iterator[str]:
    """The lines of a text that are not blank."""
    return (match.group() for match in _LINES["\n"].finditer(source) if not match.group().isspace())
