"""Files on a real terminal: piped in, asked about, and with names that would like to speak to the terminal."""

import re
import shlex
import sys
from pathlib import Path

import numpy as np

from tests.terminal.session import Terminal

_PROGRAM = f"{shlex.quote(sys.executable)} -m attn_tui"


def test_what_is_piped_in_is_explored_with_the_keyboard_of_the_terminal(tmp_path: Path) -> None:
    (tmp_path / "scene.json").write_text('{"q": [1, 2], "K": [[1, 0], [0, 1]], "T": 0.5}')
    command = ("/bin/sh", "-c", f"cat {shlex.quote(str(tmp_path / 'scene.json'))} | {_PROGRAM} -; echo left $?")
    with Terminal(command=command) as terminal:
        terminal.until("standard input").until("effective")
        terminal.press("7")
        assert re.search(r"q +7 +2\.0000", terminal.text)
        terminal.press("\r")
        terminal.send("q")
        terminal.until("left 0")


def test_a_file_that_can_be_read_in_two_ways_is_asked_about(tmp_path: Path) -> None:
    keys = np.random.default_rng(1).standard_normal((2, 3, 5, 4))
    np.savez(tmp_path / "dump.npz", q=keys, k=keys)
    with Terminal(str(tmp_path / "dump.npz"), "--head", "1,2", "--row", "0") as terminal:
        terminal.until("can be read in 2 ways").settle()
        terminal.press("2")
        assert "query   q" in terminal.text
        terminal.press("\r")
        terminal.until("head   2 of 0-4").press("\r")
        terminal.until("3 keys x hs 4")


def test_unknown_names_are_asked_about_too(tmp_path: Path) -> None:
    np.savez(tmp_path / "dump.npz", one=np.eye(3), two=np.eye(3))
    with Terminal(str(tmp_path / "dump.npz")) as terminal:
        terminal.until("say what an array is").settle()
        for keys in ("q", "\x1b[B", "k", "\r", "\r"):
            terminal.press(keys)
        terminal.until("3 keys x hs 3")


def test_no_name_of_a_file_or_an_array_speaks_to_the_terminal(tmp_path: Path) -> None:
    evil = "aa\x1b]0;OWNED\x07\x1b[5;31m\u202eX"
    np.savez(tmp_path / f"{evil}.npz", **{f"q{evil}": np.eye(3), "k": np.eye(3)})
    with Terminal() as terminal:
        terminal.start()
        terminal.press("f")
        terminal.press(f"{tmp_path}/aa")
        terminal.press("\t")
        terminal.press("\r")
        terminal.until("3 x 3")
        terminal.settle()
        assert b"OWNED" in terminal.output
        for sequence in (b"\x1b]0;", b"\x1b[5;31m", "\u202e".encode()):
            assert sequence not in terminal.output
