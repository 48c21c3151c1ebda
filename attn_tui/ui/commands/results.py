"""Commands that take results out: to the terminal's clipboard and into files."""

from attn_tui.ui.commands.command import Declared
from attn_tui.ui.explorer import Explorer

COMMANDS = Declared()
command = COMMANDS.command


@command("y", "To the clipboard", "Files")
def copy(explorer: Explorer) -> None:
    """Send the number under the cursor to the terminal's clipboard; again for its row, and for the table of results."""
    from attn_tui.ui import clipboard  # noqa: PLC0415 - the exporters are not needed before

    offers = clipboard.offers(explorer)
    said = [offer.sentence for offer in offers]
    wider = said.index(explorer.said_before) + 1 if explorer.said_before in said else 0
    clipboard.send(explorer, offers[wider % len(offers)])


@command("e", "Export", "Files", touches_files=True)
def export(explorer: Explorer) -> None:
    """Write the results or the screen into a file, or send the table of results to the terminal's clipboard."""
    from attn_tui.ui.choices import CHOICES  # noqa: PLC0415 - the exporters are not needed before
    from attn_tui.ui.screens.export import Export  # noqa: PLC0415

    explorer.push_screen(Export(CHOICES, lambda choice: choice.take(explorer)))
