"""A scene in a file of its own, as a person saves it and opens it again."""

from pathlib import Path

from attn_tui.files.errors import ForeignError
from attn_tui.files.sessions.history_form import history_from_json, is_history
from attn_tui.files.sessions.layout import MARK, VERSION, by_lines, cannot, read_session
from attn_tui.files.sessions.scene_form import scene_from_json, scene_to_json
from attn_tui.model.scene import Scene


def scene_text(scene: Scene) -> str:
    """The whole file of a scene."""
    return by_lines({MARK: VERSION, **scene_to_json(scene)}) + "\n"


def load_scene(path: Path) -> Scene:
    """The scene in a file that was saved, or the present one of a history that was kept.

    Raises ForeignError, with the file and the reason, where there is none.
    """
    try:
        content = read_session(path)
        return history_from_json(content).scene if is_history(content) else scene_from_json(content)
    except (OSError, ForeignError) as error:
        raise cannot("read", path, error) from None
