"""The main states as plain text, kept as files so that a person can read what has changed.

`ATTN_TUI_KEEP_SCREENS=1` rewrites them; look at the difference before keeping it.
"""

import os
import sys
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from tests.terminal.session import PROGRAM, Terminal

_SCREENS = Path(__file__).parent / "screens"
_MANY = (sys.executable, "-m", "tests.terminal.many_keys", "4096", "128")


@dataclass(frozen=True)
class Kept:
    """A state of the screen: how to start and what to press."""

    arguments: tuple[str, ...] = ()
    keys: tuple[str, ...] = ()
    size: tuple[int, int] = (80, 24)
    command: tuple[str, ...] = PROGRAM
    needle: str = "Entropy"
    after: str = ""
    """What has to be seen after the keys, where something runs in the background."""
    environment: dict[str, str] = field(default_factory=dict)


_BUNDLED = ("attn_tui/data/minilm-l6.npz", "\r")
"""A file that is there, typed into the open-file screen."""
_NAN = ("--query", "1 1", "--keys", "1 0; nan 0; 0 1")

KEPT = {
    "lesson": Kept(),
    "lesson-120": Kept(size=(120, 40)),
    "lesson-first-page": Kept(("--lesson",), needle="page 1/"),
    "lesson-question": Kept(("--lesson",), keys=("N", "N", "N"), needle="page 1/"),
    "half-typed": Kept(keys=("\x1b[B", "-1.5e")),
    "nan-key": Kept(("--query", "1 1", "--keys", "1 0; nan 0; 0 1")),
    "all-masked": Kept(("--mask", "0 0 0 0 0")),
    "overflow": Kept(("--example", "overflow")),
    "coreference": Kept(("--example", "coreference")),
    "coreference-120": Kept(("--example", "coreference"), size=(120, 40)),
    "many-keys": Kept(command=_MANY, keys=("G",)),
    "many-keys-by-weight": Kept(command=_MANY, keys=("o", "G")),
    "ascii": Kept(("--ascii",)),
    "too-small": Kept(size=(50, 12), needle="needs 60 x 16"),
    "least": Kept(size=(60, 16)),
    "help": Kept(keys=("?",)),
    "export": Kept(keys=("e", "\x1b[B")),
    "rename": Kept(keys=("\x1b[B", "r")),
    "scores": Kept(keys=("\x1bOR", "jj")),
    "scores-nan": Kept(_NAN, keys=("\x1bOR", "jj")),
    "temperature": Kept(keys=("\x1bOS",)),
    "temperature-nan": Kept(_NAN, keys=("\x1bOS",)),
    "head-size": Kept(keys=("\x1b[17~",), after="x│"),
    "head-size-one-key": Kept(("--query", "1", "--keys", "1"), keys=("\x1b[17~",), after="x│"),
    "open-file": Kept(keys=("f", *_BUNDLED), after="[CLS] the"),
    "open-file-heads": Kept(keys=("f", *_BUNDLED, "\r", "\x1b[C", "\x1b[B", "\x1b[D"), after="layer"),
    "matrix": Kept(("--example", "previous-token"), keys=("\x1b[18~",)),
    "matrix-nan": Kept(_NAN, keys=("\x1b[18~",)),
    "heads": Kept(("--example", "sink"), keys=("\x1b[19~", "h", "l")),
    "heads-without-a-model": Kept(keys=("\x1b[19~",)),
    "stability": Kept(keys=("\x1b[15~",)),
    "stability-overflow": Kept(("--example", "overflow"), keys=("\x1b[15~",)),
    "stability-score-overflows": Kept(
        (
            "--query",
            "200 200 200 200",
            "--keys",
            "150 150 150 150; 150 150 150 149.875",
            "--scale",
            "0.5",
            "--dtype",
            "float16",
        ),
        keys=("\x1b[15~",),
    ),
}


@pytest.mark.parametrize("name", KEPT)
def test_the_screen_is_as_it_was_kept(name: str) -> None:
    kept = KEPT[name]
    with Terminal(*kept.arguments, size=kept.size, command=kept.command) as terminal:
        terminal.start(kept.needle)
        for keys in kept.keys:
            terminal.press(keys)
        if kept.after:
            terminal.until(kept.after)
            terminal.settle(0.5)
        shown = terminal.text + "\n"
    file = _SCREENS / f"{name}.txt"
    if os.environ.get("ATTN_TUI_KEEP_SCREENS") == "1":
        file.write_text(shown, encoding="utf-8")
    assert shown == file.read_text(encoding="utf-8")


def test_every_kept_screen_is_of_a_state() -> None:
    assert {file.stem for file in _SCREENS.glob("*.txt")} == KEPT.keys()
