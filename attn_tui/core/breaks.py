"""Which step of a softmax breaks first, in the naive and in the stable form, and what cures it, in words.

Two overflows are told apart: of exp, which subtracting the maximum cures, and of the score itself, which it does not.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from attn_tui.core.arrays import FloatArray
from attn_tui.core.stability import Comparison, Softmax

RIGHT_WITHIN = 8.0
"""Units of roundoff of the largest weight by which weights may differ from the exact ones and still be called right."""
STALLED_ABOVE = 0.01
"""How far from 1 the sum of weights is when their own sum of exps is said to have stalled."""


@dataclass(frozen=True)
class Break:
    """The first step that goes wrong."""

    step: str
    """query, key, setting, score, scale, temperature, constant, exp, sum or zero."""
    key: int | None
    """Which key, from 0; None if it is not about one."""
    words: str
    """What happens there."""


def score_break(made: Comparison) -> Break | None:
    """The first step up to the scaled scores, and the constant, that leaves no number to take exp of."""
    key = _broken_key(made)
    if key is None:
        return None
    for name, step in _STEPS.items():
        if (words := step(made, key)) is not None:
            return Break(name, key, words)
    return Break("constant", key, f"{_sum(made, key)} is above {_limit(made)}")


def exp_break(made: Comparison, form: Softmax) -> Break | None:
    """The first step from exp on that goes wrong in one of the two forms, whose exponents are numbers."""
    kind, attended = made.precision, made.mask
    broken = np.flatnonzero(~np.isfinite(form.exps) & attended)
    if broken.size:
        worst = int(broken[np.argmax(form.exponents[broken])])
        limit = f"above {kind.exp_overflows_at:.2f} for {kind.name}"
        return Break("exp", worst, f"exp({form.exponents[worst]:.6g}): {limit}")
    if not math.isfinite(form.total):
        words = f"the sum of {int(attended.sum())} exps: above {kind.largest:.4g} for {kind.name}"
        return Break("sum", None, f"{words}, weights look like 0")
    if form.total == 0.0:
        return Break("zero", None, f"the sum: every exp is 0, below {kind.exp_zero_below:.2f} for {kind.name}")
    return None


def naive_break(made: Comparison) -> Break | None:
    """Where the naive form breaks; None where it holds, or no key may be attended."""
    if not made.mask.any():
        return None
    return score_break(made) or exp_break(made, made.naive)


def stable_break(made: Comparison) -> Break | None:
    """Where the stable form breaks."""
    if not made.mask.any():
        return None
    return score_break(made) or exp_break(made, made.stable)


def verdict(made: Comparison) -> str:
    """What breaks, and whether subtracting the maximum cures it, in a sentence."""
    kind = made.precision
    if not made.mask.any():
        return "all keys masked: there is no distribution, whatever the arithmetic gives"
    if (score := score_break(made)) is not None:
        return _of_the_score(made, score)
    naive, stable = exp_break(made, made.naive), exp_break(made, made.stable)
    if stable is not None:
        return f"both break: naive at {naive.words if naive else stable.words}; stable at {stable.words}"
    if naive is not None:
        return f"naive breaks at {naive.words}; {_quality(made)}"
    largest = float(made.moved[made.mask].max())
    room = kind.exp_overflows_at - largest
    limit = f"{kind.exp_overflows_at:.2f} for {kind.name}"
    return f"naive holds, {room:.5g} below exp's limit {limit}; {_quality(made)}"


def _of_the_score(made: Comparison, score: Break) -> str:
    """A row without numbers to take exp of."""
    if score.step in {"score", "scale", "temperature", "constant"}:
        cure = "subtracting the maximum does not cure it"
        if score.step == "temperature" and np.isfinite(made.exact.weights).all():
            cure = "only subtracting the maximum before dividing cures it"
        return f"the score itself overflows: {score.words}; {cure}"
    return f"{score.words}: every weight is nan, naive and stable"


def _quality(made: Comparison) -> str:
    """Whether the stable weights are those of float64."""
    difference, roundoff = made.largest_difference, made.precision.unit_roundoff
    if difference is None or math.isnan(difference):
        return "stable holds, and float64 gives no number"
    if difference <= RIGHT_WITHIN * roundoff * float(made.exact.weights.max()):
        return "stable is right"
    total = float(made.stable.weights.sum())
    if abs(total - 1.0) > max(RIGHT_WITHIN * roundoff, STALLED_ABOVE):
        return f"stable is off: the sum of exps stalls at {made.stable.total:.5g}, the weights add up to {total:.4g}"
    if made.resolution is not None and made.resolution.is_lost:
        return f"stable is off by {difference:.4g}: the scores differ by less than a step"
    return f"stable is off by {difference:.2g} at most"


def _broken_key(made: Comparison) -> int | None:
    """The first key that may be attended whose score spoils the row; -inf spoils it only when all have it."""
    z = made.moved
    spoiling = made.mask & (np.isnan(z) | (z == np.inf))
    if not spoiling.any() and not (z[made.mask] == -np.inf).all():
        return None
    return int(np.argmax(spoiling if spoiling.any() else made.mask))


def _limit(made: Comparison) -> str:
    """The dtype's largest number."""
    return f"{made.precision.largest:.6g} ({made.precision.name})"


def _component(made: Comparison, place: str, given: FloatArray, kept: FloatArray) -> str | None:
    """The first component of a vector that is no number in the dtype."""
    bad = np.flatnonzero(~np.isfinite(kept))
    if not bad.size:
        return None
    d = int(bad[0])
    if not math.isfinite(given[d]):
        return f"{place}.d{d} is {given[d]:g}"
    return f"{place}.d{d}: {abs(given[d]):.6g} is above {_limit(made)}, and stored as {kept[d]:g}"


def _query(made: Comparison) -> str | None:
    """A component of the query."""
    return _component(made, "q", made.inputs.query, made.steps.query)


def _key(made: Comparison, key: int) -> str | None:
    """A component of the key."""
    return _component(made, made.inputs.name(key), made.inputs.keys[key], made.steps.keys[key])


def _setting(made: Comparison) -> str | None:
    """The scale or the temperature, as the dtype stores it."""
    kind, inputs = made.precision, made.inputs
    if not math.isfinite(made.steps.factor):
        return f"the scale {inputs.scale:.6g} is above {_limit(made)}"
    if made.steps.divisor == 0.0:
        return f"tau {inputs.temperature:.6g} rounds to 0 in {kind.name}, as does {kind.smallest / 2.0:.3g} or less"
    if not math.isfinite(made.steps.divisor):
        return f"tau {inputs.temperature:.6g} is above {_limit(made)}"
    return None


def _score(made: Comparison, key: int) -> str | None:
    """The dot product."""
    if math.isfinite(made.steps.scores[key]):
        return None
    first = made.method.scale_query_first
    exact = abs(float(made.exact_scores[key]) * (made.inputs.scale if first else 1.0))
    name = f"q.{made.inputs.name(key)}"
    when = "after scaling the query" if first else "before scaling"
    if made.precision.largest < exact < math.inf:
        return f"|{name}| = {exact:.6g} > {_limit(made)}, {when}"
    return f"a product or running sum of {name} is above {_limit(made)}, {when}"


def _times_scale(made: Comparison, key: int) -> str | None:
    """The product with the scale."""
    return _result(made, made.steps.multiplied[key], made.steps.scores[key], "x", made.steps.factor)


def _over_temperature(made: Comparison, key: int) -> str | None:
    """The quotient by the temperature."""
    return _result(made, made.steps.scaled[key], made.steps.multiplied[key], "/", made.steps.divisor)


def _result(made: Comparison, result: float, left: float, sign: str, right: float) -> str | None:
    """A product or quotient that is above the dtype's largest number."""
    if math.isfinite(result):
        return None
    compute: Callable[[np.float64, np.float64], np.float64] = np.multiply if sign == "x" else np.divide
    with np.errstate(all="ignore"):
        exact = abs(float(compute(np.float64(left), np.float64(right))))
    size = f" = {exact:.6g}" if math.isfinite(exact) else ""
    return f"|{left:.6g} {sign} {right:.6g}|{size} > {_limit(made)}"


def _sum(made: Comparison, key: int) -> str:
    """A scaled score and the constant."""
    return f"|{made.steps.scaled[key]:.6g} + {made.method.constant:.6g}|"


_STEPS: dict[str, Callable[[Comparison, int], str | None]] = {
    "query": lambda made, _: _query(made),
    "key": _key,
    "setting": lambda made, _: _setting(made),
    "score": _score,
    "scale": _times_scale,
    "temperature": _over_temperature,
}
"""What can go wrong up to the scaled scores, in the order in which it is computed."""
