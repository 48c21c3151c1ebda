"""The temperature for a wished peak or entropy, each refusal, and the two limits."""

import math
from typing import Any

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from attn_tui.core.measures import kl_to_uniform, peak, shannon_entropy
from attn_tui.core.softmax import distribution
from attn_tui.core.temperature import infinite_limit, temperature_for, zero_limit
from tests import known, oracle
from tests.core.rows import Problem, problems, tame

SCORES = known.GOLDEN["scores"]


def test_the_lesson_s_temperature_that_halves_the_peak() -> None:
    assert temperature_for(SCORES, peak=0.5) == pytest.approx(
        known.GOLDEN["temperature_for_peak_0.5"], rel=1e-14, abs=0.0
    )


def test_the_lesson_s_temperature_for_one_nat() -> None:
    wanted = known.GOLDEN["temperature_for_entropy_1_nat"]
    assert temperature_for(SCORES, entropy=1.0) == pytest.approx(wanted, rel=1e-14, abs=0.0)


@pytest.mark.parametrize("wanted", [0.21, 0.4, 0.9, 0.999999])
def test_a_peak_s_temperature_is_the_oracle_s(wanted: float) -> None:
    exact = oracle.temperature_for(SCORES, lambda row: max(row.weights), wanted)
    assert oracle.relative_error(temperature_for(SCORES, peak=wanted), exact) < 1e-9 / (1.0 - wanted) * 1e-3 + 1e-13


@pytest.mark.parametrize("wanted", [1e-9, 0.1, 0.8, 1.2, 1.6])
def test_an_entropy_s_temperature_is_the_oracle_s(wanted: float) -> None:
    exact = oracle.temperature_for(SCORES, lambda row: row.entropy, wanted)
    assert oracle.relative_error(temperature_for(SCORES, entropy=wanted), exact) < 1e-13


@given(tame, st.floats(0.001, 0.999))
def test_the_temperature_for_a_peak_gives_that_peak(problem: Problem, part: float) -> None:
    scores = problem.array
    ties, count = int((scores == scores.max()).sum()), scores.size
    wanted = 1.0 / count + part * (1.0 / ties - 1.0 / count)
    assume(ties < count and 1.0 / count < wanted < 1.0 / ties)
    tau = temperature_for(scores, peak=wanted)
    assert float(peak(distribution(scores, None, tau))) == pytest.approx(wanted, rel=1e-12, abs=0.0)


@given(tame, st.floats(0.001, 0.999))
def test_the_temperature_for_an_entropy_gives_that_entropy(problem: Problem, part: float) -> None:
    scores = problem.array
    low, high = math.log(int((scores == scores.max()).sum())), math.log(scores.size)
    wanted = low + part * (high - low)
    assume(low < wanted < high)
    tau = temperature_for(scores, entropy=wanted)
    assert float(shannon_entropy(distribution(scores, None, tau))) == pytest.approx(wanted, rel=1e-12, abs=0.0)


@pytest.mark.parametrize("size", [1e-320, 1e-300, 1.0, 1e300])
def test_scores_of_any_size_have_their_temperature(size: float) -> None:
    tau = temperature_for([0.0, size], peak=0.75)
    assert tau == pytest.approx(size / math.log(3.0), rel=1e-12, abs=5e-324)


def test_scores_whose_difference_overflows_have_their_temperature() -> None:
    tau = temperature_for([-1.5e308, 1.5e308], peak=1.0 / (1.0 + math.exp(-4.0)))
    assert tau == pytest.approx(0.75e308, rel=1e-12, abs=0.0)


@pytest.mark.parametrize("wanted", [1.7001e308, 1.75e308, 1.79e308, 1.797e308])
def test_a_temperature_just_below_the_largest_number_is_found(wanted: float) -> None:
    scores = [0.0, 1e308]
    tau = temperature_for(scores, peak=1.0 / (1.0 + math.exp(-1e308 / wanted)))
    assert tau == pytest.approx(wanted, rel=1e-12, abs=0.0)


def test_the_smallest_difference_there_is_has_a_temperature() -> None:
    assert 0.0 < temperature_for([0.0, 5e-324], peak=0.6) < 1e-322


def test_a_mask_and_a_scale_are_heeded() -> None:
    masked = temperature_for([np.nan, *SCORES], peak=0.5, mask=[False] + [True] * 5)
    assert masked == pytest.approx(known.GOLDEN["temperature_for_peak_0.5"], rel=1e-14, abs=0.0)
    scaled = temperature_for(SCORES, peak=0.5, scale=0.25)
    assert scaled == pytest.approx(known.GOLDEN["temperature_for_peak_0.5"] / 4.0, rel=1e-13, abs=0.0)
    turned = temperature_for(-np.array(SCORES), peak=0.5, scale=-1.0)
    assert turned == pytest.approx(known.GOLDEN["temperature_for_peak_0.5"], rel=1e-14, abs=0.0)


def test_an_entropy_just_below_ln_n_is_solved_by_what_it_lacks() -> None:
    wanted = math.nextafter(math.log(5.0), 0.0)
    tau = temperature_for(SCORES, entropy=wanted)
    assert float(kl_to_uniform(distribution(known.floats(SCORES), None, tau))) == pytest.approx(
        math.log(5.0) - wanted, rel=1e-9, abs=0.0
    )


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        ({"peak": 1.0}, "a peak lies between 0 and 1, and reaches neither: not 1"),
        ({"peak": 0.0}, "a peak lies between 0 and 1"),
        ({"peak": math.nan}, "a peak lies between 0 and 1"),
        ({"peak": 0.2}, "the peak of 5 keys stays above the uniform weight 1/5 = 0.2"),
        ({"entropy": 0.0}, "entropy stays above 0, and reaches it only as tau goes to 0"),
        ({"entropy": -1.0}, "entropy stays above 0"),
        ({"entropy": math.nan}, "entropy stays above 0"),
        ({"entropy": math.log(5.0)}, "the entropy of 5 keys stays below ln 5 = 1.609"),
        ({"entropy": 3.0}, "the entropy of 5 keys stays below ln 5"),
        ({}, "give either a peak or an entropy"),
        ({"peak": 0.5, "entropy": 1.0}, "give either a peak or an entropy"),
        ({"peak": 0.5, "scale": 0.0}, "all scores are equal: the weights are uniform at every temperature"),
        ({"peak": 0.5, "scale": math.inf}, "the scale has to be a finite number"),
        ({"peak": 0.5, "mask": [False] * 5}, "no key may be attended"),
        ({"peak": 0.5, "mask": [True, False, False, False, False]}, "all scores are equal"),
    ],
)
def test_a_wish_that_no_temperature_grants_is_refused_with_the_reason(arguments: dict[str, Any], reason: str) -> None:
    with pytest.raises(ValueError, match=reason):
        temperature_for(SCORES, **arguments)


@pytest.mark.parametrize(
    ("scores", "arguments", "reason"),
    [
        ([2.0, 2.0, 1.0], {"peak": 0.5}, "2 keys tie for the largest score: the peak stays below 1/2 = 0.5"),
        ([2.0, 2.0, 1.0], {"entropy": 0.6}, "2 keys tie for the largest score: the entropy stays above ln 2 = 0.6931"),
        ([2.0, 2.0], {"peak": 0.5}, "all scores are equal"),
        ([2.0, math.nan], {"peak": 0.6}, "a score is not finite: no temperature changes that"),
        ([2.0, math.inf], {"peak": 0.6}, "a score is not finite"),
        ([2.0, -math.inf], {"peak": 0.6}, "a score is not finite"),
        ([0.0, 1e-300], {"peak": 0.6, "scale": 1e-300}, "the temperature would have to be below 5e-324"),
        ([0.0, 1e300], {"peak": 0.6, "scale": 1e300}, r"the temperature would have to be above 1\.798e\+308"),
        ([[1.0, 2.0]], {"peak": 0.6}, "scores needs one axis"),
    ],
)
def test_scores_that_no_temperature_changes_are_refused_with_the_reason(
    scores: list[float], arguments: dict[str, Any], reason: str
) -> None:
    with pytest.raises(ValueError, match=reason):
        temperature_for(scores, **arguments)


@given(problems, st.floats(0.01, 100.0))
def test_entropy_rises_and_the_peak_falls_with_the_temperature(problem: Problem, step: float) -> None:
    assume(1e-300 < problem.temperature < 1e300)
    cooler = distribution(problem.array, None, problem.temperature)
    warmer = distribution(problem.array, None, problem.temperature * (1.0 + step))
    assert shannon_entropy(warmer) >= shannon_entropy(cooler) * (1.0 - 1e-12)
    assert peak(warmer) <= peak(cooler) * (1.0 + 1e-14)


@pytest.mark.parametrize("name", ["T=0", "T=0 with a zero score", "T->0 with a tie"])
def test_the_limit_of_a_falling_temperature_is_shared_by_the_largest(name: str) -> None:
    given_, wanted = known.variants("A11")[name]
    scores = known.floats(given_["scores"])
    limit = zero_limit(scores, np.ones(scores.shape, dtype=bool))
    np.testing.assert_array_equal(limit, wanted.get("greedy_limit", wanted.get("limit")))


@pytest.mark.parametrize(("name", "limit"), [("one +inf", "limit"), ("two +inf", "limit_if_equal_rates")])
def test_infinite_scores_share_the_limit(name: str, limit: str) -> None:
    given_, wanted = known.variants("A02")[name]
    scores = known.floats(given_["K"])[:, 0]
    np.testing.assert_array_equal(zero_limit(scores, np.ones(scores.shape, dtype=bool)), wanted[limit])


@given(st.lists(st.integers(-3, 3), min_size=1, max_size=8), st.sampled_from([1.0, -1.0]))
def test_both_limits_are_what_the_weights_tend_to(scores: list[int], scale: float) -> None:
    array, mask = np.array(scores, dtype=np.float64), np.arange(len(scores)) != 2
    cold = distribution(array, mask, 1e-4, scale).weights
    hot = distribution(array, mask, 1e12, scale).weights
    np.testing.assert_allclose(zero_limit(array, mask, scale), cold, atol=1e-12)
    np.testing.assert_allclose(infinite_limit(array, mask), hot, atol=1e-11)


def test_limits_with_nothing_to_attend_are_0_and_with_a_nan_are_nan() -> None:
    scores = np.array([1.0, np.nan])
    nothing, everything, first = np.array([False, False]), np.array([True, True]), np.array([True, False])
    for limit in (zero_limit, infinite_limit):
        np.testing.assert_array_equal(limit(scores, nothing), [0.0, 0.0])
        np.testing.assert_array_equal(limit(scores, everything), [np.nan, np.nan])
        np.testing.assert_array_equal(limit(scores, first), [1.0, 0.0])


INF, NAN = math.inf, math.nan


@pytest.mark.parametrize(
    ("scores", "scale", "cold", "hot"),
    [
        ([1, 2, -INF], 1.0, [0, 1, 0], [0.5, 0.5, 0]),
        ([1, 2, INF], -1.0, [1, 0, 0], [0.5, 0.5, 0]),
        ([1, -INF, -INF], 1.0, [1, 0, 0], [1, 0, 0]),
        ([1, 2, INF], 1.0, [0, 0, 1], [NAN] * 3),
        ([1, INF, INF], 1.0, [0, 0.5, 0.5], [NAN] * 3),
        ([-INF, 2, INF], 1.0, [0, 0, 1], [NAN] * 3),
        ([-INF, 2, INF], -1.0, [1, 0, 0], [NAN] * 3),
        ([-INF, -INF, -INF], 1.0, [NAN] * 3, [NAN] * 3),
        ([INF, INF, INF], -1.0, [NAN] * 3, [NAN] * 3),
        ([1, 2, -INF], 0.0, [NAN] * 3, [NAN] * 3),
        ([1, NAN, INF], 1.0, [NAN] * 3, [NAN] * 3),
    ],
)
def test_limits_with_infinite_scores(scores: list[float], scale: float, cold: list[float], hot: list[float]) -> None:
    array, everything = known.floats(scores), np.ones(3, dtype=bool)
    np.testing.assert_array_equal(zero_limit(array, everything, scale), cold)
    np.testing.assert_array_equal(infinite_limit(array, everything, scale), hot)


def test_a_masked_key_has_no_part_in_a_limit_whatever_its_score() -> None:
    scores, mask = known.floats([1, INF, -INF, NAN]), np.array([True, False, True, False])
    np.testing.assert_array_equal(zero_limit(scores, mask), [1, 0, 0, 0])
    np.testing.assert_array_equal(infinite_limit(scores, mask), [1, 0, 0, 0])
    only_lowest = np.array([False, False, True, False])
    np.testing.assert_array_equal(zero_limit(scores, only_lowest), [0, 0, NAN, 0])
    np.testing.assert_array_equal(infinite_limit(scores, only_lowest), [0, 0, NAN, 0])


@pytest.mark.parametrize("scores", [[1, 2, -INF], [1, -INF, -INF], [-INF, -INF, -INF]])
def test_with_minus_infinity_the_limits_are_what_the_weights_tend_to(scores: list[float]) -> None:
    array, everything = known.floats(scores), np.ones(3, dtype=bool)
    np.testing.assert_allclose(zero_limit(array, everything), distribution(array, None, 1e-4).weights, atol=1e-12)
    np.testing.assert_allclose(infinite_limit(array, everything), distribution(array, None, 1e12).weights, atol=1e-11)


def test_without_a_scale_the_limit_is_uniform() -> None:
    np.testing.assert_array_equal(zero_limit(np.array([1.0, 5.0]), np.array([True, True]), 0.0), [0.5, 0.5])
