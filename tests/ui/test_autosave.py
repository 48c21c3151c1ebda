"""Each step is kept without any key waiting for it, and what cannot be kept is said once."""

import os
import threading
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from attn_tui.files.sessions import kept
from attn_tui.files.sessions.kept import resume
from attn_tui.model import edits
from attn_tui.model.examples import example
from attn_tui.model.history import History
from attn_tui.ui.app import AttnApp
from attn_tui.ui.autosave import Autosave
from tests.files.sessions.test_kept import full_disk
from tests.files.sessions.test_scene_form import same
from tests.ui.person import Person


@asynccontextmanager
async def kept_person(autosave: Autosave | None = None) -> AsyncIterator[Person]:
    """A person whose changes are kept."""
    app = AttnApp(example("lesson"), autosave=autosave or Autosave())
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.pause()
        yield Person(app, pilot)


async def until_kept(person: Person, count: int) -> None:
    """Wait until so many files are in the folder."""
    place = kept.folder()
    assert place is not None
    while not place.exists() or len([name for name in os.listdir(place) if name.endswith(".json")]) < count:
        await person.pilot.pause(0.02)


async def test_moving_about_leaves_no_file_and_starts_no_thread() -> None:
    async with kept_person() as person:
        await person.press("down", "right", "f3", "question_mark", "escape", "r", "escape", "u")
        await person.type("5")
        await person.press("escape")
        assert "autosave" not in [thread.name for thread in threading.enumerate()]
    place = kept.folder()
    assert place is not None
    assert not place.exists()


async def test_each_step_undo_and_redo_is_kept_while_the_program_runs() -> None:
    async with kept_person() as person:
        await person.type("5")
        await person.press("enter")
        await until_kept(person, 1)
        await person.press("i", "i", "u")
    resumed = resume(kept.folder())
    assert [step.what for step in resumed.history.past] == ["start", "q.d0 = 5.0000", "nudge q.d0"]
    assert len(resumed.history.future) == 1
    assert same(resumed.history.scene, person.kept)
    assert resumed.history.scene.query[0] == 5.1
    resumed.session.release()


async def test_a_session_that_runs_is_not_resumed_and_goes_on_in_one_file() -> None:
    async with kept_person() as person:
        for _ in range(30):
            await person.press("i")
        await until_kept(person, 1)
        with pytest.raises(ValueError, match="are open in other"):
            resume(kept.folder())
        await person.press("i")
    resumed = resume(kept.folder())
    assert len(resumed.history.past) == 32
    place = kept.folder()
    assert place is not None
    assert len(list(place.iterdir())) == 1
    resumed.session.release()


async def test_what_was_resumed_can_be_undone_and_goes_on() -> None:
    async with kept_person() as person:
        await person.press("i", "m", "i")
    resumed = resume(kept.folder())
    app = AttnApp(resumed.history.scene, autosave=Autosave(resumed.session))
    app.go_on_with(resumed.history)
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.pause()
        again = Person(app, pilot)
        assert "resumed: 2 changes can be undone" in again.said
        await again.press("u")
        assert again.scene.query[0] != person.kept.query[0]
        await again.press("n")
    last = resume(kept.folder())
    assert [step.what for step in last.history.past] == ["start", "nudge q.d0", "negate q.d0"]
    last.session.release()


async def test_a_full_disk_is_said_once_and_the_next_that_fits_is_kept() -> None:
    async with kept_person() as person:
        with full_disk(100):
            await person.press("i")
            while "changes are not kept in" not in person.said:
                await person.pilot.pause(0.02)
            assert f"changes are not kept in {kept.folder()}"[:60] in person.said
            await person.press("i", "right")
            for _ in range(20):
                await person.pilot.pause(0.02)
            assert "changes are not kept" not in person.said
            assert person.app.is_running
        await person.press("d")
        await until_kept(person, 1)
    resumed = resume(kept.folder())
    assert len(resumed.history.past) == 4
    resumed.session.release()


async def test_without_a_home_that_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(kept, "folder", lambda: None)
    async with kept_person() as person:
        await person.press("i")
        while "changes are not kept: there is no home directory" not in person.said:
            await person.pilot.pause(0.02)
        assert person.app.is_running


def test_the_newest_history_wins_and_finish_waits_for_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    written: list[int] = []
    save = kept.KeptSession.save

    def counted(self: kept.KeptSession, history: History) -> None:
        written.append(len(history.past))
        save(self, history)

    monkeypatch.setattr(kept.KeptSession, "save", counted)
    autosave = Autosave()
    history = History.of(example("lesson"))
    for _ in range(200):
        history = history.record(edits.step_temperature(history.scene, 1), "warmer")
        autosave.take(history)
        autosave.wake()
    autosave.finish()
    assert written[-1] == 201
    assert len(written) < 100
    resumed = resume(kept.folder())
    assert len(resumed.history.past) == 201
    resumed.session.release()


def test_what_was_taken_and_not_yet_woken_is_written_at_the_end() -> None:
    autosave = Autosave()
    history = History.of(example("lesson"))
    autosave.take(history.record(edits.step_temperature(history.scene, 1), "warmer"))
    autosave.finish()
    resumed = resume(kept.folder())
    assert len(resumed.history.past) == 2
    resumed.session.release()
