"""Scenes of a model's heads: one query of one head as a scene, and the other queries of a scene's head."""

from dataclasses import replace

import numpy as np

from attn_tui.core.arrays import BoolArray, FloatArray, frozen
from attn_tui.model.scene import Scale, Scene
from attn_tui.model.source import Dump, Source


def scene_of(dump: Dump, name: str, indices: tuple[int, ...], row: int, scale: Scale = "sqrt") -> Scene:
    """One query of one head over that head's keys, scaled as models do unless another scale is given.

    Raises ValueError for a head or a row that there is none of.
    """
    if len(indices) != len(dump.shape) or any(not 0 <= i < n for i, n in zip(indices, dump.shape, strict=True)):
        last = tuple(n - 1 for n in dump.shape)
        raise ValueError(f"{name} has no head {indices}: they go from {(0,) * len(last)} to {last}")
    if not 0 <= row < dump.query_count:
        raise ValueError(f"{name} has no query {row}: they go from 0 to {dump.query_count - 1}")
    query, keys = dump.row(indices, row)
    return Scene.of(
        query,
        keys,
        dump.head_values(indices),
        labels=dump.tokens,
        mask=dump.row_mask(indices, row),
        scale=scale,
        query_label=dump.query_labels[row],
        source=Source(name, indices, row, dump, dump.remark),
    )


def with_row(scene: Scene, row: int) -> Scene:
    """The scene with another query of its head, as the dump has it; settings stay as they are.

    So do the keys, unless each query has its own, and a mask that has been edited.
    """
    queries, labels, own = all_queries(scene)
    if row == own or row >= len(queries) or scene.source is None:
        return scene
    query, keys = vectors_of(scene, queries, row)
    mask, source = mask_of(scene, row), replace(scene.source, row=row)
    return replace(scene, query=frozen(query), keys=frozen(keys), mask=mask, query_label=labels[row], source=source)


def vectors_of(scene: Scene, queries: FloatArray, row: int) -> tuple[FloatArray, FloatArray]:
    """A query (hs,) of the scene's head, given all of them, with its keys (T, hs): the scene's, or its own."""
    source = scene.source
    if source is None or source.dump is None or len(queries) == 1 or source.row == row:
        return queries[row], scene.keys
    return source.dump.row(source.indices, row) if source.dump.has_own_keys else (queries[row], scene.keys)


def mask_of(scene: Scene, row: int) -> BoolArray:
    """Which keys a query of the scene's head may attend, (T,): as the dump has it, or as it has been edited."""
    source = scene.source
    if source is None or source.dump is None or source.row is None or source.dump.mask is None:
        return scene.mask
    is_edited = not np.array_equal(scene.mask, source.dump.row_mask(source.indices, source.row))
    return scene.mask if is_edited else source.dump.row_mask(source.indices, row)


def with_head(scene: Scene, dump: Dump, indices: tuple[int, ...]) -> Scene:
    """Another head of the dump at the same query, with the scene's temperature, scale and dtype."""
    name, row = (scene.source.name, scene.source.row) if scene.source is not None else ("", None)
    other = scene_of(dump, name, indices, dump.query_count - 1 if row is None else row, scene.scale)
    return replace(other, temperature=scene.temperature, dtype=scene.dtype)


def all_queries(scene: Scene) -> tuple[FloatArray, tuple[str, ...], int]:
    """Every query of the scene's head, (Tq, hs), their labels, and which of them the scene's own one is.

    The scene's query stands in its place as it has been edited. A scene that comes from no dump, or whose head size is
    no longer the dump's, has its one query.
    """
    source = scene.source
    if source is None or source.dump is None or source.row is None:
        return scene.query[None, :], (scene.query_label,), 0
    if source.dump.queries.shape[-1] != scene.head_size or _has_lost_keys(scene, source.dump):
        return scene.query[None, :], (scene.query_label,), 0
    queries = source.dump.head_queries(source.indices)
    queries[source.row] = scene.query
    return queries, source.dump.query_labels, source.row


def _has_lost_keys(scene: Scene, dump: Dump) -> bool:
    """Whether the scene has other keys than its query had, where each query has its own: then it stands alone."""
    return dump.has_own_keys and scene.count != dump.key_count
