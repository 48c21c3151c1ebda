"""The lesson's panel: where it stands, what it keeps when the terminal changes, and its keys."""

import numpy as np
import pytest

from attn_tui.lesson.steps import STEPS
from attn_tui.model.scene import Scene
from tests.lesson.moments import start
from tests.ui.learner import file, kept, learning
from tests.ui.lesson_keys import DOES, presses, until_done

BELOW, BESIDE = ((60, 16), (80, 24), (109, 30)), ((110, 24), (120, 40), (200, 50))


@pytest.mark.parametrize("size", [*BELOW, *BESIDE], ids=lambda size: f"{size[0]}x{size[1]}")
async def test_the_panel_stands_below_or_at_the_side(size: tuple[int, int]) -> None:
    async with learning(size) as learner:
        panel, grid, stage = (part.region for part in (learner.app.panel, learner.app.grid, learner.app.stages[0]))
        if size in BELOW:
            assert (panel.x, panel.y, panel.width) == (0, grid.bottom, size[0])
        else:
            assert (panel.right, panel.y, panel.height) == (size[0], grid.y, grid.height)
            assert stage.right <= panel.x
        learner.check_page()
        if size[1] >= 24:
            learner.check_sight("scores" if size[0] < 160 else "weights")


@pytest.mark.parametrize("size", [(60, 16), (110, 24), (200, 50)], ids=["least", "beside", "large"])
async def test_no_page_is_cut_off_in_other_sizes(size: tuple[int, int]) -> None:
    async with learning(size) as learner:
        for step in STEPS:
            await learner.open(step.id)
            await learner.read()
            learner.check_page()
            await learner.press("1", "apostrophe")
            learner.check_page()
            assert "N on" in learner.panel


async def test_a_change_of_size_keeps_the_place_and_the_answer() -> None:
    async with learning(step_id="angle-and-length") as learner:
        await learner.press("N", "N")
        third = start(learner.step)
        words = learner.step.paragraphs[2]
        beginning = (words if isinstance(words, str) else words(third))[:30]
        for size in ((60, 16), (120, 40), (110, 24), (50, 12), (80, 24)):
            await learner.resize(*size)
            if size != (50, 12):
                assert beginning in learner.panel, size
        await learner.read()
        for size in ((120, 40), (60, 16), (50, 12), (80, 24)):
            await learner.resize(*size)
            if size != (50, 12):
                assert learner.is_at_question, size
                learner.check_page()
        await learner.resize(120, 40)
        await learner.press(str(learner.right + 1))
        assert "Right." in learner.panel
        await learner.resize(60, 16)
        assert "Right." in learner.panel
        learner.check_page()
        await learner.to_task()
        await learner.resize(120, 40)
        await learner.resize(80, 24)
        assert f"[ ] {learner.step.task}" in learner.panel
        assert learner.teacher.was_right
        await learner.press(*presses(DOES["angle-and-length"]))
        await learner.resize(110, 24)
        assert learner.is_ticked


async def test_in_a_terminal_that_is_too_small_the_lesson_does_no_harm() -> None:
    async with learning() as learner:
        await learner.resize(50, 12)
        await learner.press("N", "P", "apostrophe", "exclamation_mark", "Z", "1", "n")
        await learner.resize(80, 24)
        assert learner.is_at(0)
        assert learner.teacher.answer is None
        learner.check_page()


async def test_the_lesson_closes_and_opens_where_the_learner_was() -> None:
    async with learning() as learner:
        await learner.answer(0)
        await learner.press(*until_done(DOES["dot-product"]))
        assert learner.is_ticked
        scene = learner.scene
        await learner.press("L")
        await learner.settle()
        assert not learner.app.panel.display
        assert learner.scene is scene
        assert "1/21" not in learner.screen
        for key in presses("N P ' ! Z ctrl+r"):
            await learner.press(key)
            assert "the lesson is closed: L opens it" in learner.said
        assert learner.scene is scene
        await learner.press("L")
        await learner.settle()
        assert learner.is_at(1)


async def test_the_scene_is_put_back_and_nothing_else() -> None:
    async with learning(step_id="fail-and-fix") as learner:
        await learner.answer(1)
        await learner.press(*presses("/ 5 enter f7 G x t 3 enter Z"))
        begun = learner.step.start()
        assert np.array_equal(learner.scene.keys, begun.keys)
        assert learner.scene.temperature == 1.0
        assert learner.app.options.constant == 0.0
        learner.check_sight("stability")
        assert learner.teacher.answer == 1
        await learner.press("down", "n")
        assert learner.scene.keys[0, 0] == -begun.keys[0, 0], "the arrows move among the vectors"


@pytest.mark.parametrize("step_id", ["dot-product", "sink"])
async def test_a_hint_is_no_answer(step_id: str) -> None:
    async with learning(step_id=step_id) as learner:
        await learner.press("apostrophe")
        assert f"Hint: {learner.step.hint}" in learner.panel
        learner.check_page()
        await learner.press(*presses("2 enter"))
        assert learner.teacher.answer is None, "the question is not on this page"
        assert learner.scene.query[0] == 2.0
        await learner.press("N")
        assert learner.is_at_question
        assert "answer first, with 1 to" in learner.said


async def test_only_its_digits_answer() -> None:
    async with learning() as learner:
        await learner.press(*presses("5 enter"))
        assert learner.scene.query[0] == 5.0, "there is no question on this page"
        await learner.read()
        for key in "049":
            await learner.press(key)
            assert "there are answers 1 to 3" in learner.said
            assert learner.teacher.answer is None
        await learner.press(*presses("- 7 enter"))
        assert learner.scene.query[0] == -7.0, "a sign begins a number"
        await learner.press("3")
        assert learner.teacher.answer == 2
        await learner.press(*presses("8 enter"))
        assert learner.scene.query[0] == 8.0


async def test_a_number_that_is_only_passed_through_earns_nothing() -> None:
    async with learning(step_id="exaggeration") as learner:
        await learner.answer(0)
        await learner.press(*presses("G 7"))
        assert not learner.is_ticked
        await learner.press(*presses("0 enter"))
        assert not learner.is_ticked
        await learner.press(*presses("7 escape"))
        assert not learner.is_ticked
        await learner.press(*presses("7 enter"))
        assert learner.is_ticked


HOSTILE = ["\x1b[2J\x1b]0;x\x07", "\u202ereversed", "tab\tand\nline", "[red]markup[/]", "日本語" * 20, "e\u0301" * 30]


@pytest.mark.parametrize("size", [(60, 16), (80, 24), (120, 40)])
async def test_names_are_shown_and_not_obeyed(size: tuple[int, int]) -> None:
    async with learning(size, "coreference") as learner:
        for label in HOSTILE:
            begun = learner.step.start()
            hostile = Scene.of(
                begun.query, begun.keys, labels=[f"{label}{key}" for key in range(15)], scale="sqrt", query_label=label
            )
            await learner.open("coreference")
            learner.app.open(hostile, "hostile")
            await learner.read()
            assert all(line.isprintable() for line in learner.lines)
            await learner.press("1")
            assert "You said" in learner.panel
            assert all(line.isprintable() for line in learner.lines)
            assert learner.lines[learner.app.panel.region.y].rstrip()[-1] in "╮"


def broken_file() -> None:
    """A file that makes no sense."""
    file().parent.mkdir()
    file().write_text("{")


def no_folder() -> None:
    """A file where the folder should be."""
    file().parent.write_text("")


async def test_a_file_that_makes_no_sense_is_put_aside_and_that_is_said() -> None:
    broken_file()
    async with learning() as learner:
        assert "makes no sense: it is kept as lesson.json.broken" in learner.said
        assert learner.is_at(0)
        await learner.answer(0)
        await learner.pilot.pause()
    assert kept()["right"] == [] or kept()["right"] == ["dot-product"]
    assert file().with_name("lesson.json.broken").read_text() == "{"


@pytest.mark.parametrize("trouble", [no_folder])
async def test_a_progress_that_cannot_be_kept_is_said_and_the_lesson_goes_on(trouble: object) -> None:
    trouble()  # type: ignore[operator]
    async with learning() as learner:
        assert learner.is_at(0)
        await learner.answer(learner.right)
        await learner.settle()
        assert "the lesson's progress cannot be kept" in learner.said
        assert "Right." in learner.panel
        await learner.press(*presses(DOES["dot-product"]))
        await learner.settle()
        assert learner.is_ticked


async def test_what_was_done_is_forgotten_on_demand() -> None:
    async with learning() as learner:
        await learner.answer(learner.right)
        await learner.press(*presses(DOES["dot-product"]))
        await learner.pilot.pause()
        assert kept()["done"] == kept()["right"] == ["dot-product"]
        await learner.press("N", "ctrl+r")
        await learner.settle()
        assert learner.is_at(0)
        assert not learner.is_ticked
        assert learner.teacher.page == 0
        assert kept()["done"] == kept()["right"] == kept()["wrong"] == []
        assert np.array_equal(learner.scene.keys, STEPS[0].start().keys)
