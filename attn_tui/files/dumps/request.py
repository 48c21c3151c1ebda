"""What is asked for when a file is opened, and what is asked back when it can be read in more than one way."""

from collections.abc import Sequence
from dataclasses import dataclass, field

from attn_tui.files.arguments import SceneArguments
from attn_tui.files.errors import ForeignError
from attn_tui.model.scene import Scene

_OFFERED = 9
"""Ways of reading that a sentence names."""


@dataclass(frozen=True)
class Request:
    """A file, and whatever is said about how to read it."""

    path: str
    """A file's name, - for standard input."""
    maps: tuple[str, ...] = ()
    """Such as q=NAME, q=FILE or q=FILE:NAME."""
    layout: str | None = None
    """A letter for each axis, such as bhtd."""
    head: str | None = None
    """Indices of the leading axes, such as 3,1."""
    row: int | None = None
    """Which query; below 0 from the end, the last by default."""
    transpose: bool = False
    """Whether the keys are columns: (hs, T)."""
    arguments: SceneArguments = field(default_factory=SceneArguments)
    """Vectors and settings that fill in or override the file's."""


@dataclass(frozen=True)
class Choice:
    """One of the ways in which a file can be read."""

    words: str
    flags: str
    """What to say on the command line for it."""
    request: Request


class UndecidedError(ForeignError):
    """A file can be read in more than one way, and only a person can tell which is meant."""

    def __init__(self, text: str, choices: Sequence[Choice]) -> None:
        ways = "; ".join(f"{choice.flags}: {choice.words}" for choice in choices[:_OFFERED])
        more = f"; and {len(choices) - _OFFERED} more" if len(choices) > _OFFERED else ""
        super().__init__(f"{text}: {ways}{more}")
        self.text, self.choices = text, tuple(choices)


@dataclass(frozen=True, eq=False)
class Opened:
    """A scene, and what a person should know of how it was read."""

    scene: Scene
    notes: tuple[str, ...]
