"""Every command does what it says, on each of its keys."""

import numpy as np
import pytest

from attn_tui.model.examples import example
from attn_tui.model.scene import read
from attn_tui.ui.commands.command import Command
from attn_tui.ui.commands.table import COMMANDS
from tests.ui import (
    trials_editing,
    trials_files,
    trials_head_size,
    trials_heads,
    trials_lesson,
    trials_looking,
    trials_moving,
    trials_results,
    trials_settings,
    trials_views,
)
from tests.ui.person import at
from tests.ui.trials import Trial

TRIALS: dict[str, Trial] = {
    **trials_moving.TRIALS,
    **trials_editing.TRIALS,
    **trials_settings.TRIALS,
    **trials_looking.TRIALS,
    **trials_views.TRIALS,
    **trials_lesson.TRIALS,
    **trials_head_size.TRIALS,
    **trials_heads.TRIALS,
    **trials_files.TRIALS,
    **trials_results.TRIALS,
}
_KEYS = [pytest.param(command, key, id=f"{command.id}-{key}") for command in COMMANDS for key in command.keys]


def test_every_command_has_a_trial_and_every_trial_a_command() -> None:
    assert TRIALS.keys() == {command.id for command in COMMANDS}


@pytest.mark.parametrize(("command", "key"), _KEYS)
async def test_a_key_does_what_its_command_says(command: Command, key: str) -> None:
    async with at("lesson") as person:
        await TRIALS[command.id](person, key)


@pytest.mark.parametrize("cell", [(-1, 0), (14, 63)], ids=["query", "last-value"])
async def test_no_command_leaves_anything_half_done_wherever_the_cursor_is(cell: tuple[int, int]) -> None:
    for_all = [command for command in COMMANDS if command.id != "leave"]
    start = example("coreference")
    async with at(start) as person:
        for command in for_all:
            person.app.open(start, "again")
            person.app.is_moving_in_view = False
            await person.go(*cell)
            await person.press(command.keys[0])
            await person.press("escape")
            assert person.app.is_running, command.id
            assert not person.app.pen.is_typing, command.id
            assert person.kept is person.scene, command.id
            assert np.array_equal(person.app.reading.weights, read(person.scene).weights), command.id
            assert person.app.screen.id == "_default", command.id
