"""Saving a scene: what fails stays in the prompt, and no file is overwritten without a yes."""

from pathlib import Path

import pytest
from textual import events

from attn_tui.files.sessions.saved import load_scene
from attn_tui.model.examples import example
from attn_tui.ui.screens.prompt import Prompt
from tests.files.sessions.saving import save_scene
from tests.files.sessions.test_kept import full_disk
from tests.ui.person import Person, at


async def save_as(person: Person, name: str) -> None:
    """Type a name in place of the one that is there."""
    await person.press("w", *["backspace"] * 40)
    await person.type(name)
    await person.press("enter")


async def test_a_name_without_an_ending_gets_one_and_is_where_the_program_was_started(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    async with at("coreference") as person:
        await save_as(person, "mine")
        assert "written: " in person.said
        assert "mine.json" in person.said
    assert load_scene(tmp_path / "mine.json").source is not None


async def test_a_file_that_is_there_is_overwritten_after_a_yes_only(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    save_scene(example("overflow"), tmp_path / "lesson-scene.json")
    before = (tmp_path / "lesson-scene.json").read_bytes()
    async with at("lesson") as person:
        await person.press("w", "enter")
        assert "lesson-scene.json is there already. Overwrite it?" in person.screen
        await person.press("enter")
        assert "type yes to overwrite it" in person.screen
        assert isinstance(person.app.screen, Prompt)
        await person.type("n")
        await person.press("enter")
        assert "was left as it was" in person.said
        assert person.app.screen.id == "_default"
        assert (tmp_path / "lesson-scene.json").read_bytes() == before
        await person.press("w", "enter", "y", "enter")
        assert "lesson-scene.json" in person.said
        assert load_scene(tmp_path / "lesson-scene.json").count == 5
        assert [entry.name for entry in tmp_path.iterdir()] == ["lesson-scene.json"]


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("", "a file needs a name"),
        ("missing/x.json", "there is no folder"),
        (".", "it is a folder: add a file's name"),
        ("~nobody-of-this-name/x", "there is no home for"),
        ("x" * 300, "the name is too long"),
    ],
)
async def test_what_fails_stays_in_the_prompt_to_be_mended(
    name: str, words: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    async with at("lesson", (200, 24)) as person:
        await save_as(person, name)
        assert isinstance(person.app.screen, Prompt)
        assert words in " ".join(person.screen.split())
        assert list(tmp_path.iterdir()) == []
        await person.press("home", "ctrl+k")
        await person.type("x")
        await person.press("enter")
        assert "x.json" in person.said
    assert (tmp_path / "x.json").exists()


async def test_keys_that_come_all_at_once_act_in_their_order(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    async with at("lesson") as person:
        await person.press("w")
        keys = (("ctrl+u", None), *((c, c) for c in "abX"), ("backspace", None), ("c", "c"))
        for key, character in keys:
            person.app.post_message(events.Key(key, character))
        await person.press("enter")
        assert "abc.json" in person.said


async def test_a_full_disk_leaves_the_old_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    save_scene(example("overflow"), tmp_path / "lesson-scene.json")
    async with at("lesson") as person:
        with full_disk(100):
            await person.press("w", "enter", "y", "enter")
            assert "bytes are more than a file may have here" in person.screen
        assert load_scene(tmp_path / "lesson-scene.json").count == 3
        await person.press("enter")
        assert "lesson-scene.json" in person.said
    assert load_scene(tmp_path / "lesson-scene.json").count == 5


async def test_the_question_is_harmless_and_saves_what_is_shown() -> None:
    async with at("lesson") as person:
        await person.press("i", "w", "home")
        await person.type("~/")
        await person.press("enter")
        assert load_scene(Path.home() / "lesson-scene.json").query[0] == person.kept.query[0]
