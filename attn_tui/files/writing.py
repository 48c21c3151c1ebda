"""Files written whole or not at all: under another name first, then put into their place in one step."""

import errno
import os
import secrets
import stat
from contextlib import suppress
from pathlib import Path

from attn_tui.files.errors import ForeignError
from attn_tui.files.visible import visible

_NO_HARD_LINKS = {errno.EPERM, errno.ENOTSUP, errno.EOPNOTSUPP, errno.ENOSYS}
"""What file systems without hard links answer, such as FAT."""
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
        replace(path, content, overwrite=overwrite)
    except OSError as error:
        folder, size = visible(str(path.parent)) if path.parent.name else "this folder", f"{len(content):,}"
        reason = _REASONS.get(error.errno or 0, error.strerror or "").format(folder=folder, size=size)
        raise ForeignError(f"{visible(path.name or str(path))} is not written: {reason}") from None
    except ValueError:
        # a null character, or half a character of an encoding that file names do not have
        raise ForeignError(f"no file can be called {visible(str(path))}: choose another name") from None


def replace(path: Path, content: bytes, *, overwrite: bool = True) -> None:
    """Put bytes into a file's place: until they are all on the disk the old file stays. A link's target is written.

    Raises OSError, FileExistsError for a file that is there already unless `overwrite` allows it, and ValueError for
    a name that no file can have.
    """
    target = Path(os.path.realpath(path))
    mode = _mode(target)
    temporary = target.with_name(f".attn-tui-{secrets.token_hex(8)}")
    try:
        _write(temporary, content, mode)
        _put(temporary, target, overwrite=overwrite)
    except BaseException:
        with suppress(OSError):
            temporary.unlink()
        raise
    _keep_names(target.parent)


def _mode(target: Path) -> int | None:
    """The permissions of the file that is there, None where there is none. Raises OSError for what is no plain file."""
    try:
        found = target.stat().st_mode
    except FileNotFoundError:
        return None
    if stat.S_ISDIR(found):
        raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR))
    if not stat.S_ISREG(found):
        raise OSError(errno.EINVAL, "it is no plain file but a device, a pipe or a socket")
    return stat.S_IMODE(found)


def _write(temporary: Path, content: bytes, mode: int | None) -> None:
    """A new file, on the disk when this returns, with the permissions of the old one or those that new files get."""
    handle = os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o666)
    with os.fdopen(handle, "wb") as stream:
        if mode is not None:
            os.fchmod(handle, mode)
        stream.write(content)
        stream.flush()
        os.fsync(handle)


def _put(temporary: Path, target: Path, *, overwrite: bool) -> None:
    """Give the new file its name, taking it from another file only if that is allowed."""
    if not overwrite:
        try:
            os.link(temporary, target)  # refuses a name that is taken, which a rename does not
        except OSError as error:
            if error.errno not in _NO_HARD_LINKS:
                raise
            if os.path.lexists(target):
                raise FileExistsError(errno.EEXIST, os.strerror(errno.EEXIST)) from None
        else:
            temporary.unlink()
            return
    os.replace(temporary, target)


def _keep_names(folder: Path) -> None:
    """Have the folder itself on the disk too, where the file system can do that."""
    with suppress(OSError):
        handle = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)
