"""View 4, Stability: naive and stable softmax step by step in a dtype, and which step breaks."""

import textwrap
from collections.abc import Sequence

from attn_tui.core.attend import Reading
from attn_tui.core.breaks import naive_break, stable_break, verdict
from attn_tui.core.masking import MASK_CONSTANTS, AddedMask, add_mask
from attn_tui.core.stability import Comparison, Method, compare
from attn_tui.files.visible import visible
from attn_tui.model.figures import weight_figure
from attn_tui.ui.fields import Desk, OptionField
from attn_tui.ui.lines import Piece
from attn_tui.ui.pen import PEN_WIDTH, Field
from attn_tui.ui.shown import Shown
from attn_tui.ui.views.mask_laboratory import laboratory
from attn_tui.ui.views.stability_remarks import about_the_dtype, about_the_row, chosen
from attn_tui.ui.views.stability_table import Table, columns
from attn_tui.ui.views.view import Lines, View
from attn_tui.ui.views.weights import Selection, select

_FEWEST_ROWS = 6
"""Lines that the keys keep, with the one that counts those left out, before sentences are told."""


class StabilityView(View):
    """A verdict, a constant to type, a table of the steps, and what the dtype and a mask do."""

    def __init__(self, desk: Desk) -> None:
        super().__init__(desk)
        self._constant = OptionField(desk, "constant", "constant c", self.locate)
        self._compared: tuple[Reading, Method, Comparison] | None = None

    def title(self, shown: Shown) -> str:
        """Whether this is what is being typed."""
        return "Stability of the last good number" if shown.problem else "Stability"

    def fields(self) -> tuple[Field, ...]:
        """The constant."""
        return (self._constant,)

    def draw(self, shown: Shown, width: int, height: int) -> Lines:
        """The verdict and the table; the room that is left goes to sentences, and then to more keys."""
        made = self._compare(shown)
        added = _added(made, shown)
        top = self._verdict(made, width, height)
        top.extend(self._typed_constant(shown, made, width, len(top)))
        room = height - len(top) - 3
        count = shown.scene.count
        fewest = min(count, max(_FEWEST_ROWS, height // 3), max(1, room))
        remarks = self._remarks(shown, made, added, width, room - fewest)
        keys = self._table(shown, made, added, width, room - len(remarks))
        return [*top, *keys, *remarks]

    def _compare(self, shown: Shown) -> Comparison:
        """The two forms, computed anew for another reading or another method."""
        options = shown.options
        method = Method(options.constant, options.scale_query_first, options.wide_dot)
        last = self._compared
        if last is None or last[0] is not shown.reading or last[1] != method:
            last = self._compared = (shown.reading, method, compare(shown.reading.inputs, method, shown.reading.steps))
        return last[2]

    def _verdict(self, made: Comparison, width: int, height: int) -> list[Sequence[Piece]]:
        """What breaks, in words; a mark as the table has it where something does."""
        is_broken = naive_break(made) is not None or not made.mask.any()
        text = f"{'! ' if is_broken else ''}{visible(verdict(made))}"
        most, ellipsis = max(2, height // 4), self.glyphs.ellipsis
        lines = textwrap.wrap(text, width - 1, max_lines=most, placeholder=ellipsis, break_on_hyphens=False)
        return [[(f" {line}", self.ink("error" if is_broken else "strong"))] for line in lines]

    def _typed_constant(self, shown: Shown, made: Comparison, width: int, y: int) -> list[Sequence[Piece]]:
        """The constant, and how far the naive form stands it."""
        before = " constant c " if width >= 60 else " c"
        piece = self.field_piece("constant", shown.options.constant, len(before), y)
        low, high = made.naive_range
        span = _span(low, high)
        after = f" on every score; naive holds for {span}" if width >= 60 else f" naive holds {span}"
        line: list[Piece] = [(before, self.ink("text")), piece]
        if len(before) + PEN_WIDTH + len(after) <= width:
            return [[*line, (after, self.ink("text"))]]
        lines = textwrap.wrap(after.strip(), width - 1)
        return [line, *([(f" {part}", self.ink("text"))] for part in lines)]

    def _remarks(
        self, shown: Shown, made: Comparison, added: AddedMask | None, width: int, room: int
    ) -> list[Sequence[Piece]]:
        """The sentences below the table."""
        sections = (
            about_the_row(made, shown.scene, shown.cursor),
            about_the_dtype(made),
            laboratory(made, added, shown.reading, shown.key, width),
        )
        lines: list[Sequence[Piece]] = []
        for section, remarks in chosen(sections, width, room):
            if section.title:
                title = section.title if len(section.title) + 3 <= width else section.title.partition(" (")[0]
                lines.append(self.rule(title, width))
            for remark in remarks:
                lines.extend([(f" {line}", self.ink(remark.ink))] for line in remark.lines(width))
        return lines

    def _table(
        self, shown: Shown, made: Comparison, added: AddedMask | None, width: int, rows: int
    ) -> list[Sequence[Piece]]:
        """The keys' steps, those of the first that breaks and of the one under the cursor always among them."""
        naive, stable = naive_break(made), stable_break(made)
        selection = select(shown.reading, max(1, rows), shown.key, by_weight=shown.options.by_weight)
        keys = _with(selection.keys, naive.key if naive else None, shown.key)
        table = Table(made, columns(made, naive, stable, added), keys, width)
        lines: list[Sequence[Piece]] = [
            *table.head(self.ink, self.glyphs),
            *table.rows(shown.key, self.ink, self.glyphs),
        ]
        if selection.left_out:
            lines.append([(_left_out(selection, width), self.ink("dim"))])
        return [*lines, table.sums(self.ink)]


def _left_out(selection: Selection, width: int) -> str:
    """How many keys are not shown, and their weight where there is room for it."""
    text = f" {selection.left_out} more keys hold {weight_figure(selection.weight_left_out)}"
    return text if len(text) <= width else f" {selection.left_out} more keys"


def _span(low: float, high: float) -> str:
    """The constants for which the naive form holds, with as many digits as tell them apart."""
    if not low < high:
        return "no c"
    digits = next((d for d in range(5, 17) if f"{low:.{d}g}" != f"{high:.{d}g}"), 17)
    return f"{low:.{digits}g} to {high:.{digits}g}"


def _added(made: Comparison, shown: Shown) -> AddedMask | None:
    """The mask added as the chosen constant, None where nothing is masked."""
    if made.mask.all():
        return None
    name = MASK_CONSTANTS[shown.options.mask_constant % len(MASK_CONSTANTS)]
    return add_mask(made.moved, made.mask, made.precision, made.stable.weights, name)


def _with(keys: tuple[int, ...], key: int | None, cursor: int | None) -> tuple[int, ...]:
    """The keys, the last one that is not under the cursor replaced by another that has to be seen."""
    if key is None or key in keys:
        return keys
    others = [other for other in keys if other != cursor]
    return tuple(key if other == others[-1] else other for other in keys) if others else keys
