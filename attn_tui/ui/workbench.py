"""The workbench: one scene, its history and what is being typed; every change of it goes through here, shown or not."""

from abc import abstractmethod
from collections.abc import Callable
from dataclasses import replace

from textual.app import App
from textual.driver import Driver
from textual.reactive import var
from textual.worker import Worker

from attn_tui.core.attend import Reading
from attn_tui.files.errors import ForeignError
from attn_tui.model import edits
from attn_tui.model.edits import Refused
from attn_tui.model.examples import EXAMPLES
from attn_tui.model.history import History
from attn_tui.model.scene import QUERY, Cell, Scene, read
from attn_tui.ui.fields import Edit
from attn_tui.ui.options import Options


class Workbench(App[Scene]):
    """What can be done to a scene. How it gets onto the screen is the explorer's."""

    scene: var[Scene] = var(EXAMPLES[0].make, init=False)
    """The one thing that is watched: it is read and shown in the same turn."""

    def __init__(self, scene: Scene, driver: type[Driver] | None = None) -> None:
        super().__init__(driver)
        self.history = History.of(scene)
        self.cursor = Cell(QUERY, 0)
        self.step = 0.1
        self.options = self._kept_options = Options()
        self.pinned: Reading | None = None
        self.problem: str | None = None
        self.message: str | None = None
        self.reading = read(scene)
        self.set_reactive(Workbench.scene, scene)

    @abstractmethod
    def present(self) -> None:
        """Hand what there is to every pane that can be seen, now."""

    @abstractmethod
    def stop_typing(self) -> None:
        """Put back the number that is being typed, if one is."""

    @property
    def current(self) -> Scene:
        """The scene as it is shown, kept or drafted."""
        return self.scene

    def watch_scene(self, scene: Scene) -> None:
        """Read the new scene and show it."""
        self.reading = read(scene)
        self.cursor = inside(scene, self.cursor)
        self.present()

    def apply(self, edit: Edit, what: str) -> None:
        """Make an edit a step of the history, or say why it is refused."""
        try:
            scene = edit(self.scene)
        except (Refused, ForeignError) as refusal:
            self.say(str(refusal))
            return
        self.remember(self.history.record(scene, what))
        self._set(scene)

    def remember(self, history: History) -> None:
        """Make a history the one that counts."""
        self.history = history

    def draft(self, edit: Edit) -> None:
        """Show what an edit of the kept scene makes; while it makes none, the last good one stays."""
        self.message = None
        try:
            scene = edit(self.history.scene)
        except (Refused, ForeignError) as refusal:
            self.problem = str(refusal)
            self.present()
            return
        self.problem = None
        self._set(scene)

    def keep_draft(self, what: str) -> bool:
        """Make the drafted scene a step of the history; False while what was typed is no number."""
        if self.problem is not None:
            return False
        self.remember(self.history.record(self.scene, what))
        self._kept_options = self.options
        self.present()
        return True

    def drop_draft(self) -> None:
        """Go back to the kept scene and options."""
        self.problem = None
        self.options = self._kept_options
        self._set(self.history.scene)

    def draft_options(self, edit: Callable[[Options], Options]) -> None:
        """Show what an edit of the kept options makes; while it makes none, the last good ones stay."""
        self.message = self.problem = None
        try:
            self.options = edit(self._kept_options)
        except (Refused, ForeignError) as refusal:
            self.problem = str(refusal)
        self.present()

    def set_options(self, **changes: bool | float) -> None:
        """Set something in the views."""
        self.options = self._kept_options = replace(self.options, **changes)
        self.present()

    def restore(self, history: History | None, done: str, nothing: str) -> None:
        """Go to another place of the history, or say that there is none."""
        if history is None:
            self.say(nothing)
            return
        self.message = done
        self.remember(history)
        self._set(history.scene)

    def open(self, scene: Scene, what: str) -> None:
        """Show another scene; undo goes back to the one before."""
        self.cursor = Cell(QUERY, 0)
        self.apply(lambda _: scene, what)

    def paste(self, text: str) -> None:
        """Put pasted numbers into the cells from the cursor on, in place of what is being typed; or say why not."""
        from attn_tui.files.vectors import parse_vectors  # noqa: PLC0415 - the parser is large, and first needed here

        try:
            parsed = parse_vectors(text, self.scene.head_size)
            scene = edits.fill(self.history.scene, self.cursor, parsed.array, parsed.labels)
        except (Refused, ForeignError) as refusal:
            self.say(f"not pasted: {refusal}")
            return
        self.stop_typing()
        self.message = ". ".join((f"pasted {_size(parsed.array.shape)}", *parsed.notes))
        self.apply(lambda _: scene, "paste")

    def move_to(self, cell: Cell) -> None:
        """Put the cursor onto the nearest cell there is."""
        self.cursor = inside(self.scene, cell)
        self.present()

    def say(self, message: str) -> None:
        """Show a sentence at the bottom until the next key."""
        self.message = message
        self.present()

    def work(self, job: Callable[[], None], kind: str) -> Worker[None]:
        """Run a job in a thread, in place of an earlier one of its kind."""
        return self.run_worker(job, group=kind, exclusive=True, thread=True)

    def later(self, call: Callable[[], None]) -> None:
        """Call something in the turn of the screen; a thread may ask for it."""
        self.call_later(call)

    def _set(self, scene: Scene) -> None:
        """Show a scene, even one that is shown already."""
        if scene is self.scene:
            self.present()
        self.scene = scene


def inside(scene: Scene, cell: Cell) -> Cell:
    """The nearest cell of a scene."""
    row = max(QUERY, min(cell.row, scene.count - 1))
    columns = scene.head_size if row == QUERY else scene.columns
    return Cell(row, max(0, min(cell.column, columns - 1)))


def _size(shape: tuple[int, ...]) -> str:
    """A vector's or matrix' size in words."""
    return f"{shape[0]} numbers" if len(shape) == 1 else f"{shape[0]} x {shape[1]} numbers"
