"""What a person presses in each step of the lesson: to do its task, and to do something else than its task.

Words are Textual's names of keys, or what is typed; `down*3` is three presses, and `|` stands behind the key that does
the task, where that is not the last one.
"""

from tests.ui.person import KEYS

_NAMES = KEYS | {"!": "exclamation_mark", "'": "apostrophe"}
_NAMED = {"up", "down", "left", "right", "enter", "escape", "end", "ctrl+r", *(f"f{number}" for number in range(2, 9))}
"""Keys that are not what they type."""

DOES = {
    "dot-product": "G right*3 n",
    "angle-and-length": "G i",
    "short-and-aligned": "down 1 enter right 0.5 enter",
    "softmax": "down*3 right*2 n right n",
    "exaggeration": "G 7 enter",
    "overflow": "G 710 enter",
    "subtract-the-maximum": "down -2 enter down -1 enter down 0 enter",
    "shift-invariance": "/ 100 enter",
    "temperature": "t 4 enter t 0.25 enter",
    "halve-by-hand": "t 2.8 enter",
    "halve-by-solver": "T",
    "entropy": "t 50 enter",
    "entropy-near-zero": "t 0.1 enter",
    "fail-and-fix": "/ -800 enter",
    "head-size": "s | f2",
    "saturation": "t 8 enter",
    "weighted-average": "t 4 enter",
    "coreference": "down*3 m",
    "without-the-scale": "s",
    "previous-token": "f7 down enter",
    "sink": "f8 H up*2 right*2 enter | f2",
}
"""What does the task, by the step's id; the cursor starts on the query's first number."""

MISSES = {
    "dot-product": "right*3 n",
    "angle-and-length": "G 1.6 enter right i",
    "short-and-aligned": "down 1 enter",
    "softmax": "down m down*4 m up*3 m",
    "exaggeration": "G 700 enter",
    "overflow": "G enter inf enter",
    "subtract-the-maximum": "down 0 enter down 0 enter down 0 enter",
    "shift-invariance": "/ 99 enter",
    "temperature": "t 4 enter",
    "halve-by-hand": "t 2.9 enter",
    "halve-by-solver": "t 2.8 enter",
    "entropy": "G x t 50 enter",
    "entropy-near-zero": "down*2 m down m down m down m",
    "fail-and-fix": "down*2 100 enter",
    "head-size": "t 4 enter",
    "saturation": "s",
    "weighted-average": "down right*4 24.5 enter",
    "coreference": "down*2 m down m",
    "without-the-scale": "t 0.5 enter",
    "previous-token": "f7 up*9 enter",
    "sink": "f8 up*4 left*4 enter",
}
"""What does not, however much it looks like it."""


def presses(words: str) -> list[str]:
    """The keys of such words, by Textual's names."""
    found: list[str] = []
    for word in words.replace("|", "").split():
        name, _, times = word.partition("*")
        keys = [name] if name in _NAMED else [_NAMES.get(character, character) for character in name]
        found += keys * int(times or 1)
    return found


def until_done(words: str) -> list[str]:
    """The keys up to the one that does the task."""
    return presses(words.partition("|")[0])


def afterwards(words: str) -> list[str]:
    """The keys after that one."""
    return presses(words.partition("|")[2])
