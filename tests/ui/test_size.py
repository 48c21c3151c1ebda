"""The terminal is too small, then large enough again, and changes while a number is typed."""

import numpy as np
import pytest

from attn_tui.ui.commands.table import COMMANDS
from tests.ui.person import at

_NOTICE = "attn-tui needs 60 x 16 cells"
_CHANGING = [command for command in COMMANDS if command.group in {"Edit", "Keys and dimensions", "Settings"}]


@pytest.mark.parametrize("size", [(59, 24), (80, 15), (20, 5), (59, 15)])
async def test_below_the_least_size_there_is_a_notice_and_no_key_changes_anything(size: tuple[int, int]) -> None:
    async with at("lesson", size) as person:
        before = person.scene
        assert _NOTICE[: min(len(_NOTICE), size[0] - 2)].split(maxsplit=1)[0] in person.screen
        assert "Weights" not in person.screen
        for command in _CHANGING:
            for key in command.keys:
                await person.press(key)
                assert person.app.screen.id == "_default", command.id
        await person.type("123-.")
        await person.press("enter")
        await person.paste("1 2 3")
        await person.paste("1 2\n3 4")
        assert person.scene is before
        assert person.kept is before
        assert not person.app.pen.is_typing


async def test_coming_back_from_too_small_everything_is_there_and_typing_works() -> None:
    async with at("lesson") as person:
        lines = person.lines
        await person.resize(40, 10)
        assert _NOTICE.split(",", maxsplit=1)[0][:20] in person.screen
        await person.type("5")
        await person.resize(80, 24)
        assert person.lines == lines
        await person.type("5")
        assert person.scene.query[0] == 5.0
        assert person.shows_weights(person.app.reading.weights)
        await person.press("enter", "i")
        assert person.kept.query[0] == 5.1


async def test_a_number_that_is_being_typed_survives_a_resize() -> None:
    async with at("lesson") as person:
        await person.type("12")
        await person.resize(120, 40)
        await person.type("5")
        assert person.app.pen.value == "125"
        await person.resize(30, 8)
        await person.resize(80, 24)
        await person.press("enter")
        assert person.kept.query[0] == 125.0


async def test_quitting_works_below_the_least_size() -> None:
    async with at("lesson", (40, 10)) as person:
        await person.press("q")
        assert person.app.return_value is person.scene


async def test_every_size_shows_the_same_numbers() -> None:
    async with at("lesson") as person:
        for width, height in ((60, 16), (79, 23), (80, 24), (100, 30), (120, 40), (200, 60)):
            await person.resize(width, height)
            assert person.shows_weights(person.app.reading.weights[:1])
            assert "tau" in person.lines[0]
            assert person.lines[0].endswith("float64")
            assert "0.4967" in person.lines[3]
            assert "help" in person.lines[-1]
            assert all(len(line) <= width for line in person.lines)


async def test_resizing_draws_the_screen_that_starting_at_that_size_draws() -> None:
    async with at("coreference", (120, 40)) as person:
        wanted = person.lines
    async with at("coreference", (80, 24)) as person:
        small = person.lines
        for size in ((120, 40), (60, 16), (133, 37), (120, 40)):
            await person.resize(*size)
        assert person.lines == wanted
        await person.resize(80, 24)
        assert person.lines == small


async def test_the_pen_lies_over_the_number_it_edits() -> None:
    async with at("lesson") as person:
        for size in ((80, 24), (120, 40), (60, 16)):
            await person.resize(*size)
            for cell in ((-1, 0), (0, 1), (4, 0)):
                await person.go(*cell)
                shown = person.lines
                await person.type("7")
                typed = person.lines
                row = person.app.pen.region.y
                assert "7 " in typed[row][person.app.pen.region.x : person.app.pen.region.right]
                assert typed[row][: person.app.pen.region.x] == shown[row][: person.app.pen.region.x]
                await person.press("escape")
                assert np.array_equal(person.scene.keys, person.kept.keys)
                assert person.lines == shown


async def test_the_pen_comes_back_to_its_cell_from_a_zoom() -> None:
    async with at("lesson") as person:
        await person.go(2, 1)
        shown = person.lines
        await person.press("z")
        await person.settle()
        await person.type("5")
        assert person.scene.temperature == 5.0, "zoomed, there is only the temperature to type"
        await person.press("escape", "z")
        await person.settle()
        assert person.lines == shown
        await person.type("7")
        assert person.scene.keys[2, 1] == 7.0
