"""An open bracket: its numbers in one flat run, and the shape they have so far."""

from array import array
from typing import Literal, TypeAlias

from attn_tui.files.errors import ForeignError
from attn_tui.files.reading import NumberReader

Role: TypeAlias = Literal["document", "object", "list", "call", "number"]
"""What a bracket is: all of the text, named arrays, items of one array, a call around one array or one number."""


class Bracket:
    """Items between two brackets; they are all numbers, or all arrays of one shape."""

    def __init__(self, opening: str, start: int, role: Role) -> None:
        self.opening = opening
        self.start = start
        self.role: Role = role
        self.flat: array[float] = array("d")
        self.count = 0
        self._item_shape: tuple[int, ...] = ()
        self._row_start = 0
        self._width = 0
        self._after_item = False
        self._last = ""
        self._blank_between = False
        self._tight_comma = False

    def add_number(self, reader: NumberReader, offset: int, written: str, number: float) -> None:
        """A number is the next item; raises ForeignError beside arrays."""
        self._check_item(reader, offset, ())
        self._blank_between |= self._after_item
        self.flat.append(number)
        self._last = written
        self._end_item()

    def add_run(self, numbers: list[float]) -> None:
        """All items are read at once; only where there is none before."""
        self.flat.extend(numbers)
        self.count = len(numbers)
        self._after_item = True

    def add_array(self, reader: NumberReader, offset: int, shape: tuple[int, ...], flat: "array[float]") -> None:
        """An array is the next item; raises ForeignError when its shape is not that of the others."""
        self._check_item(reader, offset, shape)
        self._item_shape = shape
        self.flat.extend(flat)
        self._last = ""
        self._end_item()

    def skip_item(self) -> None:
        """A named array has been kept elsewhere."""
        self._after_item = True

    def end_at_comma(self, source: str, offset: int) -> bool:
        """A comma ends an item; False if there is none to end."""
        ended, self._after_item = self._after_item, False
        around = source[max(0, offset - 1) : offset + 2]
        self._tight_comma |= len(around) == 3 and around[0].isdigit() and around[2].isdigit()
        return ended

    def end_row(self, reader: NumberReader, offset: int) -> None:
        """A semicolon ends a row of numbers, or an array; raises ForeignError if there is none or it is ragged."""
        if not self._after_item:
            raise reader.refusal(offset, "a number is missing before this semicolon")
        self._after_item = False
        if self.role == "list" and self._item_shape == ():
            self._cut(reader, offset)

    def take_back(self, reader: NumberReader) -> str:
        """The text of the last number, which was no item but a factor; '' if the last item is no number."""
        written, self._last = self._last, ""
        if written:
            self.flat.pop()
            self.count -= 1
            self._after_item = False
            reader.forget()
        return written

    def finish(self, reader: NumberReader) -> tuple[int, ...]:
        """The shape of all items; raises ForeignError if there is none, or if a comma may be decimal."""
        if self.count == 0:
            raise reader.refusal(self.start, "this holds no numbers: it is empty")
        if self._blank_between and self._tight_comma:
            reason = "commas and blanks both stand between numbers: is 0,5 one number or two? Write points for decimals"
            raise reader.refusal(self.start, reason)
        if self._width == 0:
            return (self.count, *self._item_shape)
        if self.count > self._row_start:
            self._cut(reader, self.start)
        rows = self.count // self._width
        return (rows,) if self._width == 1 else (rows, self._width)

    def _end_item(self) -> None:
        """One more item is complete."""
        self.count += 1
        self._after_item = True

    def _cut(self, reader: NumberReader, offset: int) -> None:
        """A row ends here; raises ForeignError if it is not as wide as the first."""
        width = self.count - self._row_start
        if self._width not in (0, width):
            raise ragged(reader, offset, self.count // self._width + 1, (width,), (self._width,))
        self._width = width
        self._row_start = self.count

    def _check_item(self, reader: NumberReader, offset: int, shape: tuple[int, ...]) -> None:
        """Raise ForeignError for an item whose shape is not that of the first."""
        if self.count and shape != self._item_shape:
            raise ragged(reader, offset, self.count + 1, shape, self._item_shape)


def ragged(
    reader: NumberReader, offset: int, item: int, shape: tuple[int, ...], first: tuple[int, ...]
) -> ForeignError:
    """The error for an item that differs in shape from the first."""
    if len(shape) == len(first) == 1:
        reason = f"row {item} has {_counted(shape[0])}, row 1 has {first[0]}"
    else:
        reason = f"item {item} is {_said(shape)}, item 1 is {_said(first)}"
    return reader.refusal(offset, f"{reason}: the rows of a matrix are equally long")


def _counted(count: int) -> str:
    """A count of numbers in words."""
    return "1 number" if count == 1 else f"{count} numbers"


def _said(shape: tuple[int, ...]) -> str:
    """A shape in words."""
    return "a number" if shape == () else f"an array of shape {shape}"
