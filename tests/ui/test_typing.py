"""A number is typed, and everything follows each key."""

import re

import numpy as np
import pytest

from attn_tui.core.attend import attend
from attn_tui.model.scene import Cell
from tests.ui.person import Person, at


def _weights_with(person: Person, number: float) -> np.ndarray:
    """The core's weights for the kept scene with another q.d0."""
    query = person.kept.query.copy()
    query[0] = number
    return attend(query, person.kept.keys).weights


async def test_every_key_of_a_number_shows_the_weights_of_the_number_so_far() -> None:
    async with at("lesson") as person:
        for typed, number in (("1", 1.0), ("2", 12.0), (".", 12.0), ("5", 12.5), ("e", 12.5), ("-", 12.5), ("1", 1.25)):
            await person.type(typed)
            weights = _weights_with(person, number)
            assert np.array_equal(person.app.reading.weights, weights)
            assert person.shows_weights(weights), (typed, person.view)
        assert person.kept.query[0] != 1.25
        await person.press("enter")
        assert person.kept.query[0] == 1.25
        assert "q.d0 1.2500" in person.said


async def test_a_digit_a_sign_and_a_point_begin_a_number() -> None:
    async with at("lesson") as person:
        for opening in "0123456789-+.":
            await person.type(opening)
            assert person.app.pen.value == opening
            assert person.lines[3].split()[2] == opening
            await person.press("escape")
            assert not person.app.pen.is_typing


@pytest.mark.parametrize(
    ("typed", "missing", "good"),
    [
        ("-", "only a minus so far: digits are missing", None),
        (".", "only a point so far: digits are missing", None),
        ("1e", "the exponent is missing its digits", 1.0),
        ("3-", "'3-' is not a number", 3.0),
    ],
)
async def test_a_half_typed_number_keeps_the_last_good_reading(typed: str, missing: str, good: float | None) -> None:
    async with at("lesson") as person:
        before = float(person.scene.query[0])
        await person.type(typed)
        weights = _weights_with(person, before if good is None else good)
        assert person.shows_weights(weights)
        assert "Weights of the last good number" in person.screen
        assert missing in person.said
        assert "(shown: the last good number)" in person.said
        await person.press("enter")
        assert person.app.pen.is_typing
        assert missing in person.said
        assert len(person.app.history.past) == 1
        await person.press("escape")
        assert person.scene.query[0] == before
        assert "last good number" not in person.screen


async def test_an_empty_number_is_missing_and_can_be_typed_again() -> None:
    async with at("lesson") as person:
        await person.type("12")
        await person.press("backspace", "backspace")
        assert person.app.pen.value == ""
        assert person.app.pen.is_typing
        assert "a number is missing" in person.said
        assert "Weights of the last good number" in person.screen
        assert person.shows_weights(_weights_with(person, 1.0))
        await person.type("4")
        assert "last good number" not in person.screen
        assert person.shows_weights(_weights_with(person, 4.0))
        await person.press("enter")
        assert person.kept.query[0] == 4.0


async def test_what_is_typed_stands_in_the_bottom_line_until_it_is_kept() -> None:
    async with at("lesson") as person:
        await person.type("-1.5")
        assert person.said.startswith("q.d0 = -1.5 ")
        await person.press("enter")
        assert person.said.startswith("q.d0 -1.5000 ")
        await person.type("2")
        await person.press("escape")
        assert person.said.startswith("q.d0 -1.5000 ")


async def test_escape_puts_the_old_number_back_and_leaves_no_step() -> None:
    async with at("lesson") as person:
        before, lines = person.scene, person.lines
        await person.type("-7")
        assert person.lines != lines
        await person.press("escape")
        assert person.scene is before
        assert person.lines == lines
        assert person.app.history.undo() is None


async def test_tab_and_the_arrows_keep_the_number_and_move() -> None:
    async with at("lesson") as person:
        await person.type("1")
        await person.press("tab")
        await person.type("2")
        await person.press("down")
        await person.type("3")
        await person.press("shift+tab")
        await person.type("4")
        await person.press("up")
        assert person.kept.query[:2].tolist() == [1.0, 2.0]
        assert person.kept.keys[0, :2].tolist() == [4.0, 3.0]
        assert person.app.cursor == Cell(-1, 0)
        assert len(person.app.history.past) == 5


async def test_an_unfinished_number_keeps_the_cursor_where_it_is() -> None:
    async with at("lesson") as person:
        await person.type("-")
        await person.press("tab", "down", "up", "shift+tab")
        assert person.app.cursor == Cell(-1, 0)
        assert person.app.pen.is_typing
        await person.type("1")
        await person.press("tab")
        assert person.kept.query[0] == -1.0
        assert person.app.cursor == Cell(-1, 1)


async def test_letters_are_no_commands_while_a_number_is_typed() -> None:
    async with at("lesson") as person:
        await person.type("1")
        for letter in "qxmuhjklso?:":
            await person.type(letter)
            assert person.app.is_running
            assert person.app.pen.value == f"1{letter}"
            assert f"'1{letter}' is not a number" in person.said
            await person.press("enter")
            assert person.app.pen.is_typing, "an unfinished number cannot be kept"
            await person.press("backspace")
        await person.press("enter")
        assert person.kept.query[0] == 1.0
        assert len(person.app.history.past) == 2


async def test_the_caret_moves_within_the_number() -> None:
    async with at("lesson") as person:
        await person.type("13")
        await person.press("left")
        await person.type("2")
        await person.press("home")
        await person.type("-")
        assert person.scene.query[0] == -123.0
        await person.press("delete")
        assert person.scene.query[0] == -23.0
        await person.press("end", "backspace", "enter")
        assert person.kept.query[0] == -2.0


async def test_undo_and_redo_walk_through_typed_numbers() -> None:
    async with at("lesson") as person:
        for number in ("1", "2", "3"):
            await person.type(number)
            await person.press("enter")
        await person.press("u")
        assert "undone: q.d0 = 3.0000" in person.said
        await person.press("u")
        assert person.kept.query[0] == 1.0
        assert person.shows_weights(_weights_with(person, 1.0))
        await person.press("U")
        assert "again: q.d0 = 2.0000" in person.said
        assert person.kept.query[0] == 2.0
        assert person.shows_weights(_weights_with(person, 2.0))


async def test_ctrl_z_while_typing_undoes_nothing_that_was_not_kept() -> None:
    async with at("lesson") as person:
        await person.type("9")
        await person.press("ctrl+z")
        assert person.kept is person.scene
        assert len(person.app.history.past) == 1


@pytest.mark.parametrize("written", ["nan", "inf", "-inf"])
async def test_nan_and_infinities_are_numbers_that_can_be_typed(written: str) -> None:
    async with at("lesson") as person:
        await person.go(1, 0)
        await person.press("enter")
        await person.type(written)
        await person.press("enter")
        assert repr(float(person.kept.keys[1, 0])) == written
        assert f"k1.d0 is {written}" in person.said
        row = next(line for line in person.grid.split("\n") if line.startswith(" k1"))
        assert row.split()[1] == written


async def test_a_nan_key_makes_every_weight_nan_on_the_screen_and_masking_it_heals_the_row() -> None:
    async with at("lesson") as person:
        await person.go(1, 0)
        await person.press("enter")
        await person.type("nan")
        await person.press("enter")
        assert [line.split()[1] for line in person.view.split("\n")[:5]] == ["nan"] * 5
        assert "H nan" in person.view
        assert "k1.d0 is nan: every weight is nan" in person.said
        await person.press("m")
        without = [0, 2, 3, 4]
        expected = attend(person.kept.query, person.kept.keys[without]).weights
        assert np.allclose(person.app.reading.weights[without], expected, rtol=1e-15, atol=0.0)
        assert person.view.split("\n")[1].split() == ["k1", "masked"]
        await person.press("h")
        assert "k1.d0 is nan, but masked: harmless here" in person.said


async def test_no_key_may_be_attended_is_said_and_no_entropy_is_drawn() -> None:
    async with at("lesson") as person:
        await person.press("M")
        assert not person.kept.mask.any()
        assert person.app.reading.weights.tolist() == [0.0] * 5
        assert person.view.count("masked") == 5
        assert "H undefined: no key may be attended" in person.view
        await person.press("l")
        assert "0 of 5 keys may be attended: softmax undefined" in person.said
        await person.press("M")
        assert "H 0.3956 of 1.6094 nats" in person.view


async def test_a_number_too_large_for_float64_is_refused_in_words() -> None:
    async with at("lesson") as person:
        await person.type("1e999")
        assert "is above the float64 maximum" in person.said
        await person.press("enter")
        assert person.app.pen.is_typing
        await person.press("backspace", "enter")
        assert person.kept.query[0] == 1e99


async def test_the_screen_has_the_same_numbers_as_the_core() -> None:
    async with at("lesson") as person:
        reading = attend(person.scene.query, person.scene.keys)
        assert person.shows_weights(reading.weights)
        assert f"H {reading.entropy:.4f} of {reading.entropy_max:.4f} nats" in person.view
        assert re.search(rf"effective +{reading.effective_keys:.2f}\b", person.view)
        assert f"{100.0 * (reading.entropy_ratio or 0.0):.1f} %" in person.view
        for key in range(5):
            await person.go(key, 1)
            adds = float(reading.contributions[key, 1])
            assert f"adds {adds:+.4f} to the score {reading.scores[key]:.4f}" in person.said
            assert f"cosine {reading.cosines[key]:.2f}  weight {reading.weights[key]:.4f}" in person.said


async def test_a_value_says_what_it_adds_to_the_output() -> None:
    async with at("coreference") as person:
        scene, reading = person.scene, person.app.reading
        await person.go(2, scene.head_size + 3)
        assert reading.output is not None
        assert person.said.startswith('"animal".v3')
        assert f"to the output {reading.output[3]:.4f}" in person.said
