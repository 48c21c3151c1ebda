"""What is typed at a terminal comes back as one frame, and nothing comes while nothing happens."""

import sys

from attn_tui.core.attend import attend
from attn_tui.model.examples import example
from attn_tui.model.figures import weight_figure
from tests.terminal.session import BEGIN_FRAME, Terminal


def test_the_weights_of_a_typed_number_are_on_the_screen() -> None:
    scene = example("lesson")
    query = scene.query.copy()
    query[0] = -2.5
    weights = attend(query, scene.keys).weights
    with Terminal().start() as terminal:
        assert "k0 0.9150" in terminal.text
        terminal.send("-2.5")
        for key, weight in enumerate(weights):
            terminal.until(f"k{key} {weight_figure(float(weight))}")
        terminal.send("\r")
        terminal.until("q.d0 -2.5000")
        terminal.send("u")
        terminal.until("k0 0.9150")


def test_each_key_is_one_frame() -> None:
    keys = {
        "a digit": "1", "another": "2", "a point": ".", "a third": "5", "Backspace": "\x7f", "Enter": "\r",
        "Down": "\x1b[B", "Right": "\x1b[C", "i": "i", "n": "n", "m": "m", "u": "u", "<": "<", "s": "s", "o": "o",
        "a minus": "-", "a digit after it": "4", "Tab": "\t", "7": "7", "Up": "\x1b[A",
        "y": "y", "y again": "y", "y once more": "y",
    }  # fmt: skip
    with Terminal().start() as terminal:
        frames = {name: terminal.press(key).count(BEGIN_FRAME) for name, key in keys.items()}
    assert frames == dict.fromkeys(keys, 1)


def test_keys_that_come_all_at_once_do_what_they_do_one_by_one() -> None:
    """As they come over a slow connection: a number goes into the cell that the arrow before it went to."""
    with Terminal().start() as terminal:
        terminal.send("\x1b[B5\rl6\t7\x1b[Ao-")
        terminal.until("q.d2 = -")
        rows = [line.split("│")[1].split() for line in terminal.lines[3:7]]
        assert rows[0] == ["q", "0.4967", "-0.1383", "-", "1.5230"]
        assert rows[2] == ["k0", "5.0000", "6.0000", "7.0000", "0.7674"]
        terminal.send("1j\x1b")
        terminal.until("0.6477  1.5230")


def test_letters_typed_right_behind_the_key_of_a_prompt_are_no_commands() -> None:
    with Terminal().start() as terminal:
        terminal.send("rxnm")
        terminal.until("A new name for q")
        terminal.settle(0.5)
        terminal.send("\r")
        terminal.settle(0.5)
        assert "5 keys x hs 4" in terminal.lines[0]
        assert "0.4967" in terminal.text
        assert "-0.4967" not in terminal.text
        assert "masked" not in terminal.text


def test_nothing_is_sent_while_nothing_happens() -> None:
    with Terminal().start() as terminal:
        terminal.press("1")
        assert terminal.settle(2.0) == b"", "while a number is being typed"
        terminal.press("\r")
        assert terminal.settle(2.0) == b""


def test_a_key_sends_a_small_part_of_the_screen() -> None:
    with Terminal().start() as terminal:
        whole = len(terminal.output)
        assert 0 < len(terminal.press("\x1b[B")) < whole / 3


def test_a_matrix_is_pasted_through_the_terminal() -> None:
    with Terminal().start() as terminal:
        terminal.send("\x1b[200~[[1. 0.]\r [1. 0.]\r [0. 2.]\r [-1.5 3.]]\x1b[201~")
        terminal.until("pasted 4 x 2 numbers")
        terminal.settle()
        assert "3 keys x hs 2" in terminal.lines[0]
        weights = attend([1.0, 0.0], [[1.0, 0.0], [0.0, 2.0], [-1.5, 3.0]]).weights
        for key, weight in enumerate(weights):
            assert f"k{key} {weight_figure(float(weight))}" in terminal.text


def test_hostile_names_do_not_reach_the_terminal_as_sequences() -> None:
    code = (
        "from attn_tui.model.scene import Scene; from attn_tui.ui.app import AttnApp; "
        "evil = '\\x1b]0;owned\\x07\\x1b[2J\\u202e'; "
        "AttnApp(Scene.of([1.0], [[1.0], [2.0]], labels=[evil, 'b'], query_label=evil)).run()"
    )
    with Terminal(command=(sys.executable, "-c", code)).start() as terminal:
        terminal.press("\x1b[B")
        terminal.press("r")
        terminal.press("\x1b")
        terminal.press("m")
        assert b"\x1b]0;owned" not in terminal.output
        assert b"\x1b[2J\xe2" not in terminal.output
        assert "\u202e".encode() not in terminal.output
        assert "\\x1b]0;" in terminal.text


def test_a_resize_draws_the_new_size() -> None:
    with Terminal().start() as terminal:
        terminal.resize(120, 40)
        terminal.until(lambda: terminal.lines[0].endswith("float64") and len(terminal.lines[0]) > 110)
        terminal.resize(40, 10)
        terminal.until("attn-tui needs 60 x 16")
        terminal.send("5")
        terminal.resize(80, 24)
        terminal.until("k0 0.9150")
        terminal.send("5")
        terminal.until("q.d0 = 5")
