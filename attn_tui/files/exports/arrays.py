"""A scene and its reading as NumPy's arrays in one file."""

import io

import numpy as np

from attn_tui.core.attend import Reading
from attn_tui.model.scene import Scene


def as_npz(scene: Scene, reading: Reading) -> bytes:
    """An .npz file that needs no pickle: the scene's arrays and the results, by their names.

    `values` and `output` are there only where the scene has values; `entropy` is nan where no key may be attended.
    Labels are text as they are, but for zeros at their end, which NumPy's text drops: those are spelt out.
    """
    arrays = {
        "query": scene.query,
        "keys": scene.keys,
        "mask": scene.mask,
        "labels": np.array([_kept_whole(label) for label in scene.labels], dtype=np.str_),
        "query_label": np.array(_kept_whole(scene.query_label), dtype=np.str_),
        "temperature": np.array(scene.temperature),
        "scale": np.array(scene.scale_factor),
        "dtype": np.array(scene.dtype),
        "scores": reading.scores,
        "scaled": reading.scaled,
        "weights": reading.weights,
        "naive_weights": reading.naive_weights,
        "entropy": np.array(np.nan if reading.entropy is None else reading.entropy),
    }
    if scene.values is not None and reading.output is not None:
        arrays |= {"values": scene.values, "output": reading.output}
    content = io.BytesIO()
    np.savez(content, allow_pickle=False, **arrays)
    return content.getvalue()


def _kept_whole(label: str) -> str:
    """A label with zeros at its end spelt out."""
    bare = label.rstrip("\0")
    return bare + r"\x00" * (len(label) - len(bare))
