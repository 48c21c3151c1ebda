"""The top line: what is open, how large it is, and the temperature, scale and dtype."""

from collections.abc import Sequence

from rich.cells import cell_len
from textual.geometry import Offset

from attn_tui.core.diagnosis import spoken
from attn_tui.files.visible import visible
from attn_tui.model.figures import figure, short
from attn_tui.model.scene import Scene
from attn_tui.ui.lines import Piece, fit
from attn_tui.ui.pane import Pane
from attn_tui.ui.pen import PEN_WIDTH
from attn_tui.ui.shown import Shown


class Header(Pane):
    """One line."""

    frame = 0

    _temperature_x = 0

    def draw(self, shown: Shown, width: int, height: int) -> Sequence[Sequence[Piece]]:
        """The scene's name and size on the left, what the scores are divided by on the right."""
        scene = shown.scene
        scale = "1/sqrt(hs)" if scene.scale == "sqrt" else short(scene.scale_factor)
        after = f"  scale {scale}  {scene.dtype} "
        before = "tau "
        self._temperature_x = width - len(after) - PEN_WIDTH
        room = self._temperature_x - len(before)
        size = f"{source_name(scene)}  {_keys(scene.count)} x hs {scene.head_size}"
        left = f" attn-tui  {size}"
        return [
            [
                (fit(left if cell_len(left) < room else f" {size}", room, self.glyphs), self.ink("strong")),
                (before, self.ink("text")),
                (figure(scene.temperature, PEN_WIDTH - 1).rjust(PEN_WIDTH), self.ink("strong")),
                (after, self.ink("text")),
            ]
        ]

    def temperature_place(self) -> Offset:
        """Where the temperature is on the screen."""
        return self.content_region.offset + Offset(self._temperature_x, 0)


def _keys(count: int) -> str:
    """A number of keys."""
    return "1 key" if count == 1 else f"{count} keys"


def source_name(scene: Scene) -> str:
    """Where the scene came from: an example, or a model with the head and the query of it."""
    source = scene.source
    if source is None:
        return "scene"
    if source.dump is None or not source.indices:
        return visible(source.name)
    return visible(f"{source.name} {source.dump.head_name(source.indices)} {spoken(scene.query_label)}")
