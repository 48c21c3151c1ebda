"""The texts fit: lines of 74 characters, few of them, plain ASCII, and keys that do what is said of them."""

import re
import subprocess
import sys
import textwrap

import pytest

from attn_tui.lesson.step import Step
from attn_tui.lesson.steps import STEPS
from attn_tui.ui.commands.table import COMMANDS
from attn_tui.ui.views import VIEWS
from tests.lesson.moments import IDS, solved, start

WIDTH, PAGE = 74, 6
"""Characters of a line, and lines of the panel below the explorer at 80x24."""
EVERY = pytest.mark.parametrize("entry", STEPS, ids=IDS)


def lines(text: str) -> int:
    return len(textwrap.wrap(text, WIDTH))


def texts(entry: Step) -> dict[str, str]:
    """Every text of a step by what it is."""
    moment = start(entry)
    found = {"title": entry.title, "task": entry.task, "hint": entry.hint}
    found |= {f"act {i}": act.says for i, act in enumerate(entry.solution)}
    for i, words in enumerate(entry.paragraphs):
        found[f"paragraph {i}"] = words if isinstance(words, str) else words(moment)
    if entry.prediction:
        found |= {"question": entry.prediction.question, "why": entry.prediction.why(moment)}
        found |= {f"answer {i}": answer for i, answer in enumerate(entry.prediction.answers(moment))}
    if entry.done:
        found["done"] = entry.done(solved(entry))
    return found


MOST = {"paragraph": 5, "task": 2, "hint": 3, "question": 2, "why": 5, "done": 3, "answer": 1, "act": 1, "title": 1}


@EVERY
def test_no_text_is_longer_than_there_is_room_for(entry: Step) -> None:
    for what, text in texts(entry).items():
        assert lines(text) <= MOST[what.split()[0]], what
    assert len(entry.title) <= 50
    assert all(len(act.says) <= 60 for act in entry.solution)


@EVERY
def test_a_question_and_its_answers_are_one_page(entry: Step) -> None:
    assert entry.prediction is not None
    answers = entry.prediction.answers(start(entry))
    assert lines(entry.prediction.question) + sum(lines(f"1  {answer}") for answer in answers) <= PAGE


@EVERY
def test_an_answer_and_why_are_one_page(entry: Step) -> None:
    asked, moment = entry.prediction, start(entry)
    assert asked is not None
    for answer in asked.answers(moment):
        right = asked.answers(moment)[asked.right(moment)]
        said = f"You said: {answer}. {'Right.' if answer == right else f'Not so: {right}.'}"
        assert lines(asked.question) + lines(said) + lines(asked.why(moment)) <= PAGE


@EVERY
def test_a_task_and_its_hint_are_one_page(entry: Step) -> None:
    assert lines(f"[ ] {entry.task}") + lines(f"Hint: {entry.hint}") <= PAGE


@EVERY
def test_a_task_and_what_is_said_when_it_is_done_are_one_page(entry: Step) -> None:
    assert lines(f"[x] {entry.task}") + lines(f"Done. {texts(entry)['done']}") <= PAGE


@EVERY
def test_the_texts_are_plain(entry: Step) -> None:
    for what, text in texts(entry).items():
        assert text.isascii(), what
        assert text.isprintable(), what
        assert text == text.strip(), what
        assert not re.search(r"\*\*|__|`|  |n/a", text), what
        if not what.startswith(("title", "answer", "act")):
            assert text[-1] in ".?", what


@EVERY
def test_a_key_that_is_named_does_something(entry: Step) -> None:
    keys = {name for command in COMMANDS for name in command.key_names} | {"Enter", "Shift"}
    for what, text in texts(entry).items():
        for key in re.findall(r"[Pp]ress (\S+?)[,.:]?(?= |$)", text):
            assert key in keys | {"of"}, (what, key)


@EVERY
def test_a_view_is_called_by_its_key(entry: Step) -> None:
    titles = {f"F{number}": view.title for number, view in enumerate(VIEWS, 2)}
    for what, text in texts(entry).items():
        for name, key in re.findall(r"(\w+(?: size)?)(?: view)? \((F\d+)\)", text):
            assert titles[key].lower() == name.lower(), what
        assert set(re.findall(r"F\d+", text)) <= set(titles), what


def test_the_lesson_needs_neither_textual_nor_the_screen() -> None:
    script = (
        "import sys, attn_tui.lesson.steps, attn_tui.lesson.progress\n"
        "print([name for name in sys.modules if name.split('.')[0] in {'textual', 'rich', 'plotext'} "
        "or name.startswith(('attn_tui.ui', 'attn_tui.files'))])"
    )
    found = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert found.stdout.strip() == "[]"
