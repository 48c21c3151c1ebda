"""One number as a person types it, and as text that reads back as the same number."""

import math
import re

from attn_tui.files.errors import ForeignError

LONGEST_NUMBER = 2000
"""Characters of the longest number text: the exact decimals of any float64 need less than 1100."""

DASHES = str.maketrans(dict.fromkeys("\u2212\u2012\u2013\ufe63\uff0d", "-"))
"""The signs that print as a minus in a PDF or on a web page."""

_UNFINISHED: tuple[tuple[re.Pattern[str], str], ...] = tuple(
    (re.compile(pattern), reason)
    for pattern, reason in (
        (r"", "a number is missing"),
        (r"-", "only a minus so far: digits are missing"),
        (r"\+", "only a plus so far: digits are missing"),
        (r"[+-]?\.", "only a point so far: digits are missing"),
        (r"[+-]?(?:\d[\d_]*+\.?[\d_]*+|\.\d[\d_]*+)[eE][+-]?", "the exponent is missing its digits"),
    )
)
"""What half-typed text lacks: a pattern for all of the text, and the sentence."""

_RANGE: dict[tuple[bool, bool], str] = {
    (True, False): "{} is above the float64 maximum 1.7977e308; write inf if you mean infinity",
    (True, True): "{} is below the float64 minimum -1.7977e308; write -inf if you mean minus infinity",
    (False, False): "{} is closer to 0 than the smallest float64 4.9407e-324; write 0 if you mean zero",
    (False, True): "{} is closer to 0 than the smallest float64 4.9407e-324; write 0 if you mean zero",
}
"""What to say of a number outside float64, by (too large, negative)."""


def parse_number(text: str) -> float:
    """The float64 that a typed text means; a Unicode minus is one, nan, inf and 1_000 are as in Python.

    Raises ForeignError, in words, for what is half typed, no number, or outside the range of float64.
    """
    written = text.strip().translate(DASHES)
    number = read_number(written)
    if number is None:
        raise ForeignError(unreadable(written))
    if is_outside(written, number):
        raise ForeignError(_RANGE[math.isinf(number), written.startswith("-")].format(shown(written)))
    return number


def format_exact(number: float) -> str:
    """The shortest text that reads back as the same float64: '0.25', '1e-300', 'nan', 'inf', '3' for 3.0."""
    return repr(float(number)).removesuffix(".0")


def read_number(written: str) -> float | None:
    """The float that Python reads in this text, None if there is none: out of range becomes inf or 0."""
    if len(written) > LONGEST_NUMBER:
        return None
    try:
        return float(written)
    except ValueError:
        return None


def is_outside(written: str, number: float) -> bool:
    """Whether finite digits became inf, or digits other than 0 became 0."""
    if math.isinf(number):
        return any(character.isdigit() for character in written)
    mantissa = written.lower().partition("e")[0]
    return number == 0.0 and any(character.isdigit() and int(character) for character in mantissa)


def unreadable(written: str) -> str:
    """Why this text is no number, in words."""
    if len(written) > LONGEST_NUMBER:
        return f"{shown(written)} has {len(written)} characters: no number needs that many"
    for pattern, reason in _UNFINISHED:
        if pattern.fullmatch(written):
            return reason
    if written.count(",") == 1 and read_number(pointed := written.replace(",", ".")) is not None:
        return f"{shown(written)}: is that {shown(pointed)}? Write a point"
    return f"'{shown(written)}' is not a number"


def shown(written: str) -> str:
    """A text as a sentence quotes it: its first 40 characters."""
    return written if len(written) <= 40 else written[:40] + "..."
