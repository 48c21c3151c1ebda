"""The rows that stand below one heading of a printed table."""

from array import array

import numpy as np
from numpy.typing import NDArray

from attn_tui.files.brackets import ragged
from attn_tui.files.errors import ForeignError
from attn_tui.files.headings import LABEL_HEADS
from attn_tui.files.numbers import format_exact
from attn_tui.files.reading import NumberReader

MOST_LABELS = 1_000_000
"""Row names that one text may have."""


class Columns:
    """Rows of equal width, with a name each or none: (rows, width); R's running vectors may end anywhere."""

    def __init__(self) -> None:
        self.flat: array[float] = array("d")
        self.rows = 0
        self.width = 0
        self.labels: list[str] = []
        self.heading: list[str] | None = None
        self.label_first = False
        self.running = False

    def head(self, names: list[str], *, label_first: bool) -> None:
        """Names stand above the columns; the first column holds row names if that is what its name says."""
        self.heading = names
        self.label_first = label_first

    def end_row(self, reader: NumberReader, offset: int, label: str | None) -> None:
        """A row ends, its numbers being in `flat`; raises ForeignError for one of another width or without its name."""
        width = len(self.flat) - self.rows * self.width
        if self.running:
            self.rows, self.width = 1, len(self.flat)
            return
        if self.rows and width != self.width:
            raise ragged(reader, offset, self.rows + 1, (width,), (self.width,))
        if self.rows and bool(self.labels) != (label is not None):
            raise reader.refusal(offset, f"row {self.rows + 1} and row 1: one has a name and the other has none")
        self.width = width
        self.rows += 1
        if label is not None:
            self._add_label(label)

    def row_to_heading(self) -> None:
        """The only row so far turns out to stand above a rule: its numbers are names of columns."""
        names = [*self.labels, *(format_exact(number) for number in self.flat)]
        self.head(names, label_first=names[0].lower() in LABEL_HEADS)
        self.flat, self.labels, self.rows = array("d"), [], 0

    def finish(self, reader: NumberReader, offset: int, *, strict: bool) -> NDArray[np.float64]:
        """The numbers: (rows, width); a first column that the heading leaves out becomes the row names.

        Raises ForeignError for a heading without rows, or with another number of names if `strict`.
        """
        if not self.rows:
            names = [name for name in self.heading or () if name]
            raise reader.refused_number(offset, names[0]) if names else reader.refusal(offset, "no numbers come here")
        numbers = np.array(self.flat, dtype=np.float64).reshape(self.rows, self.width)
        names = None if self.heading is None else len(self.heading)
        if names == self.width - 1 and not self.labels and self.rows <= MOST_LABELS:
            self.labels = [format_exact(number) for number in numbers[:, 0].tolist()]
            return numbers[:, 1:]
        if strict and names is not None and names - self.width not in (0, bool(self.labels)):
            raise reader.refusal(offset, f"the heading has {names} names, a row has {self.width} numbers")
        return numbers

    def _add_label(self, label: str) -> None:
        """One more row has a name."""
        if len(self.labels) == MOST_LABELS:
            raise ForeignError(f"this has more than {MOST_LABELS} row names: paste fewer rows")
        self.labels.append(label)
