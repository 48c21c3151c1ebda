"""The explorer in a process of its own, on the terminal of the program that waits for it.

A person's program may be anywhere: below a debugger, in a thread, inside a running asyncio loop, with signal handlers
and output streams of its own. The explorer wants all of these for itself, and Python gives signals to the main thread
alone; so it gets a process, and the program stays as it is. The two share one connection: the scene goes to the
explorer, the edited one comes back, and whoever finds it closed knows that the other has gone.
"""

import json
import os
import signal
import subprocess
import sys
from contextlib import suppress
from dataclasses import fields
from multiprocessing import Pipe
from multiprocessing.connection import Connection
from threading import Thread

from attn_tui.model.scene import Scene
from attn_tui.ui import start, terminal
from attn_tui.ui.start import NoExplorerError

_PATIENCE = 10.0
"""Seconds that an explorer that is not wanted any more may take to leave the terminal in good order."""
_CRASHED = 1
"""The exit code of an explorer that failed; any other is of one that was left or told to end."""
_CHILD = """
import json, signal, sys
signal.signal(signal.SIGINT, signal.SIG_IGN)
sys.path[:] = json.loads(sys.argv[1])
from attn_tui.ui.beside import serve
sys.exit(serve(int(sys.argv[2])))
"""
"""What the process runs. An interrupt is for the program that waits; modules are found where it finds them."""


def explored(scene: Scene) -> Scene:
    """The scene as the person leaves it. Raises NoExplorerError when the explorer ended without giving one back."""
    ours, theirs = Pipe()
    with terminal.left_as_found(), ours:
        with theirs:
            process = _started(theirs.fileno())
        try:
            ours.send(_parts(scene))
            answer = ours.recv()
        except (EOFError, OSError):
            ours.close()
            raise NoExplorerError(f"the explorer {_end(process)}: nothing was changed") from None
        finally:
            ours.close()
            _let_end(process)
    if isinstance(answer, str):
        raise NoExplorerError(answer)
    return Scene.of(**answer)


def serve(descriptor: int) -> int:
    """Be the explorer of the program at the other end of a connection: the exit code."""
    connection = Connection(descriptor)
    scene = Scene.of(**connection.recv())
    Thread(target=_end_when_alone, args=(connection,), daemon=True).start()
    try:
        app = start.explorer(scene)
    except NoExplorerError as refusal:
        connection.send(str(refusal))
        return _CRASHED
    code = start.show(app)
    signal.signal(signal.SIGTERM, signal.SIG_IGN)  # the other end may close as soon as it has the scene
    if code != _CRASHED:
        with suppress(OSError):  # nobody waits for it any more
            connection.send(_parts(app.history.scene))
    return code


def _started(descriptor: int) -> "subprocess.Popen[bytes]":
    """The process with the explorer, which has the terminal and one end of the connection."""
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONINSPECT"}
    arguments = [sys.executable, "-P", "-c", _CHILD, json.dumps(sys.path), str(descriptor)]
    try:
        return subprocess.Popen(arguments, env=environment, pass_fds=[descriptor])  # noqa: S603 - it is all ours
    except (OSError, ValueError) as error:
        raise NoExplorerError(f"the explorer cannot be started with {sys.executable!r}: {error}") from None


def _parts(scene: Scene) -> dict[str, object]:
    """What `Scene.of` makes the same scene of."""
    return {field.name: getattr(scene, field.name) for field in fields(scene)}


def _let_end(process: "subprocess.Popen[bytes]") -> None:
    """Wait for the process, which leaves when the connection is closed; one that was killed leaves a mess to clear."""
    try:
        process.wait(_PATIENCE)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()
    if process.returncode < 0:
        terminal.clear_up()


def _end(process: "subprocess.Popen[bytes]") -> str:
    """How a process ended, in words."""
    _let_end(process)
    code = process.returncode
    return f"was killed (signal {-code})" if code < 0 else f"ended by itself (exit code {code})"


def _end_when_alone(connection: Connection) -> None:
    """Wait until the program at the other end has gone, and leave as if told to."""
    with suppress(EOFError, OSError):
        connection.recv()
    os.kill(os.getpid(), signal.SIGTERM)
