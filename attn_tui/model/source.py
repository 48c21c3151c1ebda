"""Where a scene comes from: an example or a file, and the model's dump that its head and query were taken from."""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from attn_tui.core.arrays import FloatArray


@dataclass(frozen=True, eq=False)
class Dump:
    """The queries, keys and values of a model's heads on one text, as the model left them."""

    queries: NDArray[np.floating]
    """(..., Tq, hs): leading axes such as layer and head."""
    keys: NDArray[np.floating]
    """(..., Tk, hs)."""
    values: NDArray[np.floating] | None
    """(..., Tk, dv), where there are any."""
    tokens: tuple[str, ...]
    """(Tk,): the text; the queries are its end when they are fewer."""
    axes: str = "LH"
    """A letter for each leading axis."""

    @property
    def shape(self) -> tuple[int, ...]:
        """The leading axes' lengths, such as (layers, heads)."""
        return self.queries.shape[:-2]

    def heads(self) -> Iterator[tuple[int, ...]]:
        """The indices of every head."""
        return iter(np.ndindex(self.shape))

    def head_name(self, indices: tuple[int, ...]) -> str:
        """Such as L3 H1."""
        return " ".join(f"{axis}{i}" for axis, i in zip(self.axes, indices, strict=True))

    def head(self, indices: tuple[int, ...]) -> tuple[FloatArray, FloatArray]:
        """The queries (Tq, hs) and keys (Tk, hs) of one head, in arrays of their own."""
        return self.queries[indices].astype(np.float64), self.keys[indices].astype(np.float64)

    @property
    def query_labels(self) -> tuple[str, ...]:
        """(Tq,): the tokens that the queries belong to, aligned at the end."""
        missing = self.queries.shape[-2] - len(self.tokens)
        return tuple(f"q{i}" for i in range(missing)) + self.tokens[max(0, -missing) :]


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
