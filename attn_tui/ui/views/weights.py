"""View 1, Weights: who gets how much, how spread out that is, and how the temperature would change it."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from rich.cells import cell_len

from attn_tui.core.arrays import FloatArray
from attn_tui.core.attend import Reading
from attn_tui.files.visible import visible
from attn_tui.model.figures import figure, weight_figure
from attn_tui.ui.charts.entropy_curve import entropy_curve
from attn_tui.ui.charts.weight_bars import weight_bars
from attn_tui.ui.lines import Piece, fit
from attn_tui.ui.shown import Shown
from attn_tui.ui.views.page import page_of
from attn_tui.ui.views.pinned import CHANGE_WIDTH, change, pinned_weights, since_pinned
from attn_tui.ui.views.view import Lines, View

_WEIGHT_WIDTH = 7
"""Cells for a weight's figure and the blank before the bar."""


_ROOM_FOR_A_CURVE = 16
"""Lines from which on the entropy's curve is worth its place."""
_FIGURES = 2
"""Lines of the entropy's figures and gauge."""
_LEAST_CURVE = 8
"""Lines that the entropy's figures and curve keep, so that the curve can be read."""


class WeightsView(View):
    """A bar and a number for each key, and below them the entropy as numbers, as a gauge and against tau."""

    def title(self, shown: Shown) -> str:
        """Whether these are the weights of what is being typed."""
        return "Weights of the last good number" if shown.problem else "Weights"

    def draw(self, shown: Shown, width: int, height: int) -> Sequence[Sequence[Piece]]:
        """As many lines of weights as there are keys, as long as the entropy keeps enough of them."""
        kept = _LEAST_CURVE if height >= _ROOM_FOR_A_CURVE else _FIGURES
        most = height - kept - 1 if height < 30 else height * 3 // 5
        rows = max(2, min(shown.scene.count + 1, most))
        weights = self._weights(shown, width, rows)
        moved = since_pinned(shown)
        pin: Lines = [[(f" {moved}", self.ink("mark"))]] if moved else []
        room = height - len(weights) - len(pin) - 1
        return [*weights, self.rule("Entropy", width), *pin, *self._entropy(shown.reading, width, room)]

    def _weights(self, shown: Shown, width: int, height: int) -> list[Sequence[Piece]]:
        """Label, weight and bar of each key, the axis, and what is left out."""
        scene, reading = shown.scene, shown.reading
        selection = select(reading, height - 1, shown.key, by_weight=shown.options.by_weight)
        label_width = min(10, max(cell_len(visible(scene.labels[key])) for key in selection.keys))
        pinned = pinned_weights(shown)
        before_bar = label_width + _WEIGHT_WIDTH + 2 + (0 if pinned is None else CHANGE_WIDTH)
        room = width - before_bar
        kept = list(selection.keys)
        ghosts = () if pinned is None else _finite(pinned[kept])
        bars = self.kept(
            "bars",
            (reading, shown.pinned, selection, room),
            lambda: weight_bars(_finite(reading.weights[kept]), room, self.glyphs, self.inks(), ghosts),
        )
        lines: list[Sequence[Piece]] = []
        for i, key in enumerate(selection.keys):
            lines.append([*self._key(shown, key, label_width), *(bars[i] if bars else [])])
        lines.append([(" " * before_bar, self.ink("dim")), *(bars[-1] if bars else [])])
        if selection.left_out:
            lines.append([(_left_out(selection), self.ink("dim"))])
        return lines

    def _key(self, shown: Shown, key: int, label_width: int) -> list[Piece]:
        """A key's label and weight."""
        weight = float(shown.reading.weights[key])
        masked = not shown.scene.mask[key]
        ink = "cursor-row" if key == shown.key else "dim" if masked else "text"
        number = "masked" if masked else weight_figure(weight)
        label = fit(visible(shown.scene.labels[key]), label_width, self.glyphs)
        number_ink = self.ink(ink if np.isfinite(weight) else "error")
        pinned = pinned_weights(shown)
        moved = "" if pinned is None else change(weight, float(pinned[key])).rjust(CHANGE_WIDTH - 1) + " "
        return [
            (f" {label} ", self.ink(ink)),
            (number.rjust(_WEIGHT_WIDTH - 1) + " ", number_ink),
            (moved, self.ink("mark")),
        ]

    def _entropy(self, reading: Reading, width: int, height: int) -> list[Sequence[Piece]]:
        """The numbers, the gauge and the curve."""
        room = height - 2
        if room < 4:
            return [self._numbers(reading), self._gauge(reading, width)]
        curve = self.kept(
            "curve",
            (reading, width, room),
            lambda: entropy_curve(reading, width, room, self.glyphs, self.inks()),
        )
        return [self._numbers(reading), self._gauge(reading, width), *curve]

    def _numbers(self, reading: Reading) -> list[Piece]:
        """H, its maximum and how many keys it amounts to."""
        if reading.entropy is None:
            return [(" H undefined: no key may be attended", self.ink("error"))]
        if not reading.is_sound:
            return [(" H nan", self.ink("error"))]
        return [
            (f" H {figure(reading.entropy)}", self.ink("strong")),
            (f" of {figure(reading.entropy_max)} nats = ln {reading.attended}", self.ink("text")),
        ]

    def _gauge(self, reading: Reading, width: int) -> list[Piece]:
        """The entropy as a part of its maximum."""
        ratio = reading.entropy_ratio
        if ratio is None or not np.isfinite(ratio):
            words = "n/a: 1 key" if reading.attended == 1 else "n/a"
            return [(f" {words}", self.ink("dim"))]
        numbers = f" {figure(100 * ratio, 5, 1)} %  effective {figure(reading.effective_keys, 7, 2)}"
        room = width - 1 - len(numbers)
        filled = min(room, max(0, round(ratio * room)))
        return [
            (" ", self.ink("text")),
            (self.glyphs.full * filled, self.ink("bar")),
            (self.glyphs.empty * (room - filled), self.ink("dim")),
            (numbers, self.ink("text")),
        ]


@dataclass(frozen=True)
class Selection:
    """Which keys get a bar."""

    keys: tuple[int, ...]
    left_out: int
    weight_left_out: float


def select(reading: Reading, rows: int, cursor: int | None, *, by_weight: bool) -> Selection:
    """As many keys as there are rows, the one under the cursor always among them.

    In their own order that is the page the cursor is on; by weight, the heaviest first. Where some are left out a row
    is kept to say so.
    """
    count = reading.weights.size
    order = np.argsort(-reading.weights, kind="stable") if by_weight else np.arange(count)
    if count <= rows:
        return Selection(tuple(int(key) for key in order), 0, 0.0)
    rows = max(1, rows - 1)
    if by_weight:
        kept = order[:rows]
        if cursor is not None and cursor not in kept:
            kept = np.append(kept[: rows - 1], cursor)
    else:
        kept = order[page_of(count, rows + 1, cursor).rows]
    others = np.ones(count, dtype=np.bool_)
    others[kept] = False
    return Selection(tuple(int(key) for key in kept), count - kept.size, float(reading.weights[others].sum()))


def _finite(weights: FloatArray) -> list[float]:
    """Weights that can be drawn, 0 for those that are no numbers."""
    return [float(weight) if np.isfinite(weight) else 0.0 for weight in weights]


def _left_out(selection: Selection) -> str:
    """What the bars do not show, in words."""
    return f" {selection.left_out} more keys hold {weight_figure(selection.weight_left_out)}"
