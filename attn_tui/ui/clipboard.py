"""What can be sent to the terminal's clipboard: the number under the cursor, its row, the table of results.

The way there is a sequence of the terminal's (OSC 52). It says nothing of whether the terminal took it, so nothing is
ever called copied here.
"""

from collections.abc import Callable
from dataclasses import dataclass

from attn_tui.core.diagnosis import spoken
from attn_tui.files.exports.rows import as_tabs
from attn_tui.model.figures import figure
from attn_tui.model.scene import QUERY, Cell
from attn_tui.ui.explorer import Explorer

MOST_BASE64 = 74_994
"""Characters that a text may have in base64: xterm and tmux drop longer ones without a word."""


@dataclass(frozen=True)
class Offer:
    """Something to send."""

    name: str
    """What it is."""
    text: Callable[[], str]
    """Made only when it is sent."""
    numbers: int
    """How many there are in it."""
    after: str
    """What pressing the key again sends."""

    @property
    def sentence(self) -> str:
        """What is said once it is sent."""
        return f"sent to the terminal's clipboard: {self.name} (y again: {self.after}; e: a file)"


def offers(explorer: Explorer) -> tuple[Offer, ...]:
    """What the key sends at the cursor, from the least to the most."""
    scene, cell = explorer.scene, explorer.cursor
    last = scene.head_size if cell.row == QUERY else scene.columns
    cells = [Cell(cell.row, column) for column in range(last)]
    row_name = "q" if cell.row == QUERY else spoken(scene.labels[cell.row])
    return (
        Offer(
            f"{scene.cell_name(cell)} {figure(scene.component(cell))}, all digits",
            lambda: repr(scene.component(cell)),
            1,
            "its row",
        ),
        Offer(
            f"row {row_name}, {_counted(last, 'number')}",
            lambda: "\t".join(repr(scene.component(each)) for each in cells),
            last,
            "the results",
        ),
        table(explorer),
    )


def table(explorer: Explorer) -> Offer:
    """The table of results, with headings."""
    scene, reading = explorer.scene, explorer.reading
    name = f"the table of results, {_counted(scene.count, 'key')}"
    return Offer(name, lambda: as_tabs(scene, reading), scene.count * scene.columns, "the number")


def send(explorer: Explorer, offer: Offer) -> None:
    """Send something and say so, or say that it is too long."""
    # a number and what parts it from the next are four characters at least: no millions are written out in vain
    text = offer.text() if 4 * offer.numbers <= MOST_BASE64 else None
    if text is None or 4 * -(-len(text.encode()) // 3) > MOST_BASE64:
        explorer.say(f"not sent: {offer.name}, is over the {MOST_BASE64:,} bytes that terminals take; e writes a file")
        return
    explorer.copy_to_clipboard(text)
    explorer.say(offer.sentence)


def _counted(count: int, what: str) -> str:
    """So many of something."""
    return f"{count} {what}{'' if count == 1 else 's'}"
