"""Attention as the textbook writes it, in so many digits that no rounding shows: the oracle of the numeric tests.

Nothing here is shared with the package. The formulas are the plain ones, without a series or a rearrangement; what
makes them right is the number of digits. Every input is a float and taken as the exact number that it is.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise

from mpmath import mp, mpf

FEW, MANY = 60, 460
"""Digits for a row of ordinary weights, and for one that has to tell 1 from 1 - 1e-308."""


@dataclass(frozen=True)
class Row:
    """One row of exponents, each figure worked out when it is asked for; masked keys are left out beforehand."""

    exponents: list[mpf]
    digits: int

    @cached_property
    def _below(self) -> list[mpf]:
        """The exponents less the largest, which no weight notices: exp(1e600) would take a second each."""
        with mp.workdps(self.digits):
            return [z - max(self.exponents) for z in self.exponents]

    @cached_property
    def _exps(self) -> list[mpf]:
        """Exp of those, 0 where it is far beyond all the digits."""
        with mp.workdps(self.digits):
            return [mp.exp(z) if z > -1e5 else mpf(0) for z in self._below]

    @cached_property
    def weights(self) -> list[mpf]:
        """exp z over the sum of all exp z."""
        with mp.workdps(self.digits):
            total = mp.fsum(self._exps)
            return [e / total for e in self._exps]

    @cached_property
    def log_weights(self) -> list[mpf]:
        """Their logarithms."""
        with mp.workdps(self.digits):
            log_total = mp.log(mp.fsum(self._exps))
            return [z - log_total for z in self._below]

    @cached_property
    def entropy(self) -> mpf:
        """-sum w ln w."""
        with mp.workdps(self.digits):
            return shannon_entropy(self.weights)

    @cached_property
    def kl_to_uniform(self) -> mpf:
        """Sum w ln(n w)."""
        with mp.workdps(self.digits):
            return mp.log(len(self.weights)) - self.entropy

    @cached_property
    def jacobian_frobenius(self) -> mpf:
        """The norm of diag(w) - w w^T, entry by entry."""
        with mp.workdps(self.digits):
            pairs = ((i == j, a, b) for i, a in enumerate(self.weights) for j, b in enumerate(self.weights))
            return mp.sqrt(mp.fsum(((a if same else 0) - a * b) ** 2 for same, a, b in pairs))

    @cached_property
    def sum_of_squares(self) -> mpf:
        """Sum of w squared."""
        with mp.workdps(self.digits):
            return mp.fsum(w * w for w in self.weights)

    @cached_property
    def logsumexp(self) -> mpf:
        """Ln of the sum of all exp z."""
        with mp.workdps(self.digits):
            return max(self.exponents) + mp.log(mp.fsum(self._exps))

    @property
    def second(self) -> mpf:
        """How far the second largest exponent is below the largest, no further than float64's exp can tell."""
        ordered = sorted(self.exponents, reverse=True)
        return min(ordered[0] - ordered[1], mpf(745)) if len(ordered) > 1 else mpf(0)


def row(scores: Sequence[float], temperature: float = 1.0, scale: float = 1.0) -> Row:
    """Softmax of scale * scores / temperature, in as many digits as it needs."""
    with mp.workdps(FEW):
        z = sorted({mpf(s) * mpf(scale) / mpf(temperature) for s in scores})
        finest = min((b - a for a, b in pairwise(z)), default=mpf(1))
        digits = FEW if finest > 1e-6 and z[-1] - z[0] < 100 else MANY
    with mp.workdps(digits):
        return Row([mpf(s) * mpf(scale) / mpf(temperature) for s in scores], digits)


def shannon_entropy(weights: Sequence[mpf]) -> mpf:
    """-sum w ln w, in the digits that are set."""
    return -mp.fsum(w * mp.log(w) for w in weights if w > 0)


def entropy_of_given(weights: Sequence[float]) -> mpf:
    """The entropy of weights that a person gave, made to sum to 1."""
    with mp.workdps(MANY):
        total = mp.fsum(map(mpf, weights))
        return shannon_entropy([mpf(w) / total for w in weights])


def dot(query: Sequence[float], key: Sequence[float]) -> mpf:
    """The exact dot product."""
    with mp.workdps(MANY + 800):
        return mp.fsum(mpf(q) * mpf(k) for q, k in zip(query, key, strict=True))


def norm(vector: Sequence[float]) -> mpf:
    """Euclidean length."""
    with mp.workdps(FEW):
        return mp.sqrt(mp.fsum(mpf(x) ** 2 for x in vector))


def cosine(query: Sequence[float], key: Sequence[float]) -> mpf:
    """The dot product over both lengths."""
    with mp.workdps(FEW):
        return dot(query, key) / (norm(query) * norm(key))


def angle_degrees(query: Sequence[float], key: Sequence[float]) -> mpf:
    """The angle of that cosine."""
    with mp.workdps(MANY):
        lengths = mp.sqrt(mp.fsum(mpf(x) ** 2 for x in query)) * mp.sqrt(mp.fsum(mpf(x) ** 2 for x in key))
        cosine = dot(query, key) / lengths
        return mp.degrees(mp.acos(max(mpf(-1), min(mpf(1), cosine))))


def temperature_for(scores: Sequence[float], measure: Callable[[Row], mpf], wanted: float) -> mpf:
    """The temperature at which a measure that moves one way only has this value, by bisection of its logarithm."""
    with mp.workdps(FEW):
        spread = mp.log(mpf(max(scores)) - mpf(min(scores)))
        low, high = spread - 60, spread + 60
        rises = measure(Row([mpf(s) / mp.exp(high) for s in scores], FEW)) > mpf(wanted)
        for _ in range(120):
            middle = (low + high) / 2
            above = measure(Row([mpf(s) / mp.exp(middle) for s in scores], FEW)) > mpf(wanted)
            low, high = (low, middle) if above == rises else (middle, high)
        return mp.exp(high)


def relative_error(got: float, wanted: mpf) -> float:
    """|got - wanted| over |wanted|, 0 where they are equal."""
    return 0.0 if got == wanted else float(abs((mpf(float(got)) - wanted) / wanted)) if wanted else float("inf")
