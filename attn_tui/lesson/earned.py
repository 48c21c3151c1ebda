"""What the checks have in common: that nothing was broken, taken away or changed that was not to be."""

from collections.abc import Callable
from functools import cache

import numpy as np

from attn_tui.core.arrays import FloatArray
from attn_tui.core.softmax import naive_softmax
from attn_tui.lesson.step import Moment
from attn_tui.model.scene import Scene, read

Start = Callable[[], Scene]
"""What makes the scene that a step starts from."""
_SAME = 1e-9
"""Weights that differ by less are the same."""


def bare(*scores: float) -> Scene:
    """Scores without vectors: a query [1], and keys of one component."""
    return Scene.of([1.0], [[score] for score in scores])


def is_whole(moment: Moment, start: Scene) -> bool:
    """Whether the row is sound and has the keys it started with, in their order, all of them attended."""
    scene = moment.scene
    return (
        moment.reading.is_sound
        and not moment.reading.faults
        and scene.labels == start.labels
        and np.array_equal(scene.mask, start.mask)
    )


def same_query(moment: Moment, start: Scene) -> bool:
    """Whether the query is the one at the start."""
    return np.array_equal(moment.scene.query, start.query)


def same_vectors(moment: Moment, start: Scene) -> bool:
    """Whether query, keys and values are those at the start, and the row is whole."""
    return (
        is_whole(moment, start)
        and same_query(moment, start)
        and np.array_equal(moment.scene.keys, start.keys)
        and same_values(moment, start)
    )


def same_values(moment: Moment, start: Scene) -> bool:
    """Whether the values are those at the start."""
    ours, theirs = moment.scene.values, start.values
    return ours is None if theirs is None else ours is not None and np.array_equal(ours, theirs)


def same_settings(moment: Moment, start: Scene) -> bool:
    """Whether temperature, scale and dtype are those at the start."""
    scene = moment.scene
    return (scene.temperature, scene.scale, scene.dtype) == (start.temperature, start.scale, start.dtype)


def is_crowded(moment: Moment, start: Scene) -> bool:
    """Whether the row is sound and at least as many keys are attended as at the start."""
    return moment.reading.is_sound and not moment.reading.faults and moment.reading.attended >= int(start.mask.sum())


def moved(moment: Moment) -> FloatArray:
    """The scaled scores with the constant of the Stability view added: (T,)."""
    with np.errstate(over="ignore", invalid="ignore"):
        return moment.reading.scaled + moment.constant


def naive(moment: Moment) -> FloatArray:
    """What the naive form makes of those, in float64: (T,)."""
    return naive_softmax(moved(moment), mask=moment.scene.mask)


def naive_holds(moment: Moment) -> bool:
    """Whether the naive form comes to the same weights as the stable one."""
    return bool(np.allclose(naive(moment), moment.reading.weights, rtol=0.0, atol=_SAME))


def same_weights(moment: Moment, start: Start) -> bool:
    """Whether the weights are those at the start."""
    weights, before = moment.reading.weights, _weights(start)
    return weights.shape == before.shape and bool(np.allclose(weights, before, rtol=0.0, atol=_SAME))


@cache
def _weights(start: Start) -> FloatArray:
    """The weights at the start: (T,)."""
    return read(start()).weights
