"""What can be set in the views, beside the scene: it changes what they show and is no step of the history."""

import math
from dataclasses import dataclass, replace
from typing import Self

from attn_tui.core.attend import Reading
from attn_tui.core.temperature import temperature_for
from attn_tui.model.edits import Refused

LIMITS = {"seed": (0, 2**32 - 1), "draws": (2, 10_000)}
"""The least and the most that a whole number may be."""


@dataclass(frozen=True)
class Options:
    """The views' settings."""

    by_weight: bool = False
    """Whether keys are ordered by weight where they are drawn as bars."""
    peak: float = 0.5
    """The peak that a temperature is wanted for."""
    entropy: float = 1.0
    """The entropy in nats that a temperature is wanted for."""
    wanted: str = "peak"
    """Which of the two was typed last, and is adopted: peak or entropy."""
    constant: float = 0.0
    """What is added to all scores, to see that softmax does not notice."""
    scale_query_first: bool = False
    """Whether the scale is applied to the query, before the product, instead of to the score."""
    wide_dot: bool = False
    """Whether the dot product is summed in float32 and rounded once, as tensor cores do."""
    mask_constant: int = 0
    """Which of the mask laboratory's constants is added to masked scores."""
    causal: bool = False
    """Whether each query of the matrix sees only the keys up to its own place, aligned at the end."""
    measure: int = 0
    """Which of the measures the map of heads shows."""
    seed: int = 42
    """Of the random vectors for head sizes."""
    draws: int = 200
    """Random queries for each head size."""

    def with_number(self, name: str, number: float) -> Self:
        """The settings with another number, whole where it has to be. Raises Refused for what makes no sense."""
        if isinstance(getattr(self, name), int):
            least, most = LIMITS[name]
            if not (math.isfinite(number) and number == int(number) and least <= number <= most):
                raise Refused(f"{name} has to be a whole number from {least} to {most}")
            return replace(self, **{name: int(number)})
        if math.isnan(number):
            raise Refused(f"{name} cannot be nan")
        wanted = name if name in {"peak", "entropy"} else self.wanted
        return replace(self, **{name: number, "wanted": wanted})

    def wanted_temperature(self, reading: Reading) -> float:
        """The temperature for the wish that was typed last. Raises ValueError with the reason when there is none."""
        wish: dict[str, float] = {self.wanted: float(getattr(self, self.wanted))}
        return temperature_for(reading.scores, mask=reading.inputs.mask, scale=reading.inputs.scale, **wish)
