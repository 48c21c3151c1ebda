"""The general commands: help, palette, quit."""

from attn_tui.ui.commands.command import Declared
from attn_tui.ui.explorer import Explorer

COMMANDS = Declared()
command = COMMANDS.command


@command("question_mark f1", "Help", "General", footer="help", footer_place=1)
def help_screen(explorer: Explorer) -> None:
    """Show every key and what it does."""
    explorer.action_show_help()


@command("colon ctrl+p", "Palette", "General")
def palette(explorer: Explorer) -> None:
    """Search all commands and examples by name."""
    explorer.action_command_palette()


@command("q ctrl+q ctrl+c", "Quit", "General", footer="quit", footer_place=7)
def leave(explorer: Explorer) -> None:
    """Leave the explorer."""
    explorer.exit(explorer.scene)
