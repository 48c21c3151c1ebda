"""A restricted session touches no file, offers nothing that does, and says so."""

import os
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from attn_tui.lesson import progress
from attn_tui.model.examples import example
from attn_tui.ui.app import AttnApp
from attn_tui.ui.commands import table
from attn_tui.ui.commands.command import Command, Declared
from attn_tui.ui.explorer import Explorer
from attn_tui.ui.keymap import Keymap
from tests.ui.person import Person

_OPENED: list[str] = []
_LISTENING: list[bool] = []


def _hear(event: str, arguments: tuple[object, ...]) -> None:
    """Note which files are opened or changed, and which programs are run, while somebody listens."""
    if _LISTENING and event in {"open", "os.mkdir", "os.rename", "os.remove", "subprocess.Popen", "os.system"}:
        _OPENED.append(f"{event} {arguments[0]!r}")


sys.addaudithook(_hear)


@asynccontextmanager
async def restricted(*more: Command) -> AsyncIterator[Person]:
    """A person in front of a restricted explorer, with some commands more."""
    app = AttnApp(example("lesson"), keymap=Keymap((*table.COMMANDS, *more)), is_restricted=True)
    async with app.run_test() as pilot:
        await pilot.pause()
        yield Person(app, pilot)


@pytest.fixture
def scribble(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Command:
    """A command that writes a file."""
    declared = Declared()

    @declared.command("f12", "Scribble", "General", touches_files=True)
    def scribble(explorer: Explorer) -> None:
        """Write a file."""
        (tmp_path / "scribbled").write_text("")

    monkeypatch.setattr(table, "COMMANDS", (*table.COMMANDS, declared[0]))
    return declared[0]


async def test_a_command_that_touches_files_is_refused_in_words(scribble: Command, tmp_path: Path) -> None:
    async with restricted(scribble) as person:
        person.app.action_command("scribble")
        await person.pilot.pause()
        assert "Scribble: not in a restricted session" in person.said
    assert not (tmp_path / "scribbled").exists()


async def test_the_same_command_is_done_elsewhere(scribble: Command, tmp_path: Path) -> None:
    app = AttnApp(example("lesson"), keymap=Keymap((*table.COMMANDS, scribble)))
    async with app.run_test():
        assert "Scribble" in {entry.title for entry in app.get_system_commands(app.screen)}
        app.action_command("scribble")
    assert (tmp_path / "scribbled").exists()


async def test_the_palette_and_the_help_offer_only_what_touches_no_file(scribble: Command) -> None:
    async with restricted(scribble) as person:
        offered = {entry.title for entry in person.app.get_system_commands(person.app.screen)}
        assert "Scribble" not in offered
        assert scribble not in person.app.commands
        assert {command.title for command in table.COMMANDS if not command.touches_files} <= offered
        assert not [title for title in offered if "screenshot" in title.lower()]
        assert "Open example: sink" in offered


@pytest.mark.parametrize("action", ["screenshot", "suspend_process"])
async def test_textuals_own_ways_out_are_closed(action: str) -> None:
    async with restricted() as person:
        assert person.app.check_action(action, ()) is False
        assert not await person.app.run_action(action)
    app = AttnApp(example("lesson"))
    async with app.run_test():
        assert app.check_action(action, ())


async def test_a_lesson_is_worked_through_without_a_file(tmp_path: Path) -> None:
    async with restricted() as person:
        await person.press("L")
        teacher = person.app.teacher
        assert teacher is not None
        _LISTENING.append(True)
        try:
            await person.press("N", "N", "N", "1", "exclamation_mark")
            await person.pilot.pause(4.0)
            await person.press("ctrl+r", "N")
            await person.settle()
        finally:
            _LISTENING.clear()
        assert _OPENED == []
        assert "cannot be kept" not in person.screen
    assert not list(tmp_path.rglob("lesson*"))


async def test_what_is_kept_elsewhere_is_not_read(tmp_path: Path) -> None:
    progress.save(progress.mark(progress.reset(), "dot-product"), progress.path(os.environ))
    async with restricted() as person:
        await person.press("L")
        assert person.app.teacher is not None
        assert person.app.teacher.progress == progress.reset()
        assert person.app.teacher.at == 0
