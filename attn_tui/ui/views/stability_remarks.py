"""What the stability view says below its table, each sentence with a rank, so that the most telling get the room."""

import math
import textwrap
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from attn_tui.core import measures
from attn_tui.core.arrays import BoolArray
from attn_tui.core.precision import ML_EXTRA, NUMPY_DTYPES, dtypes
from attn_tui.core.stability import Comparison, Resolution, entropy_with, stored
from attn_tui.files.visible import visible
from attn_tui.model.figures import figure
from attn_tui.model.scene import QUERY, Cell, Scene

LAST_RANK = 5
"""What is said only where there is plenty of room."""
SWALLOWED = 0.01
"""How far from 1 the sum of weights may be before it is told."""
EPSILONS = (1e-12, 1e-8, 1e-5)
"""What programs put inside the logarithm; the lesson the first."""


@dataclass(frozen=True)
class Remark:
    """A sentence."""

    rank: int
    """0 is said wherever there is room at all, `LAST_RANK` last."""
    text: str
    ink: str = "text"

    def lines(self, width: int) -> list[str]:
        """The sentence in lines of this width, the outside text in it made harmless."""
        return textwrap.wrap(visible(self.text), max(8, width - 2), break_on_hyphens=False)


@dataclass(frozen=True)
class Section:
    """Sentences that belong together."""

    title: str
    """Empty for those right below the table."""
    remarks: tuple[Remark, ...]


def chosen(sections: Sequence[Section], width: int, room: int) -> list[tuple[Section, list[Remark]]]:
    """The sentences that there is room for, low ranks first, in their own order."""
    kept: list[tuple[int, int]] = []
    opened: set[int] = set()
    for rank in range(LAST_RANK + 1):
        for s, section in enumerate(sections):
            for r, remark in enumerate(section.remarks):
                needed = len(remark.lines(width)) + (1 if section.title and s not in opened else 0)
                if remark.rank == rank and needed <= room:
                    room -= needed
                    opened.add(s)
                    kept.append((s, r))
    return [
        (section, [remark for r, remark in enumerate(section.remarks) if (s, r) in kept])
        for s, section in enumerate(sections)
        if s in opened
    ]


def about_the_row(made: Comparison, scene: Scene, cursor: Cell) -> Section:
    """Weights that are lost, the cell under the cursor as it is stored, the entropy."""
    key = None if cursor.row == QUERY else cursor.row
    remarks = [*_small_weights(made, key), *_stored(made, scene, cursor), *_swallowed(made), *_entropy(made)]
    return Section("", tuple(remarks))


def about_the_dtype(made: Comparison) -> Section:
    """Its limits, and what it has room for at these scores."""
    kind = made.precision
    beyond = "nan" if kind.name == "float8_e4m3fn" else "inf"
    limits = [
        Remark(0, f"largest {kind.largest:.5g}  epsilon {kind.epsilon:.3g}"),
        Remark(0, f"exp {beyond} above {kind.exp_overflows_at:.2f}, 0 below {kind.exp_zero_below:.2f}"),
    ]
    remarks = [*limits, *_difference(made), *_resolution(made.resolution), *_settings(made), *_more_dtypes()]
    return Section(f"{kind.name} (b: next)", tuple(remarks))


def _small_weights(made: Comparison, cursor: int | None) -> Iterator[Remark]:
    """Weights that are 0, or have lost digits, though they have a logarithm."""
    for found, word in ((made.underflown, "underflow"), (made.subnormal, "denormal")):
        if found.any():
            key = _first(found, cursor)
            others = f" (+{int(found.sum()) - 1})" if found.sum() > 1 else ""
            weight, log = float(made.stable.weights[key]), float(made.log_weights[key])
            shown = "weight 0" if weight == 0.0 else figure(weight)
            text = f"{made.inputs.name(key)}{others} {word}: {shown}, ln w {figure(log)}"
            yield Remark(1, text, "mark")


def _swallowed(made: Comparison) -> Iterator[Remark]:
    """What z - logsumexp(z) loses, where z is so large that it shows."""
    most = max(SWALLOWED, 16.0 * made.precision.epsilon)
    if made.mask.any() and abs(made.wrong_total - 1.0) > most:
        yield Remark(2, f"exp(z - lse(z)) adds up to {figure(made.wrong_total)}: ln(sum) is lost in z", "mark")


def _stored(made: Comparison, scene: Scene, cursor: Cell) -> Iterator[Remark]:
    """The number under the cursor as it was typed and as the dtype stores it."""
    if made.precision.name == "float64" or cursor.column >= scene.head_size:
        return
    found = stored(made.inputs, None if cursor.row == QUERY else cursor.row, cursor.column)
    name = scene.cell_name(cursor)
    if found.became == found.given:
        yield Remark(4, f"{name} {found.given:.9g} is stored exactly", "dim")
        return
    change = f"score {made.inputs.name(found.key)} {'+' if found.change >= 0 else ''}{figure(found.change)}"
    yield Remark(2, f"{name} {found.given:.9g} -> {found.became:.9g}, {change}")


def _entropy(made: Comparison) -> Iterator[Remark]:
    """The entropy of the stable weights, and what an epsilon inside the logarithm would make of it."""
    if not made.mask.any():
        yield Remark(3, "H undefined: no key may be attended")
        return
    is_exact = made.precision.name == "float64"
    row = made.exact if is_exact else measures.from_rounded(made.stable.weights, made.mask)
    nats = float(measures.shannon_entropy(row))
    if math.isnan(nats):
        yield Remark(3, "H nan", "error")
        return
    ratio = float(measures.entropy_ratio(row))
    part = "n/a (1 key)" if made.mask.sum() == 1 else f"{figure(100.0 * ratio, 5, 1)} %"
    yield Remark(3, f"H {figure(nats)} nats = {figure(nats / math.log(2.0))} bits, {part}")
    told: list[str] = []
    for epsilon in EPSILONS:
        wrong = entropy_with(epsilon, made.stable.weights[made.mask], made.precision)
        kept = "" if made.precision.rounded_one(epsilon) else " = 0"
        told.append(f"{figure(wrong)} for {epsilon:g}{kept}")
    yield Remark(LAST_RANK, f"with ln(w + e) H would be {', '.join(told)}", "dim")


def _difference(made: Comparison) -> Iterator[Remark]:
    """How far the stable weights are from those of float64."""
    difference = made.largest_difference
    if difference is not None and made.precision.name != "float64":
        ink = "error" if math.isnan(difference) else "text"
        yield Remark(1, f"largest difference to float64 {figure(difference)}", ink)


def _resolution(resolution: Resolution | None) -> Iterator[Remark]:
    """Room above the largest product, and the distance between numbers at the largest score."""
    if resolution is None:
        return
    short = resolution.headroom < 1.0
    text = f"max |q.k| {resolution.largest_product:.6g}, headroom x{resolution.headroom:.3g}"
    yield Remark(1 if short else 4, text, "error" if short else "text")
    gap = "" if math.isnan(resolution.gap) else f", gap {resolution.gap:.4g}{': lost' if resolution.is_lost else ''}"
    step = f"{resolution.step:.3g}" if resolution.step < 1.0 else f"{resolution.step:.6g}"
    text = f"step at {resolution.largest_score:.6g} is {step}{gap}"
    yield Remark(1 if resolution.is_lost else 4, text, "error" if resolution.is_lost else "text")


def _settings(made: Comparison) -> Iterator[Remark]:
    """Temperature and scale as the dtype stores them, and how the steps are computed."""
    steps, inputs, method = made.steps, made.inputs, made.method
    if steps.divisor != inputs.temperature:
        yield Remark(1, f"tau {inputs.temperature:.6g} -> {steps.divisor:.6g} in {made.precision.name}")
    if steps.factor != inputs.scale:
        yield Remark(3, f"scale {inputs.scale:.6g} -> {steps.factor:.6g}")
    wide = method.wide_dot and made.precision.name != "float64"
    order = "before" if method.scale_query_first else "after"
    sums = "float32" if wide else made.precision.name
    yield Remark(2 if method.scale_query_first or wide else 4, f"O scale {order} product  W sums {sums}")


def _more_dtypes() -> Iterator[Remark]:
    """How to get those that are missing."""
    if dtypes() == NUMPY_DTYPES:
        yield Remark(2, f"more dtypes: {ML_EXTRA}", "dim")


def _first(found: BoolArray, cursor: int | None) -> int:
    """The key under the cursor if it is one of those, else the first of them."""
    return cursor if cursor is not None and found[cursor] else int(np.argmax(found))
