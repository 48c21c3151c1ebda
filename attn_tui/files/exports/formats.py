"""The table of formats that a scene and its reading can be written in, and writing one."""

import re
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from attn_tui.core.attend import Reading
from attn_tui.files.exports.arrays import as_npz
from attn_tui.files.exports.markdown import as_markdown
from attn_tui.files.exports.rows import as_csv
from attn_tui.files.exports.snippet import as_snippet
from attn_tui.files.report import as_json
from attn_tui.model.scene import Scene
from attn_tui.model.source import Source

_LONGEST_NAME = 60
"""Characters of a source's name in a file's name."""


@dataclass(frozen=True)
class Format:
    """A format of an export."""

    name: str
    summary: str
    """What it is, in a few words."""
    ending: str
    """How the name of such a file ends, its extension included."""
    make: Callable[[Scene, Reading], bytes]
    """The file's content."""


def _text(make: Callable[[Scene, Reading], str]) -> Callable[[Scene, Reading], bytes]:
    """A text's bytes."""
    return lambda scene, reading: make(scene, reading).encode()


FORMATS = (
    Format("CSV", "a row for each key, all digits", "weights.csv", _text(as_csv)),
    Format("JSON", "everything there is, as --print json", "reading.json", _text(as_json)),
    Format("NPZ", "NumPy arrays, by their names", "arrays.npz", as_npz),
    Format("Python", "a NumPy script that computes it all again", "attention.py", _text(as_snippet)),
    Format("Markdown", "a table for reading, four decimals", "weights.md", _text(as_markdown)),
)
"""Every format that needs no screen, in the order in which they are offered."""


def file_name(scene: Scene, ending: str) -> str:
    """A good name for a scene's file: where it came from, made of letters, digits and hyphens, and the ending."""
    name = re.sub(r"[^\w.]+", "-", "-".join(_origin(scene.source))).strip("-._")
    return f"{name or 'scene'}-{ending}"


def _origin(source: Source | None) -> list[str]:
    """A source's name, head and query, such as minilm-l6, L3 H1 and q9."""
    if source is None:
        return []
    head = [source.dump.head_name(source.indices)] if source.dump else [str(index) for index in source.indices]
    row = [] if source.row is None else [f"q{source.row}"]
    return [Path(source.name).stem[:_LONGEST_NAME], *head, *row]
