"""Live arrays from a person's program as float64: lists, NumPy, torch, JAX, anything with `__array__` or DLPack.

No library is imported for it: a tensor is asked, by its own methods, to come to the CPU and to be float64.
"""

from collections.abc import Callable
from typing import Protocol, TypeGuard, cast

import numpy as np
from numpy.typing import ArrayLike, NDArray

from attn_tui.core.arrays import FloatArray, as_floats
from attn_tui.files.errors import ForeignError
from attn_tui.files.visible import visible

_CPU_DEVICES = frozenset({1, 3, 11, 13})
"""DLPack's numbers for memory that the CPU reads: its own, and what CUDA, ROCm and oneAPI pin or share for it."""
_UNREADABLE = (TypeError, ValueError, RuntimeError, BufferError, AttributeError)
"""What libraries raise when their arrays cannot be handed over."""


class Tensor(Protocol):
    """What is asked of a torch tensor; torch itself is not imported."""

    def detach(self) -> "Tensor":
        """The same numbers without their history."""
        ...

    def cpu(self) -> "Tensor":
        """The same numbers where the CPU reads them."""
        ...

    def double(self) -> "Tensor":
        """The same numbers as float64, which holds every bfloat16, float8, float16 and float32 exactly."""
        ...

    def numpy(self) -> NDArray[np.float64]:
        """The same numbers as an array."""
        ...


def as_array(thing: object, name: str) -> FloatArray:
    """The numbers of something array-like as float64, of whatever shape it has; the thing itself stays as it is.

    The array may share memory with the thing. Raises ForeignError, naming `name`, for what is sparse, masked, complex,
    ragged, has no numbers, or has some that float64 does not hold.
    """
    try:
        return _floats(_plain(thing, name), name)
    except ForeignError:
        raise
    except OverflowError:
        raise ForeignError(f"{name} has a number too large for float64") from None
    except _UNREADABLE as error:
        raise ForeignError(_sentence(thing, name, error)) from None


def _floats(plain: object, name: str) -> FloatArray:
    """An array or nested lists as float64. Raises OverflowError for a number that becomes infinite, ValueError."""
    with np.errstate(invalid="ignore"):  # a signalling nan becomes a quiet one, and is nan all the same
        array = as_floats(cast("ArrayLike", plain), name)
        if np.isinf(array).sum() > np.isinf(np.asarray(plain)).sum():
            raise OverflowError
    return array


def _plain(thing: object, name: str) -> object:
    """The thing as an array, or as the nested lists of numbers and arrays that it is. Raises ForeignError."""
    if isinstance(thing, (list, tuple)):
        return _rows([_plain(part, f"{name}[{i}]") for i, part in enumerate(cast("list[object]", thing))])
    if isinstance(thing, (float, complex, str)):
        return thing
    if isinstance(thing, int):
        return float(thing)
    for why, is_so in _REFUSED.items():
        if is_so(thing):
            raise ForeignError(f"{name} {why}")
    if _is_tensor(thing):
        return thing.detach().cpu().double().numpy()
    array = _from_dlpack(thing, name) if _has_only_dlpack(thing) else np.asarray(thing)
    if array.dtype == np.object_:
        raise ForeignError(f"{name} holds {_first_object(array)}, not real numbers")
    return array


def _rows(parts: list[object]) -> object:
    """A list's parts as they are, or as one array where all are arrays, which may be many and long."""
    if parts and all(isinstance(part, np.ndarray) for part in parts):
        return np.stack(cast("list[NDArray[np.generic]]", parts))
    return parts


def _is_tensor(thing: object) -> TypeGuard[Tensor]:
    """Whether this is a tensor as torch has them."""
    return all(hasattr(thing, method) for method in ("detach", "cpu", "double", "numpy"))


def _has_only_dlpack(thing: object) -> bool:
    """Whether DLPack is the one way to the numbers."""
    return hasattr(thing, "__dlpack__") and not hasattr(thing, "__array__")


def _from_dlpack(thing: object, name: str) -> NDArray[np.generic]:
    """The array behind the DLPack protocol. Raises ForeignError for one in another device's memory."""
    device = getattr(thing, "__dlpack_device__", None)
    if callable(device) and int(cast("tuple[int, int]", device())[0]) not in _CPU_DEVICES:
        raise ForeignError(f"{name} is on another device: bring it to the CPU first")
    return cast("NDArray[np.generic]", np.from_dlpack(thing))  # pyright: ignore[reportArgumentType] - it was asked for


def _is_masked(thing: object) -> bool:
    """Whether some entries are masked, as `np.ma` has them: what they are is not said, and is not made up."""
    return isinstance(thing, np.ma.MaskedArray) and bool(np.ma.getmaskarray(cast("NDArray[np.generic]", thing)).any())


def _is_sparse(thing: object) -> bool:
    """Whether this is a sparse array of torch, SciPy, or a library that has one of their ways to say so."""
    layout = str(getattr(thing, "layout", "torch.strided"))
    is_scipys = hasattr(thing, "tocsr") and not hasattr(thing, "__array__")
    return "sparse" in layout or is_scipys or hasattr(thing, "todense")


def _is_nested(thing: object) -> bool:
    """Whether this is one of torch's tensors of rows that differ in length."""
    return bool(getattr(thing, "is_nested", False))


def _is_quantized(thing: object) -> bool:
    """Whether torch keeps the numbers as integers with a scale beside them."""
    return getattr(thing, "is_quantized", False) is True


def _is_nowhere(thing: object) -> bool:
    """Whether this is a tensor of the meta device, which has a shape and no numbers."""
    return str(getattr(getattr(thing, "device", None), "type", "")) == "meta"


def _is_complex(thing: object) -> bool:
    """Whether the numbers are complex."""
    return "complex" in str(getattr(thing, "dtype", ""))


_REFUSED: dict[str, Callable[[object], bool]] = {
    "has masked entries: fill them yourself, as with .filled(...), or leave such keys out with mask=": _is_masked,
    "is sparse: make it dense first, with .to_dense() or .toarray()": _is_sparse,
    "is nested: its rows differ in length": _is_nested,
    "is quantized: make it floating point first, with .dequantize()": _is_quantized,
    "is on the meta device: it has a shape and no numbers": _is_nowhere,
    "holds complex numbers, not real numbers": _is_complex,
}
"""What is not taken, in words, and how it is known."""


def _first_object(array: NDArray[np.generic]) -> str:
    """What an array of objects begins with, in words."""
    return f"objects of type {type(array.flat[0]).__name__}" if array.size else "objects"


def _sentence(thing: object, name: str, error: BaseException) -> str:
    """What went wrong, in one line that begins with the name."""
    said = visible(str(error).strip().partition("\n")[0])
    if isinstance(error, ValueError) and said.startswith(name):
        return said
    if "shape" in said and isinstance(thing, (list, tuple)):
        return f"{name} is ragged: its rows differ in length"
    return f"{name} cannot be read as numbers: {said or type(error).__name__}"
