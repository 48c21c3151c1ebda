"""The lesson as learners go through it: all of it, all of it wrong, shown, and with the scene in pieces."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from attn_tui.lesson.asked import BROKEN
from attn_tui.lesson.step import Step
from attn_tui.lesson.steps import STEPS
from attn_tui.ui import classroom
from tests.lesson.moments import IDS, solved, start
from tests.ui.learner import Learner, kept, learning
from tests.ui.lesson_keys import DOES, MISSES, afterwards, presses, until_done

HALF = 9
"""Steps of the first evening."""


def told(step: Step) -> list[str]:
    """The words that a step has up to its question."""
    moment, asked = start(step), step.prediction
    assert asked is not None
    parts = [part if isinstance(part, str) else part(moment) for part in step.paragraphs]
    choices = [f"{number}  {choice}" for number, choice in enumerate(asked.answers(moment), 1)]
    return " ".join([*parts, asked.question, *choices]).split()


def test_there_are_keys_for_every_step() -> None:
    assert list(DOES) == list(MISSES) == IDS


async def foretell(learner: Learner, step: Step) -> None:
    """Read the step, give the right answer, and go on to the task."""
    learner.check_page()
    learner.check_sight(step.view)
    assert " ".join(await learner.read()).split() == told(step)
    learner.check_page()
    await learner.press(str(learner.right + 1))
    assert "Right." in learner.panel
    assert learner.asked.why(start(step)) in learner.panel
    while step.task not in learner.panel:
        learner.check_page()
        await learner.press("N")
    learner.check_page()


async def do(learner: Learner, step: Step) -> None:
    """Do the task with the keys that a person would press; only the last of them gets the tick."""
    *before, last = until_done(DOES[step.id])
    for key in before:
        assert not learner.teacher.is_done, key
        await learner.press(key)
    assert not learner.is_ticked
    await learner.press(last)
    assert f"[x] {step.task} Done." in learner.panel
    assert f"{step.title}, done" in learner.panel
    learner.check_page()
    await learner.press(*afterwards(DOES[step.id]))
    learner.check_page()
    learner.check_sight(learner.app.moment.view)


async def test_a_learner_does_the_whole_lesson_in_two_evenings() -> None:
    for evening in (STEPS[:HALF], STEPS[HALF:]):
        async with learning() as learner:
            for step in evening:
                assert learner.is_at(STEPS.index(step))
                await foretell(learner, step)
                await do(learner, step)
                await learner.pilot.pause()
                assert set(kept()["done"]) == set(IDS[: IDS.index(step.id) + 1])
                await learner.press("N")
            if evening[-1] is STEPS[-1]:
                assert "The lesson is over" in learner.panel
                assert "You have done 21 of 21 steps, and foretold 21 of 21 outcomes." in learner.panel
                learner.check_page()
                await learner.press("N")
                assert "this is the end of the lesson" in learner.said
    assert set(kept()["right"]) == set(IDS)
    assert kept()["wrong"] == []
    async with learning() as learner:
        assert learner.is_at(0)
        assert learner.is_ticked, "in its title"


NO_GOOD = ("u u U U", "f2 f3 f4 f5 f6 f7 f8 f2 ] [", "enter nan enter u", "M u", "G x u", "o", "P N N")
"""What changes nothing in the end, or breaks everything on the way."""


async def test_a_learner_who_gets_everything_wrong_gets_no_tick() -> None:
    async with learning() as learner:
        for at, step in enumerate(STEPS):
            assert learner.is_at(at)
            await learner.read()
            right, count = learner.right, len(learner.teacher.choices)
            said = learner.asked.answers(learner.app.moment)[right]
            await learner.press(str((right + 1) % count + 1))
            assert f"Not so: {said}." in learner.panel
            learner.check_page()
            for keys in (*NO_GOOD, "Z", MISSES[step.id]):
                for key in presses(keys):
                    await learner.press(key)
                    assert not learner.teacher.is_done, (step.id, keys, key)
            await learner.to_task()
            assert f"[ ] {step.task}" in learner.panel
            assert not learner.is_ticked
            await learner.press("N")
        assert "You have done 0 of 21 steps, and foretold 0 of 21 outcomes." in learner.panel
        await learner.press("N")
        assert f"Still open: {STEPS[0].title};" in learner.panel
        while not (learner.teacher.at == 0 and learner.teacher.page == 0):
            await learner.press("P")
            assert not learner.teacher.is_done
        assert learner.is_at(0)
        assert not learner.is_ticked
        assert not kept()["done"]
        assert set(kept()["wrong"]) == set(IDS)


async def test_every_step_is_shown_act_by_act(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(classroom, "BETWEEN_ACTS", 0.01)
    async with learning() as learner:
        drawn: list[str] = []
        show = learner.app.readout.show

        def watch(shown: Any) -> None:
            """Keep what the bottom lines say, each time that they are drawn."""
            show(shown)
            drawn.append(" ".join(" ".join(strip.text for strip in learner.app.readout._strips).split()))

        monkeypatch.setattr(learner.app.readout, "show", watch)
        for step in STEPS:
            await learner.open(step.id)
            await learner.answer(0)
            drawn.clear()
            await learner.press("exclamation_mark")
            for _ in range(1000):
                await learner.pilot.pause(0.01)
                if any(step.solution[-1].says in line for line in drawn):
                    break
            shown = [next((i for i, line in enumerate(drawn) if act.says in line), -1) for act in step.solution]
            assert -1 not in shown
            assert shown == sorted(shown)
            await learner.pilot.pause()
            assert f"[x] {step.task} Done." in learner.panel, step.id
            assert step.solution[-1].says in learner.said
            learner.check_sight(solved(step).view)
        await learner.pilot.pause()
        assert set(kept()["done"]) == set(IDS)


Calls = list[Callable[[], None]]


@pytest.fixture
def acts(monkeypatch: pytest.MonkeyPatch) -> Calls:
    """The acts of solutions, which are done when the test calls them."""
    found: Calls = []

    def set_timer(app: Any, delay: float, call: Callable[[], None], **rest: Any) -> None:
        """Keep what is to be called."""
        found.append(call)

    monkeypatch.setattr(classroom.Explorer, "set_timer", set_timer)
    return found


async def perform(learner: Learner, acts: Calls) -> None:
    """Let the time of all acts come."""
    for act in acts:
        act()
        await learner.pilot.pause()


@pytest.mark.parametrize("keys", ["n", "u", "right", "N", "L", "L L n", "Z", "1", "enter", "t", "?", ": escape", "f7"])
async def test_a_learner_who_goes_on_is_not_interrupted(keys: str, acts: Calls) -> None:
    async with learning(step_id="subtract-the-maximum") as learner:
        await learner.answer(0)
        await learner.press("exclamation_mark")
        assert len(acts) == 3
        acts.pop(0)()
        await learner.pilot.pause()
        assert learner.scene.keys[0, 0] == -2.0
        await learner.press(*presses(keys))
        before = learner.scene
        await perform(learner, acts)
        assert learner.scene is before
        assert "subtract-the-maximum" not in (learner.app.teacher.progress.done if learner.app.teacher else ())


async def test_what_is_pasted_stays(acts: Calls) -> None:
    async with learning(step_id="subtract-the-maximum") as learner:
        await learner.answer(0)
        await learner.press("exclamation_mark")
        await learner.paste("[[2], [5], [6], [7]]")
        await perform(learner, acts)
        assert learner.scene.keys.tolist() == [[5.0], [6.0], [7.0]]


@pytest.mark.parametrize("step_id", ["dot-product", "angle-and-length", "softmax"])
async def test_asking_twice_shows_it_once(step_id: str, acts: Calls) -> None:
    async with learning(step_id=step_id) as learner:
        await learner.answer(0)
        await learner.press("exclamation_mark", "exclamation_mark")
        await perform(learner, acts)
        assert learner.is_ticked
        assert np.array_equal(learner.scene.keys, solved(learner.step).scene.keys)


async def test_nothing_is_shown_before_the_prediction(acts: Calls) -> None:
    async with learning() as learner:
        before = learner.scene
        for keys in ("!", "N ! N !", "' !"):
            await learner.press(*presses(keys))
            assert "predict first: what do you expect?" in learner.said
        assert not acts
        assert learner.scene is before


CHANGES = {"nan": "enter nan enter", "a mask": "down m", "no key": "down x"}


@pytest.mark.parametrize("change", CHANGES)
async def test_an_answer_is_judged_by_the_scene_as_it_is(change: str) -> None:
    async with learning() as learner:
        for number, step in enumerate(STEPS):
            await learner.open(step.id)
            await learner.press(*presses(CHANGES[change]))
            assert learner.scene is not step.start()
            moment, asked = learner.app.moment, learner.asked
            right, answers = asked.right(moment), asked.answers(moment)
            assert (answers[right] == BROKEN) is not learner.app.reading.is_sound
            chosen = number % len(answers)
            await learner.answer(chosen)
            panel = learner.panel
            verdict = "Right." if chosen == right else f"Not so: {answers[right]}."
            assert f"You said: {answers[chosen]}. {verdict}" in panel, step.id
            assert "[x]" not in panel
            assert ", done" not in panel


async def test_a_task_that_is_done_before_the_answer_is_ticked_with_it_and_the_verdict_is_seen() -> None:
    async with learning(step_id="without-the-scale") as learner:
        await learner.press("s")
        assert not learner.is_ticked
        await learner.answer(learner.right)
        assert "Right." in learner.panel
        assert learner.is_ticked
        await learner.press("N")
        assert "[x]" in learner.panel
