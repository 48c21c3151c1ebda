"""Why a row of attention is broken, collapsed or flat, in words.

A fault is a step whose result is no number, with the place where it first shows. A note is a fact worth saying of a
row that is sound. Both name what they speak of; neither changes a number.
"""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from attn_tui.core.arrays import BoolArray, FloatArray
from attn_tui.core.precision import Precision, Steps

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
    """query, keys, mask, score, scale, temperature, exp, sum, weights or values."""
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
    """A key's name as a sentence has it: k3 as it is, a token in quotes."""
    return label if label[:1] == "k" and label[1:].isdecimal() else f'"{label}"'


def find_faults(inputs: Inputs, scores: FloatArray, steps: Steps | None) -> list[Fault]:
    """Every fault, in the order in which the steps are computed; `steps` where a dtype below float64 rounds them."""
    if not inputs.mask.any():
        return [_no_key(inputs.mask.size), *_values(inputs, inputs.mask)]
    faults = [*_query(inputs)]
    blamed = np.zeros(inputs.mask.shape, dtype=np.bool_)
    for fault in (*_keys(inputs, scores), *_scores(inputs, scores, bool(faults))):
        if fault.key is not None and not blamed[fault.key]:
            blamed[fault.key] = True
            faults.append(fault)
    if steps is not None and not faults:
        faults.extend(_later_steps(inputs, steps))
    faults.extend(_values(inputs, inputs.mask))
    return _shortened(faults)


def _query(inputs: Inputs) -> Iterator[Fault]:
    """Components of the query that are no numbers, in its own dtype."""
    stored = inputs.precision.rounded(inputs.query)
    for d in _where(~np.isfinite(stored)):
        given, became = float(inputs.query[d]), float(stored[d])
        message = _component(inputs.place(None, d), given, became, inputs.precision)
        yield Fault("query", None, d, f"{message}: it enters every score")


def _keys(inputs: Inputs, scores: FloatArray) -> Iterator[Fault]:
    """The first component that is no number of each key that may be attended; it shows in the key's score."""
    for key in _where(~np.isfinite(scores) & inputs.mask):
        stored = inputs.precision.rounded(inputs.keys[key])
        if np.isfinite(stored).all():
            continue
        d = int(np.argmin(np.isfinite(stored)))
        given, became = float(inputs.keys[key, d]), float(stored[d])
        message = _component(inputs.place(key, d), given, became, inputs.precision)
        if scores[key] == -math.inf:
            yield Fault("keys", key, d, f"{message}, its score -inf: {_of_minus_infinity(inputs, scores)}")
        else:
            limit = f"; {_limit(inputs, scores)}" if scores[key] == math.inf else ""
            yield Fault("keys", key, d, f"{message}: every weight is nan{limit}")


def _scores(inputs: Inputs, scores: FloatArray, query_is_broken: bool) -> Iterator[Fault]:
    """Scores that are no numbers though query and key are."""
    if query_is_broken:
        return
    kind = inputs.precision
    for key in _where(~np.isfinite(scores) & inputs.mask):
        with np.errstate(all="ignore"):
            exact = _exact_dot(inputs.query, inputs.keys[key])
        if scores[key] == -np.inf:
            follows = f"its score is -inf: {_of_minus_infinity(inputs, scores)}"
        else:
            follows = "every weight is nan, and subtracting the maximum does not cure it"
        beyond = kind.largest < abs(exact) < math.inf
        size = f"{abs(exact):.6g} is above" if beyond else "a product or sum is above"
        yield Fault(
            "score",
            key,
            None,
            f"q.{inputs.name(key)} overflows in the dot product, before scaling: "
            f"{size} the {kind.name} maximum {kind.largest:.6g}; {follows}",
        )


def _exact_dot(query: FloatArray, key: FloatArray) -> float:
    """The dot product in float64, NaN where even that has none."""
    return float(query @ key)


def _later_steps(inputs: Inputs, steps: Steps) -> Iterator[Fault]:
    """The first step after the scores that goes wrong in a dtype below float64."""
    kind, mask = steps.precision, inputs.mask
    largest = f"the {kind.name} maximum {kind.largest:.6g}"
    if not math.isfinite(steps.factor):
        yield Fault("scale", None, None, f"the scale {inputs.scale:.6g} is above {largest}")
        return
    if steps.divisor == 0.0:
        smallest = f"{kind.smallest / 2:.3g} or less"
        yield Fault(
            "temperature",
            None,
            None,
            f"the temperature {inputs.temperature:.6g} rounds to 0 in {kind.name}, as does {smallest}",
        )
        return
    if not math.isfinite(steps.divisor):
        yield Fault(
            "temperature",
            None,
            None,
            f"the temperature {inputs.temperature:.6g} is above {largest}",
        )
        return
    for key in _where(~np.isfinite(steps.multiplied) & mask):
        product = abs(steps.scores[key] * steps.factor)
        yield Fault(
            "scale",
            key,
            None,
            f"{inputs.name(key)}: |{steps.scores[key]:.6g} x {steps.factor:.6g}| = {product:.6g} is above {largest}",
        )
    for key in _where(~np.isfinite(steps.scaled) & np.isfinite(steps.multiplied) & mask):
        quotient = abs(steps.multiplied[key] / steps.divisor)
        yield Fault(
            "temperature",
            key,
            None,
            f"{inputs.name(key)}: |{steps.multiplied[key]:.6g} / {steps.divisor:.6g}| = {quotient:.6g} "
            f"is above {largest}",
        )
    if np.isfinite(steps.scaled[mask]).all() and not math.isfinite(steps.total):
        yield Fault(
            "sum",
            None,
            None,
            f"the sum of {int(mask.sum())} exps is above {largest}: every weight is 0",
        )


def _values(inputs: Inputs, mask: BoolArray) -> Iterator[Fault]:
    """The first component that is no number of each value that takes part in the output."""
    if inputs.values is None:
        return
    stored = inputs.precision.rounded(inputs.values)
    broken: BoolArray = ~np.isfinite(stored) & mask[:, None]
    for key in _where(broken.any(axis=1)):
        d = int(np.argmax(broken[key]))
        given, became = float(inputs.values[key, d]), float(stored[key, d])
        message = _component(inputs.place(key, d, "v"), given, became, inputs.precision)
        yield Fault("values", key, d, f"{message}: so is component {d} of the output, or nan")


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


def _of_minus_infinity(inputs: Inputs, scores: FloatArray) -> str:
    """What becomes of a key whose score is -inf."""
    attended = scores[inputs.mask]
    if (attended == -np.inf).all():
        return "so are all others, and every weight is nan"
    return "as if masked, weight 0" if (attended < np.inf).all() else "every weight is nan"


def _limit(inputs: Inputs, scores: FloatArray) -> str:
    """What the weights tend to while the attended scores that are +inf grow, if that is what is wrong."""
    if np.isnan(scores[inputs.mask]).any():
        return "there is no limit either"
    grown = np.flatnonzero((scores == np.inf) & inputs.mask)
    if grown.size == 1:
        return f"the limit as it grows is weight 1 for {inputs.name(int(grown[0]))}"
    return f"the limit, if all {grown.size} infinite scores grow alike, is 1/{grown.size} each"


def _shortened(faults: list[Fault]) -> list[Fault]:
    """The first faults, and a count of the others."""
    if len(faults) <= MOST_FAULTS:
        return faults
    others = len(faults) - MOST_FAULTS
    return [*faults[:MOST_FAULTS], Fault("more", None, None, f"and {others} more like these")]


def _where(condition: ArrayLike) -> list[int]:
    """The indices at which a condition holds."""
    return [int(index) for index in np.flatnonzero(condition)]
