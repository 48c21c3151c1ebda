"""The script, run by a Python of its own: its numbers are those of the reading, to the last bit."""

import ast
import contextlib
import io
import math
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given

from attn_tui.files.exports.snippet import as_snippet
from attn_tui.model.scene import Scene, read
from tests.files.exports.kept import SCENES
from tests.model.scenes import scenes


def run(scene: Scene, folder: Path) -> list[list[str]]:
    """What the script prints, line by line, in cells."""
    file = folder / "attention.py"
    file.write_text(as_snippet(scene, read(scene)), encoding="utf-8")
    done = subprocess.run(
        [sys.executable, "-I", "-W", "error", str(file)], cwd=folder, capture_output=True, encoding="utf-8", check=True
    )
    assert done.stderr == ""
    return [line.split("\t") for line in done.stdout.splitlines()]


@pytest.mark.parametrize("name", SCENES)
def test_the_script_prints_the_same_numbers(name: str, tmp_path: Path) -> None:
    scene = SCENES[name]
    reading = read(scene)
    lines = run(scene, tmp_path)
    assert [ast.literal_eval(row[0]) for row in lines[1 : scene.count + 1]] == list(scene.labels)
    columns = list(zip(*(row[1:] for row in lines[1 : scene.count + 1]), strict=True))
    results = (reading.scores, reading.scaled, reading.weights, reading.naive_weights)
    for heading, found, expected in zip(lines[0][1:], columns, results, strict=True):
        assert list(found) == [repr(x) for x in expected.tolist()], heading
    rest = {line[0]: line[1:] for line in lines[scene.count + 1 :]}
    assert rest.pop("entropy") == [repr(reading.entropy)]
    if reading.output is not None:
        assert rest.pop("output") == [repr(x) for x in reading.output.tolist()]
    assert not rest


@pytest.mark.parametrize("name", SCENES)
def test_the_script_needs_numpy_alone_and_sends_nothing_to_the_terminal(name: str) -> None:
    text = as_snippet(SCENES[name], read(SCENES[name]))
    tree = ast.parse(text)
    imported = {alias.name for node in ast.walk(tree) if isinstance(node, ast.Import) for alias in node.names}
    assert imported <= {"numpy", "math"}
    assert all(line.isprintable() for line in text.split("\n"))
    assert text.endswith("\n")


def test_the_script_is_as_plain_as_it_can_be() -> None:
    plain, exact = (as_snippet(SCENES[name], read(SCENES[name])) for name in ("lesson", "tempered"))
    assert "Fraction" not in plain
    assert "return scale * numbers / temperature" in plain
    assert "from fractions import Fraction" in exact


def test_numbers_and_dtype_are_written_out() -> None:
    text = as_snippet(SCENES["nan"], read(SCENES["nan"]))
    assert "[np.nan, 0.0]" in text
    assert "[np.inf]" in text
    text = as_snippet(SCENES["float16"], read(SCENES["float16"]))
    assert "computes in float16" in text
    assert f"scale = {1.0 / math.sqrt(7.0)!r}  # 1 / sqrt(hs)" in as_snippet(SCENES["sqrt"], read(SCENES["sqrt"]))


@given(scenes())
def test_the_script_of_any_scene_has_the_same_numbers(scene: Scene) -> None:
    reading = read(scene)
    names: dict[str, Any] = {}
    with np.errstate(), contextlib.redirect_stdout(io.StringIO()):
        exec(as_snippet(scene, reading), names)
    for name in ("scores", "scaled", "weights", "naive_weights"):
        assert repr(names[name].tolist()) == repr(getattr(reading, name).tolist()), name
    assert repr(names["entropy"] if names["entropy"] is None else float(names["entropy"])) == repr(reading.entropy)
    assert (names["output"] is None) == (reading.output is None)
    if reading.output is not None:
        assert repr(names["output"].tolist()) == repr(reading.output.tolist())
