"""Colours and characters: as many as the terminal has, and none where none are wanted."""

import pytest

from tests.terminal.session import Terminal, styles

_COLOURS = frozenset({*range(30, 50), *range(90, 108)})


def _tour(terminal: Terminal) -> None:
    """Look at everything: type, move, break a row, open the help and a prompt, zoom."""
    for keys in ("12\r\x1b[BmMMo-", "\x1b", "=nan\r", "?", "\x1b", "r", "\x1b", "z", "z"):
        terminal.press(keys)


def test_no_color_sends_no_colour_and_the_cursor_is_told_by_reverse() -> None:
    with Terminal(environment={"NO_COLOR": "1"}).start() as terminal:
        row = next(y for y, line in enumerate(terminal.lines) if "0.4967" in line)
        column = terminal.lines[row].index("0.4967")
        assert terminal.screen.buffer[row][column].reverse
        assert not terminal.screen.buffer[row][column + 10].reverse
        _tour(terminal)
        assert not _COLOURS & set(styles(terminal.output))
        assert 7 in styles(terminal.output)


def test_sixteen_colours_get_by_with_sixteen() -> None:
    with Terminal(environment={"TERM": "xterm", "COLORTERM": ""}).start() as terminal:
        _tour(terminal)
        sent = set(styles(terminal.output))
        assert sent & _COLOURS, "it is not without colours"
        assert not sent & {38, 48}


def test_many_colours_are_used_where_there_are_many() -> None:
    with Terminal().start() as terminal:
        assert 38 in styles(terminal.output)


def test_every_byte_is_ascii_where_there_is_no_unicode() -> None:
    with Terminal("--ascii").start() as terminal:
        assert "needs" not in terminal.text
        _tour(terminal)
        terminal.press("?")
        assert "Move the cursor" in terminal.text
        assert terminal.output.isascii(), _first_other(terminal.output)


@pytest.mark.parametrize("environment", [{"LC_ALL": "C"}, {"LANG": "C"}, {"LANG": "de_DE.ISO-8859-1"}, {"LANG": ""}])
def test_a_locale_without_unicode_is_noticed(environment: dict[str, str]) -> None:
    with Terminal(environment=environment).start() as terminal:
        terminal.press("-")
        assert terminal.output.isascii(), _first_other(terminal.output)


def test_every_view_is_ascii_where_there_is_no_unicode() -> None:
    with Terminal("--ascii", "--example", "coreference", size=(120, 40)).start() as terminal:
        for _ in range(8):
            terminal.press("]")
        assert terminal.output.isascii(), _first_other(terminal.output)


def _first_other(output: bytes) -> str:
    """What stands around the first byte that is no ASCII."""
    at = next((i for i, byte in enumerate(output) if byte > 127), 0)
    return output[max(0, at - 60) : at + 20].decode(errors="replace")
