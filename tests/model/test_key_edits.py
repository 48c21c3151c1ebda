"""Edits of whole keys and dimensions: what belongs to a key goes with it, and the mask is set."""

import math
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from attn_tui.model import edits
from attn_tui.model.scene import QUERY, Cell, Scene, read
from tests.model.scenes import (
    SCENE,
    as_one,
    changed,
    content,
    key_at,
    key_of,
    keys_of,
    refusal,
    scenes,
)


@given(scene=scenes(), data=st.data())
def test_a_key_that_is_added_and_deleted_leaves_nothing(scene: Scene, data: st.DataObject) -> None:
    after = data.draw(st.integers(QUERY, scene.count - 1))
    added = edits.add_key(scene, after)
    assert added.count == scene.count + 1
    assert not added.keys[after + 1].any()
    assert added.values is None or not added.values[after + 1].any()
    assert added.mask[after + 1]
    assert added.labels[after + 1] not in scene.labels
    assert content(edits.delete_key(added, after + 1)) == content(scene)


@given(scene=scenes(), data=st.data())
def test_a_duplicate_is_the_key_under_another_name(scene: Scene, data: st.DataObject) -> None:
    key = data.draw(key_of(scene))
    after = edits.duplicate_key(scene, key)
    assert after.labels[key + 1] not in scene.labels
    assert {**key_at(after, key + 1), "name": scene.labels[key]} == key_at(scene, key)
    assert content(edits.delete_key(after, key + 1)) == content(scene)


@given(scene=scenes(), data=st.data())
def test_a_deleted_key_takes_all_that_is_its_own_along(scene: Scene, data: st.DataObject) -> None:
    assume(scene.count > 1)
    key = data.draw(key_of(scene))
    rest = keys_of(scene)
    del rest[key]
    assert keys_of(edits.delete_key(scene, key)) == rest


@given(scene=scenes(), data=st.data())
def test_a_key_moves_with_all_that_is_its_own_and_back(scene: Scene, data: st.DataObject) -> None:
    key, target = data.draw(key_of(scene)), data.draw(key_of(scene))
    after = edits.move_key(scene, key, target - key)
    order = keys_of(scene)
    order.insert(target, order.pop(key))
    assert keys_of(after) == order
    assert content(edits.move_key(after, target, key - target)) == content(scene)


@given(scene=scenes(nan=False), data=st.data())
def test_moving_a_key_moves_its_weight_and_no_other_thing(scene: Scene, data: st.DataObject) -> None:
    key, target = data.draw(key_of(scene)), data.draw(key_of(scene))
    exact = edits.set_dtype(scene, "float64")
    before, after = (read(s).weights.tolist() for s in (exact, edits.move_key(exact, key, target - key)))
    before.insert(target, before.pop(key))
    assert after == pytest.approx(before, rel=1e-12, abs=0.0, nan_ok=True)


@pytest.mark.parametrize(
    ("labels", "new"),
    [
        (["k0", "k1"], "k2"),
        (["k5", "k1"], "k6"),
        (["the", "cat"], "k0"),
        (["k", "k-3"], "k0"),
        (["k" + "9" * 5000, "k²"], "k0"),
    ],
)
def test_a_new_key_is_called_by_the_next_free_number(labels: list[str], new: str) -> None:
    scene = Scene.of([1.0], [[1.0], [2.0]], labels=labels)
    assert edits.add_key(scene, 1).labels[2] == new
    assert edits.duplicate_key(scene, 1).labels[2] == new
    assert edits.fill(scene, Cell(1, 0), as_one([[1.0], [2.0]])).labels[2] == new


def test_the_last_key_stays() -> None:
    scene = Scene.of([1.0], [[1.0]])
    assert refusal(lambda: edits.delete_key(scene, 0)) == "the last key stays: attention needs one"


@pytest.mark.parametrize(
    ("key", "by", "words"),
    [
        (0, -1, "k0 is already the first key"),
        (2, 1, "k7 is already the last key"),
        (1, -2, "animal is already the first key"),
        (1, 2, "animal is already the last key"),
    ],
)
def test_a_key_does_not_move_past_the_ends(key: int, by: int, words: str) -> None:
    assert refusal(lambda: edits.move_key(SCENE, key, by)) == words


@pytest.mark.parametrize(
    ("what", "edit"),
    [
        ("duplicate", edits.duplicate_key),
        ("delete", edits.delete_key),
        ("move", lambda scene, key: edits.move_key(scene, key, 1)),
        ("mask", edits.toggle_mask),
    ],
)
def test_the_query_is_no_key(what: str, edit: Callable[[Scene, int], Scene]) -> None:
    assert refusal(lambda: edit(SCENE, QUERY)) == f"the cursor is on the query: go to the key to {what}"
    assert refusal(lambda: edit(SCENE, 3)) == "there is no such key"


def test_a_name_is_given_to_the_query_or_a_key_alone() -> None:
    query, key = edits.rename(SCENE, QUERY, "was"), edits.rename(SCENE, 1, "the street")
    assert query.query_label == "was"
    assert changed(SCENE, query) == {"query_label"}
    assert key.labels == ("k0", "the street", "k7")
    assert changed(SCENE, key) == {"labels"}


@pytest.mark.parametrize("name", ["", " ", "\t\n"])
def test_a_name_needs_a_character(name: str) -> None:
    for row in (QUERY, 1):
        assert refusal(lambda row=row: edits.rename(SCENE, row, name)) == "a name needs at least one character"


def test_there_is_no_name_for_a_row_that_is_not_there() -> None:
    for row in (3, -2):
        assert refusal(lambda row=row: edits.rename(SCENE, row, "a")) == "there is no such key"


@given(scene=scenes(), data=st.data())
def test_a_dimension_that_is_added_and_deleted_leaves_nothing(scene: Scene, data: st.DataObject) -> None:
    after = data.draw(st.integers(QUERY, scene.columns - 1))
    added = edits.add_dimension(scene, after)
    at = min(after + 1, scene.head_size)
    assert added.head_size == scene.head_size + 1
    assert added.query[at] == 0.0
    assert not added.keys[:, at].any()
    assert added.value_size == scene.value_size
    assert content(edits.delete_dimension(added, at)) == content(scene)


@given(scene=scenes(nan=False), data=st.data())
def test_a_dimension_of_zeros_changes_no_score(scene: Scene, data: st.DataObject) -> None:
    after = edits.add_dimension(edits.set_dtype(scene, "float64"), data.draw(st.integers(QUERY, scene.head_size - 1)))
    size = np.abs(scene.query).max() * np.abs(scene.keys).max() * scene.head_size
    before = read(edits.set_dtype(scene, "float64")).scores
    np.testing.assert_allclose(read(after).scores, before, rtol=0.0, atol=4 * 2.0**-52 * size)


@pytest.mark.parametrize("column", [2, 3, -1])
def test_a_value_s_column_is_no_dimension(column: int) -> None:
    words = "that column belongs to the values: it is no dimension of query and keys"
    assert refusal(lambda: edits.delete_dimension(SCENE, column)) == words


def test_the_last_dimension_stays() -> None:
    scene = edits.delete_dimension(SCENE, 0)
    assert scene.query.tolist() == [2.0]
    assert scene.keys.tolist() == [[11.0], [21.0], [31.0]]
    assert refusal(lambda: edits.delete_dimension(scene, 0)) == "the last dimension stays: a vector needs one"


@given(scene=scenes(), data=st.data())
def test_toggling_or_inverting_twice_gives_the_mask_back(scene: Scene, data: st.DataObject) -> None:
    key = data.draw(key_of(scene))
    once = edits.toggle_mask(scene, key)
    assert [i for i in range(scene.count) if once.mask[i] != scene.mask[i]] == [key]
    assert changed(scene, once) == {"mask"}
    assert content(edits.toggle_mask(once, key)) == content(scene)
    inverted = edits.invert_mask(scene)
    assert (inverted.mask != scene.mask).all()
    assert changed(scene, inverted) == {"mask"}
    assert content(edits.invert_mask(inverted)) == content(scene)


@pytest.mark.parametrize("mask", [[0, 1, 1], [False, True, True], [0.0, 1.0, 1.0], np.array([0, 1, 1], np.uint8)])
def test_a_mask_is_set_by_truth_or_by_one_and_zero(mask: Any) -> None:
    after = edits.set_mask(SCENE, mask)
    assert after.mask.tolist() == [False, True, True]
    assert changed(SCENE, after) == {"mask"}


def test_a_mask_is_independent_of_the_array_it_was_set_by() -> None:
    mask = np.ones(3, np.bool_)
    after = edits.set_mask(SCENE, mask)
    mask[0] = False
    assert after.mask.all()


@pytest.mark.parametrize(
    ("mask", "words"),
    [
        ([1, 0], "the mask needs one entry for each of the 3 keys, and has 2"),
        ([1], "the mask needs one entry for each of the 3 keys, and has 1"),
        ([], "the mask needs one entry for each of the 3 keys, and has 0"),
        ([[1, 0, 1]], "the mask needs one entry for each of the 3 keys, and has 3"),
        ([0.5, 1, 1], "mask needs true or false, or 1 or 0, for each key: it selects, and is never added"),
        ([0.0, -math.inf, 0.0], "mask needs true or false, or 1 or 0, for each key: it selects, and is never added"),
        ([math.nan, 1, 1], "mask needs true or false, or 1 or 0, for each key: it selects, and is never added"),
        (["yes", "no", "no"], "mask holds text, not real numbers"),
        ([[1], [1, 2], [1]], "mask is ragged: its rows differ in length"),
    ],
)
def test_a_mask_that_does_not_fit_is_refused(mask: Any, words: str) -> None:
    assert refusal(lambda: edits.set_mask(SCENE, mask)) == words
