"""The lesson's panel: a page of the step, beside the explorer or below it, never over it."""

from collections.abc import Sequence

from attn_tui.ui.lines import Piece
from attn_tui.ui.pane import Pane
from attn_tui.ui.shown import Shown
from attn_tui.ui.teacher import Teacher


class Panel(Pane):
    """Draws what the teacher says."""

    def __init__(self) -> None:
        super().__init__(id="panel")
        self.teacher: Teacher | None = None

    def draw(self, shown: Shown, width: int, height: int) -> Sequence[Sequence[Piece]]:
        """One page of the step."""
        teacher = self.teacher
        if teacher is None:
            return []
        pages = teacher.fit(width - 2, height)
        tick = ", done" if teacher.step.id in teacher.progress.done else ""
        title = f"{teacher.at + 1}/{len(teacher.steps)} {teacher.step.title}{tick}"
        below = [f"page {teacher.page + 1}/{len(pages)}", *self._keys(teacher, len(pages))]
        while len("  ".join(below)) > width - 6:
            below.pop()
        self.name_frame("The lesson is over" if teacher.is_over else title, "  ".join(below))
        return [[(f" {line.text}", self.ink(line.ink))] for line in pages[teacher.page]]

    def size_of_page(self) -> tuple[int, int]:
        """Width and height of a page's text."""
        return self.content_size.width - 2, self.content_size.height

    def _keys(self, teacher: Teacher, pages: int) -> tuple[str, ...]:
        """The keys that are of use on this page, the most useful first."""
        if teacher.is_over:
            return ("P back",)
        last = teacher.page == pages - 1
        if teacher.is_asking and teacher.page in teacher.question_pages(*self.size_of_page()):
            return (f"1-{len(teacher.choices)} answers",)
        if last and not teacher.is_done:
            return "' hint", "! show", "N on", "Z restore"
        return "N on", "P back"
