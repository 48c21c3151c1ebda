"""What the program keeps of its own: in which folder, and how a file gets its place whole or not at all."""

import errno
import os
import stat
from collections.abc import Callable, Mapping
from contextlib import suppress
from pathlib import Path

UNFINISHED = ".attn-tui-"
"""How the name of a file begins that is still being written."""
_NO_HARD_LINKS = {errno.EPERM, errno.ENOTSUP, errno.EOPNOTSUPP, errno.ENOSYS}
"""What file systems without hard links answer, such as FAT."""


def folder(environment: Mapping[str, str] = os.environ) -> Path | None:
    """$XDG_STATE_HOME/attn-tui; None where nobody has a home. A relative $XDG_STATE_HOME counts as none."""
    state = Path(environment.get("XDG_STATE_HOME", ""))
    if not state.is_absolute():
        home = Path(environment.get("HOME") or Path("~").expanduser())
        if not home.is_absolute():
            return None
        state = home / ".local" / "state"
    return state / "attn-tui"


def put(
    file: Path,
    content: bytes,
    *,
    overwrite: bool = True,
    mode: int = 0o666,
    claim: Callable[[int], object] | None = None,
) -> None:
    """Put content into a file's place in one step: until it is all on the disk the old file stays. A link is followed.

    A file that is there already hands its permissions on; a new one gets `mode`, less what the umask takes. `claim` is
    called with the descriptor of the new file before anybody can see it in its place. Raises OSError, FileExistsError
    for a file that is there already unless `overwrite` allows it, and ValueError for a name that no file can have.
    """
    target = Path(os.path.realpath(file))
    kept_mode = _mode(target)
    temporary = target.parent / f"{UNFINISHED}{os.urandom(8).hex()}"
    handle = os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, mode)
    try:
        with os.fdopen(handle, "wb") as stream:
            if claim is not None:
                claim(handle)
            if kept_mode is not None:
                os.fchmod(handle, kept_mode)
            stream.write(content)
            stream.flush()
            os.fsync(handle)
        _name(temporary, target, overwrite=overwrite)
    except BaseException:
        with suppress(OSError):
            temporary.unlink()
        raise
    _settle(target.parent)


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


def _name(temporary: Path, target: Path, *, overwrite: bool) -> None:
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


def _settle(parent: Path) -> None:
    """Have the folder's own entry on the disk too, where its file system knows how."""
    with suppress(OSError):
        handle = os.open(parent, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)
