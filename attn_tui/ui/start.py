"""Where the explorer is started, for the command line and for a person's own program alike."""

import os
from dataclasses import dataclass
from typing import TYPE_CHECKING

from attn_tui.model.scene import Scene
from attn_tui.ui import terminal

if TYPE_CHECKING:
    from attn_tui.ui.app import AttnApp
    from attn_tui.ui.autosave import Autosave


class NoExplorerError(RuntimeError):
    """Why the explorer cannot be shown; its text is a sentence for a person."""


@dataclass(frozen=True)
class Wishes:
    """What a person may wish of the explorer."""

    ascii_only: bool = False
    """Draw without Unicode, which is done all the same where the locale has none."""
    theme: str | None = None
    """The colours, None for those that fit the terminal."""
    is_restricted: bool = False
    """Touch no file, for an account that is shared."""


def explorer(scene: Scene, wishes: Wishes = Wishes(), autosave: "Autosave | None" = None) -> "AttnApp":
    """The explorer with a scene, ready for `show`; it keeps no session without an autosave.

    Raises NoExplorerError without a terminal or such a theme.
    """
    if refusal := terminal.refusal():
        raise NoExplorerError(refusal)
    if wishes.is_restricted:
        _forget_the_toolkits_wishes()
    from attn_tui.ui import keymap  # noqa: PLC0415 - Textual is not imported where nothing can be drawn
    from attn_tui.ui.app import AttnApp, theme_names  # noqa: PLC0415
    from attn_tui.ui.commands.table import COMMANDS  # noqa: PLC0415

    if wishes.theme is not None and wishes.theme not in theme_names():
        raise NoExplorerError(f"there is no theme {wishes.theme!r}: choose from {', '.join(theme_names())}")
    return AttnApp(
        scene,
        ascii_only=wishes.ascii_only or terminal.wants_ascii(),
        theme=wishes.theme,
        few_colours=terminal.has_few_colours(),
        no_colour=terminal.wants_no_colour(),
        keymap=None if wishes.is_restricted else keymap.personal(COMMANDS, keymap.path()),
        is_restricted=wishes.is_restricted,
        autosave=autosave,
    )


def show(app: "AttnApp", *, mouse: bool = False) -> int:
    """Show the explorer until the person leaves or it is told to end: its exit code, 128 + n after a signal."""
    for name in ("COLUMNS", "LINES"):  # what a shell exported may be of another window
        os.environ.pop(name, None)
    app.run(mouse=mouse)
    terminal.let_go()
    return app.return_code or 0


def _forget_the_toolkits_wishes() -> None:
    """Take away the variables by which Textual would write logs and screenshots, or load another driver."""
    for name in [name for name in os.environ if name.startswith("TEXTUAL")]:
        del os.environ[name]
