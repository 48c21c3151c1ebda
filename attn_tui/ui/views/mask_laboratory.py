"""The mask laboratory of the stability view: what a number added to masked scores does, against selection."""

from collections.abc import Iterator

import numpy as np

from attn_tui.core.attend import Reading
from attn_tui.core.masking import AddedMask, outcomes, output
from attn_tui.core.stability import Comparison
from attn_tui.model.figures import figure
from attn_tui.ui.views.stability_remarks import LAST_RANK, Remark, Section

_WIDE = 60
"""Cells from which on all constants are listed beside each other."""


def laboratory(made: Comparison, added: AddedMask | None, reading: Reading, key: int | None, width: int) -> Section:
    """What the chosen constant does, and below it all of them where there is room."""
    if added is None:
        return Section("Mask laboratory", (Remark(4, "no key is masked: m masks one", "dim"),))
    remarks = [*_margin(made, added), *_result(added), *_one_key(made, added, key), *_output(made, added, reading)]
    if width >= _WIDE:
        remarks.extend(_all(made))
    return Section(f"Mask as {added.name} (E: next)", tuple(remarks))


def _margin(made: Comparison, added: AddedMask) -> Iterator[Remark]:
    """The constant as the dtype stores it, and how far it is below the scores that count."""
    kept = f"{added.name} -> {added.stored:.6g} in {made.precision.name}"
    yield Remark(1, kept)
    if added.margin is None:
        yield Remark(2, "all keys masked: no score that counts")
    elif added.is_thin:
        yield Remark(1, f"margin {figure(added.margin)}, below {added.least_margin:.1f}: too small", "error")
    else:
        yield Remark(2, f"margin {figure(added.margin)} to the lowest score")


def _result(added: AddedMask) -> Iterator[Remark]:
    """What comes of it."""
    is_right = added.outcome == "as selection"
    size = f" {figure(added.leaked)}" if added.outcome == "masked keys get weight" else ""
    yield Remark(1, f"gives: {added.outcome}{size}", "text" if is_right else "error")


def _one_key(made: Comparison, added: AddedMask, key: int | None) -> Iterator[Remark]:
    """The sum for one masked key: that under the cursor, or the first."""
    masked = np.flatnonzero(~made.mask)
    one = key if key is not None and not made.mask[key] else int(masked[0])
    left, right = f"{made.moved[one]:.6g}", f"{added.stored:.6g}"
    yield Remark(2, f"{made.inputs.name(one)}: {left} + {right} -> {added.scores[one]:.6g}")


def _output(made: Comparison, added: AddedMask, reading: Reading) -> Iterator[Remark]:
    """The first component of the output where the values are mixed by these weights."""
    values = made.inputs.values
    if values is None or reading.output is None:
        return
    got, right = float(output(added.weights, values, made.precision)[0]), float(reading.output[0])
    if got != right:
        yield Remark(2, f"output v0 {figure(got)} instead of {figure(right)}", "error")


def _all(made: Comparison) -> Iterator[Remark]:
    """A line for each constant."""
    yield Remark(LAST_RANK, f"{'added':>7} {'stored':>12} {'margin':>9} {'to masked':>9}  result", "dim")
    for one in outcomes(made.moved, made.mask, made.precision, made.stable.weights):
        margin = "-" if one.margin is None else figure(one.margin)
        yield Remark(LAST_RANK, f"{one.name:>7} {one.stored:>12.6g} {margin:>9} {figure(one.leaked):>9}  {one.outcome}")
