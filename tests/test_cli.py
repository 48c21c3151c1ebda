"""The command line: what it prints, and what it says of arguments that make no sense."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from attn_tui import __version__
from attn_tui.cli import main
from attn_tui.model.examples import EXAMPLES

_ROOT = Path(__file__).parents[1]


def _printed(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    """What is printed for arguments that make sense."""
    assert main([*arguments]) == 0
    printed = capsys.readouterr()
    assert printed.err == ""
    return printed.out


def _run(*arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
    """The program in a process of its own, without a terminal."""
    return subprocess.run(
        [sys.executable, "-m", "attn_tui", *arguments],
        cwd=_ROOT,
        env={"PATH": os.environ["PATH"], "LANG": "C.UTF-8", **environment},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        encoding="utf-8",
        timeout=120,
        check=False,
    )


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["--example", "nope"], "there is no example 'nope': choose from lesson, "),
        (["--query", "1 x"], "query: "),
        (["--query", ""], "query: "),
        (["--query", "1 2", "--keys", "1 2 3; 4 5 6"], "3 components"),
        (["--query", "1 2", "--keys", "1 2; 3"], "keys: "),
        (["--query", "1 2", "--keys", ""], "keys: "),
        (["--keys", "1 2"], "components"),
        (["--values", "1; 2"], "one row for each of the 5 keys"),
        (["--mask", "1 0"], "the mask needs one entry for each of the 5 keys, and has 2"),
        (["--mask", "1 1 1 1 2"], "mask"),
        (["--mask", "0 0 0 0 -inf"], "mask"),
        (["--temperature", "0"], "a temperature of 0 is a limit, not a value"),
        (["--temperature", "-1"], "a temperature below 0"),
        (["--temperature", "nan"], "the temperature cannot be nan"),
        (["--temperature", "inf"], "an infinite temperature is a limit"),
        (["--temperature", "warm"], "temperature: 'warm' is not a number"),
        (["--temperature", "1e"], "temperature: the exponent is missing its digits"),
        (["--scale", "big"], "scale: 'big' is not a number"),
        (["--scale", "nan"], "the scale has to be a finite number"),
        (["--dtype", "float12"], "float12"),
        (["--print", "xml"], "xml"),
        (["--print"], "--print"),
        (["--frobnicate"], "--frobnicate"),
        (["--temp", "1"], "--temp"),
        (["stray"], "stray"),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, list) else "",
)
def test_arguments_that_make_no_sense_get_one_sentence_and_exit_code_two(
    arguments: list[str], words: str, capsys: pytest.CaptureFixture[str]
) -> None:
    printing = [] if "--print" in arguments else ["--print", "text"]
    with pytest.raises(SystemExit) as end:
        main([*arguments, *printing])
    printed = capsys.readouterr()
    assert end.value.code == 2
    assert printed.out == ""
    assert words in printed.err
    assert printed.err.startswith("attn-tui: ")
    assert printed.err.endswith("\n")
    assert printed.err.count("\n") == 1


def test_refusals_reach_the_shell() -> None:
    done = _run("--temperature", "0", "--print", "json")
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith("attn-tui: a temperature of 0 is a limit")
    assert done.stderr.count("\n") == 1


@pytest.mark.parametrize(
    "option", ["--example", "--temperature", "--query", "--mask", "--scale", "--dtype", "--x", "--print"]
)
def test_a_hostile_argument_is_spelt_out_and_not_obeyed(option: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as end:
        main([option, "\x1b[2J\x1b]0;x\x07\u202e\n", "--print", "text"])
    said = capsys.readouterr().err
    assert end.value.code == 2
    assert said.rstrip("\n").isprintable()


def test_python_m_attn_tui_is_the_program() -> None:
    done = _run("--print", "text")
    assert (done.returncode, done.stderr) == (0, "")
    assert "0.9150" in done.stdout
    assert "█" in done.stdout


def test_version_and_help_leave_with_zero(capsys: pytest.CaptureFixture[str]) -> None:
    for option in ("--version", "--help"):
        with pytest.raises(SystemExit) as end:
            main([option])
        assert end.value.code == 0
    printed = capsys.readouterr()
    assert printed.out.startswith(f"attn-tui {__version__}\n")
    assert "--temperature" in printed.out
    assert printed.err == ""


def test_every_example_is_listed_with_its_title(capsys: pytest.CaptureFixture[str]) -> None:
    lines = _printed(capsys, "--list-examples").splitlines()
    assert [line.split(maxsplit=1) for line in lines] == [[example.name, example.title] for example in EXAMPLES]


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda example: example.name)
def test_every_example_is_printed_both_ways(example: object, capsys: pytest.CaptureFixture[str]) -> None:
    name = str(getattr(example, "name", ""))
    assert " keys x hs " in _printed(capsys, "--example", name, "--print", "text")
    weights = json.loads(_printed(capsys, "--example", name, "--print", "json"))["weights"]
    assert sum(weights) == pytest.approx(1.0, abs=1e-12)


@pytest.mark.parametrize("given", ["-1,2", "-1 2", "−1,2", "-1, 2"])
def test_a_value_may_begin_with_a_minus(given: str, capsys: pytest.CaptureFixture[str]) -> None:
    report = json.loads(_printed(capsys, "--query", given, "--keys", "-1 0; -.5 1", "--scale", "-2", "--print", "json"))
    assert report["scene"]["query"] == [-1.0, 2.0]
    assert report["scene"]["keys"] == [[-1.0, 0.0], [-0.5, 1.0]]
    assert report["scene"]["scale"] == -2.0


def test_everything_of_a_scene_can_be_given(capsys: pytest.CaptureFixture[str]) -> None:
    arguments = {
        "--query": "1 0", "--keys": "1 0; 0 1; 1 1", "--values": "1 2; 3 4; 5 6", "--mask": "1 0 true",
        "--temperature": "0.5", "--scale": "sqrt", "--dtype": "float32", "--print": "json",
    }  # fmt: skip
    scene = json.loads(_printed(capsys, *(word for pair in arguments.items() for word in pair)))["scene"]
    assert scene["values"] == [[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]]
    assert scene["mask"] == [True, False, True]
    assert (scene["temperature"], scene["scale_rule"], scene["dtype"]) == (0.5, "1/sqrt(hs)", "float32")
    assert scene["scale"] == pytest.approx(0.5**0.5, rel=1e-15)


def test_a_table_is_ascii_where_there_is_no_unicode(capsys: pytest.CaptureFixture[str]) -> None:
    assert _printed(capsys, "--print", "text", "--ascii").isascii()
    assert _run("--print", "text", LANG="C").stdout.isascii()


@pytest.mark.parametrize("arguments", ["--print text", "--print json", "--list-examples"])
def test_a_reader_who_has_seen_enough_is_no_error(arguments: str) -> None:
    """As in `attn-tui --print json | head -1`, with the reader gone before anything is written."""
    reader, writer = os.pipe()
    os.close(reader)
    command = [sys.executable, "-m", "attn_tui", *arguments.split()]
    streams = {"stdin": subprocess.DEVNULL, "stdout": writer, "stderr": subprocess.PIPE}
    done = subprocess.run(command, cwd=_ROOT, timeout=120, check=False, **streams)
    os.close(writer)
    assert done.stderr == b""
    assert done.returncode == 0
