"""The map of a dump's heads: what each does on average, found head by head."""

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np

from attn_tui.core.arrays import BoolArray, FloatArray
from attn_tui.core.causal import causal_mask, places
from attn_tui.core.patterns import Pattern, average, row_blocks
from attn_tui.model.scene import Scene
from attn_tui.model.source import Dump


@dataclass(frozen=True)
class Measure:
    """Something that the map can show of each head."""

    name: str
    of: Callable[[Pattern], float | None]
    is_entropy: bool = False
    """Whether it is in nats, from 0 to ln T; the others are shares of 1."""


MEASURES = (
    Measure("mean entropy", lambda pattern: pattern.entropy, is_entropy=True),
    Measure("first token", lambda pattern: pattern.first),
    Measure("previous token", lambda pattern: pattern.previous),
    Measure("peak", lambda pattern: pattern.peak),
)
"""Every measure; the first is the one to begin with."""


class HeadMap:
    """The patterns of all heads of a dump, as they become known.

    They depend on the dump, the temperature, the scale and whether the mask is causal. The scene's own query, its
    edited keys and its mask are not in it: it shows the model as it was dumped.
    """

    def __init__(self, dump: Dump, temperature: float, scale: float, *, causal: bool) -> None:
        self.dump, self.temperature, self.scale, self.causal = dump, temperature, scale, causal
        self.patterns: dict[tuple[int, ...], Pattern] = {}
        """What is known by now, by the head's indices."""

    @classmethod
    def of(cls, scene: Scene, dump: Dump, *, causal: bool) -> "HeadMap":
        """The map at a scene's temperature and scale; 1/sqrt(hs) takes the dump's head size."""
        scale = 1.0 / math.sqrt(dump.queries.shape[-1]) if scene.scale == "sqrt" else scene.scale
        return cls(dump, scene.temperature, scale, causal=causal)

    def is_same(self, other: "HeadMap") -> bool:
        """Whether another map shows the same."""
        mine, others = ((heads.temperature, heads.scale, heads.causal) for heads in (self, other))
        return self.dump is other.dump and mine == others

    @property
    def total(self) -> int:
        """How many heads there are."""
        return math.prod(self.dump.shape)

    @property
    def is_complete(self) -> bool:
        """Whether all of them are known."""
        return len(self.patterns) == self.total

    @property
    def most_entropy(self) -> float:
        """Ln T, in nats."""
        return math.log(self.dump.key_count)

    def value(self, head: tuple[int, ...], measure: Measure) -> float | None:
        """A measure of a head, None while it is not known or where it is undefined."""
        pattern = self.patterns.get(head)
        return None if pattern is None else measure.of(pattern)

    def part(self, value: float, measure: Measure) -> float:
        """A measure as a part of the most that it can be: 0 to 1, nan if it is nan."""
        if not measure.is_entropy:
            return value
        return value / self.most_entropy if self.most_entropy > 0.0 else value

    def extremes(self, measure: Measure) -> tuple[tuple[int, ...], tuple[int, ...]] | None:
        """The heads with the least and the most of a measure among those known; None while there are none."""
        values = [(self.value(head, measure), head) for head in list(self.patterns)]
        known = [(value, head) for value, head in values if value is not None and math.isfinite(value)]
        return (min(known)[1], max(known)[1]) if known else None

    def steps(self) -> Iterator[int]:
        """Find out about every head that is not known yet, in steps of a few milliseconds; how many are known."""
        for head in self.dump.heads():
            if head in self.patterns:
                continue
            blocks: list[FloatArray] = []
            for block in row_blocks(
                *self.dump.head(head), self._mask(head), temperature=self.temperature, scale=self.scale
            ):
                blocks.append(block)
                yield len(self.patterns)
            at = places(self.dump.query_count, self.dump.key_count)
            self.patterns[head] = average(np.concatenate(blocks, axis=1), at)

    def _mask(self, head: tuple[int, ...]) -> BoolArray | None:
        """Which keys each query of a head may attend: (Tq, Tk), None for all."""
        count, keys = self.dump.query_count, self.dump.key_count
        causal = causal_mask(count, keys) if self.causal else None
        if self.dump.mask is None:
            return causal
        mask = np.stack([self.dump.row_mask(head, row) for row in range(count)])
        return mask if causal is None else mask & causal
