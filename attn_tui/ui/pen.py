"""The pen: the one text field of the explorer, which lies over whatever number can be typed.

It always has the focus and is always on the screen, over the cell under the cursor. That is why beginning to type
costs one frame: nothing is shown, hidden or focused. Until then it shows the cell and lets keys pass as commands.
"""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Protocol

from rich.segment import Segment
from textual import events
from textual.geometry import Offset, Size
from textual.message import Message
from textual.strip import Strip
from textual.widgets import Input

from attn_tui.ui.pane import Pane

PEN_WIDTH = 8
"""Cells that every number on the screen gets."""
_OPENING = frozenset("0123456789-+.−")
"""What begins a number."""
_NOT_IN_A_FIELD = frozenset({"copy", "cut", "paste", "scroll_up", "scroll_down", "page_up", "page_down"})
"""What keys do in Textual's text fields and have no business to do here."""
_LONGEST = 400
"""Characters that may be typed; a float64 that reads back as itself needs 24 at the most."""


class Field(Protocol):
    """A number that can be typed."""

    def place(self) -> Offset | None:
        """Where it is on the screen, None when it cannot be seen."""
        ...

    def name(self) -> str:
        """What it is called."""
        ...

    def figure(self) -> str:
        """How it looks while nobody types."""
        ...

    def text(self) -> str:
        """The whole number, as one would type it."""
        ...

    def typed(self, text: str) -> None:
        """Take what has been typed so far."""
        ...

    def is_finished(self) -> bool:
        """Whether what has been typed can be kept."""
        ...

    def keep(self) -> bool:
        """End the typing with the new number; False while that is unfinished."""
        ...

    def restore(self) -> None:
        """End the typing with the old number."""
        ...

    def refuse(self, why: str) -> None:
        """Say why what was typed last is not taken."""
        ...

    def paste(self, text: str) -> bool:
        """Take pasted text that is more than part of one number; False leaves it to the pen."""
        ...


@dataclass
class _Typing:
    """Whether a number is being typed, and in which field."""

    field: Field
    active: bool = False


class Pen(Input):
    """A text field that lies over a field of the screen."""

    cursor_blink = False

    def __init__(
        self, home: Field, press: Callable[[events.Key], Awaitable[None]], answers: Callable[[str], bool]
    ) -> None:
        super().__init__(max_length=_LONGEST, select_on_focus=False, compact=True, id="pen")
        self._home, self._press, self._answers = home, press, answers
        self._typing = _Typing(home)
        self._place = Offset(0, 0)

    def on_mount(self) -> None:
        """Be as wide as the field from the start, not from the first digit on."""
        self.virtual_size = Size(PEN_WIDTH, 1)

    @property
    def is_typing(self) -> bool:
        """Whether a number is being typed."""
        return self._typing.active

    @property
    def typing(self) -> str | None:
        """The name of the number that is being typed, and the text so far."""
        return f"{self._typing.field.name()} = {self.value}" if self._typing.active else None

    @property
    def field(self) -> Field:
        """The field under the pen."""
        return self._typing.field

    def rest_on(self, home: Field) -> None:
        """Lie over another field while nobody types."""
        self._home = home
        if not self._typing.active:
            self._typing = _Typing(home)

    @property
    def content_width(self) -> int:
        """Never less than the field, so that the layout is made anew only for a number that is longer."""
        return max(PEN_WIDTH, super().content_width)

    def post_message(self, message: Message) -> bool:
        """Send no word of each change up the tree, where nobody waits for it: what was typed is handed on already."""
        return not isinstance(message, Input.Changed) and super().post_message(message)

    def settle(self) -> None:
        """Lie over the field, wherever it has moved to."""
        place = self._typing.field.place()
        if place is not None and place != self._place:
            self._place = place
            self.styles.offset = place
        self.refresh()

    def begin(self, field: Field, text: str | None = None) -> None:
        """Begin to type in a field, with its own number selected or with a first character."""
        self._typing = _Typing(field, active=True)
        self.settle()
        self.value = field.text() if text is None else text
        if text is None:
            self.select_all()
        else:
            self.cursor_position = len(text)

    def end(self, *, keep: bool) -> None:
        """End the typing and go back to the cell under the cursor; an unfinished number cannot be kept."""
        ended = self._typing
        if not ended.active:
            return
        self._typing = _Typing(self._home)
        if keep and not ended.field.keep():
            self._typing = ended
            return
        self.value = ""
        if not keep:
            ended.field.restore()
        self.settle()

    def watch_value(self, value: str) -> None:
        """Hand every keystroke on at once, without a message."""
        if self._typing.active:
            self._typing.field.typed(value)

    def check_consume_key(self, key: str, character: str | None) -> bool:
        """Letters are commands until a number is being typed."""
        return self._typing.active and super().check_consume_key(key, character)

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """The keys of a text field are commands too until then."""
        return self._typing.active if action not in _NOT_IN_A_FIELD else False

    def restricted(self) -> None:
        """Say in words what a text field says with the bell: it is full."""
        self._typing.field.refuse(f"a number needs no more than {_LONGEST} characters")

    async def on_key(self, event: events.Key) -> None:
        """Begin with a digit; while typing, end with Enter, Esc and the keys that leave the cell.

        Commands run here and now: left to come up to the app by themselves, they would come after the digits that
        were typed right behind them.
        """
        if not self.screen.is_active:
            event.prevent_default().stop()
            await self._press(event)
        elif not self._typing.active:
            event.prevent_default().stop()
            if event.character is not None and self._answers(event.character):
                return
            if event.character is not None and event.character in _OPENING:
                self.begin(self._typing.field, event.character)
            else:
                await self._press(event)
        elif event.key in {"enter", "escape"}:
            event.prevent_default().stop()
            self.end(keep=event.key == "enter")
        elif event.key in {"tab", "shift+tab", "up", "down"}:
            event.prevent_default().stop()
            if self._typing.field.is_finished():
                await self._press(event)

    def on_paste(self, event: events.Paste) -> None:
        """Part of a number goes into the text, or begins it; anything more goes to the field."""
        event.prevent_default().stop()
        text = event.text.strip()
        if self._typing.field.paste(text):
            return
        if self._typing.active:
            self.replace(text, *self.selection)
        else:
            self.begin(self._typing.field, text)

    def _with_ellipses(self, text: Strip) -> Strip:
        """The text with a mark at each end that goes on out of sight, so that a part never reads as the whole."""
        mark = Strip([Segment(Pane.glyphs.ellipsis, self.get_component_rich_style("input--placeholder"))])
        width = text.cell_length
        if self.scroll_offset.x > 0:
            text = Strip.join([mark, text.crop(1, width)])
        if len(self.value) - self.scroll_offset.x > width:
            text = Strip.join([text.crop(0, width - 1), mark])
        return text

    def render_line(self, y: int) -> Strip:
        """The field's figure in the cursor's colours, until a number is being typed."""
        if self._typing.active:
            return self._with_ellipses(super().render_line(y))
        style = self.get_component_rich_style("input--cursor")
        return Strip([Segment(self._typing.field.figure().rjust(PEN_WIDTH - 1), style)])
