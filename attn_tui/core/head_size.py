"""Why attention divides by sqrt(hs): random queries and keys of many head sizes, and what softmax makes of them.

The components are drawn from the standard normal distribution, so q.k is a sum of hs products of variance 1 and its
spread is sqrt(hs). Source: lesson, section 6; A. Vaswani et al., "Attention is all you need", 2017, section 3.2.1.
"""

import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Self

import numpy as np

from attn_tui.core import measures
from attn_tui.core.arrays import FloatArray
from attn_tui.core.softmax import distribution

HEAD_SIZES = tuple(2**power for power in range(13))
"""The head sizes that are always drawn: 1, 2, 4, ... 4096."""
LARGEST = 65_536
"""The largest head size that is drawn."""
FEWEST_KEYS, MOST_KEYS = 2, 64
"""How many keys are drawn for a query: with one there is nothing to weigh, with thousands nothing more to see."""
CHUNK = 1 << 17
"""Components that are drawn in one go: a few milliseconds of work."""
_STEPS_OF_MEASURES = 16
"""About how many times the work of drawing a component it is to measure a score."""


@dataclass(frozen=True)
class Setting:
    """What is drawn. The same setting gives the same numbers."""

    head_size: int
    """The one that is asked about, drawn beside `HEAD_SIZES`."""
    keys: int
    """T: keys for each query."""
    draws: int
    """Queries for each head size, each with keys of its own."""
    seed: int

    @classmethod
    def of(cls, head_size: int, keys: int, draws: int, seed: int) -> Self:
        """A setting, with the head size and the number of keys brought within what is drawn."""
        return cls(min(head_size, LARGEST), min(max(keys, FEWEST_KEYS), MOST_KEYS), draws, seed)

    @property
    def sizes(self) -> tuple[int, ...]:
        """The head sizes in the order in which they are drawn: the one that is asked about, then rising."""
        return (self.head_size, *(size for size in HEAD_SIZES if size != self.head_size))

    @property
    def components(self) -> int:
        """Random numbers that all of it takes."""
        return self.draws * (self.keys + 1) * sum(self.sizes)


@dataclass(frozen=True)
class Weighing:
    """What softmax makes of random scores under one scale, over the draws."""

    entropy: float
    """Mean entropy of the weights, in nats."""
    entropy_ratio: float
    """The same as a part of ln T, from 0 to 1."""
    peak: float
    """Mean of the largest weight."""
    gradient: float
    """Mean Frobenius norm of the derivative of the weights by q.k: of the softmax Jacobian times |scale|."""
    median_gradient: float
    """Median of that norm: the mean lives on the few draws in which two keys nearly tie."""


@dataclass(frozen=True)
class HeadSize:
    """What was found for one head size."""

    head_size: int
    spread: float
    """Standard deviation of q.k over all draws and keys; sqrt(hs) in theory."""
    raw: Weighing
    """The softmax of q.k itself."""
    scaled: Weighing
    """The softmax of q.k / sqrt(hs)."""


@dataclass(frozen=True)
class Survey:
    """How far it has come, and the head sizes that are complete."""

    setting: Setting
    done: int
    """Components drawn so far, of `setting.components`."""
    found: tuple[HeadSize, ...] = ()
    """In the order of `setting.sizes`."""

    @property
    def ratio(self) -> float:
        """The part that is done, from 0 to 1."""
        return self.done / self.setting.components

    @property
    def is_complete(self) -> bool:
        """Whether every head size has been found."""
        return len(self.found) == len(self.setting.sizes)

    @property
    def own(self) -> HeadSize | None:
        """The head size that is asked about, None while it is not complete."""
        return self.found[0] if self.found else None

    @property
    def rising(self) -> list[HeadSize]:
        """The complete head sizes from small to large."""
        return sorted(self.found, key=lambda found: found.head_size)


def survey(setting: Setting, chunk: int = CHUNK) -> Iterator[Survey]:
    """Draw and measure every head size; after every `chunk` components, or one draw if that is more, say how far it is.

    The last one has them all. The numbers do not depend on `chunk`. Between two steps nearly all time is spent where
    NumPy has let go of Python's lock.
    """
    done, found = 0, ()
    for size in setting.sizes:
        drawn: list[FloatArray] = []
        for part in _scores(setting, size, chunk):
            drawn.append(part)
            done += len(part) * (setting.keys + 1) * size
            yield Survey(setting, done, found)
        scores = np.concatenate(drawn)
        weighings: list[Weighing] = []
        for scale in (1.0, 1.0 / math.sqrt(size)):
            parts: list[FloatArray] = []
            for part in _measured(scores, scale, chunk):
                parts.append(part)
                yield Survey(setting, done, found)
            weighings.append(_weighing(np.concatenate(parts), setting.keys))
        found = (*found, HeadSize(size, float(scores.std()), *weighings))
    yield Survey(setting, done, found)


def _scores(setting: Setting, head_size: int, chunk: int) -> Iterator[FloatArray]:
    """q.k of some queries at a time with their own keys, (n, T), `draws` in all.

    The generator is the head size's own and fills one vector after another, the query before its keys.
    """
    generator = np.random.default_rng((setting.seed, head_size))
    vectors = setting.keys + 1
    at_once = max(1, chunk // (vectors * head_size))
    for first in range(0, setting.draws, at_once):
        count = min(at_once, setting.draws - first)
        drawn = generator.standard_normal((count, vectors, head_size))
        yield np.vecdot(drawn[:, 1:], drawn[:, :1])


def _measured(scores: FloatArray, scale: float, chunk: int) -> Iterator[FloatArray]:
    """Entropy, peak and gradient norm of each draw, some draws at a time: (draws, T) -> (n, 3)."""
    at_once = max(1, chunk // (_STEPS_OF_MEASURES * scores.shape[-1]))
    for first in range(0, len(scores), at_once):
        row = distribution(scores[first : first + at_once], scale=scale)
        gradient = scale * measures.jacobian_frobenius(row)
        yield np.stack([measures.shannon_entropy(row), measures.peak(row), gradient], axis=-1)


def _weighing(measured: FloatArray, keys: int) -> Weighing:
    """Means over the draws of entropy, peak and gradient norm, and the median of the last: (draws, 3)."""
    entropy, peak, gradient = (float(mean) for mean in measured.mean(axis=0))
    return Weighing(entropy, entropy / math.log(keys), peak, gradient, float(np.median(measured[:, 2])))
