"""What kind of terminal this is: whether there is one, its colours, its characters. Imports nothing heavy."""

import os
import sys
import termios
from collections.abc import Generator, Mapping
from contextlib import contextmanager, suppress
from typing import TextIO

_COERCED = frozenset({"C.UTF-8", "C.utf8", "UTF-8"})
"""What Python writes into LC_CTYPE by itself when the locale is C, or one that is not installed (PEP 538)."""


_OFF = ("?2004l", "?7h", "?2048l", "?1000l", "?1003l", "?1015l", "?1006l", "<u", "?1049l", "?25h", "?1004l")
"""Ends pasting in brackets, reports of size, mouse and focus, the keyboard protocol, the second screen; cursor and
line wrap are there again."""
_INPUT, _DRAWN_ON = 0, 2
"""The descriptors that Textual reads from and draws on."""


def refusal(
    environment: Mapping[str, str] = os.environ, instead: str = "use --print text or --print json"
) -> str | None:
    """Why the explorer cannot be shown here and what to do instead, None if it can."""
    if not all(_is_terminal(stream) for stream in (sys.stdin, sys.stdout, sys.stderr)):
        return f"the explorer needs a terminal: {instead} without one"
    if environment.get("TERM", "dumb") in {"", "dumb"}:
        return f"the explorer cannot draw on a dumb terminal (TERM): {instead}"
    return None


def take_input() -> None:
    """Have standard input come from the terminal, where there is one, after something else was read from it."""
    with suppress(OSError):
        keyboard = os.open("/dev/tty", os.O_RDWR)
        os.dup2(keyboard, _INPUT)
        os.close(keyboard)


def _is_terminal(stream: TextIO | None) -> bool:
    """Whether a stream is there, and is a terminal's."""
    return stream is not None and stream.isatty()


@contextmanager
def left_as_found() -> Generator[None]:
    """Put back how the terminal takes its input (echo, line by line), whatever a program did to it meanwhile."""
    try:
        found = termios.tcgetattr(_INPUT)
    except termios.error:
        yield
        return
    try:
        yield
    finally:
        with suppress(termios.error):  # it has gone
            termios.tcsetattr(_INPUT, termios.TCSADRAIN, found)


def clear_up() -> None:
    """Switch off what an explorer that was killed has left switched on."""
    with suppress(OSError):
        os.write(_DRAWN_ON, "".join(f"\x1b[{code}" for code in _OFF).encode())


def wants_ascii(environment: Mapping[str, str] = os.environ) -> bool:
    """Whether the locale is not UTF-8."""
    language = environment.get("LANG", "")
    kind = environment.get("LC_CTYPE", "")
    if kind in _COERCED and "utf" not in language.lower():
        kind = ""
    locale = environment.get("LC_ALL") or kind or language
    return "utf" not in locale.lower()


def has_few_colours(environment: Mapping[str, str] = os.environ) -> bool:
    """Whether the terminal knows no more than 16 colours, so that a theme has to be made of those."""
    if environment.get("COLORTERM", "").lower() in {"truecolor", "24bit"}:
        return False
    term = environment.get("TERM", "")
    return not any(kind in term for kind in ("256", "direct", "truecolor", "kitty", "alacritty", "ghostty", "wezterm"))


def let_go() -> None:
    """Drop what is still to be written to a terminal that has gone, which would change the exit code."""
    for stream in (sys.stdout, sys.stderr):
        try:
            stream.flush()
        except OSError:
            with open(os.devnull, "w", encoding="utf-8") as nowhere:
                os.dup2(nowhere.fileno(), stream.fileno())


def wants_no_colour(environment: Mapping[str, str] = os.environ) -> bool:
    """Whether the person asked for no colours at all (no-color.org)."""
    return bool(environment.get("NO_COLOR"))
