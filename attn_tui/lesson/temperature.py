"""The steps about temperature: softer and sharper, and the temperature that halves the peak, by hand and by solver."""

import math

import numpy as np

from attn_tui.core.arrays import FloatArray
from attn_tui.core.scores import dot_scores
from attn_tui.core.softmax import softmax
from attn_tui.core.temperature import temperature_for
from attn_tui.lesson.asked import ask, ask_which, nearest
from attn_tui.lesson.earned import same_vectors
from attn_tui.lesson.scores import lesson
from attn_tui.lesson.step import Act, Moment, Step
from attn_tui.lesson.told import at, figure, name, peak, ranked, share, shares, short, tau_for_peak, weight
from attn_tui.model import edits
from attn_tui.model.scene import Scene

SOFTER, SHARPER = 4.0, 0.25
"""The temperatures that the lesson compares with 1."""
NEARLY_ALL = 0.9999
"""A peak above it is as good as all of the weight."""
HOT = 1000.0
"""How many times as hot it becomes in a question."""
HALF = 0.5
"""The peak that is looked for."""
BY_HAND, BY_SOLVER = 0.005, 1e-6
"""How closely it is to be found."""


def tempered(moment: Moment, temperature: float) -> FloatArray:
    """The weights at another temperature: (T,)."""
    scene = moment.scene
    return softmax(moment.reading.scores, mask=scene.mask, temperature=temperature, scale=scene.scale_factor)


def warmer(moment: Moment, factor: float) -> FloatArray:
    """The weights at a temperature that is so many times as high: (T,)."""
    return tempered(moment, min(moment.scene.temperature * factor, float(np.finfo(np.float64).max)))


def _in_the_heat(moment: Moment) -> FloatArray:
    """Those weights at `HOT` times the temperature, -inf where masked: (T,)."""
    return np.where(moment.scene.mask, warmer(moment, HOT), -np.inf)


def _is_sharp(moment: Moment) -> bool:
    """Vectors and scale are as they were, and a temperature below 1 gives the leader nearly all."""
    start, top = lesson(), moment.reading.peak
    return (
        same_vectors(moment, start)
        and moment.scene.scale == start.scale
        and moment.scene.temperature < start.temperature
        and top is not None
        and top.weight > NEARLY_ALL
    )


TEMPERATURE = Step(
    "temperature",
    "Temperature: softer and sharper",
    (
        "One number decides how hard softmax chooses. Divide all scores by a temperature tau before exp: "
        "softmax(s / tau). A large tau makes the differences between scores small, a small tau makes them large.",
        lambda m: (
            f"At tau {SOFTER:g} the weights are softer: {shares(tempered(m, SOFTER))}. At tau 1 they are "
            f"{shares(tempered(m, 1.0))}."
        ),
        lambda m: (
            f"At tau 1/4 the scores are four times as large, and {name(m, ranked(m, 0))} takes "
            f"{share(at(tempered(m, SHARPER), ranked(m, 0)))}. Temperature (F4) shows softer, base and sharper side by "
            "side, and each weight against tau."
        ),
    ),
    lesson,
    "temperature",
    f"Raise tau to 4 and look: press t, type 4 and press Enter. Then lower it until the peak is above {NEARLY_ALL:g}.",
    _is_sharp,
    "Press t, type 0.25 and press Enter. For small steps there are < and >.",
    (
        Act("set tau to 4: softer", lambda scene: edits.set_temperature(scene, SOFTER)),
        Act("set tau to 1/4: sharper", lambda scene: edits.set_temperature(scene, SHARPER)),
    ),
    ask_which(
        f"Make tau {HOT:g} times as large. Which key has the largest weight then?",
        _in_the_heat,
        lambda m: (
            f"{name(m, ranked(m, 0))} leads with {figure(at(warmer(m, HOT), ranked(m, 0)), decimals=5)} before "
            f"{figure(at(warmer(m, HOT), ranked(m, 1)), decimals=5)}: nearly equal shares, in the old order. To divide "
            "all scores by one positive number never changes their ranking. Equal shares are only the limit."
        ),
    ),
    lambda m: (
        f"tau {short(m.scene.temperature)}: {name(m, ranked(m, 0))} has {peak(m)}. It has led all the time: the "
        "ranking is that of the scores. The limit, all on one key, is called one-hot."
    ),
)


def _leader_at(moment: Moment, taus: tuple[float, ...]) -> list[str]:
    """The weight of the first key at some temperatures."""
    return [figure(at(tempered(moment, tau), 0)) for tau in taus]


def _where_half_is(moment: Moment) -> int:
    """Between which two of 1, 2, 3 and 4 the temperature lies that halves the peak, 3 for elsewhere."""
    tau = tau_for_peak(moment.reading.scores, moment, HALF)
    return int(tau) - 1 if 1.0 <= tau < 4.0 else 3


def _is_half(moment: Moment, within: float) -> bool:
    """Vectors and scale are as they were, and the temperature gives k0 one half."""
    start = lesson()
    return (
        same_vectors(moment, start)
        and moment.scene.scale == start.scale
        and moment.scene.dtype == start.dtype
        and abs(float(moment.reading.weights[0]) - HALF) <= within
    )


def _why_there(moment: Moment) -> str:
    """The temperature that halves the peak, if there is one."""
    tau = tau_for_peak(moment.reading.scores, moment, HALF)
    if math.isnan(tau):
        return f"No temperature brings the peak of these scores to {HALF:g}."
    below, above = (math.floor(tau), math.floor(tau) + 1) if tau >= 1.0 else (tau / 2.0, 1.0)
    first, last = (tempered(moment, edge).max() for edge in (below, above))
    return (
        f"The largest weight is {figure(float(first))} at tau {short(below)} and {figure(float(last))} at tau "
        f"{short(above)}. As tau grows it only falls, so {HALF:g} lies in between, and only there."
    )


HALVE_BY_HAND = Step(
    "halve-by-hand",
    "Exercise 2: the temperature that halves the peak",
    (
        lambda m: (
            "How far must tau go until k0 holds just one half? Its weight at tau 1, 2, 3 and 4 is "
            f"{', '.join(_leader_at(m, (1.0, 2.0, 3.0, 4.0)))}."
        ),
        "With more than two keys there is no formula to read the answer from. But you can close in on it: too heavy, "
        "raise tau; too light, lower it.",
    ),
    lesson,
    "weights",
    f"Find it by hand: bring the weight of k0 to {HALF:g}, within {BY_HAND:g}. Press t to type tau, > and < to step.",
    lambda m: _is_half(m, BY_HAND),
    "It lies a little below 3. Try 2.8.",
    (Act("set tau to 2.8", lambda scene: edits.set_temperature(scene, 2.8)),),
    ask(
        f"Between which two temperatures is the peak {HALF:g}?",
        ("between 1 and 2", "between 2 and 3", "between 3 and 4", "somewhere else"),
        _where_half_is,
        _why_there,
    ),
    lambda m: f"At tau {short(m.scene.temperature)} k0 has {weight(m, 0)}. Close enough for a search by hand.",
)


def _doubled(moment: Moment) -> float:
    """The temperature that halves the peak of scores twice as large."""
    return tau_for_peak(2.0 * moment.reading.scores, moment, HALF)


def _what_doubling_does(moment: Moment) -> int:
    """Whether that is half, just or twice the temperature for the scores as they are; 3 where there is none."""
    tau, doubled = tau_for_peak(moment.reading.scores, moment, HALF), _doubled(moment)
    return nearest(doubled, (0.5 * tau, tau, 2.0 * tau)) if math.isfinite(tau) and math.isfinite(doubled) else 3


def _with_half(scene: Scene) -> Scene:
    """The scene at the temperature that the solver finds."""
    scores = dot_scores(scene.query, scene.keys)
    return edits.set_temperature(scene, temperature_for(scores, peak=HALF, mask=scene.mask, scale=scene.scale_factor))


HALVE_BY_SOLVER = Step(
    "halve-by-solver",
    "Exercise 2 again: let the solver find it",
    (
        "As tau grows the peak only falls. That is all a solver needs: take one tau that is too low and one that is "
        "too high, look at the middle, and keep the half that must hold the answer. Fifty times, and it is exact.",
        lambda m: (
            f"The Temperature view (F4) does that while you look. For a peak of {HALF:g} it finds tau = "
            f"{figure(tau_for_peak(m.reading.scores, m, HALF))}. Press / there to wish for another peak, / again for "
            "an entropy."
        ),
    ),
    lesson,
    "temperature",
    f"Take the tau that was found: with a wanted peak of {HALF:g} press T.",
    lambda m: _is_half(m, BY_SOLVER),
    "If another peak is wanted, press /, type 0.5 and press Enter first. Then press T, with Shift.",
    (Act("show Temperature", view="temperature"), Act(f"take the tau for a peak of {HALF:g}", _with_half)),
    ask(
        f"Suppose all scores were twice as large. Which tau would bring the peak to {HALF:g}?",
        ("half of this one", "the same", "twice this one", "none at all"),
        _what_doubling_does,
        lambda m: (
            f"{figure(tau_for_peak(m.reading.scores, m, HALF))} for these scores, {figure(_doubled(m))} for their "
            "double. softmax sees only s / tau: twice the scores at twice the temperature is the same row."
        ),
    ),
    lambda m: f"tau = {figure(m.scene.temperature)}, and k0 has {weight(m, 0)}.",
)

STEPS = (TEMPERATURE, HALVE_BY_HAND, HALVE_BY_SOLVER)
