"""The lesson's panel: a page of the step, beside the explorer or below it, never over it."""

from collections.abc import Sequence

from attn_tui.files.visible import visible
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
        pages = teacher.pages(width - 2, height)
        teacher.page = max(0, min(teacher.page, len(pages) - 1))
        tick = ", done" if teacher.step.id in teacher.progress.done else ""
        title = f"{teacher.at + 1}/{len(teacher.steps)} {teacher.step.title}{tick}"
        self.name_frame(
            "The lesson is over" if teacher.is_over else title,
            f"page {teacher.page + 1}/{len(pages)}  {self._keys(teacher, len(pages))}",
        )
        return [[(f" {visible(line.text)}", self.ink(line.ink))] for line in pages[teacher.page]]

    def size_of_page(self) -> tuple[int, int]:
        """Width and height of a page's text."""
        return self.content_size.width - 2, self.content_size.height

    def _keys(self, teacher: Teacher, pages: int) -> str:
        """The keys that are of use on this page."""
        if teacher.is_over:
            return "P back"
        last = teacher.page == pages - 1
        if teacher.is_asking and teacher.page == teacher.question_page(*self.size_of_page()):
            return f"1-{len(teacher.choices)} answers"
        if last and not teacher.is_done:
            return "' hint  ! show me  Z restore  N on"
        return "N on  P back"
