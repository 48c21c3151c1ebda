"""NumPy's .npz: a zip of .npy members, mapped where they are stored and unpacked where they are compressed."""

import struct
import zipfile
import zlib
from contextlib import closing
from typing import Any, BinaryIO

import numpy as np
from numpy.typing import NDArray

from attn_tui.files.containers.container import Entry, Listing, UnreadableError
from attn_tui.files.containers.content import Content
from attn_tui.files.containers.item_types import UNTYPED_NOTE
from attn_tui.files.containers.npy import MAGIC, Header, array_of, mapped_entry, read_header
from attn_tui.files.containers.pickles import torch_pickle
from attn_tui.files.containers.zip_members import BROKEN, checked_members, items_offset
from attn_tui.files.errors import ForeignError
from attn_tui.files.visible import visible

_ZIP_MAGICS = (b"PK\x03\x04", b"PK\x05\x06")
_CHUNK = 2**20
_BEGINNING = 4096
"""Bytes of a member that are looked at to list it: more than any header takes that NumPy writes."""
_TROUBLE = (zipfile.BadZipFile, zlib.error, struct.error, NotImplementedError, RuntimeError, EOFError, OSError,
            ValueError, OverflowError, KeyError)  # fmt: skip
"""What zipfile raises for a broken zip."""


def is_zip(content: Content) -> bool:
    """Whether the content begins as a zip does."""
    return content.beginning.startswith(_ZIP_MAGICS)


def list_npz(content: Content) -> Listing:
    """The arrays of a .npz; raises ForeignError for a broken zip, for a bomb, and where nothing in it can be read."""
    with closing(content.open()) as opened:
        members = checked_members(content, opened)
        if any(member.filename.endswith("data.pkl") for member in members):
            raise ForeignError(torch_pickle(content.name))
        entries: list[Entry] = []
        notes: list[str] = []
        refusal: UnreadableError | None = None
        for member in members:
            try:
                entry, found = _entry(content, opened, member)
            except UnreadableError as error:
                refusal = error
                notes.append(f"{visible(_array_name(member))} {error.reason}: not read")
            else:
                entries.append(entry)
                notes.extend(found)
    if not entries:
        raise _nothing(notes, refusal)
    return Listing(tuple(entries), tuple(notes))


def _entry(content: Content, opened: BinaryIO, member: zipfile.ZipInfo) -> tuple[Entry, list[str]]:
    """A member as an entry, with notes; raises UnreadableError for what is no array or of a kind that is not read."""
    name = _array_name(member)
    is_stored = member.compress_type == zipfile.ZIP_STORED
    offset = items_offset(content, opened, member)
    start = _beginning(content, member, offset)
    if not start.startswith(MAGIC):
        raise UnreadableError("is no array")
    try:
        header = read_header(start)
    except UnreadableError:
        raise
    except ForeignError as error:
        raise ForeignError(f"{visible(name)}: {error}") from None
    if header.offset + header.length != member.file_size:
        promised = f"promises {header.offset + header.length} bytes and has {member.file_size}"
        raise ForeignError(f"its member {visible(name)} {promised}: the file is broken")
    notes = [f"{visible(name)}: {UNTYPED_NOTE}"] if header.untyped else []
    if is_stored:
        return mapped_entry(name, content, header, offset), notes

    def read() -> NDArray[Any]:
        """The array, unpacked."""
        return array_of(_unpacked(content, member, header), header)

    return Entry(name, header.shape, header.item.name, read), notes


def _nothing(notes: list[str], refusal: UnreadableError | None) -> ForeignError:
    """The error for a zip of which no member can be read, with the last one's advice."""
    if refusal is None:
        return ForeignError("is a zip without any array")
    more = f" (and {len(notes) - 4} more)" if len(notes) > 4 else ""
    return ForeignError(f"nothing in it can be read: {'; '.join(notes[:4])}{more}; the last one {refusal}")


def _array_name(member: zipfile.ZipInfo) -> str:
    """The name that NumPy gives a member."""
    return member.filename.removesuffix(".npy")


def _beginning(content: Content, member: zipfile.ZipInfo, offset: int) -> bytes:
    """The first bytes of a member, enough for its header."""
    length = min(member.file_size, _BEGINNING)
    if member.compress_type == zipfile.ZIP_STORED:
        return content.part(offset, length)
    packed = content.part(offset, min(member.compress_size, 2 * _BEGINNING))
    try:
        return zlib.decompressobj(-zlib.MAX_WBITS).decompress(packed, length) if length else b""
    except zlib.error:
        raise ForeignError(f"its member {visible(_array_name(member))} cannot be unpacked: {BROKEN}") from None


def _unpacked(content: Content, member: zipfile.ZipInfo, header: Header) -> NDArray[np.uint8]:
    """The items of a compressed member; raises ForeignError if there are more or fewer than its header says."""
    items = np.empty(header.length, np.uint8)
    filled = 0
    try:
        with closing(content.open()) as opened, zipfile.ZipFile(opened) as archive, archive.open(member) as packed:
            packed.read(header.offset)
            while filled < items.size:
                read = packed.read(min(_CHUNK, items.size - filled))
                if not read:
                    break
                items[filled : filled + len(read)] = np.frombuffer(read, np.uint8)
                filled += len(read)
            more = packed.read(1)
    except ForeignError:
        raise
    except _TROUBLE as error:
        raise ForeignError(f"cannot be unpacked ({visible(str(error))}): {BROKEN}") from None
    if filled < items.size or more:
        raise ForeignError(f"has other bytes than its header promises: {BROKEN}")
    return items
