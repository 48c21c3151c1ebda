"""The causal mask: each query sees the keys up to its own place, and nothing of what comes after it.

Fewer queries than keys are the last ones, as when a model goes on from a cache: the mask is aligned at the end, its
lower right corner always true. With more queries than keys the first of them come before every key, and see none.
"""

import numpy as np
from numpy.typing import NDArray

from attn_tui.core.arrays import BoolArray

Places = NDArray[np.intp]
"""(Tq,): the key that stands where the query stands; below 0 before the first one."""


def places(queries: int, keys: int) -> Places:
    """The place of each query among the keys, aligned at the end: (Tq,), from Tk - Tq to Tk - 1."""
    return np.arange(queries, dtype=np.intp) + (keys - queries)


def causal_mask(queries: int, keys: int) -> BoolArray:
    """Which keys each query may attend, its own place included: (Tq, Tk); a row before the first key has none."""
    return up_to(places(queries, keys), keys)


def up_to(at: Places, keys: int) -> BoolArray:
    """Rows of the causal mask, for queries at these places: (n,) -> (n, Tk)."""
    return np.arange(keys) <= at[:, None]
