"""Trials of the commands that change what is seen, and of the general ones."""

from textual.command import CommandPalette

from attn_tui.ui.screens.help import Help
from tests.ui.person import Person
from tests.ui.trials import Trials

TRIALS = Trials()


@TRIALS.trial
async def order(person: Person, key: str) -> None:
    """By weight, and back; the scene stays as it is."""
    before = person.scene
    await person.press(key)
    assert "bars ordered by weight" in person.said
    assert [line.split()[0] for line in person.view.split("\n")[:5]] == ["k0", "k1", "k4", "k2", "k3"]
    await person.press(key)
    assert "bars in the order of the keys" in person.said
    assert [line.split()[0] for line in person.view.split("\n")[:5]] == ["k0", "k1", "k2", "k3", "k4"]
    assert person.scene is before


@TRIALS.trial
async def help_screen(person: Person, key: str) -> None:
    """The help, which Esc closes."""
    await person.press(key)
    assert isinstance(person.app.screen, Help)
    assert "Move the cursor one column to the left." in person.screen
    await person.press("escape")
    assert "Weights" in person.screen


@TRIALS.trial
async def palette(person: Person, key: str) -> None:
    """The palette, which Esc closes."""
    await person.press(key)
    assert isinstance(person.app.screen, CommandPalette)
    await person.press("escape")
    await person.pilot.pause()
    assert not isinstance(person.app.screen, CommandPalette)
    assert person.app.is_running


@TRIALS.trial
async def leave(person: Person, key: str) -> None:
    """The end, in good order, with the scene handed over."""
    scene = person.scene
    await person.press(key)
    assert person.app.return_value is scene
    assert not person.app.return_code
