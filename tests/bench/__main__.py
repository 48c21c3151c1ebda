"""Print the ratios: `python -m tests.bench`. No test asserts a time."""

import statistics
import sys
import time
from collections.abc import Sequence

from tests.bench.keys import Keystroke, interleaved, median, press, ratio
from tests.terminal.session import PROGRAM, Terminal

_KEYS = "1\x7f"
"""A digit, and Backspace: both change everything on the screen."""
_ROUNDS, _STARTS = 20, 7


def _say(line: str) -> None:
    """Print a line at once."""
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()


def _python(module: str, *arguments: str) -> tuple[str, ...]:
    """The command that runs one of these modules."""
    return (sys.executable, "-m", module, *arguments)


def keystrokes() -> None:
    """Against the documented pattern."""
    with Terminal().start() as ours, Terminal(command=_python("tests.bench.plain_app")).start("ready") as plain:
        ours.press("1")
        plain.press("1")
        mine, theirs = interleaved([ours, plain], _KEYS, _ROUNDS)
    times = f"{median(mine):6.1f} ms, a bare Textual app {median(theirs):6.1f} ms"
    _say(f"key to last byte     {times}: x {ratio(mine, theirs):.2f}")
    _say(f"  frames per key     {_most_frames(mine)}, the bare app {_most_frames(theirs)}")
    _say(f"  bytes per key      {_bytes(mine):.0f}, the bare app {_bytes(theirs):.0f}")


def many_keys() -> None:
    """A keystroke on 4096 keys of 128 dimensions, against one on 5 of 4."""
    commands = [_python("tests.terminal.many_keys", *sizes) for sizes in (("4096", "128"), ("5", "4"))]
    with Terminal(command=commands[0]).start() as large, Terminal(command=commands[1]).start() as small:
        for terminal in (large, small):
            terminal.press("1")
        many, few = interleaved([large, small], _KEYS, _ROUNDS)
    _say(f"4096 keys x 128      {median(many):6.1f} ms, 5 keys x 4 {median(few):6.1f} ms: x {ratio(many, few):.2f}")


def _seconds_until(needle: str, command: Sequence[str]) -> float:
    """Seconds from the start to a text on the screen."""
    begin = time.perf_counter()
    with Terminal(command=command) as terminal:
        terminal.until(needle)
        return time.perf_counter() - begin


def first_screen() -> None:
    """Against an app that imports NumPy and Textual and draws one line."""
    pairs = [
        (_seconds_until("0.9150", PROGRAM), _seconds_until("ready", _python("tests.bench.first_line")))
        for _ in range(_STARTS)
    ]
    ours, least = (statistics.median(times) for times in zip(*pairs, strict=True))
    _say(f"first screen         {1e3 * ours:6.0f} ms, the least app {1e3 * least:6.0f} ms: x {ours / least:.2f}")


def each_key() -> None:
    """Bytes and frames of the usual keys, and what is sent while nothing happens."""
    keys = {"Down": "\x1b[B", "Right": "\x1b[C", "a digit": "1", "Enter": "\r", "i": "i", "m": "m", "u": "u", "<": "<"}
    with Terminal().start() as terminal:
        for name, key in keys.items():
            stroke = press(terminal, key)
            _say(f"  {name:<18} {stroke.size:6} bytes, {stroke.frames} frame{'s' * (stroke.frames != 1)}")
        idle = terminal.settle(2.0)
    _say(f"idle for 2 s         {len(idle):6} bytes")


def _most_frames(strokes: Sequence[Keystroke]) -> int:
    """The frames of the key that took most."""
    return max(stroke.frames for stroke in strokes)


def _bytes(strokes: Sequence[Keystroke]) -> float:
    """The median size of the answer to a key."""
    return statistics.median(stroke.size for stroke in strokes)


if __name__ == "__main__":
    keystrokes()
    many_keys()
    first_screen()
    each_key()
