"""The steps about scores: the dot product, angle and length, and how a better aligned key loses."""

from functools import partial

import numpy as np

from attn_tui.core.arrays import FloatArray
from attn_tui.core.scores import dot_scores
from attn_tui.lesson.asked import ask, ask_which, direction, nearest
from attn_tui.lesson.earned import is_whole, same_query, same_values
from attn_tui.lesson.step import Act, Moment, Step
from attn_tui.lesson.told import at, listed, name, numbers, score
from attn_tui.model import edits
from attn_tui.model.examples import example
from attn_tui.model.figures import figure
from attn_tui.model.scene import Cell, Scene, read

CLOSE = 0.005
"""Scores that differ by less have met."""
ALIGNED = 0.99
"""A key with a larger cosine points where the query points."""
_APART = 0.3
"""Cosines that differ by more are those of two different directions."""

lesson = partial(example, "lesson")


def aligned_and_long() -> Scene:
    """A key that points exactly at the query, a longer one that does not, and one that points away."""
    return Scene.of([1.0, 0.5], [[2.0, 1.0], [3.0, -2.0], [-1.0, 1.0]])


def _last(moment: Moment) -> tuple[int, int, float]:
    """The last key, its component that adds most either way, and what that adds."""
    key = moment.scene.count - 1
    added = moment.reading.contributions[key]
    dimension = int(np.argmax(np.abs(added)))
    return key, dimension, float(added[dimension])


def _turned(moment: Moment) -> Moment:
    """The same with that component's sign turned."""
    key, dimension, _ = _last(moment)
    scene = edits.negate(moment.scene, Cell(key, dimension))
    return Moment(scene, read(scene), moment.view)


def _move(moment: Moment) -> float:
    """How far the last score moves when that sign is turned."""
    key, _, _ = _last(moment)
    return abs(float(_turned(moment).reading.scores[key] - moment.reading.scores[key]))


def _moves(moment: Moment) -> tuple[str, ...]:
    """How far it could move."""
    added = abs(_last(moment)[2])
    once, twice = figure(added), figure(2.0 * added)
    return f"by {once}, what that number added", f"by {twice}, twice what it added", "not at all"


def _why_it_moves(moment: Moment) -> str:
    """What is lost and what is gained."""
    key, dimension, added = _last(moment)
    before, after = score(moment, key), score(_turned(moment), key)
    return (
        f"{moment.scene.cell_name(Cell(key, dimension))} adds {figure(added)} now and {figure(-added)} with its sign "
        f"turned. So the score of {name(moment, key)} goes from {before} to {after}."
    )


def _k4_is_positive(moment: Moment) -> bool:
    """The query is as it was, and the score of k4 is above 0."""
    start = lesson()
    return is_whole(moment, start) and same_query(moment, start) and bool(moment.reading.scores[4] > 0.0)


DOT_PRODUCT = Step(
    "dot-product",
    "A score is a dot product",
    (
        "Attention starts with someone who asks and several who offer. The one who asks is a vector, the query q. "
        "Each offer is a vector too, a key k. All have the same number of components, the head size hs.",
        lambda m: (
            "How well does a key answer the query? Multiply the two component by component and add up. That is the dot "
            f"product q.k, the key's score; K @ q gives all of them at once. Here: {numbers(m.reading.scores)}."
        ),
        lambda m: (
            f"Each dimension adds its own part. Take k4.d3: it adds {figure(at(m.reading.contributions[-1], 3))} to "
            f"the score of k4, which is {score(m, 4)}. Wherever the cursor stands, the bottom line tells you such a "
            "part."
        ),
    ),
    lesson,
    "scores",
    "Make the score of k4 positive: go to k4.d3 and press n, which turns its sign.",
    _k4_is_positive,
    "The arrows move the cursor. k4 is the last row, d3 the last column. Two numbers of one sign add to the score, "
    "two of different signs take from it.",
    (Act("turn the sign of k4.d3", lambda scene: edits.negate(scene, Cell(4, 3))),),
    ask(
        "Of the last key, turn the sign of the number that counts most. How far does that key's score move?",
        _moves,
        lambda m: nearest(_move(m), (abs(_last(m)[2]), 2.0 * abs(_last(m)[2]), 0.0)) if _last(m)[2] else 2,
        _why_it_moves,
    ),
    lambda m: f"k4 scores {score(m, 4)} now. What spoke against it before speaks for it.",
)


def _second(moment: Moment) -> int:
    """The second key, or the only one."""
    return min(1, moment.scene.count - 1)


def _twice_as_long(moment: Moment) -> float:
    """The score of the second key at twice its length."""
    return float(dot_scores(moment.scene.query, 2.0 * moment.scene.keys[[_second(moment)]])[0])


def _gap_is_closed(moment: Moment) -> bool:
    """One number of k4 was changed, the scores of k1 and k4 meet, and their directions are as different as before."""
    start, reading = lesson(), moment.reading
    if not (is_whole(moment, start) and same_query(moment, start) and moment.scene.keys.shape == start.keys.shape):
        return False
    changed = np.argwhere(moment.scene.keys != start.keys).tolist()
    gap, turn = reading.scores[4] - reading.scores[1], reading.cosines[4] - reading.cosines[1]
    return len(changed) == 1 and changed[0][0] == 4 and bool(abs(gap) <= CLOSE and turn >= _APART)


ANGLE_AND_LENGTH = Step(
    "angle-and-length",
    "Angle and length",
    (
        "Think of q and k as arrows: q.k = |q| |k| cos(angle). Two arrows that point the same way score high, a right "
        "angle scores 0, opposite arrows score below 0. A score is a cosine and two lengths in one number.",
        lambda m: (
            f"The cosines are {numbers(m.reading.cosines)}; the keys' lengths are {numbers(m.reading.key_norms)}. "
            f"The query's length is {figure(m.reading.query_norm)}."
        ),
        lambda m: (
            f"Compare k1 and k4. With cosine {figure(at(m.reading.cosines, 1))} k1 points much further away from q "
            f"than k4 does with {figure(at(m.reading.cosines, 4))}. Yet their scores are nearly the same, "
            f"{score(m, 1)} and {score(m, 4)}: k1 is short, {figure(at(m.reading.key_norms, 1))}, and k4 is long, "
            f"{figure(at(m.reading.key_norms, 4))}."
        ),
    ),
    lesson,
    "scores",
    f"Close the gap: change one number of k4, so that its score meets that of k1 to within {CLOSE:g}.",
    _gap_is_closed,
    "One press of i does it: it adds a step of 0.1 to the number under the cursor. Try k4.d0, where q.d0 is about "
    "one half, so the score moves by about half a step.",
    (Act("add 0.1 to k4.d0", lambda scene: edits.nudge(scene, Cell(4, 0), 0.1)),),
    ask(
        "Suppose the second key became twice as long, without turning. What would its score do?",
        ("rise", "fall", "stay as it is"),
        lambda m: direction(at(m.reading.scores, _second(m)), _twice_as_long(m)),
        lambda m: (
            f"From {score(m, _second(m))} to {figure(_twice_as_long(m))}: twice the length is twice the score, and a "
            "score keeps its sign. Length makes a key louder, whether it speaks for or against."
        ),
    ),
    lambda m: (
        f"{score(m, 1)} and {score(m, 4)}, from cosines of {figure(at(m.reading.cosines, 1))} and "
        f"{figure(at(m.reading.cosines, 4))}. The score alone does not tell you who points where."
    ),
)


def _halved(moment: Moment) -> FloatArray:
    """The scores with the first key at half its length, -inf where masked: (T,)."""
    keys = moment.scene.keys.copy()
    keys[0] /= 2.0
    return np.where(moment.scene.mask, dot_scores(moment.scene.query, keys), -np.inf)


def _k0_loses_by_length(moment: Moment) -> bool:
    """Only k0 was changed; it is shorter, still points at the query, and scores less than k1."""
    start, reading = aligned_and_long(), moment.reading
    if not (is_whole(moment, start) and same_query(moment, start) and same_values(moment, start)):
        return False
    lengths = reading.key_norms
    return (
        moment.scene.keys.shape == start.keys.shape
        and np.array_equal(moment.scene.keys[1:], start.keys[1:])
        and bool(0.0 < lengths[0] < read(start).key_norms[0])
        and bool(reading.cosines[0] >= ALIGNED)
        and bool(reading.scores[0] < reading.scores[1])
    )


SHORT_AND_ALIGNED = Step(
    "short-and-aligned",
    "A better aligned key can lose",
    (
        lambda m: (
            "Two dimensions now, so that you can draw it in your head: d0 to the right, d1 upwards. q goes right and a "
            f"little up, and so does k0, exactly: its cosine is {figure(at(m.reading.cosines, 0))}."
        ),
        lambda m: (
            f"k0 scores {score(m, 0)} and wins. k1 points well away from q, with cosine "
            f"{figure(at(m.reading.cosines, 1))}, but it is long, {figure(at(m.reading.key_norms, 1))} against "
            f"{figure(at(m.reading.key_norms, 0))}, and comes close with {score(m, 1)}."
        ),
        "Dot products grow with length, and with the number of components as well. Remember this one: it comes back "
        "when we ask why models divide by sqrt(hs).",
    ),
    aligned_and_long,
    "scores",
    f"Make k0 lose to k1 by making it shorter. Do not turn it: keep its cosine above {ALIGNED:g}.",
    _k0_loses_by_length,
    "Halve both numbers of k0: 1 for k0.d0 and 0.5 for k0.d1. To type over a number, just begin with a digit, and "
    "press Enter.",
    (
        Act("halve k0.d0", lambda scene: edits.set_component(scene, Cell(0, 0), 1.0)),
        Act("halve k0.d1", lambda scene: edits.set_component(scene, Cell(0, 1), 0.5)),
    ),
    ask_which(
        "Make the first key half as long and leave its direction alone. Which key scores highest then?",
        _halved,
        lambda m: (
            f"{name(m, 0)} still points as it did, but half the length is half the score: {score(m, 0)} becomes "
            f"{figure(at(_halved(m), 0))}. The scores are then {listed([figure(s) for s in _halved(m)])}."
        ),
    ),
    lambda m: (
        f"k0 still has cosine {figure(at(m.reading.cosines, 0))}, k1 only {figure(at(m.reading.cosines, 1))}. "
        f"k1 wins all the same, {score(m, 1)} to {score(m, 0)}."
    ),
)

STEPS = (DOT_PRODUCT, ANGLE_AND_LENGTH, SHORT_AND_ALIGNED)
