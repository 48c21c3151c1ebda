"""The help screen: every command with its keys, made of the table of commands."""

import textwrap
from collections.abc import Sequence
from itertools import groupby

from textual.app import ComposeResult
from textual.binding import Binding
from textual.containers import VerticalScroll
from textual.content import Content
from textual.screen import ModalScreen
from textual.widgets import Static

from attn_tui.ui.commands.command import Command

_KEY_WIDTH = 17
_WIDTH = 74
_INTRODUCTION = (
    "Move to a number and type: everything follows each key. Enter keeps the number, Esc puts the old one back. "
    "Paste a vector or a matrix anywhere; at the query's first number a matrix is a query and its keys."
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
            yield Static(_page(self._commands, max(20, min(_WIDTH, self.size.width - 5))))

    def on_mount(self) -> None:
        """Let the arrows scroll."""
        self.query_one(VerticalScroll).focus()

    def action_scroll_line(self, by: int) -> None:
        """Scroll by a line."""
        self.query_one(VerticalScroll).scroll_relative(y=by, animate=False)


def _page(commands: Sequence[Command], width: int) -> Content:
    """The introduction, then each group's commands, no line wider than this."""
    parts = [Content(textwrap.fill(_INTRODUCTION, width) + "\n")]
    for group, members in groupby(commands, key=lambda command: command.group):
        parts.append(Content(f"\n{group}\n").stylize("bold"))
        parts.extend(Content(_entry(member, width) + "\n") for member in members)
    return Content("").join(parts)


def _entry(command: Command, width: int) -> str:
    """A command's keys, and beside them what it does."""
    keys = f" {' '.join(command.key_names)} "
    return textwrap.fill(command.help, width, initial_indent=keys.ljust(_KEY_WIDTH), subsequent_indent=" " * _KEY_WIDTH)
