"""What a check finds, and where."""

from collections.abc import Sequence
from dataclasses import dataclass

Place = tuple[int, ...]
"""Indices into an array."""


@dataclass(frozen=True)
class Finding:
    """Something that is wrong."""

    check: str
    """Which check found it."""
    array: str
    """What the file calls the array."""
    count: int
    """How often."""
    place: Place | None
    """Where first, or worst."""
    words: str
    """A sentence's worth, without the place."""
    which: str = "first"
    """Whether the place is that of the first or of the worst."""
    end: str = ""
    """What is said after the place."""

    @property
    def sentence(self) -> str:
        """It and its place."""
        where = "" if self.place is None else f", {self.which} at {spelt(self.place)}"
        return f"{self.array}: {self.words}{where}{self.end}"


def spelt(place: Sequence[int]) -> str:
    """Indices as one would write them, such as [3, 1, 0]."""
    return f"[{', '.join(str(index) for index in place)}]"
