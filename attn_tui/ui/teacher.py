"""The lesson as it goes on: which step, which page of it, what was answered, and whether the task is done."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from attn_tui.lesson.step import Moment, Step
from attn_tui.ui.lines import wrapped

if TYPE_CHECKING:
    from attn_tui.lesson.progress import Progress


@dataclass(frozen=True)
class Line:
    """A line of the lesson's text, and in which ink."""

    text: str
    ink: str = "text"
    part: int = 0
    """Which part of the text it belongs to: a paragraph, the question, the task."""


@dataclass
class Teacher:
    """One learner's way through the steps; of the screen it knows a page's width and height."""

    steps: Sequence[Step]
    progress: "Progress"
    at: int = 0
    """The step."""
    page: int = 0
    answer: int | None = None
    """Which answer was chosen, from 0."""
    was_right: bool = False
    revealed: tuple[str, ...] = ()
    """The right answer and why, as it was when the question was answered."""
    spoken: tuple[str, ...] = ()
    """The paragraphs, with the numbers of the step's start."""
    choices: tuple[str, ...] = ()
    """The answers that there are to choose from."""
    is_done: bool = False
    done_words: str = ""
    hinted: bool = False
    is_over: bool = False
    """Whether the last step is behind: its place is taken by what was done."""
    part: int = 0
    """The part of the text that the page was turned to, which is looked for when there is another room for it."""
    room: tuple[int, int] | None = None
    """Width and height of the page that was shown last."""
    turn: int = 0
    """Counts what the learner does, so that a solution that is being shown stops when the learner goes on."""

    @property
    def step(self) -> Step:
        """The step that is open."""
        return self.steps[self.at]

    def begin(self, at: int, moment: Moment) -> None:
        """Open a step at its first page, seen as it starts."""
        self.at, self.page = max(0, min(at, len(self.steps) - 1)), 0
        self.part = 0
        self.answer, self.was_right, self.revealed = None, False, ()
        self.is_done, self.done_words, self.hinted, self.is_over = False, "", False, False
        self.spoken = tuple(part if isinstance(part, str) else part(moment) for part in self.step.paragraphs)
        self.choices = self.step.prediction.answers(moment) if self.step.prediction else ()

    def observe(self, moment: Moment) -> bool:
        """Look whether the task is done now; True the first time it is."""
        if self.is_done or self.is_asking or not self.step.check(moment):
            return False
        self.is_done = True
        self.done_words = self.step.done(moment) if self.step.done else ""
        return True

    def look(self, moment: Moment) -> None:
        """Put the answers to choose from into the terms of what there is now."""
        if self.step.prediction is not None and self.is_asking:
            self.choices = self.step.prediction.answers(moment)

    @property
    def is_asking(self) -> bool:
        """Whether the step's question is still open."""
        return self.step.prediction is not None and self.answer is None

    def choose(self, answer: int, moment: Moment) -> bool:
        """Answer the question; the truth is computed from what there is now. False for an answer there is none of."""
        prediction = self.step.prediction
        self.look(moment)
        if prediction is None or not self.is_asking or not 0 <= answer < len(self.choices):
            return False
        right = prediction.right(moment)
        self.answer, self.was_right = answer, answer == right
        verdict = "Right." if self.was_right else f"Not so: {self.choices[right]}."
        self.revealed = (verdict, prediction.why(moment))
        return True

    def pages(self, width: int, height: int) -> list[list[Line]]:
        """The step's text in pages that fit; the question, its answer and the task begin pages of their own."""
        parts = self._parts(width)
        if self.is_over:
            return paged(parts, height)
        return [*paged(parts[:-2], height), *paged(parts[-2:-1], height), *paged(parts[-1:], height)]

    def question_pages(self, width: int, height: int) -> range:
        """The pages that the question is on."""
        parts = self._parts(width)
        first = len(paged(parts[:-2], height))
        return range(first, first + len(paged(parts[-2:-1], height)))

    def fit(self, width: int, height: int) -> list[list[Line]]:
        """The pages for this room; in another room than before the page is turned to the part that was shown."""
        pages = self.pages(width, height)
        if self.room not in {None, (width, height)}:
            self.page = next((number for number, page in enumerate(pages) if _has(page, self.part)), self.page)
        self.room = width, height
        self.page = max(0, min(self.page, len(pages) - 1))
        if not _has(pages[self.page], self.part):
            self.part = pages[self.page][0].part
        return pages

    def _parts(self, width: int) -> list[list[Line]]:
        """The paragraphs, then the question and the task; or the summary's paragraphs."""
        told = [[Line(line) for line in wrapped(part, width)] for part in self._paragraphs()]
        parts = told if self.is_over else [*told, self._question(width), self._task(width)]
        return [[replace(line, part=number) for line in part] for number, part in enumerate(parts)]

    def _paragraphs(self) -> Sequence[str]:
        """The step's paragraphs, or those of the summary."""
        return self._summary() if self.is_over else self.spoken

    def _summary(self) -> list[str]:
        """What was done of the lesson, in words."""
        known = {step.id for step in self.steps}
        done, right, wrong = (
            len(known & steps) for steps in (self.progress.done, self.progress.right, self.progress.wrong)
        )
        parts = [f"You have done {done} of {len(self.steps)} steps, and foretold {right} of {right + wrong} outcomes."]
        missing = [step.title for step in self.steps if step.id not in self.progress.done]
        if missing:
            parts.append(f"Still open: {'; '.join(missing)}.")
        parts.append(
            "All of it stays yours to explore. P goes back, L closes the lesson, : has the heads of a real model."
        )
        return parts

    def _question(self, width: int) -> list[Line]:
        """The question with its answers, or what was right."""
        prediction = self.step.prediction
        if prediction is None:
            return []
        lines = [Line(line, "strong") for line in wrapped(prediction.question, width)]
        if self.answer is None:
            for number, choice in enumerate(self.choices, 1):
                lines += [Line(line) for line in wrapped(f"{number}  {choice}", width)]
            return lines
        lines += [
            Line(line, "mark") for line in wrapped(f"You said: {self.choices[self.answer]}. {self.revealed[0]}", width)
        ]
        return lines + [Line(line) for line in wrapped(self.revealed[1], width)]

    def _task(self, width: int) -> list[Line]:
        """The task, its hint if asked for, and whether it is done."""
        mark = "[x]" if self.is_done else "[ ]"
        lines = [Line(line, "strong") for line in wrapped(f"{mark} {self.step.task}", width)]
        if self.hinted:
            lines += [Line(line) for line in wrapped(f"Hint: {self.step.hint}", width)]
        if self.is_done:
            lines += [Line(line, "mark") for line in wrapped(f"Done. {self.done_words}", width)]
        return lines


def _has(page: Sequence[Line], part: int) -> bool:
    """Whether a page has lines of this part."""
    return any(line.part == part for line in page)


def paged(parts: Sequence[list[Line]], height: int) -> list[list[Line]]:
    """Parts of a text on pages, a blank line between them; a part is torn only if it is longer than a page."""
    pages: list[list[Line]] = []
    height = max(1, height)
    for part in parts:
        if part and pages and len(pages[-1]) + 1 + len(part) <= height:
            pages[-1] += [replace(part[0], text=""), *part]
        elif part:
            pages += [part[i : i + height] for i in range(0, len(part), height)]
    return pages
