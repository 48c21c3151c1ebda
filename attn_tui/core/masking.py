"""Masks as many programs have them: a large negative number added to the scores of the keys that may not be attended.

That is right only as long as the dtype holds the number, no score is not finite, and some key may be attended. What
it gives is compared to selection, which leaves masked keys out. The two are called the mask's laboratory.
"""

import math
from dataclasses import dataclass

import numpy as np

from attn_tui.core.arrays import BoolArray, FloatArray
from attn_tui.core.precision import Precision, normalised

MASK_CONSTANTS = ("-inf", "lowest", "-1e4", "-1e9")
"""What is added; "lowest" is the dtype's lowest finite number."""


@dataclass(frozen=True, eq=False)
class AddedMask:
    """A softmax over all keys, the masked ones' scores lowered by a constant."""

    name: str
    """One of `MASK_CONSTANTS`."""
    given: float
    """The constant."""
    stored: float
    """As the dtype stores it."""
    scores: FloatArray
    """(T,): scores, masked ones with the constant added."""
    weights: FloatArray
    """(T,): what the arithmetic gives."""
    mask: BoolArray
    """(T,): true may be attended."""
    margin: float | None
    """The lowest score that counts minus the constant; None where none counts."""
    least_margin: float
    """ln(1/unit roundoff): from here on the sum does not notice a masked key."""
    largest_difference: float | None
    """To the weights by selection, NaN if a weight is; None where there are no right ones."""

    @property
    def leaked(self) -> float:
        """The weight that goes to masked keys."""
        return float(self.weights[~self.mask].sum())

    @property
    def is_thin(self) -> bool:
        """Whether the margin is too small for the constant to stand for minus infinity."""
        return self.margin is not None and not self.margin >= self.least_margin

    @property
    def outcome(self) -> str:
        """What comes of it, in words."""
        is_nan = bool(np.isnan(self.weights).any())
        if not self.mask.any():
            return "nan" if is_nan else "looks like a distribution, and is none"
        if is_nan:
            return "nan"
        if not self.weights.any():
            return "all weights 0"
        if self.leaked > 0.0:
            return "masked keys get weight"
        return "as selection" if self.largest_difference == 0.0 else "not as selection"


def constant_of(name: str, kind: Precision) -> float:
    """The number that one of `MASK_CONSTANTS` stands for."""
    return -kind.largest if name == "lowest" else float(name)


def add_mask(scores: FloatArray, mask: BoolArray, kind: Precision, right: FloatArray, name: str) -> AddedMask:
    """Softmax in a dtype of scores (T,) to which a constant is added where masked, against the right weights (T,)."""
    given = constant_of(name, kind)
    constant = kind.rounded_one(given)
    everyone = np.ones(mask.shape, dtype=np.bool_)
    with np.errstate(all="ignore"):
        added = np.where(mask, scores, kind.rounded(scores + constant))
        weights = normalised(kind.rounded(added - added.max()), everyone, kind)[2]
        margin = float(scores[mask].min() - constant) if mask.any() else None
        difference = float(np.abs(weights - right).max()) if mask.any() else None
    least = math.log(1.0 / kind.unit_roundoff)
    return AddedMask(name, given, constant, added, weights, mask, margin, least, difference)


def outcomes(scores: FloatArray, mask: BoolArray, kind: Precision, right: FloatArray) -> list[AddedMask]:
    """The same for every constant there is."""
    return [add_mask(scores, mask, kind, right, name) for name in MASK_CONSTANTS]


def output(weights: FloatArray, values: FloatArray, kind: Precision) -> FloatArray:
    """Sum of weight * value over all keys in a dtype: (T,), (T, dv) -> (dv,)."""
    with np.errstate(all="ignore"):
        return kind.running_sum(kind.rounded(weights[:, None] * kind.rounded(values)).T)
