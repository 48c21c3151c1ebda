"""A scene: what it takes, what it refuses in which words, how its cells are called, and that it never changes."""

import math
from typing import Any

import numpy as np
import pytest
from hypothesis import given

from attn_tui.model import edits
from attn_tui.model.scene import QUERY, Cell, Scene, read
from attn_tui.model.source import Source
from tests.model.scenes import scenes

QUERY_4 = [1.0, 2.0, 3.0, 4.0]
KEYS_3 = [[1.0, 0.0, 0.0, 0.0], [0.0, 1.0, 0.0, 0.0], [0.0, 0.0, 1.0, 0.0]]
VALUES_3 = [[10.0, 20.0], [30.0, 40.0], [50.0, 60.0]]


@pytest.mark.parametrize(
    ("given_parts", "sentence"),
    [
        ({"query": [1.0, 2.0]}, "the query has 2 components, the keys have 4 components"),
        ({"query": [1.0]}, "the query has 1 component, the keys have 4 components"),
        ({"query": [QUERY_4]}, "query needs one axis, and has shape (1, 4)"),
        ({"query": 1.0}, "query needs one axis, and has shape ()"),
        ({"query": "1 2 3 4"}, "query holds text, not real numbers"),
        ({"query": [1j, 2.0, 3.0, 4.0]}, "query holds complex numbers, not real numbers"),
        ({"query": [None, 2.0, 3.0, 4.0]}, "query holds objects, not real numbers"),
        ({"keys": QUERY_4}, "keys needs 2 axes, and has shape (4,)"),
        ({"keys": [KEYS_3]}, "keys needs 2 axes, and has shape (1, 3, 4)"),
        ({"keys": [[1.0, 2.0, 3.0, 4.0], [1.0]]}, "keys is ragged: its rows differ in length"),
        ({"keys": np.zeros((0, 4))}, "there has to be at least one key with at least one component"),
        ({"query": [], "keys": [[]]}, "there has to be at least one key with at least one component"),
        ({"values": [1.0, 2.0, 3.0]}, "values needs 2 axes, and has shape (3,)"),
        ({"values": [[1.0], [2.0]]}, "there are 3 keys and 2 values"),
        ({"values": [[], [], []]}, "the values have no components"),
        ({"labels": ["a", "b"]}, "there are 3 keys and 2 labels"),
        ({"labels": []}, "there are 3 keys and 0 labels"),
        ({"mask": [1, 0]}, "there are 3 keys and 2 mask entries"),
        ({"mask": [1]}, "there are 3 keys and 1 mask entries"),
        ({"mask": True}, "mask needs one axis, and has shape ()"),
        ({"mask": [[1, 1, 0]]}, "mask needs one axis, and has shape (1, 3)"),
        ({"mask": [[1], [1, 0]]}, "mask is ragged: its rows differ in length"),
        (
            {"mask": [0.0, -math.inf, 0.0]},
            "mask needs true or false, or 1 or 0, for each key: it selects, and is never added",
        ),
        ({"temperature": 0.0}, "the temperature has to be a finite number above 0, not 0"),
        ({"temperature": -1.0}, "the temperature has to be a finite number above 0, not -1"),
        ({"temperature": math.nan}, "the temperature has to be a finite number above 0, not nan"),
        ({"temperature": math.inf}, "the temperature has to be a finite number above 0, not inf"),
        ({"scale": math.nan}, "the scale has to be a finite number, not nan"),
        ({"scale": -math.inf}, "the scale has to be a finite number, not -inf"),
        (
            {"dtype": "float128"},
            "there is no dtype 'float128': choose from float64, float32, float16, bfloat16, float8_e4m3fn, float8_e5m2",
        ),
    ],
    ids=repr,
)
def test_what_does_not_fit_together_is_refused_in_words(given_parts: dict[str, Any], sentence: str) -> None:
    parts: dict[str, Any] = {"query": QUERY_4, "keys": KEYS_3, **given_parts}
    with pytest.raises(ValueError) as refusal:  # noqa: PT011 - the whole sentence is compared
        Scene.of(**parts)
    assert str(refusal.value) == sentence


def test_what_is_not_said_has_the_plainest_default() -> None:
    scene = Scene.of(QUERY_4, KEYS_3)
    assert scene.labels == ("k0", "k1", "k2")
    assert scene.mask.tolist() == [True, True, True]
    assert (scene.temperature, scene.scale, scene.dtype) == (1.0, 1.0, "float64")
    assert (scene.values, scene.query_label, scene.source) == (None, "q", None)
    assert (scene.head_size, scene.count, scene.value_size, scene.columns) == (4, 3, 0, 4)


def test_the_sizes_count_the_value_s_columns() -> None:
    scene = Scene.of(QUERY_4, KEYS_3, VALUES_3)
    assert (scene.head_size, scene.count, scene.value_size, scene.columns) == (4, 3, 2, 6)


@pytest.mark.parametrize("kind", [int, np.int8, np.uint64, np.bool_, np.float16, np.float32])
def test_numbers_of_any_kind_are_float64(kind: type) -> None:
    scene = Scene.of(np.array([1, 0], kind), np.array([[1, 1]], kind), np.array([[1]], kind), mask=np.array([1], kind))
    assert scene.values is not None
    assert {scene.query.dtype, scene.keys.dtype, scene.values.dtype} == {np.dtype(np.float64)}
    assert scene.mask.dtype == np.bool_
    assert scene.query.tolist() == [1.0, 0.0]


def test_large_integers_do_not_wrap_round() -> None:
    large = np.array([2**62], np.int64)
    assert read(Scene.of(large, large[None, :])).scores.tolist() == [2.0**124]


def test_a_small_float_keeps_its_value() -> None:
    assert Scene.of(np.array([0.1], np.float32), [[1.0]]).query[0] == float(np.float32(0.1))


@given(scenes())
def test_no_array_of_a_scene_can_be_written_to(scene: Scene) -> None:
    for array in (scene.query, scene.keys, scene.values, scene.mask):
        if array is not None:
            assert not array.flags.writeable
            with pytest.raises(ValueError, match="read-only"):
                array[0] = 1


def test_a_scene_is_independent_of_the_arrays_it_was_made_of() -> None:
    query, keys, values, mask = np.ones(2), np.ones((3, 2)), np.ones((3, 1)), np.ones(3, np.bool_)
    scene = Scene.of(query, keys, values, mask=mask)
    for array in (query, keys, values, mask):
        array[...] = 0
    assert scene.values is not None
    assert all(part.all() for part in (scene.query, scene.keys, scene.values, scene.mask))
    assert query.flags.writeable
    assert mask.flags.writeable


def test_a_scene_is_independent_of_what_a_read_only_view_shows() -> None:
    query = np.ones(2)
    view = query[:]
    view.flags.writeable = False
    scene = Scene.of(view, [[1.0, 1.0]])
    query[0] = 9.0
    assert scene.query.tolist() == [1.0, 1.0]


def test_a_scene_s_parts_cannot_be_replaced() -> None:
    scene = Scene.of(QUERY_4, KEYS_3)
    with pytest.raises(AttributeError, match="temperature"):
        scene.temperature = 2.0  # type: ignore[misc]


def test_scenes_compare_as_objects_and_never_array_by_array() -> None:
    scene, other = Scene.of(QUERY_4, KEYS_3), Scene.of(QUERY_4, KEYS_3)
    assert scene == scene  # noqa: PLR0124 - equality is what is tested
    assert scene != other


def test_labels_may_be_any_sequence_of_text() -> None:
    tokens = ["the", "the", ""]
    scene = Scene.of(QUERY_4, KEYS_3, labels=tokens)
    tokens.append("more")
    assert scene.labels == ("the", "the", "")


SCENE = Scene.of(
    QUERY_4,
    KEYS_3,
    VALUES_3,
    labels=["k0", "animal", "k12"],
    query_label="it",
    source=Source("minilm-l6", (3, 1), 9),
)


@pytest.mark.parametrize(
    ("cell", "name", "number"),
    [
        (Cell(QUERY, 0), "q.d0", 1.0),
        (Cell(QUERY, 3), "q.d3", 4.0),
        (Cell(0, 0), "k0.d0", 1.0),
        (Cell(1, 1), '"animal".d1', 1.0),
        (Cell(2, 3), "k12.d3", 0.0),
        (Cell(0, 4), "k0.v0", 10.0),
        (Cell(1, 5), '"animal".v1', 40.0),
        (Cell(2, 4), "k12.v0", 50.0),
    ],
)
def test_a_cell_has_a_name_and_a_number(cell: Cell, name: str, number: float) -> None:
    assert SCENE.holds(cell)
    assert SCENE.cell_name(cell) == name
    assert SCENE.component(cell) == number
    assert type(SCENE.component(cell)) is float


@pytest.mark.parametrize(
    "cell", [Cell(QUERY, 4), Cell(QUERY, -1), Cell(-2, 0), Cell(3, 0), Cell(0, 6), Cell(0, -1), Cell(3, 6)]
)
def test_there_are_no_cells_beyond_the_edges(cell: Cell) -> None:
    assert not SCENE.holds(cell)


def test_without_values_there_are_no_cells_behind_the_dimensions() -> None:
    scene = edits.set_values(SCENE, None)
    assert scene.holds(Cell(0, 3))
    assert not scene.holds(Cell(0, 4))


def test_rows_are_called_by_their_labels() -> None:
    assert [SCENE.row_label(row) for row in (QUERY, 0, 1, 2)] == ["it", "k0", "animal", "k12"]


def test_the_scale_sqrt_follows_the_head_size() -> None:
    scene = Scene.of(QUERY_4, KEYS_3, scale="sqrt")
    assert scene.scale_factor == 0.5
    wider = edits.add_dimension(scene, 3)
    assert (wider.scale, wider.scale_factor) == ("sqrt", 1.0 / math.sqrt(5.0))
    narrow = edits.delete_dimension(edits.delete_dimension(edits.delete_dimension(scene, 0), 0), 0)
    assert narrow.scale_factor == 1.0


def test_a_scale_in_numbers_stays_what_it_is() -> None:
    scene = Scene.of(QUERY_4, KEYS_3, scale=0.25)
    assert edits.add_dimension(scene, 3).scale_factor == 0.25


def test_reading_hands_over_everything_that_decides() -> None:
    scene = Scene.of(
        [2.0, 0.0],
        [[3.0, 0.0], [1.0, 0.0], [math.nan, 0.0]],
        [[1.0], [2.0], [3.0]],
        labels=["a", "b", "c"],
        mask=[1, 1, 0],
        temperature=2.0,
        scale=0.5,
        dtype="float32",
    )
    reading = read(scene)
    assert reading.scaled[:2].tolist() == [1.5, 0.5]
    expected = 1.0 / (1.0 + math.exp(-1.0))
    assert reading.weights[0] == pytest.approx(expected, rel=1e-6)
    assert reading.weights[2] == 0.0
    assert reading.output is not None
    assert reading.output[0] == pytest.approx(2.0 - expected, rel=1e-6)
    assert reading.inputs.precision.name == "float32"
    assert reading.inputs.labels == ("a", "b", "c")


def test_faults_name_a_token_in_quotes_and_a_key_by_its_number() -> None:
    scene = edits.set_component(SCENE, Cell(1, 2), math.nan)
    assert read(scene).faults[0].message.startswith('"animal".d2 is nan')
    scene = edits.set_component(SCENE, Cell(2, 0), math.nan)
    assert read(scene).faults[0].message.startswith("k12.d0 is nan")
