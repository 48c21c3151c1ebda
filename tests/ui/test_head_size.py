"""Head sizes are drawn in the background while one works on."""

import asyncio
import re
import time
from collections.abc import Callable
from functools import cache

import numpy as np
import pytest
from textual.geometry import Region

from attn_tui.core.attend import attend
from attn_tui.core.head_size import HeadSize, Setting, survey
from attn_tui.model.figures import figure
from attn_tui.model.scene import Scene
from attn_tui.ui.views import VIEWS
from attn_tui.ui.views.head_size import HeadSizeView
from tests.ui.person import Person, at

_INDEX = [entry.id for entry in VIEWS].index("head-size")
_KEY = f"f{_INDEX + 2}"


def view(person: Person) -> str:
    """What is on the stage of the head sizes."""
    stage = person.app.views[_INDEX].stage
    assert stage is not None
    return person.crop(stage.content_region)


async def until(person: Person, holds: Callable[[], bool], seconds: float = 20.0) -> None:
    """Wait until something is so."""
    end = time.monotonic() + seconds
    while not holds():
        assert time.monotonic() < end, person.screen
        await person.pilot.pause(0.02)


async def done(person: Person) -> None:
    """Wait until everything is drawn."""
    await until(person, lambda: "R cancels" not in view(person) and "%" not in view(person))


@cache
def found(head_size: int = 4, keys: int = 5, draws: int = 200, seed: int = 42) -> list[HeadSize]:
    *_, last = survey(Setting.of(head_size, keys, draws, seed))
    return list(last.found)


def own_figures(size: HeadSize) -> list[list[str]]:
    """What the lines of the scene's own head size have to say."""
    return [
        [name, *(figure(number, 5, 3) for number in (w.entropy, w.entropy_ratio, w.peak, w.gradient))]
        for name, w in (("raw", size.raw), ("scaled", size.scaled))
    ]


def shows(person: Person, size: HeadSize) -> bool:
    """Whether the numbers of the scene's own head size are these."""
    rows = [line.split()[:5] for line in view(person).split("\n")]
    spread = f"spread {figure(size.spread, 5, 3)}"
    return all(row in rows for row in own_figures(size)) and spread in view(person)


async def type_field(person: Person, name: str, text: str) -> None:
    """Type into one of the view's fields, and keep it."""
    for _ in range(4):
        await person.type("/")
        if f"{name} = " in person.said:
            break
        await person.press("escape")
    assert f"{name} = " in person.said
    await person.type(text)
    await person.press("enter")


async def slow(person: Person) -> None:
    """So many draws that they take a while."""
    await type_field(person, "draws", "10000")
    await until(person, lambda: "R cancels" in view(person))


async def test_it_opens_finishes_and_shows_the_numbers_of_the_scenes_head_size() -> None:
    async with at("lesson") as person:
        assert person.app.views[_INDEX].stage is None
        await person.press(_KEY)
        assert "Head size" in person.screen
        await done(person)
        sizes = found()
        assert shows(person, sizes[0])
        told = next(size for size in sizes if size.head_size == 64)
        assert f"peak at hs 64: {told.raw.peak:.3f}, scaled {told.scaled.peak:.3f}" in view(person)
        assert "hs 4: spread" in view(person)
        assert "x drawn, line sqrt(hs)" in view(person)
        assert "x raw, line 1/sqrt(hs)" in view(person)
        assert view(person).count("●") == 4, "the scene's own is marked on both charts and in the title"


async def test_nothing_runs_before_it_is_shown() -> None:
    async with at("lesson") as person:
        await person.press("i", "f2")
        assert not list(person.app.workers)


async def test_progress_is_shown_and_r_cancels_and_draws_again() -> None:
    async with at("lesson") as person:
        await person.press(_KEY)
        await done(person)
        await slow(person)
        percents: set[int] = set()

        def has_risen() -> bool:
            percents.update(int(percent) for percent in re.findall(r"(\d+) %", view(person)))
            return len(percents) > 2

        await until(person, has_risen)
        await person.press("R")
        assert "cancelled: R draws again" in person.said
        assert "cancelled at" in view(person)
        stopped = view(person)
        await asyncio.sleep(0.3)
        assert view(person) == stopped
        assert not any(worker.is_running for worker in person.app.workers)
        await type_field(person, "draws", "20")
        await done(person)
        assert shows(person, found(draws=20)[0])
        drawn = view(person)
        await person.press("R")
        await done(person)
        assert view(person) == drawn, "the same seed draws the same"


async def test_seed_and_draws_are_typed_and_a_refused_one_changes_nothing() -> None:
    async with at("lesson") as person:
        await person.press(_KEY)
        await type_field(person, "seed", "7")
        await type_field(person, "draws", "50")
        await done(person)
        assert person.app.options.seed == 7
        assert person.app.options.draws == 50
        assert shows(person, found(draws=50, seed=7)[0])
        assert re.search(r"seed +7 +draws +50", view(person))
        await person.type("/")
        await person.type("1.5")
        assert "has to be a whole number from" in person.said
        await person.press("escape")
        await done(person)
        assert shows(person, found(draws=50, seed=7)[0])


async def test_a_number_typed_in_the_grid_while_it_runs_is_on_the_screen_in_the_same_turn() -> None:
    async with at("lesson", (120, 40)) as person:
        await person.press(_KEY)
        await slow(person)
        for typed, number in (("2", 2.0), ("5", 25.0)):
            if person.app.pen.is_typing:
                person.app.pen.insert_text_at_cursor(typed)
            else:
                person.app.pen.begin(person.app.cell, typed)
            query = person.kept.query.copy()
            query[0] = number
            weights = attend(query, person.kept.keys).weights
            assert np.array_equal(person.app.reading.weights, weights)
            first = person.app.stages[0]
            assert f"{weights[4]:.4f}"[:4] in "\n".join(line.text for line in first.render_lines(Region(0, 0, 40, 6)))
        assert "R cancels" in view(person), "and the drawing goes on"


async def test_it_goes_on_when_the_scene_is_edited_and_starts_anew_when_its_size_changes() -> None:
    async with at("lesson") as person:
        await person.press(_KEY)
        await done(person)
        drawn = view(person)
        await person.press("i", "t")
        await person.type("2")
        await person.press("enter")
        assert view(person) == drawn
        await person.press("j", "a")
        assert person.scene.count == 6
        await done(person)
        assert shows(person, found(keys=6)[0])
        await person.press("u")
        await done(person)
        assert view(person) == drawn


async def test_it_goes_on_behind_another_view_and_is_given_up_when_no_longer_wanted() -> None:
    async with at("lesson") as person:
        head_sizes = person.app.views[_INDEX]
        assert isinstance(head_sizes, HeadSizeView)
        await person.press(_KEY)
        await slow(person)
        await person.press("f2")
        await person.pilot.pause(0.2)
        assert any(worker.is_running for worker in person.app.workers)
        await person.press("j", "a")
        await until(person, lambda: not any(worker.is_running for worker in person.app.workers))
        await person.press("u", _KEY)
        assert "R cancels" in view(person), "what was given up is drawn anew"


async def test_nothing_is_sent_once_it_is_done(monkeypatch: pytest.MonkeyPatch) -> None:
    async with at("lesson") as person:
        await person.press(_KEY)
        await done(person)
        calls: list[object] = []
        monkeypatch.setattr(person.app, "later", calls.append)
        await asyncio.sleep(0.4)
        assert calls == []


async def test_at_most_ten_states_a_second_reach_the_screen(monkeypatch: pytest.MonkeyPatch) -> None:
    async with at("lesson") as person:
        await person.press(_KEY)
        await slow(person)
        times: list[float] = []
        later = person.app.later

        def counted(call: Callable[[], None]) -> None:
            times.append(time.monotonic())
            later(call)

        monkeypatch.setattr(person.app, "later", counted)
        await asyncio.sleep(1.0)
        assert 1 <= len(times) <= 11


@pytest.mark.parametrize("size", [(60, 16), (78, 22), (80, 24), (100, 30), (119, 30), (120, 40), (140, 60), (200, 60)])
@pytest.mark.parametrize("ascii_only", [False, True], ids=["unicode", "ascii"])
async def test_at_every_size_no_number_is_cut(size: tuple[int, int], ascii_only: bool) -> None:
    async with at("lesson", ascii_only=ascii_only) as person:
        await person.press(_KEY)
        await done(person)
        await person.resize(*size)
        for zoomed in (False, True):
            if zoomed:
                await person.press("z")
                await person.pilot.pause()
            text = view(person)
            assert not ascii_only or text.isascii()
            own = found()[0]
            for number in (own.raw.peak, own.scaled.peak, own.raw.entropy, own.scaled.entropy):
                assert figure(number, 5, 3) in text


@pytest.mark.parametrize("head_size", [1, 4, 24, 4096, 65536])
@pytest.mark.parametrize("width", [20, 24, 30, 37, 38, 39, 40, 44, 76, 77, 78, 100, 118, 198])
async def test_every_line_fits(head_size: int, width: int) -> None:
    scene = Scene.of(np.ones(head_size), np.zeros((2, head_size)))
    async with at(scene) as person:
        person.app.set_options(draws=2)
        await person.press(_KEY)
        await done(person)
        shown = person.app.stages[0].shown
        assert shown is not None
        for height in (10, 11, 14, 18, 24, 34, 40, 60):
            lines = person.app.view.draw(shown, width, height)
            assert len(lines) <= height
            assert all(sum(len(piece) for piece, _ in line) <= width for line in lines)


async def test_zoomed_or_tall_every_head_size_has_a_row() -> None:
    async with at("lesson") as person:
        await person.press(_KEY, "z")
        await done(person)
        sizes = sorted(found(), key=lambda size: size.head_size)
        for screen in ((80, 24), (120, 24), (120, 40)):
            await person.resize(*screen)
            for size in sizes:
                row = rf"{size.head_size} +{re.escape(figure(size.spread, 6, 3))} "
                assert re.search(row, view(person)), (screen, size)
            assert "▸   4" in view(person), "the scene's own is marked"
        await person.press("z")
        assert re.search(r"4096 +63.035 ", view(person))


async def test_many_keys_and_a_single_one_are_bounded_and_that_is_said() -> None:
    for count, drawn in ((1, 2), (100, 64)):
        async with at(Scene.of([1.0, 2.0], np.zeros((count, 2)))) as person:
            person.app.set_options(draws=5)
            await person.press(_KEY)
            await done(person)
            assert f"{drawn} keys drawn, not the scene's {count}" in view(person)
            assert shows(person, found(head_size=2, keys=drawn, draws=5)[0])


async def test_leaving_while_it_runs_takes_no_time() -> None:
    async with at("lesson") as person:
        await person.press(_KEY)
        await slow(person)
        left = time.monotonic()
    assert time.monotonic() - left < 5.0


async def test_r_says_when_there_is_nothing_to_run() -> None:
    async with at("lesson") as person:
        await person.press("R")
        assert "this view computes nothing that could be run again" in person.said
