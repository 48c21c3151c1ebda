"""What the panes are handed: the scene, its reading, and where the person is in it."""

from dataclasses import dataclass, field

from attn_tui.core.attend import Reading
from attn_tui.model.scene import QUERY, Cell, Scene
from attn_tui.ui.options import Options


@dataclass(frozen=True, eq=False)
class Shown:
    """One moment of the explorer, from which every pane draws itself."""

    scene: Scene
    reading: Reading
    cursor: Cell
    step: float = 0.1
    """How far a nudge goes."""
    options: Options = field(default_factory=Options)
    """What is set in the views."""
    pinned: Reading | None = None
    """The reading of the pinned scene, to compare with."""
    typing: str | None = None
    """What is being typed: the number's name and the text, of which the pen may show only the end."""
    types_cell: bool = True
    """Whether that is the number under the cursor."""
    problem: str | None = None
    """Why what is being typed is no number yet; the reading is then the last good one."""
    message: str | None = None
    """What the last command has to say."""

    @property
    def key(self) -> int | None:
        """The key under the cursor, None on the query."""
        return None if self.cursor.row == QUERY else self.cursor.row
