"""Naive and stable softmax compared: what the constant, the dtype and the order of steps do, and the recorded cases."""

import math
from typing import Any

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from attn_tui.core import measures
from attn_tui.core.attend import attend
from attn_tui.core.breaks import naive_break
from attn_tui.core.precision import dtypes, precision
from attn_tui.core.softmax import softmax
from attn_tui.core.stability import Comparison, Method, compare, entropy_with, stored
from tests import known


def made(scores: Any, *, method: Method | None = None, **settings: Any) -> Comparison:
    """A comparison of bare scores."""
    return compare(attend([1.0], [[float(s)] for s in scores], **settings).inputs, method)


def _heads(case: str, method: Method | None = None, **settings: Any) -> Comparison:
    """A comparison of a recorded query and its keys."""
    head = known.given(case)
    return compare(attend(head["q"], head["K"], **settings).inputs, method)


@given(
    st.lists(st.floats(-50.0, 50.0), min_size=1, max_size=6),
    st.floats(-1e6, 1e6),
    st.sampled_from(["float64", "float32"]),
)
def test_the_stable_weights_do_not_move_with_a_constant(scores: list[float], constant: float, dtype: str) -> None:
    moved, still = made(scores, method=Method(constant), dtype=dtype), made(scores, dtype=dtype)
    step = precision(dtype).step_at(abs(constant) + 50.0)
    assume(step < 0.1)
    np.testing.assert_allclose(moved.stable.weights, still.stable.weights, rtol=5 * step + 1e-5, atol=1e-30)


@pytest.mark.parametrize("dtype", ["float64", "float32", "float16"])
@pytest.mark.parametrize("scores", [[0.0], [2.1077, -1.3177, -1.5889], [3.0, 3.0, 3.0], [1000.0, 1001.0, 1002.0]])
def test_the_naive_form_holds_just_inside_the_range_and_breaks_just_outside(scores: list[float], dtype: str) -> None:
    low, high = made(scores, dtype=dtype).naive_range
    slack = 3.0 * precision(dtype).step_at(max(abs(low), abs(high), *scores)) + 1e-3
    for constant, holds in ((low + slack, True), (low - slack, False), (high - slack, True), (high + slack, False)):
        row = made(scores, dtype=dtype, method=Method(constant))
        assert (naive_break(row) is None) == holds, constant
        assert np.isfinite(row.stable.weights).all()


def test_the_lesson_s_exercise_adds_100_and_nothing_moves() -> None:
    exercise = made([2.1077, -1.3177, -1.5889, -3.2856, -1.3670], method=Method(100.0))
    np.testing.assert_allclose(exercise.stable.weights, exercise.exact.weights, rtol=1e-13)
    np.testing.assert_allclose(exercise.naive.weights, exercise.exact.weights, rtol=1e-13)


@pytest.mark.parametrize("constant", [np.inf, -np.inf])
def test_an_infinite_constant_leaves_no_number(constant: float) -> None:
    row = made([1.0, 2.0], method=Method(constant))
    assert np.isnan(row.stable.weights).all()
    assert row.resolution is None


@pytest.mark.parametrize("name", known.variants("A15"))
def test_naive_and_stable_at_the_thresholds_of_exp(name: str) -> None:
    given_, wanted = known.variants("A15")[name]
    row = made(given_["scores"], dtype=given_["dtype"])
    kind = row.precision
    np.testing.assert_array_equal(row.naive.weights, known.floats(wanted["naive"]))
    exact = wanted.get("right", wanted.get("exact_for_typed_scores"))
    np.testing.assert_allclose(row.exact.weights, exact, rtol=1e-13)
    rounded = wanted.get("right", wanted.get("exact_for_float16_scores"))
    np.testing.assert_allclose(row.stable.weights, rounded, rtol=4 * kind.epsilon, atol=2 * kind.smallest)


def test_a_weight_below_the_normal_numbers_is_marked() -> None:
    row = made(known.variants("A15")["exp overflows"][0]["scores"])
    np.testing.assert_array_equal(row.subnormal, [False, False, True])
    np.testing.assert_array_equal(row.underflown, [False, False, False])


def test_the_logarithm_of_a_weight_that_underflows_is_an_ordinary_number() -> None:
    given_, wanted = known.variants("A16")["underflow"]
    row = made(given_["scores"], dtype=given_["dtype"])
    assert row.stable.weights[1] == wanted["weight_1_float32"]
    np.testing.assert_allclose(row.exact.weights[1], wanted["weight_1_exact"], rtol=1e-12)
    np.testing.assert_allclose(row.log_weights, wanted["log_softmax"], rtol=1e-12)
    np.testing.assert_array_equal(row.underflown, [False, True])


def test_a_subnormal_weight_is_kept_with_the_digits_it_has() -> None:
    given_, wanted = known.variants("A16")["denormal"]
    row = made(given_["scores"], dtype=given_["dtype"])
    assert row.stable.weights[1] == pytest.approx(wanted["weight_1_float32_gradual"], rel=1e-12)
    assert row.exact.weights[1] == pytest.approx(wanted["weight_1_exact"], rel=1e-12)
    off = row.stable.weights[1] / row.exact.weights[1] - 1.0
    assert off == pytest.approx(wanted["relative_error_of_denormal"], rel=1e-9)
    assert row.log_weights[1] == pytest.approx(wanted["log_weight"], rel=1e-12)
    np.testing.assert_array_equal(row.subnormal, [False, True])


def test_subtracting_logsumexp_from_a_huge_score_swallows_the_logarithm_of_the_sum() -> None:
    wanted = known.variants("A16")["absorption"][1]
    narrow, wide = made([-1e10] * 11, dtype="float32"), made([-1e10] * 11)
    np.testing.assert_allclose(narrow.log_weights, wanted["right"], rtol=1e-15)
    np.testing.assert_array_equal(narrow.wrong_order, wanted["wrong_order_float32"])
    assert narrow.wrong_total == wanted["wrong_order_float32_probability_sum"]
    np.testing.assert_array_equal(wide.wrong_order, wanted["wrong_order_float64"])


def test_dividing_first_overflows_where_subtracting_first_does_not() -> None:
    given_, wanted = known.variants("A12")["float64, quotient overflows"]
    row = made(given_["scores"], temperature=given_["temperature"])
    np.testing.assert_array_equal(row.stable.weights, known.floats(wanted["divide_first_stable"]))
    np.testing.assert_array_equal(row.naive.weights, known.floats(wanted["divide_first_naive"]))
    np.testing.assert_array_equal(row.exact.weights, wanted["subtract_max_first"])


@pytest.mark.parametrize("name", ["fp16 division overflows", "fp16 T vanishes"])
def test_a_tiny_temperature_breaks_float16_and_the_exact_weights_stand_beside(name: str) -> None:
    given_, wanted = known.variants("A12")[name]
    row = made(given_["scores"], temperature=given_["temperature"], dtype=given_["dtype"])
    assert row.steps.divisor == wanted["fp16_T"]
    assert np.isnan(row.stable.weights).all()
    np.testing.assert_array_equal(row.exact.weights, wanted["exact_weights"])
    if "exact_log_weights" in wanted:
        np.testing.assert_allclose(row.log_weights, wanted["exact_log_weights"], rtol=1e-12)


def test_a_small_temperature_is_not_clamped() -> None:
    given_, wanted = known.variants("A12")["small but harmless T"]
    row = made(given_["scores"], temperature=given_["temperature"])
    np.testing.assert_allclose(row.stable.weights, wanted["right"], rtol=1e-12)


def test_three_ways_to_a_dot_product_of_120000() -> None:
    wanted = known.expected("A14")
    last = _heads("A14", scale=0.5, dtype="float16")
    np.testing.assert_array_equal(last.exact_scores, wanted["exact_dots"])
    np.testing.assert_allclose(last.exact.weights, wanted["exact_weights"], rtol=1e-11)
    np.testing.assert_array_equal(last.steps.scores, known.floats(wanted["float16_scale_last"]["dots"]))
    assert np.isnan(last.stable.weights).all()
    first = _heads("A14", Method(scale_query_first=True, wide_dot=True), scale=0.5, dtype="float16")
    np.testing.assert_array_equal(first.moved, wanted["float16_scale_q_first"]["scores"])
    np.testing.assert_array_equal(first.stable.weights, wanted["float16_scale_q_first"]["weights"])
    narrow = _heads("A14", scale=0.5, dtype="float32")
    np.testing.assert_allclose(narrow.stable.weights, wanted["float32"]["weights"], rtol=2e-6)
    assert float(measures.shannon_entropy(first.exact)) == pytest.approx(wanted["exact_entropy"], rel=1e-11)


def test_the_step_at_the_largest_score_is_wider_than_the_gap() -> None:
    found = _heads("A14", scale=0.5, dtype="float16").resolution
    assert found is not None
    assert (found.largest_product, found.largest_score, found.step, found.gap) == (120000.0, 60000.0, 32.0, 12.5)
    assert found.headroom == 65504.0 / 120000.0
    assert found.is_lost
    wide = _heads("A14", scale=0.5, dtype="float32").resolution
    assert wide is not None
    assert not wide.is_lost


def test_the_gap_of_one_key_or_of_equal_ones_is_undefined() -> None:
    for scores in ([3.0], [3.0, 3.0]):
        found = made(scores).resolution
        assert found is not None
        assert math.isnan(found.gap)
        assert not found.is_lost


def test_float16_extremes_have_an_entropy_of_exactly_0() -> None:
    given_, wanted = known.variants("A18")["fp16 extremes"]
    row = made(given_["scores"], dtype="float16")
    np.testing.assert_array_equal(row.stable.weights, wanted["weights"])
    entropy = float(measures.shannon_entropy(measures.from_rounded(row.stable.weights, row.mask)))
    assert entropy == wanted["entropy_nats"]
    assert math.copysign(1.0, entropy) == 1.0
    # 65504 - -65504 is beyond float16, so the smaller exp comes of -inf
    assert row.stable.exponents[1] == -np.inf


def test_an_epsilon_inside_the_logarithm_as_recorded() -> None:
    one_hot, wanted = known.variants("A19")["one-hot, eps 1e-8"]
    got = entropy_with(one_hot["eps"], np.array(one_hot["weights"], dtype=float), precision("float64"))
    assert got == pytest.approx(wanted["with_eps"], rel=1e-9)
    _, wanted = known.variants("A19")["uniform 4096, eps 1e-5"]
    got = entropy_with(1e-5, np.full(4096, 1.0 / 4096.0), precision("float64"))
    assert got == pytest.approx(wanted["with_eps"], rel=1e-12)
    assert got - math.log(4096) == pytest.approx(wanted["bias"], rel=1e-9)
    _, wanted = known.variants("A19")["eps in float16"]
    assert precision("float16").rounded_one(1e-8) == wanted["float16_eps"]
    assert precision("float16").smallest == wanted["smallest_float16"]
    assert math.isnan(entropy_with(1e-8, np.array([1.0, 0.0]), precision("float16")))


def test_a_component_is_stored_to_the_nearest_even_and_moves_its_score() -> None:
    pytest.importorskip("ml_dtypes")
    values, wanted = known.given("A25")["values"], known.expected("A25")["nearest_even"]
    inputs = attend(values, [[1.0, 2.0, -4.0], [0.5, 0.5, 0.5]], dtype="bfloat16").inputs
    for d, (given_, became) in enumerate(zip(values, wanted, strict=True)):
        found = stored(inputs, None, d)
        assert (found.given, found.became, found.key) == (given_, became, 0)
        assert found.change == (became - given_) * (1.0, 2.0, -4.0)[d]
    key = stored(attend([3.0], [[values[0]]], dtype="bfloat16").inputs, 0, 0)
    assert (key.became, key.change, key.key) == (wanted[0], 3.0 * (wanted[0] - values[0]), 0)


def test_a_component_that_is_held_changes_nothing_even_beside_infinity() -> None:
    found = stored(attend([1.5], [[np.inf]], dtype="float16").inputs, None, 0)
    assert (found.given, found.became, found.change) == (1.5, 1.5, 0.0)


def test_masked_keys_have_no_weight_and_do_no_harm() -> None:
    row = made([1000.0, np.nan, 1002.0], mask=[1, 0, 1])
    np.testing.assert_allclose(row.stable.weights, softmax([1000.0, -np.inf, 1002.0]), rtol=1e-15)
    assert row.largest_difference == 0.0
    assert row.naive.weights[1] == 0.0


def test_no_key_to_attend_has_no_difference_no_range_and_no_resolution() -> None:
    row = made([1.0, 2.0], mask=[0, 0])
    assert row.largest_difference is None
    assert row.resolution is None
    assert all(math.isnan(end) for end in row.naive_range)


@given(st.sampled_from(dtypes()), st.lists(st.floats(-6.0, 5.0), min_size=1, max_size=5))
def test_in_every_dtype_the_stable_weights_are_near_the_exact_ones(dtype: str, scores: list[float]) -> None:
    row = made(scores, dtype=dtype)
    assert row.largest_difference is not None
    assert row.largest_difference <= 12 * row.precision.epsilon + 1e-15


@pytest.mark.parametrize(("number", "step"), [(60000.0, 32.0), (1.0, 2.0**-10), (0.0, 2.0**-24), (-1.5, 2.0**-10)])
def test_the_step_of_float16_is_numpy_s_spacing(number: float, step: float) -> None:
    assert precision("float16").step_at(number) == step == abs(float(np.spacing(np.float16(number))))
