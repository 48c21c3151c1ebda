"""Naive and stable softmax compared step by step in a dtype, with the exact weights beside them.

A constant c may be added to all scaled scores: in exact arithmetic no weight notices, and the stable form does not
either. What the naive form notices, and what the dtype loses, is measured here.
"""

import math
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from attn_tui.core.arrays import BoolArray, FloatArray
from attn_tui.core.diagnosis import Inputs
from attn_tui.core.precision import Precision, Steps, compute, normalised
from attn_tui.core.scores import dot_scores
from attn_tui.core.softmax import Distribution, distribution, scaled


@dataclass(frozen=True)
class Method:
    """How the steps are computed."""

    constant: float = 0.0
    """What is added to every scaled score."""
    scale_query_first: bool = False
    """Whether the scale is applied to the query, before the product."""
    wide_dot: bool = False
    """Whether products and their sums are kept in float32."""


@dataclass(frozen=True, eq=False)
class Softmax:
    """The last steps of a softmax, each rounded."""

    exponents: FloatArray
    """(T,)."""
    exps: FloatArray
    """(T,): 0 where masked."""
    total: float
    """Their running sum."""
    weights: FloatArray
    """(T,): exps over their sum."""


@dataclass(frozen=True)
class Resolution:
    """What a dtype has room for at these scores."""

    largest_product: float
    """The largest |q.k| of a key that may be attended, in float64."""
    headroom: float
    """How many times the dtype's largest number is that."""
    largest_score: float
    """The largest scaled score plus the constant, in float64."""
    step: float
    """Distance between the dtype's numbers there."""
    gap: float
    """Distance of the largest scaled score to the next lower one, in float64; NaN if there is none."""

    @property
    def is_lost(self) -> bool:
        """Whether the two largest scores are closer to each other than the dtype's numbers."""
        return self.gap < self.step


@dataclass(frozen=True, eq=False)
class Comparison:
    """One row of attention, computed both ways in a dtype, and exactly."""

    inputs: Inputs
    method: Method
    steps: Steps
    """Up to the scaled scores."""
    constant: float
    """The constant, rounded."""
    moved: FloatArray
    """(T,): scaled scores plus the constant."""
    stable: Softmax
    """Of those minus their maximum."""
    naive: Softmax
    """Of those themselves."""
    exact: Distribution
    """In float64, the maximum subtracted before the division by the temperature; of the numbers as they were typed."""
    exact_scores: FloatArray
    """(T,): q.k in float64."""

    @property
    def precision(self) -> Precision:
        """The dtype."""
        return self.inputs.precision

    @property
    def mask(self) -> BoolArray:
        """(T,): true may be attended."""
        return self.inputs.mask

    @cached_property
    def largest_difference(self) -> float | None:
        """The largest difference of a stable weight to the exact one, NaN if one is; None if no key may be attended."""
        if not self.mask.any():
            return None
        return float(np.abs(self.stable.weights - self.exact.weights)[self.mask].max())

    @cached_property
    def log_weights(self) -> FloatArray:
        """(T,): ln of the exact weights, z - max - ln(sum exp(z - max)) and never ln(weight); -inf where masked."""
        return self.exact.log_weights

    @cached_property
    def wrong_order(self) -> FloatArray:
        """(T,): z - logsumexp(z) in the dtype, which a large z swallows ln(sum) in."""
        kind = self.precision
        with np.errstate(all="ignore"):
            largest = self.moved[self.mask].max(initial=-np.inf)
            logsumexp = kind.rounded_one(largest + kind.rounded_one(np.log(self.stable.total)))
            return np.where(self.mask, kind.rounded(self.moved - logsumexp), -np.inf)

    @cached_property
    def wrong_total(self) -> float:
        """What the weights of that order add up to, where it should be 1."""
        with np.errstate(all="ignore"):
            return float(np.exp(self.wrong_order[self.mask]).sum())

    @cached_property
    def underflown(self) -> BoolArray:
        """(T,): where a weight is 0 that has a finite logarithm."""
        is_exp_0 = self.mask & (self.stable.exps == 0.0) & np.isfinite(self.moved)
        return is_exp_0 & (self.stable.weights == 0.0) & np.isfinite(self.log_weights)

    @cached_property
    def subnormal(self) -> BoolArray:
        """(T,): where a weight is so small that the dtype has lost digits of it."""
        return self.mask & (self.stable.weights > 0.0) & (self.stable.weights < self.precision.smallest_normal)

    @cached_property
    def naive_range(self) -> tuple[float, float]:
        """The constants between which the naive form holds: every exp is 0 below, one or their sum is too large above.

        NaN where a score is no number. Where the sum overflows first, to the dtype's rounding of that sum.
        """
        kind, attended = self.precision, self.steps.scaled[self.mask]
        if attended.size == 0 or not math.isfinite(largest := float(attended.max())):
            return math.nan, math.nan
        up_to = kind.exp_overflows_at - largest
        at_the_end = normalised(self.steps.scaled + (up_to - kind.step_at(kind.exp_overflows_at)), self.mask, kind)
        if not math.isfinite(at_the_end[1]):
            up_to -= float(distribution(attended).log_total)
        return kind.exp_zero_below - largest, up_to

    @cached_property
    def resolution(self) -> Resolution | None:
        """What the dtype has room for; None where there is no finite score."""
        products = self.exact_scores[self.mask]
        scores = scaled(products, self.inputs.scale, self.inputs.temperature)
        if scores.size == 0 or not (np.isfinite(products).all() and np.isfinite(scores).all()):
            return None
        largest, kind = float(scores.max()), self.precision
        if not math.isfinite(moved := largest + self.method.constant):
            return None
        lower = scores[scores < largest]
        gap = largest - float(lower.max()) if lower.size else math.nan
        product = float(np.abs(products).max())
        with np.errstate(divide="ignore", over="ignore"):
            headroom = float(kind.largest / np.float64(product))
        return Resolution(product, headroom, moved, kind.step_at(moved), gap)


def compare(inputs: Inputs, method: Method | None = None, steps: Steps | None = None) -> Comparison:
    """A row computed both ways in its dtype, and exactly. Source: lesson, section 3.

    `steps` saves work: those that the inputs have when the scale comes last and every sum is rounded.
    """
    how, kind = method or Method(), inputs.precision
    if steps is None or how.scale_query_first or how.wide_dot:
        steps = compute(
            inputs.query,
            inputs.keys,
            inputs.mask,
            inputs.temperature,
            inputs.scale,
            kind,
            scale_query_first=how.scale_query_first,
            wide_dot=how.wide_dot,
        )
    constant = kind.rounded_one(how.constant)
    with np.errstate(all="ignore"):
        moved = kind.rounded(steps.scaled + constant)
        shifted = kind.rounded(moved - moved[inputs.mask].max(initial=-np.inf))
    exact_scores = dot_scores(inputs.query, inputs.keys)
    return Comparison(
        inputs,
        how,
        steps,
        constant,
        moved,
        Softmax(shifted, *_selected(shifted, inputs.mask, kind)),
        Softmax(moved, *_selected(moved, inputs.mask, kind)),
        distribution(exact_scores, inputs.mask, inputs.temperature, inputs.scale),
        exact_scores,
    )


def _selected(exponents: FloatArray, mask: BoolArray, kind: Precision) -> tuple[FloatArray, float, FloatArray]:
    """Exps, their sum and the weights, exactly 0 where masked."""
    exps, total, weights = normalised(exponents, mask, kind)
    return exps, total, np.where(mask, weights, 0.0)


@dataclass(frozen=True)
class Stored:
    """What a dtype makes of one component."""

    given: float
    became: float
    change: float
    """Of the score, q.k, in which the component takes part; of the one that changes most for the query's."""
    key: int
    """The key of that score."""


def stored(inputs: Inputs, key: int | None, dimension: int) -> Stored:
    """A component as it was typed, as the dtype stores it, and what that changes; `key` None is the query."""
    vector = inputs.query if key is None else inputs.keys[key]
    given = float(vector[dimension])
    became = inputs.precision.rounded_one(given)
    others = inputs.keys[:, dimension] if key is None else inputs.query[dimension : dimension + 1]
    with np.errstate(all="ignore"):
        changes = (became - given) * others if became != given else np.zeros(others.shape)
    most = int(np.argmax(np.abs(changes)))
    return Stored(given, became, float(changes[most]), most if key is None else key)


def entropy_with(epsilon: float, weights: FloatArray, kind: Precision) -> float:
    """-sum w ln(w + epsilon) in a dtype, each step rounded, as code has it that fears ln 0: (T,) -> nats.

    It is below 0 for a one-hot row, too small for a spread-out one, and NaN where the dtype rounds epsilon to 0.
    """
    with np.errstate(all="ignore"):
        terms = kind.rounded(weights * kind.rounded(np.log(kind.rounded(weights + kind.rounded_one(epsilon)))))
        return 0.0 - float(kind.running_sum(terms))
