"""View 7: the map of all heads, and how it comes about."""

import asyncio
import time

import numpy as np
import pytest

from attn_tui.core.patterns import Pattern
from attn_tui.model import headmap
from attn_tui.model.examples import bundled, example
from attn_tui.model.figures import figure
from attn_tui.model.headmap import MEASURES, HeadMap
from attn_tui.model.heads import scene_of
from attn_tui.model.scene import Scene
from attn_tui.model.source import Dump
from attn_tui.ui.views import VIEWS
from tests.ui.person import Person, at

KEY = f"f{[entry.id for entry in VIEWS].index('heads') + 2}"
"""The key of the view."""


async def _complete(person: Person, seconds: float = 20.0) -> None:
    """Wait until no head is missing."""
    end = time.monotonic() + seconds
    while "of 72 heads" in person.screen or " not known yet" in person.view:
        assert time.monotonic() < end
        await asyncio.sleep(0.01)


def _wanted(scene: Scene | str = "sink", *, causal: bool = False) -> HeadMap:
    """The map of the bundled model."""
    heads = HeadMap.of(example(scene) if isinstance(scene, str) else scene, bundled(), causal=causal)
    list(heads.steps())
    return heads


def _words(person: Person) -> str:
    """What is said below the map."""
    lines = person.view.split("\n")
    first = next(i for i, line in enumerate(lines) if "mean entropy" in line)
    return " ".join(line.strip() for line in lines[first:])


def _numbers(person: Person) -> list[list[str]]:
    """The numbers of the map, layer by layer, in cells of three."""
    lines = [line for line in person.view.split("\n") if line[:1] == "L"]
    return [[line[3 + 3 * head + 1 : 3 + 3 * head + 3].strip() for head in range(12)] for line in lines]


async def test_all_heads_are_there_with_their_numbers() -> None:
    async with at("sink") as person:
        await person.press(KEY)
        await _complete(person)
        heads, numbers = _wanted(), _numbers(person)
        for layer, head in bundled().heads():
            part = heads.part(heads.patterns[layer, head].entropy or 0.0, MEASURES[0])
            shown = numbers[layer][head]
            assert shown == str(round(100.0 * part)) or (shown == "<1" and 0.0 < part < 0.005)
        assert len(numbers) == 6


def test_all_the_bundled_heads_are_found_in_well_under_a_second() -> None:
    taken: list[float] = []
    for _ in range(3):
        begin = time.thread_time()
        _wanted()
        taken.append(time.thread_time() - begin)
    assert min(taken) < 0.3


async def test_the_words_have_every_measure_and_the_range() -> None:
    async with at("sink") as person:
        await person.press(KEY)
        await _complete(person)
        heads = _wanted()
        words, here = _words(person), heads.patterns[4, 5]
        assert words.startswith("L4 H5 (open)")
        assert f"mean entropy {figure(here.entropy, 6)} nats" in words
        assert f"first token {figure(here.first, 6)}" in words
        assert f"previous token {figure(here.previous, 6)}" in words
        assert f"peak {figure(here.peak, 6)}" in words
        assert "at L0 H2" in words
        assert "% of ln 15 = 2.708 nats" in words


@pytest.mark.parametrize("measure", range(len(MEASURES)))
async def test_the_key_goes_through_the_measures(measure: int) -> None:
    async with at("sink") as person:
        await person.press(KEY, *["H"] * measure)
        await _complete(person)
        heads = _wanted()
        assert f"Heads: {MEASURES[measure].name}" in person.screen
        assert measure == 0 or f"heads by {MEASURES[measure].name}" in person.said
        for end in heads.extremes(MEASURES[measure]) or ():
            assert f"{figure(heads.value(end, MEASURES[measure]), 6)}" in _words(person)
            assert bundled().head_name(end) in _words(person)


async def test_enter_opens_a_head_at_the_same_query_in_the_matrix() -> None:
    async with at("sink") as person:
        await person.press("greater_than_sign", KEY)
        start = person.scene
        await person.press(*["up"] * 4, *["left"] * 3, "enter")
        scene = person.scene
        assert scene.source is not None
        assert (scene.source.indices, scene.query_label) == ((0, 2), "it")
        assert (scene.temperature, scene.scale) == (start.temperature, "sqrt")
        assert "Matrix L0 H2" in person.screen
        assert "L0 H2 is open" in person.said
        await person.press("u")
        assert person.scene is start


async def test_the_cursor_stays_inside_and_the_open_head_is_marked() -> None:
    async with at("coreference") as person:
        await person.press(KEY, "g", "home", "up", "left")
        assert _words(person).startswith("L0 H0 ")
        await person.press("G", "end", "down", "right")
        assert _words(person).startswith("L5 H11 ")
        assert person.view.count("●") == 1
        assert next(line for line in person.view.split("\n") if line.startswith("L3"))[3 + 3] == "●"
        assert next(line for line in person.view.split("\n") if line.startswith("L5"))[2] == "▸"


async def test_a_row_a_head_or_a_mask_does_not_start_it_again(monkeypatch: pytest.MonkeyPatch) -> None:
    started: list[HeadMap] = []
    steps = HeadMap.steps
    monkeypatch.setattr(HeadMap, "steps", lambda heads: started.append(heads) or steps(heads))
    async with at("sink") as person:
        await person.press(KEY)
        await _complete(person)
        await person.press("up", "enter", "up", "enter", KEY, "space", "down", "m", "space")
        await person.press("H", "left")
        assert len(started) == 1
        await person.press("greater_than_sign")
        await _complete(person)
        assert len(started) == 2
        await person.press("s")
        await _complete(person)
        await person.press("C")
        await _complete(person)
        assert [(heads.temperature, heads.scale, heads.causal) for heads in started[2:]] == [
            (person.scene.temperature, 1.0, False),
            (person.scene.temperature, 1.0, True),
        ]


async def test_the_old_numbers_stay_until_the_new_ones_are_there(monkeypatch: pytest.MonkeyPatch) -> None:
    async with at("sink") as person:
        await person.press(KEY)
        await _complete(person)
        before = _numbers(person)
        monkeypatch.setattr(headmap, "row_blocks", _slow)
        await person.press("greater_than_sign")
        assert " of 72 heads" in person.screen
        assert _numbers(person) == before
        await person.press("q")


def _slow(*_: object, **__: object) -> object:
    """Blocks that take their time."""
    while True:
        time.sleep(0.005)
        yield np.zeros((5, 1))


async def test_no_key_waits_for_it_and_it_shows_how_far_it_is(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(headmap, "row_blocks", _slow)
    async with at("sink") as person:
        await person.press(KEY)
        assert "0 of 72 heads" in person.screen
        assert "not known yet" in person.view
        await person.press("up", "left")
        assert _words(person).startswith("L3 H4")
        await person.type("t")
        await person.type("2")
        await person.press("enter")
        assert person.scene.temperature == 2.0


async def test_it_is_given_up_when_the_dump_is_gone_and_goes_on_when_it_is_back(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    real = headmap.row_blocks
    monkeypatch.setattr(headmap, "row_blocks", _slow)
    async with at("sink") as person:
        await person.press(KEY)
        person.app.open(example("lesson"), "open lesson")
        await person.pilot.pause()
        assert "no head of a model" in " ".join(person.view.split())
        await _idle(person)
        monkeypatch.setattr(headmap, "row_blocks", real)
        await person.press("u")
        await _complete(person)
        assert _numbers(person)[0][0] == "91"


async def _idle(person: Person) -> None:
    """Wait until nothing runs in the background."""
    end = time.monotonic() + 10.0
    while any(worker.is_running and not worker.is_cancelled for worker in person.app.workers):
        assert time.monotonic() < end
        await asyncio.sleep(0.01)


async def test_it_is_given_up_in_another_view_too(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(headmap, "row_blocks", _slow)
    async with at("sink") as person:
        await person.press(KEY, "f2")
        person.app.open(example("lesson"), "open lesson")
        await _idle(person)


def _of(shape: tuple[int, ...], axes: str) -> Scene:
    """Random heads of this shape."""
    generator = np.random.default_rng(5)
    vectors = generator.normal(size=(*shape, 4, 2))
    return scene_of(Dump(vectors, vectors, None, ("a", "b", "c", "d"), axes), "random", (0,) * len(shape), 1)


async def test_heads_without_layers_are_one_row() -> None:
    async with at(_of((3,), "H")) as person:
        await person.press(KEY)
        await _complete(person)
        assert _words(person).startswith("H0 (open)")
        await person.press("right", "down", "enter")
        assert person.scene.source is not None
        assert person.scene.source.indices == (1,)
        assert "Matrix H1" in person.screen


@pytest.mark.parametrize(
    ("shape", "axes", "said"),
    [((), "", "one head"), ((2, 2, 2), "BLH", "3 leading axes (2, 2, 2)")],
    ids=["none", "three"],
)
async def test_other_shapes_are_told_in_words(shape: tuple[int, ...], axes: str, said: str) -> None:
    async with at(_of(shape, axes)) as person:
        await person.press(KEY, "right", "enter")
        assert said in " ".join(person.view.split())
        assert "no head to open" in person.said


async def test_a_scene_from_no_model_says_what_to_open() -> None:
    async with at("lesson") as person:
        await person.press(KEY, "enter")
        assert "open one, from a file (f)" in " ".join(person.view.split())


@pytest.mark.parametrize("shape", [(2, 40), (40, 2), (33, 33)])
@pytest.mark.parametrize("size", [(60, 16), (80, 24), (120, 40)])
async def test_a_map_that_does_not_fit_scrolls(shape: tuple[int, int], size: tuple[int, int]) -> None:
    async with at(_of(shape, "LH"), size) as person:
        await person.press(KEY, "G", "end")
        await _complete(person)
        assert f"L{shape[0] - 1} H{shape[1] - 1}" in " ".join(person.screen.split())
        assert "▸" in person.screen
        await person.press("enter")
        assert f"Matrix L{shape[0] - 1} H{shape[1] - 1}" in person.screen


@pytest.mark.parametrize(
    ("found", "shown"),
    [
        (Pattern(0.0, 1.0, None, 0.5), ["0", "██", "·", "50"]),
        (Pattern(float("nan"), 0.001, 0.996, 0.004), ["!!", "<1", "██", "<1"]),
    ],
)
async def test_cells_never_read_as_another_number(found: Pattern, shown: list[str]) -> None:
    async with at("sink") as person:
        await person.press(KEY)
        await _complete(person)
        view = person.app.view
        view._map.patterns[0, 3] = found  # type: ignore[attr-defined]
        for text in shown:
            await person.press("left")
            assert _numbers(person)[0][3] == text
            await person.press("H")


async def test_in_ascii_it_is_ascii() -> None:
    async with at("sink", ascii_only=True) as person:
        await person.press(KEY)
        await _complete(person)
        assert person.view.isascii()
        assert "@" in person.view
