"""The bytes of a file, on disk or in memory, of which parts are read and arrays are mapped."""

import io
import os
import stat
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any, BinaryIO

import numpy as np
from numpy.typing import NDArray

from attn_tui.files.containers.container import because
from attn_tui.files.containers.item_types import ItemType, checked_bytes
from attn_tui.files.errors import ForeignError
from attn_tui.files.visible import visible

_BEGINNING = 4096
_KINDS = (
    (stat.S_ISDIR, "is a folder: name a file in it"),
    (stat.S_ISFIFO, "is a pipe: write - and pipe it into standard input"),
    (stat.S_ISCHR, "is a device, not a file of arrays"),
    (stat.S_ISBLK, "is a device, not a file of arrays"),
    (stat.S_ISSOCK, "is a socket, not a file of arrays"),
)
"""What is no file: a test of the mode, and the sentence."""


@dataclass(frozen=True, eq=False)
class Content:
    """The content of a file: its name without folders, its size in bytes, and where it is."""

    name: str
    size: int
    path: str | None = None
    """None for what is in memory."""
    held: bytes = b""
    """What is in memory."""
    stamp: tuple[int, ...] = ()
    """What tells that the file on disk is still the one that was opened."""

    @cached_property
    def beginning(self) -> bytes:
        """The first bytes, which tell what the content is; raises ForeignError if they cannot be read."""
        return self.part(0, min(self.size, _BEGINNING))

    @property
    def extension(self) -> str:
        """The end of the name in lower case, such as .npy."""
        return Path(self.name).suffix.lower()

    def open(self) -> BinaryIO:
        """The content as a file; raises ForeignError if it has changed since."""
        if self.path is None:
            return io.BytesIO(self.held)
        opened, status = _opened(self.path)
        if _stamp(status) != self.stamp:
            opened.close()
            raise ForeignError("the file has changed since it was opened: open it again")
        return opened

    def part(self, offset: int, length: int) -> bytes:
        """Some bytes; raises ForeignError if the content ends before them."""
        if offset + length > self.size:
            raise truncated(offset + length, self.size)
        if self.path is None:
            return self.held[offset : offset + length]
        try:
            with self.open() as opened:
                opened.seek(offset)
                found = opened.read(length)
        except OSError as error:
            raise ForeignError(f"cannot be read: {because(error)}") from None
        if len(found) < length:
            raise truncated(offset + length, offset + len(found))
        return found

    def array(self, offset: int, item: ItemType, shape: tuple[int, ...], *, fortran: bool = False) -> NDArray[Any]:
        """An array that begins here, mapped and not copied; raises ForeignError if the content ends before it does."""
        length, dtype = checked_bytes(shape, item.size), item.dtype()
        if offset + length > self.size:
            raise truncated(offset + length, self.size)
        if length == 0:
            return np.empty(shape, dtype)
        order = "F" if fortran else "C"
        if self.path is None:
            count = length // item.size
            return np.frombuffer(self.held, dtype, count, offset).reshape(shape, order=order)
        try:
            with self.open() as opened:
                return np.memmap(opened, dtype, "r", offset, shape, order)
        except (OSError, ValueError, OverflowError) as error:
            if isinstance(error, ForeignError):
                raise
            raise ForeignError(f"cannot be mapped into memory: {because(error)}") from None


def content_of(path: str) -> Content:
    """A file on disk, which is opened and looked at but not read; raises ForeignError for what is no file."""
    try:
        opened, status = _opened(path)
        opened.close()
    except (OSError, ValueError) as error:
        if isinstance(error, ForeignError):
            raise
        raise ForeignError(_missing(path, error)) from None
    return Content(Path(path).name, status.st_size, path, stamp=_stamp(status))


def truncated(promised: int, size: int) -> ForeignError:
    """The error for a file that ends before what its header promises."""
    return ForeignError(f"is truncated: its header promises {promised} bytes and there are {size}; copy it again")


def _opened(path: str) -> tuple[BinaryIO, os.stat_result]:
    """A plain file, opened without waiting for anything; raises ForeignError for any other kind, and OSError."""
    _check_kind(os.stat(path))
    # between the two looks a pipe may have taken the file's place: opening must not wait for its writer
    opened = open(path, "rb", opener=lambda name, flags: os.open(name, flags | os.O_NONBLOCK))  # noqa: SIM115
    status = os.fstat(opened.fileno())
    try:
        _check_kind(status)
    except ForeignError:
        opened.close()
        raise
    return opened, status


def _check_kind(status: os.stat_result) -> None:
    """Raise ForeignError for what is no plain file."""
    for is_kind, sentence in _KINDS:
        if is_kind(status.st_mode):
            raise ForeignError(sentence)


def _stamp(status: os.stat_result) -> tuple[int, ...]:
    """What changes when a file is written or replaced."""
    return (status.st_dev, status.st_ino, status.st_size, status.st_mtime_ns)


def _missing(path: str, error: OSError | ValueError) -> str:
    """Why a file cannot be opened, in words."""
    if not isinstance(error, FileNotFoundError):
        return f"cannot be opened: {because(error)}"
    if not os.path.islink(path):
        return "there is no such file"
    target = os.readlink(path)
    advice = "its content has not been fetched: run git annex get on it" if "annex/objects" in target else ""
    return advice or f"is a link to {visible(target)}, which does not exist"
