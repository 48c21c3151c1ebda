"""Kept sessions: locked by whoever lives, whole or not at all, for their owner's eyes, and no more than a few."""

import errno
import fcntl
import os
import resource
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import pytest

from attn_tui.files.errors import ForeignError
from attn_tui.files.sessions.kept import MOST_FILES, KeptSession, folder, new_session, prune, resume
from attn_tui.files.sessions.saved import load_scene
from attn_tui.model import edits, keeping
from attn_tui.model.examples import example
from attn_tui.model.history import History
from attn_tui.model.scene import Cell
from tests.files.sessions.test_scene_form import same


def history_of(number: float) -> History:
    """The lesson with one edit."""
    start = example("lesson")
    return History.of(start).record(edits.set_component(start, Cell(0, 0), number), f"to {number:g}")


@pytest.fixture
def place(tmp_path: Path) -> Path:
    return tmp_path / "state" / "attn-tui" / "sessions"


def kept(place: Path, number: float, age: float = 0.0, *, alive: bool = False) -> KeptSession:
    """A session with one edit, saved some seconds ago by a process that has ended unless it is alive."""
    session = new_session(place)
    session.save(history_of(number))
    then = time.time() - age
    os.utime(session.file, (then, then))
    if not alive:
        session.release()
    return session


def number_of(history: History) -> float:
    """What the edit put there."""
    return history.scene.component(Cell(0, 0))


@contextmanager
def as_nobody() -> Iterator[None]:
    """As somebody whom permissions hold back, whoever runs the tests."""
    before = os.geteuid()
    if before == 0:
        os.seteuid(65534)
    try:
        yield
    finally:
        os.seteuid(before)


@contextmanager
def full_disk(room: int) -> Iterator[None]:
    """Where no file can have more than so many bytes; the interpreter turns the signal off that comes with it."""
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (room, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))


def test_where_sessions_are_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", "/state")
    assert folder() == Path("/state/attn-tui/sessions")
    monkeypatch.setenv("XDG_STATE_HOME", "relative")
    monkeypatch.setenv("HOME", "/home/a")
    assert folder() == Path("/home/a/.local/state/attn-tui/sessions")
    monkeypatch.setattr(keeping, "folder", lambda: None)
    assert folder() is None
    with pytest.raises(ForeignError, match="set XDG_STATE_HOME"):
        resume(None)


def test_a_session_that_was_never_saved_leaves_nothing(place: Path) -> None:
    new_session(place).release()
    assert not place.exists()
    with pytest.raises(ForeignError, match="there is no session to resume in "):
        resume(place)


def test_a_session_is_its_owner_s_alone_whatever_the_umask(place: Path) -> None:
    before = os.umask(0)
    try:
        session = kept(place, 1.0)
    finally:
        os.umask(before)
    assert session.file.stat().st_mode & 0o777 == 0o600
    assert [place.stat().st_mode & 0o777, place.parent.stat().st_mode & 0o777] == [0o700, 0o700]
    assert [entry.name for entry in place.iterdir()] == [session.file.name]


def test_what_was_saved_last_is_resumed_and_goes_on_in_its_file(place: Path) -> None:
    kept(place, 1.0, age=20.0)
    second = kept(place, 2.0, age=10.0)
    resumed = resume(place)
    assert number_of(resumed.history) == 2.0
    assert resumed.history.past[-1].what == "to 2"
    assert resumed.session.file == second.file
    resumed.session.save(history_of(3.0))
    resumed.session.release()
    assert number_of(resume(place).history) == 3.0
    assert len(list(place.iterdir())) == 2
    assert same(load_scene(second.file), history_of(3.0).scene)


def test_what_a_live_process_has_is_not_resumed(place: Path) -> None:
    kept(place, 1.0, age=20.0)
    mine = kept(place, 2.0, age=10.0, alive=True)
    first = resume(place)
    assert number_of(first.history) == 1.0
    with pytest.raises(ForeignError, match=r"the 2 in .* are open in other"):
        resume(place)
    with pytest.raises(ForeignError, match="is open in another attn-tui"):
        resume(place, mine.file.stem)
    for _ in range(3):
        mine.save(history_of(4.0))
        with pytest.raises(ForeignError, match="open in other"):
            resume(place)
    mine.release()
    assert number_of(resume(place).history) == 4.0


def test_a_process_that_was_killed_has_nothing_any_more(place: Path) -> None:
    program = (
        "import sys, time\n"
        "from pathlib import Path\n"
        "from tests.files.sessions.test_kept import history_of, new_session\n"
        "session = new_session(Path(sys.argv[1])); session.save(history_of(7.0))\n"
        "print('saved', flush=True); time.sleep(600)\n"
    )
    with subprocess.Popen([sys.executable, "-c", program, str(place)], stdout=subprocess.PIPE) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == b"saved\n"
        with pytest.raises(ForeignError, match="the 1 in"):
            resume(place)
        process.kill()
    assert number_of(resume(place).history) == 7.0


def test_a_session_of_a_name(place: Path) -> None:
    first, second = kept(place, 1.0, age=20.0), kept(place, 2.0)
    assert number_of(resume(place, first.file.name).history) == 1.0
    with pytest.raises(ForeignError, match=rf"there is no session \.\./x in .*: choose from {second.file.name}, "):
        resume(place, "../x")


BROKEN = {
    "empty": (b"", "it is no JSON"),
    "half": (b'{"attn-tui": 1, "now": 0, "st', "it is no JSON"),
    "newer": (b'{"attn-tui": 2, "steps": 3}', "a newer attn-tui wrote it"),
    "a scene": (b'{"attn-tui": 1, "query": [1], "keys": [[1]]}', "steps is null"),
    "zeros": (b"\x00" * 4096, "it is no JSON"),
}


@pytest.mark.parametrize("case", BROKEN)
def test_a_broken_session_stays_and_the_one_before_it_is_named(case: str, place: Path) -> None:
    older, live, newest = kept(place, 1.0, age=20.0), kept(place, 2.0, age=10.0, alive=True), kept(place, 3.0)
    newest.file.write_bytes(BROKEN[case][0])
    with pytest.raises(ForeignError) as refused:
        resume(place)
    sentence = str(refused.value)
    assert sentence.startswith(f"{newest.file} cannot be resumed: ")
    assert BROKEN[case][1] in sentence
    assert sentence.endswith(f"It stays as it is; the one before it opens with --resume {older.file.name}")
    assert newest.file.read_bytes() == BROKEN[case][0]
    assert number_of(resume(place, older.file.name).history) == 1.0
    live.release()


def test_a_broken_session_without_another(place: Path) -> None:
    only = kept(place, 1.0)
    only.file.write_bytes(b"{")
    with pytest.raises(ForeignError, match="It stays as it is; there is none before it"):
        resume(place)
    with pytest.raises(ForeignError, match="cannot be resumed"):
        resume(place)


def test_a_full_disk_leaves_what_was_kept_before_and_its_lock(place: Path) -> None:
    session = kept(place, 1.0, alive=True)
    with full_disk(500), pytest.raises(OSError, match=os.strerror(errno.EFBIG)):
        session.save(history_of(2.0))
    assert [entry.name for entry in place.iterdir()] == [session.file.name]
    with pytest.raises(ForeignError, match="are open in other"):
        resume(place)
    assert same(load_scene(session.file), history_of(1.0).scene)
    session.save(history_of(3.0))
    session.release()
    assert number_of(resume(place).history) == 3.0


def test_a_folder_that_cannot_be_written_can_still_be_resumed_from(tmp_path: Path) -> None:
    place = tmp_path / "sessions"
    session = kept(place, 1.0)
    for folder_above in tmp_path.parents[:3]:
        with suppress(OSError):
            folder_above.chmod(0o755)
    for path, mode in ((session.file, 0o444), (place, 0o555), (tmp_path, 0o555)):
        path.chmod(mode)
    with as_nobody():
        resumed = resume(place)
        assert number_of(resumed.history) == 1.0
        with pytest.raises(PermissionError):
            resumed.session.save(history_of(2.0))
        with pytest.raises(PermissionError):
            new_session(place).save(history_of(2.0))
        resumed.session.release()
        with pytest.raises(PermissionError):
            new_session(tmp_path / "other").save(history_of(2.0))
    place.chmod(0o700)
    tmp_path.chmod(0o700)
    assert number_of(resume(place).history) == 1.0


def test_what_may_not_be_read_is_one_sentence(tmp_path: Path) -> None:
    place = tmp_path / "sessions"
    kept(place, 1.0).file.chmod(0)
    place.chmod(0o755)
    with suppress(OSError):
        for above in tmp_path.parents[:3]:
            above.chmod(0o755)
    with as_nobody(), pytest.raises(ForeignError, match="Permission denied"):
        resume(place)
    place.chmod(0)
    with as_nobody(), pytest.raises(ForeignError, match="sessions cannot be read: Permission denied"):
        resume(place)
    place.chmod(0o700)


def test_the_oldest_are_deleted_but_never_what_somebody_has(place: Path) -> None:
    live = kept(place, 0.0, age=9999.0, alive=True)
    old = [kept(place, float(i), age=1000.0 - i) for i in range(MOST_FILES + 3)]
    newest = kept(place, 99.0)
    left = {entry.name for entry in place.iterdir()}
    assert len(left) == MOST_FILES + 1
    assert {live.file.name, newest.file.name, old[-1].file.name} <= left
    assert old[0].file.name not in left
    live.release()


def test_what_nobody_has_finished_is_deleted_and_what_somebody_is_writing_is_not(place: Path) -> None:
    kept(place, 1.0)
    dead, writing, fresh = (place / f"{keeping.UNFINISHED}{name}" for name in ("dead", "writing", "fresh"))
    for file in (dead, writing, fresh):
        file.write_bytes(b"{")
    for file in (dead, writing):
        os.utime(file, (0, 0))
    with open(writing, "rb") as stream:
        fcntl.flock(stream, fcntl.LOCK_EX)
        prune(place)
        assert not dead.exists()
        assert writing.exists()
        assert fresh.exists()
