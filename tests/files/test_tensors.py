"""Live arrays of every kind come in exactly, stay as they were, or are refused in words."""

from typing import Any

import ml_dtypes
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp
from numpy.typing import NDArray

from attn_tui.files.errors import ForeignError
from attn_tui.files.tensors import as_array
from tests.files.tensor import Tensor

_DTYPES = ("float16", "float32", "float64", "int8", "int64", "uint8", "bool")
_SMALL = (ml_dtypes.bfloat16, ml_dtypes.float8_e4m3fn, ml_dtypes.float8_e5m2)


class OnlyDLPack:
    """An array that has DLPack and nothing else."""

    def __init__(self, array: NDArray[np.generic], device: int = 1) -> None:
        self._array, self._device = array, device

    def __dlpack__(self, **wishes: Any) -> Any:
        return self._array.__dlpack__(**wishes)

    def __dlpack_device__(self) -> tuple[int, int]:
        return self._device, 0


class OnlyArray:
    """An array that has `__array__` and nothing else."""

    def __init__(self, array: NDArray[np.generic]) -> None:
        self._array = array

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> NDArray[np.generic]:
        return np.array(self._array, dtype)


class Sparse:
    """As SciPy has them: neither `__array__` nor numbers that NumPy would find."""

    dtype = np.dtype(np.float64)

    def tocsr(self) -> "Sparse":
        return self


_FORMS = {
    "array": lambda array: array,
    "lists": lambda array: array.tolist(),
    "tuple of rows": tuple,
    "__array__": OnlyArray,
    "DLPack": OnlyDLPack,
    "tensor": Tensor,
    "list of tensors": lambda array: [Tensor(row) for row in array],
    "list of lists of tensors": lambda array: [[Tensor(number) for number in row] for row in array],
    "on a GPU, with a history": lambda array: Tensor(array, device="cuda", requires_grad=True),
    "reversed": lambda array: array[::-1].copy()[::-1],
    "read-only": lambda array: _sealed(array.copy()),
}


def _sealed(array: NDArray[Any]) -> NDArray[Any]:
    """The array, made read-only."""
    array.flags.writeable = False
    return array


@pytest.mark.parametrize("form", [form for form in _FORMS if form != "DLPack"])
@given(
    hnp.arrays(
        st.sampled_from(_DTYPES),
        hnp.array_shapes(min_dims=2, max_dims=2),
        elements=None,
    )
)
def test_every_form_gives_the_numbers_as_they_are_and_leaves_the_thing_alone(form: str, array: NDArray[Any]) -> None:
    before = array.copy()
    expected = array.astype(np.float64)
    got = as_array(_FORMS[form](array), "keys")
    assert got.dtype == np.float64
    np.testing.assert_array_equal(got, expected)
    assert array.tobytes() == before.tobytes()


@pytest.mark.parametrize("dtype", ["float16", "float32", "float64", "int32", "uint8"])
def test_dlpack_gives_the_numbers(dtype: str) -> None:
    array = np.arange(6).reshape(2, 3).astype(dtype)
    np.testing.assert_array_equal(as_array(OnlyDLPack(array), "keys"), array)


@pytest.mark.parametrize("dtype", _SMALL, ids=lambda dtype: dtype.__name__)
def test_every_small_float_is_exact(dtype: type) -> None:
    bits = np.arange(2 ** (8 * np.dtype(dtype).itemsize), dtype=f"u{np.dtype(dtype).itemsize}")
    numbers = bits.view(dtype)
    got = as_array(numbers, "keys")
    np.testing.assert_array_equal(got, [float(number) for number in numbers])
    np.testing.assert_array_equal(as_array(Tensor(numbers, requires_grad=True), "keys"), got)


def test_broken_numbers_come_in_broken() -> None:
    given = [[np.nan, np.inf], [-np.inf, -0.0]]
    for thing in (given, np.array(given), Tensor(np.array(given, np.float16)), np.array(given, ml_dtypes.bfloat16)):
        got = as_array(thing, "keys")
        np.testing.assert_array_equal(got, given)
        assert np.signbit(got[1, 1])


def test_large_integers_are_numbers() -> None:
    assert as_array([1, 10**20], "query").tolist() == [1.0, 1e20]


def test_a_masked_array_without_a_masked_entry_is_an_array() -> None:
    assert as_array(np.ma.array([1.0, 2.0], mask=[False, False]), "query").tolist() == [1.0, 2.0]


REFUSED = {
    "masked": (np.ma.array([1.0, 2.0], mask=[False, True]), "query has masked entries"),
    "masked row": ([np.ma.array([1.0, 2.0], mask=[True, True])], "query[0] has masked entries"),
    "complex": (np.array([1j]), "query holds complex numbers"),
    "complex list": ([1.0, 2j], "query holds complex numbers"),
    "complex tensor": (Tensor(np.array([1j])), "query holds complex numbers"),
    "objects": (np.array([1.0, None], dtype=object), "query holds objects of type float"),
    "None": (None, "query holds objects of type NoneType"),
    "None in a list": ([1.0, None], "query[1] holds objects of type NoneType"),
    "dict": ({"a": 1}, "query holds objects of type dict"),
    "generator": ((i for i in range(3)), "query holds objects of type generator"),
    "text": ("1 0", "query holds text"),
    "texts": (["1", "0"], "query holds text"),
    "dates": (np.array(["2020"], dtype="M8[Y]"), "query holds datetime64"),
    "ragged": ([[1.0], [1.0, 2.0]], "query is ragged"),
    "ragged arrays": ([np.ones(2), np.ones(3)], "query is ragged"),
    "ragged mixture": ([1.0, [2.0, 3.0]], "query is ragged"),
    "SciPy's sparse": (Sparse(), "query is sparse"),
    "torch's sparse": (Tensor(np.eye(2), layout="torch.sparse_coo"), "query is sparse"),
    "quantized": (Tensor(np.ones(2), is_quantized=True), "query is quantized"),
    "meta": (Tensor(np.ones(2), device="meta"), "query is on the meta device"),
    "GPU's DLPack": (OnlyDLPack(np.ones(2), device=2), "query is on another device"),
    "too large": ([10**400], "query has a number too large for float64"),
    "too large for float64": (np.array([np.longdouble("1e400")]), "query has a number too large for float64"),
    "a tensor that cannot be read": (Tensor(np.ones(2), breaks="no storage\nat line 3"), "no storage"),
}


@pytest.mark.parametrize("name", REFUSED)
def test_what_has_no_numbers_is_refused_in_a_sentence(name: str) -> None:
    thing, sentence = REFUSED[name]
    with pytest.raises(ForeignError) as refused:
        as_array(thing, "query")
    said = str(refused.value)
    assert sentence in said
    assert said.startswith("query")
    assert "\n" not in said


@pytest.mark.parametrize(
    "spoilt", [{"device": "cuda"}, {"requires_grad": True}, {"dtype": ml_dtypes.bfloat16}], ids=str
)
def test_the_tensor_of_these_tests_refuses_numpy_as_torch_does(spoilt: dict[str, Any]) -> None:
    tensor = Tensor(np.ones(2, spoilt.pop("dtype", np.float32)), **spoilt)
    with pytest.raises((TypeError, RuntimeError)):
        tensor.numpy()
    with pytest.raises((TypeError, RuntimeError)):
        np.asarray(tensor)


def test_a_real_torch_tensor_comes_in_where_there_is_torch() -> None:
    torch = pytest.importorskip("torch")
    tensor = torch.tensor([[1.1, -2.0], [3.5, 4.0]], dtype=torch.bfloat16, requires_grad=True)
    assert as_array(tensor, "keys").tolist() == [[1.1015625, -2.0], [3.5, 4.0]]
    assert tensor.requires_grad
