"""Names and numbers as the lesson tells them; what is not there, since a scene was edited, reads as n/a."""

import math
from collections.abc import Iterable, Sequence

import numpy as np

from attn_tui.core.arrays import FloatArray
from attn_tui.core.diagnosis import spoken
from attn_tui.core.precision import precision
from attn_tui.core.temperature import temperature_for
from attn_tui.lesson.step import Moment
from attn_tui.model.figures import figure, short
from attn_tui.model.scene import Scene

MOST_LISTED = 5
"""How many numbers a sentence lists."""
LONGEST_NAME = 16
"""Characters of a name; a longer one is cut."""
EXP_LIMIT = precision("float64").exp_overflows_at
"""The largest x for which float64 holds exp(x)."""
MOST_DECIMALS = 6
"""With how many decimals a weight is told that is close to 1."""


def name(moment: Moment, key: int) -> str:
    """What a key is called, with its number where another one is called the same."""
    labels = moment.scene.labels
    if not 0 <= key < len(labels):
        return f"k{key}"
    called = spoken(_cut(labels[key]))
    return f"{called} (number {key})" if labels.count(labels[key]) > 1 else called


def query_name(scene: Scene) -> str:
    """What the query is called."""
    return f'"{_cut(scene.query_label)}"'


def _cut(label: str) -> str:
    """A name of a length that a sentence can take."""
    return label if len(label) <= LONGEST_NAME else f"{label[:LONGEST_NAME]}..."


def at(numbers: FloatArray, key: int) -> float | None:
    """One of some numbers (T,), None where there is no such key."""
    return float(numbers[key]) if 0 <= key < numbers.size else None


def score(moment: Moment, key: int) -> str:
    """A key's score q.k."""
    return figure(at(moment.reading.scores, key))


def weight(moment: Moment, key: int) -> str:
    """A key's weight."""
    return share(at(moment.reading.weights, key))


def share(weight: float | None) -> str:
    """A weight with four decimals, or with as many as show that it is not all: 0.9150, 0.99998, 1 - 8e-15."""
    if weight is None or not 0.5 < weight < 1.0:
        return figure(weight)
    shown = (f"{weight:.{decimals}f}" for decimals in range(4, MOST_DECIMALS + 1))
    return next((text for text in shown if text.startswith("0")), f"1 - {1.0 - weight:.0e}")


def shares(weights: Iterable[float]) -> str:
    """Some weights, as a sentence lists them."""
    return listed([share(float(weight)) for weight in weights])


def numbers(found: Iterable[float]) -> str:
    """Some numbers with four decimals, as a sentence lists them."""
    return listed([figure(number) for number in found])


def shorts(found: Iterable[float]) -> str:
    """Some numbers with as few digits as they have, as a sentence lists them."""
    return listed([short(number) for number in found])


def listed(words: Sequence[str]) -> str:
    """Words as a sentence lists them: a, b and c."""
    if len(words) > MOST_LISTED:
        return f"{', '.join(words[:MOST_LISTED])} and {len(words) - MOST_LISTED} more"
    return " and ".join([", ".join(words[:-1]), words[-1]] if len(words) > 1 else words)


def heaviest(moment: Moment) -> list[int]:
    """The keys that may be attended, those with most weight first."""
    order = np.argsort(-moment.reading.weights, kind="stable")
    return [int(key) for key in order if moment.scene.mask[key]]


def ranked(moment: Moment, place: int) -> int:
    """The key that has this place by weight, 0 the heaviest; -1 where there is none."""
    order = heaviest(moment)
    return order[place] if place < len(order) else -1


def peak(moment: Moment) -> str:
    """The largest weight."""
    return share(moment.reading.peak.weight if moment.reading.peak else None)


def entropy(moment: Moment) -> str:
    """The entropy in nats."""
    return figure(moment.reading.entropy)


def entropy_max(moment: Moment) -> str:
    """The largest entropy there could be, such as ln 5 = 1.6094."""
    return f"ln {moment.reading.attended} = {figure(moment.reading.entropy_max)}"


def tau_for_peak(scores: FloatArray, moment: Moment, wanted: float) -> float:
    """The temperature that brings the peak of these scores (T,) to a wished height, nan if none does."""
    try:
        return temperature_for(scores, peak=wanted, mask=moment.scene.mask, scale=moment.scene.scale_factor)
    except ValueError:
        return math.nan
