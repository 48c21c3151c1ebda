"""Sound files and texts to break, written by the libraries that write them."""

import io
import json
from pathlib import Path

import ml_dtypes
import numpy as np
import safetensors.numpy

_RANDOM = np.random.default_rng(1)


def _npy(array: np.ndarray) -> bytes:
    """A .npy."""
    stream = io.BytesIO()
    np.save(stream, array)
    return stream.getvalue()


def _npz(*, compressed: bool) -> bytes:
    """A .npz of a small dump."""
    stream = io.BytesIO()
    save = np.savez_compressed if compressed else np.savez
    q, k = _RANDOM.standard_normal((2, 3, 4)), _RANDOM.standard_normal((2, 5, 4))
    save(stream, q=q, k=k, v=k[..., :2], tokens=np.array(list("abcde")), mask=np.ones((3, 5), np.bool_))
    return stream.getvalue()


def files() -> dict[str, bytes]:
    """Every kind of file by its name."""
    small = _RANDOM.standard_normal((3, 2)).astype(np.float32)
    tensors = {"q": small[0], "k": small, "b": small.astype(ml_dtypes.bfloat16), "h": small.astype(np.float16)}
    scene = {"q": [1, 2.5], "K": [[1, 0], [-0.5, 1e-3]], "T": 0.5, "mask": [True, False], "tokens": ["a", "b\u00e9"]}
    return {
        "k.npy": _npy(small),
        "q.npy": _npy(np.asfortranarray(_RANDOM.standard_normal((2, 3, 4, 5)))),
        "big.npy": _npy(small.astype(">f8")),
        "w.npy": _npy(np.full((4, 4), 0.25)),
        "dump.npz": _npz(compressed=False),
        "packed.npz": _npz(compressed=True),
        "dump.safetensors": safetensors.numpy.save(tensors),
        "scene.json": json.dumps(scene, ensure_ascii=False, indent=1).encode(),
        "keys.csv": b"\xef\xbb\xbf,k0,k1\r\n0,0.5,1.0\r\n1,-0.5,2.0\r\n",
        "keys.tsv": b"a\tb\tc\n1\t2\t3\n4\t5e-3\t-6\n",
        "keys.txt": b"[[ 0.5 -0.5]\n [ 1.   2. ]]\n",
        "keys.md": b"| a | b |\n|---|---|\n| 1 | 2.5 |\n",
    }


def texts() -> list[str]:
    """Printed forms of every kind."""
    cases = json.loads((Path(__file__).parents[1] / "data" / "cases_text.json").read_text(encoding="utf-8"))
    return [
        *(case["text"] for case in cases),
        "[ 0.5 -1.\n  2.25]", "0,5;1,5;-2,0", "1.234,5;2,0", "q = [1 2 3]\nk = [4 5 6]", "1 2 3\n4 5 6\n",
        "[1] 0.5 0.25\n[3] 1.0", "1e3 * \n 1 2\n 3 4", "| a | b |\n|---|---|\n| 1 | 2 |", "a,b\n1,2\n3,4", "1 0 1",
    ]  # fmt: skip
