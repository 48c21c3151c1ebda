"""Trials of the commands of the guided lesson."""

from attn_tui.lesson.steps import STEPS
from tests.ui.person import Person
from tests.ui.trials import Trials

TRIALS = Trials()


def _page(person: Person) -> str:
    """What the lesson's panel says, its frame included, the line ends as blanks."""
    return " ".join(person.crop(person.app.panel.region).replace("│", " ").split())


async def _open(person: Person) -> None:
    """Open the lesson."""
    await person.press("L")
    await person.settle()


@TRIALS.trial
async def lesson(person: Person, key: str) -> None:
    """The first step beside the explorer; closed again, the explorer has its room back."""
    before = person.lines
    await person.press(key)
    await person.settle()
    assert f"1/{len(STEPS)} {STEPS[0].title}" in _page(person)
    assert "Attention starts with someone who asks" in _page(person)
    await person.press(key, "f2")
    await person.settle()
    assert person.lines[1:21] == before[1:21]


@TRIALS.trial
async def lesson_next(person: Person, key: str) -> None:
    """From page to page, up to the question, which has to be answered first; nothing without the lesson."""
    await person.press(key)
    assert "the lesson is closed: L opens it" in person.said
    await _open(person)
    first = _page(person)
    await person.press(key)
    assert _page(person) != first
    await person.press(*[key] * 10)
    assert "answer first, with 1 to " in person.said
    before = person.scene
    await person.press("1")
    assert person.scene is before, "a digit answers, and is no number"
    assert person.app.teacher is not None
    assert person.app.teacher.answer == 0
    assert ("Right." in _page(person)) == person.app.teacher.was_right
    await person.press(*[key] * 10)
    assert f"/{len(STEPS)} {STEPS[1].title}" in _page(person)


@TRIALS.trial
async def lesson_back(person: Person, key: str) -> None:
    """The page before; on the first page of the first step there is none."""
    await _open(person)
    first = _page(person)
    await person.press("N")
    await person.press(key)
    assert _page(person) == first
    await person.press(key)
    assert _page(person) == first


@TRIALS.trial
async def lesson_hint(person: Person, key: str) -> None:
    """The task and its hint."""
    await _open(person)
    assert "Hint:" not in _page(person)
    await person.press(key)
    assert "Hint:" in _page(person)


@TRIALS.trial
async def lesson_solution(person: Person, key: str) -> None:
    """Not before the question is answered; then the task is done before one's eyes, and is done."""
    await _open(person)
    await person.press(key)
    assert "predict first" in person.said
    await person.press(*["N"] * 10)
    await person.press("1", key)
    assert person.app.teacher is not None
    for _ in range(300):
        await person.pilot.pause(0.05)
        if person.app.teacher.is_done:
            break
    await person.settle()
    assert "[x]" in _page(person)
    assert person.app.reading.scores[4] > 0.0, "what the first task asks for"


@TRIALS.trial
async def lesson_reset(person: Person, key: str) -> None:
    """What was done is forgotten, and the first step opens."""
    await _open(person)
    first = _page(person)
    await person.press(*["N"] * 10)
    await person.press("1", *["N"] * 10)
    assert person.app.teacher is not None
    assert person.app.teacher.at == 1
    await person.press(key)
    await person.settle()
    assert person.app.teacher.at == 0
    assert not person.app.teacher.progress.done
    assert _page(person) == first


@TRIALS.trial
async def lesson_restore(person: Person, key: str) -> None:
    """The step's scene, whatever has become of it."""
    await _open(person)
    before = person.scene
    await person.press("n", "x", "m")
    assert person.scene is not before
    await person.press(key)
    assert (person.scene.query == STEPS[0].start().query).all()
    assert (person.scene.keys == STEPS[0].start().keys).all()
