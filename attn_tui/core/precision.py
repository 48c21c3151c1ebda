"""Attention step by step in a chosen dtype, each step rounded to it, as a GPU kernel meets it.

NumPy's own float16 dot products and sums accumulate in float32 and hide what happens. Here every product,
running sum, scaling, shift, exp, sum and division is rounded. Each is computed in float64 and then rounded once
more, which is exact rounding for all these dtypes: float64 has more than twice their digits and two to spare.
"""

import importlib
import importlib.util
import math
from dataclasses import dataclass
from functools import cache

import numpy as np

from attn_tui.core.arrays import BoolArray, FloatArray

NUMPY_DTYPES = ("float64", "float32", "float16")
"""What NumPy itself computes in."""
ML_DTYPES = ("bfloat16", "float8_e4m3fn", "float8_e5m2")
"""What the `ml` extra adds."""
ML_EXTRA = "pip install ml_dtypes"
"""How one gets them."""


@dataclass(frozen=True)
class Precision:
    """A floating-point dtype and its limits."""

    name: str
    """As NumPy calls it."""
    largest: float
    """The largest finite number."""
    smallest_normal: float
    """Below this, digits get lost."""
    smallest: float
    """The smallest number above 0."""
    epsilon: float
    """Distance from 1 to the next number."""

    @property
    def exp_overflows_at(self) -> float:
        """Where exp rounds to more than the largest number."""
        half_a_step = math.ldexp(self.epsilon, math.frexp(self.largest)[1] - 2)
        return math.log(self.largest) + math.log1p(half_a_step / self.largest)

    @property
    def exp_zero_below(self) -> float:
        """Where exp rounds to 0."""
        return math.log(self.smallest) - math.log(2.0)

    @property
    def exp_subnormal_below(self) -> float:
        """Where exp begins to lose digits."""
        return math.log(self.smallest_normal)

    @property
    def unit_roundoff(self) -> float:
        """Half of epsilon: added to 1, nothing up to this is noticed."""
        return self.epsilon / 2.0

    def step_at(self, number: float) -> float:
        """Distance between neighbouring numbers around a finite one, which is what a smaller difference is lost in."""
        lowest = math.frexp(self.smallest_normal)[1]
        return math.ldexp(self.epsilon, max(math.frexp(number)[1] if number else lowest, lowest) - 1)

    def rounded_one(self, number: float) -> float:
        """One number as this dtype stores it."""
        return float(self.rounded(np.array(number)))

    def rounded(self, numbers: FloatArray) -> FloatArray:
        """The numbers as this dtype stores them, of any shape, ties to even; too large a one is inf (NaN in e4m3fn)."""
        if self.name == "float64":
            return numbers
        if self.name in ML_DTYPES:
            return self._nearest(numbers)
        with np.errstate(over="ignore", invalid="ignore", under="ignore"):
            return numbers.astype(_dtype(self.name)).astype(np.float64)

    def _nearest(self, numbers: FloatArray) -> FloatArray:
        """The numbers rounded once; ml_dtypes goes by way of float32 and so may round a near tie twice."""
        lowest = math.frexp(self.smallest_normal)[1]
        with np.errstate(all="ignore"):
            step = np.ldexp(self.epsilon, np.maximum(np.frexp(numbers)[1], lowest) - 1)
            nearest = np.rint(numbers / step) * step
        too_large = np.nan if self.name == "float8_e4m3fn" else np.inf
        return np.where(np.abs(nearest) > self.largest, np.copysign(too_large, numbers), nearest)

    def running_sum(self, terms: FloatArray) -> FloatArray:
        """Sums along the last axis, term by term, rounded after each: (..., n) -> (...)."""
        with np.errstate(over="ignore", invalid="ignore", under="ignore"):
            return np.add.accumulate(terms.astype(_dtype(self.name)), axis=-1)[..., -1].astype(np.float64)


@dataclass(frozen=True, eq=False)
class Steps:
    """Every intermediate result of one query against its keys, in one dtype; masked keys only have scores."""

    precision: Precision
    query: FloatArray
    """(hs,), rounded."""
    keys: FloatArray
    """(T, hs), rounded."""
    products: FloatArray
    """(T, hs): q_d * k_d."""
    scores: FloatArray
    """(T,): running sums of the products."""
    factor: float
    """The scale, rounded."""
    divisor: float
    """The temperature, rounded."""
    multiplied: FloatArray
    """(T,): scores times the scale."""
    scaled: FloatArray
    """(T,): those over the temperature."""
    shifted: FloatArray
    """(T,): scaled scores minus their maximum."""
    exps: FloatArray
    """(T,): exp of the shifted."""
    total: float
    """Running sum of the exps."""
    weights: FloatArray
    """(T,): exps over their sum."""
    naive_exps: FloatArray
    """(T,): exp of the scaled scores, not shifted."""
    naive_total: float
    """Their running sum."""
    naive_weights: FloatArray
    """(T,): one over the other."""


def precision(name: str) -> Precision:
    """The dtype of this name.

    Raises ValueError for an unknown one, and for one of the `ml` extra when that is not installed.
    """
    if name not in NUMPY_DTYPES + ML_DTYPES:
        raise ValueError(f"there is no dtype {name!r}: choose from {', '.join(NUMPY_DTYPES + ML_DTYPES)}")
    return _precision(name)


@cache
def dtypes() -> tuple[str, ...]:
    """The names of those there are: NumPy's, and the `ml` extra's where that is installed."""
    return NUMPY_DTYPES + (ML_DTYPES if importlib.util.find_spec("ml_dtypes") is not None else ())


def compute(
    query: FloatArray,
    keys: FloatArray,
    mask: BoolArray,
    temperature: float,
    scale: float,
    kind: Precision,
    *,
    scale_query_first: bool = False,
    wide_dot: bool = False,
) -> Steps:
    """All steps for a query (hs,) and keys (T, hs) in a dtype.

    The scale is applied after the product, or to the query. With `wide_dot` the products and their sums are kept in
    float32 and only the score is rounded, as tensor cores do.
    """
    within = _precision("float32") if wide_dot and kind.name != "float64" else kind
    with np.errstate(all="ignore"):
        factor, divisor = kind.rounded_one(scale), kind.rounded_one(temperature)
        q, k = kind.rounded(query), kind.rounded(keys)
        products = within.rounded((kind.rounded(q * factor) if scale_query_first else q) * k)
        scores = kind.rounded(within.running_sum(products))
        multiplied = scores if scale_query_first else kind.rounded(scores * factor)
        scaled = kind.rounded(multiplied / divisor)
        shifted = kind.rounded(scaled - scaled[mask].max(initial=-np.inf))
        exps, total, weights = normalised(shifted, mask, kind)
        naive_exps, naive_total, naive_weights = normalised(scaled, mask, kind)
    return Steps(
        kind, q, k, products, scores, factor, divisor, multiplied, scaled, shifted,
        exps, total, np.where(mask, weights, 0.0), naive_exps, naive_total, naive_weights,
    )  # fmt: skip


def normalised(exponents: FloatArray, mask: BoolArray, kind: Precision) -> tuple[FloatArray, float, FloatArray]:
    """Exp of the exponents (0 where masked), their running sum and the quotients, each rounded to the dtype."""
    with np.errstate(all="ignore"):
        exps = np.where(mask, kind.rounded(np.exp(exponents)), 0.0)
        total = float(kind.running_sum(exps))
        return exps, total, kind.rounded(exps / total)


@cache
def _dtype(name: str) -> np.dtype[np.generic]:
    """NumPy's object for a dtype's name; ml_dtypes adds its own when imported."""
    if name in ML_DTYPES:
        try:
            return np.dtype(getattr(importlib.import_module("ml_dtypes"), name))
        except ImportError:
            raise ValueError(f"{name} needs the extra: {ML_EXTRA}") from None
    return np.dtype(name)


@cache
def _precision(name: str) -> Precision:
    """The limits of a dtype."""
    dtype = _dtype(name)
    limits = importlib.import_module("ml_dtypes").finfo(dtype) if name in ML_DTYPES else np.finfo(name)
    return Precision(
        name,
        float(limits.max),
        float(limits.smallest_normal),
        float(limits.smallest_subnormal),
        float(limits.eps),
    )
