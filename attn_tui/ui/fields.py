"""The numbers that the pen can write: the component under the cursor, and the temperature."""

import re
from abc import abstractmethod
from collections.abc import Callable
from typing import Protocol

from textual.geometry import Offset
from textual.worker import Worker

from attn_tui.files.numbers import LONGEST_NUMBER, format_exact, parse_number
from attn_tui.model import edits
from attn_tui.model.figures import figure
from attn_tui.model.scene import Cell, Scene
from attn_tui.ui.options import Options
from attn_tui.ui.pen import PEN_WIDTH, Field

Edit = Callable[[Scene], Scene]
"""A change of a scene."""

_PART = re.compile(r"[-+0-9.eE_infatyINFATY−]+")
"""What may be part of one number; a comma parts two."""


class Desk(Protocol):
    """What a field needs of the explorer."""

    @property
    def cursor(self) -> Cell:
        """The cell under the cursor."""
        ...

    @property
    def current(self) -> Scene:
        """The scene as it is shown."""
        ...

    @property
    def problem(self) -> str | None:
        """Why what is being typed is no number yet."""
        ...

    def draft(self, edit: Edit) -> None:
        """Show the scene that an edit of the kept one makes, or say why there is none yet."""
        ...

    def keep_draft(self, what: str) -> bool:
        """Make the drafted scene a step of the history; False while it is unfinished."""
        ...

    def drop_draft(self) -> None:
        """Show the kept scene again."""
        ...

    @property
    def options(self) -> Options:
        """What is set in the views."""
        ...

    def draft_options(self, edit: Callable[[Options], Options]) -> None:
        """Show other options, or say why there are none yet."""
        ...

    def say(self, message: str) -> None:
        """Show a sentence in the bottom line."""
        ...

    def paste(self, text: str) -> None:
        """Put pasted numbers into the cells from the cursor on."""
        ...

    def present(self) -> None:
        """Draw what has changed in the views themselves."""
        ...

    def open(self, scene: Scene, what: str) -> None:
        """Show another scene; undo goes back to the one before."""
        ...

    def go_to_view(self, view_id: str) -> None:
        """Show the view of this id."""
        ...

    def work(self, job: Callable[[], None], kind: str) -> Worker[None]:
        """Run a job in a thread, in place of an earlier one of its kind."""
        ...

    def later(self, call: Callable[[], None]) -> None:
        """Call something in the turn of the screen; a thread may ask for it."""
        ...


class NumberField(Field):
    """A number of the scene that is drafted while it is typed."""

    def __init__(self, desk: Desk) -> None:
        self._desk = desk

    @abstractmethod
    def name(self) -> str:
        """What the number is called."""

    @abstractmethod
    def number(self) -> float:
        """The number as it is."""

    @abstractmethod
    def edit(self, number: float) -> Edit:
        """The edit that puts another number there."""

    def figure(self) -> str:
        """The number with four decimals."""
        return figure(self.number(), PEN_WIDTH - 1)

    def text(self) -> str:
        """The number with all its digits."""
        return format_exact(self.number())

    def typed(self, text: str) -> None:
        """Draft the number, or say what is missing of it."""

        def edit(scene: Scene) -> Scene:
            """Refuse text that is no number as the edit itself refuses a number."""
            return self.edit(parse_number(text))(scene)

        self._desk.draft(edit)

    def is_finished(self) -> bool:
        """Whether it is a number."""
        return self._desk.problem is None

    def keep(self) -> bool:
        """Keep the draft unless it is unfinished."""
        return self._desk.keep_draft(f"{self.name()} = {figure(self.number())}")

    def restore(self) -> None:
        """Go back to the number before."""
        self._desk.drop_draft()

    def refuse(self, why: str) -> None:
        """Say why something is not taken."""
        self._desk.say(why)

    def paste(self, text: str) -> bool:
        """More than one number is for the cells, and what is none is refused there."""
        if len(text) <= LONGEST_NUMBER and _PART.fullmatch(text):
            return False
        self._desk.paste(text)
        return True


class OptionField(NumberField):
    """A number that is set in a view."""

    def __init__(self, desk: Desk, attribute: str, title: str, locate: Callable[[str], Offset | None]) -> None:
        super().__init__(desk)
        self._attribute, self._title, self._locate = attribute, title, locate

    def place(self) -> Offset | None:
        """Where the view has drawn it."""
        return self._locate(self._attribute)

    def name(self) -> str:
        """What the view calls it."""
        return self._title

    def number(self) -> float:
        """The number as it is set."""
        return float(getattr(self._desk.options, self._attribute))

    def edit(self, number: float) -> Edit:
        """The scene stays as it is."""
        return lambda scene: scene

    def typed(self, text: str) -> None:
        """Set the number, or say what is missing of it."""

        def edit(options: Options) -> Options:
            """Put the number in place of the old one."""
            return options.with_number(self._attribute, parse_number(text))

        self._desk.draft_options(edit)


class CellField(NumberField):
    """The component under the cursor."""

    def __init__(self, desk: Desk, locate: Callable[[Cell], Offset]) -> None:
        super().__init__(desk)
        self._locate = locate

    def place(self) -> Offset:
        """Where the grid has the cell."""
        return self._locate(self._desk.cursor)

    def name(self) -> str:
        """Such as k2.d1."""
        return self._desk.current.cell_name(self._desk.cursor)

    def number(self) -> float:
        """The component."""
        return self._desk.current.component(self._desk.cursor)

    def edit(self, number: float) -> Edit:
        """Set the component."""
        cell = self._desk.cursor
        return lambda scene: edits.set_component(scene, cell, number)


class TemperatureField(NumberField):
    """The temperature in the top line."""

    def __init__(self, desk: Desk, locate: Callable[[], Offset]) -> None:
        super().__init__(desk)
        self._locate = locate

    def place(self) -> Offset:
        """Where the top line has it."""
        return self._locate()

    def name(self) -> str:
        """The letter that papers use."""
        return "tau"

    def number(self) -> float:
        """The temperature."""
        return self._desk.current.temperature

    def edit(self, number: float) -> Edit:
        """Set the temperature."""
        return lambda scene: edits.set_temperature(scene, number)
