"""The rows of a head, and the map of all heads."""

import math
from dataclasses import replace

import numpy as np
import pytest

from attn_tui.core.attend import attend_many
from attn_tui.core.patterns import pattern
from attn_tui.model import edits, matrix
from attn_tui.model.examples import bundled, example
from attn_tui.model.headmap import MEASURES, HeadMap
from attn_tui.model.heads import scene_of, with_head, with_row
from attn_tui.model.matrix import Matrix, row_entropies
from attn_tui.model.scene import QUERY, Cell, Scene, read
from attn_tui.model.source import Dump


def _unequal(queries: int, keys: int) -> Scene:
    """A head with so many random queries and keys."""
    generator = np.random.default_rng(3)
    tokens = tuple(f"t{i}" for i in range(keys))
    q, k = generator.normal(size=(1, 1, queries, 4)), generator.normal(size=(1, 1, keys, 4))
    return scene_of(Dump(q, k, None, tokens), "random", (0, 0), queries - 1)


def test_the_scenes_own_row_is_its_reading() -> None:
    scene = edits.set_temperature(example("coreference"), 0.5)
    of_head, reading = Matrix(scene), read(scene)
    own = of_head.row(of_head.own)
    assert of_head.labels[of_head.own] == "it"
    assert np.array_equal(own.weights, reading.weights)
    assert own.entropy == reading.entropy
    assert own.keys == 15
    assert own.heaviest(2) == [2, int(np.argsort(-reading.weights)[1])]


def test_every_edit_of_the_scene_reaches_every_row() -> None:
    start = example("sink")
    for edit in (
        lambda s: edits.toggle_mask(s, 0),
        lambda s: edits.set_scale(s, 1.0),
        lambda s: edits.set_component(s, Cell(3, 1), 9.0),
    ):
        scene = edit(start)
        queries, _ = bundled().head((4, 5))
        wanted = attend_many(queries, scene.keys, scale=scene.scale_factor, mask=scene.mask).weights
        rows = Matrix(scene)
        assert np.allclose([rows.row(i).weights for i in range(15)], wanted, rtol=1e-9, atol=0.0)


def test_an_edited_query_stands_in_its_own_row_only() -> None:
    start = example("sink")
    before, after = Matrix(start), Matrix(edits.set_component(start, Cell(QUERY, 0), 40.0))
    changed = [i for i in range(15) if not np.array_equal(before.row(i).weights, after.row(i).weights)]
    assert changed == [before.own]


@pytest.mark.parametrize(("queries", "keys", "without"), [(2, 5, []), (5, 2, [0, 1, 2]), (4, 4, [])])
def test_a_causal_mask_lies_on_top_of_the_scenes(queries: int, keys: int, without: list[int]) -> None:
    scene = _unequal(queries, keys)
    rows = Matrix(scene, causal=True)
    assert [i for i in range(rows.count) if not rows.row(i).keys] == without
    assert [rows.last_key(i) for i in range(queries)] == [i + keys - queries for i in range(queries)]
    masked = Matrix(edits.toggle_mask(scene, 0), causal=True)
    for i in range(queries):
        last = rows.last_key(i)
        assert rows.row(i).attended.tolist() == [j <= last for j in range(keys)]
        assert masked.row(i).attended.tolist() == [0 < j <= last for j in range(keys)]


def test_rows_are_computed_when_they_are_asked_for_and_once(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[int] = []

    def counted(*args: object, **settings: object) -> object:
        """Count, and compute."""
        asked.append(1)
        return attend_many(*args, **settings)  # type: ignore[arg-type]

    monkeypatch.setattr(matrix, "attend_many", counted)
    rows = Matrix(example("broad"))
    assert not asked
    first = rows.row(3)
    assert rows.row(3) is first
    assert len(asked) == 1


def test_only_so_many_rows_are_remembered(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(matrix, "MOST_NUMBERS", 30)
    rows = Matrix(example("broad"))
    first = rows.row(0)
    assert rows.row(1) is rows.row(1)
    assert rows.row(0) is first
    rows.row(2)
    assert rows.row(0) is not first
    assert np.array_equal(rows.row(0).weights, first.weights)


def test_a_broken_row_says_why() -> None:
    scene = example("coreference")
    assert scene.source is not None
    assert scene.source.dump is not None
    queries = scene.source.dump.queries.copy()
    queries[3, 1, 4, 7] = np.nan
    broken = replace(scene, source=replace(scene.source, dump=replace(scene.source.dump, queries=queries)))
    rows = Matrix(broken)
    assert [i for i in range(15) if not rows.row(i).is_sound] == [4]
    assert "q.d7 is nan" in rows.reading(4).faults[0].message


def test_row_entropies_are_those_of_all_queries() -> None:
    scene = example("broad")
    queries, keys = bundled().head((5, 6))
    z = queries @ keys.T / math.sqrt(32.0)
    weights = np.exp(z - z.max(axis=1, keepdims=True))
    weights /= weights.sum(axis=1, keepdims=True)
    assert np.allclose(np.array(row_entropies(scene)), -(weights * np.log(weights)).sum(axis=1), rtol=1e-9)


def test_row_entropies_of_one_query_and_of_none_that_may_look() -> None:
    lesson = example("lesson")
    assert row_entropies(lesson) == [read(lesson).entropy]
    nothing = edits.set_mask(example("broad"), [0.0] * 15)
    assert row_entropies(nothing) == [None] * 15


def test_another_row_keeps_keys_and_settings() -> None:
    start = edits.toggle_mask(edits.set_temperature(example("sink"), 2.0), 3)
    scene = with_row(start, 4)
    assert scene.query_label == "not"
    assert scene.keys is start.keys
    assert scene.mask is start.mask
    assert scene.temperature == 2.0
    assert np.array_equal(read(scene).weights, Matrix(start).row(4).weights)
    assert with_row(scene, 4) is scene


def test_another_head_keeps_the_query_and_the_settings() -> None:
    start = edits.set_dtype(edits.set_scale(edits.set_temperature(example("sink"), 2.0), 0.25), "float32")
    scene = with_head(start, bundled(), (0, 2))
    assert scene.source is not None
    assert (scene.source.indices, scene.source.row) == ((0, 2), 9)
    assert (scene.query_label, scene.temperature, scene.scale, scene.dtype) == ("it", 2.0, 0.25, "float32")


@pytest.mark.parametrize("causal", [False, True])
def test_the_map_has_the_pattern_of_every_head(causal: bool) -> None:
    scene = edits.set_temperature(example("sink"), 1.5)
    heads = HeadMap.of(scene, bundled(), causal=causal)
    known = list(heads.steps())
    assert known == sorted(known)
    assert heads.is_complete
    for head in ((0, 2), (4, 5), (5, 11)):
        wanted = pattern(*bundled().head(head), temperature=1.5, scale=1.0 / math.sqrt(32.0), causal=causal)
        assert heads.patterns[head] == wanted
    least, most = heads.extremes(MEASURES[2]) or ((), ())
    assert most == (0, 2)
    assert heads.value(least, MEASURES[2]) <= heads.value(most, MEASURES[2])  # type: ignore[operator]


def test_a_map_goes_on_where_it_was_left() -> None:
    heads = HeadMap.of(example("sink"), bundled(), causal=False)
    steps = heads.steps()
    for _ in range(10):
        next(steps)
    assert 0 < len(heads.patterns) < 72
    found = dict(heads.patterns)
    list(heads.steps())
    assert heads.is_complete
    assert all(heads.patterns[head] is found[head] for head in found)


def test_which_maps_are_the_same() -> None:
    start = example("sink")
    heads = HeadMap.of(start, bundled(), causal=False)
    assert heads.is_same(HeadMap.of(with_row(start, 2), bundled(), causal=False))
    assert heads.is_same(HeadMap.of(edits.toggle_mask(start, 2), bundled(), causal=False))
    assert not heads.is_same(HeadMap.of(start, bundled(), causal=True))
    assert not heads.is_same(HeadMap.of(edits.set_temperature(start, 2.0), bundled(), causal=False))
    assert not heads.is_same(HeadMap.of(edits.set_scale(start, 1.0), bundled(), causal=False))
