"""Numbers as figures for reading: a fixed width, four decimals where they fit, never a wrong digit."""

import math


def figure(number: float | None, width: int = 8, decimals: int = 4) -> str:
    """A number in at most `width` characters, not padded: fixed point if that shows it, else scientific.

    None, an undefined measure, is "n/a". A number that is not 0 never reads as 0: where `width` is too small for it,
    which takes less than 7 characters, less than 6 without a sign, the figure is longer.
    """
    if number is None:
        return "n/a"
    if not math.isfinite(number):
        return f"{number:g}"
    if number == 0.0:
        return f"{0.0:.{decimals}f}"
    for places in range(decimals, 0, -1):
        fixed = f"{number:.{places}f}"
        if len(fixed) <= width and abs(number) >= 10.0**-places:
            return fixed
    for digits in range(min(width, 16), -1, -1):
        scientific = _short_exponent(f"{number:.{digits}e}")
        if len(scientific) <= width and digits <= decimals:
            return scientific
    return _short_exponent(f"{number:.0e}")


def weight_figure(weight: float) -> str:
    """A weight in six characters: 0.9150, and 2e-05 for one that is small but not 0."""
    return figure(weight, width=6)


def short(number: float, digits: int = 4) -> str:
    """A number with a few significant digits and nothing more, for headings: 1, 0.25, 1e-05."""
    return f"{number:.{digits}g}"


def _short_exponent(scientific: str) -> str:
    """1.5e-07 as 1.5e-7."""
    mantissa, exponent = scientific.split("e")
    return f"{mantissa}e{int(exponent)}"
