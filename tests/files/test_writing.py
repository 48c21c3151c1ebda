"""A file is written whole or not at all, and what prevents it is said in a sentence."""

import errno
import os
import shutil
import stat
import subprocess
import sys
from pathlib import Path

import pytest

from attn_tui.files.errors import ForeignError
from attn_tui.files.writing import write_safely
from attn_tui.model import keeping


def names(folder: Path) -> list[str]:
    return sorted(entry.name for entry in folder.iterdir())


def refusal(path: Path, content: bytes = b"new", *, overwrite: bool = True) -> str:
    with pytest.raises(ForeignError) as refused:
        write_safely(path, content, overwrite=overwrite)
    return str(refused.value)


@pytest.mark.parametrize("overwrite", [True, False])
def test_what_is_written_is_there_and_nothing_else(tmp_path: Path, overwrite: bool) -> None:
    content = bytes(range(256)) * 1000
    write_safely(tmp_path / "a", content, overwrite=overwrite)
    assert (tmp_path / "a").read_bytes() == content
    assert names(tmp_path) == ["a"]


def test_a_file_that_is_there_is_overwritten_only_when_that_is_allowed(tmp_path: Path) -> None:
    file = tmp_path / "a.csv"
    file.write_bytes(b"old")
    assert refusal(file, overwrite=False) == (
        "a.csv is not written: there is such a file already, and it was left as it is"
    )
    assert file.read_bytes() == b"old"
    with pytest.raises(FileExistsError):
        keeping.put(file, b"new", overwrite=False)
    assert names(tmp_path) == ["a.csv"]
    write_safely(file, b"new")
    assert file.read_bytes() == b"new"


def test_a_new_file_has_the_usual_permissions_and_an_old_one_keeps_its_own(tmp_path: Path) -> None:
    (usual := tmp_path / "usual").write_bytes(b"")
    file = tmp_path / "file"
    write_safely(file, b"1")
    assert file.stat().st_mode == usual.stat().st_mode
    for mode in (0o600, 0o664, 0o444):
        file.chmod(mode)
        write_safely(file, b"2")
        assert stat.S_IMODE(file.stat().st_mode) == mode


def test_a_link_stays_and_its_target_is_written(tmp_path: Path) -> None:
    (target := tmp_path / "target").write_bytes(b"old")
    (link := tmp_path / "link").symlink_to(target)
    assert "already" in refusal(link, overwrite=False)
    write_safely(link, b"new")
    assert link.is_symlink()
    assert target.read_bytes() == b"new"


def test_what_cannot_be_written_is_a_sentence(tmp_path: Path) -> None:
    (file := tmp_path / "file").write_bytes(b"in the way")
    (tmp_path / "folder").mkdir()
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "round").symlink_to(tmp_path / "round")
    words = {
        tmp_path / "folder": "folder is not written: it is a folder: add a file's name",
        tmp_path / "none" / "a": f"a is not written: there is no folder {tmp_path}/none: make it first",
        file / "a": f"a is not written: {file} is no folder",
        tmp_path / "pipe": "pipe is not written: it is no plain file",
        tmp_path / ("x" * 300): "the name is too long",
        tmp_path / "a\0b": r"no file can be called " + str(tmp_path) + r"/a\x00b",
        tmp_path / "a\ud800": "no file can be called ",
        tmp_path / "round": "round is not written: ",
        tmp_path / "no\x1b[2J" / "a": r"there is no folder " + str(tmp_path) + r"/no\x1b[2J",
    }
    before = names(tmp_path)
    for path, sentence in words.items():
        for overwrite in (True, False):
            said = refusal(path, overwrite=overwrite)
            assert sentence in said
            assert said.isprintable()
    assert names(tmp_path) == before
    assert file.read_bytes() == b"in the way"


@pytest.mark.parametrize("is_there", [True, False])
def test_where_nothing_larger_can_be_written_the_old_file_stays(tmp_path: Path, is_there: bool) -> None:
    """The kernel refuses the bytes half way through, as a full disk does."""
    file = tmp_path / "file"
    if is_there:
        file.write_bytes(b"old")
    code = (
        "import resource, sys; from pathlib import Path; from attn_tui.files.writing import write_safely\n"
        "resource.setrlimit(resource.RLIMIT_FSIZE, (4096, 4096))\n"
        "try: write_safely(Path(sys.argv[1]), b'x' * 100_000)\n"
        "except ValueError as error: print(type(error).__name__, error)"
    )
    done = subprocess.run([sys.executable, "-c", code, str(file)], capture_output=True, text=True, check=True)
    assert done.stdout == "ForeignError file is not written: 100,000 bytes are more than a file may have here\n"
    assert names(tmp_path) == (["file"] if is_there else [])
    assert not is_there or file.read_bytes() == b"old"


_FULL = (
    "from pathlib import Path; from attn_tui.files.writing import write_safely\n"
    "file = Path('/mnt/file'); write_safely(file, b'old')\n"
    "try: write_safely(file, b'x' * 1_000_000)\n"
    "except ValueError as error: print(error)\n"
    "print(file.read_bytes(), [entry.name for entry in file.parent.iterdir()])"
)
_SMALL_DISK = ("unshare", "-rm", "sh", "-c", 'mount -t tmpfs -o size=64k none /mnt && exec "$@"', "sh")
"""A file system of 64 KiB that only what runs in it sees, where one may have that."""


def test_a_full_disk_is_a_sentence_and_leaves_the_old_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    sentence = "file is not written: the disk is full"
    tried = [*_SMALL_DISK, "true"] if shutil.which("unshare") else ["false"]
    if subprocess.run(tried, capture_output=True, check=False).returncode == 0:
        done = subprocess.run([*_SMALL_DISK, sys.executable, "-c", _FULL], capture_output=True, text=True, check=True)
        assert done.stdout == f"{sentence}\nb'old' ['file']\n"

    def refuse(*_: object) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    (file := tmp_path / "file").write_bytes(b"old")
    monkeypatch.setattr(os, "fsync", refuse)
    assert refusal(file) == sentence
    assert file.read_bytes() == b"old"
    assert names(tmp_path) == ["file"]


def test_where_nobody_may_write_is_a_sentence(tmp_path: Path) -> None:
    """Root may write anywhere: then somebody else tries."""
    tmp_path.chmod(0o555)
    code = (
        "import os, sys; from pathlib import Path; from attn_tui.files.writing import write_safely\n"
        "if os.geteuid() == 0: os.setegid(65534); os.seteuid(65534)\n"
        "try: write_safely(Path('file'), b'x')\n"
        "except ValueError as error: print(str(error).split(':')[1])\n"
    )
    (tmp_path.parent).chmod(0o755)
    done = subprocess.run(
        [sys.executable, "-c", code],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": os.getcwd()},
        capture_output=True,
        text=True,
        check=False,
    )
    tmp_path.chmod(0o755)
    assert done.stdout.startswith(" you may not write in"), done.stderr
