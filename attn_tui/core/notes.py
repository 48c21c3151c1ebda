"""What is worth saying of a row that is sound: collapsed, flat, tied, saved by the shift, out of the dtype's reach."""

import math
from collections.abc import Iterator

import numpy as np

from attn_tui.core import measures
from attn_tui.core.arrays import FloatArray
from attn_tui.core.diagnosis import COLLAPSED_ABOVE, FLAT_ABOVE, Inputs
from attn_tui.core.softmax import Distribution


def find_notes(
    inputs: Inputs, scores: FloatArray, scaled: FloatArray, below: FloatArray, row: Distribution, naive: FloatArray
) -> list[str]:
    """Every note on a reading, the most telling first; `below` is how far each scaled score is below the largest."""
    sound = bool(inputs.mask.any()) and bool(np.isfinite(row.weights).all())
    notes = [*_shape(inputs, scores, below, row), *_naive(inputs, scaled, naive)] if sound else []
    return [*notes, *_masked(inputs, scores), *_settings(inputs), *_zero_vectors(inputs, scores)]


def _shape(inputs: Inputs, scores: FloatArray, below: FloatArray, row: Distribution) -> Iterator[str]:
    """Whether the row has collapsed on one key, or is flat."""
    if row.count < 2:
        yield f"only {inputs.name(int(np.argmax(row.winner)))} may be attended: its weight is 1 whatever its score"
        return
    peak, ratio = float(measures.peak(row)), float(measures.entropy_ratio(row))
    attended = scores[inputs.mask]
    if peak > COLLAPSED_ABOVE:
        yield f"collapsed: {inputs.name(int(np.argmax(row.winner)))} holds {peak:.5f} of the weight{_remedy(inputs)}"
    elif (attended == attended[0]).all():
        yield "flat: all scores are equal, so every key gets the same weight at any temperature"
    elif ratio > FLAT_ABOVE:
        spread = abs(float(below[inputs.mask].min()))
        by = f"scale {inputs.scale:.3g} and temperature {inputs.temperature:.3g}"
        yield f"flat: the scores differ by {spread:.3g} after {by}"


def _remedy(inputs: Inputs) -> str:
    """What a collapsed row with no scale can be told."""
    size = inputs.query.size
    if inputs.scale == 1.0 and size > 1:
        return f"; models divide scores by sqrt(hs) = {math.sqrt(size):.3g}, here the scale is 1"
    return ""


def _naive(inputs: Inputs, scaled: FloatArray, naive: FloatArray) -> Iterator[str]:
    """Where the textbook softmax fails and the stable one does not."""
    attended, kind = scaled[inputs.mask], inputs.precision
    largest = float(attended.max())
    if np.isnan(naive).any():
        if largest > kind.exp_overflows_at:
            limit = f"{kind.name}, above {kind.exp_overflows_at:.6g}"
            yield f"the naive softmax gives nan: exp({largest:.6g}) overflows {limit}"
        else:
            yield f"the naive softmax gives nan: every exp is 0, below {kind.exp_zero_below:.6g} in {kind.name}"
    elif not naive.any():
        yield f"the naive softmax gives all zeros: the sum of exps overflows {kind.name}"


def _masked(inputs: Inputs, scores: FloatArray) -> Iterator[str]:
    """Masked keys that hold no numbers, which selection keeps out and an added mask would not."""
    for key in np.flatnonzero(~np.isfinite(scores) & ~inputs.mask):
        broken = np.flatnonzero(~np.isfinite(inputs.keys[key]))
        if broken.size:
            found = f"{inputs.place(int(key), int(broken[0]))} is {inputs.keys[key, broken[0]]:g}"
            yield f"{found}, but masked: harmless here, while adding -inf to its score would not be"
            return


def _settings(inputs: Inputs) -> Iterator[str]:
    """A scale that turns or levels the scores, and one that is applied twice."""
    root = math.sqrt(inputs.query.size)
    if inputs.scale < 0.0:
        yield "the scale is below 0: the ranking is turned round"
    elif inputs.scale == 0.0:
        yield "the scale is 0: every finite score counts the same"
    elif inputs.query.size > 1 and inputs.scale != 1.0 and math.isclose(inputs.temperature, root):
        yield f"the temperature is sqrt(hs) = {root:.3g} and there is a scale too: divided twice?"


def _zero_vectors(inputs: Inputs, scores: FloatArray) -> Iterator[str]:
    """Vectors without a direction."""
    if not inputs.query.any():
        yield "the query is the zero vector: every finite key scores 0 and no cosine is defined"
    without = np.flatnonzero(scores == 0.0)
    zeros = without[~inputs.keys[without].any(axis=1)]
    if zeros.size:
        others = f" and {zeros.size - 1} more" if zeros.size > 1 else ""
        yield f"{inputs.name(int(zeros[0]))}{others} is the zero vector: its score is 0 and its cosine undefined"
