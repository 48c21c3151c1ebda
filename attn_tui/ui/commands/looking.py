"""Commands that change what is seen, and the general ones."""

from attn_tui.ui.commands.command import Declared
from attn_tui.ui.explorer import Explorer

COMMANDS = Declared()
command = COMMANDS.command


@command("o", "Order by weight", "Look")
def order(explorer: Explorer) -> None:
    """Order the bars by weight, or as the keys are."""
    explorer.by_weight = not explorer.by_weight
    explorer.say("bars ordered by weight" if explorer.by_weight else "bars in the order of the keys")


@command("question_mark f1", "Help", "General", footer="help", footer_place=1)
def help_screen(explorer: Explorer) -> None:
    """Show every key and what it does."""
    explorer.action_show_help()


@command("colon ctrl+p", "Palette", "General", footer="palette", footer_place=6)
def palette(explorer: Explorer) -> None:
    """Search all commands and examples by name."""
    explorer.action_command_palette()


@command("q ctrl+q ctrl+c", "Quit", "General", footer="quit", footer_place=7)
def leave(explorer: Explorer) -> None:
    """Leave the explorer."""
    explorer.exit(explorer.scene)
