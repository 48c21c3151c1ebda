"""Why a row of attention is broken, collapsed or flat, in words.

A fault is a step whose result is no number, with the place where it first shows. A note is a fact worth saying of a
row that is sound. Both name what they speak of; neither changes a number.
"""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from attn_tui.core.arrays import BoolArray, FloatArray
from attn_tui.core.precision import Precision, Steps

_LONGEST_NAME = 24
"""Characters of a name in a sentence."""
MOST_FAULTS = 8
"""How many keys' faults are told one by one; the others are counted."""
COLLAPSED_ABOVE = 0.999
"""A row with a larger peak is called collapsed."""
FLAT_ABOVE = 0.999
"""A row whose entropy is a larger part of ln n is called flat."""


@dataclass(frozen=True)
class Fault:
    """One step that went wrong."""

    stage: str
    """query, keys, mask, score, scale, temperature, sum or values; more for the count of those not told."""
    key: int | None
    """Which key, from 0; None if it is not about one."""
    dimension: int | None
    """Which component, from 0; None if it is not about one."""
    message: str
    """What is wrong and what follows, for a person."""


@dataclass(frozen=True, eq=False)
class Inputs:
    """What a reading was made from, with the names to call its keys by."""

    query: FloatArray
    """(hs,)."""
    keys: FloatArray
    """(T, hs)."""
    values: FloatArray | None
    """(T, dv), where given."""
    mask: BoolArray
    """(T,): true may be attended."""
    temperature: float
    scale: float
    precision: Precision
    labels: Sequence[str]
    """(T,): a name for each key."""

    def name(self, key: int) -> str:
        """What a sentence calls a key."""
        return spoken(self.labels[key])

    def place(self, key: int | None, dimension: int, column: str = "d") -> str:
        """A component's name, such as k1.d0, or q.d0 for the query's."""
        return f"{'q' if key is None else self.name(key)}.{column}{dimension}"


def spoken(label: str) -> str:
    """A key's name as a sentence has it: k3 as it is, a token in quotes, a long one shortened."""
    if len(label) > _LONGEST_NAME:
        label = f"{label[: _LONGEST_NAME - 3]}..."
    return label if label[:1] == "k" and label[1:].isdecimal() else f'"{label}"'


def find_faults(inputs: Inputs, scores: FloatArray, weights: FloatArray, steps: Steps | None) -> list[Fault]:
    """Every fault, in the order in which the steps are computed; `steps` where a dtype below float64 rounds them."""
    if not inputs.mask.any():
        return [_no_key(inputs.mask.size)]
    faults = [*_query(inputs)]
    broken = np.flatnonzero(~np.isfinite(scores) & inputs.mask)
    if faults:
        broken = broken[~np.isfinite(inputs.precision.rounded(inputs.keys[broken])).all(axis=1)]
    faults += _each(broken, lambda key: _of_key(inputs, scores, weights, key))
    if steps is not None and not faults:
        faults += _later_steps(inputs, steps)
    return [*faults, *_values(inputs)]


def _each(keys: NDArray[np.intp], tell: Callable[[int], Fault]) -> list[Fault]:
    """The faults of the first of these keys, and how many others there are."""
    faults = [tell(int(key)) for key in keys[:MOST_FAULTS]]
    others = keys.size - MOST_FAULTS
    return [*faults, Fault("more", None, None, f"and {others} more like these")] if others > 0 else faults


def _query(inputs: Inputs) -> list[Fault]:
    """Components of the query that are no numbers, in its own dtype."""
    stored = inputs.precision.rounded(inputs.query)

    def tell(d: int) -> Fault:
        """What is wrong with one component."""
        message = _component(inputs.place(None, d), float(inputs.query[d]), float(stored[d]), inputs.precision)
        return Fault("query", None, d, f"{message}: it enters every score")

    return _each(np.flatnonzero(~np.isfinite(stored)), tell)


def _of_key(inputs: Inputs, scores: FloatArray, weights: FloatArray, key: int) -> Fault:
    """Why the score of a key that may be attended is no number: one of its components, or the dot product itself."""
    stored = inputs.precision.rounded(inputs.keys[key])
    sound = bool(np.isfinite(weights[inputs.mask]).all())
    follows = f"its score is {scores[key]:g} and its weight {weights[key]:g}" if sound else "every weight is nan"
    if not np.isfinite(stored).all():
        d = int(np.argmin(np.isfinite(stored)))
        message = _component(inputs.place(key, d), float(inputs.keys[key, d]), float(stored[d]), inputs.precision)
        return Fault("keys", key, d, f"{message}: {follows}{'' if sound else _limit(inputs, scores, key)}")
    kind = inputs.precision
    with np.errstate(all="ignore"):
        exact = _exact_dot(inputs.query, inputs.keys[key])
    beyond = kind.largest < abs(exact) < math.inf
    size = f"{abs(exact):.6g} is above" if beyond else "a product or sum is above"
    cure = "" if sound else ", and subtracting the maximum does not cure it"
    return Fault(
        "score",
        key,
        None,
        f"q.{inputs.name(key)} overflows in the dot product, before scaling: "
        f"{size} the {kind.name} maximum {kind.largest:.6g}; {follows}{cure}",
    )


def _limit(inputs: Inputs, scores: FloatArray, key: int) -> str:
    """What weights that are nan tend to as the infinite scores that are the largest grow; empty if to nothing."""
    with np.errstate(invalid="ignore"):
        signed = scores[inputs.mask] * math.copysign(1.0, inputs.scale)
    if inputs.scale == 0.0 or np.isnan(signed).any() or not (signed == np.inf).any():
        return ""
    grown = np.flatnonzero(inputs.mask)[signed == np.inf]
    first, count = int(grown[0]), grown.size
    if count > 1:
        return f"; the limit, if the {count} scores of {scores[first]:g} grow alike, is 1/{count} for each of them"
    whose = "its score" if first == key else f"the score of {inputs.name(first)}"
    return f"; the limit as {whose} goes to {scores[first]:g} is weight 1 for {inputs.name(first)}"


def _exact_dot(query: FloatArray, key: FloatArray) -> float:
    """The dot product in float64, NaN where even that has none."""
    return float(query @ key)


def _later_steps(inputs: Inputs, steps: Steps) -> list[Fault]:
    """The first step after the scores that goes wrong in a dtype below float64."""
    kind, mask = steps.precision, inputs.mask
    largest = f"the {kind.name} maximum {kind.largest:.6g}"
    if (setting := _setting(inputs, steps, largest)) is not None:
        return [setting]

    def multiplied(key: int) -> Fault:
        """A score times the scale."""
        given, product = steps.scores[key], abs(steps.scores[key] * steps.factor)
        words = f"{inputs.name(key)}: |{given:.6g} x {steps.factor:.6g}| = {product:.6g} is above {largest}"
        return Fault("scale", key, None, words)

    def divided(key: int) -> Fault:
        """A scaled score over the temperature."""
        given, quotient = steps.multiplied[key], abs(steps.multiplied[key] / steps.divisor)
        words = f"{inputs.name(key)}: |{given:.6g} / {steps.divisor:.6g}| = {quotient:.6g} is above {largest}"
        return Fault("temperature", key, None, words)

    finite = np.isfinite(steps.multiplied)
    faults = _each(np.flatnonzero(~finite & mask), multiplied)
    faults += _each(np.flatnonzero(finite & ~np.isfinite(steps.scaled) & mask), divided)
    if np.isfinite(steps.scaled[mask]).all() and not math.isfinite(steps.total):
        words = f"the sum of {int(mask.sum())} exps is above {largest}: every weight is 0"
        faults.append(Fault("sum", None, None, words))
    return faults


def _setting(inputs: Inputs, steps: Steps, largest: str) -> Fault | None:
    """A scale or a temperature that the dtype does not hold."""
    kind, tau = steps.precision, f"the temperature {inputs.temperature:.6g}"
    if not math.isfinite(steps.factor):
        return Fault("scale", None, None, f"the scale {inputs.scale:.6g} is above {largest}")
    if steps.divisor == 0.0:
        smallest = f"{kind.smallest / 2:.3g} or less"
        return Fault("temperature", None, None, f"{tau} rounds to 0 in {kind.name}, as does {smallest}")
    if not math.isfinite(steps.divisor):
        return Fault("temperature", None, None, f"{tau} is above {largest}")
    return None


def _values(inputs: Inputs) -> list[Fault]:
    """The first component that is no number of each value that takes part in the output."""
    if inputs.values is None:
        return []
    values, stored = inputs.values, inputs.precision.rounded(inputs.values)
    broken: BoolArray = ~np.isfinite(stored) & inputs.mask[:, None]

    def tell(key: int) -> Fault:
        """What is wrong with one value."""
        d = int(np.argmax(broken[key]))
        message = _component(inputs.place(key, d, "v"), float(values[key, d]), float(stored[key, d]), inputs.precision)
        return Fault("values", key, d, f"{message}: so is component {d} of the output, or nan")

    return _each(np.flatnonzero(broken.any(axis=1)), tell)


def _no_key(count: int) -> Fault:
    """The fault of a row in which nothing may be attended."""
    return Fault(
        "mask",
        None,
        None,
        f"0 of {count} keys may be attended: softmax undefined. Weights and output are 0 by convention, "
        "as in PyTorch's safe softmax; unguarded code gives nan",
    )


def _component(place: str, given: float, became: float, kind: Precision) -> str:
    """What is wrong with one component."""
    if math.isfinite(given):
        return f"{place}: {given:.6g} is above the {kind.name} maximum {kind.largest:.6g} -> {became:g}"
    return f"{place} is {given:g}"
