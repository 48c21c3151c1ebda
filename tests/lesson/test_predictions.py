"""The right answer is worked out from what there is: another scene, another answer."""

import math
from typing import Any

import numpy as np
import pytest

from attn_tui.lesson.asked import BROKEN
from attn_tui.lesson.step import Moment, Prediction
from attn_tui.lesson.steps import STEPS, step
from attn_tui.model import edits
from attn_tui.model.scene import QUERY, Cell, Scene
from tests.lesson.moments import IDS, seen, start
from tests.lesson.test_steps import WRECKS, other_head, put, scale, tau

ASKING = [entry for entry in STEPS if entry.prediction is not None]


def prediction(step_id: str) -> Prediction:
    found = step(step_id).prediction
    assert found is not None
    return found


def right(step_id: str, moment: Moment) -> str:
    """The right answer in words."""
    asked = prediction(step_id)
    return asked.answers(moment)[asked.right(moment)]


def test_at_least_eight_steps_ask_first() -> None:
    assert len(ASKING) >= 8


def test_the_right_answer_is_not_always_in_the_same_place() -> None:
    places = [prediction(entry.id).right(start(entry)) for entry in ASKING]
    assert min(places.count(place) for place in range(3)) >= 4


AT_THE_START = {
    "dot-product": "by 4.3399, twice what it added",
    "angle-and-length": "fall",
    "short-and-aligned": "k1",
    "softmax": "all shrink by one factor",
    "exaggeration": "it becomes e times as large",
    "overflow": "nan, which is no number",
    "subtract-the-maximum": "they are the same",
    "shift-invariance": "nothing at all",
    "temperature": "k0",
    "halve-by-hand": "between 2 and 3",
    "halve-by-solver": "twice this one",
    "entropy": "rise",
    "entropy-near-zero": "fall",
    "fail-and-fix": "some, but not all",
    "head-size": "it doubles",
    "saturation": "at scale 1/sqrt(hs)",
    "weighted-average": "to the plain mean of all values",
    "coreference": '"[CLS]"',
    "without-the-scale": "rise",
    "previous-token": "the token before that query's",
    "sink": "less than half as long",
}


def test_every_question_has_been_answered_here() -> None:
    assert list(AT_THE_START) == [entry.id for entry in ASKING]


@pytest.mark.parametrize("step_id", AT_THE_START)
def test_what_is_right_at_the_start(step_id: str) -> None:
    assert right(step_id, start(step(step_id))) == AT_THE_START[step_id]


def k0_as_often(times: int) -> Any:
    """Copies of k0 for all keys, or for the first few."""
    return lambda scene: edits.fill(scene, Cell(0, 0), np.tile(scene.keys[0], (times, 1)))


def sink_without_winner_s_silence(scene: Scene) -> Scene:
    """The value of the first token as long as a hundred others."""
    assert scene.values is not None
    values = scene.values.copy()
    values[0] *= 1000.0
    return edits.set_values(scene, values)


AFTER_AN_EDIT: dict[str, tuple[str, tuple[Any, ...], str]] = {
    "a last key of zeros": ("dot-product", (lambda s: edits.fill(s, Cell(4, 0), np.zeros(4)),), "not at all"),
    "the second key turned": ("angle-and-length", (lambda s: edits.fill(s, Cell(1, 0), -s.keys[1]),), "rise"),
    "a second key at right angles": ("angle-and-length", (lambda s: edits.fill(s, Cell(1, 0), np.zeros(4)),), "stay"),
    "a long first key": ("short-and-aligned", (put(0, 0, 9.0),), "k0"),
    "a third key that wins": ("short-and-aligned", (put(2, 0, 9.0),), "k2"),
    "a tie of halves": ("short-and-aligned", (put(1, 0, 1.25), put(1, 1, 0.0)), "no single key"),
    "no others": ("softmax", (WRECKS["one key left"][0],), "stay as they are"),
    "a fourth score that leads": ("exaggeration", (lambda s: edits.add_key(s, 2), put(3, 0, 9.0)), "it becomes e"),
    "room for twenty more": ("overflow", (put(2, 0, 600.0), put(1, 0, 600.0), put(0, 0, 0.0)), "a number from 0 to 1"),
    "small scores": ("subtract-the-maximum", (put(0, 0, 1.0), put(1, 0, 2.0), put(2, 0, 3.0)), "they are the same"),
    "heat": ("shift-invariance", (tau(50.0),), "nothing at all"),
    "another leader": ("temperature", (put(4, 3, 9.0),), "k4"),
    "equal keys": ("temperature", (k0_as_often(5),), "no single key"),
    "a stronger query": ("halve-by-hand", (lambda s: edits.fill(s, Cell(QUERY, 0), 1.3 * s.query),), "between 3 and 4"),
    "a weaker query": ("halve-by-hand", (lambda s: edits.fill(s, Cell(QUERY, 0), 0.5 * s.query),), "between 1 and 2"),
    "the scale of models": ("halve-by-hand", (scale("sqrt"),), "between 1 and 2"),
    "a much stronger query": ("halve-by-hand", (lambda s: edits.fill(s, Cell(QUERY, 0), 9 * s.query),), "somewhere"),
    "three that tie": ("halve-by-solver", (k0_as_often(3),), "none at all"),
    "all that tie": ("entropy", (k0_as_often(5),), "stay as it is"),
    "all that tie, twice as long": ("entropy-near-zero", (k0_as_often(5),), "stay as it is"),
    "all of them large": ("fail-and-fix", (put(0, 0, 900.0), put(2, 0, 1000.0)), "all of them"),
    "none of them large": ("fail-and-fix", (put(1, 0, 80.0),), "none"),
    "one component": ("saturation", (lambda s: Scene.of([1.0], [[1.0], [2.0]]),), "the same at both"),
    "small scores of many components": (
        "saturation",
        (lambda s: edits.fill(s, Cell(0, 0), s.keys / 50),),
        "at scale 1",
    ),
    "a winner with the mean": ("weighted-average", (put(4, 3, 9.0),), "to the plain mean of all values"),
    "the first token masked": ("coreference", (lambda s: edits.toggle_mask(s, 0),), '"it"'),
    "nobody left": ("coreference", (WRECKS["all but one masked"][0],), "no single key"),
    "no scale to lose": ("without-the-scale", (scale(1.0),), "stay as it is"),
    "a scale above 1": ("without-the-scale", (scale(2.0),), "fall"),
    "another head": ("previous-token", (other_head(4, 5),), '"[CLS]" again'),
    "no dump": ("previous-token", (lambda s: Scene.of([1.0], [[1.0], [2.0]]),), "none of these"),
    "a value that shouts": ("sink", (sink_without_winner_s_silence,), "more than twice as long"),
    "a head that is no sink": ("sink", (lambda s: edits.toggle_mask(s, 0),), "about as long"),
}


@pytest.mark.parametrize("case", AFTER_AN_EDIT)
def test_what_is_right_after_an_edit(case: str) -> None:
    step_id, changes, answer = AFTER_AN_EDIT[case]
    scene = step(step_id).start()
    for change in changes:
        scene = change(scene)
    assert right(step_id, seen(scene)).startswith(answer)


def odd_scenes() -> dict[str, Scene]:
    """What a learner may have made of a scene before answering."""
    plain = {
        "one number": Scene.of([1.0], [[2.0]]),
        "a tie": Scene.of([1.0], [[2.0], [2.0]]),
        "zeros": Scene.of([0.0, 0.0], np.zeros((3, 2))),
        "one of four masked": Scene.of([1.0, 2.0], np.eye(4, 2), mask=[1, 0, 1, 1]),
        "none attended": Scene.of([1.0], [[1.0], [2.0]], mask=[0, 0]),
        "nan": Scene.of([math.nan, 1.0], np.ones((3, 2))),
        "inf and -inf": Scene.of([1.0, 1.0], [[math.inf, 0.0], [-math.inf, 1.0], [1.0, 1.0]]),
        "-inf alone": Scene.of([1.0], [[-math.inf], [1.0]]),
        "enormous": Scene.of([1e150, -1e150], [[1e150, -1e150], [-1e150, 1e150], [1e158, 0.0]]),
        "tiny": Scene.of([1e-200, 1e-200], np.eye(2)),
        "hot": Scene.of([1.0], [[1.0], [2.0]], temperature=1.7e308),
        "cold": Scene.of([1.0], [[1.0], [2.0]], temperature=5e-324),
        "no scale": Scene.of([1.0], [[1.0], [2.0]], scale=0.0),
        "negative scale": Scene.of([1.0], [[1.0], [2.0]], scale=-1e308),
        "half precision": Scene.of([1.0, 2.0], np.eye(4, 2), dtype="float16"),
        "nan values": Scene.of([1.0], [[1.0], [2.0]], [[math.nan], [math.inf]]),
        "long names": Scene.of([1.0], [[1.0], [2.0], [0.0]], labels=["x" * 500, "x" * 500, "\x1b[31m"]),
        "many keys": Scene.of(np.ones(3), np.random.default_rng(1).standard_normal((300, 3))),
    }
    return plain | {entry.id: entry.start() for entry in STEPS}


ODD = odd_scenes()


@pytest.mark.parametrize("odd", ODD)
@pytest.mark.parametrize("step_id", IDS)
def test_a_question_has_an_answer_whatever_was_done_to_the_scene(step_id: str, odd: str) -> None:
    asked, moment = prediction(step_id), seen(ODD[odd])
    answers = asked.answers(moment)
    assert 2 <= len(answers) <= 4
    assert len(set(answers)) == len(answers)
    assert 0 <= asked.right(moment) < len(answers)
    assert asked.why(moment)
    assert (answers[asked.right(moment)] == BROKEN) is not moment.reading.is_sound


@pytest.mark.parametrize("odd", ODD)
@pytest.mark.parametrize("step_id", IDS)
def test_words_and_checks_take_whatever_was_done_to_the_scene(step_id: str, odd: str) -> None:
    entry, moment = step(step_id), seen(ODD[odd], constant=1e308)
    assert all(words if isinstance(words, str) else words(moment) for words in entry.paragraphs)
    assert isinstance(entry.check(moment), bool)
    assert entry.done is not None
    assert entry.done(moment)
