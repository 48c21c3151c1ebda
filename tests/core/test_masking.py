"""Masks added as numbers: what the dtype makes of the constant, and how far the result is from selection."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from attn_tui.core.masking import MASK_CONSTANTS, AddedMask, add_mask, constant_of, outcomes, output
from attn_tui.core.precision import precision
from attn_tui.core.softmax import softmax
from tests import known


def _added(scores: list[float], mask: list[int], name: str, dtype: str = "float64") -> AddedMask:
    """The mask added to bare scores."""
    kept, kind = np.array(mask, dtype=bool), precision(dtype)
    right = softmax(scores, mask=kept)
    return add_mask(kind.rounded(np.array(scores, dtype=float)), kept, kind, right, name)


@pytest.mark.parametrize("name", ["-1e9", "-1e4", "lowest"])
def test_a_constant_is_shown_as_float16_stores_it(name: str) -> None:
    wanted = known.expected("A05")["cast_of_constants"]
    kept = _added([1.0, 2.0], [1, 0], name, "float16").stored
    assert kept == float(wanted["-65504" if name == "lowest" else name])


@pytest.mark.parametrize("score", known.given("A05")["added_scores"])
def test_the_lowest_number_and_a_score_may_fall_off_float16(score: float) -> None:
    wanted = known.expected("A05")["min_plus_score"][f"{score:g}"]
    assert _added([1.0, score], [1, 0], "lowest", "float16").scores[1] == float(wanted)


@pytest.mark.parametrize("name", [variant["name"] for variant in known.given("A05")["variants"]])
def test_all_keys_masked_looks_like_a_distribution_or_is_nan_and_is_none(name: str) -> None:
    given_, wanted = known.variants("A05")[name]
    found = _added(given_["scores"], [0, 0], "lowest", given_.get("dtype", "float16"))
    np.testing.assert_array_equal(found.scores, known.floats(wanted["masked"]))
    np.testing.assert_array_equal(found.weights, known.floats(wanted["result"]))
    expected = "nan" if np.isnan(found.weights).any() else "looks like a distribution, and is none"
    assert found.outcome == expected
    assert (found.margin, found.largest_difference) == (None, None)


def test_a_score_below_the_constant_loses_to_the_masked_key() -> None:
    given_, wanted = known.variants("A07")["valid score below sentinel"]
    scores = [given_["q"][0] * key[0] for key in given_["K"]]
    found = _added(scores, given_["mask"], "-1e4")
    np.testing.assert_array_equal(found.weights, wanted["with_sentinel_weights"])
    assert found.margin == -10000.0
    assert found.is_thin
    assert found.outcome == "masked keys get weight"
    assert (found.leaked, found.largest_difference) == (1.0, 1.0)
    got = output(found.weights, np.array(given_["V"], dtype=float), precision("float64"))
    np.testing.assert_array_equal(got, wanted["with_sentinel_output"])


@pytest.mark.parametrize("dtype", ["float64", "float32"])
def test_what_all_masked_looks_like_depends_on_the_dtype(dtype: str) -> None:
    given_, wanted = known.variants("A07")[f"all masked, -1e9 added, {dtype}"]
    found = _added(given_["scores"], [0, 0, 0], "-1e9", dtype)
    np.testing.assert_allclose(found.weights, wanted["arithmetic_result"], rtol=1e-6)


@pytest.mark.parametrize(("dtype", "margin"), [("float32", 17), ("float64", 37)])
def test_the_least_margin_is_where_the_sum_no_longer_notices(dtype: str, margin: int) -> None:
    found = _added([0.0, 0.0], [1, 0], "-1e4", dtype)
    assert round(found.least_margin) == margin
    kind = precision(dtype)
    noticed, unnoticed = (kind.rounded_one(1.0 + math.exp(aside - found.least_margin)) for aside in (0.1, -0.1))
    assert noticed > 1.0
    assert unnoticed == 1.0


@given(st.lists(st.floats(-9.0, 9.0), min_size=2, max_size=6), st.sampled_from(["float64", "float32", "float16"]))
def test_minus_infinity_is_selection_as_long_as_scores_are_finite_and_one_counts(
    scores: list[float], dtype: str
) -> None:
    mask = [1] + [0] * (len(scores) - 1)
    found = _added(scores, mask, "-inf", dtype)
    assert found.outcome == "as selection"
    assert found.margin == math.inf
    assert not found.is_thin


@pytest.mark.parametrize("broken", [np.nan, np.inf])
@pytest.mark.parametrize("name", MASK_CONSTANTS)
def test_a_masked_score_that_is_no_number_spoils_the_row_whatever_is_added(name: str, broken: float) -> None:
    found = _added([1.0, broken], [1, 0], name)
    assert found.outcome in {"nan", "masked keys get weight"}
    assert found.outcome == "nan"


def test_every_constant_is_tried() -> None:
    scores, mask = np.array([-30.0, 5.0]), np.array([True, False])
    found = outcomes(scores, mask, precision("float32"), np.array([1.0, 0.0]))
    assert [one.name for one in found] == list(MASK_CONSTANTS)
    assert [one.outcome for one in found] == ["as selection"] * 4
    assert constant_of("lowest", precision("float16")) == -65504.0
