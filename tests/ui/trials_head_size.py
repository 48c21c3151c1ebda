"""Trials of the commands of the Head size view."""

from tests.ui.person import Person
from tests.ui.trials import Trials

TRIALS = Trials()


@TRIALS.trial
async def view_head_size(person: Person, key: str) -> None:
    """The view, which begins to draw at once, while the arrows go on moving among the vectors."""
    await person.press(key)
    assert "Head size" in person.screen
    assert "hs 4: spread" in person.view
    assert not person.app.is_moving_in_view


@TRIALS.trial
async def run_again(person: Person, key: str) -> None:
    """Stop, start again, and no more than a word in a view that has nothing to run."""
    await person.press(key)
    assert "this view computes nothing that could be run again" in person.said
    person.app.set_options(draws=10_000)
    person.app.go_to_view("head-size")
    await person.press(key)
    assert "cancelled: R draws again" in person.said
    assert "cancelled at" in person.view
    await person.press(key)
    assert "R cancels" in person.said
    assert "R cancels" in person.view
