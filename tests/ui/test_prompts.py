"""The prompts: rename and set scale."""

import pytest

from attn_tui.ui.screens.prompt import Prompt
from tests.ui.person import at


async def test_an_empty_name_is_refused_and_the_prompt_stays_to_be_mended() -> None:
    async with at("lesson") as person:
        await person.go(1, 0)
        await person.press("r", "backspace", "backspace", "enter")
        assert "a name needs at least one character" in person.screen
        assert person.kept.labels[1] == "k1"
        await person.press("space", "enter")
        assert isinstance(person.app.screen, Prompt)
        await person.type("x")
        await person.press("enter")
        assert not isinstance(person.app.screen, Prompt)
        assert person.kept.labels[1].strip() == "x"


@pytest.mark.parametrize("key", ["r", "S"])
async def test_escape_leaves_a_prompt_and_everything_as_it_was(key: str) -> None:
    async with at("lesson") as person:
        before, lines = person.scene, person.lines
        await person.press(key)
        assert isinstance(person.app.screen, Prompt)
        await person.type("7")
        await person.press("escape")
        assert person.app.screen.id == "_default"
        assert person.scene is before
        assert person.lines == lines
        await person.type("7")
        assert person.scene.query[0] == 7.0, "the pen has the focus again"


async def test_letters_in_a_prompt_are_no_commands() -> None:
    async with at("lesson") as person:
        await person.press("r")
        await person.type("qum?:")
        assert isinstance(person.app.screen, Prompt)
        await person.press("enter")
        assert person.kept.query_label == "qum?:"
        assert person.kept.mask.all()


@pytest.mark.parametrize(
    ("typed", "words"),
    [("", "a number is missing"), ("nan", "finite"), ("inf", "finite"), ("1e999", "above the float64 maximum")],
)
async def test_a_scale_that_is_none_is_refused_in_words(typed: str, words: str) -> None:
    async with at("lesson") as person:
        await person.press("S", "backspace")
        await person.type(typed)
        await person.press("enter")
        assert words in person.screen
        assert person.kept.scale == 1.0
        await person.press("escape")
        assert person.kept.scale == 1.0


async def test_a_scale_below_zero_and_of_zero_are_taken_and_noted() -> None:
    async with at("lesson") as person:
        for typed, words in (("-1", "the scale is below 0"), ("0", "flat")):
            await person.press("S", *["backspace"] * 4)
            await person.type(typed)
            await person.press("enter")
            assert person.kept.scale == float(typed)
            await person.press("right")
            assert words in person.said or "the scale is 0" in person.said


async def test_a_prompt_opened_while_typing_is_not_possible_and_after_it_the_number_is_kept() -> None:
    async with at("lesson") as person:
        await person.type("3")
        await person.press("r")
        assert person.app.pen.value == "3r"
        assert not isinstance(person.app.screen, Prompt)
        await person.press("backspace")
