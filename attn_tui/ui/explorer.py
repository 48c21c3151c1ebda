"""The explorer: how the workbench's scene gets onto the screen, and how one moves about on it."""

import gc
from collections.abc import Callable

from textual import events
from textual.app import ComposeResult
from textual.containers import Container, Horizontal
from textual.driver import Driver
from textual.screen import Screen

from attn_tui.lesson.step import Moment
from attn_tui.model.scene import Cell, Scene
from attn_tui.ui.charts import plot
from attn_tui.ui.editor.grid import Grid
from attn_tui.ui.fields import CellField, TemperatureField
from attn_tui.ui.header import Header
from attn_tui.ui.pane import Pane
from attn_tui.ui.panel import Panel
from attn_tui.ui.pen import Field, Pen
from attn_tui.ui.readout import Readout
from attn_tui.ui.shown import Shown
from attn_tui.ui.teacher import Teacher
from attn_tui.ui.views import VIEWS, Views
from attn_tui.ui.views.view import Stage, View
from attn_tui.ui.workbench import Workbench

LEAST_WIDTH, LEAST_HEIGHT = 60, 16
"""The smallest terminal that is any use."""
NARROW, WIDE, TWO_VIEWS_WIDTH = 76, 100, 120
"""Below the first width the vectors get less room, from the second on more; from the third on there are two views."""
LESSON_BESIDE, PANEL_WIDTH = 110, 40
"""From this width on the lesson stands beside the explorer, in so many columns; below that under it."""
STEPS = (0.001, 0.01, 0.1, 1.0, 10.0, 100.0)
"""How far a nudge may go."""


class Explorer(Workbench):
    """The workbench on the screen. Commands call its methods."""

    def __init__(self, scene: Scene, driver: type[Driver] | None = None) -> None:
        super().__init__(scene, driver)
        self.room = self.size
        """The terminal's size, known here before Textual knows it."""
        self.grid, self.header, self.readout = Grid(), Header(id="header"), Readout(id="readout")
        self.lines: list[Pane] = [self.header, self.grid, self.readout]
        """What is shown beside the views."""
        self.views = Views(self)
        self.view = self.views[0]
        self.stages = (Stage(id="stage"), Stage(id="second-stage"))
        self.panel = Panel()
        self.teacher: Teacher | None = None
        """The lesson, while it is open."""
        self._last_field: Field | None = None
        self._commands_under_way = 0
        self.said_before: str | None = None
        """What stood at the bottom when the command that is being done was called."""
        self.is_restricted = False
        """Whether no file may be opened or written."""
        self.is_zoomed = False
        self.is_moving_in_view = False
        self.temperature = TemperatureField(self, self.header.temperature_place)
        self.cell = CellField(self, self.grid.place)
        self.pen = Pen(self.cell, self.press, self.answer)

    def compose(self) -> ComposeResult:
        """The top line, the spreadsheet beside the views, and what is said at the bottom."""
        yield self.header
        with Container(id="desk"):
            with Horizontal(id="body"):
                yield self.grid
                yield from self.stages
            yield self.panel
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
        while self.is_too_small and len(self.screen_stack) > 1:
            self.pop_screen()
        self.screen_stack[0].set_class(self.is_too_small, "-small")
        self.lay_out()

    @property
    def is_too_small(self) -> bool:
        """Whether the terminal is below the least size."""
        return self.room.width < LEAST_WIDTH or self.room.height < LEAST_HEIGHT

    @property
    def free_width(self) -> int:
        """Columns that the lesson leaves, which stands at the side where there are enough of them."""
        is_beside = self.teacher is not None and self.room.width >= LESSON_BESIDE
        return self.room.width - (PANEL_WIDTH if is_beside else 0)

    @property
    def moment(self) -> Moment:
        """What the lesson's checks look at."""
        shown = VIEWS[self.views.index(self.view)].id
        return Moment(self.scene, self.reading, shown, self.options.constant)

    def stop_typing(self) -> None:
        """Put back the number that is being typed, if one is."""
        self.pen.end(keep=False)

    def present(self) -> None:
        """Hand what there is to every pane that can be seen, now, or at the end of the command that is being done."""
        if self._commands_under_way:
            return
        if self.teacher is not None and self.problem is None:
            self.teacher.look(self.moment)
            if not self.pen.is_typing and self.teacher.observe(self.moment):
                self.task_done()
        shown = Shown(
            self.scene,
            self.reading,
            self.cursor,
            self.step,
            self.options,
            self.pinned,
            self.pen.typing,
            self.pen.field is self.cell,
            self.problem,
            self.message,
        )
        for pane in self.lines:
            pane.show(shown)
        for pane in (*self.stages, self.panel):
            pane.show(shown)
        self.pen.settle()

    @property
    def visible_views(self) -> list[View]:
        """The view that was chosen; beside it the weights, or the scores beside those, where there is room."""
        if self.is_zoomed or self.free_width < TWO_VIEWS_WIDTH:
            return [self.view]
        first = self.views[0]
        return [first, self.views[1] if self.view is first else self.view]

    def paste(self, text: str) -> None:
        """Put pasted numbers into the cells; a solution that the lesson is showing stops there."""
        if self.teacher is not None:
            self.teacher.turn += 1
        super().paste(text)

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
        self.screen.set_class(self.free_width < NARROW, "-narrow")
        self.screen.set_class(WIDE <= self.free_width < TWO_VIEWS_WIDTH, "-wide")
        self.screen.set_class(self.teacher is not None, "-lesson")
        self.screen.set_class(self.room.width >= LESSON_BESIDE, "-beside")
        views = self.visible_views
        for stage, view in zip(self.stages, (*views, None), strict=False):
            stage.put(view)
            stage.set_class(view is self.view and self.is_moving_in_view, "-active")
        self.screen.set_class(len(views) > 1, "-two-views")
        self.pen.rest_on(self.temperature if self.is_zoomed else self.cell)
        self.present()

    def lay_out(self) -> None:
        """Arrange what the terminal, or a zoom, has made room for, and then put the pen where its field has gone."""
        self.arrange()
        # the first refresh lays out what the classes have shown or hidden, the second draws it
        self.call_after_refresh(self.call_after_refresh, self._settle)

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

    async def press(self, event: events.Key) -> None:
        """Do what the command of a key does, or hand the key on to the screen that has come over the explorer."""
        if len(self.screen_stack) > 1:
            self.post_message(events.Key(event.key, event.character))
            return
        bound = self.screen.active_bindings.get(event.key)
        if bound is not None and bound.enabled:
            await self.run_action(bound.binding.action, bound.node)

    def run_command(self, run: Callable[["Explorer"], None], *, may_leave: bool) -> None:
        """Do what a command does; a number that is being typed is kept first, or restored if it is unfinished.

        Before the command that leaves it is restored in any case: a part of a number would be taken for the whole.
        """
        if self.is_too_small and not may_leave:
            return
        self._commands_under_way += 1
        if self.teacher is not None:
            self.teacher.turn += 1
        try:
            self.pen.end(keep=self.problem is None and not may_leave)
            self.said_before, self.message = self.message, None
            run(self)
        finally:
            self._commands_under_way -= 1
        self.present()

    def answer(self, character: str) -> bool:
        """Take a character as the answer to the lesson's question, if one is open; else it begins a number."""
        return False

    def task_done(self) -> None:
        """Take note that the lesson's task has just been done."""

    def action_show_help(self) -> None:
        """Show the help screen, which the application that has the table of commands provides."""
        raise NotImplementedError

    def _load_charts(self) -> None:
        """Import plotext and draw the charts."""
        plot.load()
        gc.freeze()  # what is there by now stays: no key has to wait for it to be searched for garbage
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
