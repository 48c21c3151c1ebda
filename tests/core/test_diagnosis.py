"""What is wrong with a row, told with the step, the key and the component where it first shows."""

import re
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from attn_tui.core.attend import Reading, attend
from attn_tui.core.diagnosis import MOST_FAULTS, Fault, Inputs, find_faults
from attn_tui.core.temperature import zero_limit
from tests import known

INF, NAN = np.inf, np.nan


@pytest.mark.parametrize(
    ("reading", "place", "words"),
    [
        (attend([1, NAN], [[1, 2], [3, 4]]), ("query", None, 1), "q.d1 is nan: it enters every score"),
        (attend([1, 1], [[1, 0], [NAN, 0]]), ("keys", 1, 0), "k1.d0 is nan: every weight is nan"),
        (attend([1, 1], [[1, 0], [0, INF]]), ("keys", 1, 1), "weight 1 for k1"),
        (attend([1], [[1], [2]], mask=[0, 0]), ("mask", None, None), "0 of 2 keys may be attended: softmax undefined"),
        (attend([1e200], [[1], [1e200]]), ("score", 1, None), "q.k1 overflows in the dot product, before scaling"),
        (attend([1], [[1]], scale=1e6, dtype="float16"), ("scale", None, None), "the scale 1e+06 is above the float16"),
        (
            attend([1], [[1], [300]], scale=300, dtype="float16"),
            ("scale", 1, None),
            "k1: |300 x 300| = 90000 is above the float16 maximum 65504",
        ),
        (
            attend([1], [[3]], temperature=2e-8, dtype="float16"),
            ("temperature", None, None),
            "the temperature 2e-08 rounds to 0 in float16, as does 2.98e-08 or less",
        ),
        (
            attend([1], [[3]], temperature=1e6, dtype="float16"),
            ("temperature", None, None),
            "the temperature 1e+06 is above the float16 maximum 65504",
        ),
        (
            attend([1], [[3], [11], [-2]], temperature=1e-4, dtype="float16"),
            ("temperature", 1, None),
            "k1: |11 / 0.000100017| = 109982 is above the float16 maximum 65504",
        ),
        (
            attend([1], [[1], [2]], [[1, 2], [3, NAN]]),
            ("values", 1, 1),
            "k1.v1 is nan: so is component 1 of the output",
        ),
        (
            attend([1], [[1], [2]], [[1], [1e5]], dtype="float16"),
            ("values", 1, 0),
            "k1.v0: 100000 is above the float16 maximum 65504 -> inf",
        ),
    ],
)
def test_each_stage_is_named_with_its_key_and_component(
    reading: Reading, place: tuple[str, int | None, int | None], words: str
) -> None:
    (fault,) = reading.faults
    assert (fault.stage, fault.key, fault.dimension) == place
    assert words in fault.message


def test_a_sum_of_exps_that_overflows_is_named() -> None:
    reading = attend([1], [[1], [2]], dtype="float16")
    assert reading.steps is not None
    (fault,) = find_faults(reading.inputs, reading.scores, reading.weights, replace(reading.steps, total=INF))
    assert (fault.stage, fault.key) == ("sum", None)
    assert fault.message == "the sum of 2 exps is above the float16 maximum 65504: every weight is 0"


@pytest.mark.parametrize("dtype", ["float64", "float32", "float16"])
def test_a_sound_row_has_no_fault(dtype: str) -> None:
    reading = attend(known.GOLDEN["query"], known.GOLDEN["keys"], np.eye(5), dtype=dtype)
    assert reading.faults == []
    assert reading.is_sound


def test_the_first_broken_component_of_a_key_is_blamed_and_the_key_once() -> None:
    (fault,) = attend([1, 1, 1], [[1, NAN, INF], [1, 1, 1]]).faults
    assert (fault.key, fault.dimension) == (0, 1)


def test_labels_are_what_keys_are_called() -> None:
    (fault,) = attend([1], [[1], [NAN]], labels=["the", "cat"]).faults
    assert fault.message == '"cat".d0 is nan: every weight is nan'


def test_a_broken_query_is_not_blamed_on_the_scores() -> None:
    assert [fault.stage for fault in attend([NAN, INF], [[1, 2], [3, 4]]).faults] == ["query", "query"]


@pytest.mark.parametrize("count", [20, 4096])
def test_of_many_broken_keys_the_first_are_told_and_the_others_counted(count: int) -> None:
    assert MOST_FAULTS == 8
    faults = attend([1], [[NAN]] * count).faults
    assert len(faults) == MOST_FAULTS + 1
    assert [fault.key for fault in faults[:-1]] == list(range(MOST_FAULTS))
    assert faults[-1] == Fault("more", None, None, f"and {count - MOST_FAULTS} more like these")


def test_no_more_are_worded_than_are_told(monkeypatch: pytest.MonkeyPatch) -> None:
    told: list[int] = []
    name = Inputs.name

    def noted(inputs: Inputs, key: int) -> str:
        told.append(key)
        return name(inputs, key)

    monkeypatch.setattr(Inputs, "name", noted)
    assert len(attend([1], [[NAN]] * 4096).faults) == MOST_FAULTS + 1
    assert set(told) == set(range(MOST_FAULTS))


def test_with_a_broken_query_only_keys_that_are_broken_themselves_are_told_and_counted() -> None:
    sound, broken = [[1.0, 1.0]] * 20, [[1.0, NAN]]
    assert [(fault.stage, fault.key) for fault in attend([INF, 1], [*sound, *broken]).faults] == [
        ("query", None),
        ("keys", 20),
    ]
    assert attend([INF, 1], [*broken * 9, *sound]).faults[-1].message == "and 1 more like these"


@pytest.mark.parametrize(
    ("query", "keys", "words"),
    [
        ([1], [[-INF], [0]], "k0.d0 is -inf: its score is -inf and its weight 0"),
        ([-1e200], [[1e200], [0]], "; its score is -inf and its weight 0"),
        ([1], [[-INF]], "k0.d0 is -inf: every weight is nan"),
        ([-1e200], [[1e200]], "; every weight is nan, and subtracting the maximum does not cure it"),
        ([1, 1], [[-INF, INF], [0, 0]], "k0.d0 is -inf: every weight is nan"),
        (
            [1],
            [[-INF], [INF]],
            "k0.d0 is -inf: every weight is nan; the limit as the score of k1 goes to inf is weight 1 for k1",
        ),
    ],
)
def test_what_is_said_of_minus_infinity_is_what_the_weights_are(query: list[float], keys: Any, words: str) -> None:
    reading = attend(query, keys)
    assert reading.faults[0].message.endswith(words)
    _agrees_with_the_weights(reading)


@pytest.mark.parametrize("dtype", ["float64", "float16"])
@pytest.mark.parametrize("scale", [1.0, -1.0, 0.0])
@pytest.mark.parametrize(
    ("query", "keys"),
    [
        ([1], [[INF], [0]]),
        ([1], [[-INF], [0]]),
        ([1], [[INF], [-INF], [0]]),
        ([1], [[-INF], [-INF]]),
        ([1], [[INF], [INF], [0]]),
        ([1], [[INF], [NAN], [0]]),
        ([1], [[0], [1], [INF]]),
        ([1e200], [[1e200], [0]]),
        ([-1e200], [[1e200], [0]]),
        ([1e200], [[-1e200], [1e200]]),
        ([-300], [[300], [1]]),
        ([300], [[300], [-300]]),
    ],
)
def test_whatever_the_scale_a_fault_says_what_the_weights_are(
    query: list[float], keys: Any, scale: float, dtype: str
) -> None:
    _agrees_with_the_weights(attend(query, keys, scale=scale, dtype=dtype))


def _agrees_with_the_weights(reading: Reading) -> None:
    """What the faults of the scores say of the weights is so, and the limit is the one there is."""
    limit = zero_limit(reading.scores, reading.inputs.mask, reading.inputs.scale)
    for fault in reading.faults:
        if fault.stage not in {"keys", "score"}:
            continue
        assert fault.key is not None
        score, weight = reading.scores[fault.key], reading.weights[fault.key]
        assert ("every weight is nan" in fault.message) == bool(np.isnan(reading.weights).all())
        assert (f"its score is {score:g} and its weight {weight:g}" in fault.message) == bool(np.isfinite(weight))
        if "; the limit" in fault.message:
            told = re.search(r"weight 1 for k(\d)|is 1/(\d) for each", fault.message)
            assert told is not None
            assert limit[int(told[1])] == 1.0 if told[1] else np.count_nonzero(limit == 1.0 / int(told[2])) > 1


@pytest.mark.parametrize(
    ("key", "scale", "words"),
    [
        (INF, 1.0, "k0.d0 is inf: every weight is nan; the limit as its score goes to inf is weight 1 for k0"),
        (-INF, 1.0, "k0.d0 is -inf: its score is -inf and its weight 0"),
        (INF, -1.0, "k0.d0 is inf: its score is inf and its weight 0"),
        (-INF, -1.0, "k0.d0 is -inf: every weight is nan; the limit as its score goes to -inf is weight 1 for k0"),
        (INF, 0.0, "k0.d0 is inf: every weight is nan"),
        (-INF, 0.0, "k0.d0 is -inf: every weight is nan"),
    ],
)
def test_the_sign_of_the_scale_decides_what_an_infinity_does(key: float, scale: float, words: str) -> None:
    (fault,) = attend([1], [[key], [0]], scale=scale).faults
    assert fault.message == words


@pytest.mark.parametrize(
    ("query", "scale", "words"),
    [
        (1e200, 1.0, "; every weight is nan, and subtracting the maximum does not cure it"),
        (-1e200, 1.0, "; its score is -inf and its weight 0"),
        (1e200, -1.0, "; its score is inf and its weight 0"),
        (-1e200, -1.0, "; every weight is nan, and subtracting the maximum does not cure it"),
        (1e200, 0.0, "; every weight is nan, and subtracting the maximum does not cure it"),
        (-1e200, 0.0, "; every weight is nan, and subtracting the maximum does not cure it"),
    ],
)
def test_the_sign_of_the_scale_decides_what_an_overflow_does(query: float, scale: float, words: str) -> None:
    (fault,) = attend([query], [[1e200], [0]], scale=scale).faults
    assert fault.message.startswith("q.k0 overflows in the dot product, before scaling: a product or sum is above")
    assert fault.message.endswith(words)


def test_a_component_that_overflows_when_stored_is_named_with_the_limit_of_the_dtype() -> None:
    given_, _ = known.variants("A02")["key overflows on cast, cancels"]
    (fault,) = attend(given_["q"], given_["K"], dtype="float16").faults
    assert (fault.stage, fault.key, fault.dimension) == ("keys", 0, 0)
    assert fault.message == "k0.d0: 100000 is above the float16 maximum 65504 -> inf: every weight is nan"


def test_a_query_that_vanishes_in_the_dtype_makes_nan_of_infinity_and_not_minus_infinity() -> None:
    reading = attend([-1e-9], [[1e6], [0]], dtype="float16")
    assert np.isnan(reading.weights).all()
    assert reading.faults[0].message.endswith("-> inf: every weight is nan")


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("one +inf", "the limit as its score goes to inf is weight 1 for k1"),
        ("two +inf", "the limit, if the 2 scores of inf grow alike, is 1/2 for each of them"),
    ],
)
def test_the_limit_of_an_infinite_score_is_told_beside_the_nan(name: str, words: str) -> None:
    given_, wanted = known.variants("A02")[name]
    reading = attend(given_["q"], known.floats(given_["K"]))
    np.testing.assert_array_equal(reading.weights, known.floats(wanted["ieee_stable"]))
    assert words in reading.faults[0].message


def test_with_a_nan_beside_it_an_infinite_score_has_no_limit() -> None:
    assert attend([1], [[INF], [NAN]]).faults[0].message == "k0.d0 is inf: every weight is nan"


def test_float16_s_overflow_is_told_with_the_exact_dot_product() -> None:
    case = known.given("A14")
    faults = attend(case["q"], case["K"], scale=0.5, dtype="float16").faults
    assert [(fault.stage, fault.key) for fault in faults] == [("score", 0), ("score", 1)]
    for fault, dot in zip(faults, known.expected("A14")["exact_dots"], strict=True):
        assert f"before scaling: {dot:.6g} is above the float16 maximum 65504" in fault.message
        assert "subtracting the maximum does not cure it" in fault.message


def test_an_overflow_on_the_way_is_not_told_as_one_of_the_result() -> None:
    (fault,) = attend([300, 300, 1], [[300, -300, 1], [0, 0, 0]], dtype="float16").faults
    assert "a product or sum is above the float16 maximum 65504" in fault.message


def test_a_masked_value_that_is_nan_is_no_fault() -> None:
    assert attend([1], [[1], [2]], [[1], [NAN]], mask=[1, 0]).faults == []


def test_nothing_to_attend_names_the_convention() -> None:
    (fault,) = attend([1], [[NAN]], [[NAN]], mask=[0]).faults
    assert fault.stage == "mask"
    assert "0 by convention, as in PyTorch's safe softmax; unguarded code gives nan" in fault.message
