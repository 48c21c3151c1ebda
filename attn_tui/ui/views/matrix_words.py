"""What the Matrix view says of the cell under its cursor and of that cell's row."""

from collections.abc import Iterator
from typing import TypeAlias

from attn_tui.files.visible import visible
from attn_tui.model.figures import figure, weight_figure
from attn_tui.model.matrix import Matrix, Row
from attn_tui.ui.lines import Glyphs, cut
from attn_tui.ui.views.heat import glyph_of, shades

Phrase: TypeAlias = tuple[str, str]
"""Words, and the name of their ink."""

_TOP = 3
"""How many of the heaviest keys are named."""
_LONGEST_LABEL = 12


def words(matrix: Matrix, index: int, key: int, glyphs: Glyphs, width: int) -> list[Phrase]:
    """Row and column by name, weight, score, the row's entropy, how many keys it has, and the heaviest of them."""
    row = matrix.row(index)
    return [
        (_pair(matrix, index, key, glyphs, width), "cursor-row"),
        *_cell(matrix, row, key, glyphs),
        *_row(matrix, row, index),
        *_heaviest(matrix, row, glyphs),
        *_scene(matrix),
    ]


def _pair(matrix: Matrix, index: int, key: int, glyphs: Glyphs, width: int) -> str:
    """From which query to which key, numbered where there are many queries; names are cut, numbers are not."""
    ends = [(index, matrix.labels[index]), (key, matrix.scene.labels[key])]
    texts = [(f"{i} " if matrix.count > 1 else "", visible(label)) for i, label in ends]
    room = max(2, (width - 6 - sum(len(number) for number, _ in texts)) // 2)
    return " -> ".join(number + cut(label, room, glyphs) for number, label in texts)


def _cell(matrix: Matrix, row: Row, key: int, glyphs: Glyphs) -> Iterator[Phrase]:
    """The cell's weight and score."""
    if not matrix.scene.mask[key]:
        yield "weight 0: masked", "text"
    elif not row.attended[key]:
        yield "weight 0: comes later", "text"
    elif row.keys:
        weight = float(row.weights[key])
        code = int(shades(row.weights[[key]], row.attended[[key]], matrix.scene.count)[0])
        yield f"weight {weight_figure(weight)} {glyph_of(code, glyphs)}".rstrip(), "text" if row.is_sound else "error"
    yield f"score {figure(float(row.scores[key]))}", "text"


def _row(matrix: Matrix, row: Row, index: int) -> Iterator[Phrase]:
    """The row's entropy, or why it has none, and which keys it may attend."""
    if not row.keys:
        yield "no key may be attended: no distribution", "error"
    elif row.is_sound:
        yield f"H {figure(row.entropy, 6)} of {figure(row.entropy_max, 6)} nats", "text"
    else:
        faults = matrix.reading(index).faults
        yield f"row is nan: {visible(faults[0].message)}" if faults else "row is nan", "error"
    if matrix.causal and (last := matrix.last_key(index)) >= 0:
        yield f"keys 0..{last} of {matrix.scene.count}", "text"
    if row.keys and not matrix.scene.mask.all():
        yield f"{row.keys} of {matrix.scene.count} keys", "text"


def _heaviest(matrix: Matrix, row: Row, glyphs: Glyphs) -> Iterator[Phrase]:
    """The keys with the largest weights."""
    for place, key in enumerate(row.heaviest(_TOP) if row.is_sound else []):
        label = cut(visible(matrix.scene.labels[key]), _LONGEST_LABEL, glyphs)
        yield f"{'top ' if place == 0 else ''}{label} {weight_figure(float(row.weights[key]))}", "text"


def _scene(matrix: Matrix) -> Iterator[Phrase]:
    """What is to be known of the scene."""
    if matrix.scene.dtype != "float64":
        yield f"rows in float64, not {matrix.scene.dtype}", "dim"
    if matrix.count == 1:
        yield "one query: for more, open a model's head: f for a file, : for the examples", "dim"
