"""Arrays as the core takes them: float64, with sizes that agree, refused in words when they do not."""

from typing import Any, TypeAlias

import numpy as np
from numpy.typing import ArrayLike, NDArray

FloatArray: TypeAlias = NDArray[np.float64]
BoolArray: TypeAlias = NDArray[np.bool_]


def as_floats(numbers: ArrayLike, name: str, axes: int | None = None) -> FloatArray:
    """The numbers as float64; integers and booleans are converted before anything is computed.

    `axes` is the number of axes asked for. Raises ValueError, naming `name`, for ragged nesting,
    complex numbers, text and a wrong number of axes.
    """
    array = _as_array(numbers, name)
    if array.dtype.kind not in "fiub" and not _is_small_float(array.dtype):
        raise ValueError(f"{name} holds {_kind(array.dtype)}, not real numbers")
    if axes is not None and array.ndim != axes:
        raise ValueError(f"{name} needs {_axes(axes)}, and has shape {array.shape}")
    with np.errstate(over="ignore"):
        return array.astype(np.float64, copy=False)


def in_float64(array: NDArray[Any]) -> FloatArray:
    """Real numbers in float64, in an array of their own; what is too large is inf, a signalling nan stays a nan."""
    with np.errstate(over="ignore", invalid="ignore"):
        return array.astype(np.float64)


def sealed(array: FloatArray) -> FloatArray:
    """The array itself, which nobody else holds, made read-only."""
    array.flags.writeable = False
    return array


def frozen(array: FloatArray) -> FloatArray:
    """The array itself if nobody can write to it, not even through another view of it; else a read-only copy."""
    if not array.flags.writeable and array.base is None:
        return array
    return sealed(array.copy())


def as_mask(mask: ArrayLike | None, shape: tuple[int, ...]) -> BoolArray:
    """Which keys may be attended, true = may be attended: (..., T), all true for None.

    A mask of 0 and 1 is read as boolean. Raises ValueError for any other number, since a mask
    selects and is never added, and for a shape that does not fit `shape`.
    """
    if mask is None:
        return np.ones(shape, dtype=np.bool_)
    array = _as_array(mask, "mask")
    if array.dtype.kind != "b":
        numbers = as_floats(array, "mask")
        if not np.isin(numbers, (0.0, 1.0)).all():
            raise ValueError("mask needs true or false, or 1 or 0, for each key: it selects, and is never added")
        array = numbers == 1.0
    try:
        return np.array(np.broadcast_to(array, shape), dtype=np.bool_)
    except ValueError:
        raise ValueError(f"mask has shape {array.shape}, the scores have {shape}") from None


def _as_array(numbers: ArrayLike, name: str) -> NDArray[np.generic]:
    """The numbers as an array of whatever they are; ValueError for ragged nesting."""
    try:
        return np.asarray(numbers)
    except ValueError:
        raise ValueError(f"{name} is ragged: its rows differ in length") from None


def _is_small_float(dtype: np.dtype[np.generic]) -> bool:
    """Whether this is one of ml_dtypes' kinds, such as bfloat16, which NumPy itself calls void."""
    return dtype.kind == "V" and dtype.names is None and "float" in dtype.name


def _kind(dtype: np.dtype[np.generic]) -> str:
    """What a dtype holds, in words."""
    return {"c": "complex numbers", "O": "objects", "U": "text", "S": "text"}.get(dtype.kind, dtype.name)


def _axes(count: int) -> str:
    """A number of axes, in words."""
    return "one axis" if count == 1 else f"{count} axes"
