"""Nothing is read before it is asked for: huge files cost what is looked at, and may not change meanwhile."""

import io
import os
import resource
import struct
import sys
import tracemalloc
import zipfile
from pathlib import Path

import numpy as np
import pytest

from attn_tui.files.containers import from_bytes, open_container
from attn_tui.files.errors import ForeignError
from tests.files.containers import written

_HEADS, _KEYS, _HEAD_SIZE = 16_384, 4096, 64
_HEAD_BYTES = _KEYS * _HEAD_SIZE * 4
_HUGE = _HEADS * _HEAD_BYTES
"""16 GiB."""
_SHAPE = (_HEADS, _KEYS, _HEAD_SIZE)
_LITTLE = 16 * 2**20


def _npy_header(shape: tuple[int, ...]) -> bytes:
    """The header of a float32 .npy of this shape."""
    file = io.BytesIO()
    np.lib.format.write_array_header_1_0(file, {"descr": "<f4", "fortran_order": False, "shape": shape})
    return file.getvalue()


def _sparse(path: Path, header: bytes, tail: bytes = b"") -> Path:
    """A file of 16 GiB that takes no room: a header, zeros except for one head, and an end."""
    with path.open("wb") as file:
        file.write(header)
        file.seek(len(header) + 5 * _HEAD_BYTES)
        file.write(np.full(8, 1.5, np.float32).tobytes())
        file.truncate(len(header) + _HUGE)
        file.seek(0, os.SEEK_END)
        file.write(tail)
    return path


def _stored_zip() -> tuple[bytes, bytes]:
    """What stands before and after the items of a huge stored member, in the 64-bit form that NumPy writes."""
    header = _npy_header(_SHAPE)
    size = len(header) + _HUGE
    name, wide = b"k.npy", struct.pack("<2H2Q", 1, 16, size, size)
    common = struct.pack("<5H3L2H", 45, 0, 0, 0, 0x21, 0, 0xFFFFFFFF, 0xFFFFFFFF, len(name), len(wide))
    before = b"PK\x03\x04" + common + name + wide + header
    entry = b"PK\x01\x02" + struct.pack("<H", 45) + common + struct.pack("<3H2L", 0, 0, 0, 0, 0) + name + wide
    at = len(before) + _HUGE
    end_64 = struct.pack("<4sQ2H2L4Q", b"PK\x06\x06", 44, 45, 45, 0, 0, 1, 1, len(entry), at)
    locator = struct.pack("<4sLQL", b"PK\x06\x07", 0, at + len(entry), 1)
    end = struct.pack("<4s4H2LH", b"PK\x05\x06", 0, 0, 1, 1, 0xFFFFFFFF, 0xFFFFFFFF, 0)
    return before, entry + end_64 + locator + end


@pytest.mark.parametrize("name", ["k.npy", "k.npz", "k.safetensors"])
def test_one_head_of_sixteen_gigabytes_takes_the_memory_of_that_head(name: str, tmp_path: Path) -> None:
    described = {"k": {"dtype": "F32", "shape": list(_SHAPE), "data_offsets": [0, _HUGE]}}
    ends = {
        "k.npy": (_npy_header(_SHAPE), b""),
        "k.npz": _stored_zip(),
        "k.safetensors": (written.safetensors_of(described), b""),
    }
    path = _sparse(tmp_path / name, *ends[name])
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    tracemalloc.start()
    try:
        entry = open_container(path).entries[0]
        array = entry.read()
        head = np.array(array[5])
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    unit = 1024 if sys.platform == "linux" else 1
    assert entry.shape == array.shape == _SHAPE
    assert isinstance(array.base, np.memmap) or isinstance(array, np.memmap)
    assert head.reshape(-1)[:9].tolist() == [1.5] * 8 + [0.0]
    assert peak < _LITTLE
    assert (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) * unit < 4 * _LITTLE


def test_a_header_that_promises_more_than_there_is_allocates_nothing(tmp_path: Path) -> None:
    path = tmp_path / "k.npy"
    path.write_bytes(_npy_header(_SHAPE) + bytes(64))
    tracemalloc.start()
    try:
        with pytest.raises(ForeignError, match="truncated"):
            open_container(path)
        assert tracemalloc.get_traced_memory()[1] < _LITTLE
    finally:
        tracemalloc.stop()


def test_a_file_that_changes_between_listing_and_reading_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "k.npy"
    path.write_bytes(written.npy(np.ones((4, 4))))
    entry = open_container(path).entries[0]
    path.write_bytes(written.npy(np.ones(2)))
    with pytest.raises(ForeignError, match="has changed since it was opened"):
        entry.read()
    path.unlink()
    with pytest.raises(ForeignError, match="cannot be mapped into memory: no such file"):
        entry.read()


def test_what_is_mapped_cannot_be_written_to(tmp_path: Path) -> None:
    path = tmp_path / "q.npz"
    path.write_bytes(written.npz({"q": np.ones(3)}))
    array = open_container(path).entries[0].read()
    assert not array.flags.writeable


def test_a_member_behind_another_is_mapped_where_it_is(tmp_path: Path) -> None:
    path = tmp_path / "q.npz"
    path.write_bytes(written.zipped([("about.txt", b"x" * 777), ("q.npy", written.npy(np.arange(3.0)))]))
    container = open_container(path)
    assert container.entries[0].read().tolist() == [0.0, 1.0, 2.0]
    assert container.notes == ("about.txt is no array: not read",)


def test_a_compressed_member_is_unpacked_only_when_it_is_read(tmp_path: Path) -> None:
    path = tmp_path / "k.npz"
    np.savez_compressed(path, k=np.random.default_rng(0).integers(0, 2, (4, 2**20)).astype(np.float32))
    tracemalloc.start()
    try:
        entry = open_container(path).entries[0]
        assert tracemalloc.get_traced_memory()[1] < 2**20
    finally:
        tracemalloc.stop()
    assert entry.read().shape == (4, 2**20)


def test_a_damaged_compressed_member_is_refused_when_it_is_read() -> None:
    content = bytearray(written.npz({"k": np.random.default_rng(0).normal(size=4096)}, compressed=True))
    content[9000] ^= 0xFF
    entry = from_bytes(bytes(content), "k.npz").entries[0]
    with pytest.raises(ForeignError, match="k: cannot be unpacked"):
        entry.read()
    assert zipfile.is_zipfile(io.BytesIO(content))
