"""The explorer opened from Python, on a real terminal: the edited scene comes back, everything else is as it was."""

import os
import signal
import sys
import time
from pathlib import Path

import pytest

from tests.terminal.session import Terminal
from tests.terminal.test_ends import assert_clean

_EDIT = "7\r"


def program(name: str, **environment: str) -> Terminal:
    """One of the programs around `explore`, on a terminal."""
    return Terminal(command=(sys.executable, "-m", "tests.terminal.explored", name), environment=environment)


def children(terminal: Terminal) -> list[int]:
    """The processes that a program has started."""
    found = Path(f"/proc/{terminal.process.pid}/task/{terminal.process.pid}/children").read_text(encoding="ascii")
    return [int(number) for number in found.split()]


def edit_and_leave(terminal: Terminal) -> None:
    """Type another first number for the query, as soon as the explorer is there, and quit."""
    drawn = terminal.output.count(b"Entropy")
    terminal.until(lambda: terminal.output.count(b"Entropy") > drawn)
    terminal.settle(0.6)
    terminal.press(_EDIT)
    terminal.send("q")


def after_the_explorer(terminal: Terminal) -> str:
    """What was written since the explorer left the second screen, nothing while it has not."""
    _, left, after = terminal.output.rpartition(b"\x1b[?1049l")
    return after.decode(errors="replace") if left else ""


@pytest.mark.parametrize("name", ["script", "loop", "thread"])
def test_the_edited_scene_comes_back(name: str) -> None:
    with program(name) as terminal:
        edit_and_leave(terminal)
        assert terminal.exit_code() == 0
        assert "back: [7.0, 0.0] 3 keys, False" in after_the_explorer(terminal)
        assert ("as it was" in after_the_explorer(terminal)) == (name == "script")
        assert ("and on: later" in after_the_explorer(terminal)) == (name == "loop")
        assert b"Traceback" not in terminal.output
        assert_clean(terminal.output)


def test_labels_and_the_mask_are_on_the_screen() -> None:
    with program("script") as terminal:
        terminal.start()
        rows = [line.split("│")[1].split() for line in terminal.lines[5:8]]
        assert rows == [["a", "1.0000", "0.0000"], ["b", "0.0000", "1.0000"], ["xc", "1.0000", "1.0000"]]


def test_a_second_explorer_opens_what_came_back() -> None:
    with program("twice") as terminal:
        edit_and_leave(terminal)
        terminal.until("back: [7.0, 0.0]")
        terminal.until(lambda: terminal.output.count(b"\x1b[?1049h") == 2)
        terminal.until("k0 0.")
        terminal.settle(0.6)
        terminal.press("\x1b[C8\r")
        terminal.send("q")
        assert terminal.exit_code() == 0
        assert "back: [7.0, 8.0] 3 keys" in after_the_explorer(terminal)
        assert_clean(terminal.output)


@pytest.mark.parametrize("leave", ["\x11", "\x03"], ids=["ctrl+q", "ctrl+c"])
def test_a_number_that_is_still_being_typed_is_not_kept(leave: str) -> None:
    with program("script") as terminal:
        terminal.start()
        terminal.press("7\r")
        terminal.press("8")
        terminal.send(leave)
        assert terminal.exit_code() == 0
        assert "back: [7.0, 0.0]" in after_the_explorer(terminal)


def test_ctrl_c_interrupts_the_program_again_once_the_explorer_is_left() -> None:
    with program("interrupted") as terminal:
        edit_and_leave(terminal)
        terminal.until("waiting")
        terminal.send("\x03")
        terminal.until("interrupted")
        assert terminal.exit_code() == 0


def test_from_the_prompt() -> None:
    with Terminal(command=(sys.executable, "-q", "-i"), environment={"PYTHON_BASIC_REPL": "1"}) as terminal:
        terminal.until(">>>")
        terminal.send("import attn_tui\r")
        terminal.send("s = attn_tui.explore([1, 0], [[1, 0], [0, 1]])\r")
        edit_and_leave(terminal)
        terminal.until(lambda: after_the_explorer(terminal).rstrip().endswith(">>>"))
        terminal.send("print(s.query, 6 * 7)\r")
        terminal.until("[7. 0.] 42")
        assert "print(s.query" in after_the_explorer(terminal), "what is typed is seen"
        terminal.send("import time; time.sleep(60)\r")
        time.sleep(0.5)
        terminal.send("\x03")
        terminal.until("KeyboardInterrupt")
        terminal.send("exit()\r")
        assert terminal.exit_code() == 0
        assert_clean(terminal.output)


def test_from_the_debugger() -> None:
    with program("debugger") as terminal:
        terminal.until("(Pdb)")
        terminal.send("found = attn_tui.explore(QUERY, KEYS)\r")
        edit_and_leave(terminal)
        terminal.until(lambda: "(Pdb)" in after_the_explorer(terminal))
        terminal.send("p found.query, scores\r")
        terminal.until("(array([7., 0.]), array([1., 0., 1.], dtype=float32))")
        terminal.send("c\r")
        terminal.until("scores [1.0, 0.0, 1.0]")
        assert terminal.exit_code() == 0
        assert_clean(terminal.output)


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP], ids=["SIGTERM", "SIGHUP"])
def test_an_explorer_that_is_told_to_end_gives_back_what_was_kept(number: signal.Signals) -> None:
    with program("script") as terminal:
        terminal.start()
        terminal.press(_EDIT)
        (child,) = children(terminal)
        os.kill(child, number)
        assert terminal.exit_code() == 0
        assert "back: [7.0, 0.0]" in after_the_explorer(terminal)
        assert "as it was" in after_the_explorer(terminal)
        assert_clean(terminal.output)


def test_an_explorer_that_is_killed_leaves_a_clean_terminal_and_a_sentence() -> None:
    with program("killed") as terminal:
        terminal.start()
        terminal.press("7")
        (child,) = children(terminal)
        os.kill(child, signal.SIGKILL)
        assert terminal.exit_code() == 0
        said = after_the_explorer(terminal)
        assert "refused: the explorer was killed (signal 9): nothing was changed" in said
        assert "as it was" in said
        assert_clean(terminal.output)


@pytest.mark.parametrize(
    ("name", "number", "code"),
    [
        ("script", signal.SIGTERM, 77),
        ("script", signal.SIGHUP, 78),
        ("twice", signal.SIGTERM, 143),
        ("twice", signal.SIGKILL, 137),
    ],
)
def test_a_program_that_is_ended_takes_its_explorer_along(name: str, number: signal.Signals, code: int) -> None:
    """With a handler of its own, by default, and without a chance to do anything."""
    with program(name) as terminal:
        terminal.start()
        (child,) = children(terminal)
        os.kill(terminal.process.pid, number)
        assert terminal.exit_code() == code
        terminal.until(lambda: not Path(f"/proc/{child}").exists())
        terminal.settle()
        assert_clean(terminal.output)
        assert b"\x1b[?1049l" in terminal.output


def test_a_dropped_connection_ends_the_program_and_its_explorer() -> None:
    with program("twice") as terminal:
        terminal.start()
        (child,) = children(terminal)
        terminal.hang_up()
        assert terminal.exit_code() == 129
        end = time.monotonic() + 30
        while Path(f"/proc/{child}").exists():
            assert time.monotonic() < end
            time.sleep(0.05)


def test_an_interrupt_from_outside_is_the_programs() -> None:
    with program("twice") as terminal:
        terminal.start()
        os.kill(terminal.process.pid, signal.SIGINT)
        assert terminal.exit_code() == 130
        assert "KeyboardInterrupt" in after_the_explorer(terminal)
        assert_clean(terminal.output)


@pytest.mark.parametrize("term", ["dumb", "xterm"])
def test_without_a_terminal_the_sentence_names_what_to_do_instead(term: str) -> None:
    redirection = "</dev/null" if term == "xterm" else ""
    command = ("/bin/sh", "-c", f'exec "$@" {redirection}', "sh", sys.executable, "-m", "tests.terminal.explored")
    with Terminal("refused", command=command, environment={"TERM": term}) as terminal:
        assert terminal.exit_code() == 0
        assert b"refused: the explorer" in terminal.output
        assert b"attend" in terminal.output
        assert b"--print" in terminal.output
        assert b"\x1b" not in terminal.output
