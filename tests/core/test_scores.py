"""Scores: the dot product, its terms, and the angle and lengths behind it."""

import math

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from mpmath import mpf

from attn_tui.core.scores import angles_degrees, contributions, cosines, dot_scores, norms
from tests import known, oracle
from tests.core.rows import SMALLEST, UNIT

GOLDEN = known.GOLDEN
vectors = st.integers(1, 16).flatmap(
    lambda size: st.lists(
        st.lists(st.floats(-1e3, 1e3, allow_subnormal=False), min_size=size, max_size=size), min_size=2, max_size=2
    )
)
sizes = st.floats(-300.0, 300.0).map(lambda exponent: 10.0**exponent)


@pytest.mark.parametrize(
    ("name", "compute"),
    [
        ("scores", dot_scores),
        ("cosines", cosines),
        ("angles_degrees", angles_degrees),
        ("contributions", contributions),
        ("key_norms", lambda _, keys: norms(keys)),
        ("query_norm", lambda query, _: norms(query)),
    ],
)
def test_the_lesson_s_figures(name: str, compute: type) -> None:
    np.testing.assert_allclose(compute(GOLDEN["query"], GOLDEN["keys"]), GOLDEN[name], rtol=1e-14)


@given(vectors)
def test_a_score_is_the_exact_dot_product_to_rounding(pair: list[list[float]]) -> None:
    query, key = pair
    got = float(dot_scores(query, [key])[0])
    size = math.fsum(abs(a * b) for a, b in zip(query, key, strict=True))
    assert abs(mpf(got) - oracle.dot(query, key)) <= (len(query) + 1) * UNIT * size + len(query) * SMALLEST


@given(vectors)
def test_a_score_is_the_sum_of_its_contributions(pair: list[list[float]]) -> None:
    query, key = pair
    parts = contributions(query, [key])[0]
    for part, q, k in zip(parts, query, key, strict=True):
        assert part == q * k
    assert dot_scores(query, [key])[0] == pytest.approx(math.fsum(parts), rel=1e-13, abs=1e-13 * np.abs(parts).sum())


@given(vectors, sizes)
def test_a_length_is_right_at_any_size(pair: list[list[float]], size: float) -> None:
    vector = np.array(pair[0]) * size
    assume(np.isfinite(vector).all() and np.abs(vector).max() < 1e307)
    assert abs(mpf(float(norms(vector))) - oracle.norm(vector.tolist())) <= (
        4 * UNIT * oracle.norm(vector.tolist()) + 4 * SMALLEST
    )


@given(vectors, sizes, sizes)
def test_angle_and_cosine_are_right_at_any_length(pair: list[list[float]], a: float, b: float) -> None:
    query, key = np.array(pair[0]) * a, np.array(pair[1]) * b
    assume(all(1e-290 < np.abs(v).max() < 1e307 for v in (query, key)))
    got, angle = float(cosines(query, [key])[0]), float(angles_degrees(query, [key])[0])
    assert got == pytest.approx(float(oracle.cosine(query.tolist(), key.tolist())), abs=8 * UNIT)
    wanted = float(oracle.angle_degrees(query.tolist(), key.tolist()))
    assert angle == pytest.approx(wanted, rel=2e-15, abs=2e-14)
    assert -1.0 <= got <= 1.0
    assert 0.0 <= angle <= 180.0


def test_a_small_angle_keeps_its_digits() -> None:
    wanted = float(oracle.angle_degrees([1.0, 0.0], [1.0, 1e-9]))
    assert angles_degrees([1.0, 0.0], [[1.0, 1e-9]])[0] == pytest.approx(wanted, rel=1e-14, abs=0.0)
    assert wanted == pytest.approx(math.degrees(1e-9), rel=1e-14, abs=0.0)


def test_aligned_is_0_degrees_opposed_180_and_a_right_angle_90() -> None:
    keys = [[2.0, 2.0], [-3.0, -3.0], [1.0, -1.0]]
    np.testing.assert_array_equal(angles_degrees([1.0, 1.0], keys), [0.0, 180.0, 90.0])
    np.testing.assert_allclose(cosines([1.0, 1.0], keys), [1.0, -1.0, 0.0], atol=UNIT)


def test_a_zero_vector_has_no_angle() -> None:
    keys = [[0.0, 0.0], [1.0, 2.0]]
    for undefined in (cosines, angles_degrees):
        np.testing.assert_array_equal(np.isnan(undefined([1.0, 2.0], keys)), [True, False])
        assert np.isnan(undefined([0.0, 0.0], keys)).all()


@pytest.mark.parametrize("broken", [np.nan, np.inf, -np.inf])
def test_a_vector_that_is_not_finite_has_no_angle(broken: float) -> None:
    for undefined in (cosines, angles_degrees):
        np.testing.assert_array_equal(np.isnan(undefined([1.0, 2.0], [[1.0, broken], [1.0, 2.0]])), [True, False])


def test_a_length_is_infinite_with_an_infinite_component_and_nan_with_nan() -> None:
    np.testing.assert_array_equal(norms([[1.0, -np.inf], [np.inf, np.nan], [0.0, 0.0]]), [np.inf, np.nan, 0.0])


def test_a_length_beyond_float64_is_infinite() -> None:
    assert norms([1.7e308, 1.7e308]) == np.inf
    assert norms([SMALLEST, 0.0]) == SMALLEST


def test_many_queries_are_scored_at_once() -> None:
    queries = np.arange(24.0).reshape(2, 3, 4)
    keys = np.array([[1.0, -1.0, 2.0, 0.5], [0.0, 3.0, 1.0, -2.0]])
    scores = dot_scores(queries, keys)
    assert scores.shape == (2, 3, 2)
    for b in range(2):
        for i in range(3):
            np.testing.assert_array_equal(scores[b, i], dot_scores(queries[b, i], keys))


@pytest.mark.parametrize("name", ["int8", "int16", "int32"])
def test_integers_do_not_wrap(name: str) -> None:
    given_, wanted = known.variants("A23")[name]
    scores = dot_scores(np.array(given_["q"], dtype=name), np.array(given_["K"], dtype=name))
    np.testing.assert_array_equal(scores, [wanted["right"]])


@pytest.mark.parametrize("compute", [dot_scores, contributions, cosines, angles_degrees])
def test_head_sizes_that_differ_are_refused_with_both(compute: type) -> None:
    with pytest.raises(ValueError, match=r"the query has 3 components, the keys have 1 component$"):
        compute([1.0, 2.0, 3.0], [[1.0], [2.0]])


@pytest.mark.parametrize("keys", [np.zeros((0, 2)), np.zeros((2, 0))])
def test_no_key_or_no_component_is_refused(keys: np.ndarray) -> None:
    with pytest.raises(ValueError, match="at least one key with at least one component"):
        dot_scores(np.zeros(keys.shape[1]), keys)


def test_a_single_number_is_no_query() -> None:
    with pytest.raises(ValueError, match="query needs one axis"):
        dot_scores(3.0, [[1.0]])
