"""A scene as JSON, and back: every number as exactly itself, and where it came from, if not the dump itself."""

from collections.abc import Callable
from typing import Any

from attn_tui.core.arrays import FloatArray
from attn_tui.files.errors import ForeignError
from attn_tui.files.json_numbers import (
    Json,
    index_from_json,
    list_from_json,
    number_from_json,
    numbers_from_json,
    numbers_to_json,
    object_from_json,
    rows_from_json,
    text_from_json,
)
from attn_tui.model.examples import REAL_MODEL, bundled
from attn_tui.model.scene import Scale, Scene
from attn_tui.model.source import Dump, Source

PARTS: dict[str, Callable[[Scene], Json]] = {
    "query_label": lambda scene: scene.query_label,
    "query": lambda scene: numbers_to_json(scene.query),
    "labels": lambda scene: list(scene.labels),
    "keys": lambda scene: rows_to_json(scene.keys),
    "values": lambda scene: None if scene.values is None else rows_to_json(scene.values),
    "mask": lambda scene: [bool(may) for may in scene.mask],
    "temperature": lambda scene: scene.temperature,
    "scale": lambda scene: scene.scale,
    "dtype": lambda scene: scene.dtype,
    "source": lambda scene: _source_to_json(scene.source),
}
"""What a scene's parts are as JSON, by the names that `Scene.of` has for them."""


def scene_to_json(scene: Scene) -> dict[str, Json]:
    """The scene, in a form that makes the same scene again."""
    return {name: part(scene) for name, part in PARTS.items()}


def scene_from_json(found: object) -> Scene:
    """The scene that `scene_to_json` wrote, or that is in a printed report.

    Parts that `Scene.of` has a default for may be missing. Raises ForeignError, naming what makes no sense.
    """
    return scene_of_parts(parts_from_json(object_from_json(found, "the scene")))


def parts_from_json(found: dict[str, object]) -> dict[str, Any]:
    """The parts of a scene that are there, by the names that `Scene.of` has for them; the others are passed over."""
    parts = {name: read(found[name]) for name, read in _READERS.items() if name in found}
    if found.get("scale_rule") == "1/sqrt(hs)":
        parts["scale"] = "sqrt"
    return parts


def scene_of_parts(parts: dict[str, Any]) -> Scene:
    """The scene of parts that have been read. Raises ForeignError where they do not make one."""
    for name in ("query", "keys"):
        if name not in parts:
            raise ForeignError(f"the scene has no {name}")
    try:
        return Scene.of(**parts)
    except ValueError as error:
        raise ForeignError(str(error)) from None


def rows_to_json(rows: FloatArray) -> list[Json]:
    """A matrix (rows, n) as JSON can hold it."""
    return [numbers_to_json(row) for row in rows]


def labels_from_json(found: object) -> tuple[str, ...]:
    """The keys' names."""
    return tuple(text_from_json(label, f"labels[{i}]") for i, label in enumerate(list_from_json(found, "labels")))


def mask_from_json(found: object) -> tuple[bool, ...]:
    """Which keys may be attended: true or false, or 1 or 0, and nothing else."""
    entries = list_from_json(found, "mask")
    for i, entry in enumerate(entries):
        if entry not in (0, 1):
            raise ForeignError(f"mask[{i}] has to be true or false: it says whether the key may be attended")
    return tuple(bool(entry) for entry in entries)


def _scale_from_json(found: object) -> Scale:
    """A number, or "sqrt"."""
    return "sqrt" if found == "sqrt" else number_from_json(found, "scale")


def _source_to_json(source: Source | None) -> Json:
    """Where a scene came from, without the dump."""
    if source is None:
        return None
    place: dict[str, Json] = {"name": source.name, "indices": list(source.indices), "row": source.row}
    return place | ({"remark": source.remark} if source.remark else {})


def _source_from_json(found: object) -> Source | None:
    """Where a scene came from; the dump of an example is found again by its name."""
    if found is None:
        return None
    entries = object_from_json(found, "source")
    name = text_from_json(entries.get("name"), "the source's name")
    found_indices = list_from_json(entries.get("indices", []), "the source's indices")
    indices = tuple(index_from_json(index, f"the source's indices[{i}]") for i, index in enumerate(found_indices))
    row = None if entries.get("row") is None else index_from_json(entries["row"], "the source's row")
    remark = text_from_json(entries.get("remark", ""), "the source's remark")
    return Source(name, indices, row, _dump(name, indices, row), remark)


def _dump(name: str, indices: tuple[int, ...], row: int | None) -> Dump | None:
    """The bundled dump, if that is what the name says and it has such a head and such a query."""
    if name != REAL_MODEL:
        return None
    dump = bundled()
    fits = len(indices) == len(dump.shape) and all(i < n for i, n in zip(indices, dump.shape, strict=True))
    return dump if fits and (row is None or row < dump.queries.shape[-2]) else None


_READERS: dict[str, Callable[[object], object]] = {
    "query_label": lambda found: text_from_json(found, "query_label"),
    "query": lambda found: numbers_from_json(found, "query"),
    "labels": labels_from_json,
    "keys": lambda found: rows_from_json(found, "keys"),
    "values": lambda found: None if found is None else rows_from_json(found, "values"),
    "mask": mask_from_json,
    "temperature": lambda found: number_from_json(found, "temperature"),
    "scale": _scale_from_json,
    "dtype": lambda found: text_from_json(found, "dtype"),
    "source": _source_from_json,
}
"""How each part is read."""
