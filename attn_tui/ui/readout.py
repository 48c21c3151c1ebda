"""The two lines at the bottom that speak: what the cell under the cursor does, and what is wrong or worth knowing."""

import textwrap
from collections.abc import Sequence

import numpy as np

from attn_tui.core.arrays import FloatArray
from attn_tui.core.attend import Reading
from attn_tui.core.diagnosis import spoken
from attn_tui.core.scores import cosines, norms
from attn_tui.files.visible import visible
from attn_tui.model.figures import figure, weight_figure
from attn_tui.model.scene import QUERY, Scene
from attn_tui.ui.lines import Piece
from attn_tui.ui.pane import Pane
from attn_tui.ui.shown import Shown


class Readout(Pane):
    """Two lines: the cell's, and what is to be said; a long sentence takes both."""

    def draw(self, shown: Shown, width: int, height: int) -> Sequence[Sequence[Piece]]:
        """The cell in words, then the most urgent sentence there is."""
        text, ink = remark(shown)
        sentence = textwrap.wrap(visible(text), width - 2, max_lines=height, placeholder=self.glyphs.ellipsis)
        lines: list[list[Piece]] = [[(f" {line}", self.ink(ink))] for line in sentence]
        if len(lines) < height:
            lines.insert(0, [(f" {visible(about_cell(shown))}", self.ink("text"))])
        return lines


def remark(shown: Shown) -> tuple[str, str]:
    """What is to be said, and in which ink: an unfinished number, a message, a fault, or a note."""
    if shown.problem is not None:
        return f"{shown.problem} (shown: the last good number)", "error"
    if shown.message is not None:
        return shown.message, "mark"
    faults = shown.reading.faults
    if faults:
        here = [fault for fault in faults if fault.key == shown.key and shown.key is not None]
        others = f" (and {len(faults) - 1} more)" if len(faults) > 1 else ""
        return (here or faults)[0].message + others, "error"
    notes = shown.reading.notes
    return (notes[0], "mark") if notes else ("", "text")


def about_cell(shown: Shown) -> str:
    """What the cell under the cursor does."""
    scene, cell = shown.scene, shown.cursor
    number = shown.typing or f"{scene.cell_name(cell)} {figure(scene.component(cell))}"
    if cell.row == QUERY:
        return f"{number}  {_about_query(shown.reading, scene, cell.column)}"
    if cell.column >= scene.head_size:
        return f"{number}  {_about_value(shown.reading, cell.row, cell.column - scene.head_size)}"
    return f"{number}  {_about_key(shown.reading, cell.row, cell.column)}"


def _about_key(reading: Reading, key: int, dimension: int) -> str:
    """What a key's component adds to its score, and where the key stands."""
    query, vector = reading.inputs.query, reading.inputs.keys[key]
    with np.errstate(all="ignore"):
        adds = float(query[dimension] * vector[dimension])
    score, weight = float(reading.scores[key]), float(reading.weights[key])
    cosine = float(cosines(query, vector[None, :])[0])
    shown_cosine = "undefined" if np.isnan(cosine) and not (query.any() and vector.any()) else f"{cosine:.2f}"
    said_weight = weight_figure(weight) if reading.inputs.mask[key] else "masked"
    sign = "+" if adds >= 0.0 else ""
    return f"adds {sign}{figure(adds)} to the score {figure(score)}  cosine {shown_cosine}  weight {said_weight}"


def _about_query(reading: Reading, scene: Scene, dimension: int) -> str:
    """Which keys gain and lose as a component of the query grows."""
    column: FloatArray = np.where(reading.inputs.mask, reading.inputs.keys[:, dimension], np.nan)
    length = f"|q| {figure(float(norms(reading.inputs.query)))}"
    if not np.isfinite(column[reading.inputs.mask]).all() or not reading.inputs.mask.any():
        return length
    most, least = int(np.nanargmax(column)), int(np.nanargmin(column))
    if column[most] == column[least]:
        return f"{length}   growing it moves all scores alike"
    gains, loses = spoken(scene.labels[most]), spoken(scene.labels[least])
    return f"{length}   growing it favours {gains} most and {loses} least"


def _about_value(reading: Reading, key: int, component: int) -> str:
    """What a value's component adds to the output."""
    values, output = reading.inputs.values, reading.output
    if values is None or output is None:
        return ""
    weight = float(reading.weights[key])
    with np.errstate(all="ignore"):
        adds = weight * float(values[key, component]) if reading.inputs.mask[key] else 0.0
    sign = "+" if adds >= 0.0 else ""
    return f"weight {weight_figure(weight)}  adds {sign}{figure(adds)} to the output {figure(float(output[component]))}"
