"""What a learner has done is kept whole or not at all, and a file that makes no sense is never lost."""

import errno
import json
import os
from pathlib import Path
from typing import Any

import pytest

from attn_tui.files.writing import replace
from attn_tui.lesson.progress import Progress, load, mark, path, record, reset, save

SOME = record(record(mark(mark(reset(), "softmax"), "entropy"), "softmax", right=True), "entropy", right=False)


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "attn-tui" / "lesson.json"


def written(file: Path, content: bytes) -> Path:
    file.parent.mkdir(parents=True)
    file.write_bytes(content)
    return file


def test_changes_make_another_progress() -> None:
    nothing = Progress()
    assert mark(nothing, "softmax").done == {"softmax"}
    assert nothing == reset() == Progress()
    assert Progress(frozenset({"softmax", "entropy"}), frozenset({"softmax"}), frozenset({"entropy"})) == SOME
    assert mark(SOME, "softmax") == SOME


def test_only_the_first_prediction_of_a_step_counts() -> None:
    assert record(SOME, "softmax", right=False) == SOME
    assert record(SOME, "entropy", right=True) == SOME
    assert (SOME.score, reset().score) == ("1 of 2", "0 of 0")


@pytest.mark.parametrize(
    ("environment", "place"),
    [
        ({"XDG_STATE_HOME": "/state", "HOME": "/home/a"}, "/state/attn-tui/lesson.json"),
        ({"HOME": "/home/a"}, "/home/a/.local/state/attn-tui/lesson.json"),
        ({"XDG_STATE_HOME": "", "HOME": "/home/a"}, "/home/a/.local/state/attn-tui/lesson.json"),
        ({"XDG_STATE_HOME": "relative", "HOME": "/home/a"}, "/home/a/.local/state/attn-tui/lesson.json"),
    ],
)
def test_where_it_is_kept(environment: dict[str, str], place: str) -> None:
    assert path(environment) == Path(place)


def test_without_a_home_nothing_is_kept_and_that_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Path, "expanduser", lambda self: self)
    assert path({}) is None
    assert load(None) == (Progress(), None)
    assert "XDG_STATE_HOME" in (save(SOME, None, replace) or "")


def test_what_is_saved_is_loaded(file: Path) -> None:
    assert load(file) == (Progress(), None)
    assert save(SOME, file, replace) is None
    assert load(file) == (SOME, None)
    assert save(reset(), file, replace) is None
    assert load(file) == (Progress(), None)
    assert [entry.name for entry in file.parent.iterdir()] == ["lesson.json"]


def test_steps_of_another_edition_are_kept(file: Path) -> None:
    assert save(mark(SOME, "a step to come"), file, replace) is None
    assert "a step to come" in load(file)[0].done


BROKEN = {
    "empty": b"",
    "no JSON": b"done: softmax",
    "half": b'{"version": 1, "done": ["softm',
    "no text": b"\xff\xfe\x00\x80",
    "a list": b"[]",
    "null": b"null",
    "no version": b'{"done": [], "right": [], "wrong": []}',
    "another version": b'{"version": 2, "done": [], "right": [], "wrong": []}',
    "no lists": b'{"version": 1, "done": "softmax", "right": [], "wrong": []}',
    "no ids": b'{"version": 1, "done": [1], "right": [], "wrong": []}',
    "something missing": b'{"version": 1, "done": []}',
    "too deep": b"[" * 200_000,
    "zeros": b"\x00" * 4096,
}


@pytest.mark.parametrize("case", BROKEN)
def test_a_broken_file_is_put_aside_whole(file: Path, case: str) -> None:
    written(file, BROKEN[case])
    progress, sentence = load(file)
    assert progress == Progress()
    assert sentence == (
        "the lesson's progress makes no sense: it is kept as lesson.json.broken, and the lesson begins anew"
    )
    assert file.with_name("lesson.json.broken").read_bytes() == BROKEN[case]
    assert save(SOME, file, replace) is None
    assert load(file) == (SOME, None)


def test_what_was_put_aside_before_is_not_overwritten(file: Path) -> None:
    written(file, b"first")
    load(file)
    for content, name in ((b"second", "lesson.json.broken1"), (b"third", "lesson.json.broken2")):
        file.write_bytes(content)
        assert name in (load(file)[1] or "")
        assert file.with_name(name).read_bytes() == content
    assert file.with_name("lesson.json.broken").read_bytes() == b"first"


def test_a_directory_in_the_file_s_place_is_put_aside(file: Path) -> None:
    file.mkdir(parents=True)
    progress, sentence = load(file)
    assert progress == Progress()
    assert "cannot be read" in (sentence or "")
    assert save(SOME, file, replace) is None


def test_what_cannot_be_put_aside_stays(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    written(file, b"broken")

    def refuse(*_: Any) -> None:
        raise OSError(errno.EROFS, os.strerror(errno.EROFS))

    monkeypatch.setattr(Path, "rename", refuse)
    progress, sentence = load(file)
    assert progress == Progress()
    assert "cannot be put aside: Read-only file system" in (sentence or "")
    assert file.read_bytes() == b"broken"


@pytest.mark.parametrize("call", ["fsync", "replace"])
def test_a_full_disk_is_a_sentence_and_leaves_the_old_file(
    file: Path, monkeypatch: pytest.MonkeyPatch, call: str
) -> None:
    save(SOME, file, replace)

    def refuse(*_: Any) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(os, call, refuse)
    sentence = save(mark(SOME, "sink"), file, replace)
    assert sentence == f"the lesson's progress cannot be kept in {file.parent}: No space left on device"
    assert load(file) == (SOME, None)
    assert [entry.name for entry in file.parent.iterdir()] == ["lesson.json"]


def test_a_place_that_cannot_be_written_is_a_sentence(tmp_path: Path) -> None:
    blocked = tmp_path / "file"
    blocked.write_text("in the way")
    for place in (blocked / "lesson.json", blocked / "deeper" / "lesson.json"):
        assert "cannot be kept" in (save(SOME, place, replace) or "")
    assert blocked.read_text() == "in the way"


def test_the_file_can_be_read_by_a_person(file: Path) -> None:
    save(SOME, file, replace)
    assert json.loads(file.read_text(encoding="utf-8")) == {
        "version": 1,
        "done": ["entropy", "softmax"],
        "right": ["softmax"],
        "wrong": ["entropy"],
    }
