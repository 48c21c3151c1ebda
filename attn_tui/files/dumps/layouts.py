"""Which axis of an array is which: told apart by what has to be equal, else asked.

A layout is a letter for each axis: b batch, l layer, h head, t token, d the component.
"""

from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from attn_tui.files.errors import ForeignError

Array: TypeAlias = NDArray[Any]
"""Numbers of a file, perhaps not read yet."""

_LEADING = "lbh"
"""The leading axes, in the order in which they are named: heads last."""
_LAYOUTS: dict[int, tuple[str, ...]] = {
    1: ("d",),
    2: ("td",),
    3: ("htd",),
    4: ("bhtd", "bthd"),
    5: ("lbhtd", "lbthd"),
}
"""What arrays of so many axes may be, the usual one first."""
_TOKENS_FIRST: dict[int, tuple[str, ...]] = {2: ("td",), 3: ("thd",), 4: ("bthd",), 5: ("lbthd",)}
"""The same where the arrays' names say that tokens come before heads."""


@dataclass(frozen=True, eq=False)
class Arrays:
    """Queries, keys and values, as far as there are any, and what else tells how many keys there are."""

    query: Array
    keys: Array
    values: Array | None
    known: tuple[int, str] | None = None
    """A number of keys and what it is the number of, such as labels."""
    tokens_first: bool = False
    """Whether the names say that tokens come before heads."""


def parse_layout(text: str) -> str:
    """A layout as it was typed. Raises ForeignError for one that makes no sense."""
    layout = text.strip().lower()
    if len(set(layout)) != len(layout) or not {"t", "d"} <= set(layout) <= set(_LEADING + "td"):
        raise ForeignError(
            f"the layout {text!r} needs a letter for each axis, t and d among them: b batch, l layer, h head, "
            "t token, d component, as in bhtd or bthd"
        )
    return layout


def layouts_of(arrays: Arrays, wanted: str | None) -> list[str]:
    """The layouts that the arrays may have, the usual one first. Raises ForeignError, with the reason, if none fits."""
    axes = arrays.keys.ndim
    if axes == 0 or arrays.query.ndim == 0:
        raise ForeignError("this is a single number, and a query or keys are vectors")
    usual = _TOKENS_FIRST if arrays.tokens_first else _LAYOUTS
    candidates = (wanted,) if wanted is not None else usual.get(axes, ())
    if not candidates or any(len(layout) != axes for layout in candidates):
        said = f" in the layout {wanted}" if wanted else ""
        raise ForeignError(f"keys of shape {arrays.keys.shape} cannot be read{said}: they have {axes} axes")
    reasons = {layout: misfit(arrays, layout) for layout in candidates}
    fitting = [layout for layout, reason in reasons.items() if reason is None]
    if not fitting:
        raise ForeignError(str(reasons[candidates[0]]))
    return fitting


def fits(arrays: Arrays, wanted: str | None) -> bool:
    """Whether the arrays can be read at all."""
    try:
        return bool(layouts_of(arrays, wanted))
    except ForeignError:
        return False


def misfit(arrays: Arrays, layout: str) -> str | None:
    """Why the arrays cannot have this layout, None if they can."""
    keys, query = lengths(arrays.keys, layout), _query_lengths(arrays, layout)
    if query is None:
        return f"the query has the shape {arrays.query.shape} and the keys {arrays.keys.shape}: their axes do not match"
    if query["d"] != keys["d"]:
        return f"the query has {_components(query['d'])}, the keys have {keys['d']}"
    for axis in _LEADING:
        ours, theirs = query.get(axis, 1), keys.get(axis, 1)
        if ours != theirs and (axis != "h" or theirs == 0 or ours % theirs):
            return (
                f"the query has {ours} along {axis} and the keys {theirs} ({arrays.query.shape}, {arrays.keys.shape})"
            )
    if arrays.values is not None:
        if arrays.values.ndim != arrays.keys.ndim:
            return f"the keys have the shape {arrays.keys.shape} and the values {arrays.values.shape}"
        values = lengths(arrays.values, layout)
        if any(values[axis] != keys[axis] for axis in layout if axis != "d"):
            return f"the keys have the shape {arrays.keys.shape} and the values {arrays.values.shape}"
    if arrays.known is not None and arrays.known[0] != keys["t"]:
        return f"there are {keys['t']} keys and {arrays.known[0]} {arrays.known[1]}"
    return None


def arranged(array: Array, layout: str) -> Array:
    """The array with its leading axes first, layers before batches before heads, then t and d; nothing is read."""
    return np.transpose(array, [layout.index(axis) for axis in _LEADING + "td" if axis in layout])


def query_of(arrays: Arrays, layout: str) -> Array:
    """The query with every axis: one for its row if it has but one, and all leading ones if every head gets it."""
    query = arrays.query
    if query.ndim == 1 and arrays.keys.ndim > 2:
        lead = [1 if axis == "t" else n for axis, n in zip(layout, arrays.keys.shape, strict=True) if axis != "d"]
        at = layout.index("d")
        return np.moveaxis(np.broadcast_to(query, (*lead, query.size)), -1, at)
    return np.expand_dims(query, layout.index("t")) if query.ndim == len(layout) - 1 else query


def leading_axes(layout: str) -> str:
    """The letters of the leading axes, large."""
    return "".join(axis for axis in _LEADING if axis in layout).upper()


def lengths(array: Array, layout: str) -> dict[str, int]:
    """The length of each axis by its letter."""
    return dict(zip(layout, array.shape, strict=True))


def _query_lengths(arrays: Arrays, layout: str) -> dict[str, int] | None:
    """The query's lengths by letter, None when its axes are not the keys'."""
    query = query_of(arrays, layout)
    return lengths(query, layout) if query.ndim == len(layout) else None


def _components(count: int) -> str:
    """A number of components, in words."""
    return "1 component" if count == 1 else f"{count} components"
