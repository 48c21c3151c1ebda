"""The explorer from Python: live arrays of a script, a prompt or a debugger, and the edited scene back."""

from collections.abc import Sequence
from typing import Literal, SupportsFloat, cast

from attn_tui.core.arrays import FloatArray
from attn_tui.files.errors import ForeignError
from attn_tui.files.tensors import as_array
from attn_tui.model.scene import Scene
from attn_tui.ui import beside, terminal
from attn_tui.ui.start import NoExplorerError

_INSTEAD = "call attn_tui.attend, or run attn-tui --print text,"
"""What gives the numbers where the explorer cannot be shown."""


def explore(
    query: object,
    keys: object,
    values: object = None,
    *,
    temperature: SupportsFloat = 1.0,
    scale: SupportsFloat | Literal["sqrt"] = 1.0,
    mask: object = None,
    labels: Sequence[str] | None = None,
    dtype: str = "float64",
) -> Scene:
    """Open the explorer on live arrays, wait until the person leaves it, and return what they kept, as a `Scene`.

    The query (hs,) or (1, hs), keys (T, hs), values (T, dv) and the mask (T,), true = may be attended, are lists, NumPy
    arrays, torch or JAX tensors, or anything with `__array__` or DLPack; none is altered. A number still being typed on
    leaving is not kept. Works in a script, at a prompt, in a debugger, in any thread and in a running asyncio loop,
    which waits. Raises ValueError, in words, for arrays that cannot be taken or do not fit together, and
    NoExplorerError, a RuntimeError, where there is no terminal.
    """
    scene = Scene.of(
        _vector(query, "query"),
        _matrix(keys, "keys"),
        None if values is None else _matrix(values, "values"),
        labels=_names(labels),
        mask=None if mask is None else _vector(mask, "mask"),
        temperature=_number(temperature, "temperature"),
        scale="sqrt" if isinstance(scale, str) and scale == "sqrt" else _number(scale, "scale"),
        dtype=dtype,
    )
    if refusal := terminal.refusal(instead=_INSTEAD):
        raise NoExplorerError(refusal)
    return beside.explored(scene)


def _vector(thing: object, name: str) -> FloatArray:
    """One row: (n,), which may have been (1, n). Raises ForeignError for several rows, saying how to choose one."""
    array = as_array(thing, name)
    if array.ndim == 2 and array.shape[0] == 1:
        return array[0]
    if array.ndim != 1:
        choice = ", ".join([*["0"] * (array.ndim - 2), "-1"])
        hint = f"choose one row, such as {name}[{choice}]" if array.ndim else "one number is no vector"
        raise ForeignError(f"{name} has shape {array.shape}: {hint}")
    return array


def _matrix(thing: object, name: str) -> FloatArray:
    """Rows: (T, n). Raises ForeignError for anything else, saying how to choose the rows of one head."""
    array = as_array(thing, name)
    if array.ndim < 2:
        raise ForeignError(f"{name} has shape {array.shape}: a row for each key is needed, (T, n)")
    if array.ndim > 2:
        choice = ", ".join("0" * (array.ndim - 2))
        raise ForeignError(f"{name} has shape {array.shape}: choose one head, such as {name}[{choice}]")
    return array


def _number(thing: object, name: str) -> float:
    """One number. Raises ForeignError for anything else."""
    array = as_array(thing, name)
    if array.size != 1:
        raise ForeignError(f"{name} has shape {array.shape}: one number is needed")
    return float(array.reshape(()))


def _names(labels: Sequence[str] | None) -> tuple[str, ...] | None:
    """What the keys are called. Raises ForeignError for anything but a list of texts."""
    if labels is None:
        return None
    names = cast("tuple[object, ...]", tuple(labels))
    others = {type(name).__name__ for name in names if not isinstance(name, str)}
    if isinstance(labels, str) or others:
        found = f"an entry of type {min(others)}" if others else "one text"
        raise ForeignError(f"labels is a list with a text for each key, and this has {found}")
    return tuple(labels)
