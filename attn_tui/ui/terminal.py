"""What kind of terminal this is: whether there is one, its colours, its characters. Imports nothing heavy."""

import os
import sys
from collections.abc import Mapping

_COERCED = frozenset({"C.UTF-8", "C.utf8", "UTF-8"})
"""What Python writes into LC_CTYPE by itself when the locale is C, or one that is not installed (PEP 538)."""


def refusal(environment: Mapping[str, str] = os.environ) -> str | None:
    """Why the explorer cannot be shown here, None if it can. Textual draws on standard error."""
    if not (sys.stdin.isatty() and sys.stdout.isatty() and sys.stderr.isatty()):
        return "the explorer needs a terminal: use --print text or --print json without one"
    if environment.get("TERM", "dumb") in {"", "dumb"}:
        return "the explorer cannot draw on a dumb terminal (TERM): use --print text or --print json"
    return None


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
