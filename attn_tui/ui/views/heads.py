"""View 7, Heads: all heads of a model on one text, layer by layer, and what each does on average."""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import takewhile
from typing import ClassVar

from attn_tui.model.figures import figure, short, weight_figure
from attn_tui.model.headmap import MEASURES, HeadMap, Measure
from attn_tui.model.heads import with_head
from attn_tui.model.scene import Scene
from attn_tui.model.source import Dump
from attn_tui.ui.background import Background
from attn_tui.ui.fields import Desk
from attn_tui.ui.lines import Piece
from attn_tui.ui.shown import Shown
from attn_tui.ui.views.heat import BROKEN, INKS, Span, flow, glyph_of, in_frame, shade_of
from attn_tui.ui.views.view import Lines, View

_CELLS = (8, 5, 4, 3, 2, 1)
"""Cells that a head may get: with 8 its number has four decimals, with 3 to 5 it is in percent, below there is none."""


@dataclass(frozen=True)
class _Layout:
    """How a line is divided."""

    label: int
    """Cells for the layer's label."""
    cell: int
    """Cells for each head."""
    columns: Span


class HeadsView(View):
    """The map of all heads, computed in the background; Enter opens one in the matrix.

    It depends on the dump, the temperature, the scale (1/sqrt(hs) or a number) and whether the mask is causal, and is
    computed anew when one of these changes. Another row, another head or an edit of the scene changes nothing in it.
    """

    has_cursor: ClassVar[bool] = True

    def __init__(self, desk: Desk) -> None:
        super().__init__(desk)
        self._map: HeadMap | None = None
        self._before: HeadMap | None = None
        """The last complete map of the same dump, shown faintly until the new one is there."""
        self._work: Background[int] = Background(desk, "heads", desk.present)
        self._opened: tuple[int, ...] = ()
        """The scene's head when the cursor went there."""
        self._row = self._column = 0
        self._rows = self._columns = Span()
        self._subtitle = ""

    def title(self, shown: Shown) -> str:
        """What is shown of each head."""
        causal = ", causal" if shown.options.causal else ""
        return f"Heads: {MEASURES[shown.options.measure].name}{causal}"

    def subtitle(self) -> str:
        """How far the work is, or which part is in sight."""
        return self._subtitle

    def draw(self, shown: Shown, width: int, height: int) -> Lines:
        """The heads' numbers, the map, and the head under the cursor in words; or why there is no map."""
        dump = _dump(shown.scene)
        if dump is None or not 1 <= len(dump.shape) <= 2 or 0 in dump.shape:
            self._stop()
            return flow([(_no_map(dump), self.ink("text"))], width)
        heads = self._follow(shown, dump)
        self._go_to_open_head(shown.scene, dump)
        measure = MEASURES[shown.options.measure]
        said = flow([(text, self.ink(ink)) for text, ink in self._words(heads, measure, width)], width)
        said = said[: max(0, height - 1 - min(_rows(dump), height // 2))]
        layout = self._layout(dump, width)
        self._rows = self._rows.around(self._row, height - 1 - len(said), _rows(dump))
        self._columns = layout.columns
        self._subtitle = in_frame(self._progress(heads), width)
        lines = [self._line(heads, measure, row, layout) for row in self._rows.range]
        return [self._numbers(dump, layout), *lines, *said]

    def move(self, rows: int, columns: int) -> None:
        """Go to another head."""
        if self._map is not None:
            self._row = max(0, min(self._row + rows, _rows(self._map.dump) - 1))
            self._column = max(0, min(self._column + columns, self._map.dump.shape[-1] - 1))
            self.desk.present()

    def enter(self) -> None:
        """Open the head under the cursor at the same query, in the matrix."""
        scene = self.desk.current
        dump = _dump(scene)
        if dump is None or self._map is None or self._map.dump is not dump:
            self.desk.say("there is no head to open here")
            return
        head = self._head(dump, self._row, self._column)
        name = dump.head_name(head)
        if scene.source is not None and scene.source.indices != head:
            self.desk.open(with_head(scene, dump, head), f"open {name}")
        self.desk.go_to_view("matrix")
        self.desk.say(f"{name} is open, at the same query: [ and ] change the view, u goes back to the head before")

    def _follow(self, shown: Shown, dump: Dump) -> HeadMap:
        """The map for what is shown; if that is another one, or its work was given up, the work on it begins."""
        wanted, now = HeadMap.of(shown.scene, dump, causal=shown.options.causal), self._map
        if now is not None and wanted.is_same(now):
            if not now.is_complete and not self._work.is_running:
                self._begin(now)
            return now
        if now is not None and now.is_complete:
            self._before = now
        if self._before is not None and self._before.dump is not dump:
            self._before = None
        self._begin(wanted)
        return wanted

    def _begin(self, heads: HeadMap) -> None:
        """Work on a map from now on, in place of any other, as long as its dump is the scene's."""
        self._map = heads
        steps = takewhile(lambda _: _dump(self.desk.current) is heads.dump, heads.steps())
        self._work.start(steps, len(heads.patterns))

    def _stop(self) -> None:
        """Give up the work on a dump that is no longer shown."""
        self._work.forget()
        self._subtitle, self._map, self._before = "", None, None

    def _go_to_open_head(self, scene: Scene, dump: Dump) -> None:
        """Put the cursor onto the scene's head when that is another one than before, and inside the map in any case."""
        opened = () if scene.source is None else scene.source.indices
        if opened != self._opened:
            self._opened = opened
            self._row, self._column = opened if len(opened) == 2 else (0, *opened)
        self._row = min(self._row, _rows(dump) - 1)
        self._column = min(self._column, dump.shape[-1] - 1)

    def _head(self, dump: Dump, row: int, column: int) -> tuple[int, ...]:
        """The indices of the head at a place of the map."""
        return (row, column) if len(dump.shape) == 2 else (column,)

    def _layout(self, dump: Dump, width: int) -> _Layout:
        """The widest cells with which all heads fit beside each other; single ones, of a part of them, if none do."""
        label = len(self._label(dump, _rows(dump) - 1))
        count = dump.shape[-1]
        room = width - label - 1
        cell = next((cell for cell in _CELLS if cell * count <= room), 1)
        return _Layout(label, cell, self._columns.around(self._column, room // cell, count))

    def _label(self, dump: Dump, row: int) -> str:
        """What a row of the map is called; the only one of heads without layers has no name."""
        return f"{dump.axes[0]}{row}" if len(dump.shape) == 2 else ""

    def _numbers(self, dump: Dump, layout: _Layout) -> list[Piece]:
        """The line with the heads' numbers, as many as have room; the cursor's is marked."""
        line: list[Piece] = [(dump.axes[-1:].rjust(layout.label + 1), self.ink("dim"))]
        for column in layout.columns.range:
            here = column == self._column
            text = f"{self.glyphs.down if here else ''}{column}" if layout.cell > len(str(dump.shape[-1])) else ""
            text = text or (self.glyphs.down if here else "")
            line.append((text.rjust(layout.cell)[-layout.cell :], self.ink("cursor-row" if here else "dim")))
        return line

    def _line(self, heads: HeadMap, measure: Measure, row: int, layout: _Layout) -> list[Piece]:
        """A layer: its label, and each of its heads."""
        here = row == self._row
        label = self._label(heads.dump, row).rjust(layout.label)
        line = [(f"{label}{self.glyphs.right if here else ' '}", self.ink("cursor-row" if here else "dim"))]
        for column in layout.columns.range:
            cell = self._cell(heads, measure, self._head(heads.dump, row, column), layout.cell)
            under_cursor = here and column == self._column
            line += [(text, self.ink("cursor" if under_cursor else ink)) for text, ink in cell]
        return line

    def _cell(self, heads: HeadMap, measure: Measure, head: tuple[int, ...], cell: int) -> list[tuple[str, str]]:
        """A head in so many characters: a mark or a shade and, where there is room, its number, each with its ink."""
        value, faint = heads.value(head, measure), False
        if head not in heads.patterns and self._before is not None:
            value, faint = self._before.value(head, measure), True
        if value is None:
            return [(("." if head not in heads.patterns else self.glyphs.hidden).rjust(cell), "dim")]
        part = heads.part(value, measure)
        shade = shade_of(part)
        glyph, ink = glyph_of(shade, self.glyphs), "dim" if faint else INKS[shade]
        mark = (self.glyphs.here, "mark") if head == self._opened and cell > 1 else (glyph, ink)
        if cell < 3:
            return [mark, (glyph * (cell - 1), ink)]
        number = weight_figure(value).rjust(6) if cell >= 8 else self._percent(part, cell - 1)
        return [
            (" " * (cell - 1 - len(number)), "dim"),
            mark,
            (number, "error" if shade == BROKEN else "dim" if faint else "text"),
        ]

    def _percent(self, part: float, room: int) -> str:
        """A part in whole percent; what is not 0 does not read as 0, and 100 fills two cells where it has no room."""
        if shade_of(part) == BROKEN:
            return ("nan" if room >= 3 else "!!").rjust(room)
        percent = round(100.0 * part)
        if percent == 0 and part > 0.0:
            return "<1".rjust(room)
        if percent >= 100 and room < 3:
            return self.glyphs.full * room
        return str(percent).rjust(room)

    def _words(self, heads: HeadMap, measure: Measure, width: int) -> Iterator[tuple[str, str]]:
        """The head under the cursor with all its measures, then the range of the measure, and what the numbers are."""
        head = self._head(heads.dump, self._row, self._column)
        opened = " (open)" if head == self._opened else ""
        yield f"{heads.dump.head_name(head)}{opened}", "cursor-row"
        for each in (measure, *(other for other in MEASURES if other is not measure)):
            yield f"{each.name} {_said(heads, head, each)}", "strong" if each is measure else "text"
        if (ends := heads.extremes(measure)) is not None:
            for word, end in zip(("least", "most"), ends, strict=True):
                yield f"{word} {_said(heads, end, measure)} at {heads.dump.head_name(end)}", "dim"
        yield self._unit(heads, measure, width), "dim"

    def _unit(self, heads: HeadMap, measure: Measure, width: int) -> str:
        """What the numbers in the map are."""
        cell = self._layout(heads.dump, width).cell
        whole = f"ln {heads.dump.keys.shape[-2]} = {short(heads.most_entropy)} nats"
        if cell >= 8:
            return f"0 to {whole}" if measure.is_entropy else "0 to 1"
        full = f", {self.glyphs.full * 2} is 100" if cell == 3 else ""
        return (f"% of {whole}" if measure.is_entropy else "in %") + full

    def _progress(self, heads: HeadMap) -> tuple[str, ...]:
        """How many heads are known while some are not, and which part of the map is in sight where that is not all."""
        known = "" if heads.is_complete else f"{len(heads.patterns)} of {heads.total} heads"
        layers = self._rows.said("layers", _rows(heads.dump))
        return known, layers, self._columns.said("heads", heads.dump.shape[-1])


def _dump(scene: Scene) -> Dump | None:
    """The dump that a scene is from."""
    return None if scene.source is None else scene.source.dump


def _rows(dump: Dump) -> int:
    """Rows of the map: layers, or one for heads without layers."""
    return dump.shape[0] if len(dump.shape) == 2 else 1


def _no_map(dump: Dump | None) -> str:
    """Why there is no map of heads."""
    if dump is None:
        return "This scene is no head of a model: open one, from a file (f) or the palette (:), such as coreference."
    if not dump.shape or 0 in dump.shape:
        return "This dump has one head, so there is no map of them; the matrix shows all its queries."
    return f"This dump has {len(dump.shape)} leading axes {dump.shape}: the map needs layers and heads, or heads alone."


def _said(heads: HeadMap, head: tuple[int, ...], measure: Measure) -> str:
    """A measure of a head as a number."""
    if head not in heads.patterns:
        return "not known yet"
    return figure(heads.value(head, measure), 6) + (" nats" if measure.is_entropy else "")
