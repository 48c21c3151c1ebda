"""Softer, base and sharper, and the curves along the axis of temperatures."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from attn_tui.core.attend import attend
from attn_tui.core.measures import shannon_entropy
from attn_tui.core.sharpening import FACTOR, distances_along, entropies_along, softer_base_sharper, weights_along
from attn_tui.core.softmax import distribution
from tests import known

TEMPERATURES = np.geomspace(0.01, 1e5, 29)
EVERYTHING = np.ones(3, dtype=bool)


def test_softer_and_sharper_are_the_lesson_s_temperatures() -> None:
    scores, mask = known.floats(known.GOLDEN["scores"]), np.ones(5, dtype=bool)
    figures = {row["temperature"]: row for row in known.GOLDEN["at_temperature"]}
    softer, base, sharper = softer_base_sharper(scores, mask, 1.0, 1.0)
    assert [row.temperature for row in (softer, base, sharper)] == [FACTOR, 1.0, 1.0 / FACTOR]
    for row in (softer, base, sharper):
        np.testing.assert_allclose(row.weights, figures[row.temperature]["weights"], rtol=1e-13)
        assert row.entropy == pytest.approx(figures[row.temperature]["entropy"], rel=1e-13, abs=0.0)
        assert row.peak == pytest.approx(figures[row.temperature]["peak"], rel=1e-14, abs=0.0)
    assert softer.entropy > base.entropy > sharper.entropy


@pytest.mark.parametrize(("temperature", "softer", "sharper"), [(1e308, math.inf, 2.5e307), (5e-324, 2e-323, 0.0)])
def test_a_temperature_that_float64_does_not_hold_is_the_nearest(
    temperature: float, softer: float, sharper: float
) -> None:
    rows = softer_base_sharper(np.array([1.0, 2.0, 3.0]), EVERYTHING, temperature, 1.0)
    limits = np.finfo(np.float64)
    assert [row.temperature for row in rows] == [min(softer, limits.max), temperature, max(sharper, 5e-324)]
    assert all(np.isfinite(row.weights).all() for row in rows)


@given(st.lists(st.floats(-50.0, 50.0), min_size=2, max_size=8), st.floats(0.01, 1e4), st.sampled_from([1.0, -0.5]))
def test_a_curve_is_the_softmax_at_each_temperature(scores: list[float], temperature: float, scale: float) -> None:
    array = np.array(scores)
    row = distribution(array, None, temperature, scale)
    rows = [distribution(array, None, tau, scale) for tau in TEMPERATURES]
    entropies = entropies_along(row, temperature, TEMPERATURES)
    np.testing.assert_allclose(entropies, [shannon_entropy(at) for at in rows], rtol=0.0, atol=1e-9)
    weights = weights_along(row, temperature, TEMPERATURES, [1, 0])
    np.testing.assert_allclose(weights, [at.weights[[1, 0]] for at in rows], rtol=0.0, atol=1e-9)


def test_curves_start_from_the_scores_and_not_from_weights_that_a_dtype_rounded() -> None:
    reading = attend([1], [[0], [-30], [-40]], temperature=1000, dtype="float16")
    exact = [distribution(reading.scores, None, tau) for tau in TEMPERATURES]
    entropies = entropies_along(reading.unrounded, 1000.0, TEMPERATURES)
    np.testing.assert_allclose(entropies, [shannon_entropy(row) for row in exact], rtol=0.0, atol=1e-9)
    weights = weights_along(reading.unrounded, 1000.0, TEMPERATURES, [0, 1, 2])
    np.testing.assert_allclose(weights, [row.weights for row in exact], rtol=0.0, atol=1e-9)
    rounded = entropies_along(reading.distribution, 1000.0, TEMPERATURES)
    assert np.abs(rounded - entropies).max() > 1e-3


def test_in_float64_nothing_was_rounded() -> None:
    reading = attend([1], [[0], [-30], [-40]])
    assert reading.unrounded is reading.distribution


def test_a_masked_key_has_no_weight_on_any_curve() -> None:
    row = distribution(np.array([1.0, 9.0, 2.0]), [True, False, True])
    np.testing.assert_array_equal(weights_along(row, 1.0, TEMPERATURES, [1]), np.zeros((TEMPERATURES.size, 1)))
    exact = [shannon_entropy(distribution(np.array([1.0, 2.0]), None, tau)) for tau in TEMPERATURES]
    np.testing.assert_allclose(entropies_along(row, 1.0, TEMPERATURES), exact, rtol=0.0, atol=1e-9)


@pytest.mark.parametrize("temperature", [1e-300, 1.0, 1e308])
def test_a_largest_score_stays_the_largest_however_far_the_temperatures_are(temperature: float) -> None:
    distances = distances_along(np.array([0.0, -2.0, -np.inf]), temperature, np.array([1e-308, 1.0, 1e300]))
    assert np.isfinite(distances).all()
    np.testing.assert_array_equal(distances[:, 0], [0.0, 0.0, 0.0])
    assert (distances[:, 1:] <= 0.0).all()
