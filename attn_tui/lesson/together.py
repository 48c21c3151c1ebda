"""The step that puts all together: the weights get values to average."""

import numpy as np

from attn_tui.core.arrays import FloatArray
from attn_tui.lesson.asked import ask, nearest
from attn_tui.lesson.earned import is_whole, same_values
from attn_tui.lesson.scores import lesson
from attn_tui.lesson.step import Act, Moment, Step
from attn_tui.lesson.temperature import tempered
from attn_tui.lesson.told import figure, name, peak, ranked, shorts
from attn_tui.model import edits
from attn_tui.model.scene import Scene

GOAL, WITHIN = 25.0, 0.5
"""What the output is to be, and how closely."""
_HOT = 1e6
"""A temperature at which the weights are as good as equal."""


def with_values() -> Scene:
    """The running example with a value of one component for each key."""
    return edits.set_values(lesson(), [[10.0], [20.0], [30.0], [40.0], [50.0]])


def _values(moment: Moment) -> FloatArray:
    """The first component of every value, or the keys' numbers where there are none: (T,)."""
    values = moment.scene.values
    return np.arange(moment.scene.count, dtype=np.float64) if values is None else values[:, 0]


def _average(moment: Moment, weights: FloatArray) -> float:
    """Their average under weights (T,)."""
    mask = moment.scene.mask
    return float(weights[mask] @ _values(moment)[mask])


def _output(moment: Moment) -> str:
    """The first component of the output."""
    output = moment.reading.output
    return figure(None if output is None else float(output[0]))


def _limits(moment: Moment) -> tuple[float, float, float]:
    """The winner's value, the plain mean, and the sum of all values that take part."""
    mine = _values(moment)[moment.scene.mask]
    return float(_values(moment)[ranked(moment, 0)]), float(mine.mean()), float(mine.sum())


def _in_the_heat(moment: Moment) -> float:
    """The output at an enormous temperature."""
    return _average(moment, tempered(moment, _HOT))


def _is_at_goal(moment: Moment) -> bool:
    """The values are as they were, every key takes part, and the output is where it should be."""
    start, output = with_values(), moment.reading.output
    return (
        is_whole(moment, start)
        and same_values(moment, start)
        and output is not None
        and abs(float(output[0]) - GOAL) <= WITHIN
    )


WEIGHTED_AVERAGE = Step(
    "weighted-average",
    "All together: a weighted average",
    (
        lambda m: (
            "At last the weights get something to weigh. Every key brings a value; here the values are "
            f"{shorts(_values(m))}. The output is sum_i w_i v_i, their weighted average. {name(m, ranked(m, 0))} leads "
            f"with {peak(m)}, so the output is {_output(m)}."
        ),
        "So that is attention: score, subtract the maximum, exponentiate, normalise, and average the values.",
        "A model does it for whole batches at once: scores of shape (B, T, T), softmax along the last axis. Good code "
        "for one row is good code for all of them.",
        "And when a model looks at everything alike, or stares at a single token, suspect its temperature first.",
    ),
    with_values,
    "weights",
    f"Bring the output to {GOAL:g}, within {WITHIN:g}. Do not touch the values, and keep all keys.",
    _is_at_goal,
    "The output must move from the winner's value towards the others'. Raise tau: press t and try 4.",
    (Act("set tau to 4", lambda scene: edits.set_temperature(scene, 4.0)),),
    ask(
        "Let tau grow without end. Where does the output go?",
        ("to the winner's value", "to the plain mean of all values", "to the sum of all values"),
        lambda m: nearest(_in_the_heat(m), _limits(m)),
        lambda m: (
            f"At tau {_HOT:g} the output is {figure(_in_the_heat(m))}, the mean is {figure(_limits(m)[1])} and the "
            f"winner's value {figure(_limits(m)[0])}. Equal weights make a plain mean. A weighted average never leaves "
            "the range of its values."
        ),
    ),
    lambda m: f"The output is {_output(m)}: the same five values, weighed differently, with a peak of {peak(m)}.",
)

STEPS = (WEIGHTED_AVERAGE,)
