"""safetensors: the length of a JSON header, the header, then the tensors one after the other."""

import json
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any, NoReturn, cast

from attn_tui.files.containers.container import MOST_ENTRIES, Entry, Listing
from attn_tui.files.containers.content import Content, truncated
from attn_tui.files.containers.item_types import SMALL_FLOATS, ItemType, checked_bytes
from attn_tui.files.errors import ForeignError
from attn_tui.files.visible import visible

LONGEST_HEADER = 4 * 2**20
"""Bytes of the longest header that is read: some 40,000 tensors."""

ITEM_TYPES: dict[str, ItemType] = {
    "F64": ItemType("float64", 8, "<f8"),
    "F32": ItemType("float32", 4, "<f4"),
    "F16": ItemType("float16", 2, "<f2"),
    "BF16": SMALL_FLOATS["bfloat16"],
    "F8_E4M3": SMALL_FLOATS["float8_e4m3fn"],
    "F8_E5M2": SMALL_FLOATS["float8_e5m2"],
    **{f"I{8 * size}": ItemType(f"int{8 * size}", size, f"<i{size}") for size in (1, 2, 4, 8)},
    **{f"U{8 * size}": ItemType(f"uint{8 * size}", size, f"<u{size}") for size in (1, 2, 4, 8)},
    "BOOL": ItemType("bool", 1, "|b1"),
}
"""What safetensors calls each kind of item."""

_PREFIX = 8
_METADATA = "__metadata__"
_BROKEN = "the file is broken, copy or save it again"
_LONGEST_INTEGER = 19


@dataclass(frozen=True)
class _Tensor:
    """What the header says of a tensor: begin and end are counted from the header's end."""

    name: str
    dtype: str
    shape: tuple[int, ...]
    begin: int
    end: int


def is_safetensors(content: Content) -> bool:
    """Whether the content begins with a length that fits it and a header; the format has no magic bytes."""
    start = content.beginning
    length = int.from_bytes(start[:_PREFIX], "little")
    return start[_PREFIX : _PREFIX + 1] == b"{" and b"\0" in start[:_PREFIX] and length <= content.size - _PREFIX


def has_safetensors_name(content: Content) -> bool:
    """Whether the content is called so, and may be a broken one."""
    return content.extension == ".safetensors"


def list_safetensors(content: Content) -> Listing:
    """Every tensor that the header names; raises ForeignError where it and the file do not fit."""
    if content.size < _PREFIX:
        raise truncated(_PREFIX, content.size)
    length = int.from_bytes(content.part(0, _PREFIX), "little")
    if length > content.size - _PREFIX:
        raise ForeignError(
            f"is truncated or no safetensors: its header promises to be {length} bytes long, "
            f"and {content.size - _PREFIX} follow; {_BROKEN}"
        )
    if length > LONGEST_HEADER:
        raise ForeignError(f"its header is {length} bytes long, more than the {LONGEST_HEADER} that are read")
    tensors = [_tensor(name, said) for name, said in _header(content.part(_PREFIX, length)).items()]
    start = _PREFIX + length
    _check_places(tensors, content.size - start)
    known = [tensor for tensor in tensors if tensor.dtype in ITEM_TYPES]
    for tensor in known:
        _check_bytes(tensor)
    skipped = [tensor for tensor in tensors if tensor.dtype not in ITEM_TYPES]
    notes = [f"{visible(tensor.name)} has dtype {visible(tensor.dtype)[:20]}: not read" for tensor in skipped]
    if not known:
        raise ForeignError(f"no tensor in it can be read: {'; '.join(notes[:4])}" if notes else "holds no tensors")
    return Listing(tuple(_entry(content, start, tensor) for tensor in known), tuple(notes))


def _entry(content: Content, start: int, tensor: _Tensor) -> Entry:
    """A tensor as an entry."""
    item = ITEM_TYPES[tensor.dtype]
    read: Callable[[], Any] = partial(content.array, start + tensor.begin, item, tensor.shape)
    return Entry(tensor.name, tensor.shape, item.name, read)


def _header(written: bytes) -> dict[str, object]:
    """The header without its metadata; raises ForeignError for what is no JSON object, and for doubled names."""
    try:
        header: object = json.loads(
            written.decode("utf-8"),
            object_pairs_hook=_unique,
            parse_int=_integer,
            parse_float=_refuse_number,
            parse_constant=_refuse_number,
        )
    except ForeignError:
        raise
    except (ValueError, RecursionError):
        raise ForeignError(f"its header is no JSON: {_BROKEN}") from None
    if not isinstance(header, dict):
        raise ForeignError(f"its header is no JSON object: {_BROKEN}")
    tensors = cast("dict[str, object]", header)
    tensors.pop(_METADATA, None)
    if len(tensors) > MOST_ENTRIES:
        raise ForeignError(f"has {len(tensors)} tensors, more than the {MOST_ENTRIES} that are listed")
    return tensors


def _unique(pairs: list[tuple[str, object]]) -> dict[str, object]:
    """The members of an object; raises ForeignError for a name that comes twice."""
    members = dict(pairs)
    if len(members) < len(pairs):
        counts = Counter(name for name, _ in pairs)
        doubled = counts.most_common(1)[0][0]
        raise ForeignError(f"its header names {visible(doubled)[:80]} twice: {_BROKEN}")
    return members


def _integer(written: str) -> int:
    """A whole number of the header, -1 for one that is too long to be meant."""
    return int(written) if len(written) <= _LONGEST_INTEGER else -1


def _refuse_number(written: str) -> NoReturn:
    """Raise ForeignError for a number that is no whole number."""
    raise ForeignError(f"its header holds {written[:20]}, where only whole numbers belong: {_BROKEN}")


def _tensor(name: str, said: object) -> _Tensor:
    """What the header says of one tensor; raises ForeignError if it does not say it in order."""
    members = cast("dict[str, object]", said) if isinstance(said, dict) else {}
    dtype, shape, offsets = members.get("dtype"), members.get("shape"), members.get("data_offsets")
    lengths, places = _whole_numbers(shape), _whole_numbers(offsets)
    if not isinstance(dtype, str) or lengths is None or places is None or len(places) != 2 or places[0] > places[1]:
        raise ForeignError(f"its header does not say dtype, shape and place of {visible(name)[:80]}: {_BROKEN}")
    return _Tensor(name, dtype, lengths, places[0], places[1])


def _whole_numbers(said: object) -> tuple[int, ...] | None:
    """A list of whole numbers from 0 on; None for anything else, true and false among it."""
    if not isinstance(said, list):
        return None
    numbers = [number for number in cast("list[object]", said) if type(number) is int and number >= 0]
    return tuple(numbers) if len(numbers) == len(cast("list[object]", said)) else None


def _check_places(tensors: list[_Tensor], size: int) -> None:
    """Raise ForeignError for tensors that share bytes, or end after the file."""
    end, before = 0, ""
    for tensor in sorted(tensors, key=lambda one: (one.begin, one.end)):
        if tensor.end > size:
            promised = f"the header promises {tensor.end} bytes of tensors and {size} are there"
            raise ForeignError(f"is truncated at {visible(tensor.name)[:80]}: {promised}; copy it again")
        if tensor.begin < end:
            names = f"{visible(before)[:80]} and {visible(tensor.name)[:80]}"
            raise ForeignError(f"its tensors {names} overlap: {_BROKEN}")
        end, before = tensor.end, tensor.name


def _check_bytes(tensor: _Tensor) -> None:
    """Raise ForeignError if a tensor has other bytes than its shape and dtype need."""
    name = visible(tensor.name)[:80]
    try:
        needed = checked_bytes(tensor.shape, ITEM_TYPES[tensor.dtype].size)
    except ForeignError as error:
        raise ForeignError(f"{name}: {error}") from None
    if needed != tensor.end - tensor.begin:
        said = f"needs {needed} bytes and has {tensor.end - tensor.begin}"
        raise ForeignError(f"its tensor {name} {said}: {_BROKEN}")
