"""The causal mask, square and with unequal lengths."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from attn_tui.core.attend import attend_many
from attn_tui.core.causal import causal_mask, places, up_to
from tests import known

_CASE = known.variants("A10")


def test_a_query_sees_itself_and_what_comes_before() -> None:
    variant, wanted = _CASE["3x3, scores per row 0 1 2"]
    mask = causal_mask(3, 3)
    assert mask.tolist() == [[True, False, False], [True, True, False], [True, True, True]]
    read = attend_many([variant["q"]] * 3, variant["K"], mask=mask)
    assert np.allclose(read.weights, known.floats(wanted["right"]), rtol=1e-15, atol=0.0)


def test_fewer_queries_than_keys_are_the_last_ones() -> None:
    _, wanted = _CASE["2 queries, 5 keys, all scores 0"]
    read = attend_many(np.zeros((2, 1)), np.zeros((5, 1)), mask=causal_mask(2, 5))
    assert np.allclose(read.weights, known.floats(wanted["bottom_right"]), rtol=1e-15, atol=0.0)
    assert not np.allclose(read.weights, known.floats(wanted["top_left"]))


def test_more_queries_than_keys_leave_the_first_without_any() -> None:
    _, wanted = _CASE["5 queries, 2 keys, all scores 0"]
    mask = causal_mask(5, 2)
    assert np.flatnonzero(~mask.any(axis=1)).tolist() == wanted["bottom_right_rows_without_key"]
    read = attend_many(np.zeros((5, 1)), np.zeros((2, 1)), mask=mask)
    assert read.weights[3].tolist() == wanted["bottom_right_row3"]
    assert read.weights[4].tolist() == wanted["bottom_right_row4"]
    assert not read.weights[:3].any()
    assert np.isnan(read.entropies[:3]).all()
    assert np.allclose(read.entropies[3:], [0.0, np.log(2.0)])


@given(st.integers(1, 12), st.integers(1, 12))
def test_every_cell_is_as_the_definition_has_it(queries: int, keys: int) -> None:
    mask = causal_mask(queries, keys)
    assert mask.shape == (queries, keys)
    for i in range(queries):
        for j in range(keys):
            assert mask[i, j] == (queries - 1 - i <= keys - 1 - j)
    assert mask[-1].all()


@pytest.mark.parametrize(("queries", "keys"), [(4, 4), (2, 5), (5, 2)])
def test_some_rows_are_rows_of_the_whole(queries: int, keys: int) -> None:
    at = places(queries, keys)
    assert at[-1] == keys - 1
    assert np.array_equal(up_to(at[1:3], keys), causal_mask(queries, keys)[1:3])
