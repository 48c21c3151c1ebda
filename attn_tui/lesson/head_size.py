"""The steps about head size: why dot products grow, and why saturated weights learn nothing."""

import math
from functools import cache

import numpy as np

from attn_tui.core.arrays import FloatArray
from attn_tui.core.measures import jacobian_frobenius
from attn_tui.core.softmax import distribution
from attn_tui.lesson.asked import ask, nearest
from attn_tui.lesson.earned import same_vectors
from attn_tui.lesson.step import Act, Moment, Step
from attn_tui.lesson.told import entropy, figure, name, peak, ranked
from attn_tui.model import edits
from attn_tui.model.scene import Scene, read

HEAD_SIZE, KEYS = 64, 8
"""Of the random scene."""
_SEED = 56
"""A draw in which one key happens to take nearly everything, as most large heads would without the scale."""
_DRAWS = 8000
"""Random pairs that a spread is measured on."""
_LARGEST = 256
"""The largest head size that a question draws."""
_ALIKE = 0.005
"""Weights that differ by less are those of the other knob."""


def noise() -> Scene:
    """A random query and random keys, the same ones every time, with scale 1."""
    generator = np.random.default_rng(_SEED)
    query = generator.standard_normal(HEAD_SIZE)
    return Scene.of(query, generator.standard_normal((KEYS, HEAD_SIZE)))


@cache
def spread(head_size: int) -> float:
    """Standard deviation of q.k over random pairs of this head size."""
    pairs = np.random.default_rng(head_size).standard_normal((2, _DRAWS, head_size))
    return float(np.vecdot(pairs[0], pairs[1]).std())


def _sizes(moment: Moment) -> tuple[int, int]:
    """The scene's head size, or the largest that is drawn, and four times that."""
    size = min(moment.scene.head_size, _LARGEST)
    return size, 4 * size


def _growth(moment: Moment) -> float:
    """How many times as large the spread is at four times the head size."""
    small, large = _sizes(moment)
    return spread(large) / spread(small)


def _is_scaled(moment: Moment) -> bool:
    """Vectors and temperature are as they were, and the scale is 1/sqrt(hs)."""
    return (
        same_vectors(moment, noise())
        and moment.scene.temperature == 1.0
        and math.isclose(moment.scene.scale_factor, 1.0 / math.sqrt(HEAD_SIZE), rel_tol=1e-4)
    )


HEAD_SIZE_STEP = Step(
    "head-size",
    "Why models divide by sqrt(hs)",
    (
        "A dot product is a sum of hs products. If the components are random, with mean 0 and variance 1, each product "
        "has variance 1 too, so q.k has variance hs: its spread is sqrt(hs).",
        lambda m: (
            f"This scene is noise: {m.scene.count} random keys of {m.scene.head_size} components. Its scores reach "
            f"from {float(m.reading.scores.min()):.2f} to {float(m.reading.scores.max()):.2f}, and so "
            f"{name(m, ranked(m, 0))} takes {peak(m)} of the weight. There is nothing to find in it, yet "
            "softmax is sure."
        ),
        "Head size (F6) draws many more, for every hs. See how the spread follows sqrt(hs), and how the entropy of the "
        "raw scores falls. Models compute Q K^T / sqrt(hs) instead: that keeps the spread at 1, whatever hs is.",
    ),
    noise,
    "head-size",
    "Put the division in: press s, which sets the scale to 1/sqrt(hs). Then look at Weights (F2).",
    _is_scaled,
    "The top line shows the scale. Press s once; another s takes it away again.",
    (
        Act("set the scale to 1/sqrt(hs)", lambda scene: edits.set_scale(scene, "sqrt")),
        Act("show Weights", view="weights"),
    ),
    ask(
        "The head size becomes four times as large. What happens to the spread of random q.k?",
        ("it stays", "it doubles", "it becomes four times as large"),
        lambda m: nearest(_growth(m), (1.0, 2.0, 4.0)),
        lambda m: (
            f"{_DRAWS} random pairs spread by {spread(_sizes(m)[0]):.2f} at hs {_sizes(m)[0]} and by "
            f"{spread(_sizes(m)[1]):.2f} at hs {_sizes(m)[1]}, {_growth(m):.2f} times as much. Variances add up, and "
            "the spread is their root."
        ),
    ),
    lambda m: (
        f"The peak is down to {peak(m)}, the entropy up to {entropy(m)} nats. It is still noise, but softmax no longer "
        "makes a certainty of it."
    ),
)


def gradient(moment: Moment, scale: float) -> float:
    """Norm of the derivative of the weights by q.k under this scale."""
    scene = moment.scene
    row = distribution(moment.reading.scores, scene.mask, scene.temperature, scale)
    return float(jacobian_frobenius(row)) * scale / scene.temperature


def _root_scale(moment: Moment) -> float:
    """1/sqrt(hs)."""
    return 1.0 / math.sqrt(moment.scene.head_size)


def _which_passes_more(moment: Moment) -> int:
    """Whether more gradient gets through at scale 1 or at 1/sqrt(hs); 2 for the same."""
    raw, scaled = gradient(moment, 1.0), gradient(moment, _root_scale(moment))
    return 2 if math.isclose(raw, scaled, rel_tol=1e-9, abs_tol=1e-300) else 0 if raw > scaled else 1


@cache
def _scaled_weights() -> FloatArray:
    """What 1/sqrt(hs) makes of the noise: (T,)."""
    return read(edits.set_scale(noise(), "sqrt")).weights


def _is_tempered(moment: Moment) -> bool:
    """Vectors and scale are as they were, and the temperature gives the weights of 1/sqrt(hs)."""
    return (
        same_vectors(moment, noise())
        and moment.scene.scale == 1.0
        and bool(np.abs(moment.reading.weights - _scaled_weights()).max() <= _ALIKE)
    )


SATURATION = Step(
    "saturation",
    "Saturated weights learn nothing",
    (
        "Training nudges: if a score moved a little, how would the weights move? For softmax the answer is a matrix, "
        "diag(w) - w w^T. If one weight is nearly 1 and all others nearly 0, what is left of it?",
        lambda m: (
            f"In this row the peak is {peak(m)} and the entropy {entropy(m)} nats. The norm of that matrix, as seen "
            f"from q.k, is {gradient(m, m.scene.scale_factor):.4f}. Head size (F6) lists it as grad."
        ),
        "Dividing by sqrt(hs) is nothing new to you. softmax(s / sqrt(hs)) is softmax(s / tau): a temperature, chosen "
        "by the head size.",
    ),
    noise,
    "weights",
    f"Show it: leave the scale at 1, and find the tau that gives the weights that 1/sqrt({HEAD_SIZE}) would give.",
    _is_tempered,
    f"What is the square root of {HEAD_SIZE}? Press t, type it and press Enter.",
    (Act("set tau to 8", lambda scene: edits.set_temperature(scene, math.sqrt(HEAD_SIZE))),),
    ask(
        "Dividing by sqrt(hs) makes every score smaller. Where does more gradient reach q.k?",
        ("at scale 1", "at scale 1/sqrt(hs)", "the same at both"),
        _which_passes_more,
        lambda m: (
            f"The norm is {gradient(m, 1.0):.4f} at scale 1 and {gradient(m, _root_scale(m)):.4f} at 1/sqrt(hs), where "
            f"the factor {figure(_root_scale(m))} of the scale itself is already in it. A saturated softmax lets "
            "hardly anything through, and a head that starts like that stays like that."
        ),
    ),
    lambda m: (
        f"tau {m.scene.temperature:.4g} at scale 1: peak {peak(m)}, entropy {entropy(m)} nats, gradient "
        f"{gradient(m, 1.0):.4f}. It is the same knob under two names."
    ),
)

STEPS = (HEAD_SIZE_STEP, SATURATION)
