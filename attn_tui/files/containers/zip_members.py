"""The members of a zip, believed only after their sizes, places and names have been checked."""

import struct
import zipfile
from typing import BinaryIO

from attn_tui.files.containers.content import Content, truncated
from attn_tui.files.errors import ForeignError
from attn_tui.files.visible import visible

BROKEN = "the file is broken, save it again with np.savez"
"""What to do about a broken zip."""
MOST_MEMBERS = 8192
"""Members of the largest zip that is listed."""
LARGEST_DIRECTORY = 4 * 2**20
"""Bytes of the longest list of members."""
LARGEST_UNPACKED = 2 * 2**30
"""Bytes of the largest compressed member; a stored one is mapped, and may have any size."""
LARGEST_SUSPECT = 64 * 2**20 + 4096
"""Bytes of all compressed members together that may be mostly the same byte, as masks are; room for a header too."""
LARGEST_RATIO = 100
"""How much smaller than itself any other member may be."""
HIGHEST_RATIO = 1040
"""More than deflate can ever do."""

_END = struct.Struct("<4s4H2LH")
_END_64_LOCATOR = struct.Struct("<4sLQL")
_END_64 = struct.Struct("<4sQ2H2L4Q")
_LOCAL = struct.Struct("<4s5H3L2H")
_COMMENT = 65_535
_ENCRYPTED = 0x1
_UNPACK_ADVICE = "save it without compression, with np.savez, which is opened without reading all of it"


def checked_members(content: Content, opened: BinaryIO) -> list[zipfile.ZipInfo]:
    """The members that hold something; raises ForeignError for what is broken, encrypted, doubled or a bomb."""
    _check_directory(content)
    try:
        with zipfile.ZipFile(opened) as archive:
            members = archive.infolist()
            directory = archive.start_dir
    except (
        zipfile.BadZipFile,
        NotImplementedError,
        struct.error,
        EOFError,
        OSError,
        ValueError,
        OverflowError,
    ) as error:
        raise ForeignError(f"is a zip that cannot be listed ({visible(str(error))}): {BROKEN}") from None
    if len(members) > MOST_MEMBERS:
        raise ForeignError(f"has {len(members)} members, more than {MOST_MEMBERS}: save fewer arrays in one file")
    _check_names(members)
    for member in members:
        _check_size(member)
    _check_together(members)
    _check_places(members, directory)
    return [member for member in members if not member.filename.endswith("/")]


def items_offset(content: Content, opened: BinaryIO, member: zipfile.ZipInfo) -> int:
    """Where the bytes of a member begin; raises ForeignError where the header before them says something else."""
    opened.seek(member.header_offset)
    start = opened.read(_LOCAL.size)
    if len(start) < _LOCAL.size:
        raise truncated(member.header_offset + _LOCAL.size, content.size)
    magic, _, flags, method, _, _, _, _, _, name_length, extra_length = _LOCAL.unpack(start)
    name = opened.read(name_length).decode("utf-8" if flags & 0x800 else "cp437", "replace")
    if magic != b"PK\x03\x04" or method != member.compress_type or flags & _ENCRYPTED or name != member.orig_filename:
        raise ForeignError(f"its list of members and its member {visible(member.filename)} differ: {BROKEN}")
    offset = member.header_offset + _LOCAL.size + name_length + extra_length
    if offset + member.compress_size > content.size:
        raise truncated(offset + member.compress_size, content.size)
    return offset


def _check_directory(content: Content) -> None:
    """Raise ForeignError if the list of members is missing or absurdly long, before zipfile reads all of it."""
    tail_length = min(content.size, _END.size + _COMMENT + _END_64.size + _END_64_LOCATOR.size)
    tail = content.part(content.size - tail_length, tail_length)
    place = tail.rfind(b"PK\x05\x06")
    if place < 0 or place + _END.size > len(tail):
        raise ForeignError("is a truncated zip, since its list of members at the end is missing: copy it again")
    sizes = [_END.unpack_from(tail, place)[5]]
    wide = place - _END_64_LOCATOR.size - _END_64.size
    if wide >= 0 and tail[wide : wide + 4] == b"PK\x06\x06":
        sizes = [_END_64.unpack_from(tail, wide)[8]]
    if max(sizes) > LARGEST_DIRECTORY:
        raise ForeignError(f"is a zip whose list of members takes {max(sizes)} bytes: {BROKEN}")


def _check_names(members: list[zipfile.ZipInfo]) -> None:
    """Raise ForeignError for two members of one name."""
    seen: set[str] = set()
    for member in members:
        name = member.filename.removesuffix(".npy")
        if name in seen:
            raise ForeignError(f"has two members called {visible(name)}: save it again with one")
        seen.add(name)


def _check_size(member: zipfile.ZipInfo) -> None:
    """Raise ForeignError for a member that is encrypted, packed in an unknown way, or larger than it can be."""
    name, size, packed = visible(member.filename), member.file_size, member.compress_size
    if member.flag_bits & _ENCRYPTED:
        raise ForeignError(f"its member {name} is encrypted: save it again without a password")
    if member.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
        raise ForeignError(f"its member {name} is compressed in a way that NumPy does not use: save it with np.savez")
    if member.compress_type == zipfile.ZIP_STORED:
        if size != packed:
            raise ForeignError(f"its member {name} has {packed} bytes and should have {size}: {BROKEN}")
        return
    if size > HIGHEST_RATIO * packed + 1024:
        raise ForeignError(f"its member {name} claims to hold {size} bytes in {packed}, which cannot be: {BROKEN}")
    if size > LARGEST_UNPACKED or size > max(LARGEST_SUSPECT, LARGEST_RATIO * packed):
        raise ForeignError(f"its member {name} would unpack {packed} bytes into {size}: {_UNPACK_ADVICE}")


def _check_together(members: list[zipfile.ZipInfo]) -> None:
    """Raise ForeignError for many members that are mostly the same byte: each may be, but not all of them."""
    suspect = [one for one in members if one.file_size > LARGEST_RATIO * one.compress_size]
    size, packed = sum(one.file_size for one in suspect), sum(one.compress_size for one in suspect)
    if size > LARGEST_SUSPECT:
        raise ForeignError(f"its members would unpack {packed} bytes into {size}: {_UNPACK_ADVICE}")


def _check_places(members: list[zipfile.ZipInfo], directory: int) -> None:
    """Raise ForeignError for members that share bytes, or lie outside the file."""
    end, before = 0, ""
    for member in sorted(members, key=lambda one: one.header_offset):
        if member.header_offset < end:
            raise ForeignError(f"its members {visible(before)} and {visible(member.filename)} overlap: {BROKEN}")
        end, before = member.header_offset + _LOCAL.size + member.compress_size, member.filename
        if end > directory:
            raise ForeignError(f"its member {visible(before)} goes beyond where it must end: {BROKEN}")
