"""Softmax: the recorded figures, an oracle of many digits, and what makes it a softmax."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays
from mpmath import mpf
from numpy.typing import NDArray

from attn_tui.core.softmax import distribution, log_softmax, logsumexp, naive_softmax, scaled, softmax
from tests import known, oracle
from tests.core.rows import SMALLEST, UNIT, Problem, masked, problems, tame

MASKED = (np.nan, np.inf, -np.inf, 1e308)
"""What a masked score may hold without harm."""


@pytest.mark.parametrize("row", known.GOLDEN["at_temperature"], ids=lambda row: f"tau {row['temperature']}")
def test_the_lesson_s_weights_at_each_temperature(row: dict[str, float]) -> None:
    weights = softmax(known.GOLDEN["scores"], temperature=row["temperature"])
    np.testing.assert_allclose(weights, row["weights"], rtol=1e-14)


def test_one_over_sqrt_hs_is_a_temperature() -> None:
    wanted = known.GOLDEN["scale_one_over_sqrt_hs"]["weights"]
    np.testing.assert_allclose(softmax(known.GOLDEN["scores"], scale=0.5), wanted, rtol=1e-14)


def test_adding_100_to_every_score_changes_no_weight() -> None:
    weights = softmax(np.array(known.GOLDEN["scores"]) + 100.0)
    np.testing.assert_allclose(weights, known.GOLDEN["shift_by_100_weights"], rtol=1e-12)


@pytest.mark.parametrize("example", ["overflow", "overflow_one"])
def test_the_naive_form_fails_where_the_lesson_says_and_the_stable_one_does_not(example: str) -> None:
    figures = known.GOLDEN[example]
    np.testing.assert_array_equal(naive_softmax(figures["scores"]), known.floats(figures["naive"]))
    np.testing.assert_allclose(softmax(figures["scores"]), figures["stable"], rtol=1e-14)


@pytest.mark.parametrize("name", ["exp overflows", "only the sum overflows", "all underflow"])
def test_the_naive_form_fails_in_its_three_ways(name: str) -> None:
    given_, wanted = known.variants("A15")[name]
    np.testing.assert_array_equal(naive_softmax(given_["scores"]), known.floats(wanted["naive"]))
    np.testing.assert_allclose(softmax(given_["scores"]), wanted["right"], rtol=1e-13)


def test_naive_fails_by_its_exp_alone_not_by_the_order_of_scaling() -> None:
    weights = naive_softmax([1e200, 0.0], scale=1e109, temperature=1e308)
    np.testing.assert_allclose(weights, softmax([10.0, 0.0]), rtol=1e-13)


def test_naive_is_right_where_nothing_overflows() -> None:
    np.testing.assert_allclose(naive_softmax([1.0, 2.0, 3.0]), softmax([1.0, 2.0, 3.0]), rtol=1e-15)


def test_naive_takes_a_masked_score_as_minus_infinity() -> None:
    np.testing.assert_array_equal(naive_softmax([1.0, np.nan], mask=[True, False]), [1.0, 0.0])


@pytest.mark.parametrize("name", ["small but harmless T", "float64, quotient overflows"])
def test_a_tiny_temperature_is_neither_clamped_nor_fatal(name: str) -> None:
    given_, wanted = known.variants("A12")[name]
    weights = softmax(given_["scores"], temperature=given_["temperature"])
    np.testing.assert_allclose(weights, wanted.get("right", wanted.get("subtract_max_first")), rtol=1e-13)


def test_scores_at_both_ends_of_float64_at_a_temperature_of_their_size() -> None:
    wanted = [1.0 / (1.0 + math.exp(-3.0)), math.exp(-3.0) / (1.0 + math.exp(-3.0))]
    np.testing.assert_allclose(softmax([1.5e308, -1.5e308], temperature=1e308), wanted, rtol=1e-14)


def test_ten_to_the_ten_at_a_temperature_of_ten_to_the_minus_300() -> None:
    np.testing.assert_array_equal(softmax([1e10, 0.0, 1e10], temperature=1e-300), [0.5, 0.0, 0.5])


@given(problems)
def test_every_weight_is_right_to_its_distance_from_the_maximum(problem: Problem) -> None:
    weights = softmax(problem.scores, temperature=problem.temperature, scale=problem.scale)
    row = oracle.row(problem.scores, problem.temperature, problem.scale)
    largest = max(row.exponents)
    for got, wanted, z in zip(weights, row.weights, row.exponents, strict=True):
        allowed = ((largest - z) + 4) * UNIT * wanted + 4 * SMALLEST
        assert abs(mpf(float(got)) - wanted) <= allowed


@given(problems)
def test_a_log_weight_keeps_its_digits_where_the_weight_underflows(problem: Problem) -> None:
    logs = log_softmax(problem.scores, temperature=problem.temperature, scale=problem.scale)
    row = oracle.row(problem.scores, problem.temperature, problem.scale)
    for got, wanted in zip(logs, row.log_weights, strict=True):
        if wanted < -1.79e308:
            assert got < -1.78e308
        else:
            allowed = (row.second + 8) * UNIT * abs(wanted) + len(logs) * SMALLEST
            assert abs(mpf(float(got)) - wanted) <= allowed


@given(problems)
def test_logsumexp_is_right_to_a_few_units_of_its_two_terms(problem: Problem) -> None:
    got = float(logsumexp(problem.scores, temperature=problem.temperature, scale=problem.scale))
    row = oracle.row(problem.scores, problem.temperature, problem.scale)
    largest = max(row.exponents)
    if abs(row.logsumexp) > 1.79e308:
        assert math.isinf(got)
    else:
        allowed = 4 * UNIT * abs(largest) + (row.second + 8) * UNIT * abs(row.logsumexp - largest)
        assert abs(mpf(got) - row.logsumexp) <= allowed + 2 * SMALLEST


def test_a_log_weight_of_equal_huge_scores_is_minus_ln_n() -> None:
    wanted = known.variants("A16")["absorption"][1]["right"]
    np.testing.assert_allclose(log_softmax(np.full(11, -1e10)), np.full(11, wanted), rtol=1e-15)


@pytest.mark.parametrize("name", ["underflow", "denormal"])
def test_log_weights_beyond_the_reach_of_float32(name: str) -> None:
    given_, wanted = known.variants("A16")[name]
    logs = log_softmax(given_["scores"])
    np.testing.assert_allclose(logs[1], given_["scores"][1], rtol=1e-15)
    if "log_softmax" in wanted:
        np.testing.assert_allclose(logs[0], wanted["log_softmax"][0], rtol=1e-13)


@given(problems)
def test_the_weights_sum_to_1(problem: Problem) -> None:
    weights = softmax(problem.scores, temperature=problem.temperature, scale=problem.scale)
    assert (weights >= 0.0).all()
    assert math.fsum(weights) == pytest.approx(1.0, abs=len(weights) * UNIT)


@given(tame, st.floats(-1000.0, 1000.0))
def test_a_constant_added_to_every_score_cancels(problem: Problem, constant: float) -> None:
    moved = problem.array + constant
    back = moved - constant
    # the addition itself rounds; what was rounded away is taken out of the comparison
    wanted = softmax(back, temperature=problem.temperature)
    tolerance = 1e-11 / problem.temperature
    np.testing.assert_allclose(softmax(moved, temperature=problem.temperature), wanted, rtol=tolerance, atol=1e-300)


@given(st.lists(st.integers(-500, 500), min_size=1, max_size=40), st.integers(-(2**40), 2**40))
def test_an_exact_shift_changes_no_bit(scores: list[int], constant: int) -> None:
    np.testing.assert_array_equal(softmax(scores), softmax(np.array(scores) + constant))


@given(problems, st.randoms(use_true_random=False))
def test_permuted_keys_have_permuted_weights(problem: Problem, random: st.DataObject) -> None:
    order = list(range(len(problem.scores)))
    random.shuffle(order)
    weights = softmax(problem.scores, temperature=problem.temperature)
    permuted = softmax(problem.array[order], temperature=problem.temperature)
    np.testing.assert_allclose(permuted, weights[order], rtol=4 * UNIT, atol=SMALLEST)


@given(problems)
def test_the_ranking_of_the_scores_is_kept(problem: Problem) -> None:
    weights = softmax(problem.scores, temperature=problem.temperature)
    in_order = weights[np.argsort(problem.array, kind="stable")]
    assert (np.diff(in_order) >= 0.0).all()


@given(problems)
def test_a_negative_scale_turns_the_ranking_round(problem: Problem) -> None:
    weights = softmax(problem.scores, temperature=problem.temperature, scale=-1.0)
    np.testing.assert_array_equal(weights, softmax(-problem.array, temperature=problem.temperature))


@given(problems)
def test_equal_scores_have_equal_weights(problem: Problem) -> None:
    doubled = np.concatenate([problem.array, problem.array])
    weights = softmax(doubled, temperature=problem.temperature, scale=problem.scale)
    np.testing.assert_array_equal(weights[: len(problem.scores)], weights[len(problem.scores) :])


@given(masked(), st.sampled_from(MASKED))
def test_a_masked_key_has_weight_exactly_0_whatever_it_holds(
    example: tuple[Problem, NDArray[np.bool_]], harmless: float
) -> None:
    problem, mask = example
    scores = np.where(mask, problem.array, harmless)
    weights = softmax(scores, mask=mask, temperature=problem.temperature)
    alone = softmax(problem.array[mask], temperature=problem.temperature)
    assert (weights[~mask] == 0.0).all()
    np.testing.assert_allclose(weights[mask], alone, rtol=4 * UNIT, atol=SMALLEST)
    logs = log_softmax(scores, mask=mask, temperature=problem.temperature)
    assert (logs[~mask] == -np.inf).all()
    assert np.isfinite(logsumexp(scores, mask=mask, temperature=problem.temperature)) == np.isfinite(
        logsumexp(problem.array[mask], temperature=problem.temperature)
    )


def test_nothing_to_attend_gives_zeros_and_never_uniform() -> None:
    nothing = [False, False, False]
    np.testing.assert_array_equal(softmax([1.0, 2.0, 3.0], mask=nothing), [0.0, 0.0, 0.0])
    np.testing.assert_array_equal(log_softmax([1.0, 2.0, 3.0], mask=nothing), [-np.inf] * 3)
    assert logsumexp([1.0, 2.0, 3.0], mask=nothing) == -np.inf
    assert np.isnan(naive_softmax([1.0, 2.0, 3.0], mask=nothing)).all()


@pytest.mark.parametrize("broken", [np.nan, np.inf])
def test_a_nan_or_inf_that_is_attended_makes_every_attended_weight_nan(broken: float) -> None:
    weights = softmax([1.0, broken, 2.0, 3.0], mask=[True, True, True, False])
    np.testing.assert_array_equal(weights, [np.nan, np.nan, np.nan, 0.0])


def test_a_score_of_minus_infinity_is_as_if_masked() -> None:
    np.testing.assert_array_equal(softmax([0.0, 0.0, -np.inf]), [0.5, 0.5, 0.0])


def test_scores_that_are_all_minus_infinity_have_no_answer() -> None:
    assert np.isnan(softmax([-np.inf, -np.inf])).all()


def test_a_scale_of_0_makes_finite_scores_count_the_same() -> None:
    np.testing.assert_array_equal(softmax([1.0, -1e300, 1.7e308, 3.0], scale=0.0), [0.25] * 4)


@pytest.mark.parametrize(("shape", "axes"), [((5,), (0, -1)), ((4, 5), (0, 1, -1)), ((2, 3, 4), (0, 1, 2, -1, -2))])
@settings(max_examples=30)
@given(data=st.data())
def test_along_any_axis_it_is_the_row_by_row_result(
    shape: tuple[int, ...], axes: tuple[int, ...], data: st.DataObject
) -> None:
    scores = data.draw(arrays.arrays(np.float64, shape, elements=st.floats(-1e3, 1e3)))
    mask = data.draw(arrays.arrays(np.bool_, shape))
    for axis in axes:
        for whole in (softmax, log_softmax):
            got = whole(scores, axis, mask=mask, temperature=0.7, scale=0.3)
            rows = zip(_rows(scores, axis), _rows(mask, axis), _rows(got, axis), strict=True)
            for row, row_mask, row_got in rows:
                np.testing.assert_array_equal(row_got, whole(row, mask=row_mask, temperature=0.7, scale=0.3))
        sums = logsumexp(scores, axis, mask=mask)
        one_by_one = [logsumexp(r, mask=m) for r, m in zip(_rows(scores, axis), _rows(mask, axis), strict=True)]
        np.testing.assert_array_equal(sums.ravel(), one_by_one)
        naive = naive_softmax(scores, axis, mask=mask)
        for row, row_mask, row_got in zip(_rows(scores, axis), _rows(mask, axis), _rows(naive, axis), strict=True):
            np.testing.assert_array_equal(row_got, naive_softmax(row, mask=row_mask))


def test_a_row_of_a_broken_matrix_does_not_break_the_others() -> None:
    weights = softmax([[1.0, np.nan], [0.0, 0.0]])
    np.testing.assert_array_equal(weights, [[np.nan, np.nan], [0.5, 0.5]])


def test_a_mask_of_one_row_serves_every_row() -> None:
    np.testing.assert_array_equal(softmax(np.zeros((2, 3)), mask=[1, 1, 0]), [[0.5, 0.5, 0.0]] * 2)


@pytest.mark.parametrize("name", ["3x3, scores per row 0 1 2", "2 queries, 5 keys, all scores 0"])
def test_causal_masks_leave_each_query_its_past(name: str) -> None:
    given_, wanted = known.variants("A10")[name]
    if "right" in wanted:
        weights = softmax(np.tile([0.0, 1.0, 2.0], (3, 1)), mask=np.tri(3))
        np.testing.assert_allclose(weights, wanted["right"], rtol=1e-14)
        strict = softmax(np.tile([0.0, 1.0, 2.0], (3, 1)), mask=np.tri(3, k=-1))
        np.testing.assert_array_equal(strict[0], [0.0, 0.0, 0.0])
        np.testing.assert_allclose(strict[1:], known.floats(wanted["strict_diagonal_bug"][1:]), rtol=1e-14)
    else:
        queries, keys = given_["Tq"], given_["Tk"]
        for offset, alignment in ((0, "top_left"), (keys - queries, "bottom_right")):
            weights = softmax(np.zeros((queries, keys)), mask=np.tri(queries, keys, offset))
            np.testing.assert_allclose(weights, wanted[alignment], rtol=1e-15)


def test_more_queries_than_keys_leave_rows_without_a_key() -> None:
    weights = softmax(np.zeros((5, 2)), mask=np.tri(5, 2, 2 - 5))
    np.testing.assert_array_equal(weights, [[0.0, 0.0]] * 3 + [[1.0, 0.0], [0.5, 0.5]])


@given(st.floats(allow_nan=False, allow_infinity=False), st.floats(-1e300, 1e300), st.floats(1e-300, 1e300))
def test_scaling_neither_over_nor_underflows_on_the_way(score: float, scale: float, temperature: float) -> None:
    got = float(scaled(np.array([score]), scale, temperature)[0])
    wanted = mpf(score) * mpf(scale) / mpf(temperature)
    if abs(wanted) > 1.797e308:
        assert abs(got) >= 1.796e308
    else:
        assert abs(mpf(got) - wanted) <= 1.01 * UNIT * abs(wanted) + SMALLEST


@pytest.mark.parametrize("temperature", [0.0, -0.0, -1.0, np.nan, np.inf, -np.inf])
def test_a_temperature_without_meaning_is_refused_in_words(temperature: float) -> None:
    for function in (softmax, log_softmax, logsumexp, naive_softmax):
        with pytest.raises(ValueError, match="temperature has to be a finite number above 0, not"):
            function([1.0, 2.0], temperature=temperature)


@pytest.mark.parametrize("scale", [np.nan, np.inf, -np.inf])
def test_a_scale_that_is_not_finite_is_refused_in_words(scale: float) -> None:
    for function in (softmax, log_softmax, logsumexp, naive_softmax):
        with pytest.raises(ValueError, match="scale has to be a finite number, not"):
            function([1.0, 2.0], scale=scale)


@pytest.mark.parametrize("scores", [[], 3.0, np.zeros((2, 0))])
def test_no_score_at_all_is_refused_in_words(scores: object) -> None:
    for function in (softmax, log_softmax, logsumexp, naive_softmax):
        with pytest.raises(ValueError, match="at least one score"):
            function(scores)


def test_a_distribution_of_no_scores_is_refused() -> None:
    with pytest.raises(ValueError, match="at least one score"):
        distribution(np.zeros((3, 0)))


def test_unsigned_integers_do_not_wrap() -> None:
    given_, wanted = known.variants("A23")["uint8 scores"]
    weights = softmax(np.array(given_["scores"], dtype=np.uint8))
    np.testing.assert_allclose(weights, wanted["right"], rtol=1e-14)


def test_the_scores_that_are_given_stay_as_they_are() -> None:
    scores = np.array([3.0, 1.0, 2.0])
    mask = np.array([True, False, True])
    softmax(scores, mask=mask, temperature=2.0, scale=3.0)
    np.testing.assert_array_equal(scores, [3.0, 1.0, 2.0])
    np.testing.assert_array_equal(mask, [True, False, True])


def _rows(array: NDArray[np.generic], axis: int) -> NDArray[np.generic]:
    """All rows of an array along an axis: (rows, T)."""
    return np.moveaxis(array, axis, -1).reshape(-1, array.shape[axis])
