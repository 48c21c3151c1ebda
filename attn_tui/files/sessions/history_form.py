"""A history as JSON, and back: the oldest scene whole, every other one as what changed from the one before it."""

from collections.abc import Callable
from itertools import pairwise
from typing import Any

from attn_tui.core.arrays import FloatArray
from attn_tui.files.errors import ForeignError
from attn_tui.files.json_numbers import Json, index_from_json, list_from_json, object_from_json, text_from_json
from attn_tui.files.sessions.changes import changes, with_changes
from attn_tui.files.sessions.layout import MARK, VERSION, at_once, by_lines, on_one_line
from attn_tui.files.sessions.scene_form import scene_of_parts, scene_to_json
from attn_tui.model.history import MOST_BYTES, History, Step

MOST_WRITTEN = 16 * 2**20
"""Bytes that a history's file may have, or one scene's where that is more: the oldest steps are left out."""
_BETWEEN, _AROUND = 2, 80
"""Bytes between two steps, and at the most around all of them."""
_SHRUNK = 0.75
"""To what part of that it shrinks, so that not every step from then on makes another scene the oldest."""


class HistoryWriter:
    """Writes one history again and again as it grows, each step only once."""

    def __init__(self, most: int = MOST_WRITTEN, breathe: Callable[[], None] = at_once) -> None:
        self._most, self._breathe = most, breathe
        self._oldest: tuple[Step, bytes] | None = None
        self._lines: dict[tuple[int, int], tuple[Step, Step, bytes]] = {}

    def content(self, history: History) -> bytes:
        """The whole file, the oldest steps left out where it would be too large."""
        steps = (*history.past, *reversed(history.future))
        now = len(history.past) - 1
        lines = self._changes(steps)
        first, last = self._kept(steps, [len(line) + _BETWEEN for line in lines], now)
        head = f'{{\n"{MARK}": {VERSION},\n"now": {now - first},\n"steps": [\n'.encode()
        return head + b",\n".join([self._whole(steps[first]), *lines[first:last]]) + b"\n]\n}\n"

    def _changes(self, steps: tuple[Step, ...]) -> list[bytes]:
        """A line for each step but the first; those that are no longer in the history are forgotten."""
        known = self._lines
        self._lines = {}
        for before, step in pairwise(steps):
            pair = id(before), id(step)
            self._lines[pair] = known.get(pair) or (before, step, _change(before, step))
        return [line for _, _, line in self._lines.values()]

    def _whole(self, step: Step) -> bytes:
        """A step with its whole scene."""
        if self._oldest is None or self._oldest[0] is not step:
            entries: dict[str, Json] = {"what": step.what, **scene_to_json(step.scene)}
            self._oldest = step, by_lines(entries, self._breathe).encode()
        return self._oldest[1]

    def _kept(self, steps: tuple[Step, ...], sizes: list[int], now: int) -> tuple[int, int]:
        """The first and the last of the steps that there is room for; the present is always among them."""
        oldest = self._oldest
        first = next((i for i, step in enumerate(steps[: now + 1]) if oldest and oldest[0] is step), 0)
        room = self._most - _AROUND
        while first < now and len(self._whole(steps[first])) + sum(sizes[first:]) > room:
            room = int(_SHRUNK * self._most) - _AROUND
            left = room - len(self._whole(steps[first]))
            first += 1
            while first < now and sum(sizes[first:]) > left:
                first += 1
        last = len(sizes)
        while last > now and len(self._whole(steps[first])) + sum(sizes[first:last]) > room:
            last -= 1
        return first, last


def is_history(content: dict[str, object]) -> bool:
    """Whether a session's file holds more than one scene."""
    return "steps" in content


def history_from_json(content: dict[str, object]) -> History:
    """The history in a file's content. Raises ForeignError, naming the step that makes no sense."""
    found = list_from_json(content.get("steps"), "steps")
    now = index_from_json(content.get("now"), "now")
    if now >= len(found):
        raise ForeignError(f"now is {now}, and there are {len(found)} steps")
    steps: list[Step] = []
    parts: dict[str, Any] = {}
    room = _Room()
    for number, entry in enumerate(found):
        try:
            entries = object_from_json(entry, "it")
            parts = with_changes(parts, entries)
            steps.append(Step(scene_of_parts(parts), text_from_json(entries.get("what"), "what")))
            room.take(parts, is_whole=number == 0)
        except ForeignError as error:
            raise ForeignError(f"steps[{number}]: {error}") from None
    return History(tuple(steps[: now + 1]), tuple(reversed(steps[now + 1 :])))


class _Room:
    """How much memory the arrays take that are in the file only as changes: a short file must not fill a machine."""

    def __init__(self) -> None:
        self._left = MOST_BYTES
        self._last: dict[str, FloatArray] = {}

    def take(self, parts: dict[str, Any], *, is_whole: bool) -> None:
        """Count what is new. Raises ForeignError where it is too much."""
        arrays: dict[str, FloatArray] = {
            name: parts[name] for name in ("keys", "values") if parts.get(name) is not None
        }
        size = sum(array.nbytes for name, array in arrays.items() if array is not self._last.get(name))
        self._last = arrays
        self._left += size if is_whole else -size
        if self._left < 0:
            raise ForeignError(f"the steps need more than {MOST_BYTES // 2**20} MB")


def _change(before: Step, step: Step) -> bytes:
    """The line of a step."""
    return on_one_line({"what": step.what, **changes(before.scene, step.scene)}).encode()
