"""What a file holds: named arrays of known shape and dtype that have not been read yet."""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from numpy.typing import NDArray

from attn_tui.files.errors import ForeignError
from attn_tui.files.numbers import shown
from attn_tui.files.visible import visible

MOST_ENTRIES = 65_536
"""Arrays that one file may hold."""


@dataclass(frozen=True, eq=False)
class Entry:
    """An array of a file, not read yet: its name ('' for a lone one), shape and dtype."""

    name: str
    shape: tuple[int, ...]
    dtype: str
    """As NumPy and ml_dtypes call it, or "text"."""
    source: Callable[[], NDArray[Any]] = field(repr=False)
    """Reads it."""

    def read(self) -> NDArray[Any]:
        """The array, of `shape`, memory-mapped where the format allows it; raises ForeignError with the reason."""
        prefix = f"{shown(self.name)}: " if self.name else ""
        try:
            return self.source()
        except (ForeignError, OSError, MemoryError) as error:
            raise ForeignError(visible(f"{prefix}{because(error)}")) from None


@dataclass(frozen=True, eq=False)
class Container:
    """A file that has been listed: its name without folders, its arrays, and what was skipped or read how."""

    name: str
    entries: tuple[Entry, ...]
    notes: tuple[str, ...]


def because(error: Exception) -> str:
    """The reason in an error, as the end of a sentence: ours as it is, the system's and that of too little memory."""
    if isinstance(error, ForeignError):
        return str(error)
    if isinstance(error, MemoryError):
        return "takes more memory than there is"
    reason = error.strerror if isinstance(error, OSError) else None
    said = visible(reason or str(error) or type(error).__name__)
    return said[:1].lower() + said[1:]


@dataclass(frozen=True, eq=False)
class Listing:
    """What a format finds in a file: arrays, and notes in words."""

    entries: tuple[Entry, ...]
    notes: tuple[str, ...] = ()


class UnreadableError(ForeignError):
    """An array of a kind that is not read: what it holds, as the end of a sentence, and what to do about it."""

    def __init__(self, reason: str, advice: str = "") -> None:
        super().__init__(f"{reason}; {advice}" if advice else reason)
        self.reason = reason
