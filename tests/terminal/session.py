"""A program on a real pseudo-terminal, and the screen that a person has before them."""

import fcntl
import os
import pty
import re
import select
import signal
import struct
import subprocess
import sys
import tempfile
import termios
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from types import TracebackType
from typing import Self

import pyte

ROOT = Path(__file__).parents[2]
"""Where the program is started, so that it is this repository's."""
PROGRAM = (sys.executable, "-m", "attn_tui")

BEGIN_FRAME = b"\x1b[?2026h"
_ASKS_FOR_FRAMES, _KNOWS_FRAMES = b"\x1b[?2026$p", b"\x1b[?2026;2$y"
_UNKNOWN_TO_PYTE = re.compile(rb"\x1b\[(?:[<>=?][0-9;]*u|\?[0-9;]*\$p|>[0-9;]*q)")
"""The keyboard protocol, queries: pyte takes them for other sequences."""
_STYLE = re.compile(rb"\x1b\[([0-9;:]*)m")
_PATIENCE = 60.0
"""Seconds that anything may take on a busy machine."""


class Terminal:
    """A terminal of some size with a program in it, which is ended on leaving the `with`."""

    def __init__(
        self,
        *arguments: str,
        size: tuple[int, int] = (80, 24),
        environment: Mapping[str, str] | None = None,
        command: Sequence[str] = PROGRAM,
    ) -> None:
        self.master, slave = pty.openpty()
        self._home = tempfile.TemporaryDirectory(prefix="attn-tui-test-")
        self.screen = pyte.Screen(*size)
        self._stream = pyte.ByteStream(self.screen)
        self.output = b""
        self.came = 0.0
        """When the last byte came, before any work of drawing it here."""
        self._set_size(*size)
        # a session's first process gets the first terminal that it opens as its own, as a login does
        shell = ["/bin/sh", "-c", 'exec "$@" <"$0" >"$0" 2>&1', os.ttyname(slave), *command, *arguments]
        self.process = subprocess.Popen(
            shell, cwd=ROOT, env=self._environment(environment or {}), start_new_session=True, stdin=subprocess.DEVNULL
        )
        self._slave = slave

    def _environment(self, changes: Mapping[str, str]) -> dict[str, str]:
        """A modern terminal's environment, with some changes; an empty text takes a variable away."""
        plain = {
            "PATH": os.environ["PATH"],
            "HOME": self._home.name,
            "XDG_STATE_HOME": self._home.name,
            "LANG": "C.UTF-8",
            "TERM": "xterm-256color",
            "COLORTERM": "truecolor",
        }
        return {name: value for name, value in (plain | dict(changes)).items() if value}

    def __enter__(self) -> Self:
        """The terminal."""
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """End the program and take everything down."""
        if self.process.poll() is None:
            self.process.kill()
            self.process.wait()
        for descriptor in (self.master, self._slave):
            if descriptor >= 0:
                os.close(descriptor)
        self.master = self._slave = -1
        self._home.cleanup()

    @property
    def lines(self) -> list[str]:
        """The rows of the screen."""
        return [line.rstrip() for line in self.screen.display]

    @property
    def text(self) -> str:
        """The screen."""
        return "\n".join(self.lines)

    def until(self, seen: str | Callable[[], bool], patience: float = _PATIENCE) -> Self:
        """Read until a text is on the screen, or something else is true."""
        end = time.monotonic() + patience
        while not (seen in self.text if isinstance(seen, str) else seen()):
            assert time.monotonic() < end, f"never seen: {seen}\n{self.text}\n{self.output[-500:]!r}"
            self.read(0.2)
        return self

    def settle(self, quiet: float = 0.3) -> bytes:
        """Read until nothing has come for a while, and return what has."""
        data = b""
        while part := self.read(quiet):
            data += part
        return data

    def send(self, keys: str | bytes) -> None:
        """Type or paste, as bytes of the terminal."""
        os.write(self.master, keys.encode() if isinstance(keys, str) else keys)

    def press(self, keys: str | bytes) -> bytes:
        """Type, and return all that comes back."""
        self.send(keys)
        first, end = b"", time.monotonic() + 10.0
        while not first and time.monotonic() < end:
            first = self.read(0.2)
        return first + self.settle()

    def start(self, needle: str = "Entropy") -> Self:
        """Read the first screen, with its charts."""
        self.until(needle)
        self.settle(0.6)
        return self

    def resize(self, columns: int, rows: int) -> None:
        """Give the terminal another size."""
        self.screen.resize(rows, columns)
        self._set_size(columns, rows)
        os.kill(self.process.pid, signal.SIGWINCH)

    def hang_up(self) -> None:
        """Close the terminal, as a dropped connection does."""
        os.close(self._slave)
        os.close(self.master)
        self.master = self._slave = -1

    def exit_code(self, patience: float = _PATIENCE) -> int:
        """Read what still comes, and wait for the program's end: 128 + n after a signal that it did not catch."""
        end = time.monotonic() + patience
        while self.process.poll() is None and time.monotonic() < end:
            if self.master >= 0:
                self.read(0.1)
            else:
                time.sleep(0.05)
        code = self.process.wait(timeout=0.1)
        if self.master >= 0:
            self.settle(0.1)
        return code if code >= 0 else 128 - code

    def read(self, wait: float) -> bytes:
        """What comes within some seconds, shown on the screen."""
        data = self.receive(wait)
        self.draw(data)
        return data

    def receive(self, wait: float) -> bytes:
        """What comes within some seconds, not yet shown; a query for frames is answered."""
        if not select.select([self.master], [], [], wait)[0]:
            return b""
        try:
            data = os.read(self.master, 65536)
        except OSError:
            return b""
        self.came = time.perf_counter()
        if _ASKS_FOR_FRAMES in data:
            os.write(self.master, _KNOWS_FRAMES)
        return data

    def draw(self, data: bytes) -> None:
        """Show what has come."""
        self.output += data
        self._stream.feed(_UNKNOWN_TO_PYTE.sub(b"", data))

    def _set_size(self, columns: int, rows: int) -> None:
        """Tell the kernel."""
        fcntl.ioctl(self.master, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))


def styles(output: bytes) -> list[int]:
    """Every code of every style sequence, those of extended colours as 38 or 48 with their parts left out."""
    found: list[int] = []
    for match in _STYLE.finditer(output):
        codes = iter([int(code or 0) for code in re.split(rb"[;:]", match[1])])
        for code in codes:
            found.append(code)
            if code in {38, 48}:
                kind = next(codes)
                for _ in range(1 if kind == 5 else 3):
                    next(codes)
    return found
