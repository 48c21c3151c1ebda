"""The open-file screen: paths, arrays and their roles, questions, heads and rows, and files that are no good."""

from pathlib import Path

import numpy as np
import pytest

from attn_tui.model.examples import example
from attn_tui.ui.screens.open_file import OpenFile
from tests.files.sessions.saving import save_scene
from tests.ui.person import Person, at

_RANDOM = np.random.default_rng(2)
QUERIES, KEYS = _RANDOM.standard_normal((2, 3, 5, 4)), _RANDOM.standard_normal((2, 3, 5, 4))


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with a few files, in which the program is started."""
    np.savez(tmp_path / "dump.npz", q=QUERIES, k=KEYS, tokens=np.array(list("abcde")))
    np.savez(tmp_path / "doubtful.npz", q=QUERIES, k=KEYS)
    np.savez(tmp_path / "strange.npz", one=QUERIES[0, 0], two=KEYS[0, 0])
    np.save(tmp_path / "k.npy", KEYS[0, 0])
    (tmp_path / "model.pt").write_bytes(b"\x80\x02}q\x00.")
    (tmp_path / "inner").mkdir()
    monkeypatch.chdir(tmp_path)
    return tmp_path


async def opens(person: Person, name: str) -> None:
    """Type a file's name on the open-file screen."""
    await person.press("f")
    assert isinstance(person.app.screen, OpenFile)
    await person.type(name)
    await person.press("enter")
    await person.pilot.pause(0.1)


async def test_the_folder_is_listed_and_tab_completes() -> None:
    async with at("lesson") as person:
        await person.press("f")
        for name in ("dump.npz", "doubtful.npz", "k.npy", "inner/"):
            assert name in person.screen
        await person.type("du")
        await person.press("tab")
        assert "dump.npz" in person.lines[1]
        assert "k.npy" not in person.screen
        await person.press("escape")
        assert not isinstance(person.app.screen, OpenFile)
        assert person.kept.source is not None
        assert person.kept.source.name == "lesson"


async def test_a_head_and_a_row_are_chosen_by_key_press() -> None:
    async with at("lesson") as person:
        await opens(person, "dump.npz")
        assert "query   q      2 x 3 x 5 x 4    float64  finite" in person.screen
        assert "labels  tokens 5 " in person.screen
        await person.press("enter")
        assert "layer  0 of 0-1" in person.screen
        await person.press("right", "down", "right", "right", "down", "left", "left")
        assert "layer  1 of 0-1" in person.screen
        assert "head   2 of 0-2" in person.screen
        assert "query  2 of 0-4  c" in person.screen
        await person.press("enter")
        assert np.array_equal(person.kept.query, QUERIES[1, 2, 2])
        assert np.array_equal(person.kept.keys, KEYS[1, 2])
        assert "models divide by sqrt(hs)" in person.said
        await person.press("u")
        assert person.kept.source is not None
        assert person.kept.source.name == "lesson"


async def test_a_question_is_answered_with_a_digit() -> None:
    async with at("lesson") as person:
        await opens(person, "doubtful.npz")
        assert "can be read in 2 ways" in person.screen
        await person.press("2", "enter", "enter")
        assert person.kept.count == 3
        await opens(person, "doubtful.npz")
        await person.press("down", "up", "enter", "enter", "enter")
        assert person.kept.count == 5


async def test_arrays_of_unknown_names_get_a_role_by_a_letter() -> None:
    async with at("lesson") as person:
        await opens(person, "strange.npz")
        assert "is called as a query, keys" in person.screen
        await person.press("q", "down", "k")
        assert "query   one" in person.screen
        assert "keys    two" in person.screen
        await person.press("enter", "enter")
        assert np.array_equal(person.kept.keys, KEYS[0, 0])


async def test_keys_alone_go_with_the_query_that_is_there() -> None:
    async with at("lesson") as person:
        query = person.kept.query.copy()
        await opens(person, "k.npy")
        await person.press("enter")
        assert np.array_equal(person.kept.query, query)
        assert np.array_equal(person.kept.keys, KEYS[0, 0])


async def test_a_saved_scene_opens_at_once(folder: Path) -> None:
    save_scene(example("overflow"), folder / "kept.json")
    async with at("lesson") as person:
        await opens(person, "kept.json")
        assert person.kept.count == 3


@pytest.mark.parametrize(
    ("name", "words"),
    [("model.pt", "pickle"), ("missing.npz", "no such file"), ("\x07.npy", "no such file"), ("inner", "inner/")],
)
async def test_what_is_no_good_is_said_and_the_scene_stays(name: str, words: str) -> None:
    async with at("lesson") as person:
        before = person.kept
        await opens(person, name)
        assert words in " ".join(person.screen.split())
        await person.press("escape", "escape")
        assert person.kept is before


@pytest.mark.parametrize("size", [(60, 16), (120, 40)])
async def test_it_fits_other_sizes_too(size: tuple[int, int]) -> None:
    async with at("lesson", size) as person:
        await opens(person, "dump.npz")
        assert "query   q" in person.screen
        assert "Enter goes on" in person.screen


async def test_files_that_broke_it_once(folder: Path) -> None:
    np.savez(folder / "empty.npz", q=np.zeros((3, 0)), k=np.zeros((3, 0)))
    np.savez(folder / "cold.npz", q=QUERIES[0, 0, 0], k=KEYS[0, 0], temperature=0.0)
    np.save(folder / "lone.npy", np.full((3, 3), 1 / 3))
    (folder / "loop").symlink_to(folder / "loop")
    async with at("lesson") as person:
        await opens(person, "empty.npz")
        assert "empty" in person.screen
        await person.press("enter", "escape", "escape", "escape")
        await opens(person, "cold.npz")
        await person.press("enter")
        assert "temperature" in person.screen
        await person.press("escape", "escape")
        await opens(person, "lone.npy")
        await person.press("w", "enter", "enter")
        assert person.app.reading.weights.tolist() == pytest.approx([1 / 3] * 3)
        await person.press("f")
        assert "dump.npz" in person.screen, "a link that leads nowhere hides nothing"


async def test_home_is_a_place_for_files() -> None:
    np.save(Path.home() / "k.npy", KEYS[0, 1])
    async with at("lesson") as person:
        await opens(person, "~/k.npy")
        await person.press("enter")
        assert np.array_equal(person.kept.keys, KEYS[0, 1])


async def test_keys_that_were_named_by_hand_get_the_query_that_is_there_too(folder: Path) -> None:
    np.savez(folder / "odd.npz", one=KEYS[0, 2], two=np.zeros(3))
    async with at("lesson") as person:
        query = person.kept.query.copy()
        await opens(person, "odd.npz")
        await person.press("k", "enter")
        assert np.array_equal(person.kept.query, query)
        assert np.array_equal(person.kept.keys, KEYS[0, 2])
