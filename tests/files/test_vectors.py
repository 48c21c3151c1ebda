"""Pasted text: every printed form reads as the numbers it shows, and everything else is refused in words."""

import contextlib
import csv
import io
import json
import time
from collections.abc import Callable
from pathlib import Path
from typing import Literal

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays
from numpy.typing import NDArray

from attn_tui.files import vectors
from attn_tui.files.errors import ForeignError
from attn_tui.files.numbers import format_exact
from attn_tui.files.vectors import parse_mask, parse_named, parse_vectors
from tests.files import prints

Array = NDArray[np.float64]
FloatMode = Literal["unique", "maxprec"]
CASES = json.loads((Path(__file__).parents[1] / "data" / "cases_text.json").read_text(encoding="utf-8"))


def _of_kind(kind: str) -> list[object]:
    """The reported cases that expect this."""
    return [pytest.param(case, id=case["case"]) for case in CASES if kind in case]


def _as_array(values: object) -> Array:
    """Numbers of a case, where 'nan' and '-inf' are text."""
    return np.array(values, dtype=np.float64)


@pytest.mark.parametrize("case", _of_kind("values"))
def test_reported_texts_read_as_expected(case: dict[str, object]) -> None:
    parsed = parse_vectors(str(case["text"]))
    np.testing.assert_array_equal(parsed.array, _as_array(case["values"]))
    assert parsed.array.dtype == np.float64
    assert parsed.dtype == case.get("dtype")
    assert case.get("note") in (None, *parsed.notes)


@pytest.mark.parametrize("case", _of_kind("refused"))
def test_reported_texts_are_refused_with_the_reason(case: dict[str, object]) -> None:
    with pytest.raises(ForeignError) as refusal:
        parse_vectors(str(case["text"]))
    assert str(case["refused"]) in str(refusal.value)


@pytest.mark.parametrize("case", _of_kind("named"))
def test_reported_objects_read_by_name(case: dict[str, dict[str, object]]) -> None:
    named = parse_named(str(case["text"]))
    assert list(named) == list(case["named"])
    for name, values in case["named"].items():
        np.testing.assert_array_equal(named[name].array, _as_array(values))


@pytest.mark.parametrize("case", _of_kind("mask"))
def test_reported_masks_read_as_masks(case: dict[str, object]) -> None:
    assert parse_mask(str(case["text"])).tolist() == case["mask"]


@pytest.mark.parametrize("printed", [pytest.param(one, id=one.source) for one in prints.PRINTS])
def test_reads_what_a_library_prints(printed: prints.Print) -> None:
    parsed = parse_vectors(printed.text)
    np.testing.assert_array_equal(parsed.array, _as_array(printed.numbers))
    assert (parsed.labels, parsed.dtype) == (printed.labels, printed.dtype)
    assert printed.note is None or printed.note in parsed.notes


@pytest.mark.parametrize(("text", "sentence"), prints.REFUSED)
def test_refuses_with_place_and_reason(text: str, sentence: str) -> None:
    with pytest.raises(ForeignError) as refusal:
        parse_vectors(text)
    assert sentence in str(refusal.value)


@pytest.mark.parametrize(("text", "names"), prints.NAMED)
def test_finds_arrays_by_name(text: str, names: dict[str, object]) -> None:
    assert {name: parsed.array.tolist() for name, parsed in parse_named(text).items()} == names


def test_a_name_that_comes_twice_is_refused() -> None:
    with pytest.raises(ForeignError, match="two arrays are called 'q'"):
        parse_named('{"q": [1, 2], "q": [3, 4]}')


@pytest.mark.parametrize(
    ("text", "length", "numbers"),
    [
        ("0,5 1,5", 2, [0.5, 1.5]),
        ("0,5 1,5", 4, [0.0, 5.0, 1.0, 5.0]),
        ("0,5", 2, [0.0, 5.0]),
        ("0,5", 1, [0.5]),
        ("1,234.5 2", 3, [1.0, 234.5, 2.0]),
        ("1,234.5 2", 2, [1234.5, 2.0]),
        ("tensor(3.)", 1, [3.0]),
        ("(2, 64)", 2, [2.0, 64.0]),
        ("1.5, 2,\n3, 4", 4, [1.5, 2.0, 3.0, 4.0]),
    ],
)
def test_the_expected_length_settles_what_is_ambiguous(text: str, length: int, numbers: list[float]) -> None:
    assert parse_vectors(text, length).array.tolist() == numbers


@pytest.mark.parametrize(
    ("text", "mask"),
    [("1 0 1", [True, False, True]), ("TRUE FALSE", [True, False]), ("tensor([True, False])", [True, False])],
)
def test_reads_a_mask(text: str, mask: list[bool]) -> None:
    assert parse_mask(text).tolist() == mask


def test_a_mask_of_other_numbers_is_refused() -> None:
    with pytest.raises(ForeignError, match="a mask is made of 1"):
        parse_mask("[1, 0, 0.5]")


def _printed(array: Array, layout: Callable[[Array], str], floatmode: FloatMode = "unique") -> str:
    """An array as NumPy prints it, no number left out; in mode 'unique' with digits enough to read it back."""
    with np.printoptions(threshold=10**9, floatmode=floatmode):
        return layout(array)


def _delimited(delimiter: str) -> Callable[[Array], str]:
    """A writer of CSV, TSV and their like."""

    def write(array: Array) -> str:
        out = io.StringIO()
        rows = np.atleast_2d(array).tolist()
        csv.writer(out, delimiter=delimiter).writerows([[repr(number) for number in row] for row in rows])
        return out.getvalue()

    return write


def _markdown(array: Array) -> str:
    """A Markdown table with a heading and row names."""
    rows = np.atleast_2d(array)
    heading = f"| key | {' | '.join(f'd{column}' for column in range(rows.shape[1]))} |"
    rule = f"|---|{'---:|' * rows.shape[1]}"
    lines = [f"| k{i} | {' | '.join(format_exact(number) for number in row)} |" for i, row in enumerate(rows.tolist())]
    return "\n".join([heading, rule, *lines])


_numbers = st.floats(width=64)
_arrays = arrays.arrays(np.float64, arrays.array_shapes(min_dims=1, max_dims=2, max_side=7), elements=_numbers)
_ROUND_TRIPS: dict[str, Callable[[Array], str]] = {
    "tolist": lambda array: str(array.tolist()),
    "json": lambda array: json.dumps(array.tolist()),
    "csv": _delimited(","),
    "tsv": _delimited("\t"),
    "semicolons": _delimited(";"),
    "markdown": _markdown,
    "repr": np.array_repr,
    "str": np.array_str,
    "tuples": lambda array: str(tuple(array.tolist()) if array.ndim == 1 else tuple(map(tuple, array.tolist()))),
    "objects": lambda array: json.dumps({"q": array.tolist()}),
}


@pytest.mark.parametrize("form", _ROUND_TRIPS)
@given(array=_arrays)
def test_printed_arrays_read_back(form: str, array: Array) -> None:
    text = _printed(array, _ROUND_TRIPS[form])
    read = parse_vectors(text).array
    np.testing.assert_array_equal(read.reshape(-1), array.reshape(-1))
    if form in ("tolist", "json", "repr", "str", "tuples", "objects"):
        assert read.shape == array.shape


@given(_arrays)
def test_default_prints_read_back_to_the_digits_printed(array: Array) -> None:
    bounded = np.clip(np.nan_to_num(array), -1e6, 1e6)
    for layout in (np.array_str, np.array_repr):
        read = parse_vectors(_printed(bounded, layout, "maxprec")).array
        np.testing.assert_allclose(read, bounded, rtol=1e-8, atol=1e-8)


_ALPHABET = "0123456789+-.,;:eE_ \t\n\r[](){}<>|│─*=\"'#%$anifxtrueT\u2212\u2026\u00a0\ufeff\x00\x1b"


@given(st.text(alphabet=_ALPHABET, max_size=80))
def test_any_text_is_numbers_or_a_sentence(text: str) -> None:
    _read_or_refuse(text)


@given(
    st.sampled_from([printed.text for printed in prints.PRINTS]),
    st.lists(st.tuples(st.integers(0, 10**6), st.sampled_from(["", *_ALPHABET])), min_size=1, max_size=6),
)
def test_changed_prints_are_numbers_or_a_sentence(text: str, changes: list[tuple[int, str]]) -> None:
    for place, character in changes:
        at = place % (len(text) + 1)
        text = text[:at] + character + text[at + 1 :]
    _read_or_refuse(text)


def _read_or_refuse(text: str) -> None:
    """Whatever the text, nothing but ForeignError comes out, and what is read is float64 of one or two axes."""
    for length in (None, 2):
        with contextlib.suppress(ForeignError):
            parsed = parse_vectors(text, length)
            assert parsed.array.dtype == np.float64
            assert parsed.array.ndim in (1, 2)
            assert parsed.array.size > 0
            assert parsed.labels is None or len(parsed.labels) == len(parsed.array)
    for parse in (parse_named, parse_mask):
        with contextlib.suppress(ForeignError):
            assert len(parse(text)) > 0


@pytest.mark.parametrize("unit", ["[", "(", "{", "-", "9", "]", ",", ".", '"', "|", "<", "- ", "a ", "[]", "tensor("])
def test_hostile_text_ends_soon_with_a_sentence(unit: str) -> None:
    text = unit * (1_000_000 // len(unit))
    begun = time.process_time()
    with pytest.raises(ForeignError) as refusal:
        parse_vectors(text)
    assert time.process_time() - begun < 1.0
    assert len(str(refusal.value)) < 300


@pytest.mark.parametrize("unit", ["[1],", "1,5 ", "a 1\n", "1\n", "|-", "| ", "device=[", "# \n", '"a,', "1e999,"])
def test_time_grows_with_the_text_and_no_faster(unit: str) -> None:
    """Ten times the text takes about ten times as long; a hundred times would be quadratic."""
    short, long = (_seconds(f"[{unit * count}" if unit == "[1]," else unit * count) for count in (5_000, 50_000))
    assert long < 40 * short + 0.1


def _seconds(text: str) -> float:
    """Processor time to read a text, or to refuse it."""
    begun = time.process_time()
    with contextlib.suppress(ForeignError):
        parse_vectors(text)
    return time.process_time() - begun


def test_text_that_is_too_long_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(vectors, "LONGEST_TEXT", 10)
    assert parse_vectors("1 2 3 4 5 ").array.size == 5
    with pytest.raises(ForeignError, match="this text has 11 characters, more than 10"):
        parse_vectors("1 2 3 4 5 6")


def test_row_names_are_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("attn_tui.files.columns.MOST_LABELS", 2)
    with pytest.raises(ForeignError, match="more than 2 row names"):
        parse_vectors("a 1\nb 2\nc 3")
