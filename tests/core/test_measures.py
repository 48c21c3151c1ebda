"""The measures of a row: recorded figures, the oracle, and the bounds each has."""

import math

import numpy as np
import pytest
from hypothesis import given
from mpmath import mp, mpf
from numpy.typing import NDArray

from attn_tui.core import measures
from attn_tui.core.softmax import Distribution, distribution
from tests import known, oracle
from tests.core.rows import SMALLEST, UNIT, Problem, masked, problems

KL_UNITS = 240
"""KL loses up to 1/0.01 units just above where its series ends, and twice that."""


def test_the_lesson_s_measures_at_each_temperature() -> None:
    functions = {
        "entropy": measures.shannon_entropy,
        "entropy_of_max": measures.entropy_ratio,
        "effective_keys": measures.effective_keys,
        "peak": measures.peak,
        "kl_to_uniform": measures.kl_to_uniform,
        "jacobian_frobenius": measures.jacobian_frobenius,
        "sum_of_squares": measures.sum_of_squares,
    }
    for figures in known.GOLDEN["at_temperature"]:
        row = distribution(known.floats(known.GOLDEN["scores"]), None, figures["temperature"])
        for name, function in functions.items():
            assert function(row) == pytest.approx(figures[name], rel=1e-14, abs=0.0), name


@given(problems)
def test_entropy_keeps_its_digits_down_to_one_hot(problem: Problem) -> None:
    row, wanted = _both(problem)
    allowed = (wanted.second + 12) * UNIT * wanted.entropy + len(problem.scores) * 750 * SMALLEST
    assert abs(mpf(float(measures.shannon_entropy(row))) - wanted.entropy) <= allowed
    assert (745 + 12) * UNIT < 1e-12


@pytest.mark.parametrize("gap", [5.0, 32.0, 33.0, 100.0, 400.0, 700.0])
def test_entropy_of_a_nearly_one_hot_row_is_right_to_1e_12(gap: float) -> None:
    entropy = float(measures.shannon_entropy(distribution(np.array([0.0, -gap, -gap - 1.0]))))
    assert entropy > 0.0
    assert oracle.relative_error(entropy, oracle.row([0.0, -gap, -gap - 1.0]).entropy) < 1e-12


@given(problems)
def test_entropy_lies_between_0_and_ln_n_and_is_never_minus_0(problem: Problem) -> None:
    entropy = float(measures.shannon_entropy(_both(problem)[0]))
    assert 0.0 <= entropy <= math.log(len(problem.scores)) + 4 * UNIT * math.log(max(2, len(problem.scores)))
    assert math.copysign(1.0, entropy) == 1.0


@given(problems)
def test_kl_to_uniform_keeps_its_digits_down_to_uniform(problem: Problem) -> None:
    row, wanted = _both(problem)
    got, kl = float(measures.kl_to_uniform(row)), max(mpf(0), wanted.kl_to_uniform)
    assert got >= 0.0
    assert abs(mpf(got) - kl) <= KL_UNITS * UNIT * kl + 2 * len(problem.scores) * SMALLEST


@pytest.mark.parametrize("gap", [1e-3, 1e-8, 1e-15, 1e-100])
def test_kl_to_uniform_of_a_nearly_uniform_row_is_right_to_1e_14(gap: float) -> None:
    kl = float(measures.kl_to_uniform(distribution(np.array([0.0, gap, 3.0 * gap]))))
    assert oracle.relative_error(kl, oracle.row([0.0, gap, 3.0 * gap]).kl_to_uniform) < 1e-14


@given(problems)
def test_entropy_and_kl_to_uniform_make_up_ln_n(problem: Problem) -> None:
    row, _ = _both(problem)
    together = measures.shannon_entropy(row) + measures.kl_to_uniform(row)
    assert together == pytest.approx(float(measures.entropy_max(row)), rel=1e-13, abs=1e-300)


@given(problems)
def test_the_jacobian_keeps_its_digits_down_to_one_hot(problem: Problem) -> None:
    row, wanted = _both(problem)
    norm = wanted.jacobian_frobenius if len(problem.scores) > 1 else mpf(0)
    allowed = (wanted.second + 12) * UNIT * norm + 2 * len(problem.scores) * SMALLEST
    assert abs(mpf(float(measures.jacobian_frobenius(row))) - norm) <= allowed


def test_the_jacobian_is_the_derivative_of_the_weights() -> None:
    scores, step = known.floats(known.GOLDEN["scores"]), 1e-6
    moved = [distribution(scores + step * side * np.eye(5)).weights for side in (1.0, -1.0)]
    derivative = (moved[0] - moved[1]) / (2.0 * step)
    wanted = np.linalg.norm(derivative)
    assert float(measures.jacobian_frobenius(distribution(scores))) == pytest.approx(wanted, rel=1e-8, abs=0.0)


@given(problems)
def test_the_sum_of_squares_and_its_inverse(problem: Problem) -> None:
    row, wanted = _both(problem)
    got, count = float(measures.sum_of_squares(row)), len(problem.scores)
    assert oracle.relative_error(got, wanted.sum_of_squares) <= 16 * UNIT
    assert float(measures.participation_ratio(row)) == 1.0 / got
    assert 1.0 - 8 * UNIT <= 1.0 / got <= count * (1.0 + 8 * UNIT)


@given(problems)
def test_peak_and_top_k_mass_follow_the_ordered_weights(problem: Problem) -> None:
    row, wanted = _both(problem)
    ordered = sorted((float(w) for w in wanted.weights), reverse=True)
    assert float(measures.peak(row)) == pytest.approx(ordered[0], rel=1e-13, abs=0.0)
    masses = [float(measures.top_k_mass(row, k)) for k in range(1, len(ordered) + 2)]
    for k, mass in enumerate(masses, start=1):
        assert mass == pytest.approx(math.fsum(ordered[:k]), rel=1e-13, abs=0.0)
    assert masses == sorted(masses)
    assert masses[-1] <= 1.0


@given(problems)
def test_the_margin_keeps_its_digits_down_to_a_tie(problem: Problem) -> None:
    row, wanted = _both(problem)
    exact = sorted(wanted.weights, reverse=True)
    with mp.workdps(wanted.digits):
        margin = exact[0] - exact[1] if len(exact) > 1 else exact[0]
    assert abs(mpf(float(measures.margin(row))) - margin) <= 20 * UNIT * margin + 2 * SMALLEST


def test_a_tie_has_no_margin_and_a_single_key_has_all_of_it() -> None:
    assert measures.margin(distribution(np.array([2.0, 2.0, 1.0]))) == 0.0
    assert math.copysign(1.0, measures.margin(distribution(np.array([2.0, 2.0])))) == 1.0
    assert measures.margin(distribution(np.array([2.0]))) == 1.0


@given(problems)
def test_effective_keys_lie_between_1_and_n(problem: Problem) -> None:
    effective = float(measures.effective_keys(_both(problem)[0]))
    assert 1.0 <= effective <= len(problem.scores) * (1.0 + 32 * UNIT)


@given(masked())
def test_masked_keys_take_no_part_in_any_measure(example: tuple[Problem, NDArray[np.bool_]]) -> None:
    problem, mask = example
    whole = distribution(np.where(mask, problem.array, np.nan), mask, problem.temperature)
    alone = distribution(problem.array[mask], None, problem.temperature)
    for measure in ONE_EACH:
        got, wanted = float(measure(whole)), float(measure(alone))
        assert got == pytest.approx(wanted, rel=1e-12, abs=1e-307, nan_ok=True), measure.__name__
    assert measures.top_k_mass(whole, 2) == pytest.approx(float(measures.top_k_mass(alone, 2)), rel=1e-13, abs=0.0)


def test_nothing_to_attend_leaves_every_measure_undefined() -> None:
    row = distribution(np.array([[1.0, 2.0], [1.0, 2.0]]), [[True, True], [False, False]])
    for measure in ONE_EACH:
        np.testing.assert_array_equal(np.isnan(measure(row)), [False, True], err_msg=measure.__name__)
    np.testing.assert_array_equal(np.isnan(measures.top_k_mass(row, 1)), [False, True])


def test_a_nan_weight_makes_every_measure_of_its_row_nan() -> None:
    row = distribution(np.array([[1.0, np.nan], [1.0, 2.0]]))
    for measure in ONE_EACH:
        if measure is not measures.entropy_max:
            np.testing.assert_array_equal(np.isnan(measure(row)), [True, False], err_msg=measure.__name__)


def test_measures_of_a_batch_are_those_of_its_rows() -> None:
    scores = np.random.default_rng(5).normal(0.0, 3.0, (3, 4, 7))
    batch = distribution(scores)
    for measure in ONE_EACH:
        got = measure(batch)
        assert got.shape == (3, 4)
        for index in np.ndindex(3, 4):
            assert got[index] == measure(distribution(scores[index])), measure.__name__


def test_the_ratio_to_ln_n_is_undefined_for_one_key() -> None:
    given_, wanted = known.variants("A19")["normalised, single attended key"]
    row = distribution(known.floats(given_["scores"]), given_["mask"])
    assert measures.shannon_entropy(row) == wanted["entropy"]
    assert measures.entropy_max(row) == wanted["log_n"]
    assert np.isnan(measures.entropy_ratio(row))


@pytest.mark.parametrize("name", ["masked key", "one-hot", "underflow, unmasked"])
def test_a_weight_of_0_adds_no_entropy(name: str) -> None:
    given_, wanted = known.variants("A18")[name]
    entropy = float(measures.shannon_entropy(distribution(known.floats(given_["scores"]))))
    assert entropy == pytest.approx(wanted.get("entropy_nats", wanted.get("entropy_nats_float64")), rel=1e-15, abs=0.0)
    assert math.copysign(1.0, entropy) == 1.0


def test_entropy_of_given_weights() -> None:
    given_, wanted = known.variants("A18")["given weights"]
    assert measures.entropy(given_["weights"]) == pytest.approx(wanted["entropy_nats"], rel=1e-15, abs=0.0)
    assert measures.entropy(given_["weights"]) / math.log(2) == pytest.approx(
        wanted["entropy_bits"], rel=1e-14, abs=0.0
    )


def test_no_constant_inside_the_logarithm_biases_the_entropy() -> None:
    cases = known.variants("A19")
    one_hot = measures.entropy(cases["one-hot, eps 1e-8"][0]["weights"])
    assert one_hot == cases["one-hot, eps 1e-8"][1]["right"]
    assert math.copysign(1.0, one_hot) == 1.0
    uniform = measures.entropy(np.full(4096, 1.0 / 4096.0))
    assert uniform == pytest.approx(cases["uniform 4096, eps 1e-5"][1]["right"], rel=1e-14, abs=0.0)


@given(problems)
def test_entropy_of_given_weights_is_that_of_the_same_weights_made_to_sum_to_1(problem: Problem) -> None:
    weights = _both(problem)[0].weights
    got = float(measures.entropy(weights))
    wanted = oracle.entropy_of_given(weights.tolist())
    assert abs(mpf(got) - wanted) <= 1e-13 * wanted + 750 * len(weights) * SMALLEST


def test_rounded_weights_pass_as_weights() -> None:
    assert measures.entropy([0.915, 0.0298, 0.0227, 0.0042, 0.0283]) == pytest.approx(0.3957, abs=1e-3)


def test_entropy_along_another_axis() -> None:
    columns = np.array([[0.5, 1.0], [0.5, 0.0]])
    np.testing.assert_allclose(measures.entropy(columns, axis=0), [math.log(2.0), 0.0], rtol=1e-15)


def test_the_entropy_of_a_nan_weight_is_nan() -> None:
    np.testing.assert_array_equal(np.isnan(measures.entropy([[np.nan, 0.5], [0.5, 0.5]])), [True, False])


@pytest.mark.parametrize(
    ("weights", "sentence"),
    [
        ([1.5, -0.5], "weights cannot be negative"),
        ([[0.5, 0.5], [0.2, 0.2]], "sum to 1, and sum to 0.4"),
        ([2.0, 1.0], "sum to 1, and sum to 3"),
        ([np.inf, 0.0], "sum to 1, and sum to inf"),
        ([], "at least one weight"),
        (1.0, "at least one weight"),
    ],
)
def test_what_are_no_weights_are_refused_in_words(weights: object, sentence: str) -> None:
    with pytest.raises(ValueError, match=sentence):
        measures.entropy(weights)


def test_the_top_0_keys_have_no_mass() -> None:
    with pytest.raises(ValueError, match="top 0 keys is not defined: k starts at 1"):
        measures.top_k_mass(distribution(np.zeros(3)), 0)


def test_all_zero_weights_are_no_distribution() -> None:
    row = measures.from_rounded(np.zeros(2), np.ones(2, dtype=bool))
    assert np.isnan(measures.shannon_entropy(row))


ONE_EACH = (
    measures.shannon_entropy,
    measures.effective_keys,
    measures.entropy_max,
    measures.entropy_ratio,
    measures.kl_to_uniform,
    measures.peak,
    measures.margin,
    measures.sum_of_squares,
    measures.participation_ratio,
    measures.jacobian_frobenius,
)
"""Every measure that needs nothing but the row."""


def _both(problem: Problem) -> tuple[Distribution, oracle.Row]:
    """The core's row and the oracle's."""
    row = distribution(problem.array, None, problem.temperature, problem.scale)
    return row, oracle.row(problem.scores, problem.temperature, problem.scale)
