"""View 6: what a person sees of a head's queries, and does there."""

import time
from dataclasses import replace

import numpy as np
import pytest
from rich.style import Style

from attn_tui.model import edits
from attn_tui.model.examples import bundled, example
from attn_tui.model.figures import weight_figure
from attn_tui.model.heads import scene_of
from attn_tui.model.matrix import Matrix
from attn_tui.model.scene import Scene
from attn_tui.model.source import Dump
from attn_tui.ui.explorer import Explorer
from attn_tui.ui.lines import UNICODE
from attn_tui.ui.views import VIEWS
from attn_tui.ui.views.heat import Span, flow, legend, shades, thresholds
from tests.ui.person import Person, at

KEY = f"f{[entry.id for entry in VIEWS].index('matrix') + 2}"
"""The key of the view."""
_LABEL = 6
"""Cells of the labels of the bundled model at 80 columns."""


def _cells(person: Person) -> dict[str, str]:
    """The map, one character a key: the cells of each row in sight, by its label and place."""
    lines = person.view.split("\n")
    last = next(i for i, line in enumerate(lines) if " -> " in line)
    rows = [(line[1 : 1 + _LABEL].strip(), line[2 + _LABEL : 2 + _LABEL + 30]) for line in lines[1:last]]
    return {f"{i} {label}": cells[::2] for i, (label, cells) in enumerate(rows)}


def _words(person: Person) -> str:
    """What is said below the map."""
    lines = person.view.split("\n")
    first = next(i for i, line in enumerate(lines) if " -> " in line)
    return " ".join(line.strip() for line in lines[first:])


def _large(size: int = 1024, shape: tuple[int, ...] = ()) -> Scene:
    """A large head that looks one token back."""
    generator = np.random.default_rng(11)
    places = generator.normal(size=(size + 1, 32)) * 2.0
    queries, keys = (np.broadcast_to(each, (*shape, size, 32)) for each in (places[:-1], places[1:]))
    dump = Dump(queries, keys, None, tuple(f"t{i}" for i in range(size)), "LH"[: len(shape)])
    return scene_of(dump, "large", (0,) * len(shape), size // 2)


async def test_the_previous_token_head_is_a_shifted_diagonal() -> None:
    async with at("previous-token") as person:
        await person.press(KEY, "g")
        cells = list(_cells(person).values())
        assert len(cells) >= 12
        for row, line in enumerate(cells[1:], start=1):
            assert line[row - 1] == "█"
            assert line.replace("█", "").strip() == ""
        assert "Matrix L0 H2" in person.screen


async def test_the_sink_is_a_first_column() -> None:
    async with at("sink") as person:
        await person.press(KEY, "right", "right")
        cells = list(_cells(person).values())
        assert sum(line[0] == "█" for line in cells) >= len(cells) - 2


async def test_the_words_are_of_the_cell_under_the_cursor() -> None:
    async with at("coreference") as person:
        await person.press(KEY)
        words = _words(person)
        assert words.startswith("9 it -> 2 animal  weight 0.6879 █")
        assert "score 21.9739" in words
        assert "H 1.2160 of 2.7081 nats" in words
        assert "top animal 0.6879" in words
        await person.press("up", "left")
        row = Matrix(person.scene).row(8)
        words = _words(person)
        assert words.startswith(f"8 because -> 1 the  weight {weight_figure(float(row.weights[1]))}")
        assert f"score {row.scores[1]:.4f}" in words
        assert f"H {row.entropy:.4f}" in words
        for key in row.heaviest(3):
            assert weight_figure(float(row.weights[key])) in words


@pytest.mark.parametrize("ascii_only", [False, True])
async def test_cursor_row_and_cell_are_marked_without_colour(ascii_only: bool) -> None:
    async with at("coreference", ascii_only=ascii_only) as person:
        await person.press(KEY, "down", "left")
        down, right, here = "v>@" if ascii_only else "▾▸●"
        lines = person.view.split("\n")
        row = next(line for line in lines if line.startswith(" was"))
        assert row[1 + _LABEL] == right
        column = row.index("[]")
        assert lines[0].index(down) == column
        assert "the" in lines[0]
        assert next(line for line in lines if f"it    {' '}" in line).startswith(here)
        if ascii_only:
            assert person.view.isascii()


async def test_enter_makes_the_row_the_query_and_undo_takes_it_back() -> None:
    async with at("coreference") as person:
        await person.press("less_than_sign", KEY, "up", "up")
        start = person.scene
        assert person.scene is start
        row = Matrix(start).row(7)
        await person.press("enter")
        assert person.scene.query_label == "street"
        assert person.scene.temperature == start.temperature
        assert person.scene.scale == "sqrt"
        assert np.array_equal(person.app.reading.weights, row.weights)
        assert '"street" is the query now' in person.said
        assert _words(person).startswith("7 street -> ")
        await person.press("u")
        assert person.scene is start


async def test_the_map_follows_the_temperature_and_the_mask() -> None:
    async with at("sink") as person:
        await person.press(KEY)
        before = _words(person)
        await person.type("t")
        await person.type("4")
        assert _words(person) != before
        assert f"H {person.app.reading.entropy:.4f}" in _words(person)
        await person.press("enter", "space", "down", "m", "space", "left")
        assert all(line[0] in "·[" for line in _cells(person).values())
        assert "masked" in _words(person) or "14 of 15 keys" in _words(person)


async def test_causal_hides_what_comes_later() -> None:
    async with at("broad") as person:
        await person.press(KEY, "C")
        assert "causal" in person.said
        await person.press("g")
        for row, line in enumerate(_cells(person).values()):
            assert line[row + 1 :] == "·" * (14 - row)
            assert "·" not in line[: row + 1]
        assert "keys 0..0 of 15" in _words(person)
        assert "Matrix L5 H6 causal" in person.screen
        await person.press("end")
        assert "comes later" in _words(person)
        await person.press("C")
        assert all("·" not in line for line in _cells(person).values())


def _unequal(queries: int, keys: int) -> Scene:
    """A head whose scores are all 0."""
    tokens = tuple(f"t{i}" for i in range(keys))
    dump = Dump(np.zeros((1, 1, queries, 1)), np.zeros((1, 1, keys, 1)), None, tokens)
    return scene_of(dump, "zeros", (0, 0), queries - 1)


async def test_rows_without_a_key_are_marked_and_not_nan() -> None:
    async with at(_unequal(5, 2)) as person:
        await person.press(KEY, "C", "g")
        assert "no key may be attended: no distribution" in _words(person)
        assert "nan" not in person.view
        assert sum(line.endswith(" no key") for line in person.view.split("\n")) == 3
        await person.press("G")
        assert "H 0.6931 of 0.6931 nats" in _words(person)
        assert "keys 0..1 of 2" in _words(person)


async def test_fewer_queries_than_keys_are_aligned_at_the_end() -> None:
    async with at(_unequal(2, 5)) as person:
        await person.press(KEY, "C", "g", "home")
        assert _words(person).startswith("0 t3 -> 0 t0  weight 0.2500")
        assert "keys 0..3 of 5" in _words(person)


async def test_a_nan_row_is_marked_and_explained() -> None:
    start = example("coreference")
    queries = bundled().queries.copy()
    queries[3, 1, 4, 7] = np.nan
    source = start.source
    assert source is not None
    async with at(replace(start, source=replace(source, dump=replace(bundled(), queries=queries)))) as person:
        await person.press(KEY)
        assert _cells(person)["4 not"] == "!" * 15
        assert "!" not in _cells(person)["5 cross"]
        await person.press(*["up"] * 5)
        assert "row is nan: q.d7 is nan" in _words(person)


async def test_a_scene_of_one_query_shows_it_and_says_how_to_get_more() -> None:
    async with at("lesson") as person:
        await person.press(KEY)
        assert "q -> k0" in _words(person)
        assert "weight 0.9150" in _words(person)
        assert "open a model's head" in _words(person)
        before = person.scene
        await person.press("enter")
        assert "one query" in person.said
        assert person.scene is before


async def test_opening_another_head_takes_the_cursor_to_its_query() -> None:
    async with at("coreference") as person:
        await person.press(KEY, "g", "home")
        person.app.open(scene_of(bundled(), "minilm-l6", (0, 2), 5), "open")
        await person.pilot.pause()
        assert _words(person).startswith("5 cross -> ")


async def test_a_hostile_label_is_made_harmless() -> None:
    tokens = ("\x1b[31mred", "b", "c")
    dump = Dump(np.zeros((1, 1, 3, 1)), np.zeros((1, 1, 3, 1)), None, tokens)
    async with at(scene_of(dump, "hostile", (0, 0), 0)) as person:
        await person.press(KEY)
        assert "\x1b" not in person.screen
        assert "\\x1b" in person.view


@pytest.mark.parametrize("size", [(60, 16), (80, 24), (100, 30), (120, 40)])
@pytest.mark.parametrize("start", ["lesson", "broad"])
async def test_at_every_size_the_cursor_is_in_sight(size: tuple[int, int], start: str) -> None:
    async with at(start, size) as person:
        await person.press(KEY)
        for keys in (["g", "home"], ["G", "end"], ["up", "left"]):
            await person.press(*keys)
            assert "▸" in person.screen
            assert "▾" in person.screen
            assert " -> " in person.screen


async def test_a_large_map_scrolls_and_says_where_it_is() -> None:
    async with at(_large()) as person:
        await person.press(KEY)
        assert "of 1024" in person.screen
        assert _words(person).startswith("512 t512 -> 511 t511")
        await person.press("G", "end")
        assert "t1023▸" in person.view
        assert "▾" in person.view
        assert "-1023 of 1024" in person.screen
        await person.press("g", "home", "pagedown")
        assert person.screen.count("▸") == 1


def _cost(app: Explorer, rows: int, columns: int) -> float:
    """The least processor time that a move takes, of some, in seconds: what a busy machine adds is not counted."""
    taken: list[float] = []
    for _ in range(20):
        begin = time.thread_time()
        app.move(rows, columns)
        taken.append(time.thread_time() - begin)
    return min(taken)


async def test_a_move_in_a_large_map_costs_a_few_milliseconds() -> None:
    async with at(_large()) as person:
        await person.press(KEY, "g")
        assert _cost(person.app, 1, 0) < 0.015
        assert _cost(person.app, 1, 1) < 0.015
        assert _cost(person.app, 0, -1) < 0.015


async def test_only_rows_in_sight_are_computed(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[int] = []
    computed = Matrix._computed
    monkeypatch.setattr(Matrix, "_computed", lambda rows, index: asked.append(index) or computed(rows, index))
    async with at(_large()) as person:
        await person.press(KEY)
        in_sight = len(asked)
        assert in_sight < 24
        await person.press("right", "left")
        assert len(asked) == in_sight
        await person.press("down")
        assert len(asked) <= in_sight + 1


async def test_the_rows_of_a_lower_dtype_are_said_to_be_in_float64() -> None:
    async with at(edits.set_dtype(example("broad"), "float16")) as person:
        await person.press(KEY)
        assert "rows in float64, not float16" in _words(person)


@pytest.mark.parametrize("keys", [1, 2, 5, 10, 15, 100, 1024])
def test_an_equal_share_has_the_first_shade_and_all_of_it_the_last(keys: int) -> None:
    weights, attended = np.full(keys, 1.0 / keys), np.ones(keys, dtype=np.bool_)
    assert set(shades(weights, attended, keys).tolist()) == {1 if keys > 1 else 4}
    assert shades(np.array([1.0]), np.array([True]), keys).tolist() == [4]
    assert list(thresholds(keys)) == sorted(thresholds(keys))


def test_the_legend_says_where_the_shades_begin() -> None:
    numbers = [float(part.strip("░▒▓█%")) / 100.0 for part in legend(15, UNICODE).split()]
    assert numbers == pytest.approx(list(thresholds(15)))


def test_a_span_moves_as_little_as_it_takes() -> None:
    span = Span().around(0, 5, 20)
    assert span == Span(0, 5)
    assert span.around(4, 5, 20) == Span(0, 5)
    assert span.around(5, 5, 20) == Span(1, 5)
    assert Span(10, 5).around(12, 5, 20) == Span(10, 5)
    assert Span(10, 5).around(12, 30, 20) == Span(0, 20)
    assert Span(3, 5).said("rows", 20) == "rows 3-7 of 20"
    assert Span(0, 20).said("rows", 20) == ""


def test_words_flow_whole() -> None:
    ink = Style()
    lines = flow([("weight 0.5", ink), ("score 12.25", ink), ("a sentence longer than a whole line", ink)], 25)
    texts = ["".join(text for text, _ in line) for line in lines]
    assert texts == [" weight 0.5  score 12.25", " a sentence longer than a", " whole line"]
