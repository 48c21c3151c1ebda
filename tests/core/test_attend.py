"""Attention of one query, and of many: everything that a reading holds, and what is refused."""

import math
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from mpmath import mpf
from numpy.typing import NDArray

from attn_tui.core.attend import Peak, attend, attend_many
from attn_tui.core.precision import ML_DTYPES
from tests import known, oracle
from tests.core.rows import SMALLEST, UNIT, Problem, masked

GOLDEN = known.GOLDEN
MEASURES = (
    "entropy",
    "entropy_max",
    "entropy_ratio",
    "effective_keys",
    "kl_to_uniform",
    "jacobian_frobenius",
    "sum_of_squares",
    "margin",
)


@pytest.mark.parametrize("figures", GOLDEN["at_temperature"], ids=lambda row: f"tau {row['temperature']}")
def test_the_lesson_s_reading_at_each_temperature(figures: dict[str, Any]) -> None:
    reading = attend(GOLDEN["query"], GOLDEN["keys"], temperature=figures["temperature"])
    for name in ("scores", "contributions", "cosines", "angles_degrees", "key_norms", "query_norm"):
        np.testing.assert_allclose(getattr(reading, name), GOLDEN[name], rtol=1e-14, err_msg=name)
    for name in ("weights", "entropy", "effective_keys", "kl_to_uniform", "jacobian_frobenius", "sum_of_squares"):
        np.testing.assert_allclose(getattr(reading, name), figures[name], rtol=1e-13, err_msg=name)
    assert reading.entropy_ratio == pytest.approx(figures["entropy_of_max"], rel=1e-13, abs=0.0)
    assert reading.peak is not None
    assert reading.peak.keys == (0,)
    assert reading.peak.weight == pytest.approx(figures["peak"], rel=1e-14, abs=0.0)
    np.testing.assert_allclose(reading.scaled, reading.scores / figures["temperature"], rtol=2e-16)


@given(masked())
def test_a_reading_is_the_oracle_s(example: tuple[Problem, NDArray[np.bool_]]) -> None:
    problem, mask = example
    reading = attend([1.0], problem.array[:, None], mask=mask, temperature=problem.temperature, scale=problem.scale)
    row = oracle.row(problem.array[mask].tolist(), problem.temperature, problem.scale)
    np.testing.assert_array_equal(reading.scores, problem.array)
    assert (reading.weights[~mask] == 0.0).all()
    for got, wanted, z in zip(reading.weights[mask], row.weights, row.exponents, strict=True):
        allowed = ((max(row.exponents) - z) + 4) * UNIT * wanted + 4 * SMALLEST
        assert abs(mpf(float(got)) - wanted) <= allowed
    assert reading.entropy is not None
    assert abs(mpf(reading.entropy) - row.entropy) <= 1e-12 * row.entropy + 750 * len(mask) * SMALLEST
    assert reading.is_sound
    assert reading.faults == []
    assert reading.attended == mask.sum()


def test_the_output_is_the_weighted_sum_of_the_values() -> None:
    values = np.arange(10.0).reshape(5, 2)
    reading = attend(GOLDEN["query"], GOLDEN["keys"], values)
    exact = known.floats(GOLDEN["at_temperature"][1]["weights"]) @ values
    assert reading.output is not None
    np.testing.assert_allclose(reading.output, exact, rtol=1e-14)
    assert attend(GOLDEN["query"], GOLDEN["keys"]).output is None


def test_nothing_to_attend_leaves_scores_zeros_and_no_measures() -> None:
    case, wanted = known.given("A01"), known.expected("A01")
    reading = attend(case["q"], case["K"], case["V"], mask=case["mask"])
    np.testing.assert_array_equal(reading.scores, wanted["raw_scores"])
    np.testing.assert_array_equal(reading.weights, wanted["weights_zero_convention"])
    np.testing.assert_array_equal(reading.output, wanted["output_zero_convention"])
    np.testing.assert_array_equal(reading.naive_weights, known.floats(wanted["naive_weights"]))
    assert reading.logsumexp == float(wanted["lse"])
    assert reading.attended == wanted["valid_keys"]
    assert [getattr(reading, name) for name in MEASURES] == [wanted["entropy"]] * len(MEASURES)
    assert reading.peak is None
    assert not reading.is_sound


@pytest.mark.parametrize("dtype", ["float16", "float32", *ML_DTYPES])
def test_nothing_to_attend_is_the_same_in_every_dtype(dtype: str) -> None:
    if dtype in ML_DTYPES:
        pytest.importorskip("ml_dtypes")
    reading = attend([1.0], [[1.0], [2.0]], [[3.0], [4.0]], mask=[0, 0], dtype=dtype)
    np.testing.assert_array_equal(reading.weights, [0.0, 0.0])
    np.testing.assert_array_equal(reading.output, [0.0])
    assert reading.entropy is None
    assert reading.logsumexp == -np.inf
    assert [fault.stage for fault in reading.faults] == ["mask"]


@pytest.mark.parametrize("dtype", ["float64", "float32", "float16"])
@pytest.mark.parametrize("broken", [np.nan, np.inf, -np.inf])
def test_a_masked_nan_harms_nothing(dtype: str, broken: float) -> None:
    reading = attend([1, 1], [[1, 0], [broken, 0], [0, 1]], [[1], [broken], [3]], mask=[1, 0, 1], dtype=dtype)
    wanted = known.variants("A03")["NaN key is masked"][1]
    np.testing.assert_array_equal(reading.weights, wanted["weights_mask_by_selection"])
    assert reading.entropy == pytest.approx(wanted["entropy"], rel=1e-15, abs=0.0)
    np.testing.assert_array_equal(reading.output, [2.0])
    assert reading.faults == []
    assert reading.is_sound


@pytest.mark.parametrize("name", ["NaN key is attended", "only attended key is NaN"])
@pytest.mark.parametrize("dtype", ["float64", "float16"])
def test_an_attended_nan_makes_every_attended_weight_nan(name: str, dtype: str) -> None:
    given_, wanted = known.variants("A03")[name]
    reading = attend(given_["q"], known.floats(given_["K"]), mask=given_["mask"], dtype=dtype)
    np.testing.assert_array_equal(reading.weights, known.floats(wanted["weights"]))
    assert not reading.is_sound
    assert reading.peak is None
    assert reading.entropy is not None
    assert math.isnan(reading.entropy)
    assert reading.faults[0].stage == "keys"
    assert reading.faults[0].dimension == 0


def test_a_huge_score_is_right_where_the_naive_form_fails() -> None:
    given_, wanted = known.variants("A02")["huge but finite"]
    reading = attend(given_["q"], given_["K"])
    np.testing.assert_array_equal(reading.weights, wanted["stable"])
    np.testing.assert_array_equal(reading.naive_weights, known.floats(wanted["naive"]))


@pytest.mark.parametrize("name", ["key overflows on cast, cancels", "zero times overflowed component"])
def test_what_float16_breaks_is_right_in_float64(name: str) -> None:
    given_, wanted = known.variants("A02")[name]
    exact = attend(given_["q"], given_["K"])
    np.testing.assert_array_equal(exact.scores, wanted["exact_scores"])
    np.testing.assert_allclose(exact.weights, wanted["exact_weights"], rtol=1e-14)
    rounded = attend(given_["q"], given_["K"], dtype="float16")
    np.testing.assert_array_equal(rounded.scores, known.floats(wanted["float16_scores"]))
    assert np.isnan(rounded.weights).all()


def test_a_mask_of_1_and_0_selects_and_is_not_added() -> None:
    case, wanted = known.given("A08"), known.expected("A08")
    reading = attend(case["q"], case["K"], mask=[int(digit) for digit in case["mask_text"].split()])
    np.testing.assert_allclose(reading.weights, wanted["right"], rtol=1e-14)
    assert reading.entropy == pytest.approx(wanted["entropy_right"], rel=1e-14, abs=0.0)


def test_true_means_may_be_attended() -> None:
    case = known.given("A09")
    reading = attend(case["q"], case["K"], mask=case["mask"])
    np.testing.assert_allclose(reading.weights, known.expected("A09")["true_means_attend"], rtol=1e-14)


def test_float64_reads_the_keys_that_float16_cannot() -> None:
    case, wanted = known.given("A14"), known.expected("A14")
    reading = attend(case["q"], case["K"], scale=0.5)
    np.testing.assert_array_equal(reading.scores, wanted["exact_dots"])
    np.testing.assert_array_equal(reading.scaled, wanted["exact_scores"])
    np.testing.assert_allclose(reading.weights, wanted["exact_weights"], rtol=1e-14)
    assert reading.entropy == pytest.approx(wanted["exact_entropy"], rel=1e-12, abs=0.0)


@pytest.mark.parametrize(
    ("scale", "name", "entropy"),
    [
        (0.25, "right_scale_one_over_4", "right"),
        (1.0, "none", "none"),
        (0.125, "model_width_one_over_8", "model_width"),
        (0.0625, "twice_one_over_16", "twice"),
        (0.0, "zero", None),
    ],
)
def test_each_wrong_scale_gives_its_own_weights(scale: float, name: str, entropy: str | None) -> None:
    case, wanted = known.given("A20"), known.expected("A20")
    reading = attend(case["q"], case["K"], scale=scale)
    np.testing.assert_array_equal(reading.scores, wanted["dots"])
    np.testing.assert_allclose(reading.weights, wanted[name], rtol=1e-14)
    if entropy is not None:
        assert reading.entropy == pytest.approx(wanted["entropies"][entropy], rel=1e-12, abs=0.0)


@pytest.mark.parametrize("name", ["int8", "int16", "int32"])
def test_integers_are_computed_as_float64(name: str) -> None:
    given_, wanted = known.variants("A23")[name]
    reading = attend(np.array(given_["q"], dtype=name), np.array(given_["K"], dtype=name))
    np.testing.assert_array_equal(reading.scores, [wanted["right"]])


def test_all_keys_that_tie_are_named() -> None:
    assert attend([1], [[2], [1], [2]]).peak == Peak((0, 2), pytest.approx(0.4223187982515182, rel=1e-14, abs=0.0))
    assert attend([1], [[2], [1], [2]]).margin == 0.0


def test_one_key_has_the_whole_weight_and_no_ratio() -> None:
    reading = attend([1, 2], [[3, 4]])
    assert (reading.weights[0], reading.entropy, reading.effective_keys, reading.margin) == (1.0, 0.0, 1.0, 1.0)
    assert reading.entropy_ratio is None
    assert reading.logsumexp == 11.0


@pytest.mark.parametrize("dtype", ["float32", "float16", *ML_DTYPES])
def test_a_smaller_dtype_stays_near_float64_within_its_epsilon(dtype: str) -> None:
    if dtype in ML_DTYPES:
        pytest.importorskip("ml_dtypes")
    exact = attend(GOLDEN["query"], GOLDEN["keys"], np.eye(5))
    rounded = attend(GOLDEN["query"], GOLDEN["keys"], np.eye(5), dtype=dtype)
    epsilon = rounded.inputs.precision.epsilon
    assert rounded.steps is not None
    assert exact.steps is None
    assert not np.array_equal(exact.weights, rounded.weights)
    np.testing.assert_allclose(rounded.weights, exact.weights, rtol=12 * epsilon, atol=epsilon / 8)
    assert rounded.entropy == pytest.approx(exact.entropy, abs=4 * epsilon)
    np.testing.assert_array_equal(rounded.output, rounded.weights)


def test_many_queries_give_each_its_own_reading() -> None:
    rng = np.random.default_rng(7)
    queries, keys, mask = rng.normal(size=(2, 3, 4)), rng.normal(size=(5, 4)), rng.random((2, 3, 5)) < 0.6
    mask[0, 1] = False
    many = attend_many(queries, keys, temperature=0.7, scale=0.5, mask=mask)
    assert many.weights.shape == (2, 3, 5)
    for index in np.ndindex(2, 3):
        one = attend(queries[index], keys, temperature=0.7, scale=0.5, mask=mask[index])
        np.testing.assert_allclose(many.scores[index], one.scores, rtol=1e-14, atol=1e-15)
        np.testing.assert_allclose(many.scaled[index], one.scaled, rtol=1e-14, atol=1e-15)
        np.testing.assert_allclose(many.weights[index], one.weights, rtol=1e-13)
        np.testing.assert_allclose(
            many.entropies[index], one.entropy if one.entropy is not None else np.nan, rtol=1e-12
        )


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        ({"query": [1, 2, 3]}, "the query has 3 components, the keys have 2 components"),
        ({"query": [[1, 2]]}, r"attend takes one query \(hs,\), and this has shape \(1, 2\): attend_many takes many"),
        ({"query": 3.0}, r"query needs one axis, and has shape \(\)"),
        ({"query": [1j, 2]}, "query holds complex numbers, not real numbers"),
        ({"query": ["a", "b"]}, "query holds text"),
        ({"query": []}, "the query has 0 components"),
        ({"keys": [1, 2]}, r"keys needs 2 axes, and has shape \(2,\)"),
        ({"keys": [[1, 2], [3]]}, "keys is ragged: its rows differ in length"),
        ({"keys": np.zeros((0, 2))}, "at least one key"),
        ({"values": [[1], [2], [3]]}, "there are 2 keys and 3 values"),
        ({"values": [1, 2]}, r"values needs 2 axes, and has shape \(2,\)"),
        ({"mask": [1, 0, 1]}, "there are 2 keys and 3 mask entries"),
        ({"mask": [1]}, "there are 2 keys and 1 mask entries"),
        ({"mask": True}, "mask needs one axis"),
        ({"mask": [[1], [0]]}, "mask needs one axis"),
        ({"mask": [0.0, -np.inf]}, "it selects, and is never added"),
        ({"labels": ["a"]}, "there are 2 keys and 1 labels"),
        ({"temperature": 0.0}, "the temperature has to be a finite number above 0, not 0"),
        ({"temperature": -1.0}, "the temperature has to be a finite number above 0, not -1"),
        ({"temperature": np.nan}, "the temperature has to be a finite number above 0, not nan"),
        ({"temperature": np.inf}, "the temperature has to be a finite number above 0, not inf"),
        ({"scale": np.inf}, "the scale has to be a finite number, not inf"),
        ({"dtype": "float17"}, "there is no dtype 'float17': choose from float64, float32, float16"),
    ],
)
def test_what_does_not_fit_is_refused_in_words(arguments: dict[str, Any], sentence: str) -> None:
    fitting: dict[str, Any] = {"query": [1, 2], "keys": [[1, 0], [0, 1]]}
    attend(**fitting)
    with pytest.raises(ValueError, match=sentence):
        attend(**(fitting | arguments))
