"""Every command does what it says, on each of its keys."""

import pytest

from attn_tui.ui.commands.command import Command
from attn_tui.ui.commands.table import COMMANDS
from tests.ui import trials_editing, trials_looking, trials_moving, trials_settings
from tests.ui.person import at
from tests.ui.trials import Trial

TRIALS: dict[str, Trial] = {
    **trials_moving.TRIALS,
    **trials_editing.TRIALS,
    **trials_settings.TRIALS,
    **trials_looking.TRIALS,
}
_KEYS = [pytest.param(command, key, id=f"{command.id}-{key}") for command in COMMANDS for key in command.keys]


def test_every_command_has_a_trial_and_every_trial_a_command() -> None:
    assert TRIALS.keys() == {command.id for command in COMMANDS}


@pytest.mark.parametrize(("command", "key"), _KEYS)
async def test_a_key_does_what_its_command_says(command: Command, key: str) -> None:
    async with at("lesson") as person:
        await TRIALS[command.id](person, key)


@pytest.mark.parametrize("command", COMMANDS, ids=lambda command: command.id)
async def test_a_command_that_is_refused_or_done_leaves_nothing_half_done(command: Command) -> None:
    """On the query, on the last key and past the dimensions alike: the program lives and shows its own reading."""
    if command.id == "leave":
        pytest.skip("there is nothing left to look at")
    async with at("coreference") as person:
        for cell in ((-1, 0), (14, 0), (14, person.scene.columns - 1)):
            await person.go(*cell)
            await person.press(command.keys[0])
            await person.press("escape")
            await person.pilot.pause()
            assert person.app.is_running
            assert person.app.history.scene is person.scene
            assert person.said.startswith(person.scene.cell_name(person.app.cursor)[:1])
