"""Thousands of keys on a screen of twenty-four lines."""

import re

import numpy as np
import pytest

from attn_tui.model.scene import Scene
from tests.ui.person import Person, at

_LEFT_OUT = re.compile(r"(\d+) more keys hold (\S+)")


def _many(keys: int = 4096, head_size: int = 8) -> Scene:
    """Random keys, none of which has it all."""
    generator = np.random.default_rng(7)
    return Scene.of(generator.normal(size=head_size), generator.normal(size=(keys, head_size)), scale="sqrt")


def _bars(person: Person) -> dict[str, str]:
    """Label and figure of every key that has a bar."""
    rows = [line.split() for line in person.view.split("\n")]
    return {row[0]: row[1] for row in rows if len(row) > 1 and re.fullmatch(r"k\d+", row[0])}


def _left_out(person: Person) -> tuple[int, float]:
    """How many keys are left out, and what they hold."""
    match = _LEFT_OUT.search(person.view)
    assert match is not None
    return int(match[1]), float(match[2])


@pytest.mark.parametrize("by_weight", [False, True], ids=["own-order", "by-weight"])
@pytest.mark.parametrize("size", [(80, 24), (118, 40)], ids=["80x24", "118x40"])
async def test_what_is_shown_and_what_is_left_out_add_up(by_weight: bool, size: tuple[int, int]) -> None:
    async with at(_many(), size) as person:
        if by_weight:
            await person.press("o")
        weights = person.app.reading.weights
        for key in (-1, 0, 1, 2047, 4095):
            await person.go(key, 3)
            bars = _bars(person)
            count, held = _left_out(person)
            assert len(bars) + count == 4096
            assert 2 <= len(bars) < person.app.stages[0].content_size.height
            shown = sum(float(weights[int(label[1:])]) for label in bars)
            assert held == pytest.approx(1.0 - shown, abs=5e-5)
            assert all(
                float(figure) == pytest.approx(float(weights[int(label[1:])]), rel=0.5)
                for label, figure in bars.items()
            )
            assert key < 0 or f"k{key}" in bars


async def test_by_weight_the_heaviest_come_first() -> None:
    async with at(_many()) as person:
        await person.press("o")
        weights = person.app.reading.weights
        heaviest = [f"k{key}" for key in np.argsort(-weights, kind="stable")]
        bars = list(_bars(person))
        assert bars == heaviest[: len(bars)]
        await person.go(4000, 0)
        bars = list(_bars(person))
        assert bars[-1] == "k4000"
        assert bars[:-1] == heaviest[: len(bars) - 1]


async def test_the_grid_scrolls_with_the_cursor_and_says_where_it_is() -> None:
    async with at(_many()) as person:
        assert re.search(r"keys 0-1\d of 4096", person.screen)
        assert "columns 0-" in person.screen
        await person.press("G")
        assert "k4095" in person.grid
        assert "-4095 of 4096" in person.screen
        await person.press("pageup")
        assert "k4095" not in person.grid
        assert f"k{person.app.cursor.row}" in person.grid
        await person.press("end")
        assert "-7 of 8" in person.screen
        assert "d7" in person.grid
        await person.press("g", "home")
        assert "d0" in person.grid
        await person.go(0, 0)
        assert " k0 " in person.grid


async def test_a_number_of_the_last_key_is_edited_where_it_is_shown() -> None:
    async with at(_many()) as person:
        await person.press("G", "end")
        await person.type("50")
        assert person.grid.split("\n")[-1].split()[0] == "k4095"
        assert "50" in person.grid.split("\n")[-1]
        weights = person.app.reading.weights
        assert person.scene.keys[4095, 7] == 50.0
        assert np.isclose(weights.sum(), 1.0, rtol=1e-12)
        await person.press("enter")
        assert "k4095.d7 50.0000" in person.said


async def test_a_masked_key_counts_for_nothing_among_many() -> None:
    async with at(_many(300)) as person:
        await person.press("M")
        await person.go(250, 0)
        await person.press("m")
        assert person.app.reading.weights[250] == 1.0
        assert _left_out(person)[1] == 0.0
        assert _bars(person)["k250"] == "1.0000"


@pytest.mark.parametrize("keys", [1, 2, 8, 9, 10, 30])
async def test_few_keys_are_all_shown_or_the_rest_is_counted(keys: int) -> None:
    async with at(_many(keys)) as person:
        bars = _bars(person)
        left_out = _LEFT_OUT.search(person.view)
        assert len(bars) + (int(left_out[1]) if left_out else 0) == keys
        assert "H " in person.view


async def test_a_key_has_a_bar_as_long_as_its_weight() -> None:
    scene = Scene.of([1.0], [[0.0], [np.log(3.0)]])
    async with at(scene) as person:
        first, second = (line.count("█") for line in person.view.split("\n")[:2])
        room = person.app.stages[0].content_size.width - 2 - 7 - 2
        assert abs(first - 0.25 * room) <= 1.0
        assert abs(second - 0.75 * room) <= 1.0
