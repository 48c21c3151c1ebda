"""A pane: lines drawn from what is shown, of which only those that changed are made anew and sent."""

from abc import abstractmethod
from collections.abc import Sequence
from typing import ClassVar

from rich.cells import cell_len
from rich.segment import Segment
from rich.style import Style
from textual.filter import ANSIToTruecolor
from textual.geometry import Region, Size
from textual.strip import Strip
from textual.widget import Widget

from attn_tui.ui.lines import UNICODE, Glyphs, Piece, cut, strip
from attn_tui.ui.shown import Shown


class Pane(Widget):
    """Draws itself as lines, its frame too, and remembers them."""

    COMPONENT_CLASSES = {  # noqa: RUF012 - Textual declares it so
        "text",
        "dim",
        "strong",
        "bar",
        "mark",
        "axis",
        "error",
        "cursor",
        "cursor-row",
        "field",
        "ghost",
        "frame",
        "heat-1",
        "heat-2",
        "heat-3",
        "heat-4",
    }
    glyphs: Glyphs = UNICODE
    frame: ClassVar[int] = 1
    """Cells of frame on every side; the style sheet's padding leaves them free."""

    def __init__(self, *, id: str, classes: str = "") -> None:  # noqa: A002 - Textual's name
        super().__init__(id=id, classes=classes)
        self.shown: Shown | None = None
        self._lines: list[tuple[Piece, ...]] = []
        self._strips: list[Strip] = []
        self._drawn_for = Size(0, 0)
        self._names = "", ""
        self._inks: dict[str, Style] = {}

    @abstractmethod
    def draw(self, shown: Shown, width: int, height: int) -> Sequence[Sequence[Piece]]:
        """The lines for what is shown, from the top; missing ones are blank."""

    def show(self, shown: Shown) -> None:
        """Draw what is shown and repaint the lines that differ from those on the screen."""
        self.shown = shown
        if not self.is_on_screen:
            self._drawn_for = Size(0, 0)
        else:
            width, height = self.content_size
            for y in self._draw(shown):
                row = y - self.frame
                inside = Region(0, row, width, 1)
                self.refresh(inside if 0 <= row < height else inside.grow((0, self.frame, 0, self.frame)))

    @property
    def is_on_screen(self) -> bool:
        """Whether there is any room to draw."""
        return self.is_mounted and self.display and self.content_size.area > 0

    def name_frame(self, title: str, subtitle: str = "") -> None:
        """Write into the pane's frame, above on the left and below on the right."""
        self._names = title, subtitle

    def ink(self, name: str) -> Style:
        """The style of one of the component classes."""
        if name not in self._inks:
            self._inks[name] = self.get_component_rich_style(name)
        return self._inks[name]

    def notify_style_update(self) -> None:
        """Draw in the new colours."""
        super().notify_style_update()
        self._inks.clear()
        self._drawn_for = Size(0, 0)

    def render_lines(self, crop: Region) -> list[Strip]:
        """The lines as they are; all are drawn anew for a new size, in the very frame that shows it.

        Textual would put every line together anew from the style sheet, which takes longer than to draw them.
        """
        if self._drawn_for != self.outer_size and self.shown is not None:
            self._draw(self.shown)
        width = self.outer_size.width
        blank = Strip.blank(width, self.ink("text"))
        strips = [self._strips[y] if y < len(self._strips) else blank for y in crop.line_range]
        return strips if crop.column_span == (0, width) else [line.crop(*crop.column_span) for line in strips]

    def _draw(self, shown: Shown) -> list[int]:
        """Draw every line of the pane, at its full width; which of them have changed."""
        width, height = self.outer_size
        fresh = self._drawn_for != self.outer_size
        self._drawn_for = self.outer_size
        lines = [tuple(line) for line in self.draw(shown, *self.content_size)[: self.content_size.height]]
        lines += [()] * (self.content_size.height - len(lines))
        if self.frame:
            lines = [self._edge(0, width), *lines, self._edge(1, width)]
        changed = [y for y in range(height) if fresh or lines[y] != self._lines[y]]
        strips = [Strip.blank(width)] * height if fresh else self._strips
        for y in changed:
            strips[y] = self._strip(lines[y], width, is_edge=bool(self.frame) and y in {0, height - 1})
        self._lines, self._strips = lines, strips
        return changed

    def _strip(self, line: Sequence[Piece], width: int, *, is_edge: bool) -> Strip:
        """A line between the frame's sides, as the terminal gets it."""
        made = strip(line, width if is_edge else width - 2 * self.frame, self.ink("text"))
        if self.frame and not is_edge:
            side = Strip([Segment(self.glyphs.side, self.ink("frame"))])
            made = Strip.join([side, made, side])
        for line_filter in self.get_line_filters():
            if not isinstance(line_filter, ANSIToTruecolor):  # the colours are the theme's already
                made = made.apply_filter(line_filter, self.background_colors[1])
        return made

    def _edge(self, number: int, width: int) -> tuple[Piece, ...]:
        """The frame's upper or lower line, with the words that stand in it."""
        begin, dash, end = self.glyphs.edges[number]
        room = max(1, width - 6)
        words = f" {cut(self._names[number], room, self.glyphs)} " if self._names[number] else ""
        dashes = dash * (width - 3 - cell_len(words))
        before, after = (begin + dash, dashes + end) if number == 0 else (begin + dashes, dash + end)
        frame = self.ink("frame")
        return (before, frame), (words, self.ink("text" if number == 0 else "dim")), (after, frame)
