"""Commands that write files."""

from functools import partial

from attn_tui.ui.commands.command import Declared
from attn_tui.ui.explorer import Explorer
from attn_tui.ui.screens.saving import Saving, name_of

COMMANDS = Declared()
command = COMMANDS.command


@command("w", "Save the scene", "Files")
def save(explorer: Explorer) -> None:
    """Save the scene in a file, to open it again."""
    from attn_tui.files.sessions.saved import save_scene  # noqa: PLC0415 - not needed before

    Saving(explorer, f"{name_of(explorer.scene)}.json", partial(save_scene, explorer.scene)).ask("Save the scene as")
