"""The table of formats: what each makes, what the files are called, and how they are written."""

import json
import re
from pathlib import Path

import pytest

from attn_tui.files.errors import ForeignError
from attn_tui.files.exports.formats import FORMATS, file_name
from attn_tui.files.writing import write_safely
from attn_tui.model.examples import example
from attn_tui.model.figures import figure, weight_figure
from attn_tui.model.scene import Scene, read
from attn_tui.model.source import Source
from tests.files.exports.kept import SCENES

BY_NAME = {entry.name: entry for entry in FORMATS}


def refuse_constant(name: str) -> None:
    raise AssertionError(name)


@pytest.mark.parametrize("name", SCENES)
def test_json_is_strict_and_ascii(name: str) -> None:
    scene = SCENES[name]
    content = BY_NAME["JSON"].make(scene, read(scene))
    report = json.loads(content.decode("ascii"), parse_constant=refuse_constant)
    assert report["scene"]["labels"] == list(scene.labels)
    assert [float(x) for x in report["weights"]] == pytest.approx(read(scene).weights.tolist(), abs=0, nan_ok=True)


@pytest.mark.parametrize("name", SCENES)
def test_markdown_has_a_row_of_seven_cells_for_each_key(name: str) -> None:
    scene = SCENES[name]
    reading = read(scene)
    text = BY_NAME["Markdown"].make(scene, reading).decode()
    assert all(line.isprintable() for line in text.split("\n"))
    lines = [line for line in text.split("\n") if line.startswith("|")]
    cells = [[cell.strip() for cell in re.split(r"(?<!\\)(?:\\\\)*\|", line)[1:-1]] for line in lines]
    assert {len(row) for row in cells} == {7}
    assert len(cells) == scene.count + 2
    for key, row in enumerate(cells[2:]):
        assert row[1] == figure(float(reading.scores[key]))
        assert row[3] == (weight_figure(float(reading.weights[key])) if scene.mask[key] else "masked")
    assert f"entropy {figure(reading.entropy)} " in text


def test_markdown_takes_no_label_for_markup() -> None:
    scene = Scene.of([1.0], [[1.0], [2.0]], labels=["<b>|*x*\\", "[a](b)\n"])
    text = BY_NAME["Markdown"].make(scene, read(scene)).decode()
    assert r"| \<b\>\|\*x\*\\ |" in text
    assert r"| \[a\](b)\\n |" in text


def test_every_format_has_a_name_an_extension_and_a_sentence() -> None:
    assert len(BY_NAME) == len(FORMATS)
    assert len({entry.ending for entry in FORMATS}) == len(FORMATS)
    for entry in FORMATS:
        assert re.fullmatch(r"[a-z]+\.[a-z]+", entry.ending)
        assert len(f"  1 Markdown   {entry.summary} ") <= 58, "a line of the export screen at the least size"


def test_files_are_named_after_where_the_scene_came_from() -> None:
    def named(source: Source | None) -> str:
        return file_name(Scene.of([1.0], [[1.0]], source=source), "weights.csv")

    assert file_name(example("lesson"), "weights.csv") == "lesson-weights.csv"
    assert file_name(example("coreference"), "arrays.npz") == "minilm-l6-L3-H1-q9-arrays.npz"
    assert named(None) == "scene-weights.csv"
    assert named(Source("dump.npz", (1, 2), 3)) == "dump-1-2-q3-weights.csv"
    assert named(Source("../../etc/passwd")) == "passwd-weights.csv"
    assert named(Source("a\x1b[2J b\n.npz")) == "a-2J-b-weights.csv"
    assert named(Source("-rf")) == "rf-weights.csv"
    assert named(Source("...")) == "scene-weights.csv"
    assert named(Source("x" * 999)) == f"{'x' * 60}-weights.csv"


def test_an_export_overwrites_nothing_without_a_yes(tmp_path: Path) -> None:
    file = tmp_path / "a.csv"
    write_safely(file, b"first", overwrite=False)
    with pytest.raises(ForeignError, match="already"):
        write_safely(file, b"second", overwrite=False)
    assert file.read_bytes() == b"first"
    write_safely(file, b"second")
    assert file.read_bytes() == b"second"
    with pytest.raises(ForeignError, match="is a folder"):
        write_safely(Path("/"), b"")
