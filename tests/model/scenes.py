"""Scenes to try edits on, what it means that two are the same, and what a refusal says."""

import math
from collections.abc import Callable
from dataclasses import fields
from typing import Any

import numpy as np
import pytest
from hypothesis import strategies as st
from numpy.typing import NDArray

from attn_tui.model.edits import Refused
from attn_tui.model.scene import QUERY, Cell, Scene
from attn_tui.model.source import Source

SPECIAL = (math.nan, math.inf, -math.inf, 0.0, -0.0, 5e-324, 1.7976931348623157e308, 0.1)
"""Numbers that are easily lost."""
LABELS = ("k0", "k1", "k7", "the", "animal", "[CLS]", "Ä", "k", "k-1", "0")
"""What keys may be called."""

Q0 = Cell(QUERY, 0)
"""The query's first component."""
SCENE = Scene.of(
    [1.0, 2.0],
    [[10.0, 11.0], [20.0, 21.0], [30.0, 31.0]],
    [[100.0], [200.0], [300.0]],
    labels=["k0", "animal", "k7"],
    mask=[True, False, True],
    temperature=2.0,
    scale="sqrt",
    query_label="it",
    source=Source("minilm-l6", (3, 1), 9),
)
"""Three keys with names, values and a mask, in which every number is another."""

DECIMALS = st.builds(lambda digits, places: digits / 10**places, st.integers(-(10**6), 10**6), st.integers(0, 4))
"""Numbers as a person types them: the float64 nearest to a few decimal digits."""


@st.composite
def scenes(draw: st.DrawFn, *, nan: bool = True) -> Scene:
    """Any scene of a few keys, with nan, infinities and a negative zero in it, unless `nan` is False."""
    count, head_size = draw(st.integers(1, 4)), draw(st.integers(1, 3))
    value_size = draw(st.sampled_from([0, 0, 1, 2]))
    size = head_size + count * (head_size + value_size)
    drawn = np.random.RandomState(draw(st.integers(0, 999))).standard_normal(size)
    if nan:
        for place, number in draw(
            st.dictionaries(st.integers(0, size - 1), st.sampled_from(SPECIAL), max_size=4)
        ).items():
            drawn[place] = number
    query, keys, values = np.split(drawn, [head_size, head_size + count * head_size])
    return Scene.of(
        query,
        keys.reshape(count, head_size),
        values.reshape(count, value_size) if value_size else None,
        labels=draw(st.lists(st.sampled_from(LABELS), min_size=count, max_size=count, unique=True)),
        mask=draw(st.lists(st.booleans(), min_size=count, max_size=count)),
        temperature=draw(st.sampled_from([1.0, 0.1, 4.0, 1e-300])),
        scale=draw(st.sampled_from(["sqrt", 1.0, -0.5])),
        dtype=draw(st.sampled_from(["float64", "float32", "float16"])),
    )


def cells_of(scene: Scene) -> st.SearchStrategy[Cell]:
    """Any cell of a scene."""
    of_query = st.builds(Cell, st.just(QUERY), st.integers(0, scene.head_size - 1))
    of_key = st.builds(Cell, st.integers(0, scene.count - 1), st.integers(0, scene.columns - 1))
    return of_query | of_key


def key_of(scene: Scene) -> st.SearchStrategy[int]:
    """Any key of a scene."""
    return st.integers(0, scene.count - 1)


def content(scene: Scene) -> dict[str, object]:
    """All of a scene, its arrays byte for byte, so that nan is nan and -0.0 is not 0.0."""
    everything = {field.name: getattr(scene, field.name) for field in fields(scene)}
    return {
        name: (part.shape, part.dtype.str, part.tobytes()) if isinstance(part, np.ndarray) else part
        for name, part in everything.items()
    }


def changed(before: Scene, after: Scene) -> set[str]:
    """The names of the parts that differ."""
    one, other = content(before), content(after)
    return {name for name in one if one[name] != other[name]}


def refusal(edit: Callable[[], Scene]) -> str:
    """What an edit that is refused says."""
    with pytest.raises(Refused) as refused:
        edit()
    return str(refused.value)


def as_one(numbers: list[Any]) -> NDArray[np.float64]:
    """Numbers as the parser hands them over."""
    return np.array(numbers, dtype=np.float64)


def key_at(scene: Scene, key: int) -> dict[str, object]:
    """All that belongs to one key."""
    value = None if scene.values is None else scene.values[key].tobytes()
    return {"name": scene.labels[key], "key": scene.keys[key].tobytes(), "value": value, "mask": bool(scene.mask[key])}


def keys_of(scene: Scene) -> list[dict[str, object]]:
    """All that belongs to each key, in their order."""
    return [key_at(scene, key) for key in range(scene.count)]
