"""View 2, Scores: how each key's score comes about, as an angle and two lengths, and dimension by dimension."""

from collections.abc import Sequence

import numpy as np
from rich.cells import cell_len

from attn_tui.core.alignment import find_upset
from attn_tui.core.attend import Reading
from attn_tui.files.visible import visible
from attn_tui.model.figures import figure
from attn_tui.model.scene import Scene
from attn_tui.ui.charts.signed_bars import signed_bars
from attn_tui.ui.lines import Piece, fit, wrapped
from attn_tui.ui.shown import Shown
from attn_tui.ui.views.page import page_of
from attn_tui.ui.views.pinned import pinned_weights, since_pinned
from attn_tui.ui.views.score_table import COLUMN_WIDTH, cells, columns_that_fit, contributions_by_size
from attn_tui.ui.views.view import Lines, View

_LEAST_BARS = 4
"""Dimensions that are drawn however many keys there are, one where there is little room."""
_ROOMY = 14
"""Lines from which on there is room for more than the table and the point of the lesson."""
_LABELS = range(3, 7)
"""Cells that labels may take."""


class ScoresView(View):
    """A row for each key, and below it what each dimension adds to the score of the one under the cursor."""

    def title(self, shown: Shown) -> str:
        """The view's name."""
        return "Scores"

    def draw(self, shown: Shown, width: int, height: int) -> Lines:
        """The table, what it had no room for, the lesson's point, and the contributions."""
        scene, reading = shown.scene, shown.reading
        key = shown.key if shown.key is not None else int(np.argmax(reading.distribution.winner))
        label_width = _label_width(scene)
        words = [
            *self._words(_upset(reading, shown.key) if height >= _ROOMY else "", "mark", width),
            *self._words(since_pinned(shown), "mark", width),
        ]
        rest = self._words(_left_out(shown, key, width - label_width - 2) if height >= _ROOMY else "", "text", width)
        taken = len(words) + len(rest) + 2 + min(_LEAST_BARS if height >= _ROOMY else 3, scene.head_size)
        page = page_of(scene.count, max(2, height - taken), key)
        more = self._words(f"{page.left_out} more keys" if page.left_out else "", "dim", width)
        head = [*self._table(shown, page.rows, label_width, width), *more, *rest, *words]
        return [*head, *self._contributions(shown, key, width, height - len(head))]

    def _words(self, text: str, ink: str, width: int) -> list[list[Piece]]:
        """A sentence in as many lines as it takes."""
        return [[(f" {line}", self.ink(ink))] for line in wrapped(text, width - 2)]

    def _table(self, shown: Shown, keys: Sequence[int], label_width: int, width: int) -> list[list[Piece]]:
        """The heads and a row for each of these keys."""
        pinned = pinned_weights(shown)
        columns, _ = columns_that_fit(width - label_width - 2, with_change=pinned is not None)
        heads = "".join(column.title.rjust(COLUMN_WIDTH) for column in columns)
        lines: list[list[Piece]] = [[(" " * (label_width + 1) + heads, self.ink("dim"))]]
        figures = cells(shown.reading, keys, pinned)
        for row, key in enumerate(keys):
            masked = not shown.scene.mask[key]
            ink = "cursor-row" if key == shown.key else "dim" if masked else "text"
            label = fit(visible(shown.scene.labels[key]), label_width, self.glyphs)
            numbers = "".join(figures[column.title][row].rjust(COLUMN_WIDTH) for column in columns)
            lines.append([(f"{'x' if masked else ' '}{label}{numbers}", self.ink(ink))])
        return lines

    def _contributions(self, shown: Shown, key: int, width: int, height: int) -> list[Sequence[Piece]]:
        """What each dimension adds to a key's score, the largest first, as numbers and bars that add up."""
        reading = shown.reading
        adds, order = contributions_by_size(reading, key)
        room = max(1, height - 1)
        kept = order if len(order) <= room else order[: room - 1]
        bars = self.kept(
            "bars",
            (reading, key, width, len(kept)),
            lambda: signed_bars([float(adds[d]) for d in kept], width - 16, self.glyphs, self.inks()),
        )
        score = figure(float(reading.scores[key]))
        lines: list[Sequence[Piece]] = [self.rule(f"{visible(reading.inputs.name(key))}: adds up to {score}", width)]
        for i, d in enumerate(kept):
            number = float(adds[d])
            ink = "cursor-row" if d == shown.cursor.column else "text" if np.isfinite(number) else "error"
            text = f" d{d}".ljust(6) + figure(number).rjust(8) + " "
            lines.append([(text, self.ink(ink)), *(bars[i] if bars else [])])
        if len(kept) < len(order):
            others = figure(float(adds[order[len(kept) :]].sum()))
            lines.append([(f" {len(order) - len(kept)} more dimensions add {others}", self.ink("dim"))])
        return lines


def _label_width(scene: Scene) -> int:
    """Cells for the labels, the first and last few hundred standing for all."""
    longest = max(cell_len(visible(label)) for label in (*scene.labels[:200], *scene.labels[-200:]))
    return min(_LABELS.stop - 1, max(_LABELS.start, longest))


def _left_out(shown: Shown, key: int, room: int) -> str:
    """The columns for which there is no room, of the key that is spoken of."""
    pinned = pinned_weights(shown)
    _, missing = columns_that_fit(room, with_change=pinned is not None)
    figures = cells(shown.reading, [key], pinned)
    parts = [f"{column.title} {figures[column.title][0]}" for column in missing]
    return ", ".join(parts)


def _upset(reading: Reading, about: int | None) -> str:
    """A less aligned key that does as well as a better aligned one, in words; empty if there is none."""
    inputs = reading.inputs
    upset = find_upset(inputs.query, inputs.keys, reading.scores, inputs.mask, about)
    if upset is None:
        return ""
    less, more = upset.less, upset.more
    verb = "nearly ties with" if upset.is_tie else "beats"
    longer = "shorter" if less.norm < more.norm else "longer"
    return visible(
        f"{inputs.name(less.key)} (cosine {less.cosine:.2f}) {verb} {inputs.name(more.key)} ({more.cosine:.2f}): "
        f"it is {longer}, {figure(less.norm, 6, 2)} to {figure(more.norm, 6, 2)}"
    )
