"""Keystrokes, timed from the key to the last byte that comes back."""

import statistics
import time
from collections.abc import Sequence
from dataclasses import dataclass

from tests.terminal.session import BEGIN_FRAME, Terminal


@dataclass(frozen=True)
class Keystroke:
    """What one key has cost."""

    seconds: float
    size: int
    frames: int


def press(terminal: Terminal, key: str) -> Keystroke:
    """Press a key, and wait until a tenth of a second brings nothing more."""
    terminal.settle(0.1)
    begin = time.perf_counter()
    terminal.send(key)
    data = b""
    while part := terminal.receive(0.15 if data else 5.0):
        data += part
    terminal.draw(data)
    return Keystroke(terminal.came - begin, len(data), data.count(BEGIN_FRAME))


def interleaved(terminals: Sequence[Terminal], keys: str, rounds: int) -> list[list[Keystroke]]:
    """Press the same keys in several programs, in turns, so that what else the machine does meets all of them."""
    pressed: list[list[Keystroke]] = [[] for _ in terminals]
    for _ in range(rounds):
        for key in keys:
            for terminal, strokes in zip(terminals, pressed, strict=True):
                strokes.append(press(terminal, key))
    return pressed


def median(strokes: Sequence[Keystroke]) -> float:
    """Milliseconds."""
    return 1e3 * statistics.median(stroke.seconds for stroke in strokes)


def ratio(strokes: Sequence[Keystroke], others: Sequence[Keystroke]) -> float:
    """How many times as long as the others."""
    return median(strokes) / median(others)
