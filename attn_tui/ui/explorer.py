"""The explorer: one scene, its history and the cursor; every change goes through here and is on the screen at once."""

from collections.abc import Callable
from dataclasses import replace

from textual import events
from textual.app import App, ComposeResult
from textual.containers import Horizontal
from textual.driver import Driver
from textual.reactive import var
from textual.screen import Screen
from textual.worker import Worker

from attn_tui.core.attend import Reading
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
from attn_tui.ui.options import Options
from attn_tui.ui.pane import Pane
from attn_tui.ui.pen import Field, Pen
from attn_tui.ui.readout import Readout
from attn_tui.ui.shown import Shown
from attn_tui.ui.views import VIEWS
from attn_tui.ui.views.view import Stage, View

LEAST_WIDTH, LEAST_HEIGHT = 60, 16
"""The smallest terminal that is any use."""
WIDE, TWO_VIEWS_WIDTH = 100, 120
"""From these widths on the vectors get more room, and two views stand side by side."""
STEPS = (0.001, 0.01, 0.1, 1.0, 10.0, 100.0)
"""How far a nudge may go."""


class Explorer(App[Scene]):
    """What can be done to a scene, and how it gets onto the screen. Commands call its methods."""

    scene: var[Scene] = var(EXAMPLES[0].make, init=False)
    """The one thing that is watched: it is read and shown in the same turn."""

    def __init__(self, scene: Scene, driver: type[Driver] | None = None) -> None:
        super().__init__(driver)
        self.history = History.of(scene)
        self.room = self.size
        """The terminal's size, known here before Textual knows it."""
        self.cursor = Cell(QUERY, 0)
        self.step = 0.1
        self.options = self._kept_options = Options()
        self.pinned: Reading | None = None
        self.problem: str | None = None
        self.message: str | None = None
        self.reading = read(scene)
        self.set_reactive(Explorer.scene, scene)
        self.grid, self.header, self.readout = Grid(), Header(id="header"), Readout(id="readout")
        self.lines: list[Pane] = [self.header, self.grid, self.readout]
        """What is shown beside the views."""
        self.views = [entry.make(self) for entry in VIEWS]
        self.view = self.views[0]
        self.stages = (Stage(id="stage"), Stage(id="second-stage"))
        self._last_field: Field | None = None
        self.is_zoomed = False
        self.is_moving_in_view = False
        self.temperature = TemperatureField(self, self.header.temperature_place)
        self.cell = CellField(self, self.grid.place)
        self.pen = Pen(self.cell)

    def compose(self) -> ComposeResult:
        """The top line, the spreadsheet beside the views, and what is said at the bottom."""
        yield self.header
        with Horizontal(id="body"):
            yield self.grid
            yield from self.stages
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
        self.room = event.size
        self.screen.set_class(self.is_too_small, "-small")
        self.screen.set_class(WIDE <= event.size.width < TWO_VIEWS_WIDTH, "-wide")
        self.arrange()
        # the first refresh lays out what the classes have shown or hidden, the second draws it
        self.call_after_refresh(self.call_after_refresh, self._settle)

    @property
    def current(self) -> Scene:
        """The scene as it is shown, kept or drafted."""
        return self.scene

    @property
    def is_too_small(self) -> bool:
        """Whether the terminal is below the least size."""
        return self.room.width < LEAST_WIDTH or self.room.height < LEAST_HEIGHT

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
            self.options,
            self.pinned,
            self.pen.typing,
            self.problem,
            self.message,
        )
        for pane in self.lines:
            pane.show(shown)
        for stage in self.stages:
            stage.show(shown)
        self.pen.settle()

    @property
    def visible_views(self) -> list[View]:
        """The view that was chosen; beside it the weights, or the scores beside those, where there is room."""
        if self.is_zoomed or self.room.width < TWO_VIEWS_WIDTH:
            return [self.view]
        first, second = self.views[0], self.views[1 % len(self.views)]
        return [first, second if self.view is first else self.view]

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
        self.history, self.message = history, done
        self._set(history.scene)

    def open(self, scene: Scene, what: str) -> None:
        """Show another scene; undo goes back to the one before."""
        self.cursor = Cell(QUERY, 0)
        self.apply(lambda _: scene, what)

    def paste(self, text: str) -> None:
        """Put pasted numbers into the cells from the cursor on, in place of what is being typed; or say why not."""
        from attn_tui.files.vectors import parse_vectors  # noqa: PLC0415 - the parser is large, and first needed here

        if self.is_too_small:
            return
        try:
            parsed = parse_vectors(text, self.scene.head_size)
            scene = edits.fill(self.history.scene, self.cursor, parsed.array, parsed.labels)
        except (Refused, ForeignError) as refusal:
            self.say(f"not pasted: {refusal}")
            return
        self.pen.end(keep=False)
        self.message = ". ".join((f"pasted {_size(parsed.array.shape)}", *parsed.notes))
        self.apply(lambda _: scene, "paste")

    def move_to(self, cell: Cell) -> None:
        """Put the cursor onto the nearest cell there is."""
        self.cursor = _inside(self.scene, cell)
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

    def show_view(self, index: int) -> None:
        """Show one of the views; in one that has a cursor, the arrows move that."""
        self.view = self.views[index % len(self.views)]
        self.is_moving_in_view = self.view.has_cursor
        self.arrange()

    def go_to_view(self, view_id: str) -> None:
        """Show the view of this id."""
        self.show_view([entry.id for entry in VIEWS].index(view_id))

    def arrange(self) -> None:
        """Show the views that can be seen, and mark the one that the arrows move in."""
        self.screen.set_class(self.is_zoomed, "-zoomed")
        views = self.visible_views
        for stage, view in zip(self.stages, (*views, None), strict=False):
            stage.put(view)
            stage.set_class(view is self.view and self.is_moving_in_view, "-active")
        self.screen.set_class(len(views) > 1, "-two-views")
        self.pen.rest_on(self.temperature if self.is_zoomed else self.cell)
        self.present()

    def type_next(self) -> None:
        """Begin to type in the next of the views' own numbers."""
        fields = [field for view in self.visible_views for field in view.fields() if field.place() is not None]
        if not fields:
            self.say("there is no number to type in this view")
            return
        last = fields.index(self._last_field) if self._last_field in fields else -1
        self._last_field = fields[(last + 1) % len(fields)]
        self.pen.begin(self._last_field)

    def move(self, rows: int, columns: int) -> None:
        """Move the cursor, in the view or among the vectors."""
        if self.is_moving_in_view:
            self.view.move(rows, columns)
        else:
            self.move_to(Cell(self.cursor.row + rows, self.cursor.column + columns))

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
        if self.is_too_small:
            self.screen.set_focus(None)
        else:
            self.pen.focus()
            self.present()


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
