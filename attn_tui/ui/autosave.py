"""Autosave: each step of the history is kept on the disk, by a thread, so that no key waits for a disk."""

import threading
from collections.abc import Callable
from typing import TYPE_CHECKING

from attn_tui.model.history import History

if TYPE_CHECKING:
    from attn_tui.files.sessions.kept import KeptSession

_REST = 0.1
"""Seconds between two writes while one step follows another: only the newest of them is written."""


_PATIENCE = 10.0
"""Seconds that leaving waits for a disk that does not answer."""


class Autosave:
    """Keeps one history. The thread takes whatever is newest, and there is none before the first step."""

    def __init__(self, session: "KeptSession | None" = None) -> None:
        self._session = session
        self._news = threading.Condition()
        self._newest: History | None = None
        self._thread: threading.Thread | None = None
        self._complaint: str | None = None
        self._is_ending = False
        self.complain: Callable[[str], None] = _ignore
        """What is done, in the thread, with a sentence on why nothing can be kept; it comes once."""

    def take(self, history: History) -> None:
        """Have a history written, in place of what was taken before, at the next wake."""
        with self._news:
            self._newest = history

    def wake(self) -> None:
        """Write now, or as soon as what is being written is written."""
        with self._news:
            if self._thread is None:
                self._thread = threading.Thread(target=self._run, name="autosave", daemon=True)
                self._thread.start()
            self._news.notify()

    def finish(self) -> None:
        """Have everything written now, and let the session go."""
        with self._news:
            self._is_ending = True
        if self._newest is not None or self._thread is not None:
            self.wake()
        if self._thread is not None:
            self._thread.join(_PATIENCE)
        if self._session is not None:
            self._session.release()

    def _run(self) -> None:
        """In the thread: write the newest history whenever there is one."""
        while (history := self._next()) is not None:
            self._write(history)
            with self._news:
                self._news.wait_for(lambda: self._is_ending, _REST)

    def _next(self) -> History | None:
        """The newest history, waited for; None when there is none and no more will come."""
        with self._news:
            self._news.wait_for(lambda: self._newest is not None or self._is_ending)
            history, self._newest = self._newest, None
            return history

    def _write(self, history: History) -> None:
        """Write a history; complain where that is not possible, unless that was said already."""
        from attn_tui.files.sessions import kept  # noqa: PLC0415 - not needed before the first step

        if self._session is None and (place := kept.folder()) is not None:
            self._session = kept.new_session(place)
        complaint = None
        if self._session is None:
            complaint = "changes are not kept: there is no home directory; set XDG_STATE_HOME"
        else:
            try:
                self._session.save(history)
            except OSError as error:
                complaint = f"changes are not kept in {self._session.file.parent}: {error.strerror}"
        if complaint is not None and complaint != self._complaint:
            self.complain(complaint)
        self._complaint = complaint


def _ignore(complaint: str) -> None:
    """Where nobody listens, nothing is said."""
