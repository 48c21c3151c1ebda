"""A hundred thousand broken files and as many broken texts: opened, or refused in one sentence, in little memory."""

import subprocess
import sys
from pathlib import Path

import pytest

_ROUNDS, _PARTS = 100_000, 4
_MOST_MEGABYTES = 200


@pytest.mark.fuzz
@pytest.mark.parametrize("seed", range(_PARTS))
@pytest.mark.parametrize("kind", ["files", "texts"])
def test_what_is_broken_opens_or_is_refused(kind: str, seed: int) -> None:
    command = [sys.executable, "-W", "error", "-m", "tests.fuzz.rounds", kind, str(seed), str(_ROUNDS // _PARTS)]
    done = subprocess.run(command, cwd=Path(__file__).parents[2], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr[-4000:]
    opened, refused, megabytes = map(int, done.stdout.split())
    assert opened > 0
    assert refused > 0
    assert megabytes < _MOST_MEGABYTES


@pytest.mark.parametrize("kind", ["files", "texts"])
def test_a_short_run_of_it(kind: str) -> None:
    command = [sys.executable, "-W", "error", "-m", "tests.fuzz.rounds", kind, "99", "1000"]
    done = subprocess.run(command, cwd=Path(__file__).parents[2], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr[-4000:]
    assert all(int(count) > 0 for count in done.stdout.split()[:2])
