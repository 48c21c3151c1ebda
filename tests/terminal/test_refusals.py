"""Where nothing can be drawn, one sentence says what to do instead."""

import subprocess

import pytest

from tests.terminal.session import PROGRAM, ROOT, Terminal


def test_without_a_terminal_one_sentence_names_print() -> None:
    done = subprocess.run(
        PROGRAM, cwd=ROOT, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=60, check=False
    )
    assert done.returncode == 2
    assert done.stdout == ""
    assert done.stderr.count("\n") == 1
    assert "--print" in done.stderr


@pytest.mark.parametrize("redirection", ["</dev/null", ">/dev/null", "2>/dev/null"], ids=["stdin", "stdout", "stderr"])
def test_each_stream_has_to_be_a_terminal(redirection: str) -> None:
    command = ("/bin/sh", "-c", f'exec "$@" {redirection}', "sh", *PROGRAM)
    with Terminal(command=command) as terminal:
        assert terminal.exit_code() == 2
        assert b"\x1b" not in terminal.output
        if redirection != "2>/dev/null":
            assert b"--print" in terminal.output
            assert terminal.output.count(b"\n") == 1


@pytest.mark.parametrize("term", ["dumb", ""])
def test_a_dumb_terminal_is_not_drawn_on(term: str) -> None:
    with Terminal(environment={"TERM": term}) as terminal:
        assert terminal.exit_code() == 2
        assert b"\x1b" not in terminal.output
        assert terminal.output.count(b"\n") == 1
        assert b"--print" in terminal.output


def test_a_report_needs_no_terminal() -> None:
    with Terminal("--print", "text", environment={"TERM": "dumb"}) as terminal:
        assert terminal.exit_code() == 0
        assert b"0.9150" in terminal.output


def test_an_unknown_theme_is_refused_with_the_names_there_are() -> None:
    with Terminal("--theme", "nope") as terminal:
        assert terminal.exit_code() == 2
        assert b"there is no theme 'nope'" in terminal.output
        assert b"nord" in terminal.output


@pytest.mark.parametrize("what", ["reset", "list"])
def test_a_restricted_session_does_not_touch_the_lessons_progress(what: str) -> None:
    with Terminal("--restricted", "--lesson", what) as terminal:
        assert terminal.exit_code() == 2
        assert f"--lesson {what}: not in a restricted session".encode() in terminal.output
