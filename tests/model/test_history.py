"""Undo and redo: what they bring back, what is forgotten, and that a history never changes."""

from dataclasses import FrozenInstanceError

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from attn_tui.model import edits, history
from attn_tui.model.history import MOST_BYTES, MOST_STEPS, History
from attn_tui.model.scene import Scene

START = Scene.of([1.0], [[1.0], [2.0]])


def warmed(past: History, *temperatures: float) -> History:
    """A history with one step more for each temperature."""
    for temperature in temperatures:
        past = past.record(edits.set_temperature(past.scene, temperature), f"tau {temperature:g}")
    return past


def undone(past: History, steps: int = 1) -> History:
    """A history some steps back, which have to be there."""
    for _ in range(steps):
        before = past.undo()
        assert before is not None
        past = before
    return past


def temperatures(past: History) -> list[float]:
    """The temperatures that led to the present."""
    return [step.scene.temperature for step in past.past]


def test_a_history_begins_with_a_scene_and_nothing_to_undo_or_redo() -> None:
    past = History.of(START)
    assert past.scene is START
    assert past.what == "start"
    assert past.undo() is None
    assert past.redo() is None
    assert History.of(START, "lesson").what == "lesson"


def test_undo_gives_back_the_scene_itself_and_redo_the_one_after() -> None:
    past = warmed(History.of(START), 2.0, 3.0)
    third = past.scene
    before = undone(past)
    assert (before.scene.temperature, before.what) == (2.0, "tau 2")
    assert undone(past, 2).scene is START
    after = before.redo()
    assert after is not None
    assert after.scene is third
    assert after.what == "tau 3"
    assert after.redo() is None


def test_a_new_step_forgets_what_was_undone() -> None:
    past = warmed(undone(warmed(History.of(START), 2.0, 3.0, 4.0), 2), 5.0)
    assert temperatures(past) == [1.0, 2.0, 5.0]
    assert past.future == ()
    assert past.redo() is None


def test_a_scene_that_did_not_change_is_no_step_and_forgets_nothing() -> None:
    past = undone(warmed(History.of(START), 2.0, 3.0))
    assert past.record(past.scene, "nothing") is past
    assert past.redo() is not None


def test_a_history_never_changes() -> None:
    past = warmed(History.of(START), 2.0, 3.0)
    before = (past.past, past.future)
    undone(past)
    warmed(past, 4.0)
    past.redo()
    assert (past.past, past.future) == before
    with pytest.raises(FrozenInstanceError):
        past.future = ()  # type: ignore[misc]


@given(st.lists(st.sampled_from(["record", "undo", "redo"]), max_size=60))
def test_any_walk_is_that_of_a_list_with_a_place_in_it(walk: list[str]) -> None:
    past, steps, place = History.of(START), [1.0], 0
    for number, move in enumerate(walk, start=2):
        if move == "record":
            past, steps, place = warmed(past, float(number)), [*steps[: place + 1], float(number)], place + 1
        else:
            further = past.undo() if move == "undo" else past.redo()
            target = place - 1 if move == "undo" else place + 1
            assert (further is not None) == (0 <= target < len(steps))
            past, place = (further, target) if further is not None else (past, place)
        assert temperatures(past) == steps[: place + 1]
        assert [step.scene.temperature for step in reversed(past.future)] == steps[place + 1 :]


def test_the_oldest_steps_go_when_there_are_too_many() -> None:
    past = warmed(History.of(START), *(float(i) for i in range(2, MOST_STEPS + 1)))
    assert len(past.past) == MOST_STEPS
    assert past.past[0].scene is START
    past = warmed(past, 5000.0, 6000.0)
    assert len(past.past) == MOST_STEPS
    assert temperatures(past)[0] == 3.0
    assert temperatures(past)[-2:] == [5000.0, 6000.0]
    assert undone(past, MOST_STEPS - 1).undo() is None


def held(past: History) -> int:
    """Bytes that the arrays of all steps take."""
    arrays = {id(a): a for step in past.past for a in (step.scene.query, step.scene.keys, step.scene.mask)}
    return sum(array.nbytes for array in arrays.values())


def test_the_oldest_steps_go_when_their_arrays_take_too_much_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(history, "MOST_BYTES", 10_000)
    past = History.of(Scene.of([1.0], np.ones((100, 1))))
    for i in range(40):
        past = past.record(edits.set_component(past.scene, edits.Cell(i, 0), 7.0), f"step {i}")
        assert held(past) <= 10_000
    assert held(past) > 10_000 - 2 * 800
    assert past.what == "step 39"
    assert len(past.past) == 12


def test_arrays_that_steps_share_count_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(history, "MOST_BYTES", 10_000)
    past = warmed(History.of(Scene.of([1.0], np.ones((1000, 1)))), *(float(i) for i in range(2, 50)))
    assert len(past.past) == 49


@pytest.mark.parametrize("count", [10_000, 100_000])
def test_one_step_back_is_kept_however_large(monkeypatch: pytest.MonkeyPatch, count: int) -> None:
    monkeypatch.setattr(history, "MOST_BYTES", 1000)
    past = History.of(Scene.of([1.0], np.ones((count, 1))))
    for i in range(3):
        past = past.record(edits.set_component(past.scene, edits.Cell(i, 0), 7.0), f"step {i}")
    assert [step.what for step in past.past] == ["step 1", "step 2"]


def test_what_is_kept_fits_a_small_machine() -> None:
    assert MOST_STEPS >= 100
    assert MOST_BYTES <= 2**29
