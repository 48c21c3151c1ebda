"""What a learner has done of the lesson, kept between two evenings in $XDG_STATE_HOME/attn-tui/lesson.json."""

import json
import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass, fields, replace
from itertools import count
from pathlib import Path
from typing import TypeAlias, cast

VERSION = 1
"""Of the file."""
Write: TypeAlias = Callable[[Path, bytes], None]
"""Puts bytes into a file's place in one step, or raises OSError; the lesson itself knows no files but this one."""


@dataclass(frozen=True)
class Progress:
    """Which steps are done, and which predictions were right the first time."""

    done: frozenset[str] = frozenset()
    right: frozenset[str] = frozenset()
    wrong: frozenset[str] = frozenset()

    @property
    def score(self) -> str:
        """How many predictions were right, such as 7 of 9."""
        return f"{len(self.right)} of {len(self.right | self.wrong)}"


def path(environment: Mapping[str, str] = os.environ) -> Path | None:
    """Where the progress is kept; None where nobody has a home. A relative $XDG_STATE_HOME counts as none."""
    state = Path(environment.get("XDG_STATE_HOME", ""))
    if not state.is_absolute():
        home = Path(environment.get("HOME") or Path("~").expanduser())
        if not home.is_absolute():
            return None
        state = home / ".local" / "state"
    return state / "attn-tui" / "lesson.json"


def mark(progress: Progress, step_id: str) -> Progress:
    """The progress with a step done."""
    return replace(progress, done=progress.done | {step_id})


def record(progress: Progress, step_id: str, *, right: bool) -> Progress:
    """The progress with a prediction made; only the first one of a step counts."""
    if step_id in progress.right | progress.wrong:
        return progress
    if right:
        return replace(progress, right=progress.right | {step_id})
    return replace(progress, wrong=progress.wrong | {step_id})


def reset() -> Progress:
    """Nothing done yet."""
    return Progress()


def load(file: Path | None) -> tuple[Progress, str | None]:
    """The progress, and a sentence where it could not be read. What makes no sense is kept under another name."""
    if file is None:
        return Progress(), None
    try:
        return _progress(json.loads(file.read_bytes())), None
    except FileNotFoundError:
        return Progress(), None
    except OSError as error:
        return Progress(), _put_aside(file, f"cannot be read ({error.strerror})")
    except (ValueError, RecursionError):
        return Progress(), _put_aside(file, "makes no sense")


def save(progress: Progress, file: Path | None, write: Write) -> str | None:
    """Have the progress written, whole or not at all; a sentence where that is not possible."""
    if file is None:
        return "the lesson's progress cannot be kept: there is no home directory; set XDG_STATE_HOME"
    content = {"version": VERSION, **{field.name: sorted(getattr(progress, field.name)) for field in fields(progress)}}
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
        write(file, (json.dumps(content, indent=1) + "\n").encode())
    except OSError as error:
        return f"the lesson's progress cannot be kept in {file.parent}: {error.strerror}"
    return None


def _progress(content: object) -> Progress:
    """The progress in a file's content. Raises ValueError for anything else."""
    if not isinstance(content, dict):
        raise ValueError("no object")
    entries = cast("dict[str, object]", content)
    if entries.get("version") != VERSION:
        raise ValueError("of another version")
    return Progress(**{field.name: _steps(entries.get(field.name)) for field in fields(Progress)})


def _steps(found: object) -> frozenset[str]:
    """The ids in a list. Raises ValueError for anything else."""
    ids = cast("list[object]", found) if isinstance(found, list) else [None]
    if not all(isinstance(step_id, str) for step_id in ids):
        raise ValueError("no list of steps")
    return frozenset(cast("list[str]", ids))


def _put_aside(file: Path, trouble: str) -> str:
    """Give a file another name that nothing has yet, so that it is not overwritten, and say so."""
    names = (file.with_name(f"{file.name}.broken{number or ''}") for number in count())
    aside = next(name for name in names if not os.path.lexists(name))
    try:
        file.rename(aside)
    except OSError as error:
        return f"the lesson's progress in {file} {trouble}, and cannot be put aside: {error.strerror}"
    return f"the lesson's progress {trouble}: it is kept as {aside.name}, and the lesson begins anew"
