"""Moments of the lesson: a step as it starts, after its solution, and after whatever else a learner may do."""

from collections.abc import Callable

from attn_tui.lesson.step import Moment, Step
from attn_tui.lesson.steps import STEPS, step
from attn_tui.model.scene import Scene, read

IDS = [entry.id for entry in STEPS]


def seen(scene: Scene, view: str = "weights", constant: float = 0.0) -> Moment:
    """A scene as the lesson looks at it."""
    return Moment(scene, read(scene), view, constant)


def start(entry: Step) -> Moment:
    """A step as it starts."""
    return seen(entry.start(), entry.view)


def solved(entry: Step) -> Moment:
    """A step after its solution."""
    scene, view, constant = entry.start(), entry.view, 0.0
    for act in entry.solution:
        scene = act.edit(scene) if act.edit else scene
        view = act.view or view
        constant = constant if act.constant is None else act.constant
    return seen(scene, view, constant)


def after(step_id: str, *edits: Callable[[Scene], Scene], constant: float = 0.0) -> bool:
    """Whether a step's task is done after these edits of its start."""
    scene = step(step_id).start()
    for edit in edits:
        scene = edit(scene)
    return step(step_id).check(seen(scene, constant=constant))


def spoken(entry: Step) -> str:
    """Everything that a step says as it starts: its paragraphs, its question, the answers and why."""
    moment = start(entry)
    said = [words if isinstance(words, str) else words(moment) for words in entry.paragraphs]
    if entry.prediction:
        said += [entry.prediction.question, *entry.prediction.answers(moment), entry.prediction.why(moment)]
    return " ".join([entry.title, *said, entry.task])
