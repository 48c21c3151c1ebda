"""Files as the real libraries write them."""

import io
import json
import zipfile
from collections.abc import Mapping
from typing import Any

import ml_dtypes
import numpy as np
from numpy.typing import NDArray
from safetensors.numpy import save

Array = NDArray[Any]

BFLOAT16 = np.dtype(ml_dtypes.bfloat16)
FLOAT8 = np.dtype(ml_dtypes.float8_e4m3fn), np.dtype(ml_dtypes.float8_e5m2)


def npy(array: object, *, version: tuple[int, int] | None = None) -> bytes:
    """What np.save writes."""
    file = io.BytesIO()
    np.lib.format.write_array(file, np.asanyarray(array), version)
    return file.getvalue()


def npz(arrays: Mapping[str, object], *, compressed: bool = False) -> bytes:
    """What np.savez writes."""
    file = io.BytesIO()
    (np.savez_compressed if compressed else np.savez)(file, **{name: np.asanyarray(a) for name, a in arrays.items()})
    return file.getvalue()


def safetensors(arrays: Mapping[str, Array]) -> bytes:
    """What safetensors writes, in C order as it has no other."""
    return save({name: np.array(array, order="C") for name, array in arrays.items()}, {"by": "a test"})


def safetensors_of(header: object, content: bytes = b"") -> bytes:
    """A file with any header at all."""
    written = header if isinstance(header, bytes) else json.dumps(header).encode()
    return len(written).to_bytes(8, "little") + written + content


def npy_of(header: str, content: bytes = b"") -> bytes:
    """A .npy with any header at all."""
    written = header.encode("latin-1")
    return b"\x93NUMPY\x01\x00" + len(written).to_bytes(2, "little") + written + content


def zipped(members: list[tuple[str, bytes]], method: int = zipfile.ZIP_STORED) -> bytes:
    """A zip of any members at all."""
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", method) as archive:
        for name, content in members:
            archive.writestr(name, content)
    return file.getvalue()
