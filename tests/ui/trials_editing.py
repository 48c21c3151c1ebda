"""Trials of the commands that change a number, a key or a dimension."""

import numpy as np

from attn_tui.model.scene import Cell
from tests.ui.person import Person
from tests.ui.trials import Trials

TRIALS = Trials()


@TRIALS.trial
async def edit_number(person: Person, key: str) -> None:
    """The number with all its digits, selected, so that what is typed takes its place."""
    await person.go(1, 1)
    await person.press(key)
    assert person.app.pen.is_typing
    assert person.app.pen.value == repr(float(person.kept.keys[1, 1]))
    assert "k1.d1 = 0.5425600435859647" in person.said
    await person.type("7")
    assert "k1.d1 = 7 " in person.said
    await person.press("enter")
    assert person.kept.keys[1, 1] == 7.0


async def _nudged(person: Person, key: str, by: float) -> None:
    """Assert how far a key moves a component."""
    await person.go(0, 1)
    before = float(person.scene.keys[0, 1])
    await person.press(key)
    assert np.isclose(person.kept.keys[0, 1] - before, by, rtol=1e-12)
    assert f"k0.d1 {person.kept.keys[0, 1]:.4f}" in person.said
    assert f"{person.kept.keys[0, 1]:.4f}" in person.grid


@TRIALS.trial
async def nudge_up(person: Person, key: str) -> None:
    """A step up."""
    await _nudged(person, key, 0.1)


@TRIALS.trial
async def nudge_down(person: Person, key: str) -> None:
    """A step down."""
    await _nudged(person, key, -0.1)


@TRIALS.trial
async def nudge_up_ten(person: Person, key: str) -> None:
    """Ten steps up."""
    await _nudged(person, key, 1.0)


@TRIALS.trial
async def nudge_down_ten(person: Person, key: str) -> None:
    """Ten steps down."""
    await _nudged(person, key, -1.0)


@TRIALS.trial
async def smaller_step(person: Person, key: str) -> None:
    """A tenth of the step, and no less than a thousandth."""
    await person.press(key)
    assert "a nudge is now 0.01" in person.said
    await _nudged(person, "i", 0.01)
    await person.press(key, key, key)
    assert person.app.step == 0.001
    assert "a nudge is now 0.001" in person.said


@TRIALS.trial
async def larger_step(person: Person, key: str) -> None:
    """Ten times the step, and no more than a hundred."""
    await person.press(key)
    assert "a nudge is now 1" in person.said
    await _nudged(person, "d", -1.0)
    await person.press(key, key, key)
    assert person.app.step == 100.0


@TRIALS.trial
async def negate(person: Person, key: str) -> None:
    """The other sign, and never a minus before a zero."""
    await person.go(2, 1)
    await person.press(key)
    assert "k2.d1 1.9133" in person.said
    assert person.kept.keys[2, 1] == 1.913280244657798
    await person.type("0")
    await person.press("enter", key)
    assert "k2.d1 0.0000" in person.said
    assert not np.signbit(person.kept.keys[2, 1])


@TRIALS.trial
async def undo(person: Person, key: str) -> None:
    """Every change, the last first, down to the start."""
    first = person.scene
    await person.go(2, 1)
    await person.press("n", "i", "m")
    await person.press(key)
    assert "undone: mask k2" in person.said
    assert person.scene.mask.all()
    await person.press(key, key)
    assert person.scene is first
    assert person.shows_weights(person.app.reading.weights)
    await person.press(key)
    assert "there is nothing to undo" in person.said


@TRIALS.trial
async def redo(person: Person, key: str) -> None:
    """What was undone, until something new is done."""
    await person.press("n", "u")
    await person.press(key)
    assert "again: negate q.d0" in person.said
    assert person.kept.query[0] < 0.0
    await person.press(key)
    assert "there is nothing to redo" in person.said
    await person.press("u", "i", key)
    assert "there is nothing to redo" in person.said


@TRIALS.trial
async def mask(person: Person, key: str) -> None:
    """A masked key has no weight, and the others share it; on the query there is nothing to mask."""
    await person.go(0, 0)
    await person.press(key)
    assert "4 of 5 keys may be attended" in person.said
    assert "xk0" in person.grid.replace("x k0", "xk0")
    assert person.view.split("\n")[0].split()[:2] == ["k0", "masked"]
    assert person.app.reading.weights[0] == 0.0
    await person.press(key)
    assert "5 of 5 keys may be attended" in person.said
    await person.press("g", key)
    assert "the cursor is on the query: go to the key to mask" in person.said


@TRIALS.trial
async def invert_mask(person: Person, key: str) -> None:
    """The others."""
    await person.go(0, 0)
    await person.press("m", key)
    assert person.kept.mask.tolist() == [True, False, False, False, False]
    assert "1 of 5 keys may be attended" in person.said
    assert person.view.count("masked") == 4


@TRIALS.trial
async def add_key(person: Person, key: str) -> None:
    """A key of zeros below the cursor, and the cursor on it."""
    await person.go(1, 2)
    await person.press(key)
    assert person.kept.labels == ("k0", "k1", "k5", "k2", "k3", "k4")
    assert not person.kept.keys[2].any()
    assert person.app.cursor == Cell(2, 2)
    assert "6 keys x hs 4" in person.screen


@TRIALS.trial
async def duplicate_key(person: Person, key: str) -> None:
    """A copy with the same weight."""
    await person.go(1, 2)
    await person.press(key)
    assert person.kept.labels == ("k0", "k1", "k5", "k2", "k3", "k4")
    assert (person.kept.keys[1] == person.kept.keys[2]).all()
    first, second = person.view.split("\n")[1:3]
    assert first.split()[1] == second.split()[1]


@TRIALS.trial
async def delete_key(person: Person, key: str) -> None:
    """The key and its bar are gone; the last one stays."""
    await person.go(4, 1)
    await person.press(key)
    assert person.kept.labels == ("k0", "k1", "k2", "k3")
    assert "k4" not in person.view
    assert person.app.cursor == Cell(3, 1)
    await person.press(key, key, key)
    assert person.kept.count == 1
    await person.press(key)
    assert "the last key stays" in person.said
    assert person.kept.count == 1


@TRIALS.trial
async def move_key_up(person: Person, key: str) -> None:
    """The key, its name and the cursor; no further than the first place."""
    await person.go(1, 1)
    await person.press(key)
    assert person.kept.labels == ("k1", "k0", "k2", "k3", "k4")
    assert person.app.cursor == Cell(0, 1)
    assert person.view.split("\n")[0].split()[:2] == ["k1", "0.0298"]
    await person.press(key)
    assert "k1 is already the first key" in person.said


@TRIALS.trial
async def move_key_down(person: Person, key: str) -> None:
    """The key, its name and the cursor; no further than the last place."""
    await person.go(3, 1)
    await person.press(key)
    assert person.kept.labels == ("k0", "k1", "k2", "k4", "k3")
    assert person.app.cursor == Cell(4, 1)
    await person.press(key)
    assert "k3 is already the last key" in person.said


@TRIALS.trial
async def rename(person: Person, key: str) -> None:
    """Another name in grid, bars and sentence."""
    await person.go(1, 0)
    await person.press(key)
    assert "A new name for k1" in person.screen
    await person.press("backspace", "backspace")
    await person.type("cat")
    await person.press("enter")
    assert person.kept.labels[1] == "cat"
    assert "cat" in person.grid
    assert "cat" in person.view
    assert person.said.startswith('"cat".d0')


@TRIALS.trial
async def add_dimension(person: Person, key: str) -> None:
    """A column of zeros right of the cursor, which changes no score."""
    await person.go(1, 1)
    scores = person.app.reading.scores
    await person.press(key)
    assert "5 keys x hs 5" in person.screen
    assert person.app.cursor == Cell(1, 2)
    assert person.kept.query[2] == 0.0
    assert not person.kept.keys[:, 2].any()
    assert np.allclose(person.app.reading.scores, scores, rtol=1e-15)


@TRIALS.trial
async def delete_dimension(person: Person, key: str) -> None:
    """The column is gone from query and keys; the last one stays."""
    await person.go(1, 1)
    await person.press(key)
    assert "5 keys x hs 3" in person.screen
    assert person.shows_weights(person.app.reading.weights)
    await person.press(key, key)
    assert "5 keys x hs 1" in person.screen
    await person.press(key)
    assert "the last dimension stays" in person.said
