"""The lesson from the command line, on a real terminal and without one."""

import os
import subprocess
from pathlib import Path

import pytest

from attn_tui.files.writing import replace
from attn_tui.lesson import progress
from attn_tui.lesson.steps import STEPS
from tests.terminal.session import PROGRAM, ROOT, Terminal


def run(*arguments: str, state: Path) -> subprocess.CompletedProcess[str]:
    """The program without a terminal, with the learner's progress in a folder."""
    return subprocess.run(
        [*PROGRAM, *arguments],
        cwd=ROOT,
        env={"PATH": os.environ["PATH"], "LANG": "C.UTF-8", "XDG_STATE_HOME": str(state)},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )


def kept(state: Path) -> progress.Progress:
    """The progress in a folder."""
    return progress.load(state / "attn-tui" / "lesson.json")[0]


def test_the_list_marks_what_is_done_and_reset_forgets_it(tmp_path: Path) -> None:
    progress.save(progress.mark(progress.reset(), "softmax"), tmp_path / "attn-tui" / "lesson.json", replace)
    lines = run("--lesson", "list", state=tmp_path).stdout.splitlines()
    assert [line[4:].split(maxsplit=1) for line in lines] == [[step.id, step.title] for step in STEPS]
    assert [line[:3] for line in lines] == ["[x]" if step.id == "softmax" else "[ ]" for step in STEPS]
    done = run("--lesson", "reset", state=tmp_path)
    assert (done.returncode, done.stdout) == (0, "the lesson begins anew: no step is done\n")
    assert kept(tmp_path) == progress.reset()
    assert "[x]" not in run("--lesson", "list", state=tmp_path).stdout


def test_an_unknown_step_is_refused_with_those_there_are(tmp_path: Path) -> None:
    done = run("--lesson", "nosuch", state=tmp_path)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith("attn-tui: there is no step 'nosuch': choose from dot-product, ")
    assert done.stderr.count("\n") == 1


def test_a_progress_that_cannot_be_forgotten_is_one_sentence(tmp_path: Path) -> None:
    (tmp_path / "attn-tui").write_text("")
    done = run("--lesson", "reset", state=tmp_path)
    assert done.returncode == 2
    assert done.stderr.startswith("attn-tui: the lesson's progress cannot be kept in ")
    assert done.stderr.count("\n") == 1


@pytest.mark.parametrize("step_id", ["dot-product", "entropy", "sink"])
def test_a_step_is_opened_by_its_name(step_id: str) -> None:
    at = [step.id for step in STEPS].index(step_id)
    with Terminal("--lesson", step_id) as terminal:
        terminal.until(f"{at + 1}/{len(STEPS)} {STEPS[at].title}").until("page 1/")


def test_what_was_done_last_is_kept_even_by_one_who_leaves_at_once(tmp_path: Path) -> None:
    with Terminal("--lesson", "without-the-scale", environment={"XDG_STATE_HOME": str(tmp_path)}) as terminal:
        terminal.until("page 1/")
        terminal.press("N")
        terminal.until("answers")
        terminal.send("1sq")
        assert terminal.exit_code() == 0
    assert kept(tmp_path).done == kept(tmp_path).right == {"without-the-scale"}
