"""The open-file screen: a path, then the file's arrays, then a head and a row of them."""

import os
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from functools import partial

from textual import events
from textual.app import ComposeResult
from textual.containers import Vertical
from textual.content import Content
from textual.screen import ModalScreen
from textual.widgets import Input, Static

from attn_tui.core.arrays import FloatArray
from attn_tui.files import completion
from attn_tui.files.containers import Entry
from attn_tui.files.dumps import roles
from attn_tui.files.dumps.choosing import Choosing, look
from attn_tui.files.dumps.opening import open_file
from attn_tui.files.dumps.request import Opened, Request
from attn_tui.files.dumps.saved import saved_scene
from attn_tui.files.errors import ForeignError
from attn_tui.files.visible import visible
from attn_tui.ui.lines import Glyphs, cut, wrapped
from attn_tui.ui.screens.prompt import HARMLESS

_ROLE_KEYS = {
    "q": roles.QUERY, "k": roles.KEYS, "v": roles.VALUES, "m": roles.MASK, "t": roles.LABELS,
    "w": roles.WEIGHTS, "s": roles.SCORES,
}  # fmt: skip
"""Which letter gives the array under the cursor which role."""
_ROLE_WORDS = "q query  k keys  v values  m mask  t tokens  w weights  s scores"
_MOST_LOOKED_AT = 200
"""Arrays whose numbers are looked at."""
_BETWEEN_LOOKS = 0.1
"""Seconds between two pictures of how far that has come."""


@dataclass
class _State:
    """How far one has come: no file yet, then its arrays, then their heads."""

    choosing: Choosing | None = None
    at: int = 0
    """The array under the cursor, or the axis."""
    is_at_heads: bool = False
    looks: dict[str, tuple[str, str]] = field(default_factory=dict[str, tuple[str, str]])


class OpenFile(ModalScreen[None]):
    """Opens a file; whatever is wrong with it is said here, and the scene stays."""

    def __init__(self, request: Request, glyphs: Glyphs, own_query: FloatArray, done: Callable[[Opened], None]) -> None:
        super().__init__()
        self._request, self._glyphs, self._own_query, self._done = request, glyphs, own_query, done
        self._state, self._said = _State(), ""
        self._meant: dict[str, str] = {}

    def compose(self) -> ComposeResult:
        """The path, what there is, and what can be done."""
        with Vertical(id="open-file") as page:
            page.border_title = "Open a file"
            answer = Input(restrict=HARMLESS, placeholder="path of a file", compact=True, select_on_focus=False)
            answer.cursor_blink = False
            yield answer
            yield Static("", id="listing", markup=False)
            yield Static("", id="said", markup=False)

    def on_mount(self) -> None:
        """Begin when there is a screen."""
        # only after the first refresh, which gives the focus to the path
        self.call_after_refresh(self._begin)

    def _begin(self) -> None:
        """Show the folder, or the file that is to be opened already."""
        self._type(self._request.path)
        if self._request.path and not self._request.path.endswith("/"):
            self._try(self._request)
        self._show()

    def on_input_changed(self) -> None:
        """Show what begins so."""
        self._said = ""
        self._show()

    def on_input_submitted(self, event: Input.Submitted) -> None:
        """List the file's arrays, or go into the folder."""
        event.stop()
        path = self._path
        found = completion.matching(path)
        path = found[0] if len(found) == 1 and not path.endswith("/") else path
        self._type(path)
        if path and not path.endswith("/"):
            self._try(replace(self._request, path=os.path.expanduser(path)))

    async def on_key(self, event: events.Key) -> None:
        """Tab completes; in the list arrows move, letters give roles, digits answer, Enter goes on, Esc goes back."""
        if event.key == "escape":
            event.stop()
            self._back()
        elif self._state.choosing is None:
            if event.key == "tab":
                event.stop().prevent_default()
                self._type(completion.completed(self._path))
        else:
            event.stop().prevent_default()
            self._choose(event.key, event.character or "")
            self._show()

    @property
    def _input(self) -> Input:
        """The path's line."""
        return self.query_one(Input)

    @property
    def _path(self) -> str:
        """The path that is meant: a name that cannot be shown as it is stands in the line as it can."""
        return self._meant.get(self._input.value, self._input.value)

    def _type(self, path: str) -> None:
        """Put a path into the line, made harmless."""
        shown = visible(path)
        self._meant[shown] = path
        self._input.value = shown
        self._input.cursor_position = len(shown)

    def _try(self, request: Request) -> None:
        """Go on to a file's arrays, or to the scene that it holds, or say why not."""
        try:
            if saved_scene(request.path) is not None:
                self._finish(open_file(request))
                return
            self._set(Choosing.of(request, self._own_query))
        except ForeignError as problem:
            self._said = str(problem)
        else:
            self.set_focus(None)
            self.run_worker(self._look, thread=True, exclusive=True)
        self._show()

    def _set(self, choosing: Choosing) -> None:
        """Show how far the file has come; what was wrong before is no longer said."""
        self._state.choosing, self._said = choosing, ""

    def _back(self) -> None:
        """One step back: from the heads to the arrays, from those to the path, from that to the explorer."""
        if self._state.is_at_heads:
            self._state.is_at_heads, self._state.at, self._said = False, 0, ""
        elif self._state.choosing is not None:
            self._state, self._said = _State(), ""
            self._input.focus()
        else:
            self.dismiss()
            return
        self._show()

    def _look(self) -> None:
        """Look at the arrays' numbers, one after the other."""
        choosing = self._state.choosing
        if choosing is None:
            return
        shown = 0.0
        for entry in choosing.container.entries[:_MOST_LOOKED_AT]:
            if self._state.choosing is None or self._state.choosing.container.name != choosing.container.name:
                return
            self._state.looks[entry.name] = look(entry)
            if time.monotonic() - shown > _BETWEEN_LOOKS:
                shown = time.monotonic()
                self.call_later(self._show)
        self.call_later(self._show)

    def _choose(self, key: str, character: str) -> None:
        """Do what a key does in the list."""
        choosing = self._state.choosing
        if choosing is None:
            return
        is_question = bool(choosing.choices)
        entries = choosing.choices if is_question else choosing.container.entries
        count = len(choosing.head) + 1 if self._state.is_at_heads else len(entries)
        steps = {"up": -1, "k": -1, "down": 1, "j": 1} if self._state.is_at_heads else {"up": -1, "down": 1}
        if key in steps:
            self._state.at = (self._state.at + steps[key]) % max(1, count)
        elif self._state.is_at_heads and key in {"left", "h", "right", "l"}:
            self._set(choosing.moved(self._state.at, 1 if key in {"right", "l"} else -1))
        elif character.isdecimal() and 1 <= int(character) <= len(choosing.choices):
            self._answer(choosing, int(character) - 1)
        elif key == "enter":
            self._answer(choosing, self._state.at) if is_question else self._go_on(choosing)
        elif character in _ROLE_KEYS and not self._state.is_at_heads and count and not is_question:
            self._attempt(partial(choosing.assigned, choosing.container.entries[self._state.at], _ROLE_KEYS[character]))

    def _answer(self, choosing: Choosing, number: int) -> None:
        """Take one of the choices."""
        self._state.at = 0
        self._attempt(partial(choosing.chosen, number))

    def _attempt(self, change: Callable[[], Choosing]) -> None:
        """Change the request, or say why that cannot be."""
        try:
            self._set(change())
        except ForeignError as problem:
            self._said = str(problem)

    def _go_on(self, choosing: Choosing) -> None:
        """To the heads where there are several, else to the scene."""
        if choosing.dump is None:
            return
        if not self._state.is_at_heads and (any(n > 1 for n in choosing.dump.shape) or choosing.dump.query_count > 1):
            self._state.is_at_heads, self._state.at = True, 0
            return
        try:
            opened = choosing.opened()
        except ForeignError as problem:
            self._said = str(problem)
            return
        self._finish(opened)

    def _finish(self, opened: Opened) -> None:
        """Leave for the scene."""
        self.dismiss()
        self._done(opened)

    def _show(self) -> None:
        """Draw the list and what can be done now."""
        if not self.is_mounted:
            return
        width, height = max(20, self.size.width - 6), max(4, self.size.height - 8)
        choosing, state = self._state.choosing, self._state
        if choosing is None:
            lines = _path_lines(completion.matching(self._path), height)
            said = self._said or ("" if lines else "no file begins so; ") + "Tab completes, Enter opens, Esc leaves"
        elif state.is_at_heads:
            lines = _axis_lines(choosing, state.at, self._glyphs)
            said = self._said or "left and right choose, up and down go to another axis, Enter opens, Esc goes back"
        else:
            lines = _choice_lines(choosing, state.at, self._glyphs) if choosing.choices else []
            lines += _array_lines(choosing, state, self._glyphs, height)
            said = "\n".join(self._said_of(choosing))
        first = max(0, min(state.at - height // 2, len(lines) - height)) if choosing and choosing.choices else 0
        shown = [cut(line, width, self._glyphs) for line in lines[first : first + height]]
        self.query_one("#listing", Static).update(Content("\n".join(shown)))
        self.query_one("#said", Static).update(Content("\n".join(wrapped_lines(said, width))))

    def _said_of(self, choosing: Choosing) -> Sequence[str]:
        """The question with its answers, what is wrong, or how to go on."""
        if choosing.choices:
            return [visible(choosing.question), "a digit or Enter chooses, Esc goes back"]
        if choosing.problem or self._said:
            return [self._said or choosing.problem, f"say what an array is: {_ROLE_WORDS}; Esc goes back"]
        return [f"Enter goes on, Esc goes back; or say what an array is: {_ROLE_WORDS}"]


def wrapped_lines(text: str, width: int) -> list[str]:
    """Lines of text, each as long as there is room."""
    return [piece for line in text.split("\n") for piece in wrapped(line, width)]


def _path_lines(paths: Sequence[str], height: int) -> list[str]:
    """As many paths as there is room for, and how many more there are."""
    if len(paths) <= height:
        return [visible(path) for path in paths]
    return [*(visible(path) for path in paths[: height - 1]), f"... and {len(paths) - height + 1} more"]


def _choice_lines(choosing: Choosing, at: int, glyphs: Glyphs) -> list[str]:
    """A line for each way to read the file, and a blank one."""
    marks = [glyphs.right if i == at else " " for i in range(len(choosing.choices))]
    ways = enumerate(zip(marks, choosing.choices, strict=True), 1)
    return [*(f"{mark} {i if i < 10 else ' '} {visible(choice.words)}" for i, (mark, choice) in ways), ""]


def _array_lines(choosing: Choosing, state: _State, glyphs: Glyphs, height: int) -> list[str]:
    """A line for each array around the cursor: its role, name, shape, dtype, whether it is finite, how it begins."""
    entries = choosing.container.entries
    first = max(0, min(state.at - height // 2, len(entries) - height))
    shown = range(first, min(len(entries), first + height))
    name_width = min(24, max((len(visible(entries[i].name)) for i in shown), default=4))
    return [_array_line(choosing, state, entries[i], i, name_width, glyphs) for i in shown]


def _array_line(choosing: Choosing, state: _State, entry: Entry, i: int, name_width: int, glyphs: Glyphs) -> str:
    """One array."""
    mark = glyphs.right if i == state.at and not choosing.choices else " "
    finite, preview = state.looks.get(entry.name, (glyphs.ellipsis, ""))
    shape = " x ".join(str(length) for length in entry.shape) or "1 number"
    name = visible(entry.name) or "array"
    return f"{mark} {choosing.role(entry):<7} {name:<{name_width}} {shape:<16} {entry.dtype:<8} {finite:<8} {preview}"


def _axis_lines(choosing: Choosing, at: int, glyphs: Glyphs) -> list[str]:
    """A line for each leading axis, and one for the row."""
    if choosing.dump is None:
        return []
    names = {"L": "layer", "H": "head", "B": "batch"}
    pairs = zip(choosing.dump.axes, choosing.dump.shape, strict=True)
    axes = [(names.get(axis, axis), length) for axis, length in pairs]
    rows = [*zip(axes, choosing.head, strict=True), (("query", choosing.dump.query_count), choosing.row)]
    label = visible(choosing.dump.query_labels[choosing.row])
    lines = [
        f"{glyphs.right if i == at else ' '} {name:<6} {index} of 0-{length - 1}"
        for i, ((name, length), index) in enumerate(rows)
    ]
    return [*lines[:-1], f"{lines[-1]}  {label}"]
