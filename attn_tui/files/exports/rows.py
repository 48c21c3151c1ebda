"""The table of results, one row a key, and its cells as text that is safe in a spreadsheet."""

import csv
import io
import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeAlias

from attn_tui.core.attend import Reading
from attn_tui.files.report import without_direction
from attn_tui.files.visible import visible
from attn_tui.model.scene import Scene

ResultCell: TypeAlias = str | int | float | None
"""A label, whether a key may be attended, a number, or nothing where a measure is undefined."""

_FORMULA = re.compile(r"[\s']*[=+\-@＝＋－＠]")
"""How a text begins that a spreadsheet would compute; the wide forms count in some of them."""


@dataclass(frozen=True)
class ResultTable:
    """Headings and rows of the same length."""

    headings: tuple[str, ...]
    rows: list[tuple[ResultCell, ...]]


def key_rows(scene: Scene, reading: Reading) -> ResultTable:
    """A row for each key: label, mask (1 = may be attended), the results, the components and the value's components.

    A cosine with a zero vector is undefined, and left empty.
    """
    headings = (
        "label", "mask", "q.k", "scaled", "weight", "naive_weight", "cosine", "norm",
        *(f"d{i}" for i in range(scene.head_size)), *(f"v{i}" for i in range(scene.value_size)),
    )  # fmt: skip
    undefined = without_direction(reading)
    results = (reading.scores, reading.scaled, reading.weights, reading.naive_weights)
    columns: list[Sequence[ResultCell]] = [
        scene.labels,
        [int(may) for may in scene.mask],
        *(numbers.tolist() for numbers in results),
        [None if skip else float(x) for x, skip in zip(reading.cosines, undefined, strict=True)],
        reading.key_norms.tolist(),
        *scene.keys.T.tolist(),
        *([] if scene.values is None else scene.values.T.tolist()),
    ]
    return ResultTable(headings, list(zip(*columns, strict=True)))


def harmless(label: str) -> str:
    """A label that no spreadsheet takes for a formula, with its control characters spelt out.

    One that begins with = + - @, after blanks and apostrophes if any, gets one apostrophe more in front: `'=1+1`. To
    undo that, take one apostrophe from a label that begins with apostrophes and then one of these.
    """
    shown = visible(label)
    return f"'{shown}" if _FORMULA.match(shown) else shown


def as_csv(scene: Scene, reading: Reading) -> str:
    """The table as CSV: texts in quotes, numbers with all their digits and not in quotes, nan and inf as such."""
    return separated(key_rows(scene, reading), ",", csv.QUOTE_NONNUMERIC)


def as_tabs(scene: Scene, reading: Reading) -> str:
    """The table with tabs between its cells, as spreadsheets paste it."""
    return separated(key_rows(scene, reading), "\t", csv.QUOTE_MINIMAL)


def separated(table: ResultTable, delimiter: str, quoting: int) -> str:
    """Headings and rows, a line each, quoted where need be; floats in their shortest form that reads back the same."""
    text = io.StringIO()
    writer = csv.writer(text, delimiter=delimiter, quoting=quoting, lineterminator="\n")  # pyright: ignore[reportArgumentType] - one of csv's
    writer.writerow(table.headings)
    writer.writerows(_harmless_row(row) for row in table.rows)
    return text.getvalue()


def _harmless_row(row: Sequence[ResultCell]) -> list[ResultCell]:
    """A row with its texts made harmless."""
    return [harmless(cell) if isinstance(cell, str) else cell for cell in row]
