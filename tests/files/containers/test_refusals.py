"""What is not opened says in one sentence what it is, what is wrong with it and what to do."""

import io
import os
import pickle
import socket
import struct
import subprocess
import sys
import zipfile
import zlib
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from attn_tui.files.containers import Container, from_bytes, open_container
from attn_tui.files.errors import ForeignError
from tests.files.containers import written

_NPY = "{'descr': '%s', 'fortran_order': %s, 'shape': %s, }"
_DICT = np.array({"q": [1.0]}, dtype=object)
_Q = written.npy(np.arange(4.0))


def _f4(shape: object, offsets: object, dtype: object = "F32") -> dict[str, object]:
    """What a safetensors header says of one tensor."""
    return {"dtype": dtype, "shape": shape, "data_offsets": offsets}


def _patched(content: bytes, magic: bytes, offset: int, value: bytes) -> bytes:
    """A zip with some bytes of its first header of a kind replaced."""
    place = content.index(magic) + offset
    return content[:place] + value + content[place + len(value) :]


def _overlapping() -> bytes:
    """A zip of which two members are at the same place."""
    content = written.zipped([("q.npy", _Q), ("k.npy", _Q)])
    second = content.index(b"PK\x01\x02", content.index(b"PK\x01\x02") + 4)
    return content[: second + 42] + struct.pack("<L", 0) + content[second + 46 :]


def _doubled() -> bytes:
    """A zip of which two members have one name."""
    content = written.zipped([("q.npy", _Q), ("k.npy", _Q)])
    return content.replace(b"k.npy", b"q.npy")


_STORED, _PACKED = written.npz({"q": np.zeros(1000)}), written.npz({"q": np.zeros(1000)}, compressed=True)
_LYING = written.zipped([("q.npy", written.npy_of(_NPY % ("<f8", False, "(99999,)") + "\n", bytes(64)))])

FILES: dict[str, tuple[str, bytes, str]] = {
    "empty": ("q.npy", b"", "q.npy: is empty"),
    "pickle": ("q.pkl", pickle.dumps({"q": [1.0]}), "pickle.load(open('q.pkl', 'rb'))"),
    "pickle by its bytes": ("q.npy", pickle.dumps([1.0]), "is a pickle"),
    "pickle in text": ("q.pickle", pickle.dumps([1.0], protocol=0), "is a pickle"),
    "torch": (
        "x.pt",
        written.zipped([("x/data.pkl", b"\x80\x02."), ("x/data/0", bytes(8))]),
        "import torch, numpy as np; np.savez('x.npz', **{k: v.float().numpy() for k, v in torch.load('x.pt'",
    ),
    "old torch": ("x.pth", pickle.dumps(1), "torch.load('x.pth'"),
    "torch under another name": ("x.npz", written.zipped([("x/data.pkl", b"\x80\x02.")]), "never opened"),
    "LFS": ("k.npy", b"version https://git-lfs.github.com/spec/v1\noid sha256:0\nsize 9\n", "git lfs pull"),
    "annex": ("k.npy", b"/annex/objects/SHA256E-s9--0.npy\n", "git annex get"),
    "gzip": ("k.npy.gz", zlib.compress(b"k", wbits=31), "gzip"),
    "HDF5": ("k.h5", b"\x89HDF\r\n\x1a\n" + bytes(64), "HDF5"),
    "Parquet": ("k.parquet", b"PAR1" + bytes(64), "Parquet"),
    "GGUF": ("k.gguf", b"GGUF" + bytes(64), "GGUF"),
    "zstd": ("k.zst", b"\x28\xb5\x2f\xfd" + bytes(9), "zstd"),
    "xz": ("k.xz", b"\xfd7zXZ\x00" + bytes(9), "xz"),
    "bzip2": ("k.bz2", b"BZh9" + bytes(9), "bzip2"),
    "tar": ("k.tar", bytes(257) + b"ustar\x0000", "tar"),
    "web page": ("k.npy", b"<!DOCTYPE html>\n<html>", "web page"),
    "text called .npy": ("k.npy", b"1,2,3\n", "does not begin as a .npy does: it holds text"),
    "noise called .npz": ("k.npz", b"\x01\x02\x03\x04", "does not begin as a .npz does: the file is broken"),
    "text called .safetensors": ("k.safetensors", b"1,2,3\n4,5,6\n", "its header promises to be"),
    "noise": ("k.what", bytes(range(256)), "is no UTF-8 text"),
    "null characters": ("k.txt", b"1 2\0 3", "null characters"),
    "half of UTF-16": ("k.txt", "1 2".encode("utf-16")[:-1], "is no UTF-16 text"),
    "objects": ("k.npy", written.npy(_DICT), "holds Python objects; not opened"),
    "records": ("k.npy", written.npy(np.zeros(2, [("q", "f4"), ("k", "f4")])), "records of several fields"),
    "complex": ("k.npy", written.npy(np.zeros(2, np.complex64)), "complex numbers"),
    "dates": ("k.npy", written.npy(np.zeros(2, "M8[s]")), "holds dates"),
    "one byte without a type": ("k.npy", written.npy(np.zeros(2, written.FLOAT8[0])), "float8_e4m3fn or float8_e5m2"),
    "eight bytes without a type": ("k.npy", written.npy(np.zeros(2, "V8")), "8-byte items without a type"),
    "half a .npy": ("k.npy", _Q[:-9], f"promises {len(_Q)} bytes and there are {len(_Q) - 9}"),
    "half a header": ("k.npy", _Q[:40], "is truncated"),
    "magic alone": ("k.npy", _Q[:6], "header is broken"),
    "version 9": ("k.npy", b"\x93NUMPY\x09\x00" + _Q[8:], "version 9"),
    "long header": ("k.npy", b"\x93NUMPY\x02\x00\xff\xff\xff\x7f" + _Q[12:], "header promises to be"),
    "code for a header": ("k.npy", written.npy_of("__import__('os').abort()"), "header is broken"),
    "deep header": ("k.npy", written.npy_of("{" * 9000 + "}"), "header is broken"),
    "negative length": ("k.npy", written.npy_of(_NPY % ("<f8", False, "(-4,)")), "header is broken"),
    "true for a length": ("k.npy", written.npy_of(_NPY % ("<f8", False, "(True,)")), "header is broken"),
    "huge length": ("k.npy", written.npy_of(_NPY % ("<f8", False, f"({10**18},)")), "more bytes than any file"),
    "huge product": ("k.npy", written.npy_of(_NPY % ("<f8", False, f"({2**31}, {2**31}, 4)")), "more bytes than any"),
    "huge beside 0": ("k.npy", written.npy_of(_NPY % ("<f8", False, f"(0, {2**40}, {2**40})")), "more bytes than any"),
    "endless length": ("k.npy", written.npy_of(_NPY % ("<f8", False, f"({'9' * 5000},)")), "more bytes than any"),
    "many axes": ("k.npy", written.npy_of(_NPY % ("<f8", False, "(" + "1, " * 99 + ")")), "99 axes"),
    "order is no truth": ("k.npy", written.npy_of(_NPY % ("<f8", 1, "(1,)")), "header is broken"),
    "unknown items": ("k.npy", written.npy_of(_NPY % ("<q9", False, "(1,)")), "unknown kind"),
    "texts of no length": ("k.npy", written.npy_of(_NPY % ("<U0", False, f"({2**40},)")), "texts of 0 characters"),
    "no such character": ("k.npy", written.npy_of(_NPY % ("<U1", False, "(1,)") + "\n", b"\xff" * 4), "does not exist"),
    "only objects": ("k.npz", written.npz({"meta": _DICT}), "meta holds Python objects: not read"),
    "no arrays": ("k.zip", written.zipped([("a.txt", b"a")]), "a.txt is no array: not read"),
    "empty zip": ("k.npz", written.zipped([]), "a zip without any array"),
    "half a zip": ("k.npz", _STORED[:-200], "truncated zip"),
    "bomb": ("k.npz", written.npz({"q": np.zeros(2**25)}, compressed=True), "would unpack"),
    "bombs": ("k.npz", written.npz({f"q{i}": np.zeros(2**21) for i in range(5)}, compressed=True), "would unpack"),
    "impossible ratio": (
        "k.npz",
        _patched(_PACKED, b"PK\x01\x02", 24, struct.pack("<L", 2**31)),
        f"claims to hold {2**31} bytes",
    ),
    "stored in other bytes": ("k.npz", _patched(_STORED, b"PK\x01\x02", 24, struct.pack("<L", 9)), "should have 9"),
    "beyond the end": ("k.npz", _patched(_STORED, b"PK\x01\x02", 20, struct.pack("<2L", 10**6, 10**6)), "goes beyond"),
    "member elsewhere": ("k.npz", _patched(_STORED, b"PK\x03\x04", 30, b"z"), "differ"),
    "member that promises more": ("k.npz", _LYING, "its member q promises"),
    "encrypted": ("k.npz", _patched(_STORED, b"PK\x01\x02", 8, b"\x01\x00"), "is encrypted"),
    "bzip2 in a zip": ("k.npz", written.zipped([("q.npy", _Q)], zipfile.ZIP_BZIP2), "compressed in a way"),
    "doubled member": ("k.npz", _doubled(), "two members called q"),
    "overlapping members": ("k.npz", _overlapping(), "overlap"),
    "short safetensors": ("m.safetensors", b"\x02\0\0", "is truncated"),
    "long header of safetensors": ("m.safetensors", b"\xff" * 8 + b"{}", "header promises to be"),
    "no JSON": ("m.safetensors", written.safetensors_of(b'{"q": '), "header is no JSON"),
    "deep JSON": ("m.safetensors", written.safetensors_of(b'{"q":' * 20000), "header is no JSON"),
    "no object": ("m.safetensors", written.safetensors_of([]), "no JSON object"),
    "no tensors": ("m.safetensors", written.safetensors_of({"__metadata__": {}}), "holds no tensors"),
    "no tensor": ("m.safetensors", written.safetensors_of({"q": 1}), "does not say dtype, shape and place of q"),
    "negative shape": ("m.safetensors", written.safetensors_of({"q": _f4([-1], [0, 4])}), "does not say"),
    "true for a shape": ("m.safetensors", written.safetensors_of({"q": _f4([True], [0, 4])}, bytes(4)), "not say"),
    "float for a shape": ("m.safetensors", written.safetensors_of({"q": _f4([1.0], [0, 4])}, bytes(4)), "holds 1.0"),
    "endless shape": ("m.safetensors", written.safetensors_of(b'{"q":{"shape":[' + b"9" * 9999 + b"]}}"), "not say"),
    "huge shape": ("m.safetensors", written.safetensors_of({"q": _f4([2**40, 2**40], [0, 4])}, bytes(4)), "more bytes"),
    "other bytes": ("m.safetensors", written.safetensors_of({"q": _f4([2], [0, 4])}, bytes(4)), "has 4"),
    "backwards": ("m.safetensors", written.safetensors_of({"q": _f4([1], [4, 0])}, bytes(4)), "does not say"),
    "half a safetensors": ("m.safetensors", written.safetensors_of({"q": _f4([2], [0, 8])}, bytes(4)), "promises 8"),
    "overlapping tensors": (
        "m.safetensors",
        written.safetensors_of({"q": _f4([2], [0, 8]), "k": _f4([2], [4, 12])}, bytes(12)),
        "its tensors q and k overlap",
    ),
    "doubled tensor": ("m.safetensors", written.safetensors_of(b'{"q":{},"q":{}}'), "names q twice"),
    "unknown dtypes only": (
        "m.safetensors",
        written.safetensors_of({"q": _f4([2], [0, 1], "F4")}, bytes(1)),
        "q has dtype F4: not read",
    ),
    "an object that never ends": ("s.json", b'{"q": {"a": 1', "line 1, column 7: this { is never closed"),
    "half a JSON": ("s.json", b'{"K": [1, 2', "K: line 1, column 12: the text ends where a comma or ] should be"),
    "ragged": ("s.json", b'{"K": [[1,2],[3]]}', "K: line 1, column 14: row 2 has 1 number, row 1 has 2"),
    "deep": ("s.json", b"[" * 100_000, "more than 32 brackets"),
    "deep objects": ("s.json", b'{"q":' * 100_000, "more than 1000 brackets"),
    "huge number": ("s.json", b'{"q": ' + b"9" * 100_000 + b"}", "no number needs that many"),
    "doubled name": ("s.json", b'{"q": 1, "q": 2}', "line 1, column 10: two arrays are called 'q'"),
    "comma too many": ("s.json", b"[1, 2,]", "here is ] where a number should be"),
    "no comma": ("s.json", b"[1 2]", "here is 2 where a comma or ] should be"),
    "word": ("s.json", b"[1, undefined]", "'undefined' is not a number"),
    "nothing but objects": ("s.json", b'{"a": {}, "b": [{}], "c": null}', "holds no arrays: a is an object: not read"),
    "two values": ("s.json", b"[1] [2]", "where the end should be"),
    "a word in a table": ("k.csv", b"1,2\n3,x\n", "line 2, column 3"),
}  # fmt: skip


def _read_all(open_it: Callable[[], Container]) -> None:
    """Open a file and read every array of it."""
    for entry in open_it().entries:
        entry.read()


@pytest.mark.parametrize("case", FILES)
def test_a_file_is_refused_with_the_reason(case: str, tmp_path: Path) -> None:
    name, content, reason = FILES[case]
    path = tmp_path / name
    path.write_bytes(content)
    for open_it in (lambda: open_container(path), lambda: from_bytes(content, name)):
        with pytest.raises(ForeignError) as refusal:
            _read_all(open_it)
        assert reason in str(refusal.value)
        assert "\n" not in str(refusal.value)


def test_numbers_that_are_none_are_refused_when_they_are_read() -> None:
    entries = from_bytes(b'{"q": [1, null], "K": [[1, true]], "T": "soon", "v": [1, "x"]}', "s.json").entries
    read = {entry.name: entry for entry in entries}
    assert read["T"].read() == "soon"
    for name, reason in (
        ("q", "q: line 1, column 11: null is not a number"),
        ("K", "K: line 1, column 28: true and false belong to a mask"),
        ("v", "v: line 1, column 58: 'x' is not a number"),
    ):
        with pytest.raises(ForeignError, match=reason):
            read[name].read()


def test_what_is_no_file_is_refused_at_once(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe.npy")
    (tmp_path / "link.npy").symlink_to(".git/annex/objects/aa/bb/SHA256E-s9--0.npy")
    (tmp_path / "lost.npy").symlink_to("nowhere.npy")
    listening = socket.socket(socket.AF_UNIX)
    listening.bind(str(tmp_path / "s"))
    for path, reason in (
        (tmp_path, "is a folder"),
        (tmp_path / "pipe.npy", "is a pipe"),
        (tmp_path / "s", "is a socket"),
        (Path("/dev/zero"), "is a device"),
        (tmp_path / "none.npy", "there is no such file"),
        (tmp_path / "link.npy", "git annex get"),
        (tmp_path / "lost.npy", "is a link to nowhere.npy"),
        (tmp_path / "a\0b", "cannot be opened: embedded null byte"),
        (tmp_path / ("x" * 400), "cannot be opened: file name too long"),
    ):
        with pytest.raises(ForeignError, match=reason):
            open_container(path)
    listening.close()


def test_a_file_that_may_not_be_read_says_so(tmp_path: Path) -> None:
    path = tmp_path / "q.npy"
    path.write_bytes(_Q)
    path.chmod(0)
    tmp_path.chmod(0o755)
    # root may read everything: another user is needed to be refused
    code = (
        "import os, sys; sys.path.insert(0, os.getcwd())\n"
        "from attn_tui.files.containers import open_container\n"
        "from attn_tui.files.errors import ForeignError\n"
        f"os.chdir({str(tmp_path)!r})\n"
        "os.seteuid(65534) if os.geteuid() == 0 else None\n"
        "try:\n    open_container('q.npy')\nexcept ForeignError as error:\n    print(error)\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, timeout=60)
    assert done.stdout.strip() == "q.npy: cannot be opened: permission denied"


def test_too_much_text_is_not_read(tmp_path: Path) -> None:
    path = tmp_path / "k.csv"
    path.write_bytes(b"1,2\n")
    os.truncate(path, 2**40)
    with pytest.raises(ForeignError, match="at most 64 MiB are read as text"):
        open_container(path)


def test_one_text_that_is_too_long_for_an_array_is_refused() -> None:
    tokens = ",".join(['""'] * 2000 + [f'"{"x" * 100_000}"'])
    entry = from_bytes(f'{{"tokens": [{tokens}]}}'.encode(), "s.json").entries[0]
    with pytest.raises(ForeignError, match="shorten the longest"):
        entry.read()


def test_names_from_a_file_cannot_speak_to_the_terminal() -> None:
    with pytest.raises(ForeignError) as refusal:
        from_bytes(b'{"\\u001b[2J": [[1], [2, 3]]}', "\x1b[31m.json")
    assert str(refusal.value).isprintable()
    meta = written.npz({"q": np.ones(2), "\x1b[2J": _DICT})
    assert from_bytes(meta, "d.npz").notes == ("\\x1b[2J holds Python objects: not read",)


def test_standard_input_that_is_read_whole() -> None:
    code = (
        "from attn_tui.files.containers import open_container\n"
        "container = open_container('-')\n"
        "print(container.name, container.entries[0].read().tolist())\n"
    )
    done = subprocess.run([sys.executable, "-c", code], input=_Q, capture_output=True, check=True, timeout=60)
    assert done.stdout.decode().strip() == "- [0.0, 1.0, 2.0, 3.0]"


def test_bfloat16_without_the_extra_names_it() -> None:
    content = written.safetensors({"q": np.ones(2, written.BFLOAT16), "k": np.ones(2, np.float32)})
    code = (
        "import sys; sys.modules['ml_dtypes'] = None\n"
        "from attn_tui.files.containers import Container, from_bytes\n"
        "from attn_tui.files.errors import ForeignError\n"
        "container = from_bytes(sys.stdin.buffer.read(), 'm.safetensors')\n"
        "for entry in container.entries:\n"
        "    try:\n        print(entry.name, entry.dtype, entry.read().tolist())\n"
        "    except ForeignError as error:\n        print(error)\n"
    )
    done = subprocess.run([sys.executable, "-c", code], input=content, capture_output=True, check=True, timeout=60)
    said = sorted(done.stdout.decode().splitlines())
    assert said == ["k float32 [1.0, 1.0]", "q: bfloat16 needs the extra: pip install ml_dtypes"]


def test_a_zip_of_many_members_is_refused() -> None:
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as archive:
        for i in range(9000):
            archive.writestr(f"{i}", b"")
    with pytest.raises(ForeignError, match="has 9000 members, more than 8192"):
        from_bytes(file.getvalue(), "k.npz")
