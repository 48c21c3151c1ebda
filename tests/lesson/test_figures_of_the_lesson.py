"""The figures that the lesson teaches stand in its steps, and no number is merely typed."""

import ast
import math
import re
from pathlib import Path

import numpy as np
import pytest

import attn_tui.lesson
from attn_tui.core.temperature import temperature_for
from attn_tui.lesson.steps import STEPS, step
from attn_tui.model import edits
from attn_tui.model.examples import example
from attn_tui.model.scene import Cell, read
from tests.known import GOLDEN
from tests.lesson.moments import IDS, seen, solved, spoken

FIGURES = {
    "dot-product": "2.1077 -1.3177 -1.5889 -3.2856 -1.3670 -2.1699",
    "angle-and-length": "0.6805 -0.7813 -0.3462 -0.9544 -0.3833 1.7868 0.9729 2.6478 1.9859 2.0576 -1.3177 -1.3670",
    "softmax": "2.1077 0.9150 0.0298 0.0227 0.0042 0.0283 1.0000",
    "exaggeration": "0.6652 0.2447 2.7183",
    "overflow": "709.78 1.7977e+308",
    "subtract-the-maximum": "1000 1001 1002 nan 0.090031 0.244728 0.665241",
    "shift-invariance": "100 0.9150 0.0298 0.0227 0.0042 0.0283",
    "temperature": "0.3999 0.1698 0.1587 0.1038 0.1678 0.9150 0.0298 0.0227 0.0042 0.0283 0.999998",
    "halve-by-hand": "0.9150 0.6324 0.4783 0.3999 0.5",
    "halve-by-solver": "2.8080 5.6161",
    "entropy": "0.3956 1.6094 1.4944 0.0000 3.617e-5 1.49 1e-12",
    "entropy-near-zero": "0.3956 0.9150",
    "fail-and-fix": "50 800 20 709.78 0 nan 1",
    "head-size": "64",
    "weighted-average": "0.9150 12.0101 30.0000",
    "coreference": "0.6879 1.2160 2.7081",
    "without-the-scale": "0.6879 1.2160 0.99998 0.0003 5.6569",
    "previous-token": "0.99999 0.0001",
    "sink": "0.8364 0.7878",
}


@pytest.mark.parametrize("step_id", FIGURES)
def test_a_step_states_its_figures_as_it_starts(step_id: str) -> None:
    said = spoken(step(step_id))
    for figure in FIGURES[step_id].split():
        assert re.search(rf"(?<![\d.]){re.escape(figure)}(?![\d])", said), figure


def test_those_figures_are_the_golden_ones() -> None:
    (one,) = (row for row in GOLDEN["at_temperature"] if row["temperature"] == 1.0)
    (four,) = (row for row in GOLDEN["at_temperature"] if row["temperature"] == 4.0)
    (quarter,) = (row for row in GOLDEN["at_temperature"] if row["temperature"] == 0.25)
    for step_id, numbers in {
        "dot-product": GOLDEN["scores"],
        "angle-and-length": [*GOLDEN["cosines"], *GOLDEN["key_norms"]],
        "softmax": one["weights"],
        "shift-invariance": GOLDEN["shift_by_100_weights"],
        "temperature": [*four["weights"], *one["weights"]],
        "halve-by-solver": [GOLDEN["temperature_for_peak_0.5"]],
        "entropy": [one["entropy"], four["entropy"], quarter["entropy"]],
        "coreference": [GOLDEN["minilm"]["scaled"][0]["entropy"], GOLDEN["minilm"]["scaled"][0]["top"][0][1]],
        "without-the-scale": [GOLDEN["minilm"]["unscaled"][0]["entropy"]],
    }.items():
        for number in numbers:
            assert f"{number:.4f}" in FIGURES[step_id].split()
    assert [f"{weight:.6f}" for weight in GOLDEN["overflow"]["stable"]] == FIGURES["subtract-the-maximum"].split()[-3:]
    assert f"{quarter['weights'][0]:.6f}" in FIGURES["temperature"]
    assert f"{GOLDEN['minilm']['unscaled'][0]['top'][0][1]:.5f}" in FIGURES["without-the-scale"].split()
    assert f"{math.log(np.finfo(np.float64).max):.2f}" in FIGURES["overflow"].split()


def test_a_figure_follows_the_scene() -> None:
    entry = step("softmax")
    moment = seen(edits.negate(entry.start(), Cell(4, 3)))
    said = " ".join(words if isinstance(words, str) else words(moment) for words in entry.paragraphs)
    assert "2.9729" in said
    assert "k4 wins" in said


LESSON = read(example("lesson"))
HALVING = temperature_for(LESSON.scores, peak=0.5)

TYPED = {
    # A typed number of the task, a hint or a title, and what makes it true.
    ("scores", "0.1"): abs(solved(step("angle-and-length")).reading.scores @ [0, -1, 0, 0, 1]) < 0.005,
    ("scores", "0.5"): solved(step("short-and-aligned")).scene.keys[0, 1] == 0.5,
    ("stability", "710"): read(edits.set_component(step("overflow").start(), Cell(2, 0), 710.0)).scaled[2] > 709.79,
    ("stability", "1002"): read(example("overflow")).scores.max() == 1002.0,
    ("stability", "100"): solved(step("shift-invariance")).constant == 100.0,
    ("temperature", "0.25"): read(edits.set_temperature(example("lesson"), 0.25)).weights[0] > 0.9999,
    ("temperature", "2.8"): abs(HALVING - 2.8) < 0.05,
    ("temperature", "0.5"): abs(float(solved(step("halve-by-solver")).reading.weights[0]) - 0.5) < 1e-9,
    ("entropy", "0.1"): (read(edits.set_temperature(example("lesson"), 0.1)).entropy or 1.0) < 0.001,
    ("entropy", "100"): (read(edits.set_temperature(example("lesson"), 100.0)).entropy_ratio or 0.0) > 0.999,
    ("exercise_three", "800"): example("exercise-3").keys.max() == 800.0,
}


def typed_numbers() -> set[tuple[str, str]]:
    """Numbers with decimals or three digits that stand in the lesson's texts, and not in docstrings or names."""
    found: set[tuple[str, str]] = set()
    for file in Path(attn_tui.lesson.__file__).parent.glob("*.py"):
        tree = ast.parse(file.read_text(encoding="utf-8"))
        silent = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
        silent |= {
            id(part) for node in ast.walk(tree) if isinstance(node, ast.FormattedValue) for part in ast.walk(node)
        }
        for node in ast.walk(tree):
            if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in silent:
                found |= {(file.stem, number) for number in re.findall(r"\d+\.\d+|\d{3,}", node.value)}
    return found


def test_no_number_is_typed_that_is_not_computed_here() -> None:
    assert typed_numbers() == set(TYPED)


def test_the_typed_numbers_are_true() -> None:
    assert [place for place, is_true in TYPED.items() if not is_true] == []


def test_the_temperatures_of_the_hints_do_what_they_are_for() -> None:
    for step_id, temperature in {
        "entropy": 50.0,
        "entropy-near-zero": 0.1,
        "saturation": 8.0,
        "weighted-average": 4.0,
    }.items():
        entry = step(step_id)
        assert str(int(temperature) if temperature >= 1.0 else temperature) in entry.hint or step_id == "saturation"
        assert entry.check(seen(edits.set_temperature(entry.start(), temperature)))


def test_what_is_said_of_the_real_heads() -> None:
    scene = step("coreference").start()
    assert (scene.source and scene.source.indices, scene.head_size, scene.query_label) == ((3, 1), 32, "it")
    assert scene.labels[2] == "animal"
    assert " ".join(scene.labels[1:-1]) == "the animal did not cross the street because it was too tired ."
    for step_id, head in {"previous-token": (0, 2), "sink": (4, 5)}.items():
        source = step(step_id).start().source
        assert source is not None
        assert source.indices == head


def test_the_noise_is_like_noise() -> None:
    scene = step("head-size").start()
    parts = np.concatenate([scene.query, scene.keys.ravel()])
    assert abs(parts.mean()) < 0.15
    assert abs(parts.var() - 1.0) < 0.15
    assert read(scene).scores.std() == pytest.approx(math.sqrt(scene.head_size), rel=0.25)


def test_every_step_says_all_that_is_pinned() -> None:
    assert set(FIGURES) == set(IDS) - {"short-and-aligned", "saturation"}
    assert len(STEPS) == len(IDS)
