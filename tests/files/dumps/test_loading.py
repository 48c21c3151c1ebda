"""`attn_tui.load`: what the command line opens, for a program."""

from pathlib import Path

import numpy as np
import pytest

import attn_tui
from tests.files.sessions.saving import save_scene

_RANDOM = np.random.default_rng(8)
Q, K = _RANDOM.standard_normal((2, 3, 5, 4)), _RANDOM.standard_normal((2, 3, 5, 4))


def test_a_head_and_a_row_of_a_dump(tmp_path: Path) -> None:
    np.savez(tmp_path / "dump.npz", a=Q, b=K)
    arrays = {"q": "a", "k": "b"}
    scene = attn_tui.load(
        tmp_path / "dump.npz", arrays=arrays, layout="lhtd", head=(1, 2), row=3, temperature=0.5, scale="sqrt"
    )
    assert np.array_equal(scene.query, Q[1, 2, 3])
    assert np.array_equal(scene.keys, K[1, 2])
    assert (scene.temperature, scene.scale) == (0.5, "sqrt")
    assert np.array_equal(attn_tui.load(tmp_path / "dump.npz", arrays=arrays, layout="lhtd").query, Q[0, 0, 4])


def test_a_saved_scene(tmp_path: Path) -> None:
    scene = attn_tui.Scene.of([1.0, 0.1], [[1.0, 2.0], [np.nan, 0.3]], labels=["a", "b"], temperature=0.1 + 0.2)
    save_scene(scene, tmp_path / "scene.json")
    loaded = attn_tui.load(str(tmp_path / "scene.json"), scale=0.1)
    assert np.array_equal(loaded.keys, scene.keys, equal_nan=True)
    assert (loaded.temperature, loaded.labels, loaded.scale) == (0.1 + 0.2, ("a", "b"), 0.1)


def test_what_cannot_be_told_is_a_value_error_with_the_ways(tmp_path: Path) -> None:
    np.savez(tmp_path / "dump.npz", q=Q, k=K)
    with pytest.raises(ValueError, match="--layout bthd"):
        attn_tui.load(tmp_path / "dump.npz")
    with pytest.raises(ValueError, match="there is no such file"):
        attn_tui.load(tmp_path / "missing.npz")
