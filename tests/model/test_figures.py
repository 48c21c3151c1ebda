"""Numbers as figures: within the width, right to the last digit shown, and never 0 where there is something."""

import math
import re
from decimal import ROUND_HALF_EVEN, Context, Decimal

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from attn_tui.model.figures import figure, short, weight_figure

WIDTHS = st.integers(6, 10)
FINITE = st.floats(allow_nan=False, allow_infinity=False) | st.floats(-1e6, 1e6) | st.floats(-1.0, 1.0)


def rounded_as(number: float, text: str) -> Decimal:
    """The number's exact value, rounded to even at the last digit that the text shows."""
    mantissa, exponent, _ = text.partition("e")
    places = len(mantissa.partition(".")[2])
    if exponent:
        return Context(prec=places + 1, rounding=ROUND_HALF_EVEN).create_decimal(Decimal(number))
    return Decimal(number).quantize(Decimal(1).scaleb(-places), ROUND_HALF_EVEN, Context(prec=400))


@given(number=FINITE, width=WIDTHS, decimals=st.integers(1, 4))
@example(number=0.00009999999999, width=8, decimals=4)
@example(number=-0.00005, width=6, decimals=4)
@example(number=999.99996, width=8, decimals=4)
@example(number=99999.95, width=7, decimals=4)
@example(number=9.99999e-301, width=10, decimals=4)
@example(number=5e-324, width=7, decimals=4)
@example(number=-1.7976931348623157e308, width=10, decimals=4)
@example(number=-0.0, width=6, decimals=4)
def test_a_figure_is_the_number_rounded_and_never_another(number: float, width: int, decimals: int) -> None:
    text = figure(number, width, decimals)
    assert re.fullmatch(r"-?\d+(\.\d+)?(e-?\d+)?", text)
    assert len(text) <= width or (width == 6 and number < 0.0 and len(text) == 7)
    assert Decimal(text) == rounded_as(number, text)
    assert (Decimal(text) == 0) == (number == 0.0)
    assert text.startswith("-") == (number < 0.0)


@given(number=FINITE)
def test_a_figure_has_four_decimals_where_they_fit(number: float) -> None:
    fixed = f"{number:.4f}"
    if len(fixed) <= 8 and abs(number) >= 1e-4:
        assert figure(number) == fixed


@given(number=FINITE, width=WIDTHS)
def test_a_figure_is_off_by_no_more_than_its_width_forces(number: float, width: int) -> None:
    shown = abs(Decimal(figure(number, width)))
    exact = abs(Decimal(number))
    assert abs(shown - exact) <= exact / 2


@pytest.mark.parametrize(
    ("number", "width", "text"),
    [
        (0.9150290452194064, 8, "0.9150"),
        (-1.5888657634502432, 8, "-1.5889"),
        (1.0, 8, "1.0000"),
        (0.0, 8, "0.0000"),
        (-0.0, 8, "0.0000"),
        (-0.0, 6, "0.0000"),
        (0.00012345, 8, "0.0001"),
        (0.00007, 8, "7.000e-5"),
        (0.000012345, 8, "1.234e-5"),
        (-0.000012345, 8, "-1.23e-5"),
        (123.456789, 8, "123.4568"),
        (1234.56789, 8, "1234.568"),
        (123456.789, 8, "123456.8"),
        (1234567.89, 8, "1.2346e6"),
        (-1234567.89, 8, "-1.235e6"),
        (999.99996, 8, "1000.000"),
        (1e300, 8, "1.00e300"),
        (-1e-300, 8, "-1e-300"),
        (-0.9150290452194064, 6, "-0.915"),
        (5e-324, 6, "5e-324"),
        (-5e-324, 6, "-5e-324"),
        (2.5, 8, "2.5000"),
    ],
)
def test_a_figure_as_it_is_read(number: float, width: int, text: str) -> None:
    assert figure(number, width) == text


@pytest.mark.parametrize(
    ("number", "decimals", "text"), [(47.11719, 1, "47.1"), (0.03, 1, "3.0e-2"), (1.485, 2, "1.49")]
)
def test_a_figure_of_fewer_decimals(number: float, decimals: int, text: str) -> None:
    assert figure(number, 8, decimals) == text


@pytest.mark.parametrize("width", range(4, 11))
@pytest.mark.parametrize(
    ("number", "text"), [(None, "n/a"), (math.nan, "nan"), (-math.nan, "nan"), (math.inf, "inf"), (-math.inf, "-inf")]
)
def test_what_is_no_number_is_said(number: float | None, text: str, width: int) -> None:
    assert figure(number, width) == text


def test_a_numpy_number_is_a_number() -> None:
    assert figure(np.float64(0.9150290452194064)) == "0.9150"
    assert figure(np.float64("nan")) == "nan"


@given(weight=st.floats(0.0, 1.0))
@example(weight=1.0)
@example(weight=0.99995)
@example(weight=0.999995)
def test_a_weight_takes_six_characters_at_most(weight: float) -> None:
    text = weight_figure(weight)
    assert len(text) <= 6
    assert Decimal(text) == rounded_as(weight, text)
    assert (Decimal(text) == 0) == (weight == 0.0)


@pytest.mark.parametrize(
    ("weight", "text"),
    [
        (0.9150290452194064, "0.9150"),
        (1.0, "1.0000"),
        (0.0, "0.0000"),
        (-0.0, "0.0000"),
        (2e-5, "2.0e-5"),
        (1.92e-12, "2e-12"),
        (math.nan, "nan"),
    ],
)
def test_a_weight_as_it_is_read(weight: float, text: str) -> None:
    assert weight_figure(weight) == text


@pytest.mark.parametrize(
    ("number", "text"),
    [(1.0, "1"), (0.25, "0.25"), (1e-5, "1e-05"), (0.1767766952966369, "0.1768"), (1e300, "1e+300"), (math.nan, "nan")],
)
def test_a_short_number_has_nothing_more_than_it_needs(number: float, text: str) -> None:
    assert short(number) == text


def test_a_short_number_has_as_many_digits_as_are_asked_for() -> None:
    assert short(2.718281828, 2) == "2.7"
