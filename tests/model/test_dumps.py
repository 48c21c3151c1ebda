"""Dumps with masks of their own, shared key heads, and bare scores, seen through scenes, matrices and the map."""

import numpy as np
import pytest

from attn_tui.core.attend import attend
from attn_tui.model import edits
from attn_tui.model.headmap import MEASURES, HeadMap
from attn_tui.model.heads import scene_of, with_head, with_row
from attn_tui.model.matrix import Matrix
from attn_tui.model.scene import read
from attn_tui.model.source import Dump

_RANDOM = np.random.default_rng(3)
TOKENS = ("a", "b", "c", "d", "e")
QUERIES = _RANDOM.standard_normal((2, 4, 5, 3))
KEYS = _RANDOM.standard_normal((2, 2, 5, 3))
CAUSAL = np.tril(np.ones((5, 5), dtype=np.bool_))


def shared(mask: np.ndarray | None = None) -> Dump:
    """Four heads of queries that share two of keys."""
    return Dump(QUERIES, KEYS, KEYS[..., :2], TOKENS, mask=mask)


@pytest.mark.parametrize(("head", "keys"), [(0, 0), (1, 0), (2, 1), (3, 1)])
def test_heads_share_keys_in_a_row_as_models_do(head: int, keys: int) -> None:
    scene = scene_of(shared(), "m", (1, head), 4)
    assert np.array_equal(scene.query, QUERIES[1, head, 4])
    assert np.array_equal(scene.keys, KEYS[1, keys])
    assert scene.values is not None
    assert np.array_equal(scene.values, KEYS[1, keys, :, :2])


@pytest.mark.parametrize("lead", [(1, 1), (2, 4), (1, 4), ()])
def test_each_row_has_the_mask_of_the_dump(lead: tuple[int, ...]) -> None:
    dump = shared(np.broadcast_to(CAUSAL, (*lead, 5, 5)).copy() if lead else CAUSAL[None, None])
    scene = scene_of(dump, "m", (1, 2), 1)
    assert scene.mask.tolist() == [True, True, False, False, False]
    assert with_row(scene, 3).mask.tolist() == [True, True, True, True, False]
    assert with_head(scene, dump, (0, 0)).mask.tolist() == scene.mask.tolist()
    matrix = Matrix(scene)
    for row in range(5):
        wanted = attend(QUERIES[1, 2, row], KEYS[1, 1], scale=3**-0.5, mask=CAUSAL[row]).weights
        assert np.allclose(matrix.row(row).weights, wanted, rtol=1e-14)


def test_a_mask_that_was_edited_is_kept_for_every_row() -> None:
    scene = scene_of(shared(CAUSAL[None, None]), "m", (0, 0), 4)
    edited = type(scene).of(scene.query, scene.keys, mask=[0, 1, 1, 1, 1], source=scene.source)
    assert with_row(edited, 1).mask.tolist() == [False, True, True, True, True]
    assert Matrix(edited).mask(0).tolist() == [False, True, True, True, True]


def test_a_padding_mask_is_the_same_for_every_row() -> None:
    dump = shared(np.array([True, True, True, False, False])[None, None, None])
    assert [Matrix(scene_of(dump, "m", (0, 0), 2)).mask(row).tolist() for row in range(5)] == [
        [True] * 3 + [False] * 2
    ] * 5


def bare(scores: np.ndarray) -> Dump:
    """Scores alone."""
    return Dump(np.ones((*scores.shape[:-1], 1)), scores[..., None], None, TOKENS, axes="H")


def test_bare_scores_are_keys_of_each_query() -> None:
    scores = _RANDOM.standard_normal((2, 4, 5))
    scores[1, 2, 3] = np.nan
    scene = scene_of(bare(scores), "m", (1,), 0, 1.0)
    assert np.array_equal(read(scene).scores, scores[1, 0])
    assert np.array_equal(read(with_row(scene, 3)).scores, scores[1, 3])
    matrix = Matrix(scene)
    for row in range(4):
        assert np.array_equal(matrix.row(row).weights, attend([1.0], scores[1, row][:, None]).weights, equal_nan=True)
        assert np.array_equal(matrix.reading(row).scores, scores[1, row], equal_nan=True)


@pytest.mark.parametrize("kind", ["masked", "shared", "bare"])
def test_the_map_averages_what_the_rows_give(kind: str) -> None:
    mask = CAUSAL.copy()
    mask[2] = False  # a row that may attend nothing is left out
    dump = {
        "masked": shared(mask[None, None]),
        "shared": shared(),
        "bare": bare(_RANDOM.standard_normal((2, 5, 5))),
    }[kind]
    heads = HeadMap(dump, 1.0, 1.0, causal=False)
    list(heads.steps())
    for head in dump.heads():
        rows = [Matrix(scene_of(dump, "m", head, 0, 1.0)).row(row) for row in range(5)]
        sound = [row for row in rows if row.keys]
        assert heads.patterns[head].entropy == pytest.approx(np.mean([row.entropy for row in sound]), rel=1e-12)
        assert heads.value(head, MEASURES[1]) == pytest.approx(np.mean([row.weights[0] for row in sound]), rel=1e-12)
        assert heads.patterns[head].peak == pytest.approx(np.mean([row.weights.max() for row in sound]), rel=1e-12)


def test_keys_of_their_own_that_were_taken_away_leave_the_query_alone() -> None:
    scene = scene_of(bare(_RANDOM.standard_normal((2, 4, 5))), "m", (0,), 1, 1.0)
    fewer = edits.delete_key(scene, 2)
    assert Matrix(fewer).count == 1
    assert Matrix(fewer).row(0).weights.size == 4
    assert with_row(fewer, 3) is fewer
    assert Matrix(edits.add_key(scene, 0)).count == 1
