"""Filling cells with vectors and matrices: where the numbers go, what is added, what is refused."""

from typing import Any

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from attn_tui.model import edits
from attn_tui.model.scene import QUERY, Cell, Scene
from tests.model.scenes import (
    Q0,
    SCENE,
    as_one,
    cells_of,
    changed,
    content,
    refusal,
    scenes,
)


def test_a_vector_fills_the_query_from_a_component_on() -> None:
    assert edits.fill(SCENE, Q0, as_one([7.0, 8.0])).query.tolist() == [7.0, 8.0]
    after = edits.fill(SCENE, Cell(QUERY, 1), as_one([8.0]))
    assert after.query.tolist() == [1.0, 8.0]
    assert changed(SCENE, after) == {"query"}


def test_one_number_without_an_axis_fills_one_cell() -> None:
    assert edits.fill(SCENE, Cell(2, 1), np.array(9.0)).keys[2].tolist() == [30.0, 9.0]


def test_a_matrix_of_one_row_fills_as_the_vector_does() -> None:
    as_matrix, as_vector = (edits.fill(SCENE, Q0, as_one(block)) for block in ([[7.0, 8.0]], [7.0, 8.0]))
    assert content(as_matrix) == content(as_vector)
    assert as_matrix.source == SCENE.source


def test_a_vector_fills_a_key_across_into_its_value() -> None:
    after = edits.fill(SCENE, Cell(1, 1), as_one([5.0, 6.0]))
    assert after.keys.tolist() == [[10.0, 11.0], [20.0, 5.0], [30.0, 31.0]]
    assert after.values is not None
    assert after.values.tolist() == [[100.0], [6.0], [300.0]]
    assert changed(SCENE, after) == {"keys", "values"}


def test_a_column_fills_downwards() -> None:
    after = edits.fill(SCENE, Cell(0, 1), as_one([[1.0], [2.0], [3.0]]))
    assert after.keys.tolist() == [[10.0, 1.0], [20.0, 2.0], [30.0, 3.0]]
    assert changed(SCENE, after) == {"keys"}


def test_a_column_fills_values_alone() -> None:
    after = edits.fill(SCENE, Cell(1, 2), as_one([[1.0], [2.0]]))
    assert after.values is not None
    assert after.values.tolist() == [[100.0], [1.0], [2.0]]
    assert changed(SCENE, after) == {"values"}


def test_a_block_fills_keys_and_values_together() -> None:
    after = edits.fill(SCENE, Cell(1, 0), as_one([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]))
    assert after.keys.tolist() == [[10.0, 11.0], [1.0, 2.0], [4.0, 5.0]]
    assert after.values is not None
    assert after.values.tolist() == [[100.0], [3.0], [6.0]]


def test_a_column_from_within_the_query_goes_on_into_the_keys() -> None:
    after = edits.fill(SCENE, Cell(QUERY, 1), as_one([[1.0], [2.0], [3.0]]))
    assert after.query.tolist() == [1.0, 1.0]
    assert after.keys.tolist() == [[10.0, 2.0], [20.0, 3.0], [30.0, 31.0]]
    assert changed(SCENE, after) == {"query", "keys"}


def test_rows_past_the_last_key_add_keys() -> None:
    after = edits.fill(SCENE, Cell(2, 1), as_one([[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]]))
    assert after.keys.tolist() == [[10.0, 11.0], [20.0, 21.0], [30.0, 1.0], [0.0, 3.0], [0.0, 5.0]]
    assert after.values is not None
    assert after.values.tolist() == [[100.0], [200.0], [2.0], [4.0], [6.0]]
    assert after.labels == ("k0", "animal", "k7", "k8", "k9")
    assert after.mask.tolist() == [True, False, True, True, True]


def test_a_column_from_within_the_query_adds_keys_too() -> None:
    after = edits.fill(SCENE, Cell(QUERY, 1), as_one([[1.0], [2.0], [3.0], [4.0], [5.0]]))
    assert after.keys[:, 1].tolist() == [2.0, 3.0, 4.0, 5.0]
    assert after.labels == ("k0", "animal", "k7", "k8")


def test_rows_past_the_last_key_need_no_values() -> None:
    after = edits.fill(edits.set_values(SCENE, None), Cell(2, 0), as_one([[1.0, 2.0], [3.0, 4.0]]))
    assert after.keys[2:].tolist() == [[1.0, 2.0], [3.0, 4.0]]
    assert after.values is None


def test_thousands_of_rows_past_the_last_key_are_no_matter() -> None:
    after = edits.fill(edits.set_values(SCENE, None), Cell(2, 0), np.ones((20_000, 2)))
    assert after.count == 20_002
    assert after.labels[-1] == "k20006"


@pytest.mark.parametrize(
    ("cell", "block", "words"),
    [
        (Q0, [1.0, 2.0, 3.0], "3 numbers in a row do not fit: from q.d0 on there is room for 2"),
        (Cell(QUERY, 1), [1.0, 2.0], "2 numbers in a row do not fit: from q.d1 on there is room for 1"),
        (Cell(QUERY, 1), [[1.0, 2.0], [3.0, 4.0]], "2 numbers in a row do not fit: from q.d1 on there is room for 1"),
        (Cell(0, 0), [1.0, 2.0, 3.0, 4.0], "4 numbers in a row do not fit: from k0.d0 on there is room for 3"),
        (Cell(1, 1), [[1.0] * 3] * 2, '3 numbers in a row do not fit: from "animal".d1 on there is room for 2'),
        (Cell(2, 2), [1.0, 2.0], "2 numbers in a row do not fit: from k7.v0 on there is room for 1"),
        (Cell(1, 0), [], "there are no numbers to paste"),
        (Q0, np.zeros((2, 0)), "there are no numbers to paste"),
    ],
)
def test_numbers_past_the_last_column_are_refused(cell: Cell, block: Any, words: str) -> None:
    assert refusal(lambda: edits.fill(SCENE, cell, as_one(block))) == words


@given(scene=scenes(), data=st.data())
def test_filling_changes_exactly_the_cells_of_the_block(scene: Scene, data: st.DataObject) -> None:
    cell = data.draw(cells_of(scene))
    room = (scene.head_size if cell.row == QUERY else scene.columns) - cell.column
    rows = data.draw(st.integers(1, scene.count + 3))
    assume(cell != Q0 or rows == 1)
    block = data.draw(hnp.arrays(np.float64, (rows, data.draw(st.integers(1, room)))))
    after = edits.fill(scene, cell, block)
    assert after.count == max(scene.count, cell.row + rows)
    for row in range(QUERY, after.count):
        for column in range(after.head_size if row == QUERY else after.columns):
            i, j = row - cell.row, column - cell.column
            if 0 <= i < rows and 0 <= j < block.shape[1]:
                wanted = float(block[i, j])
            else:
                wanted = scene.component(Cell(row, column)) if scene.holds(Cell(row, column)) else 0.0
            assert np.float64(after.component(Cell(row, column))).tobytes() == np.float64(wanted).tobytes()


def test_a_whole_scene_of_as_many_keys_keeps_what_belongs_to_them() -> None:
    after = edits.fill(SCENE, Q0, as_one([[1.0] * 3, [2.0] * 3, [3.0] * 3, [4.0] * 3]))
    assert after.query.tolist() == [1.0, 1.0, 1.0]
    assert after.keys[:, 0].tolist() == [2.0, 3.0, 4.0]
    assert changed(SCENE, after) == {"query", "keys", "source"}
    assert after.source is None


def test_a_whole_scene_of_other_keys_begins_anew_but_for_the_settings() -> None:
    scene = edits.set_dtype(SCENE, "float32")
    after = edits.fill(scene, Q0, as_one([[1.0], [2.0], [3.0]]))
    assert after.keys.tolist() == [[2.0], [3.0]]
    assert (after.labels, after.query_label, after.values) == (("k0", "k1"), "q", None)
    assert after.mask.tolist() == [True, True]
    assert (after.temperature, after.scale, after.dtype) == (2.0, "sqrt", "float32")


@pytest.mark.parametrize("names", [("it", "a", "b"), ("q", "a", "b", "c")], ids=["other keys", "as many keys"])
def test_a_whole_scene_brings_its_own_names(names: tuple[str, ...]) -> None:
    after = edits.fill(edits.rename(SCENE, QUERY, "old"), Q0, np.ones((len(names), 2)), names)
    assert (after.query_label, *after.labels) == names
