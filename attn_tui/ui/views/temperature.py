"""View 3, Temperature: weights against tau, softer and sharper side by side, and the tau that does what is wanted."""

from collections.abc import Sequence
from functools import partial

import numpy as np

from attn_tui.core.attend import Reading
from attn_tui.core.sharpening import Tempered, softer_base_sharper
from attn_tui.core.temperature import infinite_limit, temperature_for, zero_limit
from attn_tui.files.visible import visible
from attn_tui.model.figures import figure, short, weight_figure
from attn_tui.ui.charts.weight_curves import LETTERS, weight_curves
from attn_tui.ui.fields import Desk, OptionField
from attn_tui.ui.lines import Piece, fit, wrapped
from attn_tui.ui.pen import Field
from attn_tui.ui.shown import Shown
from attn_tui.ui.views.pinned import pinned_weights, since_pinned
from attn_tui.ui.views.view import Lines, View

_NAMES = {3: 9, 4: 6}
"""Cells of a row's name, by the number of columns."""
_TABLE_WIDTH = 38
"""Cells of the table."""
_LEAST_CHART = 6
"""Lines that the chart keeps before more keys get a row."""
_TABLE = 4
"""Lines of the table above the keys' rows."""
_WANTED = (("peak", "tau for peak"), ("entropy", "tau for H"))
"""What a temperature may be wanted for."""


class TemperatureView(View):
    """What tau does to the weights, and which tau does what one wants."""

    def __init__(self, desk: Desk) -> None:
        super().__init__(desk)
        self._fields = tuple(OptionField(desk, name, f"the wanted {name}", self.locate) for name, _ in _WANTED)

    def title(self, shown: Shown) -> str:
        """The view's name."""
        return "Temperature"

    def fields(self) -> tuple[Field, ...]:
        """The wanted peak and entropy."""
        return self._fields

    def draw(self, shown: Shown, width: int, height: int) -> Lines:
        """The chart with its legend, the table, and below them the limits and what is wanted."""
        reading = shown.reading
        limits, wanted = self._limits(reading, width), self._wanted_lines(shown, width)
        if moved := since_pinned(shown):
            limits.append([(f" {moved}", self.ink("mark"))])
        room = height - _TABLE - len(limits) - sum(len(lines) for lines in wanted)
        heaviest = _heaviest(reading, max(1, min(len(LETTERS), room - _LEAST_CHART - 1)))
        legend = self._legend(reading, heaviest, width)
        lines = room - len(heaviest) - len(legend)
        chart: Lines = self._chart(reading, heaviest, width, lines) if lines >= 5 else []
        above: list[Sequence[Piece]] = [
            *chart,
            *(legend if chart else []),
            *self._table(shown, heaviest, width),
            *limits,
        ]
        return self._with_fields(above, shown, wanted)

    def _chart(self, reading: Reading, heaviest: list[int], width: int, height: int) -> Lines:
        """The weights of the heaviest keys against tau."""
        return self.kept(
            "chart",
            (reading, width, height, tuple(heaviest)),
            lambda: weight_curves(reading, heaviest, width, height, self.glyphs, self.inks()),
        )

    def _legend(self, reading: Reading, heaviest: list[int], width: int) -> list[list[Piece]]:
        """Which letter is which key."""
        names = (f"{LETTERS[i]} {visible(reading.inputs.labels[key])}" for i, key in enumerate(heaviest))
        return [[(fit(f" weight against tau: {'  '.join(names)}", width, self.glyphs), self.ink("dim"))]]

    def _table(self, shown: Shown, heaviest: list[int], width: int) -> list[list[Piece]]:
        """Softer, base and sharper, and the pinned scene: temperature, entropy, peak, the heaviest keys' weights."""
        reading, inputs = shown.reading, shown.reading.inputs
        columns = [*softer_base_sharper(reading.scores, inputs.mask, inputs.temperature, inputs.scale)]
        names = ["softer", "base", "sharper"]
        pinned = shown.pinned if pinned_weights(shown) is not None else None
        if pinned is not None:
            columns.append(Tempered(pinned.inputs.temperature, pinned.distribution))
            names.append("pinned")
        name_width = _NAMES[len(columns)]
        room = (min(width, _TABLE_WIDTH) - name_width) // len(columns)

        def row(name: str, figures: list[str], ink: str = "text") -> list[Piece]:
            """One row of the table."""
            return [
                (" " + fit(name, name_width - 1, self.glyphs) + "".join(x.rjust(room) for x in figures), self.ink(ink))
            ]

        lines = [
            row(f"{len(heaviest)} of {reading.weights.size}", names, "dim"),
            row("tau", [figure(one.temperature, room - 1) for one in columns]),
            row("H", [figure(one.entropy, room - 1) if reading.attended else "n/a" for one in columns], "strong"),
            row("peak", [figure(one.peak, room - 1, room - 3) for one in columns]),
        ]
        for key in heaviest:
            figures = [figure(float(one.weights[key]), room - 1, room - 3) for one in columns]
            lines.append(row(visible(inputs.labels[key]), figures))
        return lines

    def _limits(self, reading: Reading, width: int) -> list[list[Piece]]:
        """What the weights tend to at both ends, ties included."""
        inputs = reading.inputs
        if not reading.attended or np.isnan(reading.scores[inputs.mask]).any():
            return []
        coldest = zero_limit(reading.scores, inputs.mask, inputs.scale)
        hottest = infinite_limit(reading.scores, inputs.mask, inputs.scale)
        leading = np.flatnonzero(coldest)
        names = ", ".join(inputs.name(int(key)) for key in leading[:3]) + (" ..." if leading.size > 3 else "")
        share = "1" if leading.size == 1 else f"1/{leading.size} each, a tie"
        text = f"tau -> 0: {names} {share}; tau -> inf: {weight_figure(float(hottest.max()))} each"
        return [[(f" {line}", self.ink("text"))] for line in wrapped(visible(text), width - 2)]

    def _wanted_lines(self, shown: Shown, width: int) -> list[list[str]]:
        """For each wish the answer, or why there is none."""
        reading, options = shown.reading, shown.options
        return [
            self.kept(name, (reading, getattr(options, name), width), partial(_answer, shown, name, width))
            for name, _ in _WANTED
        ]

    def _with_fields(self, above: list[Sequence[Piece]], shown: Shown, wanted: list[list[str]]) -> Lines:
        """The lines with the wishes below, whose numbers can be typed."""
        lines = list(above)
        for (name, words), answer in zip(_WANTED, wanted, strict=True):
            chosen = shown.options.wanted == name
            before = f"{'>' if chosen else ' '}{words} "
            number = self.field_piece(name, float(getattr(shown.options, name)), len(before), len(lines))
            lines.append([(before, self.ink("text")), number, (f" {answer[0]}", self.ink("strong"))])
            lines.extend([(f"   {line}", self.ink("error"))] for line in answer[1:])
        return lines


def _answer(shown: Shown, name: str, width: int) -> list[str]:
    """The temperature for a wish; where there is none "none", and the reason in lines of its own."""
    inputs = shown.reading.inputs
    wish: dict[str, float] = {name: float(getattr(shown.options, name))}
    try:
        return [short(temperature_for(shown.reading.scores, mask=inputs.mask, scale=inputs.scale, **wish), 6)]
    except ValueError as reason:
        return ["none", *wrapped(str(reason), width - 4)]


def _heaviest(reading: Reading, count: int) -> list[int]:
    """The keys with the largest weights, heaviest first; those that may be attended before those that may not."""
    order = np.argsort(np.where(reading.inputs.mask, -reading.weights, np.inf), kind="stable")
    return [int(key) for key in order[: min(count, max(1, reading.attended))]]
