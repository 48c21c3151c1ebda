"""The sessions that are kept by themselves: a file for each running process, which holds its lock while it lives."""

import errno
import fcntl
import os
import time
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from attn_tui.files.errors import ForeignError
from attn_tui.files.sessions.history_form import HistoryWriter, history_from_json
from attn_tui.files.sessions.layout import cannot, read_session
from attn_tui.files.visible import visible
from attn_tui.model import keeping
from attn_tui.model.history import History

MOST_FILES = 20
"""How many sessions are kept."""
_BREATH, _LINES_A_BREATH = 0.001, 8
"""Seconds, and after how many lines."""
_UNFINISHED_AGE = 60.0
"""Seconds after which a file that nobody finishes is one that nobody will finish."""
_NO_LOCKS = frozenset({errno.ENOLCK, errno.ENOSYS, errno.EOPNOTSUPP})
"""What a file system says that has no locks: there a session is better kept without one than not at all."""


class KeptSession:
    """One process's session on the disk. Whoever sees the file sees it locked until this process has ended."""

    def __init__(self, file: Path, held: int | None = None) -> None:
        self.file = file
        self._held = held
        self._writer = HistoryWriter(breathe=_Breath())

    def save(self, history: History) -> None:
        """Write the history in place of what was kept of it before. Raises OSError."""
        is_first = not self.file.exists()
        for folder in (self.file.parent.parent, self.file.parent):
            folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        content = self._writer.content(history)
        locked: list[int] = []
        try:
            keeping.put(self.file, content, mode=0o600, claim=lambda handle: locked.append(_locked(handle)))
        except OSError:
            _close(locked)
            raise
        _close([] if self._held is None else [self._held])
        self._held = locked[0]
        if is_first:
            prune(self.file.parent)

    def release(self) -> None:
        """Let another process have it."""
        _close([] if self._held is None else [self._held])
        self._held = None


class _Breath:
    """Rests a little after some lines of many, so that whoever waits for Python's lock, such as a key, gets it."""

    def __init__(self) -> None:
        self._lines = 0

    def __call__(self) -> None:
        self._lines += 1
        if self._lines % _LINES_A_BREATH == 0:
            time.sleep(_BREATH)


@dataclass(frozen=True)
class Resumed:
    """A session that was taken over."""

    history: History
    session: KeptSession


def folder() -> Path | None:
    """Where sessions are kept; None where nobody has a home."""
    state = keeping.folder()
    return None if state is None else state / "sessions"


def new_session(place: Path) -> KeptSession:
    """A session of its own; there is no file of it before it is first saved."""
    return KeptSession(place / f"{time.strftime('%Y%m%d-%H%M%S')}-{os.urandom(3).hex()}.json")


def resume(place: Path | None, name: str | None = None) -> Resumed:
    """Take over the newest session that no live process has, or the one of a name.

    Raises ForeignError where there is none, and where it cannot be read: then it stays as it is, and the one before it
    is named.
    """
    if place is None:
        raise ForeignError("there is no session to resume: there is no home directory; set XDG_STATE_HOME")
    files = _newest_first(place)
    if name is not None:
        files = _from(name, files, place)
    for at, file in enumerate(files):
        held = _claim(file)
        if held is not None:
            return _taken_over(file, held, files[at + 1 :])
        if name is not None:
            raise ForeignError(f"{visible(name)} is open in another attn-tui")
    others = f": the {len(files)} in {visible(str(place))} are open in other attn-tui's" if files else ""
    raise ForeignError(f"there is no session to resume{others or f' in {visible(str(place))}'}")


def prune(place: Path) -> None:
    """Delete the oldest sessions that nobody has, and what nobody has finished writing, as far as that is possible."""
    with suppress(OSError, ForeignError):
        for file in _newest_first(place)[MOST_FILES:]:
            _delete(file)
        for file in place.glob(f"{keeping.UNFINISHED}*"):
            if time.time() - file.stat().st_mtime > _UNFINISHED_AGE:
                _delete(file)


def _taken_over(file: Path, held: int, older: list[Path]) -> Resumed:
    """The history in a file that is locked. Raises ForeignError, naming the next older file that nobody has."""
    try:
        return Resumed(history_from_json(read_session(file)), KeptSession(file, held))
    except (OSError, ForeignError) as error:
        _close([held])
        next_one = next((other.name for other in older if _is_free(other)), None)
        what_then = f"; the one before it opens with --resume {next_one}" if next_one else "; there is none before it"
        raise ForeignError(f"{cannot('resumed', file, error)}. It stays as it is{what_then}") from None


def _newest_first(place: Path) -> list[Path]:
    """Every session, the one that was saved last first. Raises ForeignError where the folder cannot be read."""
    try:
        with os.scandir(place) as entries:
            found = [
                (entry.stat().st_mtime_ns, entry.name)
                for entry in entries
                if entry.name.endswith(".json") and not entry.name.startswith(".")
            ]
    except FileNotFoundError:
        return []
    except OSError as error:
        raise cannot("read", place, error) from None
    return [place / name for _, name in sorted(found, reverse=True)]


def _from(name: str, files: list[Path], place: Path) -> list[Path]:
    """The files from the one of a name on. Raises ForeignError with the names there are."""
    for at, file in enumerate(files):
        if name in {file.name, file.stem}:
            return files[at:]
    there = f"choose from {', '.join(visible(file.name) for file in files)}" if files else "there is none"
    raise ForeignError(f"there is no session {visible(name)} in {visible(str(place))}: {there}")


def _claim(file: Path) -> int | None:
    """A descriptor that holds the lock of a file, None where another process holds it. Raises ForeignError."""
    try:
        while True:
            handle = _opened(file)
            try:
                held = _locked(handle)
            except BlockingIOError:
                return None
            finally:
                os.close(handle)
            if os.path.sameopenfile(held, handle := os.open(file, os.O_RDONLY)):
                os.close(handle)
                return held
            _close([handle, held])  # its owner has just saved it: the lock was on what it had before
    except FileNotFoundError:
        return None
    except OSError as error:
        raise cannot("resumed", file, error) from None


def _opened(file: Path) -> int:
    """A descriptor of a file, to be locked: for writing, which some file systems ask for, if that is allowed."""
    try:
        return os.open(file, os.O_RDWR)
    except OSError as error:
        if error.errno not in {errno.EACCES, errno.EROFS}:
            raise
    return os.open(file, os.O_RDONLY)


def _is_free(file: Path) -> bool:
    """Whether no process holds a session."""
    try:
        held = _claim(file)
    except ForeignError:
        return False
    _close([] if held is None else [held])
    return held is not None


def _delete(file: Path) -> None:
    """Delete a file unless a process has it. Raises OSError and ForeignError where that is not possible."""
    held = _claim(file)
    if held is not None:
        file.unlink(missing_ok=True)
        _close([held])


def _locked(handle: int) -> int:
    """Another descriptor of an open file, which keeps it locked when the first is closed. Raises BlockingIOError."""
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError as error:
        if error.errno not in _NO_LOCKS:
            raise
    return os.dup(handle)


def _close(handles: list[int]) -> None:
    """Close descriptors, and let go of what they lock."""
    for handle in handles:
        os.close(handle)
