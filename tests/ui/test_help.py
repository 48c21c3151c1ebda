"""The help lists every command."""

import pytest

from attn_tui.ui.commands.table import COMMANDS
from tests.ui.person import at


@pytest.mark.parametrize("width", [60, 80, 120])
async def test_the_help_lists_every_command_with_all_its_keys(width: int) -> None:
    async with at("lesson", (width, 300)) as person:
        await person.press("f1")
        words = " ".join(person.crop(person.app.screen.query_one("#help").content_region).split())
        for command in COMMANDS:
            assert f"{' '.join(command.key_names)} " in words, command.id
            assert command.help in words, command.id


async def test_the_help_scrolls_and_closes_with_each_of_its_keys() -> None:
    async with at("lesson") as person:
        shown = person.lines
        for closing in ("escape", "q", "question_mark", "f1", "enter"):
            await person.press("question_mark")
            first = person.lines
            await person.press("j", "down", "pagedown")
            assert person.lines != first
            await person.press("k", "up", "home")
            await person.pilot.pause()
            assert person.lines == first
            await person.press(closing)
            assert person.lines == shown, closing
        assert person.app.is_running


async def test_keys_in_the_help_change_nothing_below_it() -> None:
    async with at("lesson") as person:
        before = person.scene
        await person.press("question_mark", "n", "x", "i", "m", "1", "enter")
        assert person.scene is before
        assert person.app.screen.id == "_default"
