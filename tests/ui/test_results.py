"""Results out: the export screen, every format from the keys to the file, and the clipboard."""

import base64
import bisect
import csv
import io
import json
import re
import subprocess
import sys
import xml.etree.ElementTree as ET
from pathlib import Path

import numpy as np
import pytest

from attn_tui.files.exports.rows import as_tabs
from attn_tui.model.scene import Scene, read
from attn_tui.ui import printout
from attn_tui.ui.choices import CHOICES
from attn_tui.ui.clipboard import MOST_BASE64
from attn_tui.ui.screens.export import Export
from attn_tui.ui.screens.prompt import Prompt
from tests.files.exports.kept import HOSTILE
from tests.ui.person import at


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder to write into, which is where the program was started."""
    folder = tmp_path / "work"
    folder.mkdir()
    monkeypatch.chdir(folder)
    return folder


def names(folder: Path) -> list[str]:
    return sorted(entry.name for entry in folder.iterdir())


FILES = [
    "lesson-weights.csv", "lesson-reading.json", "lesson-arrays.npz", "lesson-attention.py", "lesson-weights.md",
    "lesson-screen.txt", "lesson-screen.svg",
]  # fmt: skip


async def test_every_choice_is_taken_by_its_digit(folder: Path) -> None:
    async with at("lesson") as person:
        screen, weights = person.screen, person.app.reading.weights
        for number, name in enumerate(FILES, 1):
            await person.press("e", str(number))
            assert name in person.screen
            await person.press("enter")
            content = (folder / name).read_bytes()
            assert person.app.message == f"written: {len(content):,} bytes to {folder / name}"
            await person.press("home")
        assert names(folder) == sorted(FILES)
        await person.press("e", "8")
        assert person.app.clipboard.startswith("label\tmask\tq.k\t")
        assert "sent to the terminal's clipboard: the table of results, 5 keys" in person.said
    rows = list(csv.DictReader(io.StringIO((folder / FILES[0]).read_text(encoding="utf-8"))))
    assert [float(row["weight"]) for row in rows] == weights.tolist()
    assert json.loads((folder / FILES[1]).read_text(encoding="ascii"))["weights"] == weights.tolist()
    assert np.array_equal(np.load(folder / FILES[2], allow_pickle=False)["weights"], weights)
    done = subprocess.run([sys.executable, "-I", FILES[3]], cwd=folder, capture_output=True, text=True, check=True)
    assert [line.split("\t")[3] for line in done.stdout.splitlines()[1:6]] == [repr(x) for x in weights.tolist()]
    assert "| k0 | 2.1077 | 2.1077 | 0.9150 |" in (folder / FILES[4]).read_text(encoding="utf-8")
    assert (folder / FILES[5]).read_text(encoding="utf-8") == screen + "\n"
    picture = ET.fromstring((folder / FILES[6]).read_text(encoding="utf-8"))
    words = "".join(picture.itertext()).replace("\xa0", " ")
    assert "Vectors" in words
    assert "0.9150" in words
    assert "Results out" not in words, "the picture is of the explorer"


async def test_arrows_and_letters_choose_and_go_round() -> None:
    async with at("lesson") as person:
        await person.press("e")
        assert "▸ 1 CSV" in person.screen
        for key, there in (("down", 2), ("j", 3), ("tab", 4), ("up", 3), ("k", 2), ("up", 1), ("up", 8), ("down", 1)):
            await person.press(key)
            assert [line for line in person.lines if "▸" in line and f"▸ {there} " in line], key
        await person.press("9", "0", "x")
        assert isinstance(person.app.screen, Export)
        await person.press("up", "enter")
        assert person.app.clipboard.startswith("label\t")


@pytest.mark.parametrize("key", ["escape", "q", "e"])
async def test_the_list_is_left_with_nothing_done(folder: Path, key: str) -> None:
    async with at("lesson") as person:
        before = person.lines
        await person.press("e", key)
        assert person.app.screen.id == "_default"
        assert person.lines == before
        await person.press("e", "2", "escape")
        assert person.app.screen.id == "_default"
        assert person.lines == before
        assert not names(folder)
        await person.type("7")
        assert person.scene.query[0] == 7.0, "the pen has the focus again"


async def test_a_file_that_is_there_is_overwritten_after_a_yes_alone(folder: Path) -> None:
    file = folder / "lesson-weights.csv"
    file.write_text("old", encoding="utf-8")
    async with at("lesson") as person:
        for answer, words in (("n", "was left as it was"), ("NO", "was left as it was")):
            await person.press("e", "1", "enter")
            assert "is there already. Overwrite it? yes or no" in " ".join(person.screen.replace("│", " ").split())
            await person.type(answer)
            await person.press("enter")
            assert words in person.said
        await person.press("e", "1", "enter", "enter")
        assert "type yes to overwrite it, no to leave it" in person.screen
        await person.type("maybe")
        await person.press("enter")
        assert isinstance(person.app.screen, Prompt)
        await person.press("escape")
        assert file.read_text(encoding="utf-8") == "old"
        await person.press("e", "1", "enter")
        await person.type("yes")
        await person.press("enter")
        assert "written: " in person.said
        assert file.read_text(encoding="utf-8").startswith('"label"')
        assert names(folder) == [file.name]


async def test_what_goes_wrong_is_said_and_can_be_mended_where_it_was_typed(folder: Path) -> None:
    (folder / "sub").mkdir()
    async with at("lesson") as person:
        await person.press("e", "1")
        for typed, words in {
            "none/a.csv": "there is no folder",
            "sub": "it is a folder",
            "sub/": "a file needs a name",
            "": "a file needs a name",
            "~nobody-of-this-name/a": "there is no home for ~nobody-of-this-name/a",
            "x" * 300: "the name is too long",
            "/dev/null": "it is no plain file",
        }.items():
            await person.press("ctrl+a", "ctrl+k")
            await person.type(typed)
            await person.press("enter")
            assert isinstance(person.app.screen, Prompt)
            assert words in person.screen
        await person.press("ctrl+a", "ctrl+k")
        await person.type("sub/a b.csv")
        await person.press("enter")
        assert names(folder / "sub") == ["a b.csv"]
        assert names(folder) == ["sub"]


async def test_where_the_folder_has_gone_another_can_be_named(folder: Path, tmp_path: Path) -> None:
    folder.rmdir()
    async with at("lesson") as person:
        await person.press("e", "1", "enter")
        assert "the folder that this was started in is gone: name another" in person.screen
        await person.press("ctrl+a", "ctrl+k")
        await person.type(f"{tmp_path}/a.csv")
        await person.press("enter")
        assert (tmp_path / "a.csv").is_file()


async def test_a_digit_right_behind_the_key_goes_to_the_list_and_begins_no_number() -> None:
    async with at("lesson") as person:
        before = person.scene
        await person.type("e2")
        await person.pilot.pause()
        assert "lesson-reading.json" in person.screen
        assert person.scene is before


@pytest.mark.parametrize("ascii_only", [True, False])
@pytest.mark.parametrize("size", [(60, 16), (80, 24), (120, 40)])
async def test_everything_can_be_read_at_every_size(size: tuple[int, int], ascii_only: bool) -> None:
    async with at("lesson", size, ascii_only=ascii_only) as person:
        await person.press("e")
        for choice in CHOICES:
            assert f"{choice.name} " in person.screen
            assert choice.summary in person.screen
        assert "Esc leaves" in person.screen
        assert person.screen.isascii() or not ascii_only
        await person.press("1")
        assert "lesson-weights.csv" in person.screen
        assert person.screen.isascii() or not ascii_only
        await person.press("escape", "y")
        assert "sent to the terminal's clipboard: q.d0 0.4967" in person.said
        assert "e: a file)" in person.said


@pytest.mark.parametrize("keys", [(), ("f4",), ("z",), ("L",), ("5", "."), ("f7", "L")], ids=str)
@pytest.mark.parametrize("size", [(60, 16), (80, 24), (120, 40)])
async def test_the_screen_s_text_is_what_is_seen(keys: tuple[str, ...], size: tuple[int, int]) -> None:
    async with at("coreference", size) as person:
        await person.press(*keys)
        await person.settle()
        assert printout.as_text(person.app) == person.screen + "\n"


async def test_the_row_of_the_query_and_of_a_key_with_a_value() -> None:
    scene = Scene.of([1.0, -0.0], [[np.nan, np.inf], [5e-324, 0.1]], [[1.0], [-np.inf]])
    async with at(scene) as person:
        await person.press("y", "y")
        assert person.app.clipboard == "1.0\t-0.0"
        await person.go(0, 0)
        await person.press("y")
        assert person.app.clipboard == "nan"
        await person.press("y")
        assert person.app.clipboard == "nan\tinf\t1.0"
        await person.go(1, 2)
        await person.press("y")
        assert person.app.clipboard == "-inf"
        await person.press("y")
        assert person.app.clipboard == "5e-324\t0.1\t-inf"


async def test_a_row_that_was_sent_can_be_pasted_back() -> None:
    async with at("lesson") as person:
        await person.go(3, 0)
        await person.press("y", "y")
        row = person.app.clipboard
        await person.go(1, 0)
        await person.paste(row)
        assert person.kept.keys[1].tobytes() == person.kept.keys[3].tobytes()


@pytest.mark.parametrize("size", [(60, 16), (80, 24)])
@pytest.mark.parametrize("keys", [1000, 300_000])
async def test_a_table_that_is_too_long_is_not_sent_and_a_file_is_named(keys: int, size: tuple[int, int]) -> None:
    scene = Scene.of(np.ones(8), np.random.RandomState(0).randn(keys, 8))
    async with at(scene, size) as person:
        await person.press("y", "y", "y")
        assert f"not sent: the table of results, {keys} keys" in person.said
        assert "e writes a file" in person.said
        assert person.app.clipboard == "\t".join(["1.0"] * 8), "the row that was sent before"


async def test_the_longest_table_that_is_sent_is_what_terminals_take() -> None:
    numbers = np.random.RandomState(0).randn(500, 1)

    def length(keys: int) -> int:
        scene = Scene.of([1.0], numbers[:keys])
        return len(base64.b64encode(as_tabs(scene, read(scene)).encode()))

    first = bisect.bisect_right(range(500), MOST_BASE64, key=lambda keys: length(keys) if keys else 0)
    assert length(first - 1) <= MOST_BASE64 < length(first)
    for keys, is_sent in ((first - 1, True), (first, False)):
        async with at(Scene.of([1.0], numbers[:keys])) as person:
            await person.press("e", "8")
            assert ("sent to the terminal's clipboard" in person.said) is is_sent
            assert bool(person.app.clipboard) is is_sent


async def test_no_label_travels_with_its_control_characters() -> None:
    scene = Scene.of([1.0], [[1.0]] * len(HOSTILE), labels=HOSTILE, query_label="\x1b[2J")
    async with at(scene) as person:
        await person.go(10, 0)
        for _ in range(3):
            await person.press("y")
            assert all(part.isprintable() for part in re.split(r"[\t\n]", person.app.clipboard))
            assert person.screen.replace("\n", "").isprintable()
