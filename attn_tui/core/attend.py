"""Attention of one query, or of many, over a set of keys, with everything that follows from it."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import ArrayLike

from attn_tui.core import measures
from attn_tui.core import scores as geometry
from attn_tui.core.arrays import BoolArray, FloatArray, as_floats, as_mask, frozen
from attn_tui.core.diagnosis import Fault, Inputs, find_faults
from attn_tui.core.notes import find_notes
from attn_tui.core.precision import Steps, compute, precision
from attn_tui.core.softmax import (
    Distribution,
    check_scale,
    check_temperature,
    distribution,
    naive_softmax,
    scaled,
)


@dataclass(frozen=True)
class Peak:
    """The largest weight and every key that has it."""

    keys: tuple[int, ...]
    weight: float


@dataclass(frozen=True, eq=False)
class Reading:
    """Everything that one query, its keys and a temperature lead to. `None` is a measure that is undefined here.

    In a dtype below float64 the scores, scaled scores, weights and output are those of the dtype, every step
    rounded to it; the measures describe its weights, normalised, in float64.
    """

    inputs: Inputs
    """What it was made from."""
    scores: FloatArray
    """(T,): q.k, masked keys included."""
    scaled: FloatArray
    """(T,): scale * scores / temperature."""
    distribution: Distribution
    """The weights as a distribution, from which the measures follow."""
    weights: FloatArray
    """(T,): the attention weights, exactly 0 where masked."""
    output: FloatArray | None
    """(dv,): sum of weight * value, where there are values."""
    steps: Steps | None
    """The rounded steps, for a dtype below float64."""

    @cached_property
    def naive_weights(self) -> FloatArray:
        """(T,): the weights from the textbook form, nan where that fails."""
        if self.steps is not None:
            return self.steps.naive_weights
        settings = self.inputs
        return naive_softmax(self.scores, mask=settings.mask, temperature=settings.temperature, scale=settings.scale)

    @cached_property
    def unrounded(self) -> Distribution:
        """The softmax of the scores as they are, in float64 whatever the dtype; what other temperatures start from."""
        if self.steps is None:
            return self.distribution
        return distribution(self.scores, self.inputs.mask, self.inputs.temperature, self.inputs.scale)

    @property
    def below_max(self) -> FloatArray:
        """(T,): scaled scores minus their maximum, the exponents of the stable form; -inf where masked."""
        return self.distribution.shifted if self.steps is None else self.steps.shifted

    @property
    def exps(self) -> FloatArray:
        """(T,): exp of those, 0 where masked."""
        return self.distribution.exps if self.steps is None else self.steps.exps

    @cached_property
    def contributions(self) -> FloatArray:
        """(T, hs): what each dimension adds to each score."""
        return geometry.contributions(self.inputs.query, self.inputs.keys)

    @cached_property
    def cosines(self) -> FloatArray:
        """(T,): cosine of each key with the query, nan with a zero vector."""
        return geometry.cosines(self.inputs.query, self.inputs.keys)

    @cached_property
    def angles_degrees(self) -> FloatArray:
        """(T,): the angles of those cosines."""
        return geometry.angles_degrees(self.inputs.query, self.inputs.keys)

    @cached_property
    def query_norm(self) -> float:
        """Length of the query."""
        return float(geometry.norms(self.inputs.query))

    @cached_property
    def key_norms(self) -> FloatArray:
        """(T,): length of each key."""
        return geometry.norms(self.inputs.keys)

    @cached_property
    def entropy(self) -> float | None:
        """Shannon entropy of the weights, in nats."""
        return self._measure(measures.shannon_entropy(self.distribution))

    @cached_property
    def entropy_max(self) -> float | None:
        """ln n over the n keys that may be attended."""
        return self._measure(measures.entropy_max(self.distribution))

    @cached_property
    def entropy_ratio(self) -> float | None:
        """H / ln n; undefined for a single key."""
        return None if self.attended == 1 else self._measure(measures.entropy_ratio(self.distribution))

    @cached_property
    def effective_keys(self) -> float | None:
        """exp(H)."""
        return self._measure(measures.effective_keys(self.distribution))

    @cached_property
    def kl_to_uniform(self) -> float | None:
        """ln n - H, in nats."""
        return self._measure(measures.kl_to_uniform(self.distribution))

    @cached_property
    def jacobian_frobenius(self) -> float | None:
        """Frobenius norm of the softmax's derivative by the scaled scores."""
        return self._measure(measures.jacobian_frobenius(self.distribution))

    @cached_property
    def sum_of_squares(self) -> float | None:
        """Sum of the squared weights."""
        return self._measure(measures.sum_of_squares(self.distribution))

    @cached_property
    def margin(self) -> float | None:
        """The largest weight minus the second largest."""
        return self._measure(measures.margin(self.distribution))

    @cached_property
    def logsumexp(self) -> float:
        """ln of the sum of exp(scaled scores); -inf where no key may be attended."""
        largest = self.scaled[self.inputs.mask].max(initial=-np.inf)
        return float(largest + self.distribution.log_total)

    @cached_property
    def peak(self) -> Peak | None:
        """The largest weight and all keys that tie for it; undefined where there is no distribution."""
        if not (self.attended and np.isfinite(self.weights).all() and self.weights.any()):
            return None
        largest = self.weights.max()
        return Peak(tuple(int(key) for key in np.flatnonzero(self.weights == largest)), float(largest))

    @cached_property
    def attended(self) -> int:
        """How many keys may be attended."""
        return int(self.inputs.mask.sum())

    @cached_property
    def faults(self) -> list[Fault]:
        """What went wrong, in the order of the steps."""
        return find_faults(self.inputs, self.scores, self.weights, self.steps)

    @cached_property
    def notes(self) -> list[str]:
        """What is worth knowing of this row though nothing is wrong."""
        row, naive = self.distribution, self.naive_weights
        return find_notes(self.inputs, self.scores, self.scaled, self.below_max, row, naive)

    @property
    def is_sound(self) -> bool:
        """Whether there is a distribution, all of it finite."""
        return self.peak is not None

    def _measure(self, measure: FloatArray) -> float | None:
        """A measure of the one row, None where no key may be attended."""
        return float(measure) if self.attended else None


@dataclass(frozen=True, eq=False)
class Readings:
    """What many queries give over the same keys, in float64; nan where a row has no distribution."""

    scores: FloatArray
    """(..., T)."""
    scaled: FloatArray
    """(..., T): scale * scores / temperature."""
    distribution: Distribution
    """Of every row, (..., T); `core.measures` takes it whole."""

    @property
    def weights(self) -> FloatArray:
        """(..., T), each row summing to 1."""
        return self.distribution.weights

    @cached_property
    def entropies(self) -> FloatArray:
        """(...): in nats."""
        return measures.shannon_entropy(self.distribution)


def attend(
    query: ArrayLike,
    keys: ArrayLike,
    values: ArrayLike | None = None,
    *,
    temperature: float = 1.0,
    scale: float = 1.0,
    mask: ArrayLike | None = None,
    dtype: str = "float64",
    labels: Sequence[str] | None = None,
) -> Reading:
    """Attention of one query over keys: (hs,), (T, hs), optional values (T, dv) -> `Reading`.

    weights = softmax(scale * keys @ query / temperature) over the keys whose mask (T,) is true. Integers are computed
    as float64. `labels` (T,) are what faults and notes call the keys, k0, k1, ... by default. Raises ValueError, naming
    both sizes, for shapes that do not fit, and for a temperature, scale or dtype that has no meaning.
    """
    check_temperature(temperature)
    check_scale(scale)
    q, k = _one_query(query), frozen(as_floats(keys, "keys", 2))
    geometry.check_head_size(q, k)
    v = None if values is None else _fitting_values(values, k.shape[0])
    names = tuple(f"k{i}" for i in range(k.shape[0])) if labels is None else labels
    _check_count("labels", len(names), k.shape[0])
    attended = _fitting_mask(mask, k.shape[0])
    inputs = Inputs(q, k, v, attended, float(temperature), float(scale), precision(dtype), names)
    return _exact(inputs) if dtype == "float64" else _rounded(inputs)


def attend_many(
    queries: ArrayLike,
    keys: ArrayLike,
    *,
    temperature: float = 1.0,
    scale: float = 1.0,
    mask: ArrayLike | None = None,
) -> Readings:
    """Attention of many queries over the same keys, in float64: (..., hs), (T, hs), mask (..., T) -> `Readings`.

    Errors as `attend`.
    """
    raw = geometry.dot_scores(queries, keys)
    return Readings(raw, scaled(raw, scale, temperature), distribution(raw, mask, temperature, scale))


def _exact(inputs: Inputs) -> Reading:
    """The reading in float64, each result to the last few digits."""
    raw = geometry.dot_scores(inputs.query, inputs.keys)
    row = distribution(raw, inputs.mask, inputs.temperature, inputs.scale)
    z = scaled(raw, inputs.scale, inputs.temperature)
    return Reading(inputs, raw, z, row, row.weights, _output(inputs, row.weights), None)


def _rounded(inputs: Inputs) -> Reading:
    """The reading in a dtype below float64, each step rounded to it."""
    steps = compute(inputs.query, inputs.keys, inputs.mask, inputs.temperature, inputs.scale, inputs.precision)
    return Reading(
        inputs,
        steps.scores,
        steps.scaled,
        measures.from_rounded(steps.weights, inputs.mask),
        steps.weights,
        _output(inputs, steps.weights),
        steps,
    )


def _output(inputs: Inputs, weights: FloatArray) -> FloatArray | None:
    """Sum of weight * value over the keys that may be attended, in the dtype: (T,) -> (dv,)."""
    if inputs.values is None:
        return None
    w, v = weights[inputs.mask], inputs.values[inputs.mask]
    with np.errstate(all="ignore"):
        if inputs.precision.name == "float64" or not w.size:
            return w @ v
        terms = inputs.precision.rounded(w[:, None] * inputs.precision.rounded(v))
        return inputs.precision.running_sum(terms.T)


def _one_query(query: ArrayLike) -> FloatArray:
    """One query, as floats: (hs,)."""
    q = as_floats(query, "query")
    if q.ndim > 1:
        raise ValueError(f"attend takes one query (hs,), and this has shape {q.shape}: attend_many takes many")
    return frozen(as_floats(query, "query", 1))


def _fitting_values(values: ArrayLike, count: int) -> FloatArray:
    """The values, one for each key: (T, dv)."""
    v = frozen(as_floats(values, "values", 2))
    _check_count("values", v.shape[0], count)
    return v


def _fitting_mask(mask: ArrayLike | None, count: int) -> BoolArray:
    """The mask, one entry for each key, none of them spread over several: (T,)."""
    if mask is not None:
        _check_count("mask entries", as_floats(mask, "mask", 1).size, count)
    return as_mask(mask, (count,))


def _check_count(what: str, found: int, count: int) -> None:
    """Raise ValueError when there is not one of these for each key."""
    if found != count:
        raise ValueError(f"there are {count} keys and {found} {what}")
