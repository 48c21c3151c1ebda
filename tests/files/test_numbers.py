"""One typed number: what is read, what is refused and in which words, and what reads back as the same number."""

import contextlib
import math
import time

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from attn_tui.files.errors import ForeignError
from attn_tui.files.numbers import format_exact, parse_number


@pytest.mark.parametrize(
    ("text", "number"),
    [
        ("1", 1.0),
        ("-1.5", -1.5),
        (".5", 0.5),
        ("5.", 5.0),
        ("1e3", 1000.0),
        ("1E-3", 0.001),
        ("+2", 2.0),
        (" 2 ", 2.0),
        ("\u22121.5", -1.5),
        ("\u20132", -2.0),
        ("1e\u22123", 0.001),
        ("inf", math.inf),
        ("-inf", -math.inf),
        ("\u2212inf", -math.inf),
        ("Infinity", math.inf),
        ("1_000", 1000.0),
        ("5e-324", 5e-324),
        ("0e-999", 0.0),
        ("1.7976931348623157e308", 1.7976931348623157e308),
    ],
)
def test_reads_every_form_of_a_number(text: str, number: float) -> None:
    assert parse_number(text) == number


def test_reads_nan_and_the_sign_of_zero() -> None:
    assert math.isnan(parse_number("nan"))
    assert math.copysign(1.0, parse_number("-0")) == -1.0


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("", "a number is missing"),
        ("  ", "a number is missing"),
        ("-", "only a minus so far: digits are missing"),
        ("\u2212", "only a minus so far: digits are missing"),
        ("+", "only a plus so far: digits are missing"),
        (".", "only a point so far: digits are missing"),
        ("-.", "only a point so far: digits are missing"),
        ("1e", "the exponent is missing its digits"),
        ("1e-", "the exponent is missing its digits"),
        ("-.5E+", "the exponent is missing its digits"),
        ("abc", "'abc' is not a number"),
        ("1 2", "'1 2' is not a number"),
        ("1__0", "'1__0' is not a number"),
        ("0x1F", "'0x1F' is not a number"),
        ("1,5", "1,5: is that 1.5? Write a point"),
        ("1e999", "1e999 is above the float64 maximum 1.7977e308; write inf if you mean infinity"),
        ("-1e999", "-1e999 is below the float64 minimum -1.7977e308; write -inf if you mean minus infinity"),
        ("1e-400", "1e-400 is closer to 0 than the smallest float64 4.9407e-324; write 0 if you mean zero"),
    ],
)
def test_says_what_is_missing(text: str, sentence: str) -> None:
    with pytest.raises(ForeignError) as refusal:
        parse_number(text)
    assert str(refusal.value) == sentence


@pytest.mark.parametrize(
    ("number", "text"),
    [
        (0.25, "0.25"),
        (1e-300, "1e-300"),
        (math.nan, "nan"),
        (math.inf, "inf"),
        (-math.inf, "-inf"),
        (3.0, "3"),
        (-0.0, "-0"),
        (0.1 + 0.2, "0.30000000000000004"),
    ],
)
def test_shows_the_shortest_text(number: float, text: str) -> None:
    assert format_exact(number) == text


def test_shows_a_numpy_scalar_as_a_number() -> None:
    assert format_exact(np.float64(2.0)) == "2"


@given(st.floats(allow_nan=False))
def test_what_is_shown_reads_back_as_the_same_number(number: float) -> None:
    again = parse_number(format_exact(number))
    assert again == number
    assert math.copysign(1.0, again) == math.copysign(1.0, number)


@given(st.text(alphabet="0123456789+-.,eE_ \u2212infax", max_size=30))
def test_any_text_is_a_number_or_a_sentence(text: str) -> None:
    with contextlib.suppress(ForeignError):
        assert isinstance(parse_number(text), float)


@pytest.mark.parametrize("unit", ["1", "-", "1_", "9" * 18 + "x", "e", "1e", ",", "_"])
def test_takes_time_that_grows_with_the_text_and_no_faster(unit: str) -> None:
    text = unit * (1_000_000 // len(unit))
    begun = time.process_time()
    with pytest.raises(ForeignError, match="no number needs that many"):
        parse_number(text)
    assert time.process_time() - begun < 1.0
