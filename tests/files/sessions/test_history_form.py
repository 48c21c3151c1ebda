"""A history reads back as itself, costs what changed, and leaves its oldest steps out where it would be too large."""

import json

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from attn_tui.files.errors import ForeignError
from attn_tui.files.sessions.history_form import HistoryWriter, history_from_json
from attn_tui.model import edits
from attn_tui.model.edits import Refused
from attn_tui.model.examples import example
from attn_tui.model.history import History
from attn_tui.model.scene import QUERY, Cell, Scene
from tests.files.sessions.test_scene_form import hostile, same
from tests.model.scenes import SPECIAL, cells_of, key_of


def again(history: History, writer: HistoryWriter | None = None) -> History:
    """A history, written and read."""
    return history_from_json(json.loads((writer or HistoryWriter()).content(history)))


def assert_same(one: History, other: History) -> None:
    """Assert that two histories are the same to the last bit, with what was undone."""
    for mine, theirs in ((one.past, other.past), (one.future, other.future)):
        assert [step.what for step in mine] == [step.what for step in theirs]
        assert all(same(a.scene, b.scene) for a, b in zip(mine, theirs, strict=True))


@st.composite
def histories(draw: st.DrawFn) -> History:
    """A history of any edits of any scene, some undone, with other scenes opened in between."""
    history = History.of(draw(hostile()), draw(st.text(max_size=5)))
    for _ in range(draw(st.integers(0, 8))):
        scene = history.scene
        cell, key = draw(cells_of(scene)), draw(key_of(scene))
        kinds = {
            "set": lambda s, c=cell: edits.set_component(s, c, draw(st.sampled_from([*SPECIAL, 0.5]))),
            "negate": lambda s, c=cell: edits.negate(s, c),
            "add": lambda s, k=key: edits.add_key(s, k),
            "copy": lambda s, k=key: edits.duplicate_key(s, k),
            "delete": lambda s, k=key: edits.delete_key(s, k),
            "move": lambda s, k=key: edits.move_key(s, k, 1),
            "rename": lambda s, k=key: edits.rename(s, k, "\u202e"),
            "query": lambda s: edits.rename(s, QUERY, "Ä"),
            "mask": lambda s, k=key: edits.toggle_mask(s, k),
            "invert": edits.invert_mask,
            "dimension": lambda s: edits.add_dimension(s, 0),
            "values": edits.add_values,
            "no values": edits.remove_values,
            "scale": lambda s: edits.set_scale(s, draw(st.sampled_from(["sqrt", 0.0, -0.0]))),
            "tau": lambda s: edits.set_temperature(s, 0.25),
            "dtype": lambda s: edits.set_dtype(s, "float16"),
            "paste": lambda s: edits.fill(s, Cell(QUERY, 0), np.ones((3, 2))),
            "open": lambda s: draw(hostile()),
        }
        what = draw(st.sampled_from([*kinds, "undo", "redo"]))
        try:
            if what in kinds:
                history = history.record(kinds[what](scene), what)
            else:
                history = (history.undo() if what == "undo" else history.redo()) or history
        except Refused:
            continue
    return history


@given(histories())
def test_a_history_reads_back_as_itself(history: History) -> None:
    assert_same(again(history), history)


@given(histories())
def test_what_a_writer_wrote_before_changes_nothing(history: History) -> None:
    writer = HistoryWriter()
    back: History | None = history
    while back is not None:
        assert writer.content(back) == HistoryWriter().content(back)
        back = back.undo()
    assert_same(again(history, writer), history)


def test_a_step_costs_what_it_changes() -> None:
    keys = np.random.default_rng(1).normal(size=(500, 64))
    history = History.of(Scene.of(keys[0], keys))
    whole = len(HistoryWriter().content(history))
    for i in range(50):
        history = history.record(edits.set_component(history.scene, Cell(i * 7, 3), 0.5), "set")
        history = history.record(edits.toggle_mask(history.scene, i), "mask")
        history = history.record(edits.add_key(history.scene, 250), "add")
        history = history.record(edits.delete_key(history.scene, 251), "delete")
    written = len(HistoryWriter().content(history))
    assert written < 1.3 * whole
    assert_same(again(history), history)


def test_steps_that_share_arrays_share_them_when_read() -> None:
    history = History.of(example("coreference"))
    for _ in range(5):
        history = history.record(edits.step_temperature(history.scene, -1), "cooler")
    read = again(history)
    assert len({id(step.scene.keys) for step in read.past}) == 1
    assert len({id(step.scene.values) for step in read.past}) == 1


def test_the_oldest_steps_go_when_there_is_no_room_and_the_present_never() -> None:
    most = 6000
    writer = HistoryWriter(most)
    history = History.of(example("lesson"))
    for i in range(200):
        history = history.record(edits.set_component(history.scene, Cell(i % 5, i % 4), i / 7), f"step {i}")
        assert len(writer.content(history)) <= most
        read = again(history, writer)
        assert same(read.scene, history.scene)
        assert [step.what for step in read.past] == [step.what for step in history.past[-len(read.past) :]]
        assert i < 5 or len(read.past) > 5
    for _ in range(150):
        undone = history.undo()
        assert undone is not None
        history = undone
        read = again(history, writer)
        assert len(writer.content(history)) <= most
        assert same(read.scene, history.scene)
        assert not read.future or same(read.future[-1].scene, history.future[-1].scene)


def test_a_scene_larger_than_the_room_is_kept_all_the_same() -> None:
    history = History.of(example("coreference"))
    history = history.record(edits.step_temperature(history.scene, 1), "warmer")
    read = again(history, HistoryWriter(1000))
    assert len(read.past) == 1
    assert same(read.scene, history.scene)


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"keys": {"at": 9, "out": 1, "in": []}}, "keys is changed where there is nothing"),
        ({"keys": {"at": 0, "out": 1, "in": [[1.0]]}}, "keys has rows of 1 numbers among rows of 4"),
        ({"keys": {"at": 0, "out": 1, "in": []}}, "there are 4 keys and 5 labels"),
        ({"values": {"at": 0, "out": 0, "in": []}}, "values is changed where there is nothing"),
        ({"mask": {"at": -1, "out": 0, "in": []}}, "mask.at is -1"),
        ({"labels": {"at": 0, "in": ["a"]}}, "labels.out is null"),
        ([], "it is a list, and has to be an object"),
        ({"what": None}, "what is null"),
    ],
)
def test_a_step_that_makes_no_sense_is_named(change: object, words: str) -> None:
    written = json.loads(HistoryWriter().content(History.of(example("lesson"))))
    written["steps"].append({"what": "x", **change} if isinstance(change, dict) else change)
    with pytest.raises(ForeignError) as refused:
        history_from_json(written)
    assert str(refused.value).startswith("steps[1]: ")
    assert words in str(refused.value)


def test_a_short_file_cannot_fill_the_memory() -> None:
    keys = np.zeros((20_000, 64))
    written = json.loads(HistoryWriter().content(History.of(Scene.of(keys[0], keys))))
    row = [[0.0] * 64]
    written["steps"] += [{"what": "x", "keys": {"at": 0, "out": 1, "in": row}}] * 200
    with pytest.raises(ForeignError, match=r"steps\[\d+\]: the steps need more than 256 MB"):
        history_from_json(written)
