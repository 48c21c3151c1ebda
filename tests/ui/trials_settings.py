"""Trials of the commands that change how scores become weights."""

import math

from attn_tui.core.masking import MASK_CONSTANTS
from attn_tui.core.precision import dtypes
from tests.ui.person import Person
from tests.ui.trials import Trials

TRIALS = Trials()


@TRIALS.trial
async def temperature(person: Person, key: str) -> None:
    """The number in the top line, with everything following it."""
    await person.press(key)
    assert "tau = 1 " in person.said
    await person.type("0.5")
    assert person.scene.temperature == 0.5
    assert person.kept.temperature == 1.0
    assert person.shows_weights(person.app.reading.weights)
    await person.press("enter")
    assert person.kept.temperature == 0.5
    assert "tau   0.5000" in person.lines[0]


@TRIALS.trial
async def cooler(person: Person, key: str) -> None:
    """A tenth less."""
    before = person.app.reading.weights[0]
    await person.press(key)
    assert person.kept.temperature == 0.9
    assert "tau   0.9000" in person.lines[0]
    assert person.app.reading.weights[0] > before
    assert person.shows_weights(person.app.reading.weights)


@TRIALS.trial
async def warmer(person: Person, key: str) -> None:
    """A tenth more."""
    before = person.app.reading.weights[0]
    await person.press(key)
    assert person.kept.temperature == 1.1
    assert "tau   1.1000" in person.lines[0]
    assert person.app.reading.weights[0] < before


@TRIALS.trial
async def scale(person: Person, key: str) -> None:
    """There and back."""
    await person.press(key)
    assert "scale 1/sqrt(hs)" in person.lines[0]
    assert person.kept.scale_factor == 0.5
    assert person.shows_weights(person.app.reading.weights)
    await person.press(key)
    assert "scale 1 " in person.lines[0]


@TRIALS.trial
async def set_scale(person: Person, key: str) -> None:
    """A number, or sqrt; anything else is refused and stays to be mended."""
    await person.press(key)
    assert "Scale: a number, or sqrt for 1/sqrt(hs)" in person.screen
    await person.press("backspace")
    await person.type("0.125")
    await person.press("enter")
    assert person.kept.scale == 0.125
    assert "scale 0.125" in person.lines[0]
    await person.press(key)
    await person.press(*["backspace"] * 5)
    await person.type("big")
    await person.press("enter")
    assert "'big' is not a number; a scale is a number" in person.screen
    await person.press(*["backspace"] * 3)
    await person.type("sqrt")
    await person.press("enter")
    assert person.kept.scale == "sqrt"
    assert math.isclose(person.kept.scale_factor, 0.5)


@TRIALS.trial
async def next_dtype(person: Person, key: str) -> None:
    """Round all dtypes there are and back to the first."""
    for dtype in (*dtypes()[1:], "float64"):
        await person.press(key)
        assert person.kept.dtype == dtype
        assert person.lines[0].endswith(dtype)
        assert person.shows_weights(person.app.reading.weights)


@TRIALS.trial
async def scale_order(person: Person, key: str) -> None:
    """Before the product, and after it again; the scene stays as it is."""
    before = person.scene
    for order, words in ((True, "to the query, before the product"), (False, "to the score, after the product")):
        await person.press(key)
        assert person.app.options.scale_query_first is order
        assert words in person.said
    assert person.scene is before


@TRIALS.trial
async def wide_sums(person: Person, key: str) -> None:
    """In float32, and in the dtype again."""
    for wide, words in ((True, "in float32, rounded once"), (False, "in the dtype, every step rounded")):
        await person.press(key)
        assert person.app.options.wide_dot is wide
        assert words in person.said


@TRIALS.trial
async def next_mask_constant(person: Person, key: str) -> None:
    """Round all constants and back to the first."""
    for name in (*MASK_CONSTANTS[1:], MASK_CONSTANTS[0]):
        await person.press(key)
        assert f"masked scores get {name} added" in person.said


@TRIALS.trial
async def view_stability(person: Person, key: str) -> None:
    """Both forms of softmax, the dtype and the constant that one can type."""
    await person.press(key)
    assert "naive holds, 707.67 below exp's limit 709.78 for float64" in " ".join(person.view.split())
    await person.press("slash")
    assert "constant c = 0" in person.said
