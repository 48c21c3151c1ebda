"""A pane: lines drawn from what is shown, of which only those that changed are sent."""

from abc import abstractmethod
from collections.abc import Sequence

from rich.style import Style
from textual.geometry import Region, Size
from textual.strip import Strip
from textual.widget import Widget

from attn_tui.ui.lines import UNICODE, Glyphs, Piece, fit, strip
from attn_tui.ui.shown import Shown


class Pane(Widget):
    """Draws itself as lines and remembers them."""

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
        "heat-1",
        "heat-2",
        "heat-3",
        "heat-4",
    }
    glyphs: Glyphs = UNICODE

    def __init__(self, *, id: str, classes: str = "") -> None:  # noqa: A002 - Textual's name
        super().__init__(id=id, classes=classes)
        self.shown: Shown | None = None
        self._strips: list[Strip] = []
        self._drawn_for = Size(0, 0)
        self._named = "", ""
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
            before = self._strips
            self._draw(shown)
            for y, line in enumerate(self._strips):
                if y >= len(before) or line != before[y]:
                    self.refresh(Region(0, y, self.content_size.width, 1))

    @property
    def is_on_screen(self) -> bool:
        """Whether there is any room to draw."""
        return self.is_mounted and self.display and self.content_size.area > 0

    def name_frame(self, title: str, subtitle: str = "") -> None:
        """Write into the pane's frame, which is repainted only when the words change."""
        room = max(1, self.size.width - 6)
        title, subtitle = (text if len(text) <= room else fit(text, room, self.glyphs) for text in (title, subtitle))
        if (title, subtitle) != self._named:
            self._named = self.border_title, self.border_subtitle = title, subtitle

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

    def render_line(self, y: int) -> Strip:
        """One line, as Textual asks for it; all are drawn anew for a new size, in the very frame that shows it."""
        if self._drawn_for != self.content_size and self.shown is not None:
            named = self._named
            self._draw(self.shown)
            if named != self._named:
                self.call_later(self.refresh)  # the frame of this paint is out already
        return self._strips[y] if y < len(self._strips) else Strip.blank(self.content_size.width, self.ink("text"))

    def _draw(self, shown: Shown) -> None:
        """Draw every line of the pane, at its full width."""
        self._drawn_for = self.content_size
        width, height = self.content_size
        blank = self.ink("text")
        lines = list(self.draw(shown, width, height))[:height]
        lines.extend([()] * (height - len(lines)))
        self._strips = [strip(line, width, blank) for line in lines]
