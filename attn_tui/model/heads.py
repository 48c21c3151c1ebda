"""Scenes of a model's heads: one query of one head as a scene, and the other queries of a scene's head."""

from dataclasses import replace

from attn_tui.core.arrays import FloatArray, frozen
from attn_tui.model.scene import Scale, Scene
from attn_tui.model.source import Dump, Source


def scene_of(dump: Dump, name: str, indices: tuple[int, ...], row: int, scale: Scale = "sqrt") -> Scene:
    """One query of one head over that head's keys, scaled as models do unless another scale is given.

    Raises ValueError for a head or a row that there is none of.
    """
    if len(indices) != len(dump.shape) or any(not 0 <= i < n for i, n in zip(indices, dump.shape, strict=True)):
        last = tuple(n - 1 for n in dump.shape)
        raise ValueError(f"{name} has no head {indices}: they go from {(0,) * len(last)} to {last}")
    count = dump.queries.shape[-2]
    if not 0 <= row < count:
        raise ValueError(f"{name} has no query {row}: they go from 0 to {count - 1}")
    return Scene.of(
        dump.queries[indices][row],
        dump.keys[indices],
        None if dump.values is None else dump.values[indices],
        labels=dump.tokens,
        scale=scale,
        query_label=dump.query_labels[row],
        source=Source(name, indices, row, dump),
    )


def with_row(scene: Scene, row: int) -> Scene:
    """The scene with another query of its head, as the dump has it; keys, mask and settings stay as they are."""
    queries, labels, own = all_queries(scene)
    if row == own or scene.source is None:
        return scene
    source = replace(scene.source, row=row)
    return replace(scene, query=frozen(queries[row]), query_label=labels[row], source=source)


def with_head(scene: Scene, dump: Dump, indices: tuple[int, ...]) -> Scene:
    """Another head of the dump at the same query, with the scene's temperature, scale and dtype."""
    name, row = (scene.source.name, scene.source.row) if scene.source is not None else ("", None)
    last = dump.queries.shape[-2] - 1
    other = scene_of(dump, name, indices, last if row is None else row, scene.scale)
    return replace(other, temperature=scene.temperature, dtype=scene.dtype)


def all_queries(scene: Scene) -> tuple[FloatArray, tuple[str, ...], int]:
    """Every query of the scene's head, (Tq, hs), their labels, and which of them the scene's own one is.

    The scene's query stands in its place as it has been edited. A scene that comes from no dump, or whose head size is
    no longer the dump's, has its one query.
    """
    source = scene.source
    if source is None or source.dump is None or source.row is None:
        return scene.query[None, :], (scene.query_label,), 0
    if source.dump.queries.shape[-1] != scene.head_size:
        return scene.query[None, :], (scene.query_label,), 0
    queries, _ = source.dump.head(source.indices)
    queries[source.row] = scene.query
    return queries, source.dump.query_labels, source.row
