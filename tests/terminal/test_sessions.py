"""Sessions on a real terminal: whatever ends the program, what was edited is there again, and can be undone."""

import os
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from attn_tui.files.sessions.kept import resume
from attn_tui.files.sessions.saved import load_scene
from tests.terminal.session import PROGRAM, ROOT, Terminal

_LIMITED = ("/bin/sh", "-c", 'ulimit -f 1; exec "$@"', "sh", *PROGRAM)
"""The program where no file can have more than 512 bytes, or 1024, as on a full disk."""


def sessions(state: Path) -> list[Path]:
    """The files of all sessions, and whatever else is there."""
    place = state / "attn-tui" / "sessions"
    return sorted(place.iterdir()) if place.exists() else []


def at(state: Path, *arguments: str, command: tuple[str, ...] = PROGRAM) -> Terminal:
    """The program on a terminal, with its state in a folder."""
    return Terminal(*arguments, environment={"XDG_STATE_HOME": str(state)}, command=command)


def refusal(state: Path, *arguments: str) -> str:
    """What the program says when it refuses."""
    done = subprocess.run(
        [*PROGRAM, *arguments],
        cwd=ROOT,
        env={"PATH": os.environ["PATH"], "LANG": "C.UTF-8", "XDG_STATE_HOME": str(state), "HOME": str(state)},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith("attn-tui: ")
    assert done.stderr.count("\n") == 1
    return done.stderr


def edit(terminal: Terminal, number: str = "7") -> None:
    """Put a number into the query's first component."""
    terminal.press(f"{number}\r")
    terminal.until(f"{number}.0000")


_ENDS: dict[str, Callable[[Terminal], object]] = {
    "hang-up": lambda terminal: terminal.hang_up(),
    "SIGHUP": lambda terminal: os.kill(terminal.process.pid, signal.SIGHUP),
    "SIGTERM": lambda terminal: os.kill(terminal.process.pid, signal.SIGTERM),
    "SIGKILL": lambda terminal: os.kill(terminal.process.pid, signal.SIGKILL),
    "q": lambda terminal: terminal.send("q"),
}


@pytest.mark.parametrize("end", _ENDS)
def test_however_it_ends_the_edit_is_resumed_and_undone(end: str, tmp_path: Path) -> None:
    with at(tmp_path).start() as terminal:
        edit(terminal)
        if end == "SIGKILL":  # which leaves no time to write anything
            terminal.until(lambda: len(sessions(tmp_path)) == 1 and sessions(tmp_path)[0].suffix == ".json")
        _ENDS[end](terminal)
        terminal.exit_code()
    assert [file.suffix for file in sessions(tmp_path)] == [".json"]
    with at(tmp_path, "--resume").start() as terminal:
        terminal.until("7.0000").until("resumed: 1 change can be undone")
        terminal.press("u")
        terminal.until("0.4967").until("undone: q.d0 = 7.0000")
        terminal.press("U")
        terminal.until("7.0000")
        terminal.send("q")
        assert terminal.exit_code() == 0
    assert len(sessions(tmp_path)) == 1


def test_an_edit_at_the_last_moment_is_kept(tmp_path: Path) -> None:
    with at(tmp_path).start() as terminal:
        terminal.send("7\riiiiq")
        assert terminal.exit_code() == 0
    resumed = resume(tmp_path / "attn-tui" / "sessions")
    assert len(resumed.history.past) == 6
    resumed.session.release()


def test_who_edits_nothing_leaves_nothing(tmp_path: Path) -> None:
    with at(tmp_path).start() as terminal:
        terminal.press("jjl")
        terminal.press("5\x1b")
        terminal.send("q")
        assert terminal.exit_code() == 0
    assert sessions(tmp_path) == []
    assert "there is no session to resume in" in refusal(tmp_path, "--resume")


def test_two_live_programs_have_a_session_each_and_a_third_has_none_to_resume(tmp_path: Path) -> None:
    with at(tmp_path).start() as one, at(tmp_path).start() as other:
        edit(one, "7")
        edit(other, "8")
        one.until(lambda: len([file for file in sessions(tmp_path) if file.suffix == ".json"]) == 2)
        assert "the 2 in" in refusal(tmp_path, "--resume")
        one.send("q")
        assert one.exit_code() == 0
        with at(tmp_path, "--resume").start() as third:
            third.until("7.0000")
            assert "are open in other" in refusal(tmp_path, "--resume")
            edit(third, "9")
            third.send("q")
            assert third.exit_code() == 0
        edit(other, "6")
        os.kill(other.process.pid, signal.SIGTERM)
        assert other.exit_code() == 143
    assert len(sessions(tmp_path)) == 2
    numbers = {load_scene(file).query[0] for file in sessions(tmp_path)}
    assert numbers == {9.0, 6.0}


def test_a_full_disk_is_said_at_the_bottom_and_nothing_is_lost(tmp_path: Path) -> None:
    with at(tmp_path).start() as terminal:
        edit(terminal)
        terminal.send("q")
        assert terminal.exit_code() == 0
    before = sessions(tmp_path)[0].read_bytes()
    with at(tmp_path, "--resume", command=_LIMITED).start() as terminal:
        terminal.until("7.0000")
        terminal.press("8\r")
        terminal.until("changes are not kept in")
        terminal.press("l")
        assert "changes are not kept" not in terminal.text
        terminal.press("i")
        assert "changes are not kept" not in terminal.text, "it is said once"
        os.kill(terminal.process.pid, signal.SIGHUP)
        assert terminal.exit_code() == 129
        assert b"Traceback" not in terminal.output
    assert [file.read_bytes() for file in sessions(tmp_path)] == [before]


def test_a_newer_and_a_broken_session_are_one_sentence_that_names_the_one_before(tmp_path: Path) -> None:
    for number in ("7", "8"):
        with at(tmp_path).start() as terminal:
            edit(terminal, number)
            terminal.send("q")
            assert terminal.exit_code() == 0
    older, newest = sorted(sessions(tmp_path), key=lambda file: file.stat().st_mtime_ns)
    for content, words in ((b'{"attn-tui": 2}', "a newer attn-tui wrote it (version 2"), (b'{"attn', "it is no JSON")):
        newest.write_bytes(content)
        sentence = refusal(tmp_path, "--resume")
        assert words in sentence
        assert sentence.endswith(f"It stays as it is; the one before it opens with --resume {older.name}\n")
        assert newest.read_bytes() == content
    with at(tmp_path, "--resume", older.stem).start() as terminal:
        terminal.until("7.0000")


def test_a_state_that_is_no_folder_is_said_at_the_bottom(tmp_path: Path) -> None:
    (tmp_path / "attn-tui").write_text("in the way")
    with at(tmp_path).start() as terminal:
        terminal.press("i")
        terminal.until("changes are not kept in")
        terminal.send("q")
        assert terminal.exit_code() == 0
    assert "cannot be read: Not a directory" in refusal(tmp_path, "--resume")


def test_resume_goes_with_no_other_scene_and_can_be_printed(tmp_path: Path) -> None:
    assert "--resume brings its own scene: leave --example out" in refusal(tmp_path, "--resume", "--example", "lesson")
    with at(tmp_path).start() as terminal:
        edit(terminal)
        terminal.send("q")
        assert terminal.exit_code() == 0
    done = subprocess.run(
        [sys.executable, "-m", "attn_tui", "--resume", "--print", "text"],
        cwd=ROOT,
        env={"PATH": os.environ["PATH"], "LANG": "C.UTF-8", "XDG_STATE_HOME": str(tmp_path)},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=120,
        check=True,
    )
    assert "q = 7.0000" in done.stdout
