"""Which of many keys are drawn where there are fewer lines."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Page:
    """A stretch of keys."""

    rows: range
    left_out: int
    """How many keys are not among them."""


def page_of(count: int, lines: int, key: int | None) -> Page:
    """The page of keys that one of them is on; where not all fit, a line is kept to say so."""
    if count <= lines:
        return Page(range(count), 0)
    lines = max(1, lines - 1)
    first = min((key or 0) // lines * lines, count - lines)
    return Page(range(first, first + lines), count - lines)
