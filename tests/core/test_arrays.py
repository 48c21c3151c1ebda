"""What the core takes as numbers and as a mask, and the sentences with which it refuses the rest."""

import numpy as np
import pytest

from attn_tui.core.arrays import as_floats, as_mask, frozen


@pytest.mark.parametrize(
    ("numbers", "sentence"),
    [
        ([[1.0, 2.0], [3.0]], "query is ragged: its rows differ in length"),
        ([1j, 2.0], "query holds complex numbers, not real numbers"),
        (["1.5", "2"], "query holds text, not real numbers"),
        ([b"1.5"], "query holds text, not real numbers"),
        ([None, 1.0], "query holds objects, not real numbers"),
        (np.array(["2020-01-01"], dtype="datetime64[D]"), r"query holds datetime64\[D\], not real numbers"),
        (np.zeros(2, dtype=[("x", "f8")]), "not real numbers"),
    ],
)
def test_what_is_no_array_of_real_numbers_is_refused_in_words(numbers: object, sentence: str) -> None:
    with pytest.raises(ValueError, match=sentence):
        as_floats(numbers, "query")


@pytest.mark.parametrize(("axes", "words"), [(1, "one axis"), (3, "3 axes")])
def test_a_wrong_number_of_axes_is_refused_with_the_shape(axes: int, words: str) -> None:
    with pytest.raises(ValueError, match=rf"keys needs {words}, and has shape \(2, 2\)"):
        as_floats([[1, 2], [3, 4]], "keys", axes)


@pytest.mark.parametrize("dtype", ["bool", "int8", "uint8", "int64", "uint64", "float16", "float32", "longdouble"])
def test_every_kind_of_real_number_becomes_float64(dtype: str) -> None:
    array = as_floats(np.array([0, 1, 1], dtype=dtype), "query")
    assert array.dtype == np.float64
    np.testing.assert_array_equal(array, [0.0, 1.0, 1.0])


@pytest.mark.parametrize("dtype", ["bfloat16", "float8_e4m3fn", "float8_e5m2"])
def test_the_small_floats_of_ml_dtypes_become_float64(dtype: str) -> None:
    kind = np.dtype(getattr(pytest.importorskip("ml_dtypes"), dtype))
    np.testing.assert_array_equal(as_floats(np.array([0.5, -2.0], dtype=kind), "query"), [0.5, -2.0])


def test_a_number_beyond_float64_becomes_infinite_without_a_warning() -> None:
    huge = np.array([1.0, np.finfo(np.longdouble).max])
    np.testing.assert_array_equal(
        as_floats(huge, "query"), huge.astype(np.float64) if huge.dtype == "f8" else [1, np.inf]
    )


@pytest.mark.parametrize("mask", [[True, False, True], [1, 0, 1], [1.0, 0.0, 1.0], np.array([1, 0, 1], dtype=np.uint8)])
def test_a_mask_of_true_and_false_and_one_of_1_and_0_are_the_same(mask: object) -> None:
    read = as_mask(mask, (3,))
    assert read.dtype == np.bool_
    np.testing.assert_array_equal(read, [True, False, True])


def test_no_mask_means_every_key() -> None:
    np.testing.assert_array_equal(as_mask(None, (2, 2)), np.ones((2, 2), dtype=bool))


@pytest.mark.parametrize("mask", [[0.0, -np.inf], [0, -1e9], [2, 1], [np.nan, 1.0]])
def test_a_mask_that_would_be_added_is_refused_in_words(mask: list[float]) -> None:
    with pytest.raises(ValueError, match="it selects, and is never added"):
        as_mask(mask, (2,))


@pytest.mark.parametrize("mask", [["yes", "no"], [[1, 0], [1]]])
def test_a_mask_of_something_else_is_refused_in_words(mask: object) -> None:
    with pytest.raises(ValueError, match=r"mask (holds text|is ragged)"):
        as_mask(mask, (2,))


def test_a_mask_of_another_shape_is_refused_with_both_shapes() -> None:
    with pytest.raises(ValueError, match=r"mask has shape \(2,\), the scores have \(4, 3\)"):
        as_mask([1, 0], (4, 3))


def test_a_mask_does_not_change_with_the_one_it_was_read_from() -> None:
    given = np.array([True, True])
    read = as_mask(given, (2,))
    given[0] = False
    assert read.all()


def test_a_frozen_array_can_be_written_by_nobody() -> None:
    array = np.array([1.0, 2.0])
    kept = frozen(array)
    array[0] = 5.0
    np.testing.assert_array_equal(kept, [1.0, 2.0])
    with pytest.raises(ValueError, match="read-only"):
        kept[0] = 3.0
    assert frozen(kept) is kept
