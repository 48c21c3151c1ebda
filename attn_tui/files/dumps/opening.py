"""From a file to a scene: the arrays found, their axes told apart, one query of one head chosen."""

from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from attn_tui.core.arrays import FloatArray
from attn_tui.files.containers import Container
from attn_tui.files.dumps import bare, layouts, roles
from attn_tui.files.dumps.masks import read_mask
from attn_tui.files.dumps.parts import Parts, find_parts
from attn_tui.files.dumps.request import Choice, Opened, Request, UndecidedError
from attn_tui.files.dumps.saved import saved_scene
from attn_tui.files.dumps.selection import chosen_head, chosen_row
from attn_tui.files.errors import ForeignError
from attn_tui.files.scales import parse_scale
from attn_tui.files.visible import visible
from attn_tui.model import edits
from attn_tui.model.heads import scene_of
from attn_tui.model.scene import Scene
from attn_tui.model.source import Dump

_HOOK = "hook_"
"""How TransformerLens begins the names of its arrays, whose tokens come before their heads."""
_WHOLE = 2**53
"""The largest whole number up to which float64 holds each."""
_HELD = 64 * 2**20
"""Bytes of the largest array that is read at once."""
_TELLING = (
    (roles.LABELS, "labels"),
    (roles.WEIGHTS, "weights in a row"),
    (roles.SCORES, "scores in a row"),
    (roles.MASK, "mask entries"),
)
"""What tells how many keys there are, and how it is said."""
_WORDS = {"b": "batch", "l": "layer", "h": "head", "t": "token", "d": "component"}


def open_file(request: Request, container: Container | None = None) -> Opened:
    """The scene that a file, opened already or not, holds.

    Raises ForeignError, and UndecidedError where only a person can tell how the file is to be read.
    """
    try:
        own = saved_scene(request.path)
        return _opened(request, container) if own is None else Opened(_over(own, request), ())
    except ForeignError:
        raise
    except ValueError as refusal:  # a file's own temperature, say, that makes no sense
        raise ForeignError(str(refusal)) from None
    except MemoryError:
        raise ForeignError("one head of this file is larger than the memory that there is") from None


def _over(own: Scene, request: Request) -> Scene:
    """A saved scene with what was given beside it."""
    if request.maps or request.layout or request.head or request.row is not None or request.transpose:
        raise ForeignError("a saved scene has one head and one query: leave --map, --layout, --head and --row out")
    return request.arguments.over(own)


def _opened(request: Request, container: Container | None) -> Opened:
    """The scene that a file's arrays make."""
    parts = find_parts(request, container)
    dump, notes = dump_of(request, parts)
    head, head_notes = chosen_head(request.head, dump)
    row = chosen_row(request.row, dump)
    scene = scene_of(dump, visible(_file_name(request)), head, row, 1.0)
    scene, settings = _with_settings(scene, parts, request)
    settings += _roundings(scene, dump)
    if dump.query_count > 1:
        head_notes.append(f"query {row} of {dump.query_count} ({visible(scene.query_label)})")
    return Opened(scene, (*settings, *head_notes, *notes, *parts.notes))


def _roundings(scene: Scene, dump: Dump) -> list[str]:
    """A word on whole numbers that float64 does not hold, in the scene's query or keys."""
    pairs = (("query", dump.queries, scene.query), ("keys", dump.keys, scene.keys))
    return [
        f"{name}: whole numbers beyond 2^53 are rounded to float64"
        for name, array, numbers in pairs
        if array.dtype.kind in "iu" and (np.abs(numbers) >= _WHOLE).any()
    ]


def dump_of(request: Request, parts: Parts) -> tuple[Dump, list[str]]:
    """The dump that the arrays make, and how they were read."""
    query, keys = request.arguments.query_vector(), request.arguments.key_matrix()
    if keys is not None:
        parts = parts.without(roles.VALUES, roles.MASK, roles.LABELS, roles.WEIGHTS, roles.SCORES)
    asked_query = parts.numbers(roles.QUERY) if query is None else query
    asked_keys = parts.numbers(roles.KEYS) if keys is None else keys
    if asked_query is None or asked_keys is None:
        if request.layout or request.transpose:
            raise ForeignError("scores and weights are (..., Tq, Tk): --layout and --transpose have no say in them")
        return bare.dump_of(parts, has_query=asked_query is not None, has_keys=asked_keys is not None)
    if keys is not None and asked_query.ndim > 2:
        return _dump_over(request, parts, asked_query, keys)
    values = parts.numbers(roles.VALUES)
    if request.transpose:
        asked_keys = _transposed(asked_keys)
    flat = asked_keys.ndim == 1
    if flat:
        asked_keys, values = asked_keys[None, :], None if values is None else np.atleast_2d(values)
    arrays = layouts.Arrays(asked_query, asked_keys, values, _known_count(parts), _tokens_first(parts))
    layout = _layout(request, arrays)
    notes = _axis_notes(request, arrays, layout, flat=flat)
    dump, more = _dump(parts, arrays, layout)
    return dump, [*more, *notes]


def _dump_over(request: Request, parts: Parts, query: NDArray[Any], keys: FloatArray) -> tuple[Dump, list[str]]:
    """The dump of a file's queries, each head of which gets the same keys (T, hs)."""
    arrays = layouts.Arrays(query, query, None, None, _tokens_first(parts))
    layout = _layout(request, arrays)
    queries = layouts.arranged(_held(query), layout)
    spread = np.broadcast_to(keys, (*queries.shape[:-2], *keys.shape))
    if spread.shape[-1] != queries.shape[-1]:
        raise ForeignError(f"the query has {queries.shape[-1]} components, the keys have {spread.shape[-1]}")
    tokens, names = parts.labels(len(keys), queries.shape[-2])
    return Dump(queries, spread, None, tokens, layouts.leading_axes(layout), None, names), []


def _dump(parts: Parts, arrays: layouts.Arrays, layout: str) -> tuple[Dump, list[str]]:
    """The dump of arrays whose axes are known; large ones are not read, small ones cannot change any more."""
    queries = layouts.arranged(layouts.query_of(replace(arrays, query=_held(arrays.query)), layout), layout)
    keys = layouts.arranged(_held(arrays.keys), layout)
    values = None if arrays.values is None else layouts.arranged(_held(arrays.values), layout)
    count, rows = keys.shape[-2], queries.shape[-2]
    array, mask, notes = parts.array(roles.MASK), None, list[str]()
    if array is not None:
        mask, how = read_mask(array, queries.shape[:-2], rows, count, inverted=parts.inverted_mask)
        notes = [how]
    tokens, names = parts.labels(count, rows)
    return Dump(queries, keys, values, tokens, layouts.leading_axes(layout), mask, names), notes


def _held(array: NDArray[Any]) -> NDArray[Any]:
    """A small array in memory, so that nothing happens to it when its file is written again; a large one as it is."""
    return np.array(array) if array.nbytes <= _HELD else array


def _layout(request: Request, arrays: layouts.Arrays) -> str:
    """The arrays' layout: the only one that fits, or the one that the names are known for; else a question."""
    wanted = None if request.layout is None else layouts.parse_layout(request.layout)
    try:
        fitting = layouts.layouts_of(arrays, wanted)
    except ForeignError as misfit:
        turned = replace(arrays, keys=_transposed(arrays.keys))
        if request.transpose or not layouts.fits(turned, wanted):
            raise
        words = f"keys of shape {arrays.keys.shape} as columns: {arrays.keys.shape[-1]} keys"
        raise UndecidedError(str(misfit), [Choice(words, "--transpose", replace(request, transpose=True))]) from None
    if len(fitting) > 1:
        raise UndecidedError(
            f"keys of shape {arrays.keys.shape} can be read in {len(fitting)} ways",
            [Choice(_in_words(one), f"--layout {one}", replace(request, layout=one)) for one in fitting],
        )
    return _with_layers(fitting[0], arrays) if wanted is None else fitting[0]


def _with_layers(layout: str, arrays: layouts.Arrays) -> str:
    """Layers rather than a batch, where there is more than one: nobody compares the texts of a batch here."""
    return layout.replace("b", "l") if "l" not in layout and "b" in layout and arrays.keys.shape[0] > 1 else layout


def _in_words(layout: str) -> str:
    """The axes' names."""
    return " x ".join(_WORDS[axis] for axis in layout)


def _axis_notes(request: Request, arrays: layouts.Arrays, layout: str, *, flat: bool) -> list[str]:
    """How the axes were read, where another reading is possible."""
    shape = arrays.keys.shape
    notes = [f"axes read as {_in_words(layout)}"] if len(layout) > 2 and request.layout is None else []
    if flat:
        notes.append(f"keys of {shape[-1]} numbers read as one key of {shape[-1]} components")
    if len(shape) == 2 and shape[0] == shape[1] and shape[0] > 1 and arrays.known is None:
        turned = "columns" if request.transpose else "rows"
        other = "without --transpose they are rows" if request.transpose else "--transpose reads columns"
        notes.append(f"{shape[0]} keys x {shape[1]} components, the keys are {turned}; {other}")
    return notes


def _known_count(parts: Parts) -> tuple[int, str] | None:
    """How many keys there have to be, by the labels, the weights, the scores or the mask."""
    for role, words in _TELLING:
        shape = parts.entries[role].shape if parts.has(role) else ()
        if shape and not (role == roles.MASK and shape[-1] == 1):
            return shape[-1], words
    return None


def _transposed(keys: NDArray[Any]) -> NDArray[Any]:
    """The keys with their last two axes exchanged; a vector as it is."""
    return np.swapaxes(keys, -1, -2) if keys.ndim >= 2 else keys


def _tokens_first(parts: Parts) -> bool:
    """Whether the names say that tokens come before heads."""
    return any(_HOOK in parts.name(role) for role in (roles.QUERY, roles.KEYS) if parts.has(role))


def _with_settings(scene: Scene, parts: Parts, request: Request) -> tuple[Scene, list[str]]:
    """The scene at the file's temperature, scale and dtype, or at those given beside it, and what to say of it."""
    given, notes = request.arguments, list[str]()
    temperature, scale, dtype = (parts.array(role) for role in (roles.TEMPERATURE, roles.SCALE, roles.DTYPE))
    if temperature is not None and given.temperature is None:
        scene = edits.set_temperature(scene, _single(temperature, "temperature"))
    if scale is not None and given.scale is None:
        is_text = scale.dtype.kind == "U"
        scene = edits.set_scale(scene, parse_scale(str(scale)) if is_text else _single(scale, "scale"))
    if dtype is not None and given.dtype is None and dtype.dtype.kind == "U":
        scene = edits.set_dtype(scene, str(dtype))
    if scale is None and given.scale is None and parts.has(roles.QUERY):
        notes.append("scale 1: models divide by sqrt(hs), s does")
    return given.applied(scene), notes


def _single(array: NDArray[Any], name: str) -> float:
    """The one number of an array."""
    if array.size != 1 or array.dtype.kind not in "fiu":
        raise ForeignError(f"the {name} has the shape {array.shape} and dtype {array.dtype.name}, and is one number")
    return float(np.asarray(array).ravel()[0])


def _file_name(request: Request) -> str:
    """What the screen calls it."""
    return "standard input" if request.path == "-" else request.path.replace("\\", "/").rsplit("/", 1)[-1]
