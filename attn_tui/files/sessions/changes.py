"""What changed from one scene to the next, as JSON, and a scene's parts with a change applied."""

from collections.abc import Sequence
from typing import Any, TypeVar

import numpy as np

from attn_tui.core.arrays import FloatArray, sealed
from attn_tui.files.errors import ForeignError
from attn_tui.files.json_numbers import Json, index_from_json, object_from_json, rows_from_json
from attn_tui.files.sessions.layout import on_one_line
from attn_tui.files.sessions.scene_form import (
    PARTS,
    labels_from_json,
    mask_from_json,
    parts_from_json,
    rows_to_json,
)
from attn_tui.model.scene import Scene

_SETTINGS = ("query_label", "query", "temperature", "scale", "dtype", "source")
"""Parts that are written whole when they differ."""
_BY_KEY = ("labels", "keys", "values", "mask")
"""Parts that have something for each key, of which only the keys that differ are written."""

Entry = TypeVar("Entry")


def changes(before: Scene, after: Scene) -> dict[str, Json]:
    """The parts of a scene that differ from the one before, those with something for each key as a splice."""
    found: dict[str, Json] = {}
    for name in _SETTINGS:
        part = PARTS[name](after)
        if on_one_line(part) != on_one_line(PARTS[name](before)):
            found[name] = part
    for name, old, new in (("keys", before.keys, after.keys), ("values", before.values, after.values)):
        if old is not new and (change := _change_of_rows(old, new)) != {}:
            found[name] = change
    if before.labels is not after.labels and before.labels != after.labels:
        at, out, put = _splice(before.labels, after.labels)
        found["labels"] = {"at": at, "out": out, "in": list(after.labels[put])}
    if before.mask is not after.mask and before.mask.tobytes() != after.mask.tobytes():
        at, out, put = _splice(before.mask.tolist(), after.mask.tolist())
        found["mask"] = {"at": at, "out": out, "in": after.mask[put].tolist()}
    return found


def with_changes(parts: dict[str, Any], found: dict[str, object]) -> dict[str, Any]:
    """The parts of the scene before with what changed. Raises ForeignError for a change that does not fit."""
    whole = {name: part for name, part in found.items() if name not in _BY_KEY or not isinstance(part, dict)}
    spliced = {name: _spliced(name, parts, found[name]) for name in found if name not in whole}
    return {**parts, **parts_from_json(whole), **spliced}


def _change_of_rows(old: FloatArray | None, new: FloatArray | None) -> Json:
    """What to do to a matrix (T, n) to get another: a splice, nothing, or all of it where nothing is in common."""
    if old is None or new is None or old.shape[1] != new.shape[1]:
        return None if new is None else rows_to_json(new)
    # by their bits nan is itself, and -0.0 is not 0.0
    at, out, put = _splice([row.tobytes() for row in old], [row.tobytes() for row in new])
    rows = new[put]
    return {"at": at, "out": out, "in": rows_to_json(rows)} if out or rows.size else {}


def _splice(old: Sequence[object], new: Sequence[object]) -> tuple[int, int, slice]:
    """From which place on how many of the old entries make room for which of the new ones."""
    shorter = min(len(old), len(new))
    at = next((i for i in range(shorter) if old[i] != new[i]), shorter)
    end = next((i for i in range(shorter - at) if old[-1 - i] != new[-1 - i]), shorter - at)
    return at, len(old) - end - at, slice(at, len(new) - end)


def _spliced(name: str, parts: dict[str, Any], found: object) -> object:
    """A part with something for each key, with a splice applied."""
    splice = object_from_json(found, name)
    at, out = index_from_json(splice.get("at"), f"{name}.at"), index_from_json(splice.get("out"), f"{name}.out")
    before = parts.get(name)
    if before is None or at + out > len(before):
        raise ForeignError(f"{name} is changed where there is nothing")
    if name == "labels":
        return _replaced(before, at, out, labels_from_json(splice.get("in")))
    if name == "mask":
        return _replaced(before, at, out, mask_from_json(splice.get("in")))
    return _with_rows(name, before, at, out, splice.get("in"))


def _replaced(before: tuple[Entry, ...], at: int, out: int, entries: tuple[Entry, ...]) -> tuple[Entry, ...]:
    """The entries with others in place of some."""
    return (*before[:at], *entries, *before[at + out :])


def _with_rows(name: str, before: FloatArray, at: int, out: int, found: object) -> FloatArray:
    """The rows with others in place of some: (T, n) -> (T', n)."""
    rows = rows_from_json(found, name)
    if rows.size == 0:
        rows = rows.reshape(0, before.shape[1])
    if rows.shape[1] != before.shape[1]:
        raise ForeignError(f"{name} has rows of {rows.shape[1]} numbers among rows of {before.shape[1]}")
    return sealed(np.concatenate([before[:at], rows, before[at + out :]]))
