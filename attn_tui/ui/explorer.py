"""The explorer: one scene, its history and the cursor; every change goes through here and is on the screen at once."""

from collections.abc import Callable

from textual import events
from textual.app import App, ComposeResult
from textual.containers import Horizontal
from textual.driver import Driver
from textual.reactive import var
from textual.screen import Screen

from attn_tui.files.errors import ForeignError
from attn_tui.model import edits
from attn_tui.model.edits import Refused
from attn_tui.model.examples import EXAMPLES
from attn_tui.model.history import History
from attn_tui.model.scene import QUERY, Cell, Scene, read
from attn_tui.ui.charts import plot
from attn_tui.ui.editor.grid import Grid
from attn_tui.ui.fields import CellField, Edit, TemperatureField
from attn_tui.ui.header import Header
from attn_tui.ui.pane import Pane
from attn_tui.ui.pen import Pen
from attn_tui.ui.readout import Readout
from attn_tui.ui.shown import Shown
from attn_tui.ui.views import VIEWS

LEAST_WIDTH, LEAST_HEIGHT = 60, 16
"""The smallest terminal that is any use."""
STEPS = (0.001, 0.01, 0.1, 1.0, 10.0, 100.0)
"""How far a nudge may go."""


class Explorer(App[Scene]):
    """What can be done to a scene, and how it gets onto the screen. Commands call its methods."""

    scene: var[Scene] = var(EXAMPLES[0].make, init=False)
    """The one thing that is watched: it is read and shown in the same turn."""

    def __init__(self, scene: Scene, driver: type[Driver] | None = None) -> None:
        super().__init__(driver)
        self.history = History.of(scene)
        self.cursor = Cell(QUERY, 0)
        self.step = 0.1
        self.by_weight = False
        self.problem: str | None = None
        self.message: str | None = None
        self.reading = read(scene)
        self.set_reactive(Explorer.scene, scene)
        self.grid, self.header, self.readout = Grid(), Header(id="header"), Readout(id="readout")
        self.lines: list[Pane] = [self.header, self.grid, self.readout]
        """What is shown beside the views."""
        self.views = [entry.make(id=entry.id, classes="view") for entry in VIEWS]
        self.view = self.views[0]
        self.temperature = TemperatureField(self, self.header.temperature_place)
        self.pen = Pen(CellField(self, self.grid.place))

    def compose(self) -> ComposeResult:
        """The top line, the spreadsheet beside the views, and what is said at the bottom."""
        yield self.header
        with Horizontal(id="body"):
            yield self.grid
            yield from self.views
        yield self.readout
        yield self.pen

    def get_default_screen(self) -> Screen[None]:
        """A screen without Textual's own keys, so that Tab is a command like any other."""
        return _PlainScreen(id="_default")

    def on_mount(self) -> None:
        """Show the first scene; charts come right after the first paint."""
        self.show_view(0)
        self.pen.focus()
        self.call_after_refresh(self._load_charts)

    def on_resize(self, event: events.Resize) -> None:
        """Below the least size there is only a notice."""
        small = event.size.width < LEAST_WIDTH or event.size.height < LEAST_HEIGHT
        self.screen.set_class(small, "-small")
        self.screen.set_class(event.size.width >= 110, "-wide")
        self.call_after_refresh(self._settle)

    @property
    def current(self) -> Scene:
        """The scene as it is shown, kept or drafted."""
        return self.scene

    @property
    def is_too_small(self) -> bool:
        """Whether the terminal is below the least size."""
        return self.size.width < LEAST_WIDTH or self.size.height < LEAST_HEIGHT

    def watch_scene(self, scene: Scene) -> None:
        """Read the new scene and show it."""
        self.reading = read(scene)
        self.cursor = _inside(scene, self.cursor)
        self.present()

    def present(self) -> None:
        """Hand what there is to every pane that can be seen, now."""
        shown = Shown(
            self.scene,
            self.reading,
            self.cursor,
            self.step,
            self.by_weight,
            self.pen.typing,
            self.problem,
            self.message,
        )
        for pane in self.lines:
            pane.show(shown)
        self.view.show(shown)
        self.pen.settle()

    def apply(self, edit: Edit, what: str) -> None:
        """Make an edit a step of the history, or say why it is refused."""
        try:
            scene = edit(self.scene)
        except (Refused, ForeignError) as refusal:
            self.say(str(refusal))
            return
        self.history = self.history.record(scene, what)
        self._set(scene)

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
        self.history = self.history.record(self.scene, what)
        self.present()
        return True

    def drop_draft(self) -> None:
        """Go back to the kept scene."""
        self.problem = None
        self._set(self.history.scene)

    def restore(self, history: History | None, done: str, nothing: str) -> None:
        """Go to another place of the history, or say that there is none."""
        if history is None:
            self.say(nothing)
            return
        self.history, self.message = history, done
        self._set(history.scene)

    def open(self, scene: Scene, what: str) -> None:
        """Show another scene; undo goes back to the one before."""
        self.cursor = Cell(QUERY, 0)
        self.apply(lambda _: scene, what)

    def paste(self, text: str) -> None:
        """Put pasted numbers into the cells from the cursor on."""
        from attn_tui.files.vectors import parse_vectors  # noqa: PLC0415 - the parser is large, and first needed here

        self.message = None
        try:
            parsed = parse_vectors(text)
        except ForeignError as refusal:
            self.say(f"not pasted: {refusal}")
            return
        cell = self.cursor
        self.message = ". ".join((f"pasted {_size(parsed.array.shape)}", *parsed.notes))
        self.apply(lambda scene: edits.fill(scene, cell, parsed.array, parsed.labels), "paste")

    def move_to(self, cell: Cell) -> None:
        """Put the cursor onto the nearest cell there is."""
        self.cursor = _inside(self.scene, cell)
        self.present()

    def say(self, message: str) -> None:
        """Show a sentence at the bottom until the next key."""
        self.message = message
        self.present()

    def show_view(self, index: int) -> None:
        """Show one of the views in place of the others."""
        self.view = self.views[index % len(self.views)]
        for view in self.views:
            view.display = view is self.view
        self.present()

    def run_command(self, run: Callable[["Explorer"], None], *, edits_scene: bool) -> None:
        """Do what a command does; a number that is being typed is kept first, or restored if it is unfinished."""
        if edits_scene and self.is_too_small:
            return
        self.pen.end(keep=self.problem is None)
        self.message = None
        run(self)

    def _set(self, scene: Scene) -> None:
        """Show a scene, even one that is shown already."""
        if scene is self.scene:
            self.present()
        self.scene = scene

    def action_show_help(self) -> None:
        """Show the help screen, which the application that has the table of commands provides."""
        raise NotImplementedError

    def _load_charts(self) -> None:
        """Import plotext and draw the charts."""
        plot.load()
        self.present()

    def _settle(self) -> None:
        """Put the pen where it belongs once the layout is known."""
        if not self.is_too_small:
            self.pen.focus()
            self.pen.settle()


class _PlainScreen(Screen[None], inherit_bindings=False):
    """The screen that the explorer lies on."""


def _inside(scene: Scene, cell: Cell) -> Cell:
    """The nearest cell of a scene."""
    row = max(QUERY, min(cell.row, scene.count - 1))
    columns = scene.head_size if row == QUERY else scene.columns
    return Cell(row, max(0, min(cell.column, columns - 1)))


def _size(shape: tuple[int, ...]) -> str:
    """A vector's or matrix' size in words."""
    return f"{shape[0]} numbers" if len(shape) == 1 else f"{shape[0]} x {shape[1]} numbers"
