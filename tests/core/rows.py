"""Rows of scores to try: ordinary, and as hostile as float64 allows."""

from dataclasses import dataclass

import numpy as np
from hypothesis import strategies as st
from numpy.typing import NDArray

SMALLEST = 5e-324
"""The smallest step of float64."""
UNIT = 2.0**-52
"""The distance from 1 to the next float64."""


@dataclass(frozen=True)
class Problem:
    """Scores (T,) with a temperature and a scale."""

    scores: tuple[float, ...]
    temperature: float = 1.0
    scale: float = 1.0

    @property
    def array(self) -> NDArray[np.float64]:
        """The scores as an array."""
        return np.array(self.scores)


def _powers(low: float, high: float) -> st.SearchStrategy[float]:
    """Positive numbers whose size is anywhere between two powers of ten."""
    return st.floats(low, high).map(lambda exponent: 10.0**exponent)


def _of(number: st.SearchStrategy[float], largest: int) -> st.SearchStrategy[tuple[float, ...]]:
    """One score to `largest` scores."""
    return st.lists(number, min_size=1, max_size=largest).map(tuple)


_signs = st.sampled_from([-1.0, 1.0])
_mantissas = st.floats(-10.0, 10.0, allow_subnormal=False)
_scales = st.sampled_from([1.0, 1.0, 0.5, -0.125, 1.0 / np.sqrt(32.0), 3.7])

_ordinary = st.builds(Problem, _of(st.floats(-30.0, 30.0), 40), st.floats(0.05, 20.0), _scales)
_ties = st.builds(Problem, _of(st.sampled_from([0.0, -1.0, 2.5]), 40), st.floats(0.05, 20.0))
_nearly_one_hot = st.builds(Problem, _of(st.floats(-740.0, 0.0), 12), st.just(1.0), _scales)
_nearly_uniform = st.builds(
    lambda offset, size, mantissas: Problem(tuple(offset + size * m for m in mantissas)),
    st.floats(-100.0, 100.0),
    _powers(-14.0, -1.0),
    _of(_mantissas, 40),
)
_anywhere = st.builds(Problem, _of(st.builds(lambda s, p: s * p, _signs, _powers(-300, 300)), 6), _powers(-300, 300))
_one_size = st.builds(
    lambda size, over, mantissas, scale: Problem(
        tuple(m * 10.0**size for m in mantissas), 10.0 ** (size + over), scale
    ),
    st.floats(-290.0, 290.0),
    st.floats(-3.0, 3.0),
    _of(_mantissas, 40),
    _scales,
)
_at_the_limits = st.builds(
    Problem,
    _of(st.sampled_from([1.5e308, -1.5e308, 1.7e308, 0.0, 1e10, -1e-310, SMALLEST]), 6),
    st.sampled_from([1e308, 1e-300, 1e300, 3e-308, 1.0]),
)

problems = st.one_of(_ordinary, _ties, _nearly_one_hot, _nearly_uniform, _anywhere, _one_size, _at_the_limits)
"""All of them."""
tame = st.one_of(_ordinary, _ties, _nearly_uniform)
"""Those whose scores may be moved and rescaled without leaving float64."""


@st.composite
def masked(draw: st.DrawFn) -> tuple[Problem, NDArray[np.bool_]]:
    """A problem and a mask that leaves at least one key."""
    problem = draw(problems)
    count = len(problem.scores)
    mask = np.array(draw(st.lists(st.booleans(), min_size=count, max_size=count)))
    mask[draw(st.integers(0, count - 1))] = True
    return problem, mask
