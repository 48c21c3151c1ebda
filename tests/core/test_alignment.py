"""Pairs of keys in which length overrules the angle."""

import numpy as np
import pytest
from numpy.typing import NDArray

from attn_tui.core.alignment import MOST_KEYS, Upset, find_upset
from attn_tui.core.scores import dot_scores
from tests import known

GOLDEN = known.GOLDEN
NAN = np.nan


def _found(query: object, keys: object, mask: object = None, about: int | None = None) -> Upset | None:
    """The pair among these keys."""
    q, k = known.floats(query), known.floats(keys)
    attended: NDArray[np.bool_] = np.ones(len(k), dtype=bool) if mask is None else np.asarray(mask, dtype=bool)
    return find_upset(q, k, dot_scores(q, k), attended, about)


def test_the_lesson_s_near_tie_of_k1_and_k4() -> None:
    upset = _found(GOLDEN["query"], GOLDEN["keys"])
    assert upset is not None
    assert upset.is_tie
    for found, key in ((upset.less, 1), (upset.more, 4)):
        assert found.key == key
        assert found.cosine == pytest.approx(GOLDEN["cosines"][key], rel=1e-14)
        assert found.norm == pytest.approx(GOLDEN["key_norms"][key], rel=1e-14)


UPSETS = [[1, 0], [3, 4], [0.2, 0.1], [2.99, 6]]
"""k1 and k3 are long and point away from the query [1, 0], k0 and k2 are short and point to it."""


def test_a_longer_key_beats_a_better_aligned_one() -> None:
    upset = _found([1, 0], [[1, 0], [3, 4]])
    assert upset is not None
    assert (upset.less.key, upset.more.key, upset.is_tie) == (1, 0, False)
    assert (upset.less.cosine, upset.more.cosine) == pytest.approx((0.6, 1.0))
    assert (upset.less.norm, upset.more.norm) == (5.0, 1.0)


def test_of_several_pairs_a_near_tie_comes_before_a_wide_gap() -> None:
    upset = _found([1, 0], UPSETS)
    assert upset is not None
    assert (upset.less.key, upset.more.key, upset.is_tie) == (3, 1, True)


@pytest.mark.parametrize("about", range(4))
def test_a_pair_about_a_given_key_comes_first(about: int) -> None:
    upset = _found([1, 0], UPSETS, about=about)
    assert upset is not None
    assert about in {upset.less.key, upset.more.key}


def test_about_a_key_that_is_in_no_pair_the_most_telling_one_is_found() -> None:
    keys = [*UPSETS, [-9, 0]]
    assert _found([1, 0], keys, about=4) == _found([1, 0], keys)


def test_there_is_none_when_lengths_agree() -> None:
    angles = np.linspace(0.0, np.pi, 7)
    assert _found([1, 0], np.stack([np.cos(angles), np.sin(angles)], axis=1)) is None


@pytest.mark.parametrize("keys", [[[1, 0]], [[1, 0], [1, 0]], [[0, 0], [0, 0]]])
def test_there_is_none_with_one_key_or_equal_ones(keys: list[list[float]]) -> None:
    assert _found([1, 0], keys) is None


def test_there_is_none_with_a_query_that_has_no_direction() -> None:
    assert _found([0, 0], UPSETS) is None


def test_masked_keys_are_ignored_even_when_asked_about() -> None:
    mask = [True, True, True, False]
    upset = _found([1, 0], UPSETS, mask, about=3)
    assert upset is not None
    assert upset == _found([1, 0], UPSETS[:3])
    assert _found([1, 0], UPSETS, [False, True, False, False]) is None
    assert _found([1, 0], UPSETS, [False] * 4) is None


@pytest.mark.parametrize("broken", [NAN, np.inf, -np.inf])
def test_keys_whose_score_is_no_number_are_ignored(broken: float) -> None:
    upset = _found([1, 0], [*UPSETS, [broken, 0]], about=4)
    assert upset is not None
    assert upset == _found([1, 0], UPSETS)
    assert _found([1, 0], [[broken, 1], [3, 4]]) is None


def test_among_many_keys_those_with_the_largest_scores_are_compared() -> None:
    low = np.stack([np.full(MOST_KEYS, 1e-3), np.zeros(MOST_KEYS)], axis=1)
    upset = _found([1, 0], [*low, [1, 0], [3, 4]])
    assert upset is not None
    assert upset.less.key == MOST_KEYS + 1
    assert _found([1, 0], [*low, *[[1, 0]] * MOST_KEYS, [1e-4, 9]]) is None
