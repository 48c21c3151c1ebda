"""Scores: how well each key fits the query, as a dot product and as an angle and two lengths."""

import numpy as np
from numpy.typing import ArrayLike

from attn_tui.core.arrays import FloatArray, as_floats


def dot_scores(query: ArrayLike, keys: ArrayLike) -> FloatArray:
    """Dot product of each key with the query: (..., hs), (T, hs) -> (..., T).

    Raises ValueError when the head sizes differ. Source: lesson, section 1.
    """
    q, k = as_floats(query, "query"), as_floats(keys, "keys", 2)
    check_head_size(q, k)
    with np.errstate(over="ignore", invalid="ignore"):
        # One query is a quick sum: to wake a matrix product's threads takes longer, above all on a busy machine.
        return np.vecdot(k, q) if q.ndim == 1 else q @ k.T


def contributions(query: ArrayLike, keys: ArrayLike) -> FloatArray:
    """What each dimension adds to each score, q_d * k_d: (hs,), (T, hs) -> (T, hs)."""
    q, k = as_floats(query, "query", 1), as_floats(keys, "keys", 2)
    check_head_size(q, k)
    with np.errstate(over="ignore", invalid="ignore"):
        return q * k


def norms(vectors: ArrayLike) -> FloatArray:
    """Euclidean length of each vector: (..., hs) -> (...), free of over- and underflow on the way.

    Infinite with an infinite component, NaN with one that is NaN.
    """
    v = as_floats(vectors, "vectors")
    largest = _largest(v)
    with np.errstate(invalid="ignore", over="ignore"):
        lengths = largest[..., 0] * np.sqrt(np.square(_divided(v, largest)).sum(axis=-1))
    return np.where(largest[..., 0] == np.inf, np.inf, lengths)


def cosines(query: ArrayLike, keys: ArrayLike) -> FloatArray:
    """Cosine of the angle between each key and the query: (hs,), (T, hs) -> (T,).

    NaN where it is undefined: for a zero vector, and for one that is not finite.
    """
    q, k = _directions(as_floats(query, "query", 1)), _directions(as_floats(keys, "keys", 2))
    check_head_size(q, k)
    return np.clip(k @ q, -1.0, 1.0)


def angles_degrees(query: ArrayLike, keys: ArrayLike) -> FloatArray:
    """Angle between each key and the query, in degrees: (hs,), (T, hs) -> (T,); NaN as for cosines.

    From the half-angle's tangent, which keeps its digits where the arc cosine loses half of them.
    Source: W. Kahan, "How Futile are Mindless Assessments of Roundoff", section 12.
    """
    q, k = _directions(as_floats(query, "query", 1)), _directions(as_floats(keys, "keys", 2))
    check_head_size(q, k)
    return np.degrees(2.0 * np.arctan2(norms(k - q), norms(k + q)))


def check_head_size(query: FloatArray, keys: FloatArray) -> None:
    """Raise ValueError when query (..., hs) and keys (T, hs) do not share one head size of 1 or more."""
    if query.ndim == 0:
        raise ValueError("query needs one axis, and has shape ()")
    if query.shape[-1] != keys.shape[-1]:
        raise ValueError(f"the query has {_components(query.shape[-1])}, the keys have {_components(keys.shape[-1])}")
    if query.shape[-1] == 0 or keys.shape[0] == 0:
        raise ValueError("there has to be at least one key with at least one component")


def _components(count: int) -> str:
    """A number of components, in words."""
    return "1 component" if count == 1 else f"{count} components"


def _largest(vectors: FloatArray) -> FloatArray:
    """Largest magnitude of each vector: (..., hs) -> (..., 1)."""
    return np.abs(vectors).max(axis=-1, keepdims=True, initial=0.0)


def _divided(vectors: FloatArray, largest: FloatArray) -> FloatArray:
    """Vectors over their largest magnitude, 0 for a zero vector; an infinity over itself is NaN."""
    return np.divide(vectors, largest, out=np.zeros_like(vectors), where=largest != 0.0)


def _directions(vectors: FloatArray) -> FloatArray:
    """Unit vectors: (..., hs) -> (..., hs), NaN for a zero vector."""
    with np.errstate(invalid="ignore", divide="ignore"):
        scaled = _divided(vectors, _largest(vectors))
        return scaled / np.sqrt(np.square(scaled).sum(axis=-1, keepdims=True))
