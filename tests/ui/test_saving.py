"""Saving a scene: what fails stays in the prompt, and no file is overwritten without a yes."""

from pathlib import Path

import pytest
from textual import events

from attn_tui.files.sessions.saved import load_scene, save_scene
from attn_tui.model.examples import example
from attn_tui.model.scene import Scene
from attn_tui.model.source import Source
from attn_tui.ui.screens.prompt import Prompt
from attn_tui.ui.screens.saving import name_of
from tests.files.sessions.test_kept import full_disk
from tests.ui.person import Person, at


async def save_as(person: Person, name: str) -> None:
    """Type a name in place of the one that is there."""
    await person.press("w", *["backspace"] * 30)
    await person.type(name)
    await person.press("enter")


@pytest.mark.parametrize(
    ("source", "name"),
    [
        (None, "scene"),
        (Source("lesson"), "lesson"),
        (Source("minilm-l6", (3, 1), 0), "minilm-l6"),
        (Source("/tmp/my model/dump.npz"), "dump"),
        (Source("../../x"), "x"),
        (Source("\x1b[2J/\n"), "scene"),
        (Source("..."), "scene"),
    ],
)
def test_the_name_that_is_suggested(source: Source | None, name: str) -> None:
    assert name_of(Scene.of([1.0], [[1.0]], source=source)) == name


async def test_a_name_without_an_ending_gets_one_and_is_where_the_program_was_started(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    async with at("coreference") as person:
        await save_as(person, "mine")
        assert "kB in mine.json" in person.said
    assert load_scene(tmp_path / "mine.json").source is not None


async def test_a_file_that_is_there_is_overwritten_after_a_yes_only(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    save_scene(example("overflow"), tmp_path / "lesson.json")
    before = (tmp_path / "lesson.json").read_bytes()
    async with at("lesson") as person:
        await person.press("w", "enter")
        assert "lesson.json is there already: overwrite it?" in person.screen
        await person.press("enter")
        assert "y and Enter overwrite it" in person.screen
        await person.type("n")
        await person.press("enter")
        assert isinstance(person.app.screen, Prompt)
        await person.press("escape")
        assert person.app.screen.id == "_default"
        assert (tmp_path / "lesson.json").read_bytes() == before
        await person.press("w", "enter", "y", "enter")
        assert "in lesson.json" in person.said
        assert load_scene(tmp_path / "lesson.json").count == 5
        assert [entry.name for entry in tmp_path.iterdir()] == ["lesson.json"]


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("", "a file needs a name"),
        ("missing/x.json", "missing/x.json cannot be written: No such file or directory"),
        (".", "is a folder: add a name to it"),
        ("~nobody-of-this-name/x", "there is no home directory for"),
        ("x" * 300, "File name too long"),
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
        assert "in x.json" in person.said
    assert (tmp_path / "x.json").exists()


async def test_keys_that_come_all_at_once_act_in_their_order(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    async with at("lesson") as person:
        await person.press("w")
        keys = (("ctrl+u", None), *((c, c) for c in "abX"), ("backspace", None), ("c", "c"))
        for key, character in keys:
            person.app.post_message(events.Key(key, character))
        await person.press("enter")
        assert "in abc.json" in person.said


async def test_a_full_disk_leaves_the_old_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    save_scene(example("overflow"), tmp_path / "lesson.json")
    async with at("lesson") as person:
        with full_disk(100):
            await person.press("w", "enter", "y", "enter")
            assert "cannot be written: File too large" in person.screen
        assert load_scene(tmp_path / "lesson.json").count == 3
        await person.press("enter")
        assert "in lesson.json" in person.said
    assert load_scene(tmp_path / "lesson.json").count == 5


async def test_the_question_is_harmless_and_saves_what_is_shown() -> None:
    async with at("lesson") as person:
        await person.press("i", "w", "home")
        await person.type("~/")
        await person.press("enter")
        assert load_scene(Path.home() / "lesson.json").query[0] == person.kept.query[0]
