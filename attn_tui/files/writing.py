"""Files written whole or not at all: under another name first, then put into their place in one step."""

import errno
from pathlib import Path

from attn_tui.files.errors import ForeignError
from attn_tui.files.visible import visible
from attn_tui.model import keeping

_REASONS = {
    errno.ENOENT: "there is no folder {folder}: make it first, or choose another",
    errno.ENOTDIR: "{folder} is no folder",
    errno.EISDIR: "it is a folder: add a file's name",
    errno.EEXIST: "there is such a file already, and it was left as it is",
    errno.EACCES: "you may not write in {folder}",
    errno.EPERM: "you may not write in {folder}",
    errno.EROFS: "{folder} is read-only",
    errno.ENOSPC: "the disk is full",
    errno.EDQUOT: "your share of the disk is used up",
    errno.EFBIG: "{size} bytes are more than a file may have here",
    errno.ENAMETOOLONG: "the name is too long",
}
"""Why a file could not be written, by the system's number for it."""


def write_safely(path: Path, content: bytes, *, overwrite: bool = True) -> None:
    """Put bytes into a file's place in one step, or say in a sentence why not: then nothing has changed.

    Raises ForeignError, also for a file that is there already unless `overwrite` allows it.
    """
    try:
        keeping.put(path, content, overwrite=overwrite)
    except OSError as error:
        folder, size = visible(str(path.parent)) if path.parent.name else "this folder", f"{len(content):,}"
        reason = _REASONS.get(error.errno or 0, error.strerror or "").format(folder=folder, size=size)
        raise ForeignError(f"{visible(path.name or str(path))} is not written: {reason}") from None
    except ValueError:
        # a null character, or half a character of an encoding that file names do not have
        raise ForeignError(f"no file can be called {visible(str(path))}: choose another name") from None
