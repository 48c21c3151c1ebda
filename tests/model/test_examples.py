"""The examples: each is what it says, and its figures are those worked out before, to the last digits."""

import math
from typing import Any

import numpy as np
import pytest

from attn_tui.model import edits
from attn_tui.model.examples import EXAMPLES, REAL_MODEL, bundled, example
from attn_tui.model.scene import Scene, read
from attn_tui.model.source import Source
from tests.known import GOLDEN, floats

MINILM: dict[str, Any] = GOLDEN["minilm"]
REAL_HEADS = {"coreference": (3, 1), "previous-token": (0, 2), "sink": (4, 5), "broad": (5, 6)}


def test_every_example_is_listed_once_in_its_order() -> None:
    names = [entry.name for entry in EXAMPLES]
    assert names == ["lesson", "overflow", "exercise-3", *REAL_HEADS]


@pytest.mark.parametrize("entry", EXAMPLES, ids=lambda entry: entry.name)
def test_an_example_can_be_listed_made_and_read(entry: Any) -> None:
    assert entry.title
    assert len(entry.name) + len(entry.title) < 78
    assert "\n" not in entry.title
    reading = read(example(entry.name))
    assert reading.is_sound
    assert reading.faults == []


def test_an_example_is_made_anew_each_time() -> None:
    assert example("lesson") is not example("lesson")


@pytest.mark.parametrize("name", ["nothing", "", "Lesson", "lesson "])
def test_an_unknown_example_is_refused_with_those_there_are(name: str) -> None:
    with pytest.raises(ValueError) as refusal:  # noqa: PT011 - the whole sentence is compared
        example(name)
    assert str(refusal.value) == (
        f"there is no example {name!r}: "
        "choose from lesson, overflow, exercise-3, coreference, previous-token, sink, broad"
    )


def test_the_lesson_s_numbers_are_the_golden_ones_exactly() -> None:
    scene = example("lesson")
    assert scene.query.tolist() == GOLDEN["query"]
    assert scene.keys.tolist() == GOLDEN["keys"]
    assert scene.labels == ("k0", "k1", "k2", "k3", "k4")
    assert (scene.temperature, scene.scale, scene.dtype, scene.values) == (1.0, 1.0, "float64", None)
    assert scene.mask.all()
    assert scene.source == Source("lesson")


def test_making_the_lesson_leaves_numpy_s_own_generator_alone() -> None:
    before = np.random.get_state()[1].tolist()  # noqa: NPY002 - the global state is what must not change
    example("lesson")
    assert np.random.get_state()[1].tolist() == before  # noqa: NPY002


@pytest.mark.parametrize("name", ["scores", "contributions", "cosines", "angles_degrees", "key_norms", "query_norm"])
def test_the_lesson_s_geometry(name: str) -> None:
    np.testing.assert_allclose(getattr(read(example("lesson")), name), GOLDEN[name], rtol=1e-12)


def assert_figures(scene: Scene, figures: dict[str, Any]) -> None:
    """Every golden figure of a row, to 1e-12."""
    reading = read(scene)
    assert reading.peak is not None
    found = {
        "temperature": scene.temperature,
        "weights": reading.weights,
        "entropy_of_max": reading.entropy_ratio,
        "peak": reading.peak.weight,
    }
    for name, wanted in figures.items():
        np.testing.assert_allclose(found.get(name, getattr(reading, name, None)), wanted, rtol=1e-12, err_msg=name)


@pytest.mark.parametrize("figures", GOLDEN["at_temperature"], ids=lambda row: f"tau {row['temperature']}")
def test_the_lesson_s_figures_at_each_temperature(figures: dict[str, Any]) -> None:
    assert_figures(edits.set_temperature(example("lesson"), figures["temperature"]), figures)


def test_the_lesson_s_figures_under_one_over_the_root_of_the_head_size() -> None:
    figures = {**GOLDEN["scale_one_over_sqrt_hs"]}
    assert figures.pop("temperature") == 1.0 / edits.set_scale(example("lesson"), "sqrt").scale_factor
    assert_figures(edits.set_scale(example("lesson"), "sqrt"), figures)


def test_the_lesson_s_temperature_that_halves_the_peak() -> None:
    halved = read(edits.set_temperature(example("lesson"), GOLDEN["temperature_for_peak_0.5"]))
    assert halved.peak is not None
    assert halved.peak.keys == (0,)
    assert halved.peak.weight == pytest.approx(0.5, rel=1e-12)
    one_nat = read(edits.set_temperature(example("lesson"), GOLDEN["temperature_for_entropy_1_nat"]))
    assert one_nat.entropy == pytest.approx(1.0, rel=1e-12)


@pytest.mark.parametrize(("name", "figures"), [("overflow", "overflow"), ("exercise-3", "overflow_one")])
def test_where_the_naive_softmax_fails_the_stable_one_does_not(name: str, figures: str) -> None:
    golden = GOLDEN[figures]
    scene = example(name)
    reading = read(scene)
    assert reading.scores.tolist() == golden["scores"]
    np.testing.assert_array_equal(reading.naive_weights, floats(golden["naive"]))
    np.testing.assert_allclose(reading.weights, golden["stable"], rtol=1e-12, atol=1e-320)
    assert (scene.head_size, scene.source) == (1, Source(name))


def test_the_overflowing_scores_weigh_as_0_1_2_do() -> None:
    small = Scene.of([1.0], [[0.0], [1.0], [2.0]])
    assert read(example("overflow")).weights.tolist() == read(small).weights.tolist()


def assert_tops(scene: Scene, figures: dict[str, Any]) -> None:
    """Entropy and the heaviest tokens, to 1e-12: float32 numbers are exact in float64, where everything is computed."""
    reading = read(scene)
    assert reading.entropy == pytest.approx(figures["entropy"], rel=1e-12, abs=0.0)
    heaviest = np.argsort(-reading.weights)[: len(figures["top"])]
    assert [scene.labels[key] for key in heaviest] == [token for token, _ in figures["top"]]
    assert reading.weights[heaviest].tolist() == pytest.approx([w for _, w in figures["top"]], rel=1e-12, abs=0.0)


@pytest.mark.parametrize("name", REAL_HEADS)
def test_a_real_head_is_the_model_s_own(name: str) -> None:
    scene, head = example(name), REAL_HEADS[name]
    (figures,) = (row for row in MINILM["scaled"] if (row["layer"], row["head"]) == head)
    _, _, tokens, head_size = MINILM["shape"]
    assert scene.source == Source(REAL_MODEL, head, figures["row"], bundled())
    assert scene.labels == tuple(MINILM["tokens"])
    assert scene.query_label == figures["query"] == scene.labels[figures["row"]]
    assert scene.values is not None
    assert scene.keys.shape == scene.values.shape == (tokens, head_size)
    assert (scene.scale, scene.temperature, scene.dtype) == ("sqrt", 1.0, "float64")
    assert scene.scale_factor == 1.0 / math.sqrt(head_size)
    assert scene.mask.all()
    for array in (scene.query, scene.keys, scene.values):
        assert (array.astype(np.float32) == array).all()
        assert array.any()
    assert_tops(scene, figures)


def test_the_real_heads_are_all_those_that_are_known() -> None:
    assert sorted(REAL_HEADS.values()) == sorted((row["layer"], row["head"]) for row in MINILM["scaled"])


def test_without_the_scale_coreference_collapses() -> None:
    (figures,) = MINILM["unscaled"]
    scene = edits.set_scale(example("coreference"), 1.0)
    assert scene.source == Source(REAL_MODEL, (figures["layer"], figures["head"]), figures["row"], bundled())
    assert_tops(scene, figures)
    assert any(note.startswith('collapsed: "animal" holds 0.99998') for note in read(scene).notes)


def test_the_heads_do_what_their_titles_say() -> None:
    peaks = {name: read(example(name)).peak for name in REAL_HEADS}
    row = example("previous-token").source
    assert row is not None
    assert row.row is not None
    assert peaks["previous-token"] is not None
    assert peaks["previous-token"].keys == (row.row - 1,)
    assert peaks["sink"] is not None
    assert peaks["sink"].keys == (0,)
    entropies = {name: read(example(name)).entropy or 0.0 for name in REAL_HEADS}
    assert max(entropies, key=lambda name: entropies[name]) == "broad"
