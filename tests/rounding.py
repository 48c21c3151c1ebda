"""Floating-point arithmetic as IEEE 754 defines it: the exact result, a fraction, rounded once, ties to even.

Independent of NumPy's and ml_dtypes' arithmetic; only infinities, NaN and signed zeros are left to Python's floats.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction

from mpmath import mp, mpf


@dataclass(frozen=True)
class Format:
    """A binary format: how many digits it keeps, where its exponents end, and what is above its largest number."""

    digits: int
    lowest_exponent: int
    largest: float
    overflow: float = math.inf

    def store(self, x: float) -> float:
        """A float as this format stores it."""
        if not math.isfinite(x):
            return math.copysign(self.overflow, x) if math.isinf(x) else x
        return math.copysign(self._round(Fraction(x)), x)

    def add(self, a: float, b: float) -> float:
        """a + b."""
        return self._apply(lambda x, y: x + y, a, b, a + b)

    def subtract(self, a: float, b: float) -> float:
        """a - b."""
        return self.add(a, -b)

    def multiply(self, a: float, b: float) -> float:
        """a * b."""
        return self._apply(lambda x, y: x * y, a, b, a * b)

    def divide(self, a: float, b: float) -> float:
        """a / b."""
        if b == 0.0:
            return math.nan if a == 0.0 or math.isnan(a) else self.store(math.copysign(math.inf, a))
        return self._apply(lambda x, y: x / y, a, b, a / b)

    def exp(self, a: float) -> float:
        """exp(a)."""
        if not math.isfinite(a):
            return self.store(math.exp(a))
        if abs(a) > 2000.0:  # beyond every format here, and beyond what a fraction should hold
            return self.overflow if a > 0.0 else 0.0
        with mp.workdps(60):
            exact: mpf = mp.exp(mpf(a))
            return self._round(Fraction(int(exact.man)) * Fraction(2) ** int(exact.exp))

    def _apply(self, operation: Callable[[Fraction, Fraction], Fraction], a: float, b: float, special: float) -> float:
        """The rounded result; `special` where a side is not finite, and for the sign of a zero."""
        if not (math.isfinite(a) and math.isfinite(b)):
            return self.store(special)
        exact = operation(Fraction(a), Fraction(b))
        return self._round(exact) if exact else special

    def _round(self, exact: Fraction) -> float:
        """The nearest number of this format, of two equally near the even one."""
        if exact == 0:
            return 0.0
        size = abs(exact)
        exponent = size.numerator.bit_length() - size.denominator.bit_length()
        exponent -= size < Fraction(2) ** exponent
        step = Fraction(2) ** (max(exponent, self.lowest_exponent) - self.digits + 1)
        nearest = round(size / step) * step
        result = self.overflow if nearest > Fraction(self.largest) else float(nearest)
        return result if exact > 0 else -result


FORMATS = {
    "float16": Format(11, -14, 65504.0),
    "float32": Format(24, -126, float(Fraction(2) ** 128 - Fraction(2) ** 104)),
    "bfloat16": Format(8, -126, float(Fraction(2) ** 128 - Fraction(2) ** 120)),
    "float8_e4m3fn": Format(4, -6, 448.0, math.nan),
    "float8_e5m2": Format(3, -14, 57344.0),
}
