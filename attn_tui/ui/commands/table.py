"""The one table of commands, in the order of the help screen."""

from attn_tui.ui.commands import editing, files, general, lesson, looking, moving, results, settings
from attn_tui.ui.commands.command import Command

_FILES = (moving, editing, settings, looking, files, results, lesson, general)
COMMANDS: tuple[Command, ...] = tuple(command for file in _FILES for command in file.COMMANDS)
"""Every command there is."""


def by_id(command_id: str) -> Command:
    """The command of this id."""
    return next(command for command in COMMANDS if command.id == command_id)


def markdown() -> str:
    """The table of keys, as the README has it."""
    rows = [f"| {' '.join(f'`{key}`' for key in command.key_names)} | {command.help} |" for command in COMMANDS]
    return "\n".join(["| keys | what they do |", "|---|---|", *rows])
