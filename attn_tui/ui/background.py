"""Work in the background: an iterator that runs in a thread, and the newest of what it has yielded.

The thread touches nothing that the screen is made of. What it yields is handed over to the turn of the screen, and all
that is seen of it changes there; so no lock is needed, and a key never waits for more than a line of Python.
"""

import time
from collections.abc import Callable, Iterator
from functools import partial
from typing import Generic, TypeVar

from textual.worker import (
    Worker,
    get_current_worker,  # pyright: ignore[reportUnknownVariableType] - Textual does not say of what
)

from attn_tui.ui.fields import Desk

FRAME = 0.1
"""Seconds between two states that are handed over."""
_BREATH = 0.001
"""Seconds that the thread rests after each step, so that whoever waits for Python's lock gets it."""

Step = TypeVar("Step")


class Background(Generic[Step]):
    """One kind of work, of which there is one run at a time."""

    def __init__(self, desk: Desk, kind: str, changed: Callable[[], None]) -> None:
        self._desk, self._kind, self._changed = desk, kind, changed
        self._worker: Worker[None] | None = None
        self.newest: Step | None = None
        """The last state of the last run that was handed over."""

    @property
    def is_running(self) -> bool:
        """Whether there is more to come."""
        return self._worker is not None

    def start(self, steps: Iterator[Step], first: Step) -> None:
        """Run through the steps, in place of whatever ran; until one is handed over, `first` is the newest."""
        self.cancel()
        self.newest = first
        self._worker = self._desk.work(partial(self._run, steps), self._kind)

    def cancel(self) -> None:
        """Stop at the next step. What is found so far stays."""
        if self._worker is not None:
            self._worker.cancel()
            self._worker = None

    def forget(self) -> None:
        """Stop, and keep nothing."""
        self.cancel()
        self.newest = None

    def _run(self, steps: Iterator[Step]) -> None:
        """In the thread: step by step, until there is no more or the result is not wanted."""
        worker, handed_over, newest = _this_worker(), time.monotonic(), None
        for newest in steps:
            if worker.is_cancelled:
                return
            if time.monotonic() - handed_over >= FRAME:
                handed_over = time.monotonic()
                self._desk.later(partial(self._take, worker, newest, is_last=False))
            time.sleep(_BREATH)
        self._desk.later(partial(self._take, worker, newest, is_last=True))

    def _take(self, worker: object, newest: Step | None, *, is_last: bool) -> None:
        """In the turn of the screen: take a state over, unless its run has been replaced."""
        if worker is not self._worker:
            return
        if newest is not None:
            self.newest = newest
        if is_last:
            self._worker = None
        self._changed()


def _this_worker() -> Worker[None]:
    """The worker whose thread this is."""
    return get_current_worker()  # pyright: ignore[reportUnknownVariableType]
