"""Trials of the commands of the Matrix and Heads views."""

from attn_tui.model.examples import example
from tests.ui.person import Person
from tests.ui.trials import Trials

TRIALS = Trials()


@TRIALS.trial
async def view_matrix(person: Person, key: str) -> None:
    """The matrix, in which the arrows move at once."""
    await person.press(key)
    assert "Matrix" in person.screen
    assert person.app.is_moving_in_view
    assert "q -> k0" in person.view
    await person.press("right")
    assert "q -> k1" in person.view


@TRIALS.trial
async def view_heads(person: Person, key: str) -> None:
    """The map of heads, which a scene from no model has none of."""
    await person.press(key)
    assert "Heads: mean entropy" in person.screen
    assert "no head of a model" in " ".join(person.view.split())


@TRIALS.trial
async def causal(person: Person, key: str) -> None:
    """On and off, in the matrix of a real head."""
    person.app.open(example("broad"), "open")
    person.app.go_to_view("matrix")
    before = person.scene
    await person.press(key)
    assert "aligned at the end" in person.said
    assert "·" in person.view
    await person.press(key)
    assert "not causal" in person.said
    assert "·" not in person.view
    assert person.scene is before


@TRIALS.trial
async def next_measure(person: Person, key: str) -> None:
    """Round all measures, back to the first."""
    person.app.open(example("broad"), "open")
    person.app.go_to_view("heads")
    for name in ("first token", "previous token", "peak", "mean entropy"):
        await person.press(key)
        assert f"heads by {name}" in person.said
        assert f"Heads: {name}" in person.screen
