"""What a step of the lesson is: a scene to start from, a few words, a question, a task, and a check that is earned."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeAlias

from attn_tui.core.attend import Reading
from attn_tui.model.scene import Scene


@dataclass(frozen=True, eq=False)
class Moment:
    """What a check may look at; checks are pure functions of it."""

    scene: Scene
    reading: Reading
    view: str
    """The id of the view that is shown, such as weights."""
    constant: float = 0.0
    """What the Stability view adds to all scores."""


Check: TypeAlias = Callable[[Moment], bool]
"""Whether a task is done."""
Words: TypeAlias = Callable[[Moment], str]
"""A sentence made of the numbers as they are."""


@dataclass(frozen=True)
class Prediction:
    """A question that is asked before anything moves, and answered from the numbers as they are, not from memory."""

    question: str
    answers: Callable[[Moment], tuple[str, ...]]
    """Two to four answers to choose from."""
    right: Callable[[Moment], int]
    """Which of them is right, computed from the scene."""
    why: Words
    """Why, with the numbers."""


@dataclass(frozen=True)
class Act:
    """One thing that the solution does, visibly: an edit, a view to go to, or a constant to add."""

    says: str
    """What it does, in a few words."""
    edit: Callable[[Scene], Scene] | None = None
    view: str | None = None
    constant: float | None = None


@dataclass(frozen=True)
class Step:
    """One step."""

    id: str
    title: str
    paragraphs: tuple[str | Words, ...]
    """Two to five, short; those that state numbers are made of the moment at the start of the step."""
    start: Callable[[], Scene]
    view: str
    """The id of the view that it starts with."""
    task: str
    check: Check
    hint: str
    solution: tuple[Act, ...]
    prediction: Prediction | None = None
    done: Words | None = None
    """What to say when the task is done, with the numbers as they are then."""
