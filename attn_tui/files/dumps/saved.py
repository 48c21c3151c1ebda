"""Scenes that attn-tui wrote itself: saved ones, and those of a printed report."""

from pathlib import Path

from attn_tui.files.errors import ForeignError
from attn_tui.files.json_numbers import object_from_json, parse_json
from attn_tui.files.sessions.layout import LARGEST, MARK
from attn_tui.files.sessions.saved import load_scene
from attn_tui.files.sessions.scene_form import scene_from_json
from attn_tui.files.visible import visible
from attn_tui.model.scene import Scene

_BEGINNING = 64
"""Bytes in which such a file says what it is."""


def saved_scene(path: str) -> Scene | None:
    """The scene, None if attn-tui did not write the file. Raises ForeignError for a broken or newer one."""
    file = Path(path)
    try:
        if not file.is_file():
            return None
        with file.open("rb") as stream:
            beginning = stream.read(_BEGINNING).split()
    except (OSError, ValueError):
        return None  # whoever opens the file for its arrays says why it cannot be opened
    start = b"".join(beginning)
    if start.startswith(f'{{"{MARK}":'.encode()):
        return load_scene(file)
    if not start.startswith(b'{"scene":{'):
        return None
    if file.stat().st_size > LARGEST:
        raise ForeignError(f"{visible(file.name)} is larger than {LARGEST // 2**20} MB")
    return scene_from_json(object_from_json(parse_json(file.read_bytes()), "the report")["scene"])
