"""A scene as text: vectors, a mask and settings as they are typed at a prompt or on the command line."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeVar

import numpy as np

from attn_tui.core.arrays import BoolArray, FloatArray
from attn_tui.files.errors import ForeignError
from attn_tui.files.numbers import parse_number
from attn_tui.files.scales import parse_scale
from attn_tui.model import edits
from attn_tui.model.examples import EXAMPLES, example
from attn_tui.model.scene import Scene

_BRACKETS = frozenset("[](){}|")
"""What a printed form has, and plain numbers have not."""

Parsed = TypeVar("Parsed")
"""What a text is read as."""


@dataclass(frozen=True)
class SceneArguments:
    """What may be said of a scene in words, None where nothing was said."""

    example: str | None = None
    """An example to start from; the lesson's without a query and keys."""
    query: str | None = None
    keys: str | None = None
    values: str | None = None
    mask: str | None = None
    temperature: str | None = None
    scale: str | None = None
    dtype: str | None = None

    def scene(self) -> Scene:
        """The scene they describe. Raises ValueError, naming what is wrong."""
        return self.applied(self._vectors())

    def applied(self, scene: Scene) -> Scene:
        """A scene with the values, the mask and the settings that were given. Raises ValueError likewise."""
        if self.values is not None:
            scene = edits.set_values(scene, _matrix("values", self.values))
        if self.mask is not None:
            scene = edits.set_mask(scene, _named("mask", _mask, self.mask))
        if self.temperature is not None:
            scene = edits.set_temperature(scene, _named("temperature", parse_number, self.temperature))
        if self.scale is not None:
            scene = edits.set_scale(scene, _named("scale", parse_scale, self.scale))
        return scene if self.dtype is None else edits.set_dtype(scene, self.dtype)

    def query_vector(self) -> FloatArray | None:
        """The query, if one was given: (hs,)."""
        return None if self.query is None else _named("query", _vector, self.query)

    def key_matrix(self) -> FloatArray | None:
        """The keys, if any were given: (T, hs)."""
        return None if self.keys is None else _matrix("keys", self.keys)

    def _vectors(self) -> Scene:
        """The query and keys that were given, the example's for what was not."""
        query, keys = self.query_vector(), self.key_matrix()
        if query is not None and keys is not None and self.example is None:
            return Scene.of(query, keys)
        return _over(example(EXAMPLES[0].name if self.example is None else self.example), query, keys)

    def over(self, start: Scene) -> Scene:
        """A scene with everything that was given in place of its own. Raises ValueError, naming what is wrong."""
        return self.applied(_over(start, self.query_vector(), self.key_matrix()))


def _over(start: Scene, query: FloatArray | None, keys: FloatArray | None) -> Scene:
    """A scene with another query or other keys; values and labels stay if there are as many keys."""
    if query is None and keys is None:
        return start
    same = keys is None or len(keys) == start.count
    return Scene.of(
        start.query if query is None else query,
        start.keys if keys is None else keys,
        start.values if same else None,
        labels=start.labels if same else None,
        mask=start.mask if same else None,
        temperature=start.temperature,
        scale=start.scale,
        dtype=start.dtype,
        query_label=start.query_label if query is None else "q",
    )


def _named(name: str, parse: Callable[[str], Parsed], text: str) -> Parsed:
    """What a text says, its name put before whatever is wrong with it."""
    try:
        return parse(text)
    except ForeignError as error:
        raise ForeignError(f"{name}: {error}") from None


def _vector(text: str) -> FloatArray:
    """One vector: (n,), its numbers parted by blanks or commas. Raises ForeignError for a matrix."""
    array = _array(_spaced(text))
    if array.ndim > 1 and 1 not in array.shape:
        raise ForeignError(f"one vector is needed, and these are {array.shape[0]}")
    return array.ravel()


def _matrix(name: str, text: str) -> FloatArray:
    """Vectors, one or more, parted by semicolons or in any printed form: (rows, n)."""
    if ";" in text and not set(text) & _BRACKETS:
        rows = [_named(f"{name}[{i}]", _vector, row) for i, row in enumerate(text.rstrip("; \t\n").split(";"))]
        if len({row.size for row in rows}) > 1:
            sizes = ", ".join(str(row.size) for row in rows[:9])
            raise ForeignError(f"{name}: every one needs as many numbers as the others, and they have {sizes}")
        return np.stack(rows)
    array = _named(name, _array, _spaced(text))
    return array.reshape(1, -1) if array.ndim == 1 else array


def _array(text: str) -> FloatArray:
    """Numbers in any printed form: (n,) or (rows, n)."""
    from attn_tui.files.vectors import parse_vectors  # noqa: PLC0415 - large, and not needed without vectors

    parsed = parse_vectors(text)
    if np.isinf(parsed.array).any() and "inf" not in text.lower():
        raise ForeignError(next((note for note in parsed.notes if "inf" in note), "a number is too large for float64"))
    return parsed.array


def _mask(text: str) -> BoolArray:
    """Which keys may be attended: (T,)."""
    from attn_tui.files.vectors import parse_mask  # noqa: PLC0415 - large, and not needed without a mask

    return parse_mask(_spaced(text)).ravel()


def _spaced(text: str) -> str:
    """The text with blanks for commas, where no blank stands beside a comma that could be a decimal one."""
    return text if any(c.isspace() for c in text.strip()) or set(text) & _BRACKETS else text.replace(",", " ")
