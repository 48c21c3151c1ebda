"""The steps about softmax: how scores become weights, and how it favours the winner."""

import math

import numpy as np

from attn_tui.core.arrays import FloatArray
from attn_tui.core.softmax import softmax
from attn_tui.lesson.asked import ask, nearest
from attn_tui.lesson.earned import bare, is_whole, same_query, same_settings
from attn_tui.lesson.scores import lesson
from attn_tui.lesson.step import Act, Moment, Step
from attn_tui.lesson.told import at, figure, name, numbers, ranked, share, shares, shorts, weight
from attn_tui.model import edits
from attn_tui.model.scene import Cell, Scene

LEAST, MOST = 0.99, 0.999
"""Where the winner's weight is to lie: nearly all, and not all."""


def one_two_three() -> Scene:
    """Scores 1, 2 and 3."""
    return bare(1.0, 2.0, 3.0)


def _ahead(moment: Moment) -> FloatArray:
    """The weights if the leader's scaled score were larger by 1: (T,)."""
    z = np.where(moment.scene.mask, moment.reading.scaled, -np.inf)
    z[ranked(moment, 0)] += 1.0
    return softmax(z)


def _how_the_others_lose(moment: Moment) -> int:
    """Whether the others stay, lose what they have from the smallest on, or keep their proportions."""
    others = np.array([key for key in range(moment.scene.count) if key != ranked(moment, 0) and moment.scene.mask[key]])
    if others.size == 0:
        return 0
    before, after = moment.reading.weights[others], _ahead(moment)[others]
    if np.allclose(before, after, rtol=1e-9, atol=0.0):
        return 0
    kept = after[before > 0.0] / before[before > 0.0]
    return 2 if kept.size == 0 or np.ptp(kept) <= 1e-6 * kept.max() else 1


def _k2_wins(moment: Moment) -> bool:
    """The query is as it was, and k2 alone has the largest weight."""
    start, top = lesson(), moment.reading.peak
    return is_whole(moment, start) and same_query(moment, start) and top is not None and top.keys == (2,)


SOFTMAX = Step(
    "softmax",
    "Softmax: from scores to weights",
    (
        "To average with, you need shares: none below 0, and 1 in all. Scores are not like that. Softmax makes them "
        "so. It takes exp of each score, which is never negative, and divides by the sum of all: "
        "w_i = exp(s_i) / sum_j exp(s_j).",
        lambda m: (
            f"The scores {numbers(m.reading.scores)} become the weights {shares(m.reading.weights)}. Their sum is "
            f"{figure(float(m.reading.weights.sum()))}, and {name(m, ranked(m, 0))} wins."
        ),
        lambda m: (
            "A larger score always gets a larger weight, so the ranking is kept. exp is never quite 0: even "
            f"{name(m, ranked(m, m.scene.count - 1))} keeps {weight(m, ranked(m, m.scene.count - 1))}. And softmax is "
            "smooth: no small change of a score makes the weights jump."
        ),
    ),
    lesson,
    "weights",
    "Turn the ranking: make k2 the key with the largest weight. Leave the query as it is.",
    _k2_wins,
    "Which numbers of k2 cost it most? Go to k2.d2 and to k2.d3, and press n on each.",
    (
        Act("turn the sign of k2.d2", lambda scene: edits.negate(scene, Cell(2, 2))),
        Act("turn the sign of k2.d3", lambda scene: edits.negate(scene, Cell(2, 3))),
    ),
    ask(
        "The leading score grows by 1, the other scores stay. What do the weights of the other keys do?",
        ("stay as they are", "the smallest go to 0 first", "all shrink by one factor"),
        _how_the_others_lose,
        lambda m: (
            f"The leader goes from {weight(m, ranked(m, 0))} to {share(at(_ahead(m), ranked(m, 0)))}, the runner-up "
            f"from {weight(m, ranked(m, 1))} to {figure(at(_ahead(m), ranked(m, 1)))}, the last from "
            f"{weight(m, ranked(m, m.scene.count - 1))} to {figure(at(_ahead(m), ranked(m, m.scene.count - 1)))}. Only "
            "the difference of two scores decides the ratio of their weights."
        ),
    ),
    lambda m: f"k2 leads with {weight(m, 2)}. The weights are {shares(m.reading.weights)}, and still add up to 1.",
)


def _ratio(weights: FloatArray, moment: Moment) -> float:
    """How many times the runner-up's weight the leader has, nan without one."""
    first, second = at(weights, ranked(moment, 0)), at(weights, ranked(moment, 1))
    return first / second if first is not None and second else math.nan


def _growth_of_ratio(moment: Moment) -> int:
    """Whether one point more makes that ratio larger by 1, twice as large, or e times as large."""
    before, after = _ratio(moment.reading.weights, moment), _ratio(_ahead(moment), moment)
    return nearest(after, (before + 1.0, 2.0 * before, math.e * before)) if math.isfinite(before) else 2


def _holds_nearly_all(moment: Moment) -> bool:
    """Only k2 was changed, and has nearly all of the weight but not all."""
    start, scene = one_two_three(), moment.scene
    return (
        is_whole(moment, start)
        and same_query(moment, start)
        and same_settings(moment, start)
        and np.array_equal(scene.keys[:2], start.keys[:2])
        and bool(LEAST <= moment.reading.weights[2] <= MOST)
    )


def _part_of_scores(moment: Moment) -> float:
    """The third score as a part of the sum of all scores."""
    scores = moment.reading.scores
    with np.errstate(over="ignore", invalid="ignore"):
        total = float(scores.sum())
    return float(scores[2]) / total if scores.size > 2 and total else math.nan


EXAGGERATION = Step(
    "exaggeration",
    "The winner gets more than its share",
    (
        lambda m: (
            "Bare scores for once. The query is 1 and every key has one component, so each key is its own score: "
            f"{shorts(m.reading.scores)}."
        ),
        lambda m: (
            f"In proportion to the scores, k2 would get {figure(_part_of_scores(m))} of the total. Softmax gives it "
            f"{weight(m, 2)}: it exaggerates the winner. It is not the percentage of the lead that counts, but the "
            f"points: k2 is one point ahead of k1, which gets {weight(m, 1)}."
        ),
    ),
    one_two_three,
    "weights",
    f"Raise the score of k2 until its weight lies between {LEAST:g} and {MOST:g}. Leave k0 and k1 alone.",
    _holds_nearly_all,
    "Go to k2 and press i for small steps, or type a number and press Enter. You need less than 10.",
    (Act("set k2 to 7", lambda scene: edits.set_component(scene, Cell(2, 0), 7.0)),),
    ask(
        "The leader gets one point more. What happens to the ratio of its weight to the runner-up's?",
        ("it grows by 1", "it doubles", "it becomes e times as large"),
        _growth_of_ratio,
        lambda m: (
            f"It goes from {figure(_ratio(m.reading.weights, m))} to {figure(_ratio(_ahead(m), m))}. Every point of "
            f"lead multiplies it by e = {figure(math.e)}, since exp(s + 1) is e times exp(s)."
        ),
    ),
    lambda m: (
        f"k2 has {figure(_part_of_scores(m))} of the scores and {weight(m, 2)} of the weight. k0 is far behind, and "
        f"still has {weight(m, 0)}."
    ),
)

STEPS = (SOFTMAX, EXAGGERATION)
