"""Programs that a person might write around `explore`, run by the tests on a real terminal."""

import asyncio
import signal
import sys
import termios
import threading
from collections.abc import Callable

import numpy as np

import attn_tui
from attn_tui import Scene, explore

QUERY, KEYS = np.array([1.0, 0.0], np.float32), np.array([[1.0, 0.0], [0.0, 1.0], [1.0, 1.0]], np.float32)
"""What the programs begin with; no explorer may change it."""


def _state() -> object:
    """What an explorer has to leave as it found it."""
    handlers = [signal.getsignal(number) for number in sorted(signal.valid_signals()) if number not in {9, 19}]
    return handlers, termios.tcgetattr(0), sys.stdout, sys.stderr, QUERY.tobytes(), KEYS.tobytes()


def _tell(scene: Scene) -> None:
    """Say what came back."""
    print(f"back: {scene.query.tolist()} {scene.count} keys, {'textual' in sys.modules}")


def script() -> None:
    """Explores once, and looks whether everything is as it was."""
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(77))
    signal.signal(signal.SIGHUP, lambda *_: sys.exit(78))
    before = _state()
    _tell(explore(QUERY, KEYS, labels=["a", "b", "c"], mask=[True, True, False]))
    print("as it was" if _state() == before else "changed")


def twice() -> None:
    """Explores what came back."""
    scene = explore(QUERY, KEYS)
    _tell(scene)
    _tell(explore(scene.query, scene.keys))


def loop() -> None:
    """Explores inside a running asyncio loop."""

    async def inside() -> None:
        before = asyncio.get_running_loop()
        _tell(await asyncio.sleep(0, explore(QUERY, KEYS)))
        assert asyncio.get_running_loop() is before
        print(f"and on: {await asyncio.sleep(0.01, 'later')}")

    asyncio.run(inside())


def thread() -> None:
    """Explores from a thread that is not the first."""
    worker = threading.Thread(target=lambda: _tell(explore(QUERY, KEYS)))
    worker.start()
    worker.join()


def debugger() -> None:
    """Stops where a person then looks around."""
    scores = KEYS @ QUERY
    breakpoint()
    print(f"scores {scores.tolist()}")


def interrupted() -> None:
    """Waits to be interrupted after exploring."""
    _tell(explore(QUERY, KEYS))
    try:
        print("waiting")
        signal.pause()
    except KeyboardInterrupt:
        print("interrupted")


def killed() -> None:
    """Says what the explorer's end was."""
    before = _state()
    try:
        explore(QUERY, KEYS)
    except RuntimeError as error:
        print(f"refused: {error}")
    print("as it was" if _state() == before else "changed")


def refused() -> None:
    """Says why there is no explorer."""
    try:
        attn_tui.explore(QUERY, KEYS)
    except RuntimeError as error:
        print(f"refused: {error}")


PROGRAMS: dict[str, Callable[[], None]] = {
    made.__name__: made for made in (script, twice, loop, thread, debugger, interrupted, killed, refused)
}

if __name__ == "__main__":
    PROGRAMS[sys.argv[1]]()
