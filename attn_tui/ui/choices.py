"""What the export screen offers."""

from collections.abc import Callable
from dataclasses import dataclass

from attn_tui.files.exports.formats import FORMATS, Format, file_name
from attn_tui.ui import clipboard, printout
from attn_tui.ui.explorer import Explorer
from attn_tui.ui.saving import ask_for_name


@dataclass(frozen=True)
class Choice:
    """A line of the export screen."""

    name: str
    summary: str
    take: Callable[[Explorer], None]
    """What is done when it is chosen, the explorer being on the screen again."""


def _as_format(entry: Format) -> Choice:
    """A choice of a format that needs no screen."""

    def take(explorer: Explorer) -> None:
        """Ask where to write it."""
        ask_for_name(explorer, entry.make(explorer.scene, explorer.reading), file_name(explorer.scene, entry.ending))

    return Choice(entry.name, entry.summary, take)


def _as_picture(name: str, summary: str, ending: str, make: Callable[[Explorer], str]) -> Choice:
    """A choice of a format that the screen is made of."""

    def take(explorer: Explorer) -> None:
        """Ask where to write it."""
        ask_for_name(explorer, make(explorer).encode(), file_name(explorer.scene, ending))

    return Choice(name, summary, take)


CHOICES = (
    *map(_as_format, FORMATS),
    _as_picture("Text", "this screen, without colours", "screen.txt", printout.as_text),
    _as_picture("SVG", "this screen, as a picture", "screen.svg", printout.as_svg),
    Choice(
        "Clipboard",
        "the table of results, to the terminal's",
        lambda explorer: clipboard.send(explorer, clipboard.table(explorer)),
    ),
)
"""Everything that results can be taken out as."""
