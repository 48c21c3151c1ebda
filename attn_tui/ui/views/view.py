"""What every view is, and the stage that one is shown on.

A view is no widget: it draws lines onto a stage. So going to another view is a change of lines like any other, in one
frame, and only a view that is on a stage computes anything.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from typing import ClassVar, TypeVar, cast

from rich.style import Style
from textual.geometry import Offset

from attn_tui.model.figures import figure
from attn_tui.ui.charts import plot
from attn_tui.ui.fields import Desk
from attn_tui.ui.lines import Glyphs, Piece
from attn_tui.ui.pane import Pane
from attn_tui.ui.pen import PEN_WIDTH, Field
from attn_tui.ui.shown import Shown

Kept = TypeVar("Kept")
"""What a view keeps."""
Lines = Sequence[Sequence[Piece]]
"""What a view draws."""


class View(ABC):
    """One of the views on the right; it may have numbers to type into, and a cursor of its own."""

    has_cursor: ClassVar[bool] = False
    """Whether the arrow keys can move in it."""

    def __init__(self, desk: Desk) -> None:
        self.desk = desk
        self.stage: Stage | None = None
        self._spots: dict[str, Offset] = {}
        self._kept: dict[str, tuple[tuple[object, ...], object]] = {}

    @abstractmethod
    def title(self, shown: Shown) -> str:
        """What its frame says."""

    @abstractmethod
    def draw(self, shown: Shown, width: int, height: int) -> Lines:
        """Its lines, from the top; missing ones are blank."""

    def subtitle(self) -> str:
        """What the frame says below what was drawn, such as which part of it can be seen."""
        return ""

    def fields(self) -> tuple[Field, ...]:
        """The numbers that can be typed, in the order in which one goes through them."""
        return ()

    def move(self, rows: int, columns: int) -> None:  # noqa: B027 - most views have no cursor
        """Move the view's own cursor."""

    def enter(self) -> None:  # noqa: B027 - most views have no cursor
        """Do what Enter does at the view's own cursor."""

    def run_or_cancel(self) -> str:
        """Stop what the view computes in the background, or compute it again; what was done, in words."""
        return "this view computes nothing that could be run again"

    def ink(self, name: str) -> Style:
        """The style of one of the panes' component classes."""
        return Style() if self.stage is None else self.stage.ink(name)

    @property
    def glyphs(self) -> Glyphs:
        """The characters that drawings are made of."""
        return Pane.glyphs

    def inks(self) -> dict[int, Style]:
        """What plotext's colours stand for."""
        names = {plot.CURVE: "bar", plot.AXIS: "axis", plot.MARK: "mark", plot.GHOST: "ghost"}
        return {code: self.ink(name) for code, name in names.items()}

    def kept(self, name: str, key: tuple[object, ...], make: Callable[[], Kept]) -> Kept:
        """What was made last under this name, made anew only when what it was made from has changed.

        A scene's reading stays the same object while only the cursor moves, so a chart of it is drawn once.
        """
        key = (*key, self.ink("bar"), self.glyphs, plot.is_loaded())
        made = self._kept.get(name)
        if made is None or made[0] != key:
            made = self._kept[name] = (key, make())
        return cast("Kept", made[1])

    def rule(self, title: str, width: int) -> list[Piece]:
        """A line across the view, with a title, that parts what is above from what is below."""
        return [
            (self.glyphs.rule, self.ink("axis")),
            (f" {title} ", self.ink("strong")),
            (self.glyphs.rule * (width - len(title) - 3), self.ink("axis")),
        ]

    def field_piece(self, name: str, number: float, x: int, y: int) -> Piece:
        """A number that can be typed, as it is drawn at this place of the view; the pen finds it there."""
        self._spots[name] = Offset(x, y)
        return figure(number, PEN_WIDTH - 1).rjust(PEN_WIDTH), self.ink("field")

    def locate(self, name: str) -> Offset | None:
        """Where a number that can be typed is on the screen, None when it is not."""
        spot = self._spots.get(name)
        if spot is None or self.stage is None or not self.stage.is_on_screen:
            return None
        return self.stage.content_region.offset + spot


class Stage(Pane):
    """A pane that a view is shown on."""

    def __init__(self, *, id: str) -> None:  # noqa: A002 - Textual's name
        super().__init__(id=id, classes="stage")
        self._view: View | None = None

    def put(self, view: View | None) -> None:
        """Show another view, or none, from the next time on that something is shown."""
        if self._view is not None and self._view.stage is self:
            self._view.stage = None
        self._view = view
        if view is not None:
            view.stage = self

    def draw(self, shown: Shown, width: int, height: int) -> Lines:
        """The view's lines."""
        if self._view is None:
            return []
        lines = self._view.draw(shown, width, height)
        self.name_frame(self._view.title(shown), self._view.subtitle())
        return lines
