"""What a learner has done of the lesson, kept between two evenings."""

import json
import os
import tempfile
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import cast

VERSION = 1
"""Of the file."""


@dataclass(frozen=True)
class Progress:
    """Which steps are done, and which predictions were right the first time."""

    done: frozenset[str] = frozenset()
    right: frozenset[str] = frozenset()
    wrong: frozenset[str] = frozenset()


def path(environment: Mapping[str, str] = os.environ) -> Path:
    """Where the progress is kept."""
    home = environment.get("XDG_STATE_HOME") or str(Path.home() / ".local" / "state")
    return Path(home) / "attn-tui" / "lesson.json"


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


def load(file: Path) -> tuple[Progress, str | None]:
    """The progress, and a sentence when there was something that could not be read; that is kept under another name."""
    try:
        content: object = json.loads(file.read_text(encoding="utf-8"))
        return _progress(content), None
    except FileNotFoundError:
        return Progress(), None
    except OSError as error:
        return Progress(), f"the lesson's progress cannot be read: {error.strerror}"
    except ValueError:
        return Progress(), _put_aside(file)


def save(progress: Progress, file: Path) -> str | None:
    """Write the progress, whole or not at all; a sentence when that is not possible."""
    content = {"version": VERSION, **{name: sorted(getattr(progress, name)) for name in ("done", "right", "wrong")}}
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
        handle, temporary = tempfile.mkstemp(dir=file.parent, prefix=file.name)
        try:
            with os.fdopen(handle, "w", encoding="utf-8") as stream:
                json.dump(content, stream, indent=1)
                stream.flush()
                os.fsync(stream.fileno())
            Path(temporary).replace(file)
        finally:
            with suppress(FileNotFoundError):
                Path(temporary).unlink()
    except OSError as error:
        return f"the lesson's progress cannot be kept: {error.strerror}"
    return None


def _progress(content: object) -> Progress:
    """The progress in a file's content. Raises ValueError for anything else."""
    if not isinstance(content, dict):
        raise ValueError("no object")
    entries = cast("dict[str, object]", content)
    found = {name: entries.get(name, []) for name in ("done", "right", "wrong")}
    if not all(isinstance(steps, list) for steps in found.values()):
        raise ValueError("no lists of steps")
    return Progress(**{name: frozenset(map(str, cast("list[object]", steps))) for name, steps in found.items()})


def _put_aside(file: Path) -> str:
    """Give a file that makes no sense another name, and say so."""
    aside = file.with_name(f"{file.name}.broken")
    try:
        file.replace(aside)
    except OSError as error:
        return f"{file.name} makes no sense and cannot be put aside: {error.strerror}"
    return f"{file.name} made no sense: it is kept as {aside.name}, and the lesson begins anew"
