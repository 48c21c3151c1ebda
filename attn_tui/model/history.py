"""Undo and redo: a list of scenes with a place in it, pure and bounded."""

from dataclasses import dataclass, replace
from typing import Self

from attn_tui.model.scene import Scene

MOST_STEPS = 1000
"""How many steps are kept."""
MOST_BYTES = 256 * 2**20
"""How much memory the arrays of all steps may take; arrays that steps share count once."""


@dataclass(frozen=True)
class Step:
    """A scene and what made it, in a few words."""

    scene: Scene
    what: str


@dataclass(frozen=True)
class History:
    """The steps that led to a scene, and those that were undone."""

    past: tuple[Step, ...]
    """At least one; the last is the present."""
    future: tuple[Step, ...] = ()
    """What redo brings back, the nearest last."""

    @classmethod
    def of(cls, scene: Scene, what: str = "start") -> Self:
        """A history that begins with a scene."""
        return cls((Step(scene, what),))

    @property
    def scene(self) -> Scene:
        """The present."""
        return self.past[-1].scene

    @property
    def what(self) -> str:
        """What made the present."""
        return self.past[-1].what

    def record(self, scene: Scene, what: str) -> Self:
        """One step on; what was undone is gone, and so are the oldest steps when there are too many."""
        if scene is self.scene:
            return self
        past = (*self.past, Step(scene, what))[-MOST_STEPS:]
        return replace(self, past=_lightened(past), future=())

    def undo(self) -> Self | None:
        """One step back, None at the first."""
        if len(self.past) == 1:
            return None
        return replace(self, past=self.past[:-1], future=(*self.future, self.past[-1]))

    def redo(self) -> Self | None:
        """One step forward again, None at the last."""
        if not self.future:
            return None
        return replace(self, past=(*self.past, self.future[-1]), future=self.future[:-1])


def _lightened(past: tuple[Step, ...]) -> tuple[Step, ...]:
    """The newest steps that fit into memory, at least the last two."""
    seen: set[int] = set()
    size = 0
    for kept, step in enumerate(reversed(past)):
        for array in (step.scene.query, step.scene.keys, step.scene.values, step.scene.mask):
            if array is not None and id(array) not in seen:
                seen.add(id(array))
                size += array.nbytes
        if size > MOST_BYTES and kept >= 2:
            return past[-kept:]
    return past
