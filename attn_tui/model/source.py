"""Where a scene comes from: an example or a file, and the model's dump that its head and query were taken from."""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from attn_tui.core.arrays import BoolArray, FloatArray, in_float64


@dataclass(frozen=True, eq=False)
class Dump:
    """The queries, keys and values of a model's heads on one text, as the model left them; read a head at a time."""

    queries: NDArray[np.floating]
    """(..., Tq, hs): leading axes such as layer and head."""
    keys: NDArray[np.floating]
    """(..., Tk, hs), or (..., Tq, Tk, 1) where each query has keys of its own: bare scores, of queries [1]."""
    values: NDArray[np.floating] | None
    """(..., Tk, dv), where there are any."""
    tokens: tuple[str, ...]
    """(Tk,): the text; the queries are its end when they are fewer."""
    axes: str = "LH"
    """A letter for each leading axis."""
    mask: NDArray[np.bool_] | None = None
    """True may be attended: (..., Tq, Tk), any axis but the last of length 1 where it is the same all along."""
    query_names: tuple[str, ...] | None = None
    """(Tq,): what the queries are called, where that is not their token."""
    remark: str = ""
    """What has to be known of its numbers, such as that scores are known up to a constant."""

    @property
    def shape(self) -> tuple[int, ...]:
        """The leading axes' lengths, such as (layers, heads)."""
        return self.queries.shape[:-2]

    @property
    def query_count(self) -> int:
        """Tq."""
        return self.queries.shape[-2]

    @property
    def key_count(self) -> int:
        """Tk."""
        return self.keys.shape[-2]

    @property
    def has_own_keys(self) -> bool:
        """Whether each query has keys of its own."""
        return self.keys.ndim > self.queries.ndim

    def heads(self) -> Iterator[tuple[int, ...]]:
        """The indices of every head."""
        return iter(np.ndindex(self.shape))

    def head_name(self, indices: tuple[int, ...]) -> str:
        """Such as L3 H1."""
        return " ".join(f"{axis}{i}" for axis, i in zip(self.axes, indices, strict=True))

    def head_queries(self, indices: tuple[int, ...]) -> FloatArray:
        """The queries of one head: (Tq, hs)."""
        return in_float64(self.queries[indices])

    def head(self, indices: tuple[int, ...]) -> tuple[FloatArray, FloatArray]:
        """The queries (Tq, hs) and keys, (Tk, hs) or (Tq, Tk, 1), of one head, in arrays of their own."""
        return in_float64(self.queries[indices]), in_float64(self.keys[self._shared(indices)])

    def head_values(self, indices: tuple[int, ...]) -> FloatArray | None:
        """The values of one head: (Tk, dv)."""
        return None if self.values is None else in_float64(self.values[self._shared(indices)])

    def row(self, indices: tuple[int, ...], row: int) -> tuple[FloatArray, FloatArray]:
        """One query (hs,) of a head and its keys (Tk, hs), in arrays of their own."""
        keys = self.keys[self._shared(indices)]
        return in_float64(self.queries[indices][row]), in_float64(keys[row] if self.has_own_keys else keys)

    def row_mask(self, indices: tuple[int, ...], row: int) -> BoolArray:
        """Which keys a query of a head may attend: (Tk,)."""
        if self.mask is None:
            return np.ones(self.key_count, dtype=np.bool_)
        places = zip((*indices, row), self.mask.shape, strict=False)
        return np.array(self.mask[tuple(0 if length == 1 else place for place, length in places)])

    @property
    def query_labels(self) -> tuple[str, ...]:
        """(Tq,): the tokens that the queries belong to, aligned at the end."""
        if self.query_names is not None:
            return self.query_names
        missing = self.query_count - len(self.tokens)
        return tuple(f"q{i}" for i in range(missing)) + self.tokens[max(0, -missing) :]

    def _shared(self, indices: tuple[int, ...]) -> tuple[int, ...]:
        """Which head of keys a head of queries uses: several in a row share one where there are fewer of those."""
        if not indices:
            return indices
        queries, keys = self.shape[-1], self.keys.shape[len(indices) - 1]
        return (*indices[:-1], indices[-1] * keys // queries)


@dataclass(frozen=True)
class Source:
    """Where a scene came from."""

    name: str
    """Of the example, the model or the file."""
    indices: tuple[int, ...] = ()
    """Which head of the dump, outermost axis first, such as layer and head."""
    row: int | None = None
    """Which query of that head."""
    dump: Dump | None = None
    """The model's other heads and queries, where there are any."""
    remark: str = ""
    """What has to be known of its numbers, such as that scores are known up to a constant."""
