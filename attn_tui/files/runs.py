"""Many plain numbers in a row, read at once: the common case, which is most of every large text."""

import math
import re

LONGEST_RUN = 4_000_000
"""Characters read at once, which bounds the memory this takes."""

PLAIN = re.compile(r"[\d\s.,eE+-]*+")
"""Text of nothing but numbers and what separates them."""

_GAP = re.compile(r"^\s*,|,\s*+,")


def read_run(text: str) -> list[float] | None:
    """The numbers between commas, or between blanks; None where anything calls for a closer look."""
    if len(text) > LONGEST_RUN:
        return None
    pieces = text.replace(",", " ").split()
    commas = text.count(",")
    if not pieces or commas not in (0, len(pieces) - 1, len(pieces)) or (commas and _GAP.search(text)):
        return None
    try:
        numbers = [float(piece) for piece in pieces]
    except ValueError:
        return None
    return numbers if _all_in_range(numbers, pieces) else None


def _all_in_range(numbers: list[float], pieces: list[str]) -> bool:
    """Whether no number became inf, and none that is not written as plain zero became 0."""
    if math.inf in numbers or -math.inf in numbers:
        return False
    return 0.0 not in numbers or all(
        len(piece) < 300 and "e-" not in piece.lower()
        for piece, number in zip(pieces, numbers, strict=True)
        if number == 0.0
    )
