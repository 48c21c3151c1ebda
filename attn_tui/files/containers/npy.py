"""NumPy's .npy: a short header, then the items as they lie in memory."""

import re
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from attn_tui.files.containers.container import Entry, Listing, UnreadableError
from attn_tui.files.containers.content import Content, truncated
from attn_tui.files.containers.item_types import UNTYPED_NOTE, ItemType, checked_bytes, described
from attn_tui.files.containers.texts import native_text
from attn_tui.files.errors import ForeignError

MAGIC = b"\x93NUMPY"
LONGEST_HEADER = 65_536
"""Bytes of the longest header that is taken, all told."""

_BROKEN = "its .npy header is broken: save it again with np.save"
_DECIMALS = 20
_PAIR = re.compile(
    r"\s*+(?P<quote>['\"])(?P<key>descr|fortran_order|shape)(?P=quote)\s*+:\s*+"
    r"(?:(?P<mark>['\"])(?P<descr>[^'\"]*+)(?P=mark)|(?P<order>True|False)|\((?P<shape>[\d\sL,]*+)\)|(?P<fields>[\[(]))"
)
_SEPARATOR = re.compile(r"\s*+(?:,\s*+)?")


@dataclass(frozen=True)
class Header:
    """What the header of a .npy says, and where the items begin."""

    item: ItemType
    shape: tuple[int, ...]
    fortran: bool
    offset: int
    untyped: bool
    """Whether the kind of item is a guess, since NumPy does not store it."""

    @property
    def length(self) -> int:
        """Bytes of all items."""
        return checked_bytes(self.shape, self.item.size)


def is_npy(content: Content) -> bool:
    """Whether the content begins as a .npy does."""
    return content.beginning.startswith(MAGIC)


def list_npy(content: Content) -> Listing:
    """The one array of a .npy; raises ForeignError for one that is broken or of a kind that is not read."""
    header = read_header(content.part(0, min(content.size, LONGEST_HEADER)))
    end = header.offset + header.length
    if end > content.size:
        raise truncated(end, content.size)
    notes = [UNTYPED_NOTE] if header.untyped else []
    if end < content.size:
        notes.append(f"{content.size - end} bytes follow the array: not read")
    return Listing((mapped_entry("", content, header),), tuple(notes))


def mapped_entry(name: str, content: Content, header: Header, start: int = 0) -> Entry:
    """The array of a .npy that begins at `start`, mapped when it is read."""

    def read() -> NDArray[Any]:
        """The array, mapped."""
        array = content.array(start + header.offset, header.item, header.shape, fortran=header.fortran)
        return native_text(array) if header.item.name == "text" else array

    return Entry(name, header.shape, header.item.name, read)


def array_of(items: bytearray | NDArray[np.uint8], header: Header) -> NDArray[Any]:
    """The array of a .npy from its items in memory."""
    if header.length == 0:
        return np.empty(header.shape, header.item.dtype())
    flat = np.frombuffer(items, header.item.dtype())
    array = flat.reshape(header.shape, order="F" if header.fortran else "C")
    return native_text(array) if header.item.name == "text" else array


def read_header(start: bytes) -> Header:
    """The header at the start of a .npy; raises UnreadableError for its kind of items, ForeignError for what is broken.

    NumPy's own readers of it are public for two of the three versions, evaluate it as Python, and build whatever
    dtype it names; the few things that are read here need none of that.
    """
    if not start.startswith(MAGIC):
        raise ForeignError("does not begin as a .npy does: save it again with np.save")
    version, width = start[6:7], 2 if start[6:7] == b"\x01" else 4
    if version not in {b"\x01", b"\x02", b"\x03"} or len(start) < 8 + width:
        known = version in {b"\x01", b"\x02", b"\x03", b""}
        raise ForeignError(_BROKEN if known else f"has .npy version {version[0]}, and 1 to 3 are read")
    length = int.from_bytes(start[8 : 8 + width], "little")
    offset = 8 + width + length
    if offset > LONGEST_HEADER:
        raise ForeignError(f"its header promises to be {length} bytes long, more than {LONGEST_HEADER}: it is broken")
    if offset > len(start):
        raise truncated(offset, len(start))
    return _parsed(start[8 + width : offset].decode("latin-1").strip(), offset)


def _parsed(text: str, offset: int) -> Header:
    """The header from its text, which is a Python dictionary of three."""
    if text[:1] != "{" or text[-1:] != "}":
        raise ForeignError(_BROKEN)
    found: dict[str, re.Match[str]] = {}
    position = 1
    while match := _PAIR.match(text, position):
        if match["key"] == "descr" and match["fields"]:
            raise UnreadableError("holds records of several fields", "save one field: np.save(f, array['name'])")
        separator = _SEPARATOR.match(text, match.end())
        found[match["key"]] = match
        position = separator.end() if separator else match.end()
    if text[position:].strip() != "}" or len(found) != 3:
        raise ForeignError(_BROKEN)
    descr, order, shape = found["descr"]["descr"], found["fortran_order"]["order"], found["shape"]["shape"]
    if descr is None or order is None or shape is None:
        raise ForeignError(_BROKEN)
    item, lengths = described(descr), _lengths(shape)
    checked_bytes(lengths, item.size)
    return Header(item, lengths, order == "True", offset, untyped="V" in descr)


def _lengths(written: str) -> tuple[int, ...]:
    """The shape from what stands between its brackets; Python 2 wrote an L after each length."""
    pieces = [piece.strip().removesuffix("L") for piece in written.split(",")]
    pieces = pieces[:-1] if not pieces[-1] else pieces
    if not all(piece.isdecimal() for piece in pieces):
        raise ForeignError(_BROKEN)
    if any(len(piece) > _DECIMALS for piece in pieces):
        raise ForeignError("its header promises more bytes than any file can hold: the file is broken")
    return tuple(int(piece) for piece in pieces)
