"""The program on the screen: the explorer with its keys, its palette and its help."""

import asyncio
import signal
from collections.abc import Callable, Iterable
from functools import partial
from typing import TYPE_CHECKING, ClassVar

from textual.app import ComposeResult, SystemCommand
from textual.binding import Binding, BindingType
from textual.screen import Screen
from textual.theme import BUILTIN_THEMES
from textual.widgets import Static

from attn_tui.model.examples import EXAMPLES
from attn_tui.model.history import History
from attn_tui.model.scene import Scene
from attn_tui.ui import classroom
from attn_tui.ui.autosave import Autosave
from attn_tui.ui.commands.command import Command
from attn_tui.ui.commands.files import ask_for_file
from attn_tui.ui.commands.table import COMMANDS, by_id
from attn_tui.ui.explorer import LEAST_HEIGHT, LEAST_WIDTH, Explorer
from attn_tui.ui.footer import Footer
from attn_tui.ui.keymap import Keymap
from attn_tui.ui.lines import ASCII, UNICODE
from attn_tui.ui.pane import Pane
from attn_tui.ui.plain import PlainDriver
from attn_tui.ui.screens.help import Help

_NOT_RESTRICTED = frozenset({"screenshot", "suspend_process"})
"""Textual's own actions that write a file, or leave the explorer for the shell."""

if TYPE_CHECKING:
    from attn_tui.files.dumps.request import Request


class AttnApp(Explorer):
    """The explorer that `attn-tui` starts."""

    TITLE = "attn-tui"
    CSS_PATH = "app.tcss"
    COMMAND_PALETTE_BINDING = "ctrl+backslash"
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding(",".join(command.keys), f"command('{command.id}')", command.title, id=command.id, show=False)
        for command in COMMANDS
    ]

    def __init__(
        self,
        scene: Scene,
        *,
        ascii_only: bool = False,
        theme: str | None = None,
        few_colours: bool = False,
        no_colour: bool = False,
        keymap: Keymap | None = None,
        autosave: Autosave | None = None,
        is_restricted: bool = False,
    ) -> None:
        super().__init__(scene, PlainDriver if no_colour else None)
        self.animation_level = "none"
        Pane.glyphs = ASCII if ascii_only else UNICODE
        self.set_class(ascii_only, "-ascii")
        self.set_class(no_colour, "-plain")
        chosen = keymap or Keymap(COMMANDS)
        self._autosave = autosave
        """Keeps the history on the disk, where it is to be kept."""
        if autosave is not None:
            autosave.complain = lambda complaint: self.later(partial(self.say, complaint))
        self.is_restricted = is_restricted
        self.commands, self.message = _allowed(chosen.commands, is_restricted=is_restricted), chosen.complaint
        self.footer = Footer(self.commands)
        self._begins_with: Callable[[], None] | None = None
        self.lines.append(self.footer)
        if no_colour or few_colours or theme is not None:
            self.theme = theme if theme is not None and not no_colour else "ansi-dark"

    def on_mount(self) -> None:
        """Leave in good order when the terminal goes or the process is told to."""
        super().on_mount()
        if self._begins_with is not None:
            self.call_after_refresh(self._begins_with)
        if self.commands is not COMMANDS:
            self.set_keymap({command.id: ",".join(command.keys) for command in self.commands})
        loop = asyncio.get_running_loop()
        for number in (signal.SIGHUP, signal.SIGTERM):
            loop.add_signal_handler(number, partial(self.exit, return_code=128 + number))
        if self.is_restricted:
            loop.add_signal_handler(signal.SIGTSTP, lambda: None)  # it stays

    def on_unmount(self) -> None:
        """However it ends: let nothing be lost."""
        if self._autosave is not None:
            self._autosave.finish()

    def remember(self, history: History) -> None:
        """Have the history kept too, once the screen shows it."""
        if self._autosave is not None and history is not self.history:
            self._autosave.take(history)
            self.call_after_refresh(self._autosave.wake)
        super().remember(history)

    def compose(self) -> ComposeResult:
        """The explorer, the footer, and the notice that takes their place when there is no room."""
        yield from super().compose()
        yield self.footer
        yield Static(
            f"attn-tui needs {LEAST_WIDTH} x {LEAST_HEIGHT} cells; enlarge the window, or q to quit", id="small"
        )

    def action_command(self, command_id: str) -> None:
        """Do what the command of this id does."""
        command = by_id(command_id)
        if command.touches_files and self.is_restricted:
            self.say(f"{command.title}: not in a restricted session")
            return
        self.run_command(command.run, may_leave=command.id == "leave")

    def go_on_with(self, history: History) -> None:
        """Begin with the history of a session, whose scene is shown already."""
        self.history = history
        steps = len(history.past) - 1
        self.message = self.message or f"resumed: {steps} change{'s' * (steps != 1)} can be undone"

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Whether an action may be done: in a restricted session none of Textual's that leave it or write a file."""
        if self.is_restricted and action in _NOT_RESTRICTED:
            return False
        return super().check_action(action, parameters)

    def ask_how_to_read(self, request: "Request") -> None:
        """Begin with the open-file screen, for a file that can be read in several ways."""
        self._begins_with = partial(ask_for_file, self, request)

    def open_lesson(self, at: int | None) -> None:
        """Begin with the lesson, at a step or where the learner left it, as soon as there is a screen."""
        self._begins_with = partial(classroom.open_lesson, self, at)

    def answer(self, character: str) -> bool:
        """Answer the lesson's question."""
        return classroom.answer(self, character)

    def task_done(self) -> None:
        """Keep that the step is done."""
        classroom.task_done(self)

    def action_show_help(self) -> None:
        """Show the help screen."""
        self.push_screen(Help(self.commands))

    def get_system_commands(self, screen: Screen[object]) -> Iterable[SystemCommand]:
        """The palette's entries: every command, every example, every theme."""
        for command in self.commands:
            keys = ", ".join(command.key_names)
            words = _unmarked(f"{command.help} ({keys})")
            yield SystemCommand(command.title, words, partial(self.action_command, command.id))
        for example in EXAMPLES:
            title = f"Open example: {example.name}"
            yield SystemCommand(title, _unmarked(example.title), partial(self._open_example, example.name))
        for theme in self.available_themes:
            yield SystemCommand(f"Theme: {theme}", "Change the colours", partial(self._set_theme, theme))

    def _open_example(self, name: str) -> None:
        """Show an example."""
        scene = next(example for example in EXAMPLES if example.name == name).make()
        self.open(scene, f"open {name}")

    def _set_theme(self, name: str) -> None:
        """Change the colours."""
        self.theme = name


def _allowed(commands: tuple[Command, ...], *, is_restricted: bool) -> tuple[Command, ...]:
    """The commands to offer: in a restricted session those that touch no file."""
    return tuple(command for command in commands if not command.touches_files) if is_restricted else commands


def _unmarked(text: str) -> str:
    """Text for the palette, which takes brackets for markup."""
    return text.replace("[", r"\[")


def theme_names() -> list[str]:
    """The themes there are to choose from."""
    return sorted(BUILTIN_THEMES)
