"""The .npz file, read back by NumPy without pickle."""

import io

import numpy as np
import pytest

from attn_tui.files.exports.arrays import as_npz
from attn_tui.model.scene import Scene, read
from tests.files.exports.kept import SCENES
from tests.files.exports.test_rows import same


@pytest.mark.parametrize("name", SCENES)
def test_the_arrays_read_back_the_same_and_make_the_same_scene(name: str) -> None:
    scene = SCENES[name]
    reading = read(scene)
    with np.load(io.BytesIO(as_npz(scene, reading)), allow_pickle=False) as arrays:
        found = dict(arrays)
    labels = [label.replace("k\0", r"k\x00") for label in scene.labels]
    assert found.pop("labels").tolist() == labels
    assert found.pop("query_label").item() == scene.query_label
    entropy = found.pop("entropy").item()
    assert same(entropy, np.nan if reading.entropy is None else reading.entropy) or np.isnan([entropy]).all()
    again = Scene.of(
        found["query"],
        found["keys"],
        found.get("values"),
        mask=found["mask"],
        temperature=found["temperature"].item(),
        scale=found["scale"].item(),
        dtype=found["dtype"].item(),
    )
    assert same(again.keys, scene.keys)
    anew = read(again)
    for result in ("scores", "scaled", "weights", "naive_weights"):
        assert np.array_equal(found[result], getattr(reading, result), equal_nan=True)
        assert np.array_equal(getattr(anew, result), getattr(reading, result), equal_nan=True)
    assert ("values" in found) == ("output" in found) == (scene.values is not None)
    if reading.output is not None:
        assert np.array_equal(found["output"], reading.output, equal_nan=True)
