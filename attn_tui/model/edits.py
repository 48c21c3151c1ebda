"""The edits: each takes a scene and gives a new one, or refuses in words and leaves everything as it was."""

import math
from collections.abc import Iterable
from dataclasses import replace
from decimal import Decimal

import numpy as np
from numpy.typing import ArrayLike

from attn_tui.core.arrays import BoolArray, FloatArray, as_floats, as_mask, frozen, sealed
from attn_tui.core.precision import precision
from attn_tui.model.scene import QUERY, Cell, Scale, Scene


class Refused(ValueError):  # noqa: N818 - it is an answer, not an error of the program
    """An edit that makes no sense for this scene; its text says why."""


def set_component(scene: Scene, cell: Cell, number: float) -> Scene:
    """Put a number, which may be nan or infinite, into a cell."""
    _check_cell(scene, cell)
    return _with_block(scene, cell, np.array([[number]]))


def nudge(scene: Scene, cell: Cell, step: float) -> Scene:
    """Add a step to a component, in decimal, so that 0.1 added thrice is 0.3."""
    _check_cell(scene, cell)
    number = scene.component(cell)
    if not math.isfinite(number):
        raise Refused(f"{scene.cell_name(cell)} is {number:g}: type a number first")
    moved = float(Decimal(repr(number)) + Decimal(repr(step)))
    if math.isinf(moved):
        raise Refused(f"{number:g} is as far as float64 goes")
    if moved == number:
        raise Refused(f"a step of {step:g} is too small to change {number:g}")
    return set_component(scene, cell, moved)


def negate(scene: Scene, cell: Cell) -> Scene:
    """Turn the sign of a component."""
    _check_cell(scene, cell)
    return set_component(scene, cell, 0.0 - scene.component(cell))


def fill(scene: Scene, cell: Cell, numbers: FloatArray, labels: tuple[str, ...] | None = None) -> Scene:
    """Put a vector (n,) or a matrix (rows, n) into the cells from one on.

    A matrix of two rows or more at the query's first component is a whole scene: a query and its keys. Rows that go
    past the last key add keys. Refuses numbers that go past the last column.
    """
    _check_cell(scene, cell)
    block = numbers.reshape(1, -1) if numbers.ndim < 2 else numbers
    if block.size == 0:
        raise Refused("there are no numbers to paste")
    if cell == Cell(QUERY, 0) and block.shape[0] > 1:
        return _whole(scene, block, labels)
    room = (scene.head_size if cell.row == QUERY else scene.columns) - cell.column
    if block.shape[1] > room:
        raise Refused(
            f"{block.shape[1]} numbers in a row do not fit: from {scene.cell_name(cell)} on there is room for {room}"
        )
    missing = cell.row + block.shape[0] - scene.count
    return _with_block(_with_more_keys(scene, missing) if missing > 0 else scene, cell, block)


def add_key(scene: Scene, after: int) -> Scene:
    """Add a key of zeros behind another one (`QUERY`: as the first)."""
    return _insert_key(scene, after + 1, np.zeros(scene.head_size), np.zeros(scene.value_size), mask=True)


def duplicate_key(scene: Scene, key: int) -> Scene:
    """Add a copy of a key, with its value and its mask, behind it."""
    _check_key(scene, key, "duplicate")
    value = np.zeros(0) if scene.values is None else scene.values[key]
    return _insert_key(scene, key + 1, scene.keys[key], value, mask=bool(scene.mask[key]))


def delete_key(scene: Scene, key: int) -> Scene:
    """Delete a key with its value; the last one stays."""
    _check_key(scene, key, "delete")
    if scene.count == 1:
        raise Refused("the last key stays: attention needs one")
    return _take(scene, [i for i in range(scene.count) if i != key])


def move_key(scene: Scene, key: int, by: int) -> Scene:
    """Move a key up or down among the others; its name goes with it."""
    _check_key(scene, key, "move")
    target = key + by
    if not 0 <= target < scene.count:
        raise Refused(f"{scene.labels[key]} is already the {'first' if by < 0 else 'last'} key")
    order = [i for i in range(scene.count) if i != key]
    order.insert(target, key)
    return _take(scene, order)


def rename(scene: Scene, row: int, label: str) -> Scene:
    """Give the query or a key another name."""
    if not label.strip():
        raise Refused("a name needs at least one character")
    if row == QUERY:
        return replace(scene, query_label=label)
    _check_key(scene, row, "rename")
    labels = list(scene.labels)
    labels[row] = label
    return replace(scene, labels=tuple(labels))


def add_dimension(scene: Scene, after: int) -> Scene:
    """Add a dimension of zeros to the query and all keys behind another one: no score changes, but 1/sqrt(hs) does."""
    at = min(after, scene.head_size - 1) + 1
    query, keys = np.insert(scene.query, at, 0.0), np.insert(scene.keys, at, 0.0, axis=1)
    return replace(scene, query=sealed(query), keys=sealed(keys))


def delete_dimension(scene: Scene, dimension: int) -> Scene:
    """Delete a dimension of the query and of all keys; the last one stays."""
    if not 0 <= dimension < scene.head_size:
        raise Refused("that column belongs to the values: it is no dimension of query and keys")
    if scene.head_size == 1:
        raise Refused("the last dimension stays: a vector needs one")
    query, keys = np.delete(scene.query, dimension), np.delete(scene.keys, dimension, axis=1)
    return replace(scene, query=sealed(query), keys=sealed(keys))


def toggle_mask(scene: Scene, key: int) -> Scene:
    """Let a key be attended, or no longer."""
    _check_key(scene, key, "mask")
    mask = scene.mask.copy()
    mask[key] = not mask[key]
    return replace(scene, mask=mask)


def set_mask(scene: Scene, mask: ArrayLike) -> Scene:
    """Say of every key whether it may be attended: (T,), true or 1 = may be."""
    try:
        numbers = as_floats(mask, "mask")
        attended = as_mask(numbers, numbers.shape)
    except ValueError as error:
        raise Refused(str(error)) from None
    if attended.shape != (scene.count,):
        raise Refused(f"the mask needs one entry for each of the {scene.count} keys, and has {attended.size}")
    return replace(scene, mask=attended)


def invert_mask(scene: Scene) -> Scene:
    """Attend the masked keys instead of the others, as for a mask in which true means "ignore"."""
    return replace(scene, mask=~scene.mask)


def set_temperature(scene: Scene, temperature: float) -> Scene:
    """Set the temperature, finite and above 0."""
    if math.isnan(temperature):
        raise Refused("the temperature cannot be nan")
    if math.isinf(temperature):
        raise Refused("an infinite temperature is a limit, not a value: all weights would be equal")
    if temperature == 0.0:
        raise Refused("a temperature of 0 is a limit, not a value: all weight would go to the largest score")
    if temperature < 0.0:
        raise Refused("a temperature below 0 would turn the ranking round: it has to be above 0")
    return replace(scene, temperature=float(temperature))


def step_temperature(scene: Scene, direction: int) -> Scene:
    """Raise (1) or lower (-1) the temperature by a tenth of its power of ten, and by 0.1 between 0.1 and 1.

    In decimal, so that it stays a round number, and never down to 0.
    """
    now = Decimal(repr(scene.temperature))
    exponent = now.adjusted()
    if direction < 0 and now == Decimal(1).scaleb(exponent):
        exponent -= 1
    step = Decimal("0.1") if exponent == -1 else Decimal(1).scaleb(exponent - 1)
    moved = float(now + direction * step)
    if not 0.0 < moved < math.inf or moved == scene.temperature:
        raise Refused(f"{now:g} is as far as float64 goes")
    return replace(scene, temperature=moved)


def set_scale(scene: Scene, scale: Scale) -> Scene:
    """Set the scale: a finite number, or "sqrt" for 1 / sqrt(hs)."""
    if scale != "sqrt" and not math.isfinite(scale):
        raise Refused("the scale has to be a finite number, or sqrt for 1/sqrt(hs)")
    return replace(scene, scale=scale if scale == "sqrt" else float(scale))


def set_dtype(scene: Scene, dtype: str) -> Scene:
    """Compute in another dtype."""
    try:
        precision(dtype)
    except ValueError as error:
        raise Refused(str(error)) from None
    return replace(scene, dtype=dtype)


def set_values(scene: Scene, values: ArrayLike | None) -> Scene:
    """Give every key a value, (T, dv), or take them all away."""
    if values is None:
        return replace(scene, values=None)
    try:
        array = as_floats(values, "values")
    except ValueError as error:
        raise Refused(str(error)) from None
    if array.ndim != 2 or array.shape[0] != scene.count or array.shape[1] == 0:
        raise Refused(f"values need one row for each of the {scene.count} keys, and have shape {array.shape}")
    return replace(scene, values=frozen(array))


def add_values(scene: Scene) -> Scene:
    """Give every key a value of one component, its own number, so that the output is the mean key number."""
    if scene.values is not None:
        raise Refused("every key has a value already")
    return set_values(scene, np.arange(scene.count, dtype=np.float64)[:, None])


def remove_values(scene: Scene) -> Scene:
    """Take all values away."""
    if scene.values is None:
        raise Refused("there are no values to remove")
    return set_values(scene, None)


def _with_block(scene: Scene, cell: Cell, block: FloatArray) -> Scene:
    """The scene with a block of numbers (rows, n) from a cell on, which has to fit."""
    if cell.row == QUERY:
        query = scene.query.copy()
        query[cell.column : cell.column + block.shape[1]] = block[0]
        scene = replace(scene, query=sealed(query))
        return _with_block(scene, Cell(0, cell.column), block[1:]) if block.shape[0] > 1 else scene
    keys, values = scene.keys, scene.values
    rows, end = slice(cell.row, cell.row + block.shape[0]), cell.column + block.shape[1]
    split = max(0, min(block.shape[1], scene.head_size - cell.column))
    if split:
        keys = keys.copy()
        keys[rows, cell.column : cell.column + split] = block[:, :split]
    if values is not None and split < block.shape[1]:
        values = values.copy()
        values[rows, end - scene.head_size - block.shape[1] + split : end - scene.head_size] = block[:, split:]
    return replace(scene, keys=sealed(keys), values=None if values is None else sealed(values))


def _whole(scene: Scene, block: FloatArray, labels: tuple[str, ...] | None) -> Scene:
    """The scene with another query and keys; what belongs to the old keys goes unless their number is the same."""
    count = block.shape[0] - 1
    same = count == scene.count
    names = labels[1:] if labels is not None else scene.labels if same else None
    query_label = labels[0] if labels is not None else scene.query_label if same else "q"
    return Scene.of(
        block[0],
        block[1:],
        scene.values if same else None,
        labels=names,
        mask=scene.mask if same else None,
        temperature=scene.temperature,
        scale=scene.scale,
        dtype=scene.dtype,
        query_label=query_label,
    )


def _with_more_keys(scene: Scene, count: int) -> Scene:
    """The scene with keys of zeros behind the last one, however many at the price of one."""
    first = _free_number(scene.labels)
    values = None if scene.values is None else np.vstack([scene.values, np.zeros((count, scene.value_size))])
    return replace(
        scene,
        keys=sealed(np.vstack([scene.keys, np.zeros((count, scene.head_size))])),
        values=None if values is None else sealed(values),
        labels=(*scene.labels, *(f"k{first + i}" for i in range(count))),
        mask=np.append(scene.mask, np.ones(count, dtype=np.bool_)),
    )


def _insert_key(scene: Scene, at: int, key: FloatArray, value: FloatArray, *, mask: bool) -> Scene:
    """The scene with one more key at a place."""
    labels = (*scene.labels[:at], f"k{_free_number(scene.labels)}", *scene.labels[at:])
    values = None if scene.values is None else sealed(np.insert(scene.values, at, value, axis=0))
    return replace(
        scene,
        keys=sealed(np.insert(scene.keys, at, key, axis=0)),
        values=values,
        labels=labels,
        mask=np.insert(scene.mask, at, mask),
    )


def _take(scene: Scene, order: list[int]) -> Scene:
    """The scene with only these keys, in this order."""
    mask: BoolArray = scene.mask[order]
    return replace(
        scene,
        keys=sealed(scene.keys[order]),
        values=None if scene.values is None else sealed(scene.values[order]),
        labels=tuple(scene.labels[i] for i in order),
        mask=mask,
    )


def _free_number(labels: Iterable[str]) -> int:
    """The number of the first of k0, k1, ... that comes after all that are taken."""
    numbers = [int(label[1:]) for label in labels if label[:1] == "k" and label[1:].isdecimal() and len(label) < 20]
    return max(numbers, default=-1) + 1


def _check_cell(scene: Scene, cell: Cell) -> None:
    """Refuse what is to be done to a number where there is none."""
    if not scene.holds(cell):
        raise Refused("there is no such component")


def _check_key(scene: Scene, key: int, what: str) -> None:
    """Refuse what only a key can have done to it when the cursor is on the query."""
    if key == QUERY:
        raise Refused(f"the cursor is on the query: go to the key to {what}")
    if not 0 <= key < scene.count:
        raise Refused("there is no such key")
