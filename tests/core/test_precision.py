"""Attention step by step in a dtype: each step against exact fractions, thresholds, and the recorded failures."""

import importlib
import sys

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from attn_tui.core import precision as module
from attn_tui.core.arrays import FloatArray
from attn_tui.core.precision import ML_DTYPES, NUMPY_DTYPES, Steps, compute, dtypes, precision
from tests import known
from tests.rounding import FORMATS, Format

pytest.importorskip("ml_dtypes", reason="the small floats need the ml extra")

small_floats = st.sampled_from(sorted(FORMATS))
components = st.one_of(
    st.floats(-8.0, 8.0), st.floats(-300.0, 300.0), st.floats(-1e-4, 1e-4), st.sampled_from([0.0, -0.0, 1e5, 5e-324])
)


@st.composite
def _heads(draw: st.DrawFn) -> tuple[list[float], list[list[float]], list[bool]]:
    """A query (hs,), keys (T, hs) and a mask (T,)."""
    size, count = draw(st.integers(1, 5)), draw(st.integers(1, 6))
    vector = st.lists(components, min_size=size, max_size=size)
    mask = draw(st.lists(st.booleans(), min_size=count, max_size=count))
    return draw(vector), draw(st.lists(vector, min_size=count, max_size=count)), mask


@given(
    small_floats,
    _heads(),
    st.sampled_from([1.0, 0.5, 0.35355339059327373, 1e-3]),
    st.sampled_from([1.0, 0.7, 1e-4, 30.0]),
    st.booleans(),
)
def test_every_step_is_rounded_once_and_exactly(
    name: str, heads: tuple[list[float], list[list[float]], list[bool]], scale: float, temperature: float, first: bool
) -> None:
    query, keys, mask = heads
    steps = _steps(name, query, keys, mask, temperature, scale, scale_query_first=first)
    kind = FORMATS[name]
    factor, divisor = kind.store(scale), kind.store(temperature)
    q, k = [kind.store(x) for x in query], [[kind.store(x) for x in key] for key in keys]
    used = [kind.multiply(x, factor) for x in q] if first else q
    products = [[kind.multiply(a, b) for a, b in zip(used, key, strict=True)] for key in k]
    scores = [_running_sum(kind, row) for row in products]
    multiplied = scores if first else [kind.multiply(s, factor) for s in scores]
    scaled = [kind.divide(s, divisor) for s in multiplied]
    for got, wanted in (
        (steps.query, q),
        (steps.keys, k),
        (steps.products, products),
        (steps.scores, scores),
        (steps.multiplied, multiplied),
        (steps.scaled, scaled),
    ):
        np.testing.assert_array_equal(got, wanted)
    assert (steps.factor, steps.divisor) == (factor, divisor)
    attended = [s for s, keep in zip(scaled, mask, strict=True) if keep]
    largest = float(np.max(attended)) if attended else -np.inf
    shifted = [kind.subtract(s, largest) for s in scaled]
    np.testing.assert_array_equal(steps.shifted, shifted)
    _check_softmax(kind, mask, shifted, (steps.exps, steps.total, steps.weights), unmasked=0.0)
    _check_softmax(kind, mask, scaled, (steps.naive_exps, steps.naive_total, steps.naive_weights), unmasked=None)


@given(st.sampled_from(["float16", "float32"]), st.lists(components, min_size=1, max_size=6))
def test_numpy_s_own_scalars_agree(name: str, numbers: list[float]) -> None:
    scalar = np.dtype(name).type
    with np.errstate(all="ignore"):
        scores = [scalar(x) for x in numbers]
        assume(np.isfinite(scores).all())
        exps = [np.exp(s - max(scores)) for s in scores]
        total = scalar(0.0)
        for e in exps:
            total = total + e
    steps = _steps(name, [1.0], [[x] for x in numbers])
    # NumPy's float32 exp may be one step off the rounded one
    np.testing.assert_allclose(steps.exps, [float(e) for e in exps], rtol=2 * float(np.finfo(name).eps), atol=1e-44)
    assert steps.total == pytest.approx(float(total), rel=8 * float(np.finfo(name).eps), abs=0.0)


def test_a_running_sum_meets_what_numpy_s_float32_accumulator_hides() -> None:
    ones = np.ones(4096)
    assert precision("float16").running_sum(ones) == 2048.0
    assert np.ones(4096, dtype=np.float16).sum() == 4096.0


@pytest.mark.parametrize("name", ["float16", "bfloat16", "float32", "float64"])
def test_the_thresholds_of_exp(name: str) -> None:
    wanted, kind = known.expected("A15")["thresholds"][name], precision(name)
    assert kind.exp_overflows_at == pytest.approx(wanted["overflow_at"], rel=1e-14, abs=0.0)
    assert kind.exp_zero_below == pytest.approx(wanted["zero_below"], rel=1e-14, abs=0.0)
    assert kind.exp_subnormal_below == pytest.approx(wanted["subnormal_below"], rel=1e-14, abs=0.0)


@pytest.mark.parametrize("name", ["float16", "bfloat16", "float32"])
def test_exp_overflows_just_above_the_largest_input_it_takes(name: str) -> None:
    largest, kind = known.expected("A15")["thresholds"][name]["largest_finite_input"], precision(name)
    step = {"float16": 2.0**-7, "bfloat16": 0.5, "float32": 2.0**-17}[name]
    exps = kind.rounded(np.exp(np.array([largest, largest + step])))
    np.testing.assert_array_equal(np.isfinite(exps), [True, False])
    assert largest <= kind.exp_overflows_at < largest + step


@pytest.mark.parametrize("name", ["f32", "f32 sum only", "f16", "f16 sum only"])
def test_the_naive_form_fails_in_a_small_dtype_as_recorded(name: str) -> None:
    given_, wanted = known.variants("A15")[name]
    steps = _steps(given_["dtype"], [1.0], [[s] for s in given_["scores"]])
    np.testing.assert_array_equal(steps.naive_weights, known.floats(wanted["naive"]))
    right = wanted.get("right", wanted.get("exact_for_float16_scores"))
    epsilon = precision(given_["dtype"]).epsilon
    smallest = precision(given_["dtype"]).smallest
    np.testing.assert_allclose(steps.weights, right, rtol=4 * epsilon, atol=2 * smallest)


@pytest.mark.parametrize("name", sorted(NUMPY_DTYPES + ML_DTYPES))
def test_the_limits_of_a_dtype(name: str) -> None:
    kind = precision(name)
    kept = FORMATS.get(name, Format(53, -1022, sys.float_info.max))
    assert kind.largest == kept.largest
    assert kind.epsilon == 2.0 ** (1 - kept.digits)
    assert kind.smallest_normal == 2.0**kept.lowest_exponent
    assert kind.smallest == 2.0 ** (kept.lowest_exponent - kept.digits + 1)
    np.testing.assert_array_equal(kind.rounded(np.array([kind.largest, kind.smallest])), [kind.largest, kind.smallest])


@given(small_floats, st.floats(allow_nan=True, allow_infinity=True))
def test_storing_rounds_to_the_nearest_even(name: str, x: float) -> None:
    np.testing.assert_array_equal(precision(name).rounded(np.array([x])), [FORMATS[name].store(x)])


@given(small_floats, st.integers(0, 2**40), st.integers(-60, 20))
def test_a_tie_between_two_numbers_goes_to_the_even_one(name: str, mantissa: int, exponent: int) -> None:
    kind = FORMATS[name]
    halfway = float(((mantissa | 1) % 2 ** (kind.digits + 1)) * 2.0**exponent)
    np.testing.assert_array_equal(precision(name).rounded(np.array([halfway])), [kind.store(halfway)])


@given(small_floats, st.floats(-1e30, 1e30), st.sampled_from([1e-9, -1e-9, 1e-12, -1e-12]))
def test_what_is_just_beside_a_tie_is_rounded_to_its_own_side(name: str, x: float, aside: float) -> None:
    kind = FORMATS[name]
    below = kind.store(x)
    assume(np.isfinite(below) and abs(below) >= 2.0**kind.lowest_exponent)
    beside = below * (1.0 + 2.0**-kind.digits) * (1.0 + aside)
    np.testing.assert_array_equal(precision(name).rounded(np.array([beside])), [kind.store(beside)])


def test_bfloat16_rounds_and_is_not_cut_off() -> None:
    values, wanted, kind = known.given("A25")["values"], known.expected("A25"), precision("bfloat16")
    np.testing.assert_array_equal(kind.rounded(np.array(values)), wanted["nearest_even"])
    assert np.isnan(kind.rounded(np.array([np.nan]))).all()
    assert (kind.largest, kind.epsilon) == (wanted["max_finite"], wanted["epsilon"])
    edge = wanted["rounds_to_inf_from"]
    np.testing.assert_array_equal(
        kind.rounded(np.array([edge * (1 - 1e-14), edge * (1 + 1e-14)])), [kind.largest, np.inf]
    )


def test_float8_e4m3fn_has_no_infinity_and_e5m2_has() -> None:
    numbers = np.array([448.0, 464.0, 465.0, 57344.0, 61440.0])
    np.testing.assert_array_equal(precision("float8_e4m3fn").rounded(numbers), [448.0, 448.0, np.nan, np.nan, np.nan])
    np.testing.assert_array_equal(precision("float8_e5m2").rounded(numbers), [448.0, 448.0, 448.0, 57344.0, np.inf])


def test_float16_stores_the_mask_constants_as_recorded() -> None:
    wanted, kind = known.expected("A05"), precision("float16")
    for constant, stored in wanted["cast_of_constants"].items():
        assert kind.rounded(np.array(float(constant))) == float(stored)
    for score, total in wanted["min_plus_score"].items():
        terms = kind.rounded(np.array([-65504.0, float(score)]))
        assert kind.running_sum(terms) == float(total)


def test_float16_overflows_in_the_dot_product_before_the_scale_can_help() -> None:
    wanted = known.expected("A14")["float16_scale_last"]
    steps = _a14("float16")
    np.testing.assert_array_equal(steps.scores, known.floats(wanted["dots"]))
    np.testing.assert_array_equal(steps.weights, known.floats(wanted["weights"]))


def test_scaling_the_query_first_avoids_infinity_and_makes_a_tie() -> None:
    wanted = known.expected("A14")["float16_scale_q_first"]
    steps = _a14("float16", scale_query_first=True, wide_dot=True)
    np.testing.assert_array_equal(steps.scaled, wanted["scores"])
    np.testing.assert_array_equal(steps.weights, wanted["weights"])


def test_rounding_each_running_sum_can_part_what_rounding_the_score_makes_a_tie() -> None:
    steps = _a14("float16", scale_query_first=True)
    np.testing.assert_array_equal(steps.scaled, [60000.0, 59968.0])


def test_float32_has_room_for_the_same_keys() -> None:
    wanted = known.expected("A14")["float32"]
    steps = _a14("float32")
    np.testing.assert_array_equal(steps.scaled, wanted["scores"])
    np.testing.assert_allclose(steps.weights, wanted["weights"], rtol=2e-6)


def test_bfloat16_makes_the_two_keys_one_before_the_dot_product() -> None:
    steps = _a14("bfloat16")
    np.testing.assert_array_equal(steps.keys[0], steps.keys[1])
    np.testing.assert_array_equal(steps.weights, [0.5, 0.5])


def test_a_wide_dot_product_rounds_only_the_score() -> None:
    query, keys = [256.0, 1.0, 256.0], [[256.0, 1.0, -256.0]]
    narrow, wide = _steps("float16", query, keys), _steps("float16", query, keys, wide_dot=True)
    np.testing.assert_array_equal(narrow.products, [[np.inf, 1.0, -np.inf]])
    assert np.isnan(narrow.scores[0])
    np.testing.assert_array_equal(wide.products, [[65536.0, 1.0, -65536.0]])
    np.testing.assert_array_equal(wide.scores, [1.0])
    np.testing.assert_array_equal(_a14("float16", wide_dot=True).scores, [np.inf, np.inf])
    np.testing.assert_array_equal(_a14("float16", wide_dot=True, scale_query_first=True).scores, [60000.0, 60000.0])


@pytest.mark.parametrize("name", ["fp16 division overflows", "fp16 T vanishes"])
def test_a_tiny_temperature_breaks_float16_as_recorded(name: str) -> None:
    given_, wanted = known.variants("A12")[name]
    steps = _steps("float16", [1.0], [[s] for s in given_["scores"]], temperature=given_["temperature"])
    assert steps.divisor == wanted["fp16_T"]
    # the quotients are recorded for the rounded temperature, to the nearest step of 16 or 8
    np.testing.assert_allclose(steps.scaled, known.floats(wanted["fp16_quotients"]), rtol=1e-3)
    assert np.isnan(steps.weights).all()


def test_any_temperature_up_to_2_to_the_minus_25_is_0_in_float16() -> None:
    below, above = (_steps("float16", [1.0], [[1.0]], temperature=t).divisor for t in (2.0**-25, 2.0**-25 * 1.001))
    assert (below, above) == (0.0, 2.0**-24)


@pytest.mark.parametrize("name", ["key overflows on cast, cancels", "zero times overflowed component"])
def test_a_key_that_overflows_when_stored_makes_its_score_nan(name: str) -> None:
    given_, wanted = known.variants("A02")[name]
    steps = _steps("float16", given_["q"], given_["K"])
    np.testing.assert_array_equal(steps.scores, known.floats(wanted["float16_scores"]))
    assert np.isnan(steps.weights).all()


def test_float16_s_extremes_have_weights_1_and_0() -> None:
    given_, wanted = known.variants("A18")["fp16 extremes"]
    np.testing.assert_array_equal(_steps("float16", [1.0], [[s] for s in given_["scores"]]).weights, wanted["weights"])


@given(_heads())
def test_in_float64_the_steps_are_plain_arithmetic(heads: tuple[list[float], list[list[float]], list[bool]]) -> None:
    query, keys, mask = heads
    steps = _steps("float64", query, keys, mask, 0.7, 0.3)
    for key, score in zip(keys, steps.scores, strict=True):
        total = query[0] * key[0]
        for a, b in zip(query[1:], key[1:], strict=True):
            total += a * b
        assert score == total
    np.testing.assert_array_equal(steps.scaled, steps.scores * 0.3 / 0.7)


def test_the_dtypes_there_are(monkeypatch: pytest.MonkeyPatch) -> None:
    assert dtypes() == NUMPY_DTYPES + ML_DTYPES
    monkeypatch.setitem(sys.modules, "ml_dtypes", None)
    dtypes.cache_clear()
    assert dtypes() == NUMPY_DTYPES
    dtypes.cache_clear()


@pytest.mark.parametrize("name", ["float17", "", "FLOAT16", "int8"])
def test_an_unknown_dtype_is_refused_with_the_choices(name: str) -> None:
    with pytest.raises(
        ValueError, match=f"there is no dtype '{name}': choose from float64, float32, float16, bfloat16"
    ):
        precision(name)


def test_a_small_float_without_the_extra_is_refused_with_the_cure(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "ml_dtypes", None)
    fresh = importlib.util.module_from_spec(module.__spec__)
    monkeypatch.setitem(sys.modules, module.__name__, fresh)
    module.__spec__.loader.exec_module(fresh)
    with pytest.raises(ValueError, match=r"bfloat16 needs the extra: pip install ml_dtypes"):
        fresh.precision("bfloat16")
    assert fresh.precision("float16").largest == 65504.0


def _steps(
    name: str,
    query: list[float],
    keys: list[list[float]],
    mask: list[bool] | None = None,
    temperature: float = 1.0,
    scale: float = 1.0,
    *,
    scale_query_first: bool = False,
    wide_dot: bool = False,
) -> Steps:
    """The core's steps."""
    attended = np.ones(len(keys), dtype=bool) if mask is None else np.array(mask)
    return compute(
        np.array(query, dtype=np.float64),
        np.array(keys, dtype=np.float64),
        attended,
        temperature,
        scale,
        precision(name),
        scale_query_first=scale_query_first,
        wide_dot=wide_dot,
    )


def _a14(name: str, *, scale_query_first: bool = False, wide_dot: bool = False) -> Steps:
    """The steps of the case whose dot product is 120000."""
    case = known.given("A14")
    return _steps(name, case["q"], case["K"], scale=0.5, scale_query_first=scale_query_first, wide_dot=wide_dot)


def _running_sum(kind: Format, terms: list[float]) -> float:
    """Term by term, rounded after each."""
    total = terms[0]
    for term in terms[1:]:
        total = kind.add(total, term)
    return total


def _check_softmax(
    kind: Format,
    mask: list[bool],
    exponents: list[float],
    got: tuple[FloatArray, float, FloatArray],
    unmasked: float | None,
) -> None:
    """Exps, their running sum and the quotients; a masked weight is `unmasked`, None if that is left open."""
    exps = [kind.exp(z) if keep else 0.0 for z, keep in zip(exponents, mask, strict=True)]
    total = _running_sum(kind, exps)
    weights = [kind.divide(e, total) for e in exps]
    np.testing.assert_array_equal(got[0], exps)
    np.testing.assert_array_equal(got[1], total)
    kept = np.array(mask)
    np.testing.assert_array_equal(got[2][kept], np.array(weights)[kept])
    if unmasked is not None:
        np.testing.assert_array_equal(got[2][~kept], unmasked)
