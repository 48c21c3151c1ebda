"""What is worth saying of a row that is sound."""

import numpy as np
import pytest

from attn_tui.core.attend import Reading, attend
from tests import known


@pytest.mark.parametrize(
    ("reading", "words"),
    [
        (
            attend([1, 1], [[9, 9], [0, 1]]),
            "collapsed: k0 holds 1.00000 of the weight; models divide scores by sqrt(hs)",
        ),
        (attend([1], [[9], [0]], scale=3), "collapsed: k0 holds 1.00000 of the weight"),
        (attend([1], [[2], [2]]), "flat: all scores are equal, so every key gets the same weight at any temperature"),
        (
            attend([1], [[2], [2.5]], temperature=100),
            "flat: the scores differ by 0.005 after scale 1 and temperature 100",
        ),
        (attend([1], [[2], [12]], scale=1e-5), "flat: the scores differ by 0.0001 after scale 1e-05 and temperature 1"),
        (attend([1], [[2], [12]], scale=-1e-5), "flat: the scores differ by 0.0001 after scale -1e-05"),
        (attend([1], [[2], [12]], scale=0), "flat: the scores differ by 0 after scale 0 and temperature 1"),
        (
            attend([1], [[0], [0.125]], temperature=1024, dtype="float16"),
            "flat: the scores differ by 0.000122 after scale 1 and temperature 1.02e+03",
        ),
        (attend([1], [[1.5e308], [-1.5e308]], temperature=1e308, scale=1e-9), "flat: the scores differ by"),
        (attend([1], [[2], [3]], mask=[0, 1]), "only k1 may be attended: its weight is 1 whatever its score"),
        (attend([1], [[710], [709]]), "the naive softmax gives nan: exp(710) overflows float64, above 709.783"),
        (attend([1], [[-800], [-801]]), "the naive softmax gives nan: every exp is 0, below -745.133 in float64"),
        (attend([1], [[709.5], [709.5]]), "the naive softmax gives all zeros: the sum of exps overflows float64"),
        (attend([1], [[12], [10]], dtype="float16"), "exp(12) overflows float16, above 11.0901"),
        (attend([1], [[1], [np.nan]], mask=[1, 0]), "k1.d0 is nan, but masked: harmless here, while adding -inf"),
        (attend([1], [[1], [2]], scale=-1), "the scale is below 0: the ranking is turned round"),
        (attend([1], [[1], [2]], scale=0), "the scale is 0: every finite score counts the same"),
        (
            attend([1] * 16, [[1] * 16], scale=0.25, temperature=4),
            "the temperature is sqrt(hs) = 4 and there is a scale",
        ),
        (attend([0], [[1], [2]]), "the query is the zero vector"),
        (attend([1], [[1], [0]]), "k1 is the zero vector: its score is 0 and its cosine undefined"),
        (attend([1], [[1], [0], [0]]), "k1 and 1 more is the zero vector"),
    ],
)
def test_a_fact_is_told(reading: Reading, words: str) -> None:
    assert any(words in note for note in reading.notes), reading.notes


@pytest.mark.parametrize("dtype", ["float64", "float32", "float16"])
def test_an_ordinary_row_needs_no_note(dtype: str) -> None:
    assert attend(known.GOLDEN["query"], known.GOLDEN["keys"], dtype=dtype).notes == []


def test_a_remedy_is_not_told_where_a_scale_is_set() -> None:
    (note,) = attend([1, 1], [[9, 9], [0, 1]], scale=0.9).notes
    assert "sqrt" not in note


def test_naive_is_not_said_to_fail_where_only_the_order_of_scaling_would() -> None:
    notes = attend([1], [[1e200], [1.0]], temperature=1e308, scale=1e109).notes
    assert not any("naive" in note for note in notes)


def test_a_broken_row_is_not_called_collapsed_or_flat() -> None:
    assert attend([1], [[1], [np.nan]]).notes == []
