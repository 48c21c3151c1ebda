"""The edits: each leaves the old scene as it was; what those of one number do and refuse."""

import math
from collections.abc import Callable
from decimal import Decimal

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from attn_tui.model import edits
from attn_tui.model.edits import Refused
from attn_tui.model.scene import QUERY, Cell, Scene
from tests.model.scenes import (
    DECIMALS,
    Q0,
    SCENE,
    as_one,
    cells_of,
    changed,
    content,
    key_of,
    refusal,
    scenes,
)

EDITS: dict[str, Callable[[Scene, st.DataObject], Scene]] = {
    "set_component": lambda s, d: edits.set_component(s, d.draw(cells_of(s)), d.draw(st.floats())),
    "nudge": lambda s, d: edits.nudge(s, d.draw(cells_of(s)), d.draw(st.sampled_from([0.1, -0.001, 10.0]))),
    "negate": lambda s, d: edits.negate(s, d.draw(cells_of(s))),
    "fill a vector": lambda s, d: edits.fill(s, d.draw(cells_of(s)), d.draw(hnp.arrays(np.float64, st.integers(0, 4)))),
    "fill a matrix": lambda s, d: edits.fill(
        s,
        d.draw(cells_of(s)),
        d.draw(hnp.arrays(np.float64, st.tuples(st.integers(1, 7), st.integers(1, 4)))),
    ),
    "add_key": lambda s, d: edits.add_key(s, d.draw(st.integers(QUERY, s.count - 1))),
    "duplicate_key": lambda s, d: edits.duplicate_key(s, d.draw(key_of(s))),
    "delete_key": lambda s, d: edits.delete_key(s, d.draw(key_of(s))),
    "move_key": lambda s, d: edits.move_key(s, d.draw(key_of(s)), d.draw(st.integers(-3, 3))),
    "rename": lambda s, d: edits.rename(s, d.draw(st.integers(QUERY, s.count - 1)), d.draw(st.text())),
    "add_dimension": lambda s, d: edits.add_dimension(s, d.draw(st.integers(QUERY, s.columns - 1))),
    "delete_dimension": lambda s, d: edits.delete_dimension(s, d.draw(st.integers(0, s.columns - 1))),
    "toggle_mask": lambda s, d: edits.toggle_mask(s, d.draw(key_of(s))),
    "set_mask": lambda s, d: edits.set_mask(s, d.draw(hnp.arrays(np.bool_, s.count))),
    "invert_mask": lambda s, _: edits.invert_mask(s),
    "set_temperature": lambda s, d: edits.set_temperature(s, d.draw(st.floats())),
    "step_temperature": lambda s, d: edits.step_temperature(s, d.draw(st.sampled_from([-1, 1]))),
    "set_scale": lambda s, d: edits.set_scale(s, d.draw(st.floats() | st.just("sqrt"))),
    "set_dtype": lambda s, d: edits.set_dtype(s, d.draw(st.sampled_from(["float64", "float16", "int8"]))),
    "add_values": lambda s, _: edits.add_values(s),
    "remove_values": lambda s, _: edits.remove_values(s),
    "set_values": lambda s, d: edits.set_values(
        s, d.draw(hnp.arrays(np.float64, st.tuples(st.just(s.count), st.integers(0, 2))))
    ),
}


def test_every_public_edit_is_tried() -> None:
    public = {
        name
        for name, edit in vars(edits).items()
        if callable(edit) and not name.startswith("_") and getattr(edit, "__module__", "") == edits.__name__
    } - {"Refused"}
    assert public == {name.split()[0] for name in EDITS}


@pytest.mark.parametrize("name", EDITS)
@settings(max_examples=40)
@given(scene=scenes(), data=st.data())
def test_an_edit_leaves_the_old_scene_as_it_was_and_makes_a_sound_one(
    name: str, scene: Scene, data: st.DataObject
) -> None:
    before = content(scene)
    try:
        after = EDITS[name](scene, data)
    except Refused:
        after = scene
    assert content(scene) == before
    parts = (after.query, after.keys, after.values, after.mask)
    assert not any(part.flags.writeable for part in parts if part is not None)
    again = Scene.of(
        *parts[:3],
        labels=after.labels,
        mask=after.mask,
        temperature=after.temperature,
        scale=after.scale,
        dtype=after.dtype,
        query_label=after.query_label,
        source=after.source,
    )
    assert content(again) == content(after)


@given(scene=scenes(), data=st.data())
def test_arrays_that_an_edit_does_not_touch_are_shared_with_the_old_scene(scene: Scene, data: st.DataObject) -> None:
    warmer = edits.set_temperature(scene, 3.0)
    assert all(getattr(warmer, part) is getattr(scene, part) for part in ("query", "keys", "values", "mask"))
    after = edits.set_component(scene, Cell(QUERY, data.draw(st.integers(0, scene.head_size - 1))), 7.0)
    assert after.keys is scene.keys
    assert after.values is scene.values


@given(scene=scenes(), number=st.floats(), data=st.data())
def test_a_component_takes_any_number_and_no_other_part_changes(
    scene: Scene, number: float, data: st.DataObject
) -> None:
    cell = data.draw(cells_of(scene))
    after = edits.set_component(scene, cell, number)
    assert np.array([after.component(cell)]).tobytes() == np.array([number]).tobytes()
    part = "query" if cell.row == QUERY else "keys" if cell.column < scene.head_size else "values"
    assert changed(scene, after) <= {part}
    assert content(edits.set_component(after, cell, scene.component(cell))) == content(scene)


@pytest.mark.parametrize("cell", [Cell(QUERY, 2), Cell(QUERY, -1), Cell(3, 0), Cell(0, 3), Cell(0, -1), Cell(-2, 0)])
def test_where_there_is_no_component_none_is_changed(cell: Cell) -> None:
    words = "there is no such component"
    assert refusal(lambda: edits.set_component(SCENE, cell, 1.0)) == words
    assert refusal(lambda: edits.nudge(SCENE, cell, 1.0)) == words
    assert refusal(lambda: edits.negate(SCENE, cell)) == words
    assert refusal(lambda: edits.fill(SCENE, cell, as_one([1.0]))) == words


@given(scene=scenes(), data=st.data())
def test_negating_twice_gives_the_number_back(scene: Scene, data: st.DataObject) -> None:
    cell = data.draw(cells_of(scene))
    once = edits.negate(scene, cell)
    number = scene.component(cell)
    assert once.component(cell) == -number or math.isnan(number)
    assert edits.negate(once, cell).component(cell) == number or math.isnan(number)


@pytest.mark.parametrize("zero", [0.0, -0.0])
def test_a_negated_zero_has_no_sign(zero: float) -> None:
    negated = edits.negate(edits.set_component(SCENE, Q0, zero), Q0).component(Q0)
    assert math.copysign(1.0, negated) == 1.0


def test_nudges_are_added_in_decimal() -> None:
    scene = edits.set_component(SCENE, Q0, 0.0)
    seen = []
    for _ in range(10):
        scene = edits.nudge(scene, Q0, 0.1)
        seen.append(scene.component(Q0))
    assert seen == [0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1.0]
    for _ in range(10):
        scene = edits.nudge(scene, Q0, -0.1)
    assert math.copysign(1.0, scene.component(Q0)) == 1.0
    assert scene.component(Q0) == 0.0


@given(scene=scenes(), data=st.data(), number=DECIMALS, step=st.sampled_from([1e-4, 0.001, 0.01, 0.1, 1.0, 10.0]))
def test_a_nudge_up_and_one_down_return_exactly(scene: Scene, data: st.DataObject, number: float, step: float) -> None:
    cell = data.draw(cells_of(scene))
    start = edits.set_component(scene, cell, number)
    up = edits.nudge(start, cell, step)
    assert up.component(cell) == float(Decimal(repr(number)) + Decimal(repr(step)))
    assert edits.nudge(up, cell, -step).component(cell) == number


@pytest.mark.parametrize("number", [math.nan, math.inf, -math.inf])
def test_what_is_no_number_is_not_nudged(number: float) -> None:
    scene = edits.set_component(SCENE, Cell(1, 2), number)
    assert refusal(lambda: edits.nudge(scene, Cell(1, 2), 0.1)) == f'"animal".v0 is {number:g}: type a number first'


@pytest.mark.parametrize(("number", "step"), [(1e20, 0.1), (-1.7976931348623157e308, 10.0), (1.0, 1e-17)])
def test_a_step_that_would_be_lost_is_refused(number: float, step: float) -> None:
    scene = edits.set_component(SCENE, Q0, number)
    said = refusal(lambda: edits.nudge(scene, Q0, step))
    assert said == f"a step of {step:g} is too small to change {number:g}"
