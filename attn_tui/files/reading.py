"""The numbers of one pasted text: where they stand, how their commas are meant, and what had to be done to them."""

import re
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from attn_tui.files.errors import ForeignError
from attn_tui.files.numbers import DASHES, is_outside, read_number, unreadable
from attn_tui.files.runs import read_run

MISSING = frozenset({"null", "none", "na", "n/a", "nil", "missing", "nothing", "--", "<na>"})
"""Words, in lower case, that say a number is not there."""

BOOLEANS = {"true": 1.0, "false": 0.0, "t": 1.0, "f": 0.0}
"""Words, in lower case, of a mask."""

POWER_OF_TEN = re.compile(r"\+?1\.?0*+[eE]([+-]?\d{1,3})")
"""A common factor as MATLAB, Octave and older PyTorch print it, such as 1.0e+03."""

_SHAPE = re.compile(r"\d+(?:[x×]\d+)+")


@dataclass(frozen=True)
class Commas:
    """One way to read commas and points: what it is called, what to replace in a number, and what one looks like."""

    name: str
    replaced: dict[int, str | None]
    looks: re.Pattern[str] | None


_SIGN, _EXPONENT = r"[+\u2212\u2012\u2013-]?", r"(?:[eE][+-]?\d+)?"

SEPARATING = Commas("commas between numbers", {}, None)
DECIMAL = Commas(
    "decimal commas",
    str.maketrans({".": None, ",": "."}),
    re.compile(rf"{_SIGN}(?:\d++(?!\.)|(?!0)\d{{1,3}}(?:\.\d{{3}})++)(?:,\d+)?{_EXPONENT}"),
)
THOUSANDS = Commas(
    "commas between thousands",
    str.maketrans({",": None}),
    re.compile(rf"{_SIGN}(?:\d++(?!,)|(?!0)\d{{1,3}}(?:,\d{{3}})++)(?:\.\d*)?{_EXPONENT}"),
)


@dataclass(frozen=True, eq=False)
class Found:
    """An array in a text: its name if it has one, (), (n,) or (rows, cols) numbers, row labels, the stated dtype."""

    array: NDArray[np.float64]
    name: str | None = None
    labels: tuple[str, ...] | None = None
    dtype: str | None = None


@dataclass
class NumberReader:
    """Reads the numbers of one text, places what it refuses, and counts what it had to change."""

    source: str
    commas: Commas = SEPARATING
    booleans: bool = False
    exponent: int = 0
    count: int = 0
    minuses: int = 0
    strings: int = 0
    first: str = ""
    remarks: list[str] = field(default_factory=list[str])

    def read(self, written: str) -> float | None:
        """The number a piece of the text means, None if it is not a number."""
        plain = self._replaced(written) if self.commas.looks else written
        scaled = self._scaled(plain) if self.exponent else plain
        number = read_number(scaled)
        if number is None:
            number = self._read_dashed(scaled)
            if number is None:
                return self._read_boolean(written)
        self.count += 1
        self.first = self.first or written
        if number == 0.0 or number in (np.inf, -np.inf):
            self._remark_range(written, scaled, number)
        return number

    def read_run(self, text: str) -> list[float] | None:
        """All numbers of a text of nothing else, None where it needs a closer look."""
        numbers = read_run(text)
        if numbers is not None:
            self.first = self.first or text.split(None, 1)[0].rstrip(",")
            self.count += len(numbers)
        return numbers

    def forget(self) -> None:
        """The last number read was no number of the array."""
        self.count -= 1
        self.first = ""

    def refusal(self, offset: int, reason: str) -> ForeignError:
        """An error that says where in the text it is: line and column, from 1."""
        line = self.source.count("\n", 0, offset) + 1
        column = offset - self.source.rfind("\n", 0, offset)
        return ForeignError(f"line {line}, column {column}: {reason}")

    def refused_number(self, offset: int, written: str) -> ForeignError:
        """An error for a piece that should have been a number."""
        return self.refusal(offset, self._reason(written))

    def notes(self) -> list[str]:
        """What was done to numbers, in words."""
        changed = [f"{self.minuses} Unicode minus replaced"] if self.minuses else []
        converted = ["strings converted"] if self.strings else []
        return [*changed, *converted, *self.remarks]

    def _replaced(self, written: str) -> str:
        """The text of a number with a point for decimals; what does not look like one stays as it is, unreadable."""
        if not ("," in written or "." in written):
            return written
        looks = self.commas.looks is not None and self.commas.looks.fullmatch(written)
        return written.translate(self.commas.replaced) if looks else f"?{written}"

    def _scaled(self, written: str) -> str:
        """The text of a number times the common factor: the exponents added, so nothing is rounded twice."""
        mantissa, _, exponent = written.lower().partition("e")
        if not mantissa[-1:].isdigit() and not mantissa.endswith("."):
            return written
        own = int(exponent) if re.fullmatch(r"[+-]?\d{1,6}", exponent) else 0
        return f"{mantissa}e{own + self.exponent}"

    def _read_dashed(self, written: str) -> float | None:
        """The number after a Unicode minus or dash has become a minus, None if there is none."""
        dashed = written.translate(DASHES)
        number = None if dashed == written else read_number(dashed)
        self.minuses += number is not None
        return number

    def _read_boolean(self, written: str) -> float | None:
        """1 or 0 for a word of a mask where a mask is read."""
        return BOOLEANS.get(written.lower()) if self.booleans else None

    def _remark_range(self, written: str, scaled: str, number: float) -> None:
        """Note a literal that float64 cannot hold; the first few of them."""
        if len(self.remarks) < 4 and is_outside(scaled.translate(DASHES), number):
            kind, read_as = ("underflow", "0") if number == 0.0 else ("overflow", f"{number:g}")
            self.remarks.append(f"{kind} at item {self.count}: {written} is outside float64, read as {read_as}")

    def _reason(self, written: str) -> str:
        """Why a piece is not a number."""
        word = written.lower()
        if word in MISSING:
            return f"{written} is not a number: write nan where a missing number should count as NaN"
        if word in ("true", "false"):
            return f"{written} belongs to a mask, not to a vector: true and false are no components"
        if _SHAPE.fullmatch(written):
            return f"{written} is a shape, not the numbers"
        return unreadable(written.translate(DASHES))
