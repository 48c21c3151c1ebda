"""The help screen: every command with its keys, made of the table of commands."""

from collections.abc import Sequence
from itertools import groupby

from textual.app import ComposeResult
from textual.binding import Binding
from textual.containers import VerticalScroll
from textual.content import Content
from textual.screen import ModalScreen
from textual.widgets import Static

from attn_tui.ui.commands.command import Command

_KEY_WIDTH = 18
_INTRODUCTION = (
    "Move to a number and type: everything follows each key. Enter keeps it, Esc puts the old one back.\n"
    "Paste a vector or a matrix anywhere; at the query's first number a matrix is a query and its keys.\n"
)


class Help(ModalScreen[None]):
    """All keys; any of the closing ones closes it."""

    BINDINGS = [  # noqa: RUF012 - Textual declares it so
        Binding("escape,q,question_mark,f1,enter", "dismiss", "Close", show=False),
        Binding("j", "scroll_line(1)", show=False),
        Binding("k", "scroll_line(-1)", show=False),
    ]

    def __init__(self, commands: Sequence[Command]) -> None:
        super().__init__()
        self._commands = commands

    def compose(self) -> ComposeResult:
        """One long page."""
        with VerticalScroll(id="help") as page:
            page.border_title = "Help"
            page.border_subtitle = "arrows scroll, Esc closes"
            yield Static(_page(self._commands))

    def on_mount(self) -> None:
        """Let the arrows scroll."""
        self.query_one(VerticalScroll).focus()

    def action_scroll_line(self, by: int) -> None:
        """Scroll by a line."""
        self.query_one(VerticalScroll).scroll_relative(y=by, animate=False)


def _page(commands: Sequence[Command]) -> Content:
    """The introduction, then each group's commands."""
    parts = [Content(_INTRODUCTION)]
    for group, members in groupby(commands, key=lambda command: command.group):
        parts.append(Content(f"\n{group}\n").stylize("bold"))
        for member in members:
            keys = " ".join(member.key_names)
            parts.append(Content(f"  {keys:<{_KEY_WIDTH}} {member.help}\n"))
    return Content("").join(parts)
