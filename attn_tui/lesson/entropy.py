"""The steps about entropy: how spread out the weights are, at its largest and nearly at 0."""

import math

import numpy as np

from attn_tui.core.measures import shannon_entropy
from attn_tui.core.softmax import Distribution, distribution
from attn_tui.lesson.asked import ask, direction
from attn_tui.lesson.earned import is_crowded
from attn_tui.lesson.scores import lesson
from attn_tui.lesson.step import Act, Moment, Step
from attn_tui.lesson.temperature import SHARPER, SOFTER
from attn_tui.lesson.told import entropy, entropy_max, figure, peak, shares, short
from attn_tui.model import edits

FULL = 0.999
"""An entropy that is a larger part of the largest is as good as that."""
EMPTY = 0.001
"""An entropy below it is as good as 0, in nats."""


def _row(moment: Moment, temperature: float, factor: float = 1.0) -> Distribution:
    """The weights at a temperature, of scores that are so many times as large: (T,)."""
    scene = moment.scene
    return distribution(moment.reading.scores * factor, scene.mask, temperature, scene.scale_factor)


def _entropy_at(moment: Moment, temperature: float) -> float:
    """The entropy at another temperature, in nats."""
    return float(shannon_entropy(_row(moment, temperature)))


def _hotter(moment: Moment) -> float:
    """The entropy at twice the temperature."""
    return _entropy_at(moment, min(2.0 * moment.scene.temperature, float(np.finfo(np.float64).max)))


def _is_full(moment: Moment) -> bool:
    """As many keys as at the start share the weight as equally as can be, and not for want of a query or a scale."""
    ratio = moment.reading.entropy_ratio
    return (
        is_crowded(moment, lesson())
        and bool(moment.scene.query.any())
        and moment.scene.scale_factor != 0.0
        and ratio is not None
        and ratio >= FULL
    )


ENTROPY = Step(
    "entropy",
    "Entropy: how spread out?",
    (
        "One number tells how widely the weights are spread: the entropy H = -sum_i w_i ln w_i, in nats. If one key "
        "has all, H is 0. If all T keys have the same, H is ln T, and more is not possible.",
        lambda m: (
            f"The weights {shares(m.reading.weights)} have an entropy of {entropy(m)}; the most would be "
            f"{entropy_max(m)}. It is as if {figure(m.reading.effective_keys, decimals=2)} keys shared the weight "
            "equally: that is e to the H, the effective number of keys."
        ),
        "A weight of 0 adds 0, since w ln w goes to 0 with w. Some code adds a tiny number such as 1e-12 inside the "
        "logarithm, so as never to meet ln 0. Counting 0 ln 0 as 0 needs no such help.",
    ),
    lesson,
    "weights",
    f"Make the entropy as large as it gets: above {FULL:g} of ln 5, with all five keys taking part.",
    _is_full,
    "Which way does temperature push the weights? Press t, type 50 and press Enter.",
    (Act("set tau to 100", lambda scene: edits.set_temperature(scene, 100.0)),),
    ask(
        "tau becomes twice as large. What does the entropy do?",
        ("rise", "fall", "stay as it is"),
        lambda m: direction(m.reading.entropy, _hotter(m)),
        lambda m: (
            f"From {entropy(m)} to {figure(_hotter(m))} nats. Compare: {figure(_entropy_at(m, SOFTER))} at tau "
            f"{SOFTER:g}, {figure(_entropy_at(m, 1.0))} at tau 1, and {_entropy_at(m, SHARPER):.4f} at tau 1/4, which "
            f"is {figure(_entropy_at(m, SHARPER))}. Heat spreads the weights unless they are equal already."
        ),
    ),
    lambda m: (
        f"H = {entropy(m)} of {entropy_max(m)}: {figure(m.reading.effective_keys, decimals=2)} effective keys. "
        "Attention this flat is a plain mean: it has stopped choosing."
    ),
)


def _longer(moment: Moment) -> float:
    """The entropy if every key were twice as long."""
    return float(shannon_entropy(_row(moment, moment.scene.temperature, 2.0)))


def _is_empty(moment: Moment) -> bool:
    """As many keys as at the start may be attended, and one has as good as everything."""
    found = moment.reading.entropy
    return is_crowded(moment, lesson()) and found is not None and found < EMPTY


ENTROPY_NEAR_ZERO = Step(
    "entropy-near-zero",
    "Entropy: nearly none",
    (
        lambda m: (
            f"Now to the other end. The entropy starts at {entropy(m)} nats with a peak of {peak(m)}, and the closer "
            "the peak comes to 1, the closer H comes to 0."
        ),
        "It never gets quite there while a second key has any weight: an entropy of 0 is a limit, as is tau = 0. A row "
        "like that has collapsed. It copies one value and ignores the rest.",
    ),
    lesson,
    "weights",
    f"Bring the entropy below {EMPTY:g} nats, with all five keys still attended.",
    _is_empty,
    "Cool it down: press < a few times, or t for a tau such as 0.1.",
    (Act("set tau to 0.1", lambda scene: edits.set_temperature(scene, 0.1)),),
    ask(
        "Suppose every key became twice as long, without turning. What would the entropy do?",
        ("rise", "fall", "stay as it is"),
        lambda m: direction(m.reading.entropy, _longer(m)),
        lambda m: (
            f"From {entropy(m)} to {figure(_longer(m))} nats. Twice the length is twice the score, and for softmax "
            "that is half the temperature. Length sharpens, unless all scores are equal."
        ),
    ),
    lambda m: (
        f"H = {entropy(m)} at tau {short(m.scene.temperature)}, of {math.log(max(1, m.reading.attended)):.4f} that "
        f"{m.reading.attended} keys could have. The peak is {peak(m)}."
    ),
)

STEPS = (ENTROPY, ENTROPY_NEAR_ZERO)
