"""What the panes are handed: the scene, its reading, and where the person is in it."""

from dataclasses import dataclass

from attn_tui.core.attend import Reading
from attn_tui.model.scene import QUERY, Cell, Scene


@dataclass(frozen=True, eq=False)
class Shown:
    """One moment of the explorer, from which every pane draws itself."""

    scene: Scene
    reading: Reading
    cursor: Cell
    step: float = 0.1
    """How far a nudge goes."""
    by_weight: bool = False
    """Whether keys are ordered by weight where they are drawn as bars."""
    typing: str | None = None
    """What is being typed: the number's name and the text, of which the pen may show only the end."""
    problem: str | None = None
    """Why what is being typed is no number yet; the reading is then the last good one."""
    message: str | None = None
    """What the last command has to say."""

    @property
    def key(self) -> int | None:
        """The key under the cursor, None on the query."""
        return None if self.cursor.row == QUERY else self.cursor.row
