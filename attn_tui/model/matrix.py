"""All queries of a scene's head over its keys, a row at a time: only rows that are asked for are computed."""

import math
from dataclasses import dataclass

import numpy as np

from attn_tui.core.arrays import BoolArray, FloatArray
from attn_tui.core.attend import Reading, attend, attend_many
from attn_tui.core.causal import places, up_to
from attn_tui.model.heads import all_queries, mask_of, vectors_of
from attn_tui.model.scene import Scene

MOST_NUMBERS = 2**23
"""Weights that are remembered: 64 MiB of them, and as much of scores."""


@dataclass(frozen=True, eq=False)
class Row:
    """What one query gives over all keys, in float64."""

    scores: FloatArray
    """(T,): q.k, masked keys included."""
    weights: FloatArray
    """(T,): exactly 0 where masked; nan in a row that is broken."""
    attended: BoolArray
    """(T,): which keys it may attend."""
    entropy: float
    """In nats, nan where there is no distribution."""

    @property
    def keys(self) -> int:
        """How many keys it may attend."""
        return int(self.attended.sum())

    @property
    def is_sound(self) -> bool:
        """Whether there is a distribution, all of it finite."""
        return bool(np.isfinite(self.entropy))

    @property
    def entropy_max(self) -> float:
        """Ln n over the n keys that it may attend, in nats; there has to be one."""
        return math.log(self.keys)

    @property
    def entropy_ratio(self) -> float:
        """H / ln n; 0 for a single key."""
        return self.entropy / self.entropy_max if self.keys > 1 else 0.0

    def heaviest(self, count: int) -> list[int]:
        """The keys with the largest weights, the heaviest first."""
        order = np.argsort(-self.weights, kind="stable")
        return [int(key) for key in order[:count] if self.attended[key]]


class Matrix:
    """The rows of a scene's head: the scene's keys, mask, temperature and scale, causal on top where wanted."""

    def __init__(self, scene: Scene, *, causal: bool = False) -> None:
        self.scene, self.causal = scene, causal
        self.queries, self.labels, self.own = all_queries(scene)
        """(Tq, hs), what each is called, and which of them is the scene's."""
        self._places = places(self.count, scene.count)
        self._rows: dict[int, Row] = {}

    @property
    def count(self) -> int:
        """How many rows there are."""
        return len(self.queries)

    def row(self, index: int) -> Row:
        """One row."""
        if index not in self._rows:
            if len(self._rows) * self.scene.count >= MOST_NUMBERS:
                del self._rows[next(iter(self._rows))]
            self._rows[index] = self._computed(index)
        return self._rows[index]

    def mask(self, index: int) -> BoolArray:
        """Which keys a row may attend: (T,)."""
        mask = mask_of(self.scene, index)
        return mask & up_to(self._places[[index]], self.scene.count)[0] if self.causal else mask

    def last_key(self, index: int) -> int:
        """The last key that a causal mask leaves to a row, below 0 for none."""
        return int(self._places[index])

    def reading(self, index: int) -> Reading:
        """A row with everything that follows from it, its faults in words too."""
        query, keys = vectors_of(self.scene, self.queries, index)
        return attend(
            query,
            keys,
            temperature=self.scene.temperature,
            scale=self.scene.scale_factor,
            mask=self.mask(index),
            labels=self.scene.labels,
        )

    def _computed(self, index: int) -> Row:
        """A row, computed."""
        mask = self.mask(index)
        query, keys = vectors_of(self.scene, self.queries, index)
        read = attend_many(
            query,
            keys,
            temperature=self.scene.temperature,
            scale=self.scene.scale_factor,
            mask=mask,
        )
        return Row(read.scores, read.weights, mask, float(read.entropies))


def row_entropies(scene: Scene) -> list[float | None]:
    """The entropy of every query of the scene's head, in nats, (Tq,); None where no key may be attended."""
    matrix = Matrix(scene)
    rows = (matrix.row(index) for index in range(matrix.count))
    return [row.entropy if row.keys else None for row in rows]
