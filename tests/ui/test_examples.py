"""Every example opens from the palette, and is drawn."""

import numpy as np
import pytest
from rich.cells import cell_len
from textual.command import CommandPalette

from attn_tui.model.examples import EXAMPLES, example
from attn_tui.model.figures import weight_figure
from tests.known import GOLDEN
from tests.ui.person import Person, at

_NAMES = [entry.name for entry in EXAMPLES]


async def _open(person: Person, name: str) -> None:
    """Choose an example in the palette, as a person does."""
    await person.type(":")
    assert isinstance(person.app.screen, CommandPalette)
    await person.type(f"Open example: {name}")
    for _ in range(100):
        await person.pilot.pause(0.05)
        if f"Open example: {name}" in person.screen:
            break
    await person.press("down", "enter")
    for _ in range(100):
        await person.pilot.pause(0.05)
        if not isinstance(person.app.screen, CommandPalette):
            return


@pytest.mark.parametrize("name", _NAMES)
async def test_an_example_opens_from_the_palette_and_undo_goes_back(name: str) -> None:
    async with at("lesson" if name != "lesson" else "overflow") as person:
        before = person.scene
        await _open(person, name)
        scene = example(name)
        assert np.array_equal(person.scene.keys, scene.keys)
        assert f" {scene.count} keys x" in person.lines[0]
        assert person.app.cursor.row == -1
        await person.press("u")
        assert person.scene is before


@pytest.mark.parametrize("name", _NAMES)
async def test_an_example_is_drawn_at_every_size(name: str) -> None:
    async with at(name) as person:
        weight = weight_figure(float(person.app.reading.weights[0]))
        for width, height in ((80, 24), (120, 40), (60, 16), (200, 60)):
            await person.resize(width, height)
            assert person.scene.labels[0] in person.view.split("\n")[0]
            assert weight in person.view.split("\n")[0]
            assert max(cell_len(line) for line in person.lines) <= width


async def test_the_lesson_shows_its_figures() -> None:
    async with at("lesson") as person:
        plain = next(entry for entry in GOLDEN["at_temperature"] if entry["temperature"] == 1.0)
        assert person.shows_weights(np.array(plain["weights"]))
        assert f"H {plain['entropy']:.4f}" in person.view


async def test_the_overflowing_scores_have_their_weights_and_a_note_on_the_naive_form() -> None:
    async with at("overflow") as person:
        assert person.shows_weights(np.array(GOLDEN["overflow"]["stable"]))
        assert "the naive softmax gives nan" in person.said
