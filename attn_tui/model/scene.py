"""A scene: one query, its keys and everything else that decides how they are weighed. It never changes."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, Self, TypeAlias

from numpy.typing import ArrayLike

from attn_tui.core.arrays import BoolArray, FloatArray, as_floats, as_mask, frozen
from attn_tui.core.attend import Reading, attend
from attn_tui.core.diagnosis import spoken
from attn_tui.core.precision import precision
from attn_tui.core.scores import check_head_size
from attn_tui.core.softmax import check_scale, check_temperature
from attn_tui.model.source import Source

QUERY = -1
"""The query's row; keys count from 0."""

Scale: TypeAlias = float | Literal["sqrt"]
"""What scores are multiplied by: a number, or "sqrt" for 1 / sqrt(hs), whatever hs becomes."""


@dataclass(frozen=True)
class Cell:
    """A number's place: a row, `QUERY` or a key's, and a column, the dimensions first, then the value's components."""

    row: int
    column: int


@dataclass(frozen=True, eq=False)
class Scene:
    """A query and its keys, in read-only arrays. `Scene.of` makes one, the functions in `edits` another."""

    query: FloatArray
    """(hs,)."""
    keys: FloatArray
    """(T, hs)."""
    values: FloatArray | None
    """(T, dv), where there are any."""
    labels: tuple[str, ...]
    """(T,): what the keys are called."""
    mask: BoolArray
    """(T,): true may be attended."""
    temperature: float
    scale: Scale
    dtype: str
    """Which dtype the steps are rounded to."""
    query_label: str = "q"
    """What the query is called."""
    source: Source | None = None
    """Where it came from, if not from a person's hands."""

    def __post_init__(self) -> None:
        """Seal the mask, which whoever makes a scene made for it."""
        self.mask.flags.writeable = False

    @classmethod
    def of(
        cls,
        query: ArrayLike,
        keys: ArrayLike,
        values: ArrayLike | None = None,
        *,
        labels: Sequence[str] | None = None,
        mask: ArrayLike | None = None,
        temperature: float = 1.0,
        scale: Scale = 1.0,
        dtype: str = "float64",
        query_label: str = "q",
        source: Source | None = None,
    ) -> Self:
        """A scene of anything NumPy takes as numbers: (hs,), (T, hs), (T, dv), with names k0, k1, ... by default.

        Raises ValueError, in words, for whatever does not fit together or has no meaning.
        """
        q, k = as_floats(query, "query", 1), as_floats(keys, "keys", 2)
        check_head_size(q, k)
        count = k.shape[0]
        v = None if values is None else as_floats(values, "values", 2)
        names = tuple(f"k{i}" for i in range(count)) if labels is None else tuple(labels)
        check_counts(count, v, names)
        check_temperature(temperature)
        if scale != "sqrt":
            check_scale(scale)
        precision(dtype)
        return cls(
            frozen(q),
            frozen(k),
            None if v is None else frozen(v),
            names,
            _fitting_mask(mask, count),
            float(temperature),
            scale if scale == "sqrt" else float(scale),
            dtype,
            query_label,
            source,
        )

    @property
    def head_size(self) -> int:
        """Components of the query and of every key."""
        return self.query.size

    @property
    def count(self) -> int:
        """How many keys there are."""
        return len(self.labels)

    @property
    def value_size(self) -> int:
        """Components of every value, 0 where there are none."""
        return 0 if self.values is None else self.values.shape[1]

    @property
    def columns(self) -> int:
        """Columns of the keys' rows: the dimensions and the value's components."""
        return self.head_size + self.value_size

    @property
    def scale_factor(self) -> float:
        """The scale as a number."""
        return 1.0 / math.sqrt(self.head_size) if self.scale == "sqrt" else self.scale

    def holds(self, cell: Cell) -> bool:
        """Whether there is such a cell."""
        if cell.row == QUERY:
            return 0 <= cell.column < self.head_size
        return 0 <= cell.row < self.count and 0 <= cell.column < self.columns

    def component(self, cell: Cell) -> float:
        """The number in a cell."""
        if cell.row == QUERY:
            return float(self.query[cell.column])
        if self.values is not None and cell.column >= self.head_size:
            return float(self.values[cell.row, cell.column - self.head_size])
        return float(self.keys[cell.row, cell.column])

    def row_label(self, row: int) -> str:
        """The name of the query or of a key."""
        return self.query_label if row == QUERY else self.labels[row]

    def cell_name(self, cell: Cell) -> str:
        """The name of a cell, such as k2.d1, or k2.v0 for a value's component."""
        of_value = cell.column >= self.head_size
        column = f"v{cell.column - self.head_size}" if of_value else f"d{cell.column}"
        return f"{spoken(self.row_label(cell.row)) if cell.row != QUERY else 'q'}.{column}"


def read(scene: Scene) -> Reading:
    """Everything that follows from a scene."""
    return attend(
        scene.query,
        scene.keys,
        scene.values,
        temperature=scene.temperature,
        scale=scene.scale_factor,
        mask=scene.mask,
        dtype=scene.dtype,
        labels=scene.labels,
    )


def check_counts(count: int, values: FloatArray | None, labels: Sequence[str]) -> None:
    """Raise ValueError unless there are as many values and labels as keys."""
    if values is not None and values.shape[0] != count:
        raise ValueError(f"there are {count} keys and {values.shape[0]} values")
    if values is not None and values.shape[1] == 0:
        raise ValueError("the values have no components")
    if len(labels) != count:
        raise ValueError(f"there are {count} keys and {len(labels)} labels")


def _fitting_mask(mask: ArrayLike | None, count: int) -> BoolArray:
    """The mask, one entry for each key, none of them spread over several: (T,)."""
    if mask is not None and (size := as_floats(mask, "mask", 1).size) != count:
        raise ValueError(f"there are {count} keys and {size} mask entries")
    return as_mask(mask, (count,))
