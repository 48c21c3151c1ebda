"""Many rounds in a process of their own: what is broken is opened, and has to open or be refused in one sentence.

`python -m tests.fuzz.rounds files|texts SEED ROUNDS` ends with 0 and prints how many opened, how many were refused and
how much memory the process took at most; anything else ends it with a traceback.
"""

import random
import resource
import signal
import sys
import tempfile
from pathlib import Path

import numpy as np

from attn_tui.files.arguments import SceneArguments
from attn_tui.files.checks.check import check_file
from attn_tui.files.dumps.opening import open_file
from attn_tui.files.dumps.request import Request
from attn_tui.files.errors import ForeignError
from attn_tui.files.vectors import parse_mask, parse_named, parse_vectors
from attn_tui.model.scene import Scene, read
from tests.fuzz.mutations import broken
from tests.fuzz.seeds import files, texts

_MEMORY = "/dev/shm"
"""Where files are written that no disk has to keep."""
_LONGEST = 1.0
"""Seconds of processor that anything may take."""
_ARGUMENTS = (SceneArguments(), SceneArguments(query="1 2"))


def _too_long(*_: object) -> None:
    """Something has taken longer."""
    raise TimeoutError


def _open(folder: Path, name: str, content: bytes, chance: random.Random) -> bool:
    """Whether a broken file opens all the same, as a sound scene."""
    file = folder / name
    file.write_bytes(content)
    request = Request(str(file), arguments=chance.choice(_ARGUMENTS))
    try:
        if chance.random() < 0.2:
            return not check_file(request).json().isspace()
        scene = open_file(request).scene
    except ValueError as refusal:
        _check_sentence(refusal)
        return False
    _check(scene)
    return True


def _check_sentence(refusal: ValueError) -> None:
    """A refusal is one sentence."""
    assert str(refusal)
    assert "\n" not in str(refusal), str(refusal)


def _check(scene: Scene) -> None:
    """A scene can be read, and its weights are a distribution or a fault says why not."""
    reading = read(scene)
    total = float(reading.weights.sum())
    assert abs(total - 1.0) < 1e-9 or reading.faults or not scene.mask.any(), total


def _parse(text: str, chance: random.Random) -> bool:
    """Whether a broken text parses all the same."""
    try:
        if chance.random() < 0.1:
            parse_mask(text)
        elif chance.random() < 0.3:
            parse_named(text)
        else:
            parsed = parse_vectors(text, chance.choice((None, 2, 3)))
            assert parsed.array.dtype == np.float64
            assert parsed.array.ndim in {1, 2}
    except ForeignError as refusal:
        _check_sentence(refusal)
        return False
    return True


def main(kind: str, seed: int, rounds: int) -> None:
    """Break and open, a fixed number of times."""
    chance = random.Random(seed)
    signal.signal(signal.SIGVTALRM, _too_long)
    sound = files() if kind == "files" else {str(i): text.encode() for i, text in enumerate(texts())}
    names, contents = list(sound), list(sound.values())
    opened = 0
    with tempfile.TemporaryDirectory(dir=_MEMORY if Path(_MEMORY).is_dir() else None) as folder:
        for number in range(rounds):
            name = chance.choice(names)
            content = broken(sound[name], contents, chance)
            signal.setitimer(signal.ITIMER_VIRTUAL, _LONGEST)
            try:
                if kind == "files":
                    opened += _open(Path(folder), name, content, chance)
                else:
                    opened += _parse(content.decode("utf-8", "replace"), chance)
            except BaseException:
                sys.stderr.write(f"round {number} of seed {seed}: {name} {content[:2000]!r}\n")
                raise
            finally:
                signal.setitimer(signal.ITIMER_VIRTUAL, 0)
    megabytes = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024
    sys.stdout.write(f"{opened} {rounds - opened} {megabytes}\n")


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]), int(sys.argv[3]))
