"""A person at the lesson: turns its pages, answers, and reads what is on them."""

import json
import os
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from itertools import combinations
from pathlib import Path
from typing import Any

from textual.geometry import Region

from attn_tui.lesson.step import Prediction, Step
from attn_tui.lesson.steps import STEPS, step
from attn_tui.model.figures import figure
from attn_tui.ui import classroom
from attn_tui.ui.pane import Pane
from attn_tui.ui.teacher import Teacher
from attn_tui.ui.views import VIEWS
from tests.ui.person import Person, at

TITLES = {entry.id: entry.title for entry in VIEWS}
"""What the views are called."""


class Learner(Person):
    """Someone who has the lesson open."""

    @property
    def teacher(self) -> Teacher:
        """The lesson."""
        assert self.app.teacher is not None
        return self.app.teacher

    @property
    def step(self) -> Step:
        """The step that is open."""
        return self.teacher.step

    @property
    def asked(self) -> Prediction:
        """Its question."""
        assert self.step.prediction is not None
        return self.step.prediction

    @property
    def right(self) -> int:
        """Which answer is right for what there is now."""
        return self.asked.right(self.app.moment)

    @property
    def page(self) -> list[str]:
        """The lines in the lesson's panel."""
        return [line.strip() for line in self.crop(self.app.panel.content_region).rstrip().split("\n")]

    @property
    def panel(self) -> str:
        """Panel and frame as one text, the line ends as blanks."""
        return " ".join(self.crop(self.app.panel.region).replace("│", " ").split())

    @property
    def is_ticked(self) -> bool:
        """Whether the screen says that the task is done."""
        panel = self.panel
        return "[x]" in panel or ", done" in panel

    @property
    def is_at_question(self) -> bool:
        """Whether the frame names the digits that answer."""
        return f"1-{len(self.teacher.choices)} answers" in self.panel

    def is_at(self, place: int) -> bool:
        """Whether the step of this place has been opened."""
        return f"{place + 1}/{len(STEPS)} {STEPS[place].title}"[:30] in self.panel

    def check_page(self) -> None:
        """The page's lines are on the screen, all of them and each to its end."""
        teacher = self.teacher
        assert self.page == [line.text.strip() for line in teacher.pages(*self.app.panel.size_of_page())[teacher.page]]

    def check_sight(self, view: str) -> None:
        """Nothing lies over anything else; the cursor's number and the view with this id can be seen."""
        app, lines = self.app, self.lines
        panes: list[Pane] = [app.header, app.grid, app.stages[0], app.panel, app.readout, app.footer]
        whole = Region(0, 0, *app.size)
        assert all(pane.region.area and whole.contains_region(pane.region) for pane in panes)
        assert not [pair for pair in combinations(panes, 2) if pair[0].region.overlaps(pair[1].region)]
        assert TITLES[view] in lines[app.stages[0].region.y]
        assert self.view.strip()
        assert figure(app.scene.component(app.cursor), 7) in self.grid

    async def open(self, step_id: str) -> None:
        """Go to a step by its id, as the command line does."""
        if self.app.teacher is None:
            classroom.open_lesson(self.app, STEPS.index(step(step_id)))
            await self.settle()
        else:
            classroom.open_step(self.app, STEPS.index(step(step_id)))
            await self.pilot.pause()

    async def read(self) -> list[str]:
        """Turn every page up to the question, and return what is on them."""
        lines = self.page
        while not self.is_at_question:
            before = self.teacher.page
            await self.press("N")
            assert self.teacher.page == before + 1
            lines += self.page
        return lines

    async def answer(self, answer: int) -> None:
        """Answer the question, from 0; its page is turned to at once."""
        self.teacher.page = self.teacher.question_pages(*self.app.panel.size_of_page()).start
        await self.press(str(answer + 1))

    async def to_task(self) -> None:
        """Turn to the last page."""
        pages = len(self.teacher.pages(*self.app.panel.size_of_page()))
        await self.press(*["N"] * (pages - 1 - self.teacher.page))


def file() -> Path:
    """Where the progress is kept."""
    return Path(os.environ["XDG_STATE_HOME"]) / "attn-tui" / "lesson.json"


def kept() -> dict[str, Any]:
    """What is kept of the progress."""
    return json.loads(file().read_text(encoding="utf-8"))


@asynccontextmanager
async def learning(size: tuple[int, int] = (80, 24), step_id: str | None = None) -> AsyncIterator[Learner]:
    """A learner who has opened the lesson with its key, or at a step."""
    async with at("lesson", size) as person:
        learner = Learner(person.app, person.pilot)
        if step_id is None:
            await learner.press("L")
            await learner.settle()
        else:
            await learner.open(step_id)
        yield learner
