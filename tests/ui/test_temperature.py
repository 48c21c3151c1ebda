"""The temperature is typed in the top line."""

import numpy as np
import pytest

from attn_tui.core.attend import attend
from tests.ui.person import at


@pytest.mark.parametrize(
    ("typed", "words"),
    [
        ("0", "a temperature of 0 is a limit, not a value"),
        ("-1", "a temperature below 0 would turn the ranking round"),
        ("inf", "an infinite temperature is a limit, not a value"),
        ("nan", "the temperature cannot be nan"),
    ],
)
async def test_a_temperature_that_is_none_is_refused_in_words(typed: str, words: str) -> None:
    async with at("lesson") as person:
        await person.type("t")
        await person.type(typed)
        assert words in person.said
        assert person.scene.temperature == 1.0
        assert "Weights of the last good number" in person.screen
        await person.press("enter")
        assert person.app.pen.is_typing
        assert person.kept.temperature == 1.0
        await person.press("escape")
        assert "tau   1.0000" in person.lines[0]
        assert len(person.app.history.past) == 1


async def test_the_temperature_is_typed_in_the_top_line_and_everything_follows() -> None:
    async with at("lesson") as person:
        await person.type("t")
        assert "1" in person.lines[0].split("tau", 1)[1].split()[0]
        for typed, number in (("2", 2.0), ("5", 25.0)):
            await person.type(typed)
            weights = attend(person.kept.query, person.kept.keys, temperature=number).weights
            assert np.array_equal(person.app.reading.weights, weights)
            assert person.shows_weights(weights)
        await person.press("enter")
        assert "tau  25.0000" in person.lines[0]
        await person.type("7")
        assert person.scene.query[0] == 7.0, "the pen is back on the cell under the cursor"


async def test_a_temperature_on_its_way_to_a_number_is_no_fault_once_it_is_one() -> None:
    async with at("lesson") as person:
        await person.type("t")
        await person.type("0")
        assert "limit" in person.said
        await person.type(".1")
        assert "last good number" not in person.screen
        assert person.scene.temperature == 0.1
        await person.press("tab")
        assert person.kept.temperature == 0.1


@pytest.mark.parametrize("typed", ["1e-300", "1e308", "5e-324"])
async def test_an_extreme_temperature_is_drawn(typed: str) -> None:
    async with at("lesson") as person:
        await person.type("t")
        await person.type(typed)
        await person.press("enter")
        assert person.kept.temperature == float(typed)
        assert person.shows_weights(person.app.reading.weights)
        assert np.isclose(person.app.reading.weights.sum(), 1.0, rtol=1e-15)


async def test_cooling_never_arrives_at_zero() -> None:
    async with at("lesson") as person:
        await person.press(*["less_than_sign"] * 30)
        assert 0.0 < person.kept.temperature < 0.1
        await person.press(*["greater_than_sign"] * 30)
        assert person.kept.temperature == 1.0
