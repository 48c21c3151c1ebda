"""Trials of the commands that go from view to view, and of those that the views share."""

import numpy as np

from attn_tui.model.scene import Cell
from attn_tui.ui.views import VIEWS
from tests.known import GOLDEN
from tests.ui.person import Person
from tests.ui.trials import Trials

TRIALS = Trials()


@TRIALS.trial
async def view_weights(person: Person, key: str) -> None:
    """From another view back to the weights."""
    await person.press("f3")
    assert not person.shows_weights(person.app.reading.weights)
    await person.press(key)
    assert "─ Weights ─" in person.screen
    assert person.shows_weights(person.app.reading.weights)


@TRIALS.trial
async def view_scores(person: Person, key: str) -> None:
    """A row for each key, and what each dimension adds to the score under the cursor."""
    await person.press(key)
    assert "─ Scores ─" in person.screen
    for label, score, cosine in zip(("k0", "k4"), (2.1077, -1.3670), (0.6805, -0.3833), strict=True):
        row = next(line.split() for line in person.view.split("\n") if line.startswith(f" {label} "))
        assert row[1:3] == [f"{score:.4f}", f"{cosine:.4f}"]
    await person.go(3, 0)
    assert "k3: adds up to -3.2856" in person.view


@TRIALS.trial
async def view_temperature(person: Person, key: str) -> None:
    """The temperatures that are asked for, as they were worked out beforehand."""
    await person.press(key)
    assert "─ Temperature ─" in person.screen
    assert f"{GOLDEN['temperature_for_peak_0.5']:.5f}" in person.view
    assert f"{GOLDEN['temperature_for_entropy_1_nat']:.5f}" in person.view


@TRIALS.trial
async def next_view(person: Person, key: str) -> None:
    """All of them, and round to the first."""
    for entry in (*VIEWS[1:], VIEWS[0]):
        await person.press(key)
        assert f"─ {entry.title}" in person.screen, entry.id


@TRIALS.trial
async def previous_view(person: Person, key: str) -> None:
    """All of them backwards, from the first to the last."""
    for entry in reversed(VIEWS):
        await person.press(key)
        assert f"─ {entry.title}" in person.screen, entry.id


@TRIALS.trial
async def zoom(person: Person, key: str) -> None:
    """The view on the whole width, and the vectors beside it again; both are the same scene."""
    before = person.lines
    await person.press(key)
    await person.settle()
    assert "Vectors" not in person.screen
    assert person.app.stages[0].outer_size.width == 80
    assert person.shows_weights(person.app.reading.weights)
    await person.press(key)
    await person.settle()
    assert person.lines == before


@TRIALS.trial
async def move_in_view(person: Person, key: str) -> None:
    """In a view with a cursor, and back among the vectors; a view without one says so."""
    await person.press(key)
    assert "this view has no cursor of its own" in person.said
    person.app.go_to_view("matrix")
    await person.press("right")
    assert person.app.cursor == Cell(-1, 0)
    await person.press(key, "right")
    assert person.app.cursor == Cell(-1, 1)


@TRIALS.trial
async def type_into_view(person: Person, key: str) -> None:
    """The view's own numbers, one after the other; they are no step of the history."""
    await person.press(key)
    assert "there is no number to type in this view" in person.said
    await person.press("f4", key)
    assert "the wanted peak = 0.5" in person.said
    await person.type("0.7")
    assert person.app.options.peak == 0.7
    await person.press("enter", key)
    assert person.app.pen.is_typing
    assert "the wanted peak" not in person.said
    await person.type("0.25")
    await person.press("enter")
    assert person.app.options.entropy == 0.25
    assert len(person.app.history.past) == 1


@TRIALS.trial
async def adopt_temperature(person: Person, key: str) -> None:
    """The one at which the peak is the wanted one."""
    await person.press("f4", key)
    assert np.isclose(person.kept.temperature, GOLDEN["temperature_for_peak_0.5"], rtol=1e-9)
    assert np.isclose(person.app.reading.weights.max(), 0.5, rtol=1e-9)
    assert "tau   2.8080" in person.lines[0]


@TRIALS.trial
async def pin(person: Person, key: str) -> None:
    """The differences to the scene that was pinned, until the pin is gone."""
    before = person.app.reading.weights
    await person.press(key)
    assert "pinned" in person.said
    await person.press("n")
    difference = person.app.reading.weights - before
    for label, by in zip(("k0", "k1"), difference, strict=False):
        row = next(line.split() for line in person.view.split("\n") if line.startswith(f" {label} "))
        assert row[2] == f"{by:+.4f}"
    await person.press(key)
    assert "the pin is gone" in person.said
    assert f"{difference[0]:+.4f}" not in person.view


@TRIALS.trial
async def values(person: Person, key: str) -> None:
    """A value for each key, the cursor on the first one, and back."""
    await person.go(1, 2)
    await person.press(key)
    assert person.kept.values is not None
    assert person.kept.values.shape == (5, 1)
    assert person.app.cursor == Cell(1, 4)
    output = person.app.reading.output
    assert output is not None
    assert np.isclose(output[0], float(person.app.reading.weights @ person.kept.values[:, 0]), rtol=1e-12)
    assert f"to the output {output[0]:.4f}" in person.said
    await person.press(key)
    assert person.app.cursor.column == 0


@TRIALS.trial
async def remove_values(person: Person, key: str) -> None:
    """No values, no output, and undo brings them back."""
    await person.press("v", key)
    assert person.kept.values is None
    assert person.app.reading.output is None
    await person.press("u")
    assert person.kept.values is not None
