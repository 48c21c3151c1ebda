"""The step of exercise 3: one score breaks the naive form, and one constant mends it."""

from functools import partial

import numpy as np

from attn_tui.lesson.asked import ask
from attn_tui.lesson.earned import moved, naive, naive_holds, same_settings, same_vectors
from attn_tui.lesson.stability import LIMIT
from attn_tui.lesson.step import Act, Moment, Step
from attn_tui.lesson.told import name, ranked, shorts
from attn_tui.model.examples import example

one_overflows = partial(example, "exercise-3")


def _how_many_fail(moment: Moment) -> int:
    """Whether none, some or all of the naive weights are nan."""
    attended = moment.reading.naive_weights[moment.scene.mask]
    failed = int(np.isnan(attended).sum())
    return 0 if failed == 0 else 2 if failed == attended.size else 1


def _is_mended(moment: Moment) -> bool:
    """Scores and settings are as they were, and with the constant the naive form agrees."""
    start = one_overflows()
    return same_vectors(moment, start) and same_settings(moment, start) and naive_holds(moment)


FAIL_AND_FIX = Step(
    "fail-and-fix",
    "Exercise 3: make it fail, then mend it",
    (
        lambda m: (
            f"Scores {shorts(m.reading.scores)}. One of them is past {LIMIT}, the others are harmless. Watch how far "
            "the damage goes in the naive column."
        ),
        lambda m: (
            f"The stable form sees the exponents {shorts(m.reading.below_max)}. It gives {shorts(m.reading.weights)}: "
            f"{name(m, ranked(m, 0))} has all of it, and the others are so far behind that float64 has no number for "
            "what they get."
        ),
        "You know what saves the naive form too: one constant, the same for every score. Stability (F5) says for which "
        "c it holds.",
    ),
    one_overflows,
    "stability",
    "Mend the naive form without touching a score: press /, type a c that brings the largest into safety, and Enter.",
    _is_mended,
    "The best constant is minus the maximum: type -800.",
    (Act("show Stability", view="stability"), Act("add -800 to all scores", constant=-800.0)),
    ask(
        "How many of the naive weights are nan here?",
        ("none", "some, but not all", "all of them"),
        _how_many_fail,
        lambda m: (
            f"The naive form gives {shorts(m.reading.naive_weights)}. A finite exp over inf is 0; only inf over inf is "
            f"nan. The stable form gives {shorts(m.reading.weights)}."
        ),
    ),
    lambda m: (
        f"With c = {m.constant:g} the naive form gives {shorts(naive(m))}, as the stable form always did. The largest "
        f"exponent is {float(moved(m).max()):g} instead of {float(m.reading.scaled.max()):g}: exp has room for that."
    ),
)

STEPS = (FAIL_AND_FIX,)
