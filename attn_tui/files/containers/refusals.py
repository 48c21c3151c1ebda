"""Kinds of files that are known by how they begin and not read: what each is called, and what to do."""

import re
from dataclasses import dataclass

from attn_tui.files.containers.container import Listing
from attn_tui.files.containers.content import Content
from attn_tui.files.errors import ForeignError


@dataclass(frozen=True)
class Refused:
    """A kind of file: the bytes it begins with, what to say of it, and where the bytes stand."""

    magic: bytes
    sentence: str
    offset: int = 0


_SAVE = "save its arrays with np.savez(f, q=..., keys=...)"

REFUSED: tuple[Refused, ...] = (
    Refused(b"version https://git-lfs.github.com/spec", "is a Git LFS pointer, not the file itself: run git lfs pull"),
    Refused(b"/annex/objects/", "is a git-annex pointer, not the file itself: run git annex get on it"),
    Refused(b"\x1f\x8b", "is compressed with gzip: unpack it first, with gunzip"),
    Refused(b"\x28\xb5\x2f\xfd", "is compressed with zstd: unpack it first, with unzstd"),
    Refused(b"\xfd7zXZ\x00", "is compressed with xz: unpack it first, with unxz"),
    Refused(b"BZh", "is compressed with bzip2: unpack it first, with bunzip2"),
    Refused(b"\x04\x22\x4d\x18", "is compressed with lz4: unpack it first, with unlz4"),
    Refused(b"7z\xbc\xaf\x27\x1c", "is a 7z archive: unpack it first"),
    Refused(b"ustar", "is a tar archive: unpack it first, with tar -x", 257),
    Refused(b"\x89HDF\r\n\x1a\n", f"is HDF5, which is not read here: open it with h5py and {_SAVE}"),
    Refused(b"PAR1", f"is Parquet, which is not read here: open it with pandas or pyarrow and {_SAVE}"),
    Refused(b"ARROW1", f"is Arrow, which is not read here: open it with pyarrow and {_SAVE}"),
    Refused(b"GGUF", f"is GGUF, which holds quantised weights and is not read here: {_SAVE}"),
    Refused(
        b"MATLAB 5.0 MAT-file", f"is a MATLAB file, which is not read here: open it with scipy.io.loadmat and {_SAVE}"
    ),
    Refused(b"\x89PNG\r\n\x1a\n", "is a picture, not numbers"),
    Refused(b"\xff\xd8\xff", "is a picture, not numbers"),
    Refused(b"%PDF-", "is a PDF, not numbers: copy the numbers out of it"),
    Refused(b"SQLite format 3\x00", f"is a database, which is not read here: {_SAVE}"),
    Refused(b"\x7fELF", "is a program, not numbers"),
)
"""Every kind, told by the first bytes that fit."""

_WEB_PAGE = re.compile(rb"\s*<(?:!doctype html|html)\b", re.IGNORECASE)
_BINARY = {".npy": "np.save", ".npz": "np.savez", ".safetensors": "safetensors"}


def is_empty(content: Content) -> bool:
    """Whether there is nothing at all."""
    return content.size == 0


def refuse_empty(_: Content) -> Listing:
    """Raises ForeignError."""
    raise ForeignError("is empty: nothing was written to it")


def is_refused(content: Content) -> bool:
    """Whether the content is of a kind that is known and not read."""
    return _sentence(content.beginning) is not None


def refuse(content: Content) -> Listing:
    """Raises ForeignError with what the content is and what to do."""
    raise ForeignError(_sentence(content.beginning) or "is of a kind that is not read here")


def is_misnamed(content: Content) -> bool:
    """Whether the name says .npy or .npz, and the content does not."""
    return content.extension in _BINARY


def refuse_misnamed(content: Content) -> Listing:
    """Raises ForeignError for a file that does not begin as its name says."""
    held = "it holds text" if _is_text(content.beginning[:512]) else "the file is broken"
    raise ForeignError(
        f"does not begin as a {content.extension} does: {held}; save it again with {_BINARY[content.extension]}"
    )


def _sentence(start: bytes) -> str | None:
    """What to say of a file that begins so, None for one that may be read."""
    for kind in REFUSED:
        if start[kind.offset : kind.offset + len(kind.magic)] == kind.magic:
            return kind.sentence
    return "is a web page, not arrays: was it a login page that was downloaded?" if _WEB_PAGE.match(start) else None


def _is_text(start: bytes) -> bool:
    """Whether some bytes are printable ASCII and blanks."""
    return all(byte >= 32 or byte in b"\t\r\n" for byte in start)
