"""What each command has to show when its key is pressed: a trial for every command, found by its id."""

from collections.abc import Awaitable, Callable
from typing import TypeAlias

from tests.ui.person import Person

Trial: TypeAlias = Callable[[Person, str], Awaitable[None]]
"""Presses the key it is given, and asserts on what has happened."""


class Trials(dict[str, Trial]):
    """The trials of one file, by the command's id."""

    def trial(self, run: Trial) -> Trial:
        """Declare a trial; its function is called as the command's."""
        self[run.__name__.replace("_", "-")] = run
        return run


async def lands(person: Person, key: str, start: tuple[int, int], end: tuple[int, int]) -> None:
    """Assert that a key takes the cursor from one cell to another, and that the bottom line speaks of that one."""
    await person.go(*start)
    await person.press(key)
    cursor = person.app.cursor
    assert (cursor.row, cursor.column) == end
    assert person.said.startswith(person.scene.cell_name(cursor))
