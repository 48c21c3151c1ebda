"""The entropies of all queries of a head, as they are printed."""

import json
from typing import Any

import numpy as np
import pytest

from attn_tui.core.attend import attend
from attn_tui.files.report import as_json, as_text
from attn_tui.model import edits
from attn_tui.model.examples import bundled, example
from attn_tui.model.scene import Scene, read


def _printed(scene: Scene) -> list[Any]:
    """What the JSON has."""
    return json.loads(as_json(scene, read(scene)))["row_entropies"]


def _line(scene: Scene) -> str:
    """The line of the text, empty if there is none."""
    return next((line for line in as_text(scene, read(scene)).split("\n") if line.startswith("row entropy")), "")


def test_one_for_each_query_of_the_head() -> None:
    scene = example("coreference")
    queries, keys = bundled().head((3, 1))
    wanted = [attend(query, keys, scale=1.0 / np.sqrt(32.0)).entropy for query in queries]
    assert _printed(scene) == pytest.approx(wanted, rel=1e-12)


def test_in_words_the_mean_the_least_and_the_most() -> None:
    scene = example("coreference")
    entropies = np.array(_printed(scene))
    line = _line(scene)
    assert "15 queries" in line
    assert f"mean {entropies.mean():.4f}" in line
    assert f"least {entropies.min():.4f} (query {entropies.argmin()}, [CLS])" in line
    assert f"most {entropies.max():.4f} (query {entropies.argmax()}, because)" in line


def test_a_scene_of_one_query_has_one_and_no_line() -> None:
    scene = edits.set_dtype(example("lesson"), "float16")
    assert _printed(scene) == [read(scene).entropy]
    assert not _line(scene)


def test_null_where_no_key_may_be_attended() -> None:
    scene = edits.set_mask(example("broad"), [0.0] * 15)
    assert _printed(scene) == [None] * 15
    assert not _line(scene)


def test_nan_where_a_row_is_broken() -> None:
    scene = edits.set_component(example("broad"), edits.Cell(edits.QUERY, 0), float("nan"))
    printed = _printed(scene)
    assert printed[9] == "nan"
    assert all(isinstance(entropy, float) for entropy in printed[:9])
    assert "15 queries, 1 without" in _line(scene)
