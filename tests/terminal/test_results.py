"""Results on their way out of a real terminal: the sequence for its clipboard, and files."""

import base64
import re
import sys
from pathlib import Path

import pytest

from attn_tui.model.examples import example
from tests.terminal.session import ROOT, Terminal

_SENT = re.compile(rb"\x1b\]52;c;([A-Za-z0-9+/=]*)(?:\x07|\x1b\\)")
"""OSC 52, as a terminal reads it."""


def sent(output: bytes) -> list[str]:
    """Every text that a terminal with a clipboard has taken from what came."""
    return [base64.b64decode(match[1], validate=True).decode() for match in _SENT.finditer(output)]


@pytest.mark.parametrize("environment", [{}, {"NO_COLOR": "1"}, {"LANG": "C"}], ids=str)
def test_what_is_sent_to_the_clipboard_is_the_number_the_row_and_the_table(environment: dict[str, str]) -> None:
    scene = example("lesson")
    with Terminal(environment=environment).start() as terminal:
        terminal.press("\x1b[B")
        for keys in ("y", "y", "y"):
            terminal.press(keys)
        terminal.until("the table of results, 5 keys")
        number, row, table = sent(terminal.output)
        assert "copied" not in terminal.text
    assert number == repr(float(scene.keys[0, 0]))
    assert row.split("\t") == [repr(x) for x in scene.keys[0].tolist()]
    lines = [line.split("\t") for line in table.splitlines()]
    assert [line[0] for line in lines] == ["label", *scene.labels]
    assert [line[-1] for line in lines[1:]] == [repr(x) for x in scene.keys[:, 3].tolist()]


def test_hostile_names_come_out_neither_as_sequences_nor_as_formulas() -> None:
    code = (
        "from attn_tui.model.scene import Scene; from attn_tui.ui.app import AttnApp; "
        "evil = '=1+1\\x1b]0;owned\\x07\\t\\n'; "
        "AttnApp(Scene.of([1.0], [[1.0], [2.0]], labels=[evil, 'b'], query_label=evil)).run()"
    )
    with Terminal(command=(sys.executable, "-c", code)).start() as terminal:
        for _ in range(3):
            terminal.press("y")
        assert b"\x1b]0;owned" not in terminal.output
        assert r"'=1+1\x1b]0;owned\x07\t\n" + "\t1\t1.0" in sent(terminal.output)[-1]


def test_a_file_is_written_from_the_keyboard_alone(tmp_path: Path) -> None:
    file = tmp_path / "a.csv"
    command = ("/bin/sh", "-c", f'cd "{tmp_path}" && exec "$0" -m attn_tui', sys.executable)
    with Terminal(command=command, environment={"PYTHONPATH": str(ROOT)}, size=(60, 16)).start("Weights") as terminal:
        terminal.send("e")
        terminal.until("Results out")
        terminal.press("\x1b[B")
        terminal.press("\x1b[A")
        terminal.send("\r")
        terminal.until("lesson-weights.csv")
        terminal.settle()
        terminal.send("a.csv\r")
        terminal.until("written: ")
        first = file.read_bytes()
        terminal.send("e1")
        terminal.until("lesson-weights.csv")
        terminal.settle()
        terminal.send("a.csv\r")
        terminal.until("Overwrite it?")
        terminal.settle()
        terminal.send("\x1b")
        terminal.until("? help")
        assert file.read_bytes() == first
    assert [entry.name for entry in tmp_path.iterdir()] == ["a.csv"]
    assert first.startswith(b'"label","mask",')


def test_keys_right_behind_each_other_go_where_they_would_one_by_one(tmp_path: Path) -> None:
    file = tmp_path / "a.json"
    with Terminal().start() as terminal:
        terminal.send("e2")
        terminal.until("lesson-reading.json")
        terminal.settle()
        terminal.send(f"{file}\r")
        terminal.until("written: ")
        terminal.send("S")
        terminal.send("0.5")
        terminal.until("Scale: a number")
        terminal.settle()
        terminal.send("\r")
        terminal.until("scale 0.5")
        assert "0.4967" in terminal.text
    assert file.is_file()
