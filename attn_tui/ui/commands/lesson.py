"""Commands of the guided lesson."""

from attn_tui.ui import classroom
from attn_tui.ui.commands.command import Declared
from attn_tui.ui.explorer import Explorer

COMMANDS = Declared()
command = COMMANDS.command


@command("L", "Lesson", "Lesson")
def lesson(explorer: Explorer) -> None:
    """Open the guided lesson beside the explorer, or close it."""
    if explorer.teacher is None:
        classroom.open_lesson(explorer)
    else:
        classroom.close_lesson(explorer)


def _is_open(explorer: Explorer) -> bool:
    """Whether the lesson is open; that it is not is said."""
    if explorer.teacher is None:
        explorer.say("the lesson is closed: L opens it")
    return explorer.teacher is not None


@command("N", "Go on in the lesson", "Lesson")
def lesson_next(explorer: Explorer) -> None:
    """Turn the lesson's page, and after the last one go to the next step."""
    if _is_open(explorer):
        classroom.go_on(explorer)


@command("P", "Go back in the lesson", "Lesson")
def lesson_back(explorer: Explorer) -> None:
    """Turn the lesson's page back, and before the first one go to the step before."""
    if _is_open(explorer):
        classroom.go_back(explorer)


@command("apostrophe", "Hint", "Lesson")
def lesson_hint(explorer: Explorer) -> None:
    """Show a hint for the step's task."""
    if _is_open(explorer):
        classroom.hint(explorer)


@command("exclamation_mark", "Show me", "Lesson")
def lesson_solution(explorer: Explorer) -> None:
    """Have the step's task done, slowly enough to see how."""
    if _is_open(explorer):
        classroom.show_how(explorer)


@command("ctrl+r", "Begin the lesson anew", "Lesson")
def lesson_reset(explorer: Explorer) -> None:
    """Forget which steps of the lesson are done, and begin with the first."""
    if _is_open(explorer):
        classroom.begin_anew(explorer)


@command("Z", "The step's scene again", "Lesson")
def lesson_restore(explorer: Explorer) -> None:
    """Put the scene and the view of the lesson's step back."""
    if _is_open(explorer):
        classroom.restore_scene(explorer)
