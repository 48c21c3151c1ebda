"""The table of results, read back with the csv module."""

import csv
import io
import re

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from attn_tui.files.exports.rows import as_csv, as_tabs, harmless
from attn_tui.files.visible import visible
from attn_tui.model.scene import Scene, read
from tests.files.exports.kept import HOSTILE, SCENES
from tests.model.scenes import scenes


def same(one: object, other: object) -> bool:
    """Whether numbers are the same to the last bit, nan and the sign of zero included."""
    return np.asarray(one, dtype=np.float64).tobytes() == np.asarray(other, dtype=np.float64).tobytes()


def check(scene: Scene, table: list[list[str]]) -> None:
    """Assert that a table has all of a scene and its reading."""
    reading = read(scene)
    headings, rows = table[0], table[1:]
    columns = dict(zip(headings, zip(*rows, strict=True), strict=True))
    assert len(columns) == len(headings)
    assert list(columns.pop("label")) == [harmless(label) for label in scene.labels]
    assert list(columns.pop("mask")) == [str(int(may)) for may in scene.mask]
    cosines = [np.nan if cell == "" else float(cell) for cell in columns.pop("cosine")]
    assert np.array_equal(cosines, reading.cosines, equal_nan=True)
    numbers = {name: np.array([float(cell) for cell in cells]) for name, cells in columns.items()}
    for name, expected in {
        "q.k": reading.scores,
        "scaled": reading.scaled,
        "weight": reading.weights,
        "naive_weight": reading.naive_weights,
        "norm": reading.key_norms,
        **{f"d{i}": column for i, column in enumerate(scene.keys.T)},
        **{f"v{i}": column for i, column in enumerate([] if scene.values is None else scene.values.T)},
    }.items():
        found = numbers.pop(name)
        assert np.array_equal(found, expected, equal_nan=True), name
        assert np.array_equal(np.signbit(found[found == 0]), np.signbit(expected[expected == 0])), name
    assert not numbers


@pytest.mark.parametrize("name", SCENES)
def test_csv_and_tabs_read_back_the_same(name: str) -> None:
    scene = SCENES[name]
    check(scene, list(csv.reader(io.StringIO(as_csv(scene, read(scene))), strict=True)))
    check(scene, list(csv.reader(io.StringIO(as_tabs(scene, read(scene))), delimiter="\t", strict=True)))


@given(scenes())
def test_any_scene_reads_back_the_same(scene: Scene) -> None:
    check(scene, list(csv.reader(io.StringIO(as_csv(scene, read(scene))), strict=True)))


def test_numbers_are_told_from_texts_by_their_quotes() -> None:
    text = as_csv(SCENES["nan"], read(SCENES["nan"]))
    rows = list(csv.reader(io.StringIO(text), quoting=csv.QUOTE_NONNUMERIC, strict=True))
    assert rows[1][:3] == ["k0", 1.0, 1.0]
    assert text.split("\n")[2].startswith('"k1",1,nan,nan,')
    assert text.split("\n")[3].endswith(",inf")


def test_a_cosine_with_a_zero_vector_is_left_empty_and_one_that_is_nan_is_nan() -> None:
    rows = list(csv.DictReader(io.StringIO(as_csv(SCENES["zero"], read(SCENES["zero"])))))
    assert [row["cosine"] for row in rows] == ["", ""]
    rows = list(csv.DictReader(io.StringIO(as_csv(SCENES["nan"], read(SCENES["nan"])))))
    assert rows[1]["cosine"] == "nan"


def test_no_label_is_a_formula_or_a_sequence_or_another_line() -> None:
    scene = SCENES["hostile"]
    for text in (as_csv(scene, read(scene)), as_tabs(scene, read(scene))):
        assert all(line.replace("\t", "").isprintable() for line in text.split("\n"))
        assert len(text.split("\n")) == scene.count + 2
    for label in HOSTILE:
        assert not re.match(r"\s*[=+\-@＝]", harmless(label)), label


@given(st.text(st.characters(), max_size=8) | st.text("=+-@' \tx", max_size=6))
def test_the_apostrophe_can_be_undone(label: str) -> None:
    shown = harmless(label)
    undone = shown[1:] if re.match(r"'[\s']*[=+\-@＝＋－＠]", shown) else shown
    assert undone == visible(label)
    assert not re.match(r"\s*[=+\-@＝＋－＠]", shown)
