"""Trials of the commands that move the cursor."""

from tests.ui.person import Person
from tests.ui.trials import Trials, lands

TRIALS = Trials()


@TRIALS.trial
async def left(person: Person, key: str) -> None:
    """One column, and no further than the first."""
    await lands(person, key, (1, 2), (1, 1))
    await lands(person, key, (1, 0), (1, 0))


@TRIALS.trial
async def right(person: Person, key: str) -> None:
    """One column, and no further than the last."""
    await lands(person, key, (1, 2), (1, 3))
    await lands(person, key, (1, 3), (1, 3))


@TRIALS.trial
async def up(person: Person, key: str) -> None:
    """From the first key to the query, and no further."""
    await lands(person, key, (0, 2), (-1, 2))
    await lands(person, key, (-1, 2), (-1, 2))


@TRIALS.trial
async def down(person: Person, key: str) -> None:
    """From the query to the first key, and no further than the last."""
    await lands(person, key, (-1, 2), (0, 2))
    await lands(person, key, (4, 2), (4, 2))


@TRIALS.trial
async def next_cell(person: Person, key: str) -> None:
    """Along the row, then to the next row, and no further than the last cell."""
    await lands(person, key, (0, 2), (0, 3))
    await lands(person, key, (-1, 3), (0, 0))


@TRIALS.trial
async def previous_cell(person: Person, key: str) -> None:
    """Back along the row, then to the end of the row above, and no further than the first cell."""
    await lands(person, key, (0, 2), (0, 1))
    await lands(person, key, (1, 0), (0, 3))
    await lands(person, key, (-1, 0), (-1, 0))


@TRIALS.trial
async def top(person: Person, key: str) -> None:
    """The query, in the same column."""
    await lands(person, key, (3, 2), (-1, 2))


@TRIALS.trial
async def bottom(person: Person, key: str) -> None:
    """The last key, in the same column."""
    await lands(person, key, (-1, 2), (4, 2))


@TRIALS.trial
async def page_up(person: Person, key: str) -> None:
    """No more than a screen of keys."""
    await lands(person, key, (4, 1), (-1, 1))


@TRIALS.trial
async def page_down(person: Person, key: str) -> None:
    """No more than a screen of keys."""
    await lands(person, key, (-1, 1), (4, 1))


@TRIALS.trial
async def first_column(person: Person, key: str) -> None:
    """The first dimension of the row."""
    await lands(person, key, (2, 3), (2, 0))


@TRIALS.trial
async def last_column(person: Person, key: str) -> None:
    """The last column of the row."""
    await lands(person, key, (2, 0), (2, 3))
