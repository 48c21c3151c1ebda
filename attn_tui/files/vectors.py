"""Pasted text as vectors and matrices, in every form that prints them."""

import re
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from attn_tui.files.dialects import read_table
from attn_tui.files.errors import ForeignError
from attn_tui.files.headings import ELLIPSIS, PREFIX, PROMPT, heading_of
from attn_tui.files.literal import BracketedText
from attn_tui.files.numbers import format_exact, read_number
from attn_tui.files.reading import Found, NumberReader
from attn_tui.files.tables import table_lines

LONGEST_TEXT = 64 * 2**20
"""Characters of the longest text that is taken."""

_QUOTED = re.compile(r'"(?:[^"\n]|"")*+"')
_BRACKET = re.compile(r"[\[\]{}]|(?:^|[=:,]\s?|[A-Za-z\d_])\(|<\w")
_BLANKS = str.maketrans(dict.fromkeys("\u200b\u2060\ufeff", " ")) | str.maketrans(dict.fromkeys("\r\v\f", "\n"))
_NO_BREAK = re.compile("[\u00a0\u2007\u202f]")
_SHAPE = re.compile(r"\s*+\(\s*+\d{1,9}+\s*+(?:,\s*+\d{1,9}+\s*+){0,5}+,?\s*+\)\s*+")
_PIECES = re.compile(r"[^\s,;|()\[\]{}\"']++")


@dataclass(frozen=True, eq=False)
class Parsed:
    """What a text holds: the numbers (n,) or (rows, cols), row names, the dtype it states, what was read how.

    One number with a name, as `parse_named` gives, has shape ().
    """

    array: NDArray[np.float64]
    labels: tuple[str, ...] | None
    notes: tuple[str, ...]
    dtype: str | None = None


def parse_vectors(text: str, length: int | None = None) -> Parsed:
    """The one vector (n,) or matrix (rows, cols) in a text; `length` settles which columns are meant if commas do not.

    Several vectors of one length become the rows of a matrix, with their names as labels. Raises ForeignError with
    the place and the reason for what is left out, ragged or no number, and with a question for what is ambiguous.
    """
    if _SHAPE.fullmatch(text) and (length is None or text.count(",") + 1 != length):
        raise ForeignError(f"{text.strip()} may be a shape: if it is a vector, write [{text.strip()[1:-1]}]")
    found, notes = _find(text, length)
    joined = found[0] if len(found) == 1 else _joined(found)
    if joined.array.ndim == 0:
        if length != 1:
            shown = format_exact(float(joined.array))
            raise ForeignError(f"this is one number without brackets: is a vector of length 1 meant? Write [{shown}]")
        joined = Found(joined.array.reshape(1), joined.name, None, joined.dtype)
    return _parsed(joined, notes)


def parse_named(text: str) -> dict[str, Parsed]:
    """Every array in a text by its name, '' for one without: JSON objects, `name =` and `$name`.

    Raises ForeignError as `parse_vectors` does, and for a name that comes twice.
    """
    found, notes = _find(text, None)
    named: dict[str, Parsed] = {}
    for one in found:
        if (one.name or "") in named:
            raise ForeignError(f"two arrays are called '{one.name or ''}'")
        named[one.name or ""] = _parsed(one, notes)
    return named


def parse_mask(text: str) -> NDArray[np.bool_]:
    """The mask in a text of true and false, or 1 and 0: (T,) or (rows, T), true = may be attended.

    Raises ForeignError as `parse_vectors` does, and for any other number.
    """
    found, _ = _find(text, None, booleans=True)
    numbers = found[0].array
    if len(found) > 1 or not np.isin(numbers, (0.0, 1.0)).all():
        raise ForeignError("a mask is made of 1 (may be attended) and 0: it selects keys, and is never added to scores")
    return np.atleast_1d(numbers == 1.0)


def _parsed(found: Found, notes: tuple[str, ...]) -> Parsed:
    """An array with what is worth saying of it."""
    return Parsed(found.array, found.labels, notes, found.dtype)


def _joined(found: list[Found]) -> Found:
    """Several named vectors of one length as the rows of a matrix; raises ForeignError for any others."""
    names = [one.name or "" for one in found]
    if len({one.array.shape for one in found}) > 1 or found[0].array.ndim != 1:
        listed = ", ".join(f"{one.name or 'one without a name'} {one.array.shape}" for one in found[:8])
        raise ForeignError(f"this holds {len(found)} arrays of different shapes: {listed}; paste one of them")
    return Found(np.stack([one.array for one in found]), None, tuple(names), found[0].dtype)


def _find(text: str, length: int | None, *, booleans: bool = False) -> tuple[list[Found], tuple[str, ...]]:
    """The arrays of a text, at least one, and what was read how."""
    if len(text) > LONGEST_TEXT:
        raise ForeignError(
            f"this text has {len(text)} characters, more than {LONGEST_TEXT}: that is too much to read as text"
        )
    source, notes = _normal(text)
    _check_complete(source)
    if _has_brackets(source):
        bracketed = NumberReader(source, booleans=booleans)
        reading = BracketedText(bracketed)
        found = reading.read()
        more = [*reading.notes, *bracketed.notes()]
    else:
        found, more = read_table(source, length, booleans=booleans)
    if not found:
        raise ForeignError("there are no numbers in this text" if source.strip() else "a number is missing")
    return found, (*notes, *more)


def _normal(text: str) -> tuple[str, list[str]]:
    """The text with line ends and blanks of one kind and without a console's prompts, every character in its place."""
    notes = ["no-break spaces read as blanks"] if not text.isascii() and _NO_BREAK.search(text) else []
    source = text.replace("\r\n", " \n").translate(_BLANKS)
    unprompted = PROMPT.sub(lambda match: " " * len(match.group()), source)
    return (source if unprompted.isspace() else unprompted), notes


def _check_complete(source: str) -> None:
    """Raise ForeignError for a print that leaves numbers out."""
    match = ELLIPSIS.search(source)
    if match is None:
        return
    visible = sum(read_number(piece.group()) is not None for piece in _PIECES.finditer(source))
    place = NumberReader(source).refusal(match.start(), f"the print is truncated at {match.group()[:3]}")
    raise ForeignError(
        f"{place}: {visible} of an unknown number of values are shown; "
        "print it with np.set_printoptions(threshold=sys.maxsize) or torch.set_printoptions(profile='full'), or save it"
    )


def _has_brackets(source: str) -> bool:
    """Whether brackets hold the numbers, rather than lines: R's [1] and headings with brackets are lines."""
    return any(mark in source for mark in "[]{}(<") and any(
        _BRACKET.search(_QUOTED.sub("", line)) is not None and PREFIX.match(line) is None and heading_of(line) is None
        for line in table_lines(source)
    )
