"""Commands that read and write scenes as files."""

from functools import partial
from typing import TYPE_CHECKING

from attn_tui.ui.commands.command import Declared
from attn_tui.ui.explorer import Explorer
from attn_tui.ui.pane import Pane
from attn_tui.ui.saving import ask_for_name

if TYPE_CHECKING:
    from attn_tui.files.dumps.request import Opened, Request

COMMANDS = Declared()
command = COMMANDS.command


@command("f", "Open a file", "Files", touches_files=True)
def open_file(explorer: Explorer) -> None:
    """Open a file: a saved scene, or a model's arrays, of which a head and a query are chosen."""
    from attn_tui.files.dumps.request import Request  # noqa: PLC0415 - the readers are not needed before

    ask_for_file(explorer, Request(""))


@command("w", "Save the scene", "Files", touches_files=True)
def save(explorer: Explorer) -> None:
    """Save the scene in a file, to open it again."""
    from attn_tui.files.exports.formats import file_name  # noqa: PLC0415 - not needed before
    from attn_tui.files.sessions.saved import scene_text  # noqa: PLC0415

    scene = explorer.history.scene
    ask_for_name(explorer, scene_text(scene).encode(), file_name(scene, "scene.json"))


def ask_for_file(explorer: Explorer, request: "Request") -> None:
    """Show the open-file screen, with a file's arrays if its path is known."""
    from attn_tui.ui.screens.open_file import OpenFile  # noqa: PLC0415 - the readers are not needed before

    query = explorer.history.scene.query
    explorer.push_screen(OpenFile(request, Pane.glyphs, query, partial(_show, explorer)))


def _show(explorer: Explorer, opened: "Opened") -> None:
    """Show what was opened, as a step that can be undone, and how it was read."""
    source = opened.scene.source
    explorer.open(opened.scene, f"open {'a file' if source is None else source.name}")
    explorer.say(". ".join(opened.notes) or "opened")
