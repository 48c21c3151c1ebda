"""Bars are on the line of their key and on no other, as long as the number says, however many there are."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.style import Style

from attn_tui.ui.charts import plot
from attn_tui.ui.charts.signed_bars import signed_bars
from attn_tui.ui.charts.weight_bars import weight_bars
from attn_tui.ui.lines import UNICODE

_INKS = {code: Style() for code in (plot.AXIS, plot.CURVE, plot.MARK, plot.GHOST)}
_WIDTH = 30


@pytest.fixture(autouse=True)
def _charts() -> None:
    """plotext is there."""
    plot.load()


def lengths(lines: list[list[tuple[str, Style]]]) -> list[int]:
    """Cells of bar on each line."""
    return ["".join(text for text, _ in line).count(UNICODE.full) for line in lines]


@given(st.lists(st.floats(0.0, 1.0), min_size=1, max_size=60))
def test_each_weight_has_its_own_line(weights: list[float]) -> None:
    *drawn, axis = lengths(weight_bars(weights, _WIDTH, UNICODE, _INKS))
    assert axis == 0
    for weight, cells in zip(weights, drawn, strict=True):
        assert (cells > 0) == (weight * _WIDTH >= 0.5)
        assert cells == 0 or abs(cells - weight * (_WIDTH - 1)) < 1.6


@pytest.mark.parametrize("count", range(1, 61))
def test_a_lone_bar_covers_one_line(count: int) -> None:
    for at in {0, count // 2, count - 1}:
        weights = [0.9 if i == at else 0.0 for i in range(count)]
        drawn = lengths(weight_bars(weights, _WIDTH, UNICODE, _INKS))
        assert [i for i, cells in enumerate(drawn) if cells] == [at]


@given(st.lists(st.floats(-1.0, 1.0), min_size=1, max_size=60).filter(any))
def test_each_contribution_has_its_own_line(numbers: list[float]) -> None:
    largest = max(map(abs, numbers))
    drawn = lengths(signed_bars(numbers, _WIDTH, UNICODE, _INKS))
    for number, cells in zip(numbers, drawn, strict=True):
        assert (cells > 0) == (abs(number / largest) * _WIDTH / 2.0 >= 0.5)
