"""A scene in a file, as `w` puts it there."""

from pathlib import Path

from attn_tui.files.sessions.saved import scene_text
from attn_tui.files.writing import write_safely
from attn_tui.model.scene import Scene


def save_scene(scene: Scene, path: Path) -> None:
    """Write the scene's file."""
    write_safely(path, scene_text(scene).encode())
