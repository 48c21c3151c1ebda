"""Numbers are pasted: into cells, as a whole scene, in the forms that programs print."""

import numpy as np
import pytest

from tests.ui.person import at

_MATRIX = [[1.0, 0.0], [1.0, 0.0], [0.0, 2.0], [-1.5, 3.0]]
_FORMS = {
    "plain": "1 0\n1 0\n0 2\n-1.5 3",
    "commas": "1, 0\n1, 0\n0, 2\n-1.5, 3\n",
    "tabs": "1\t0\n1\t0\n0\t2\n-1.5\t3",
    "windows": "1 0\r\n1 0\r\n0 2\r\n-1.5 3\r\n",
    "numpy": "[[ 1.   0. ]\n [ 1.   0. ]\n [ 0.   2. ]\n [-1.5  3. ]]",
    "numpy-repr": "array([[ 1. ,  0. ],\n       [ 1. ,  0. ],\n       [ 0. ,  2. ],\n       [-1.5,  3. ]])",
    "torch": "tensor([[ 1.0, 0.0],\n        [ 1.0, 0.0],\n        [ 0.0, 2.0],\n        [-1.5, 3.0]])",
    "python": "[[1, 0], [1.0, 0.0], [0, 2], [-1.5, 3]]",
    "tuples": "((1, 0), (1, 0), (0, 2), (-1.5, 3))",
}  # fmt: skip


@pytest.mark.parametrize("form", _FORMS)
async def test_a_matrix_on_the_first_number_is_a_whole_scene(form: str) -> None:
    async with at("lesson") as person:
        await person.paste(_FORMS[form])
        assert np.vstack([person.kept.query, person.kept.keys]).tolist() == _MATRIX
        assert "3 keys x hs 2" in person.lines[0]
        assert "pasted 4 x 2 numbers" in person.said
        assert person.shows_weights(person.app.reading.weights)
        await person.press("u")
        assert "5 keys x hs 4" in person.lines[0]


async def test_a_vector_fills_the_cells_from_the_cursor_on() -> None:
    async with at("lesson") as person:
        before = person.scene
        await person.go(2, 1)
        await person.paste("[7, -8.5, 9e-3]")
        assert person.kept.keys[2].tolist() == [before.keys[2, 0], 7.0, -8.5, 0.009]
        assert (np.delete(person.kept.keys, 2, axis=0) == np.delete(before.keys, 2, axis=0)).all()
        assert "pasted 3 numbers" in person.said
        assert "-8.5000" in person.grid
        assert person.shows_weights(person.app.reading.weights)


async def test_rows_past_the_last_key_add_keys() -> None:
    async with at("lesson") as person:
        await person.go(4, 0)
        await person.paste("1 2 3 4\n5 6 7 8\n9 10 11 12")
        assert person.kept.count == 7
        assert person.kept.labels == ("k0", "k1", "k2", "k3", "k4", "k5", "k6")
        assert person.kept.keys[6].tolist() == [9.0, 10.0, 11.0, 12.0]
        assert "7 keys x hs 4" in person.lines[0]


async def test_numbers_past_the_last_column_are_refused_and_nothing_is_lost() -> None:
    async with at("lesson") as person:
        before = person.scene
        await person.go(1, 2)
        await person.paste("1 2 3")
        assert "3 numbers in a row do not fit: from k1.d2 on there is room for 2" in person.said
        assert person.scene is before
        assert len(person.app.history.past) == 1


@pytest.mark.parametrize(
    "garbage",
    ["hello world", "1 2 three", "[[1, 2], [3]]", "hello", "[1, 2", "[0.1 0.2 ... 0.9]", "", "\x1b[2J", "1 2; 3"],
)
async def test_garbage_is_refused_in_words_and_nothing_is_lost(garbage: str) -> None:
    async with at("lesson") as person:
        before = person.scene
        await person.paste(garbage)
        assert "not pasted: " in person.said
        assert "\x1b" not in person.screen
        assert person.scene is before
        assert person.kept is before


async def test_one_number_pasted_is_typed_and_can_be_kept_or_not() -> None:
    async with at("lesson") as person:
        before = person.scene
        await person.paste("2.5")
        assert person.scene.query[0] == 2.5
        assert person.shows_weights(person.app.reading.weights)
        await person.press("escape")
        assert person.kept is before
        await person.paste(" -1e-3\n")
        await person.press("enter")
        assert person.kept.query[0] == -0.001


async def test_part_of_a_number_pasted_while_typing_goes_into_it() -> None:
    async with at("lesson") as person:
        await person.type("1")
        await person.paste("25")
        assert person.app.pen.value == "125"
        assert person.scene.query[0] == 125.0
        await person.press("enter")
        assert person.kept.query[0] == 125.0


async def test_a_matrix_pasted_while_typing_takes_the_place_of_what_was_typed() -> None:
    async with at("lesson") as person:
        await person.type("12")
        await person.paste(_FORMS["numpy"])
        assert "3 keys x hs 2" in person.lines[0]
        assert not person.app.pen.is_typing
        assert person.kept.query.tolist() == [1.0, 0.0]


async def test_garbage_pasted_while_typing_is_refused_in_words_and_what_was_typed_is_not_lost() -> None:
    async with at("lesson") as person:
        await person.type("12")
        await person.paste("hello world")
        assert "not pasted: " in person.said
        assert person.app.pen.is_typing
        assert person.app.pen.value == "12"
        assert person.scene.query[0] == 12.0


async def test_a_matrix_that_does_not_fit_is_refused_while_typing_and_what_was_typed_is_not_lost() -> None:
    async with at("lesson") as person:
        await person.go(0, 3)
        await person.type("12")
        await person.paste("1 2")
        assert "not pasted: 2 numbers in a row do not fit" in person.said
        assert person.app.pen.value == "12"
        assert person.scene.keys[0, 3] == 12.0
        await person.press("enter")
        assert person.kept.keys[0, 3] == 12.0


async def test_characters_that_no_number_has_are_refused_when_pasted_into_one() -> None:
    async with at("lesson") as person:
        await person.type("12")
        await person.paste("xyz")
        assert "'xyz'" in person.said
        assert person.app.pen.value == "12"
        assert person.scene.query[0] == 12.0


async def test_a_paste_into_the_temperature_takes_one_number() -> None:
    async with at("lesson") as person:
        await person.type("t")
        await person.paste("0.25")
        await person.press("enter")
        assert person.kept.temperature == 0.25


async def test_a_named_matrix_brings_its_names() -> None:
    async with at("lesson") as person:
        await person.paste("q = [1, 0]\ncat = [0, 1]\ndog = [1, 1]")
        assert person.kept.labels == ("cat", "dog")
        assert "cat" in person.grid
        assert "dog" in person.view
