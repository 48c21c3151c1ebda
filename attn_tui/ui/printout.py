"""The explorer's screen as a text and as a picture."""

from textual.screen import Screen
from textual.strip import Strip
from textual.widget import Widget

from attn_tui.ui.explorer import Explorer


def as_text(explorer: Explorer) -> str:
    """What is on the explorer's screen, a line for each row, without colours; what lies over it is left out."""
    screen = explorer.screen_stack[0]
    return "\n".join(line.text.rstrip() for line in _lines(screen)) + "\n"


def as_svg(explorer: Explorer) -> str:
    """The screen as an SVG picture in its colours, whatever lies over the explorer included."""
    return explorer.export_screenshot(simplify=True)


def _lines(screen: Screen[object]) -> list[Strip]:
    """The rows of a screen, put together of those widgets that draw something themselves, later ones on top."""
    width, height = screen.size
    lines = [Strip.blank(width)] * height
    for widget in screen.walk_children(Widget):
        region = widget.region.intersection(screen.region)
        if widget.is_container or not region or not widget.display:
            continue
        strips = widget.render_lines(region.translate(-widget.region.offset))
        for y, strip in zip(region.line_range, strips, strict=True):
            lines[y] = Strip.join([lines[y].crop(0, region.x), strip, lines[y].crop(region.right, width)])
    return lines
