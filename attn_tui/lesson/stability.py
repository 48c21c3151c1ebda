"""The steps about computing softmax: where the naive form breaks, and the subtraction that saves it."""

from functools import partial

import numpy as np

from attn_tui.core.arrays import FloatArray
from attn_tui.core.scores import dot_scores
from attn_tui.core.softmax import naive_softmax, softmax
from attn_tui.lesson.asked import ask
from attn_tui.lesson.earned import (
    bare,
    is_whole,
    moved,
    naive,
    naive_holds,
    same_settings,
    same_weights,
)
from attn_tui.lesson.scores import lesson
from attn_tui.lesson.step import Act, Moment, Step
from attn_tui.lesson.told import EXP_LIMIT, figure, listed, numbers, ranked, shares, shorts
from attn_tui.model import edits
from attn_tui.model.examples import example
from attn_tui.model.scene import Cell, Scene

LIMIT = f"{EXP_LIMIT:.2f}"
"""Above this exp overflows float64."""
PUSH, SHIFT = 20.0, 100.0
"""What is added to the largest score, and to all of them."""
_EXACT = 1e-6
"""How exactly all scores have to be moved."""

thousands = partial(example, "overflow")


def near_the_limit() -> Scene:
    """Scores for which the naive form still holds."""
    return bare(690.0, 700.0, 705.0)


def _pushed(moment: Moment) -> float:
    """The naive weight of the leader when its scaled score grows by `PUSH`."""
    z, best = moment.reading.scaled.copy(), ranked(moment, 0)
    z[best] += PUSH
    return float(naive_softmax(z, mask=moment.scene.mask)[best])


def _top(moment: Moment) -> float:
    """The leader's scaled score grown by `PUSH`."""
    return float(moment.reading.scaled[ranked(moment, 0)]) + PUSH


def _exp(number: float) -> float:
    """Its exp in float64, inf above the limit."""
    with np.errstate(over="ignore"):
        return float(np.exp(number))


def _is_broken(moment: Moment) -> bool:
    """In float64, of finite scores, the naive form makes a nan and the stable one does not."""
    start, reading = near_the_limit(), moment.reading
    return (
        is_whole(moment, start)
        and moment.scene.dtype == start.dtype
        and bool(reading.scaled.max() > EXP_LIMIT)
        and bool(np.isnan(reading.naive_weights).any())
    )


OVERFLOW = Step(
    "overflow",
    "Where the textbook form breaks",
    (
        lambda _: (
            "The formula is right, and dangerous all the same. Before anything is divided, exp(s) has to be stored, "
            f"and float64 ends at {np.finfo(np.float64).max:.4e}. exp passes that just above s = {LIMIT}; from there "
            "on it is inf."
        ),
        lambda m: (
            f"The scores {shorts(m.reading.scores)} still fit: the naive weights are {shares(m.reading.naive_weights)}"
            f", and the largest score is {EXP_LIMIT - float(m.reading.scaled.max()):.2f} below the limit."
        ),
    ),
    near_the_limit,
    "stability",
    f"Break the naive form: push one score past {LIMIT}.",
    _is_broken,
    "Go to a key, type a number such as 710 and press Enter. The column called naive shows what happens.",
    (Act("set k2 to 710", lambda scene: edits.set_component(scene, Cell(2, 0), 710.0)),),
    ask(
        f"Add {PUSH:g} to the largest score. What does the naive form give that key as its weight?",
        ("a number from 0 to 1", "inf", "nan, which is no number"),
        lambda m: 2 if np.isnan(_pushed(m)) else 1 if np.isinf(_pushed(m)) else 0,
        lambda m: (
            f"exp({_top(m):g}) is {_exp(_top(m)):.4g} in float64, and the weight comes out as {figure(_pushed(m))}. "
            "inf / inf has no value. One nan is enough: it spreads to the output, the loss and every gradient."
        ),
    ),
    lambda m: (
        f"Naive: {shares(m.reading.naive_weights)}. Stable: {shares(m.reading.weights)}. The scores are the same, "
        "and only the order of the work differs. How the stable form does it comes next."
    ),
)


def _shifted(moment: Moment) -> FloatArray:
    """The weights of the scores minus the largest of those that may be attended: (T,)."""
    z, mask = moment.reading.scaled, moment.scene.mask
    return softmax(z - z[mask].max(), mask=mask)


def _same_sharper_or_flatter(weights: FloatArray, others: FloatArray) -> int:
    """Whether weights (T,) are the same as others, or have a larger or a smaller peak."""
    if np.allclose(weights, others, rtol=0.0, atol=1e-9):
        return 0
    return 1 if weights.max() > others.max() else 2


def _is_subtracted(moment: Moment) -> bool:
    """The largest score is 0, no weight has changed, and the naive form agrees."""
    start = thousands()
    return (
        is_whole(moment, start)
        and same_settings(moment, start)
        and bool(abs(moved(moment).max()) <= _EXACT)
        and same_weights(moment, thousands)
        and naive_holds(moment)
    )


def _six(weights: FloatArray) -> str:
    """Weights with six decimals."""
    return listed([f"{one:.6f}" for one in weights])


SUBTRACT = Step(
    "subtract-the-maximum",
    "Subtract the maximum",
    (
        "The remedy is one line of code: take the largest score away from all scores, then go on as before. Now the "
        "largest exponent is 0, and its exp is 1. All other exps lie between 0 and 1. Nothing is left that could "
        "overflow.",
        lambda m: (
            f"Take {shorts(m.reading.scores)}. The naive form makes {shares(m.reading.naive_weights)} of them; "
            f"the stable form makes {_six(m.reading.weights)}."
        ),
    ),
    thousands,
    "stability",
    "Do by hand what the stable form does: bring the largest score to 0 so that every weight stays what it is.",
    _is_subtracted,
    "Type -2, -1 and 0 into the three keys. Or press / in Stability (F5), type -1002 for c, which is added to all "
    "scores, and press Enter.",
    (
        Act("take 1002 from k0", lambda scene: edits.set_component(scene, Cell(0, 0), -2.0)),
        Act("take 1002 from k1", lambda scene: edits.set_component(scene, Cell(1, 0), -1.0)),
        Act("take 1002 from k2", lambda scene: edits.set_component(scene, Cell(2, 0), 0.0)),
    ),
    ask(
        "Compare the weights of these scores with the weights after the largest was taken away from all.",
        ("they are the same", "before, they were sharper", "before, they were flatter"),
        lambda m: _same_sharper_or_flatter(m.reading.weights, _shifted(m)),
        lambda m: (
            f"{_six(m.reading.weights)} before, {_six(_shifted(m))} after. Scores 0, 1 and 2 give "
            f"{_six(softmax([0.0, 1.0, 2.0]))}: the same three, for only the differences between scores count."
        ),
    ),
    lambda m: (
        f"The exponents are {shorts(moved(m))} now, and naive and stable agree: {_six(naive(m))}. Nothing was lost by "
        "the subtraction, and the overflow is gone."
    ),
)


def _plus_a_hundred(moment: Moment) -> FloatArray:
    """The weights if every score were larger by `SHIFT`: (T,)."""
    return softmax(moment.reading.scaled + SHIFT, mask=moment.scene.mask)


def _is_moved(moment: Moment) -> bool:
    """Every score is larger by `SHIFT`, and the weights are those at the start."""
    start = lesson()
    return (
        is_whole(moment, start)
        and same_settings(moment, start)
        and bool(np.allclose(moved(moment), _lesson_scores() + SHIFT, rtol=0.0, atol=_EXACT))
        and same_weights(moment, lesson)
    )


def _lesson_scores() -> FloatArray:
    """The scores of the running example: (T,)."""
    start = lesson()
    return dot_scores(start.query, start.keys)


def _moves_by(moment: Moment) -> float:
    """The largest change of a weight by the constant."""
    after = softmax(moved(moment), mask=moment.scene.mask)
    return float(np.abs(after - moment.reading.weights).max())


SHIFT_INVARIANCE = Step(
    "shift-invariance",
    "Exercise 1: add 100 to every score",
    (
        "You took 1002 from every score, and no weight moved. Was that luck, or the maximum, or does it work with any "
        "number? Try it on the running example.",
        lambda m: (
            f"The scores are {numbers(m.reading.scores)}, and the weights are {shares(m.reading.weights)}. The "
            "Stability view has a number c that it adds to all scores, before both forms."
        ),
    ),
    lesson,
    "stability",
    f"Add {SHIFT:g} to every score: press / for c, type {SHIFT:g} and press Enter. Compare the weights.",
    _is_moved,
    "c stands above the table of Stability (F5). The pen opens there when you press / and closes with Enter.",
    (Act("show Stability", view="stability"), Act("add 100 to all scores", constant=SHIFT)),
    ask(
        f"Every score grows by {SHIFT:g}. What happens to the weights?",
        ("nothing at all", "the leader gains, the others lose", "they come closer to each other"),
        lambda m: _same_sharper_or_flatter(_plus_a_hundred(m), m.reading.weights),
        lambda m: (
            f"{shares(_plus_a_hundred(m))} with {SHIFT:g} added, {shares(m.reading.weights)} without. "
            "exp(s + c) = exp(c) exp(s), so exp(c) stands above and below the fraction line and cancels. The maximum "
            "is merely the most useful constant to take away."
        ),
    ),
    lambda m: (
        f"With c = {m.constant:g} no weight moved by more than {_moves_by(m):.1e}, which is the rounding of float64. "
        "Softmax is shift-invariant."
    ),
)

STEPS = (OVERFLOW, SUBTRACT, SHIFT_INVARIANCE)
