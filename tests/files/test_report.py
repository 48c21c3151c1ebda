"""The printed report: strict JSON with everything that was promised, and a table kept as text."""

import json
import math
import os
from pathlib import Path
from typing import Any, NoReturn

import numpy as np
import pytest

from attn_tui.files.report import as_json, as_text
from attn_tui.model.examples import example
from attn_tui.model.scene import Scene, read
from tests.known import GOLDEN

_PRINTED = Path(__file__).parent / "printed"
_PROMISED = {
    "scene", "scores", "scaled", "weights", "naive_weights", "cosines", "angles_degrees", "query_norm", "key_norms",
    "contributions", "entropy", "entropy_max", "entropy_ratio", "effective_keys", "peak", "margin", "sum_of_squares",
    "kl_to_uniform", "jacobian_frobenius", "logsumexp", "log_weights", "output", "faults", "notes",
}  # fmt: skip
_OF_THE_SCENE = {
    "query", "query_label", "keys", "values", "labels", "mask", "temperature", "scale", "scale_rule", "dtype",
}  # fmt: skip


def _no_constant(name: str) -> NoReturn:
    """JSON knows no NaN and no Infinity."""
    raise AssertionError(f"{name} is not JSON")


def report(scene: Scene) -> dict[str, Any]:
    """A scene's report, read as strict JSON."""
    return json.loads(as_json(scene, read(scene)), parse_constant=_no_constant)


def _broken() -> Scene:
    """A nan in an attended key, one in a masked key, a zero vector, and names from outside."""
    keys = [[1.0, 0.0], [math.nan, 2.0], [0.0, 0.0], [math.inf, -1.0]]
    labels = ["a", "\x1b[2J", "zero", "masked"]
    return Scene.of([1.0, -1.0], keys, [[1.0]] * 4, labels=labels, mask=[True, True, True, False])


def _masked() -> Scene:
    """No key may be attended."""
    return Scene.of([1.0], [[1.0], [2.0]], mask=[False, False])


SCENES = {
    "lesson": example("lesson"),
    "overflow": example("overflow"),
    "coreference": example("coreference"),
    "broken": _broken(),
    "all-masked": _masked(),
    "one-key": Scene.of([2.0, 0.0], [[1.0, 0.0]]),
    "float16": Scene.of([300.0, 300.0], [[300.0, 300.0], [1.0, 0.0]], dtype="float16"),
}


@pytest.mark.parametrize("name", SCENES)
def test_the_report_is_strict_json_with_everything_promised(name: str) -> None:
    found = report(SCENES[name])
    assert found.keys() >= _PROMISED
    assert found["scene"].keys() >= _OF_THE_SCENE
    count = SCENES[name].count
    for of_each_key in ("scores", "scaled", "weights", "naive_weights", "cosines", "angles_degrees", "log_weights"):
        assert len(found[of_each_key]) == count, of_each_key
    assert np.shape(found["contributions"]) == SCENES[name].keys.shape


def test_the_lesson_has_its_figures_to_the_last_but_three_digits() -> None:
    found = report(SCENES["lesson"])
    plain = next(entry for entry in GOLDEN["at_temperature"] if entry["temperature"] == 1.0)
    for name in ("scores", "query_norm", "key_norms", "cosines", "angles_degrees", "contributions"):
        np.testing.assert_allclose(found[name], GOLDEN[name], rtol=1e-12, atol=0.0)
    compared = [name for name in plain if isinstance(found.get(name), float | list)]
    assert {"weights", "entropy"} <= set(compared)
    for name in compared:
        np.testing.assert_allclose(found[name], plain[name], rtol=1e-12, atol=0.0, err_msg=name)
    assert found["peak"]["keys"] == [0]
    assert found["scene"]["query"] == GOLDEN["query"]
    assert (found["faults"], found["notes"], found["output"]) == ([], [], None)


@pytest.mark.parametrize("golden", GOLDEN["at_temperature"], ids=lambda golden: str(golden["temperature"]))
def test_the_lesson_has_its_figures_at_every_temperature(golden: dict[str, Any]) -> None:
    lesson = SCENES["lesson"]
    found = report(Scene.of(lesson.query, lesson.keys, temperature=golden["temperature"]))
    np.testing.assert_allclose(found["weights"], golden["weights"], rtol=1e-12, atol=0.0)
    np.testing.assert_allclose(found["entropy"], golden["entropy"], rtol=1e-12, atol=0.0)


def test_what_is_no_number_is_a_word_and_what_is_undefined_is_null() -> None:
    found = report(SCENES["broken"])
    assert found["scene"]["keys"] == [[1.0, 0.0], ["nan", 2.0], [0.0, 0.0], ["inf", -1.0]]
    assert found["weights"] == ["nan", "nan", "nan", 0.0]
    assert found["entropy"] == "nan"
    assert found["cosines"][2] is None, "the zero vector has no direction"
    assert found["angles_degrees"][2] is None
    assert found["cosines"][1] == "nan"
    assert (found["faults"][0]["key"], found["faults"][0]["dimension"]) == (1, 0)
    assert "every weight is nan" in found["faults"][0]["message"]


def test_where_no_key_may_be_attended_nothing_is_made_up() -> None:
    found = report(SCENES["all-masked"])
    assert found["weights"] == [0.0, 0.0]
    for undefined in ("entropy", "entropy_max", "entropy_ratio", "effective_keys", "peak", "margin"):
        assert found[undefined] is None, undefined
    assert found["faults"]


def test_a_single_key_has_no_part_of_ln_1() -> None:
    found = report(SCENES["one-key"])
    assert found["weights"] == [1.0]
    assert found["entropy"] == 0.0
    assert math.copysign(1.0, found["entropy"]) == 1.0
    assert found["entropy_ratio"] is None


def test_the_scene_of_a_report_makes_the_same_scene_again() -> None:
    for name, scene in SCENES.items():
        found = report(scene)["scene"]
        again = Scene.of(
            [float(x) for x in found["query"]],
            [[float(x) for x in key] for key in found["keys"]],
            found["values"],
            labels=found["labels"],
            mask=found["mask"],
            temperature=found["temperature"],
            scale="sqrt" if found["scale_rule"] == "1/sqrt(hs)" else found["scale"],
            dtype=found["dtype"],
            query_label=found["query_label"],
        )
        np.testing.assert_array_equal(again.keys, scene.keys, err_msg=name)
        np.testing.assert_array_equal(read(again).weights, read(scene).weights, err_msg=name)


@pytest.mark.parametrize("name", SCENES)
def test_the_table_is_as_it_was_kept(name: str) -> None:
    """`ATTN_TUI_KEEP_SCREENS=1` rewrites the kept tables; look at the difference before keeping it."""
    table = as_text(SCENES[name], read(SCENES[name])) + "\n"
    file = _PRINTED / f"{name}.txt"
    if os.environ.get("ATTN_TUI_KEEP_SCREENS") == "1":
        file.write_text(table, encoding="utf-8")
    assert table == file.read_text(encoding="utf-8")


def test_a_table_is_harmless_and_can_be_ascii() -> None:
    scene = SCENES["broken"]
    table = as_text(scene, read(scene))
    assert "\x1b" not in table
    assert "\\x1b[2J" in table
    lesson = SCENES["lesson"]
    assert as_text(lesson, read(lesson), ascii_only=True) == as_text(lesson, read(lesson)).replace("█", "#")
