"""What goes on between the teacher and the explorer: opening a step, going on, answering, being shown how."""

from functools import partial

from attn_tui.lesson import progress
from attn_tui.lesson.step import Act, Moment
from attn_tui.ui.explorer import Explorer
from attn_tui.ui.teacher import Teacher

BETWEEN_ACTS = 0.8
"""Seconds between two acts of a solution, so that each can be seen."""


def open_lesson(explorer: Explorer, at: int | None = None) -> None:
    """Open the lesson at a step: by default at the first that is not done."""
    from attn_tui.lesson.steps import STEPS  # noqa: PLC0415 - the lesson's texts are not needed before

    kept, complaint = (progress.reset(), None) if explorer.is_restricted else progress.load(progress.path())
    explorer.teacher = Teacher(STEPS, kept)
    explorer.panel.teacher = explorer.teacher
    first = next((i for i, step in enumerate(STEPS) if step.id not in kept.done), 0)
    open_step(explorer, first if at is None else at)
    if complaint:
        explorer.say(complaint)


def close_lesson(explorer: Explorer) -> None:
    """Give the explorer its whole room back; the scene stays."""
    explorer.teacher = explorer.panel.teacher = None
    explorer.arrange()


def open_step(explorer: Explorer, at: int) -> None:
    """Open a step with its scene and its view."""
    teacher = explorer.teacher
    if teacher is None:
        return
    at = max(0, min(at, len(teacher.steps) - 1))
    step = teacher.steps[at]
    explorer.teacher = None
    explorer.set_options(constant=0.0)
    explorer.open(step.start(), f"lesson: {step.title}")
    teacher.begin(at, Moment(explorer.scene, explorer.reading, step.view))
    explorer.teacher = teacher
    explorer.go_to_view(step.view)
    explorer.is_moving_in_view = False
    explorer.arrange()


def restore_scene(explorer: Explorer) -> None:
    """Put the step's scene and view back; what was answered and done stays."""
    if explorer.teacher is not None:
        explorer.set_options(constant=0.0)
        explorer.open(explorer.teacher.step.start(), "the step's scene again")
        explorer.go_to_view(explorer.teacher.step.view)


def go_on(explorer: Explorer) -> None:
    """Turn the page, and after the last one open the next step."""
    teacher = explorer.teacher
    if teacher is None:
        return
    size = explorer.panel.size_of_page()
    question = teacher.question_pages(*size)
    if teacher.is_asking and teacher.page >= question[-1]:
        teacher.page = question[-1]
        explorer.say(f"answer first, with 1 to {len(teacher.choices)}")
    elif teacher.page < len(teacher.pages(*size)) - 1:
        teacher.page += 1
        explorer.present()
    elif teacher.at < len(teacher.steps) - 1:
        open_step(explorer, teacher.at + 1)
    elif not teacher.is_over:
        teacher.is_over, teacher.page = True, 0
        explorer.present()
    else:
        explorer.say("this is the end of the lesson: everything is yours to explore")


def go_back(explorer: Explorer) -> None:
    """Turn the page back, and before the first one open the step before."""
    teacher = explorer.teacher
    if teacher is None:
        return
    if teacher.is_over:
        teacher.is_over = False
        _to_task(explorer)
    elif teacher.page > 0:
        teacher.page -= 1
        explorer.present()
    elif teacher.at > 0:
        open_step(explorer, teacher.at - 1)


def begin_anew(explorer: Explorer) -> None:
    """Forget what is done, and open the first step."""
    if explorer.teacher is not None:
        keep(explorer, progress.reset())
        open_step(explorer, 0)


def answer(explorer: Explorer, character: str) -> bool:
    """Take a digit as the answer while the question is on the page; False leaves it to the number under the cursor."""
    teacher = explorer.teacher
    if teacher is None:
        return False
    teacher.turn += 1
    question = teacher.question_pages(*explorer.panel.size_of_page())
    if not character.isdecimal() or not teacher.is_asking or teacher.page not in question:
        return False
    if not teacher.choose(int(character) - 1, explorer.moment):
        explorer.say(f"there are answers 1 to {len(teacher.choices)}")
        return True
    keep(explorer, progress.record(teacher.progress, teacher.step.id, right=teacher.was_right))
    explorer.present()  # the task may have been done before, and the verdict is to be seen all the same
    teacher.page = question.start
    explorer.present()
    return True


def hint(explorer: Explorer) -> None:
    """Show the step's hint on its task's page."""
    if explorer.teacher is not None:
        explorer.teacher.hinted = True
        _to_task(explorer)


def show_how(explorer: Explorer) -> None:
    """Do the task from the step's start, act by act, for the learner to see."""
    teacher = explorer.teacher
    if teacher is None:
        return
    if teacher.is_asking:
        explorer.say("predict first: what do you expect?")
        return
    restore_scene(explorer)
    _to_task(explorer)
    for number, act in enumerate(teacher.step.solution):
        explorer.set_timer(BETWEEN_ACTS * (number + 1), partial(_perform, explorer, act, teacher, teacher.turn))


def task_done(explorer: Explorer) -> None:
    """Keep that the step's task is done, and say so."""
    if explorer.teacher is not None:
        keep(explorer, progress.mark(explorer.teacher.progress, explorer.teacher.step.id))
        explorer.teacher.page = _last_page(explorer)


def keep(explorer: Explorer, changed: progress.Progress) -> None:
    """Keep the learner's progress; say so when that is not possible."""
    teacher = explorer.teacher
    if teacher is not None and changed != teacher.progress:
        teacher.progress = changed
        if not explorer.is_restricted:
            explorer.call_after_refresh(_save, explorer, changed)


def _save(explorer: Explorer, changed: progress.Progress) -> None:
    """Write the progress, once the screen shows what was done."""
    if complaint := progress.save(changed, progress.path()):
        explorer.say(complaint)


def _perform(explorer: Explorer, act: Act, teacher: Teacher, turn: int) -> None:
    """Do one act of a solution, unless the learner has done something since."""
    if explorer.teacher is not teacher or teacher.turn != turn or explorer.pen.is_typing:
        return
    if act.view is not None:
        explorer.go_to_view(act.view)
        explorer.is_moving_in_view = False
        explorer.arrange()
    if act.constant is not None:
        explorer.set_options(constant=act.constant)
    if act.edit is not None:
        explorer.apply(act.edit, act.says)
    explorer.say(act.says)


def _to_task(explorer: Explorer) -> None:
    """Turn to the last page, which has the task."""
    if explorer.teacher is not None:
        explorer.teacher.page = _last_page(explorer)
        explorer.present()


def _last_page(explorer: Explorer) -> int:
    """The number of the step's last page."""
    return 0 if explorer.teacher is None else len(explorer.teacher.pages(*explorer.panel.size_of_page())) - 1
