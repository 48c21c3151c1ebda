"""Whatever the real libraries write is read back: every dtype, order, byte order, version and container."""

import csv
import io
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays

from attn_tui.files.containers import Container, from_bytes, open_container
from tests.files.containers import written
from tests.files.containers.written import Array

_PLAIN = ("f2", "f4", "f8", "i1", "i2", "i4", "i8", "u1", "u2", "u4", "u8")
_SMALL = (written.BFLOAT16, *written.FLOAT8)
_NAMES = st.text(st.characters(codec="utf-8", exclude_characters="/\0"), min_size=1, max_size=8).filter(
    lambda name: name.strip(".") and not name.endswith((".npy", "data.pkl")) and name not in {"file", "args", "kwds"}
)
_SHAPES = arrays.array_shapes(min_dims=0, max_dims=5, min_side=0, max_side=4)


@st.composite
def numpy_arrays(draw: st.DrawFn) -> Array:
    """An array of any dtype that NumPy saves and attention may need, in any order."""
    kind = draw(st.sampled_from(("plain", "bool", "text")))
    if kind == "text":
        dtype: Any = np.dtype(draw(st.sampled_from(("<U5", ">U3"))))
    else:
        dtype = np.dtype(draw(st.sampled_from("<>")) + draw(st.sampled_from(_PLAIN))) if kind == "plain" else bool
    array = draw(arrays.arrays(dtype, draw(_SHAPES)))
    return np.asarray(array, order=draw(st.sampled_from("CF")))


@st.composite
def tensors(draw: st.DrawFn) -> Array:
    """An array of any dtype that safetensors has."""
    dtype = draw(st.sampled_from((*map(np.dtype, _PLAIN), np.dtype(bool), *_SMALL)))
    shape = draw(_SHAPES)
    if dtype not in _SMALL:
        return draw(arrays.arrays(dtype, shape))
    codes = draw(arrays.arrays(np.dtype(f"u{dtype.itemsize}"), shape))
    return codes.view(dtype)


def _check(container: Container, expected: dict[str, Array]) -> None:
    """The container holds these arrays and no other, as it listed them."""
    assert [entry.name for entry in container.entries] == list(expected)
    for entry, array in zip(container.entries, expected.values(), strict=True):
        found = entry.read()
        assert entry.shape == array.shape
        assert entry.dtype == ("text" if array.dtype.kind in "US" else array.dtype.name)
        np.testing.assert_array_equal(_comparable(found), _comparable(array))


def _comparable(array: Array) -> Array:
    """Small floats by their bits, as a NaN is not equal to itself in a dtype of which NumPy knows nothing."""
    return np.array(array).view(f"u{array.dtype.itemsize}") if array.dtype in _SMALL else array


@given(numpy_arrays(), st.sampled_from(((1, 0), (2, 0), (3, 0))))
def test_npy(array: Array, version: tuple[int, int]) -> None:
    container = from_bytes(written.npy(array, version=version), "k.npy")
    _check(container, {"": array})
    assert container.name == "k.npy"
    assert container.notes == ()


@given(st.dictionaries(_NAMES, numpy_arrays(), min_size=1, max_size=4), st.booleans())
def test_npz(expected: dict[str, Array], compressed: bool) -> None:
    container = from_bytes(written.npz(expected, compressed=compressed), "dump.npz")
    _check(container, expected)
    assert container.notes == ()


@given(st.dictionaries(_NAMES, tensors(), min_size=1, max_size=4))
def test_safetensors(expected: dict[str, Array]) -> None:
    container = from_bytes(written.safetensors(expected), "model.safetensors")
    _check(container, dict(sorted(expected.items(), key=lambda item: _order(container, item[0]))))
    assert container.notes == ()


def _order(container: Container, name: str) -> int:
    """Where safetensors, which sorts by dtype, has put a tensor."""
    return [entry.name for entry in container.entries].index(name)


@given(
    st.dictionaries(
        _NAMES.filter(lambda name: name != "scene"),
        st.one_of(
            arrays.arrays(np.float64, arrays.array_shapes(min_dims=0, max_dims=4, max_side=4)),
            arrays.arrays(np.bool_, arrays.array_shapes(min_dims=0, max_dims=3, max_side=4)),
        ),
        min_size=1,
    ),
    st.sampled_from((None, 1)),
    st.booleans(),
)
def test_json(expected: dict[str, Array], indent: int | None, ascii_only: bool) -> None:
    named = {name: array.tolist() for name, array in expected.items()}
    text = json.dumps(named, indent=indent, ensure_ascii=ascii_only)
    _check(from_bytes(text.encode(), "s.json"), expected)


@given(arrays.arrays(np.float64, arrays.array_shapes(min_dims=1, max_dims=5, max_side=4)))
def test_a_lone_list_of_json(array: Array) -> None:
    _check(from_bytes(json.dumps(array.tolist()).encode(), "k.json"), {"": array})


@given(
    arrays.arrays(np.float64, st.tuples(st.integers(2, 6), st.integers(2, 6))),
    st.sampled_from((("k.csv", ","), ("k.tsv", "\t"))),
    st.sampled_from(("utf-8", "utf-8-sig", "utf-16")),
    st.booleans(),
)
def test_csv_and_tsv(array: Array, kind: tuple[str, str], encoding: str, labelled: bool) -> None:
    file = io.StringIO()
    writer = csv.writer(file, delimiter=kind[1])
    names = [f"key {row}" for row in range(len(array))]
    if labelled:
        writer.writerow(["", *(f"d{i}" for i in range(array.shape[1]))])
    writer.writerows([[names[i], *row] if labelled else row for i, row in enumerate(array.tolist())])
    container = from_bytes(file.getvalue().encode(encoding), kind[0])
    _check(container, {"": array} | ({"labels": np.array(names)} if labelled else {}))
    assert ("names the rows, key 0 to" in " ".join(container.notes)) == labelled


@pytest.mark.parametrize(
    ("name", "write"),
    [
        ("q.npy", lambda a: written.npy(a["q"])),
        ("d.npz", written.npz),
        ("c.npz", lambda a: written.npz(a, compressed=True)),
        ("m.safetensors", written.safetensors),
        ("s.json", lambda a: json.dumps({name: array.tolist() for name, array in a.items()}).encode()),
    ],
    ids=lambda one: one if isinstance(one, str) else "",
)
def test_a_file_on_disk_reads_as_its_bytes_do(
    name: str, write: Callable[[dict[str, Array]], bytes], tmp_path: Path
) -> None:
    path = tmp_path / name
    path.write_bytes(write({"q": np.arange(6.0).reshape(2, 3)}))
    container = open_container(path)
    assert container.name == name
    assert len(container.entries) == 1
    np.testing.assert_array_equal(container.entries[0].read(), np.arange(6.0).reshape(2, 3))


@pytest.mark.parametrize("dtype", [np.float16, np.float32, written.BFLOAT16, bool], ids=str)
def test_fortran_order_and_empty_arrays(dtype: Any) -> None:
    array = np.asfortranarray(np.arange(12).reshape(3, 4).astype(dtype))
    container = from_bytes(written.npy(array), "k.npy")
    np.testing.assert_array_equal(container.entries[0].read(), array)
    assert from_bytes(written.npy(array[:0]), "k.npy").entries[0].read().shape == (0, 4)
