"""Mutated files of every kind: a sentence or an array, no traceback, and no memory for what is not there."""

import json
import os
import random
import tracemalloc

import numpy as np
import pytest

from attn_tui.files.containers import Entry, from_bytes
from attn_tui.files.errors import ForeignError
from tests.files.containers import written

MUTATIONS = int(os.environ.get("ATTN_TUI_MUTATIONS", "300"))
"""Mutated files of each kind."""
MOST_MEMORY = 64 * 2**20
LONGEST_SENTENCE = 1200

_ARRAYS = {"q": np.arange(4.0), "K": np.eye(3, 4, dtype=np.float16), "tokens": np.array(["a", "bé"])}
_TENSORS = {"q": np.arange(4).astype(written.BFLOAT16), "K": np.eye(3, 4, dtype=np.float32), "m": np.ones(3, bool)}
_JSON = {"q": [1, "nan"], "K": [[1.5, 2e-9], [3, 4]], "T": 0.5, "tokens": ["a", "b\n"], "mask": [True, False],
         "values": None, "scene": {"query": [1.0], "labels": ["k0"]}, "more": {"a": [[{}]]}}  # fmt: skip

_SEEDS = {
    "q.npy": written.npy(np.arange(6, dtype=">i4").reshape(2, 3, order="F")),
    "t.npy": written.npy(np.array(["a", "bé"])),
    "stored.npz": written.npz(_ARRAYS),
    "compressed.npz": written.npz(_ARRAYS, compressed=True),
    "t.safetensors": written.safetensors(_TENSORS),
    "s.json": json.dumps(_JSON).encode(),
    "r.json": json.dumps(_JSON["K"]).encode(),
    "k.csv": b"\xef\xbb\xbf,k0,k1\r\n0,0.5,1.0\r\n1,-0.5,2.0\r\n",
    "k.txt": "q = [1, 2]\nk = [[1, 2], [3, 4]]\n".encode("utf-16"),
}
_HOSTILE = (b"-1", b"true", b"9" * 30, b"[" * 50, b"{", b'"', b"\0", b"\xff\xff\xff\xff", b"1e999", b"null", b"\x80",
            (2**63).to_bytes(8, "little"), b"O", b"(", b"PK\x05\x06", b"\\")  # fmt: skip


def _mutated(seed: bytes, chance: random.Random) -> bytes:
    """A file with a few bytes changed, cut out, put in, doubled or cut off."""
    content = bytearray(seed)
    for _ in range(chance.randint(1, 4)):
        place = chance.randrange(len(content) + 1)
        length = chance.choice((1, 1, 2, 4, 8, 30))
        copied = bytes(content[place : place + length])
        piece = chance.choice((chance.randbytes(length), chance.choice(_HOSTILE), copied))
        kind = chance.randrange(4)
        if kind == 0:
            content[place : place + len(piece)] = piece
        elif kind == 1:
            content[place:place] = piece
        elif kind == 2:
            del content[place : place + length]
        else:
            del content[chance.randrange(len(content) + 1) :]
    return bytes(content)


def _refusal(content: bytes, name: str) -> str:
    """Why a file is not opened, or one of its arrays not read; '' when all of it is."""
    try:
        container = from_bytes(content, name)
    except ForeignError as refusal:
        return str(refusal)
    assert container.entries
    refusals = [refusal for entry in container.entries if (refusal := _reading_refusal(entry))]
    return refusals[0] if refusals else ""


def _reading_refusal(entry: Entry) -> str:
    """Why an array is not read; '' when it is, and is what was promised."""
    try:
        array = entry.read()
    except ForeignError as refusal:
        return str(refusal)
    assert array.shape == entry.shape
    assert entry.dtype == ("text" if array.dtype.kind == "U" else array.dtype.name)
    return ""


@pytest.mark.parametrize("name", _SEEDS)
def test_a_mutated_file_is_read_or_refused_in_words(name: str) -> None:
    chance = random.Random(name)
    tracemalloc.start()
    try:
        for _ in range(MUTATIONS):
            content = _mutated(_SEEDS[name], chance)
            refusal = _refusal(content, name)
            assert refusal.isprintable() or not refusal, content
            assert len(refusal) < LONGEST_SENTENCE, content
        assert tracemalloc.get_traced_memory()[1] < MOST_MEMORY
    finally:
        tracemalloc.stop()
