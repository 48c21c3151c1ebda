"""Which ways of reading a table of numbers fit a text, and the question to ask when several do."""

import re
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from attn_tui.files.cells import PIPES
from attn_tui.files.errors import ForeignError
from attn_tui.files.numbers import format_exact
from attn_tui.files.reading import DECIMAL, SEPARATING, THOUSANDS, Found, NumberReader
from attn_tui.files.tables import Layout, Table, table_lines

_R_INDEX = re.compile(r"^[^\S\n]*+\[(?:\d+,?|,\d+)\][^\S\n]++\S", re.MULTILINE)
_TAB = re.compile(r"\S\t")


_ADVICE = "Write a point in 0.5, or a blank after a comma that separates"


@dataclass(frozen=True)
class Dialect:
    """A kind of text: how to tell it, and its layouts."""

    tells: Callable[[str], bool]
    layouts: tuple[Layout, ...]


def _is_wrapped(source: str) -> bool:
    """Whether every line but the last ends with a comma."""
    endings = [line.rstrip()[-1:] == "," for line in table_lines(source)]
    return len(endings) > 1 and all(endings[:-1]) and not endings[-1]


DIALECTS: tuple[Dialect, ...] = (
    Dialect(lambda source: _R_INDEX.search(source) is not None, (Layout(""),)),
    Dialect(
        lambda source: any(pipe in source for pipe in PIPES),
        (Layout(PIPES), Layout(PIPES, commas=DECIMAL), Layout(PIPES, commas=THOUSANDS)),
    ),
    Dialect(
        lambda source: _TAB.search(source) is not None,
        (Layout("\t"), Layout("\t", commas=DECIMAL), Layout("\t", commas=THOUSANDS)),
    ),
    Dialect(
        lambda source: ";" in source and "," in source,
        (
            Layout(";", commas=DECIMAL, certain=True),
            Layout(",", "\n;"),
            Layout(";", commas=THOUSANDS),
            Layout("", "\n;", DECIMAL),
            Layout("", "\n;", THOUSANDS),
        ),
    ),
    Dialect(lambda source: ";" in source, (Layout(";", certain=True), Layout("", "\n;"))),
    Dialect(
        _is_wrapped,
        (Layout(",", "", name="one vector over several lines"), Layout(",", name="a row on each line")),
    ),
    Dialect(
        lambda source: "," in source,
        (Layout(","), Layout("", commas=DECIMAL), Layout("", commas=THOUSANDS)),
    ),
    Dialect(lambda _: True, (Layout(""),)),
)
"""The kinds of text without brackets; the first that tells itself counts."""


@dataclass(frozen=True, eq=False)
class _Reading:
    """A text read in one layout."""

    layout: Layout
    found: list[Found]
    notes: list[str]

    @property
    def first(self) -> NDArray[np.float64]:
        """The first array found."""
        return self.found[0].array if self.found else np.empty(0)

    def same_as(self, other: "_Reading") -> bool:
        """Whether both found the same numbers."""
        pairs = zip(self.found, other.found, strict=False)
        return len(self.found) == len(other.found) and all(
            np.array_equal(one.array, two.array, equal_nan=True) for one, two in pairs
        )

    def described(self) -> str:
        """The beginning of the numbers, and how they were read."""
        numbers = self.first.reshape(-1)
        shown = ", ".join(format_exact(number) for number in numbers[:6].tolist())
        more = f", and {numbers.size - 6} more" if numbers.size > 6 else ""
        shape = f" {self.first.shape}" if self.first.ndim > 1 else ""
        return f"[{shown}{more}]{shape} ({self.layout.name or self.layout.commas.name})"


def read_table(source: str, length: int | None, *, booleans: bool) -> tuple[list[Found], list[str]]:
    """The arrays of a text without brackets, with notes; raises ForeignError with a question if it is ambiguous."""
    dialect = next(dialect for dialect in DIALECTS if dialect.tells(source))
    readings, errors = _tried(dialect, source, booleans=booleans)
    if not readings:
        raise errors[0]
    fitting = [reading for reading in readings if length is not None and reading.first.shape[-1:] == (length,)]
    chosen = fitting[0] if len(fitting) == 1 else readings[0]
    others = [reading for reading in readings if not reading.same_as(chosen)]
    if others and len(fitting) != 1:
        asked = " or ".join(reading.described() for reading in (chosen, *others))
        raise ForeignError(f"this can be read in {len(others) + 1} ways: {asked}? {_ADVICE}")
    changed = [chosen.layout.commas.name] if chosen.layout.commas is not SEPARATING and "," in source else []
    return chosen.found, [*changed, *chosen.notes]


def _tried(dialect: Dialect, source: str, *, booleans: bool) -> tuple[list[_Reading], list[ForeignError]]:
    """The readings of a text that work, and why the others do not."""
    readings: list[_Reading] = []
    errors: list[ForeignError] = []
    for layout in dialect.layouts if "," in source else dialect.layouts[: 2 if ";" in source else 1]:
        reader = NumberReader(source, layout.commas, booleans)
        table = Table(reader, layout)
        try:
            reading = _Reading(layout, table.read(), [*table.notes, *reader.notes()])
        except ForeignError as error:
            errors.append(error)
            continue
        if layout.commas is not THOUSANDS or _separates(reading, source):
            readings.append(reading)
        if layout.certain:
            break
    return readings, errors


def _separates(reading: _Reading, source: str) -> bool:
    """Whether blanks separate numbers in a row, or points mark decimals: a line of 100,200,300 is no single number."""
    numbers = np.concatenate([one.array.reshape(-1) for one in reading.found]) if reading.found else np.empty(0)
    return numbers.size > sum(1 for _ in table_lines(source)) or bool((numbers != np.trunc(numbers)).any())
