"""All steps of the lesson, in the order in which they are taught."""

from attn_tui.lesson import (
    entropy,
    exercise_three,
    head_size,
    real,
    scores,
    softmax,
    stability,
    temperature,
    together,
)
from attn_tui.lesson.step import Step

STEPS: tuple[Step, ...] = tuple(
    step
    for theme in (
        scores,
        softmax,
        stability,
        temperature,
        entropy,
        exercise_three,
        head_size,
        together,
        real,
    )
    for step in theme.STEPS
)
"""Every step."""


def step(step_id: str) -> Step:
    """The step of this id. Raises ValueError with the ids there are."""
    for entry in STEPS:
        if entry.id == step_id:
            return entry
    raise ValueError(f"there is no step {step_id!r}: choose from {', '.join(entry.id for entry in STEPS)}")
