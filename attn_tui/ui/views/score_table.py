"""The columns of the Scores view: what leads from a key to its weight, number by number."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from attn_tui.core.arrays import FloatArray
from attn_tui.core.attend import Reading
from attn_tui.core.scores import angles_degrees, cosines, norms
from attn_tui.model.figures import figure, weight_figure
from attn_tui.ui.views.pinned import change

COLUMN_WIDTH = 8
"""Cells of a column, a blank before it included."""


@dataclass(frozen=True)
class Column:
    """One column of the table."""

    title: str
    place: int
    """Where it stands from the left: the order in which the numbers are computed."""
    decimals: int = 4


COLUMNS = (
    Column("q.k", 0),
    Column("cosine", 1),
    Column("norm", 3),
    Column("weight", 7),
    Column("angle", 2, 1),
    Column("scaled", 4),
    Column("- max", 5),
    Column("exp", 6),
)
"""Every column, those that stay longest where there is little room first."""


CHANGE = Column("change", 8)
"""How far the weight is from the pinned scene's."""


def columns_that_fit(width: int, *, with_change: bool = False) -> tuple[list[Column], list[Column]]:
    """The columns for which there is room, from left to right, and the others; the change goes before all but two."""
    wished = (*COLUMNS[:2], COLUMNS[3], CHANGE, COLUMNS[2], *COLUMNS[4:]) if with_change else COLUMNS
    room = max(1, width // COLUMN_WIDTH)
    return sorted(wished[:room], key=lambda column: column.place), list(wished[room:])


def cells(reading: Reading, keys: Sequence[int], pinned: FloatArray | None = None) -> dict[str, list[str]]:
    """The figures of these keys, by column; only they are computed. `pinned` are the weights to compare with, (T,)."""
    rows = list(keys)
    vectors, query = reading.inputs.keys[rows], reading.inputs.query
    undefined = [not (query.any() and vector.any()) for vector in vectors]
    numbers: dict[str, FloatArray] = {
        "q.k": reading.scores[rows],
        "cosine": cosines(query, vectors),
        "norm": norms(vectors),
        "angle": angles_degrees(query, vectors),
        "scaled": reading.scaled[rows],
        "- max": reading.below_max[rows],
        "exp": reading.exps[rows],
    }
    shown = {
        column.title: [figure(float(x), COLUMN_WIDTH - 1, column.decimals) for x in numbers[column.title]]
        for column in COLUMNS
        if column.title in numbers
    }
    for title in ("cosine", "angle"):
        shown[title] = ["n/a" if skip else text for text, skip in zip(shown[title], undefined, strict=True)]
    weights = zip(reading.weights[rows], reading.inputs.mask[rows], strict=True)
    shown["weight"] = [weight_figure(float(weight)) if may else "masked" for weight, may in weights]
    if pinned is not None:
        shown[CHANGE.title] = [change(float(reading.weights[key]), float(pinned[key])) for key in rows]
    return shown


def contributions_by_size(reading: Reading, key: int) -> tuple[FloatArray, list[int]]:
    """What each dimension adds to a key's score, (hs,), and the dimensions by magnitude, what is nan first."""
    with np.errstate(all="ignore"):
        adds = reading.inputs.query * reading.inputs.keys[key]
    order = np.argsort(-np.abs(np.where(np.isnan(adds), np.inf, adds)), kind="stable")
    return adds, [int(d) for d in order]
