"""View 5, Head size: what random queries and keys of growing head size do to softmax, with and without 1/sqrt(hs)."""

import math
from collections.abc import Sequence
from itertools import zip_longest

from rich.cells import cell_len
from rich.style import Style

from attn_tui.core.head_size import HeadSize, Setting, Survey, survey
from attn_tui.model.figures import figure
from attn_tui.model.scene import Scene
from attn_tui.ui.background import Background
from attn_tui.ui.charts import plot
from attn_tui.ui.charts.head_size_curves import entropy_chart, spread_chart
from attn_tui.ui.fields import Desk, OptionField
from attn_tui.ui.lines import Piece, wrapped
from attn_tui.ui.options import Options
from attn_tui.ui.pen import PEN_WIDTH, Field
from attn_tui.ui.shown import Shown
from attn_tui.ui.views.head_size_table import (
    LEAST_TABLE_WIDTH,
    OWN_WIDTH,
    more_words,
    own_lines,
    own_stack,
    table,
    words,
)
from attn_tui.ui.views.view import Lines, View

_OWN_LINES = 4
"""Lines of the numbers of one head size, the rule above them included."""
_LEAST_CHART = 5
"""Lines of a chart that can be read, its title included; the lower one has a line of numbers more."""
_LEAST_CHART_WIDTH = 24
"""Cells for a chart and what its marks mean."""
_WIDE_RULE = 46
"""Cells for the title with the spread to four decimals."""
_TOLD = 64
"""The head size that the words are about, as most models have it, where the scene's own is smaller."""


class HeadSizeView(View):
    """Two charts over head sizes, and the numbers of the scene's own; drawn while they are computed."""

    def __init__(self, desk: Desk) -> None:
        super().__init__(desk)
        self._background = Background[Survey](desk, "head sizes", self._arrived)
        self._fields = (
            OptionField(desk, "seed", "seed", self.locate),
            OptionField(desk, "draws", "draws", self.locate),
        )
        self._charts: tuple[object, list[Sequence[Piece]]] = (None, [])

    def title(self, shown: Shown) -> str:
        """The view's name."""
        return "Head size"

    def fields(self) -> tuple[Field, ...]:
        """The seed and how many queries are drawn."""
        return self._fields

    def run_or_cancel(self) -> str:
        """Stop drawing, or draw everything again."""
        if self._background.is_running:
            self._background.cancel()
            return "cancelled: R draws again"
        self._start(_setting(self.desk.current, self.desk.options))
        return "drawing queries and keys: R cancels"

    def draw(self, shown: Shown, width: int, height: int) -> Lines:
        """What there is so far; what is asked for is started if it has not been."""
        setting = _setting(shown.scene, shown.options)
        known = self._background.newest
        if known is None or known.setting != setting:
            known = self._start(setting)
        if width < OWN_WIDTH:
            return self._narrow(shown, known, width, height)
        is_beside = width > OWN_WIDTH + LEAST_TABLE_WIDTH and height >= len(setting.sizes) + 2
        if not is_beside:
            return self._column(shown, known, width, height, may_have_table=True)
        rows = self._table(known, width - OWN_WIDTH - 1)
        left = width - 1 - max(cell_len(text) for [(text, _)] in rows)
        column = self._column(shown, known, left, height, may_have_table=False)
        return _beside(column, rows, left + 1, self.ink("text"))

    def _start(self, setting: Setting) -> Survey:
        """Begin to draw; there is nothing to show of it yet."""
        nothing = Survey(setting, 0)
        self._background.start(survey(setting), nothing)
        return nothing

    def _arrived(self) -> None:
        """Show what is new; while another view is shown, give up what the scene no longer asks for."""
        if self.stage is not None and self.stage.shown is not None:
            self.stage.show(self.stage.shown)
            return
        known = self._background.newest
        if known is not None and known.setting != _setting(self.desk.current, self.desk.options):
            self._background.forget()

    def _narrow(self, shown: Shown, known: Survey, width: int, height: int) -> list[Sequence[Piece]]:
        """The numbers below each other, and the charts where there is room for them."""
        setting, scene = known.setting, shown.scene
        keys = f"{setting.keys}" if setting.keys == scene.count else f"{setting.keys}/{scene.count}"
        about = wrapped(f"hs {setting.head_size}, {keys} keys", width - 1)
        is_done = known.is_complete and not self._background.is_running
        status = [[(f" {line}", self.ink("strong"))] for line in about] if is_done else self._status(known, width, 1)
        numbers = own_stack(known.own, self.glyphs.ellipsis)
        head = [*self._seed_and_draws(shown, is_stacked=True), *status]
        lines = [*head, *([(text, self.ink("text"))] for text in numbers)][:height]
        return [*lines, *self._both_charts(known, width, height - len(lines))]

    def _column(
        self, shown: Shown, known: Survey, width: int, height: int, *, may_have_table: bool
    ) -> list[Sequence[Piece]]:
        """The fields, what has come out, the charts and the numbers; below them the table, where it fits."""
        bounds = wrapped(_bounds(shown.scene, known.setting), width - 1)
        spare = height - len(bounds) - 2 - _OWN_LINES - 2 * _LEAST_CHART - 1
        table_lines = len(known.setting.sizes) + 3
        has_table = may_have_table and spare >= table_lines
        spare -= table_lines if has_table else 0
        head = [*self._seed_and_draws(shown, is_stacked=False), *self._status(known, width, 4 if spare >= 3 else 1)]
        head += [[(f" {line}", self.ink("mark"))] for line in bounds]
        numbers = [self._own_rule(known, width), *self._own_lines(known)]
        if has_table:
            numbers += [self.rule("Every head size", width), *self._table(known, width)]
        room = height - len(head) - _OWN_LINES - (table_lines if has_table else 0)
        return [*head, *self._both_charts(known, width, room), *numbers]

    def _own_lines(self, known: Survey) -> list[list[Piece]]:
        """The numbers of the scene's own head size."""
        return [[(text, self.ink("text"))] for text in own_lines(known.own, self.glyphs.ellipsis)]

    def _seed_and_draws(self, shown: Shown, *, is_stacked: bool) -> list[list[Piece]]:
        """The numbers that can be typed, and how many keys there are."""
        seed, draws = shown.options.seed, shown.options.draws
        text = self.ink("text")
        if is_stacked:
            seed_pieces: list[Piece] = [(" seed  ", text), self._whole("seed", seed, 7, 0)]
            return [seed_pieces, [(" draws ", text), self._whole("draws", draws, 7, 1)]]
        seed_piece, draws_piece = self._whole("seed", seed, 6, 0), self._whole("draws", draws, 22, 0)
        return [[(" seed ", text), seed_piece, ("  draws ", text), draws_piece]]

    def _whole(self, name: str, number: int, x: int, y: int) -> Piece:
        """A whole number that can be typed, without decimals where it fits."""
        text, ink = self.field_piece(name, number, x, y)
        return (f"{number}".rjust(PEN_WIDTH) if len(f"{number}") < PEN_WIDTH else text), ink

    def _status(self, known: Survey, width: int, most_lines: int) -> list[list[Piece]]:
        """How far it is; when it is done, what has come out, in words."""
        if self._background.is_running:
            return [self._progress(known, width)]
        if not known.is_complete:
            return [[(self._fitting(f"cancelled at {_percent(known)}", ": R draws again", width), self.ink("mark"))]]
        told = next(found for found in known.found if found.head_size == max(_TOLD, known.setting.head_size))
        return [[(f" {line}", self.ink("strong"))] for line in _told(told, width - 1, most_lines)]

    def _progress(self, known: Survey, width: int) -> list[Piece]:
        """A bar as wide as there is room."""
        words = self._fitting(f"{_percent(known):>5}", "  R cancels", width - 8)
        room = width - 1 - len(words)
        filled = min(room, int(known.ratio * room))
        return [
            (" ", self.ink("text")),
            (self.glyphs.full * filled, self.ink("bar")),
            (self.glyphs.empty * (room - filled), self.ink("dim")),
            (words, self.ink("text")),
        ]

    def _fitting(self, text: str, more: str, width: int) -> str:
        """A text with what follows it, where there is room for both."""
        return f" {text}{more}" if len(text) + len(more) < width else f" {text}"

    def _own_rule(self, known: Survey, width: int) -> list[Piece]:
        """Which head size the numbers below are of, its spread and what that should be."""
        size, own = known.setting.head_size, known.own
        digits = (5, 3) if width < _WIDE_RULE else (8, 4)
        spread = self.glyphs.ellipsis if own is None else figure(own.spread, *digits)
        title = f"hs {size}: spread {spread}, sqrt {figure(math.sqrt(size), *digits)}"
        marked = f"{self.glyphs.dot} {title}"
        return self.rule(marked if len(marked) + 3 <= width else title, width)

    def _both_charts(self, known: Survey, width: int, height: int) -> list[Sequence[Piece]]:
        """The charts, drawn anew only when they have changed, so that a key elsewhere does not wait for them."""
        drawn_for = (known.setting, len(known.found), width, height, plot.is_loaded(), tuple(self.inks().items()))
        if self._charts[0] != drawn_for:
            self._charts = (drawn_for, self._draw_charts(known.rising, known.setting.head_size, width, height))
        return self._charts[1]

    def _draw_charts(self, rising: list[HeadSize], own: int, width: int, height: int) -> list[Sequence[Piece]]:
        """Spread above entropy, as far as there is room."""
        if height < _LEAST_CHART or width < _LEAST_CHART_WIDTH:
            return []
        both = height > 2 * _LEAST_CHART
        upper = (height - 2) // 2 if both else height
        spread = spread_chart(rising, own, width, upper - 1, self.glyphs, self.inks())
        is_wide = width >= OWN_WIDTH
        title = "q.k spread: x drawn, line sqrt(hs)" if is_wide else "Spread x, sqrt line"
        lines: list[Sequence[Piece]] = [self.rule(title, width), *spread]
        if both:
            entropy = entropy_chart(rising, own, width, height - upper - 1, self.glyphs, self.inks())
            title = "H / ln n: x raw, line 1/sqrt(hs)" if is_wide else "H: x raw, line scaled"
            lines += [self.rule(title, width), *entropy]
        return lines

    def _table(self, known: Survey, width: int) -> list[list[Piece]]:
        """Every head size that is complete, the scene's own marked."""
        rows = table(known.rising, known.setting.head_size, self.glyphs.right, width)
        return [[(text, self.ink("cursor-row" if is_own else "text"))] for text, is_own in rows]


def _setting(scene: Scene, options: Options) -> Setting:
    """What is drawn for a scene."""
    return Setting.of(scene.head_size, scene.count, options.draws, options.seed)


def _bounds(scene: Scene, setting: Setting) -> str:
    """What is drawn otherwise than the scene has it, in words; empty if nothing is."""
    drawn = ((setting.keys, scene.count, "{} keys"), (setting.head_size, scene.head_size, "hs {}"))
    parts = [f"{name.format(ours)} drawn, not the scene's {theirs}" for ours, theirs, name in drawn if ours != theirs]
    return "; ".join(parts)


def _told(found: HeadSize, width: int, most_lines: int) -> list[str]:
    """What the scale does, in as many words as there is room for."""
    full = wrapped(words(found, short=False), width)
    if most_lines > 1:
        return [*full, *wrapped(more_words(found), width)][:most_lines]
    return full if len(full) == 1 else [words(found, short=True)]


def _percent(known: Survey) -> str:
    """How much is done, rounded down."""
    return f"{int(100.0 * known.ratio)} %"


def _beside(left: Sequence[Sequence[Piece]], right: Sequence[Sequence[Piece]], width: int, blank: Style) -> Lines:
    """Two columns of lines, the left one filled up to a width."""
    lines: list[Sequence[Piece]] = []
    for ours, theirs in zip_longest(left, right, fillvalue=()):
        gap = width - sum(cell_len(text) for text, _ in ours)
        lines.append([*ours, (" " * gap, blank), *theirs])
    return lines
