"""Edits of the settings: temperature, scale, dtype and values, and what each of them refuses."""

import math
from contextlib import suppress
from decimal import Decimal
from typing import Any

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from attn_tui.model import edits
from attn_tui.model.edits import Refused
from attn_tui.model.scene import Scene, read
from tests.model.scenes import (
    SCENE,
    changed,
    content,
    refusal,
    scenes,
)


@pytest.mark.parametrize(
    ("temperature", "words"),
    [
        (math.nan, "the temperature cannot be nan"),
        (math.inf, "an infinite temperature is a limit, not a value: all weights would be equal"),
        (0.0, "a temperature of 0 is a limit, not a value: all weight would go to the largest score"),
        (-0.0, "a temperature of 0 is a limit, not a value: all weight would go to the largest score"),
        (-1.0, "a temperature below 0 would turn the ranking round: it has to be above 0"),
        (-5e-324, "a temperature below 0 would turn the ranking round: it has to be above 0"),
    ],
)
def test_a_temperature_without_a_meaning_is_refused(temperature: float, words: str) -> None:
    assert refusal(lambda: edits.set_temperature(SCENE, temperature)) == words


@pytest.mark.parametrize("temperature", [5e-324, 1e-300, 0.3, 1, np.float32(0.5), 1.7976931348623157e308])
def test_any_other_temperature_is_taken(temperature: float) -> None:
    after = edits.set_temperature(SCENE, temperature)
    assert after.temperature == temperature
    assert type(after.temperature) is float
    assert changed(SCENE, after) == {"temperature"}


def stepped(temperature: float, direction: int) -> float:
    """The temperature after a step."""
    return edits.step_temperature(Scene.of([1.0], [[1.0]], temperature=temperature), direction).temperature


@pytest.mark.parametrize(
    ("temperature", "above"),
    [
        (1.0, 1.1),
        (1.1, 1.2),
        (9.9, 10.0),
        (10.0, 11.0),
        (99.0, 100.0),
        (100.0, 110.0),
        (0.9, 1.0),
        (0.2, 0.3),
        (0.1, 0.2),
        (0.099, 0.1),
        (0.01, 0.011),
        (0.0099, 0.01),
        (1e300, 1.1e300),
        (1e-300, 1.1e-300),
        (9.9e-301, 1e-300),
    ],
)
def test_a_step_of_temperature_goes_up_and_down_by_a_round_number(temperature: float, above: float) -> None:
    assert stepped(temperature, 1) == above
    assert stepped(above, -1) == temperature


@given(mantissa=st.integers(10, 99), exponent=st.integers(-300, 300))
def test_a_round_temperature_stays_round_and_comes_back(mantissa: int, exponent: int) -> None:
    assume(exponent != -2 or mantissa % 10 == 0)
    temperature = float(f"{mantissa}e{exponent}")
    up, down = stepped(temperature, 1), stepped(temperature, -1)
    for moved in (up, down):
        assert len(Decimal(repr(moved)).normalize().as_tuple().digits) <= 2
    assert down < temperature < up
    assert stepped(up, -1) == temperature
    assert stepped(down, 1) == temperature


@given(temperature=st.floats(min_value=5e-324, allow_infinity=False), direction=st.sampled_from([-1, 1]))
def test_a_step_of_temperature_never_leaves_what_is_allowed(temperature: float, direction: int) -> None:
    if temperature > 1.6e308 or temperature < 1e-322:
        with suppress(Refused):
            assert 0.0 < stepped(temperature, direction) < math.inf
        return
    moved = stepped(temperature, direction)
    assert (moved - temperature) * direction > 0.0
    assert 0.0 < moved < math.inf
    assert moved <= 2.0 * temperature or 0.1 <= temperature < 1.0


@pytest.mark.parametrize(
    ("start", "direction", "lowest", "highest"), [(1e-318, -1, 5e-324, 1e-322), (1e307, 1, 1.6e308, 1.8e308 / 1.01)]
)
def test_steps_of_temperature_come_to_an_end_before_the_limit(
    start: float, direction: int, lowest: float, highest: float
) -> None:
    temperatures = [start]
    with suppress(Refused):
        while len(temperatures) < 1000:
            temperatures.append(stepped(temperatures[-1], direction))
    assert len(temperatures) < 1000
    assert sorted(temperatures, reverse=direction < 0) == temperatures
    assert lowest <= temperatures[-1] <= highest


@pytest.mark.parametrize("temperature", [5e-324, 1.7976931348623157e308])
def test_at_the_last_temperature_a_step_further_is_refused(temperature: float) -> None:
    direction = -1 if temperature < 1.0 else 1
    assert (
        refusal(lambda: edits.step_temperature(edits.set_temperature(SCENE, temperature), direction))
        == f"{temperature!r} is as far as float64 goes"
    )


@pytest.mark.parametrize("scale", ["sqrt", 1.0, 0.0, -2.5, 1, 1e308])
def test_a_scale_is_a_finite_number_or_sqrt(scale: Any) -> None:
    after = edits.set_scale(edits.set_scale(SCENE, 0.5), scale)
    assert after.scale == scale
    assert changed(SCENE, after) <= {"scale"}


@pytest.mark.parametrize("scale", [math.nan, math.inf, -math.inf])
def test_a_scale_that_is_not_finite_is_refused(scale: float) -> None:
    assert refusal(lambda: edits.set_scale(SCENE, scale)) == (
        "the scale has to be a finite number, or sqrt for 1/sqrt(hs)"
    )


@pytest.mark.parametrize("dtype", ["float64", "float32", "float16", "bfloat16", "float8_e4m3fn", "float8_e5m2"])
def test_a_dtype_is_set_and_computed_in(dtype: str) -> None:
    after = edits.set_dtype(SCENE, dtype)
    assert changed(SCENE, after) <= {"dtype"}
    assert read(after).inputs.precision.name == dtype


def test_an_unknown_dtype_is_refused_with_those_there_are() -> None:
    assert refusal(lambda: edits.set_dtype(SCENE, "half")) == (
        "there is no dtype 'half': choose from float64, float32, float16, bfloat16, float8_e4m3fn, float8_e5m2"
    )


def test_values_come_and_go() -> None:
    without = edits.set_values(SCENE, None)
    assert without.values is None
    assert changed(SCENE, without) == {"values"}
    given_values = np.array([[1, 2], [3, 4], [5, 6]])
    after = edits.set_values(without, given_values)
    given_values[0, 0] = 9
    assert after.values is not None
    assert after.values.tolist() == [[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]]
    assert after.values.dtype == np.float64
    assert changed(without, after) == {"values"}


@pytest.mark.parametrize(
    ("values", "words"),
    [
        ([[1.0], [2.0]], "values need one row for each of the 3 keys, and have shape (2, 1)"),
        ([1.0, 2.0, 3.0], "values need one row for each of the 3 keys, and have shape (3,)"),
        ([[], [], []], "values need one row for each of the 3 keys, and have shape (3, 0)"),
        (5.0, "values need one row for each of the 3 keys, and have shape ()"),
        ([["a"], ["b"], ["c"]], "values holds text, not real numbers"),
        ([[1j], [2.0], [3.0]], "values holds complex numbers, not real numbers"),
        ([[1.0], [2.0, 3.0], [4.0]], "values is ragged: its rows differ in length"),
    ],
)
def test_values_that_do_not_fit_are_refused(values: Any, words: str) -> None:
    assert refusal(lambda: edits.set_values(SCENE, values)) == words


@given(scenes())
def test_values_that_are_added_and_removed_leave_nothing(scene: Scene) -> None:
    without = edits.set_values(scene, None)
    after = edits.add_values(without)
    assert after.values is not None
    assert after.values.tolist() == [[float(key)] for key in range(scene.count)]
    assert changed(without, after) == {"values"}
    assert content(edits.remove_values(after)) == content(without)


def test_values_are_added_once_and_removed_once() -> None:
    assert refusal(lambda: edits.add_values(SCENE)) == "every key has a value already"
    without = edits.remove_values(SCENE)
    assert refusal(lambda: edits.remove_values(without)) == "there are no values to remove"
