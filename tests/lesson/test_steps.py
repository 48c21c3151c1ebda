"""Every task can be done, none is done at the start, and none by breaking the scene."""

import math
from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np
import pytest

from attn_tui.lesson.step import Step
from attn_tui.lesson.steps import STEPS, step
from attn_tui.model import edits
from attn_tui.model.examples import bundled, example
from attn_tui.model.heads import with_head, with_row
from attn_tui.model.scene import QUERY, Cell, Scene, read
from attn_tui.ui.views import VIEWS
from tests.lesson.moments import IDS, after, seen, solved, start

EVERY = pytest.mark.parametrize("entry", STEPS, ids=IDS)


def put(row: int, column: int, number: float) -> Any:
    return lambda scene: edits.set_component(scene, Cell(row, column), number)


def tau(number: float) -> Any:
    return lambda scene: edits.set_temperature(scene, number)


def scale(number: Any) -> Any:
    return lambda scene: edits.set_scale(scene, number)


def masks(*keys: int) -> Any:
    return lambda scene: edits.set_mask(scene, [key not in keys for key in range(scene.count)])


def zero_query(scene: Scene) -> Scene:
    return edits.fill(scene, Cell(QUERY, 0), np.zeros(scene.head_size))


def only_winner(scene: Scene) -> Scene:
    return edits.set_mask(scene, np.arange(scene.count) == np.argmax(read(scene).weights))


def one_key_left(scene: Scene) -> Scene:
    while scene.count > 1:
        scene = edits.delete_key(scene, int(np.argmin(read(scene).weights)))
    return scene


def every_mask_gone(scene: Scene) -> Scene:
    return edits.set_mask(scene, np.zeros(scene.count))


def test_the_steps_follow_the_lesson_s_order() -> None:
    assert IDS == [
        "dot-product", "angle-and-length", "short-and-aligned", "softmax", "exaggeration", "overflow",
        "subtract-the-maximum", "shift-invariance", "temperature", "halve-by-hand", "halve-by-solver", "entropy",
        "entropy-near-zero", "fail-and-fix", "head-size", "saturation", "weighted-average", "coreference",
        "without-the-scale", "previous-token", "sink",
    ]  # fmt: skip


@pytest.mark.parametrize("step_id", IDS)
def test_a_step_is_found_by_its_id(step_id: str) -> None:
    assert step(step_id).id == step_id


def test_an_unknown_step_is_refused_with_those_there_are() -> None:
    with pytest.raises(ValueError, match=r"there is no step 'nothing': choose from dot-product, angle-and-length, "):
        step("nothing")


@EVERY
def test_a_step_has_what_a_learner_needs(entry: Step) -> None:
    assert 2 <= len(entry.paragraphs) <= 5
    assert entry.title
    assert entry.task
    assert entry.hint
    assert entry.view in {view.id for view in VIEWS}
    assert entry.solution
    for act in entry.solution:
        assert act.says
        assert any(part is not None for part in (act.edit, act.view, act.constant))
        assert act.view is None or act.view in {view.id for view in VIEWS}


@EVERY
def test_a_start_is_sound_and_the_same_every_time(entry: Step) -> None:
    first, second = entry.start(), entry.start()
    assert read(first).is_sound
    assert read(first).faults == []
    np.testing.assert_array_equal(first.query, second.query)
    np.testing.assert_array_equal(first.keys, second.keys)


@EVERY
def test_a_task_is_not_done_at_the_start_whatever_is_looked_at(entry: Step) -> None:
    for view in VIEWS:
        assert entry.check(seen(entry.start(), view.id)) is False


@EVERY
def test_the_solution_does_the_task(entry: Step) -> None:
    moment = solved(entry)
    assert entry.check(moment) is True
    assert entry.done is not None
    assert entry.done(moment)
    assert all(entry.check(seen(moment.scene, view.id, moment.constant)) for view in VIEWS)


@EVERY
def test_no_act_of_a_solution_is_for_show(entry: Step) -> None:
    scene, constant = entry.start(), 0.0
    for act in entry.solution[:-1]:
        scene = act.edit(scene) if act.edit else scene
        constant = constant if act.constant is None else act.constant
        if any(later.edit or later.constant for later in entry.solution[entry.solution.index(act) + 1 :]):
            assert not entry.check(seen(scene, entry.view, constant))


LEFT_OVER = {-1002.0: {"subtract-the-maximum", "fail-and-fix"}, 100.0: {"shift-invariance"}, -800.0: {"fail-and-fix"}}


@pytest.mark.parametrize("constant", [*LEFT_OVER, 1.0, -1e4, math.inf, -math.inf])
@EVERY
def test_a_constant_does_only_the_task_it_is_for(entry: Step, constant: float) -> None:
    done = entry.check(seen(entry.start(), entry.view, constant))
    assert done is (entry.id in LEFT_OVER.get(constant, set()))


WRECKS: dict[str, tuple[Any, set[str]]] = {
    "nan in the query": (put(QUERY, 0, math.nan), set()),
    "inf in the query": (put(QUERY, 0, math.inf), set()),
    "nan in a key": (put(0, 0, math.nan), set()),
    "nan in the last key": (lambda scene: put(scene.count - 1, 0, math.nan)(scene), set()),
    "inf in the last key": (lambda scene: put(scene.count - 1, 0, math.inf)(scene), set()),
    "-inf in the last key": (lambda scene: put(scene.count - 1, 0, -math.inf)(scene), set()),
    "a query of zeros": (zero_query, set()),
    "no scale": (scale(0.0), set()),
    "a scale below 0": (scale(-1.0), set()),
    "one key left": (one_key_left, set()),
    "all but one masked": (only_winner, set()),
    "all masked": (every_mask_gone, set()),
    "another key": (lambda scene: edits.add_key(scene, 0), set()),
    "a key twice": (lambda scene: edits.duplicate_key(scene, 0), set()),
    "keys moved": (lambda scene: edits.move_key(scene, 0, 1), set()),
    "another name": (lambda scene: edits.rename(scene, 0, "x"), set()),
    "enormous heat": (tau(1e300), {"entropy"}),
    "enormous cold": (tau(1e-300), {"overflow", "temperature", "entropy-near-zero", "without-the-scale"}),
    "another dtype": (lambda scene: edits.set_dtype(scene, "float16"), set()),
    "values": (lambda scene: edits.set_values(scene, np.full((scene.count, 1), 25.0)), set()),
}


@pytest.mark.parametrize("wreck", WRECKS)
@EVERY
def test_a_wrecked_scene_earns_nothing(entry: Step, wreck: str) -> None:
    edit, earned = WRECKS[wreck]
    assert entry.check(seen(edit(entry.start()), entry.view)) is (entry.id in earned)


@pytest.mark.parametrize("wreck", ["nan in a key", "all masked", "one key left", "all but one masked"])
@EVERY
def test_a_task_that_was_done_is_not_done_in_a_wreck(entry: Step, wreck: str) -> None:
    moment = solved(entry)
    assert entry.check(seen(WRECKS[wreck][0](moment.scene), moment.view, moment.constant)) is False


@pytest.mark.parametrize("step_id", ["overflow", "subtract-the-maximum", "shift-invariance", "fail-and-fix"])
def test_what_is_said_of_float64_is_done_in_float64(step_id: str) -> None:
    moment = solved(step(step_id))
    scene = edits.set_dtype(moment.scene, "float32")
    assert step(step_id).check(seen(scene, moment.view, moment.constant)) is False


def swapped_names(scene: Scene) -> Scene:
    return replace(scene, labels=("k4", *scene.labels[1:4], "k0"))


def k1_into_k4(scene: Scene) -> Scene:
    return edits.fill(scene, Cell(4, 0), scene.keys[1])


def every_key_like_k0(scene: Scene) -> Scene:
    return edits.fill(scene, Cell(0, 0), np.tile(scene.keys[0], (scene.count, 1)))


def all_keys_moved(by: float, scene: Scene) -> Scene:
    """Every score larger by the same."""
    step_of_one = scene.query / (scene.query @ scene.query)
    return edits.fill(scene, Cell(0, 0), scene.keys + by * step_of_one)


def other_head(layer: int, head: int) -> Any:
    return lambda scene: with_head(scene, bundled(), (layer, head))


NOT_EARNED: dict[str, tuple[str, tuple[Any, ...]]] = {
    "dot-product: by the query": ("dot-product", (put(QUERY, 3, -1.5),)),
    "dot-product: by other names": ("dot-product", (swapped_names,)),
    "dot-product: another key": ("dot-product", (put(3, 3, 9.0),)),
    "angle-and-length: a copy of k1": ("angle-and-length", (k1_into_k4,)),
    "angle-and-length: two numbers": ("angle-and-length", (put(4, 0, 1.565648768921554), put(4, 1, -0.2257))),
    "angle-and-length: k1 moved": ("angle-and-length", (put(1, 0, -0.5687),)),
    "short-and-aligned: turned": ("short-and-aligned", (put(0, 0, 1.0),)),
    "short-and-aligned: k1 longer": ("short-and-aligned", (put(1, 0, 9.0),)),
    "short-and-aligned: no length": ("short-and-aligned", (put(0, 0, 0.0), put(0, 1, 0.0))),
    "short-and-aligned: still ahead": ("short-and-aligned", (put(0, 0, 1.8), put(0, 1, 0.9))),
    "softmax: the winner masked": ("softmax", (masks(0, 1, 4),)),
    "softmax: another query": ("softmax", (put(QUERY, 1, -9.0),)),
    "exaggeration: by temperature": ("exaggeration", (tau(0.2),)),
    "exaggeration: by scale": ("exaggeration", (scale(5.0),)),
    "exaggeration: far too much": ("exaggeration", (put(2, 0, 700.0),)),
    "exaggeration: the others lower": ("exaggeration", (put(0, 0, -3.0), put(1, 0, -2.0))),
    "overflow: not yet": ("overflow", (put(2, 0, 709.0),)),
    "overflow: an infinite score": ("overflow", (put(2, 0, math.inf),)),
    "overflow: a small dtype": ("overflow", (lambda scene: edits.set_dtype(scene, "float16"),)),
    "subtract-the-maximum: other weights": ("subtract-the-maximum", (put(0, 0, 0.0), put(1, 0, 0.0), put(2, 0, 0.0))),
    "subtract-the-maximum: by temperature": ("subtract-the-maximum", (tau(1000.0),)),
    "shift-invariance: one score": ("shift-invariance", (put(0, 3, 66.0),)),
    "shift-invariance: by 99": ("shift-invariance", (partial(all_keys_moved, 99.0),)),
    "temperature: softer": ("temperature", (tau(4.0),)),
    "temperature: by scale": ("temperature", (scale(4.0),)),
    "temperature: by a key": ("temperature", (put(0, 3, 9.0), tau(0.9))),
    "halve-by-hand: too far": ("halve-by-hand", (tau(2.9),)),
    "halve-by-hand: by scale": ("halve-by-hand", (scale(1 / 2.808),)),
    "halve-by-hand: by another key": ("halve-by-hand", (put(0, 3, -0.75),)),
    "halve-by-solver: by hand": ("halve-by-solver", (tau(2.8),)),
    "entropy: fewer keys": ("entropy", (partial(edits.delete_key, key=0), tau(100.0))),
    "entropy: masked keys": ("entropy", (masks(0), tau(100.0))),
    "entropy: no query": ("entropy", (zero_query,)),
    "entropy: no scale": ("entropy", (scale(0.0),)),
    "entropy: not enough": ("entropy", (tau(10.0),)),
    "entropy-near-zero: one key": ("entropy-near-zero", (one_key_left,)),
    "entropy-near-zero: all masked but one": ("entropy-near-zero", (only_winner,)),
    "entropy-near-zero: not enough": ("entropy-near-zero", (tau(0.5),)),
    "fail-and-fix: another score": ("fail-and-fix", (put(1, 0, 100.0),)),
    "fail-and-fix: by temperature": ("fail-and-fix", (tau(10.0),)),
    "head-size: by temperature": ("head-size", (tau(8.0),)),
    "head-size: no dimensions": ("head-size", (partial(edits.delete_dimension, dimension=0), scale("sqrt"))),
    "saturation: by scale": ("saturation", (scale("sqrt"),)),
    "saturation: far off": ("saturation", (tau(4.0),)),
    "weighted-average: other values": ("weighted-average", (put(0, 4, 24.5),)),
    "weighted-average: masked": ("weighted-average", (masks(0, 4), tau(4.0))),
    "weighted-average: not there": ("weighted-average", (tau(2.0),)),
    "coreference: another one": ("coreference", (masks(0),)),
    "coreference: more than one": ("coreference", (masks(2, 3),)),
    "coreference: another row": ("coreference", (lambda scene: with_row(scene, 3), masks(2))),
    "without-the-scale: masked": ("without-the-scale", (only_winner,)),
    "previous-token: the first row": ("previous-token", (lambda scene: with_row(scene, 0),)),
    "previous-token: another head": ("previous-token", (other_head(3, 1),)),
    "previous-token: by hand": ("previous-token", (put(QUERY, 0, 3.0),)),
    "sink: no sink": ("sink", (other_head(3, 1),)),
    "sink: the first row": ("sink", (other_head(2, 11), lambda scene: with_row(scene, 0))),
    "sink: cold": ("sink", (other_head(0, 3), tau(0.01))),
    "sink: by hand": ("sink", (other_head(0, 3), put(0, 0, 900.0), put(0, 1, -900.0))),
    "sink: the same one": ("sink", (other_head(3, 1), other_head(4, 5))),
}


@pytest.mark.parametrize("case", NOT_EARNED)
def test_a_short_cut_earns_nothing(case: str) -> None:
    step_id, changes = NOT_EARNED[case]
    assert after(step_id, *changes) is False


EARNED: dict[str, tuple[str, tuple[Any, ...], float]] = {
    "dot-product: another number": ("dot-product", (put(4, 0, 9.0),), 0.0),
    "angle-and-length: another number": ("angle-and-length", (put(4, 2, 0.1436),), 0.0),
    "short-and-aligned: shorter still": ("short-and-aligned", (put(0, 0, 0.2), put(0, 1, 0.1)), 0.0),
    "softmax: longer": ("softmax", (put(2, 3, 9.0),), 0.0),
    "exaggeration: 8": ("exaggeration", (put(2, 0, 8.0),), 0.0),
    "overflow: another key": ("overflow", (put(0, 0, 709.79),), 0.0),
    "overflow: by temperature": ("overflow", (tau(0.5),), 0.0),
    "subtract-the-maximum: by the constant": ("subtract-the-maximum", (), -1002.0),
    "shift-invariance: by the keys": ("shift-invariance", (partial(all_keys_moved, 100.0),), 0.0),
    "halve-by-hand: a little more": ("halve-by-hand", (tau(2.84),), 0.0),
    "halve-by-solver: all digits typed": ("halve-by-solver", (tau(2.80803),), 0.0),
    "entropy: equal keys": ("entropy", (every_key_like_k0,), 0.0),
    "entropy-near-zero: by a key": ("entropy-near-zero", (put(0, 3, 9.0),), 0.0),
    "fail-and-fix: another constant": ("fail-and-fix", (), -200.0),
    "head-size: the number itself": ("head-size", (scale(0.125),), 0.0),
    "weighted-average: by keys": ("weighted-average", (put(4, 3, 0.54),), 0.0),
    "without-the-scale: by temperature": ("without-the-scale", (tau(0.17),), 0.0),
    "previous-token: the row after": ("previous-token", (lambda scene: with_row(scene, 10),), 0.0),
    "sink: layer 1, head 10": ("sink", (other_head(1, 10),), 0.0),
}


@pytest.mark.parametrize("case", EARNED)
def test_another_way_to_do_the_task_counts(case: str) -> None:
    step_id, changes, constant = EARNED[case]
    assert after(step_id, *changes, constant=constant) is True


def test_the_real_heads_are_the_examples() -> None:
    for step_id, name in {"coreference": "coreference", "previous-token": "previous-token", "sink": "sink"}.items():
        assert step(step_id).start().source == example(name).source


@EVERY
def test_what_is_said_in_the_end_is_said_of_what_was_done(entry: Step) -> None:
    assert entry.done is not None
    assert entry.done(solved(entry)) != entry.done(start(entry))
