"""However it ends, the terminal is left as it was found, and the exit code says why."""

import os
import signal
import time

import pytest

from tests.terminal.session import Terminal

_LEFT_BEHIND = {
    b"\x1b[?1049": "the alternate screen",
    b"\x1b[?2004": "bracketed paste",
    b"\x1b[?1000": "mouse clicks",
    b"\x1b[?1003": "mouse moves",
    b"\x1b[?1006": "mouse coordinates",
    b"\x1b[?1004": "focus events",
}


def assert_clean(output: bytes) -> None:
    """Assert that every mode that was switched on was switched off after that, and that the cursor is shown."""
    for mode, name in _LEFT_BEHIND.items():
        assert output.rfind(mode + b"l") >= output.rfind(mode + b"h"), name
    assert output.rfind(b"\x1b[?25h") > output.rfind(b"\x1b[?25l"), "the cursor is hidden"
    assert output.count(b"\x1b[<u") >= output.count(b"\x1b[>1u"), "the keyboard protocol"


@pytest.mark.parametrize("options", [(), ("--mouse",)], ids=["plain", "mouse"])
@pytest.mark.parametrize(("number", "code"), [(signal.SIGTERM, 143), (signal.SIGHUP, 129)])
def test_a_signal_restores_the_terminal_and_is_told_by_the_exit_code(
    number: signal.Signals, code: int, options: tuple[str, ...]
) -> None:
    with Terminal(*options).start() as terminal:
        assert b"\x1b[?1049h" in terminal.output
        assert (b"\x1b[?1003h" in terminal.output) == bool(options)
        assert b"\x1b[?2004h" in terminal.output
        terminal.press("1")
        os.kill(terminal.process.pid, number)
        assert terminal.exit_code() == code
        assert_clean(terminal.output)
        assert b"\x1b[?1049l" in terminal.output
        assert b"\x1b[?2004l" in terminal.output
        assert not options or b"\x1b[?1003l" in terminal.output
        assert b"Traceback" not in terminal.output


@pytest.mark.parametrize("keys", ["q", "\x11", "\x03"], ids=["q", "ctrl+q", "ctrl+c"])
def test_quitting_leaves_with_zero_and_a_clean_terminal(keys: str) -> None:
    with Terminal().start() as terminal:
        terminal.send(keys)
        assert terminal.exit_code() == 0
        assert_clean(terminal.output)
        after = terminal.output[terminal.output.rfind(b"\x1b[?1049l") :]
        assert b"lesson" not in after
        assert b"Traceback" not in terminal.output


def test_a_dropped_connection_ends_the_program() -> None:
    with Terminal().start() as terminal:
        begin = time.monotonic()
        terminal.hang_up()
        assert terminal.exit_code(patience=5.0) == 129
        assert time.monotonic() - begin < 5.0


def test_a_dropped_connection_ends_the_program_below_a_prompt_and_in_the_help() -> None:
    for key in ("r", "?"):
        with Terminal().start() as terminal:
            terminal.press(key)
            terminal.hang_up()
            assert terminal.exit_code(patience=5.0) == 129
