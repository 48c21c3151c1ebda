"""The two lines at the bottom that speak: what the cell under the cursor does, and what is wrong or worth knowing."""

import textwrap
from collections.abc import Sequence

import numpy as np
from rich.cells import cell_len

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

_LAST_GOOD = " (shown: the last good number)"
"""What is added to the reason why a number is none yet, where there is room; the panes' frames say it as well."""


class Readout(Pane):
    """Two lines: the cell's, and what is to be said; a long sentence takes both."""

    frame = 0

    def draw(self, shown: Shown, width: int, height: int) -> Sequence[Sequence[Piece]]:
        """The cell in words, then the most urgent sentence there is."""
        text, ink = remark(shown)
        if shown.problem is not None and cell_len(text) + cell_len(_LAST_GOOD) <= width - 2:
            text += _LAST_GOOD
        room = 1 if shown.typing else height
        sentence = self._sentence(visible(text), width - 2, room)
        lines: list[list[Piece]] = [[(f" {line}", self.ink(ink))] for line in sentence]
        if len(lines) < height:
            about = _joined([visible(part) for part in about_cell(shown)], width - 2)
            lines.insert(0, [(f" {about}", self.ink("text"))])
        return lines

    def _sentence(self, text: str, width: int, most: int) -> list[str]:
        """A sentence in as many lines as it takes, up to so many."""
        if len(text) <= width and text.isascii():
            return [text] if text else []
        return textwrap.wrap(text, width, max_lines=most, placeholder=self.glyphs.ellipsis)


def remark(shown: Shown) -> tuple[str, str]:
    """What is to be said, and in which ink: an unfinished number, a message, a fault, or a note."""
    if shown.problem is not None:
        return shown.problem, "error"
    if shown.message is not None:
        return shown.message, "mark"
    faults = shown.reading.faults
    if faults:
        here = [fault for fault in faults if fault.key == shown.key and shown.key is not None]
        others = f" (and {len(faults) - 1} more)" if len(faults) > 1 else ""
        return (here or faults)[0].message + others, "error"
    notes = shown.reading.notes
    return (notes[0] if notes else _about_source(shown.scene), "mark")


def _about_source(scene: Scene) -> str:
    """What has to be known of a model's numbers, empty for nothing."""
    source = scene.source
    if source is None or source.dump is None or source.remark:
        return "" if source is None else source.remark
    return "scale 1: models divide by sqrt(hs), and so does s" if scene.scale == 1.0 else ""


def about_cell(shown: Shown) -> list[str]:
    """What the cell under the cursor does, in parts of which the first are the most telling."""
    scene, cell = shown.scene, shown.cursor
    if shown.typing is not None and not shown.types_cell:
        return [shown.typing]
    number = shown.typing or f"{scene.cell_name(cell)} {figure(scene.component(cell))}"
    if cell.row == QUERY:
        return [number, *_about_query(shown.reading, scene, cell.column)]
    if cell.column >= scene.head_size:
        return [number, *_about_value(shown.reading, cell.row, cell.column - scene.head_size)]
    return [number, *_about_key(shown.reading, cell.row, cell.column)]


def _about_key(reading: Reading, key: int, dimension: int) -> list[str]:
    """What a key's component adds to its score, and where the key stands."""
    query, vector = reading.inputs.query, reading.inputs.keys[key]
    with np.errstate(all="ignore"):
        adds = float(query[dimension] * vector[dimension])
    cosine = float(cosines(query, vector[None, :])[0])
    is_defined = bool(query.any() and vector.any())
    weight = weight_figure(float(reading.weights[key])) if reading.inputs.mask[key] else "masked"
    return [
        f"adds {_signed(adds)} to the score {figure(float(reading.scores[key]))}",
        f"cosine {f'{cosine:.2f}' if is_defined else 'undefined'}",
        f"weight {weight}",
    ]


def _about_query(reading: Reading, scene: Scene, dimension: int) -> list[str]:
    """Which keys gain and lose as a component of the query grows."""
    length = f"|q| {figure(float(norms(reading.inputs.query)))}"
    column: FloatArray = np.where(reading.inputs.mask, reading.inputs.keys[:, dimension], np.nan)
    if not np.isfinite(column[reading.inputs.mask]).all() or not reading.inputs.mask.any():
        return [length]
    most, least = int(np.nanargmax(column)), int(np.nanargmin(column))
    if column[most] == column[least]:
        return [length, "growing it moves all scores alike"]
    gains, loses = spoken(scene.labels[most]), spoken(scene.labels[least])
    return [length, f"growing it favours {gains} most and {loses} least"]


def _about_value(reading: Reading, key: int, component: int) -> list[str]:
    """What a value's component adds to the output."""
    values, output = reading.inputs.values, reading.output
    if values is None or output is None:
        return []
    weight = float(reading.weights[key])
    with np.errstate(all="ignore"):
        adds = weight * float(values[key, component]) if reading.inputs.mask[key] else 0.0
    total = figure(float(output[component]))
    return [f"weight {weight_figure(weight)}", f"adds {_signed(adds)} to the output {total}"]


def _signed(number: float) -> str:
    """A number with its sign."""
    return ("+" if number >= 0.0 else "") + figure(number)


def _joined(parts: list[str], width: int) -> str:
    """As many parts as fit, whole: a number that is cut off would be another number."""
    text = ""
    for part in parts:
        longer = f"{text}  {part}" if text else part
        if text and cell_len(longer) > width:
            break
        text = longer
    return text
