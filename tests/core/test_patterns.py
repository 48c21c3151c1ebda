"""What heads do on average, against loops in plain Python, and on the bundled model."""

import math

import numpy as np
import pytest
from numpy.typing import NDArray

from attn_tui.core import patterns
from attn_tui.core.patterns import Pattern, pattern
from attn_tui.model.examples import bundled

Array = NDArray[np.float64]


def _mean(numbers: list[float]) -> float | None:
    """Their mean, None for none."""
    return math.fsum(numbers) / len(numbers) if numbers else None


def _by_hand(queries: Array, keys: Array, temperature: float, scale: float, *, causal: bool) -> Pattern:
    """The averages, written out row by row without NumPy."""
    found: dict[str, list[float]] = {"entropy": [], "first": [], "previous": [], "peak": []}
    for i, query in enumerate(queries.tolist()):
        place = i + len(keys) - len(queries)
        seen = [j for j in range(len(keys)) if not causal or j <= place]
        if not seen:
            continue
        dots = {j: math.fsum(a * b for a, b in zip(query, keys[j].tolist(), strict=True)) for j in seen}
        exponents = {j: dot * scale / temperature for j, dot in dots.items()}
        largest = max(exponents.values())
        exps = {j: math.exp(z - largest) for j, z in exponents.items()}
        weights = {j: e / math.fsum(exps.values()) for j, e in exps.items()}
        found["entropy"].append(-math.fsum(w * math.log(w) for w in weights.values() if w > 0.0))
        found["first"].append(weights[0])
        found["peak"].append(max(weights.values()))
        if place >= 1:
            found["previous"].append(weights[place - 1])
    return Pattern(*(_mean(numbers) for numbers in found.values()))


def _agrees(found: Pattern, wanted: Pattern) -> bool:
    """Whether all four are the same."""
    pairs = [(getattr(found, name), getattr(wanted, name)) for name in ("entropy", "first", "previous", "peak")]
    return all(a is b is None or (None not in {a, b} and math.isclose(a, b, rel_tol=1e-12)) for a, b in pairs)


@pytest.mark.parametrize("causal", [False, True])
@pytest.mark.parametrize(("queries", "keys"), [(6, 6), (2, 5), (5, 2), (1, 1), (1, 4), (4, 1)])
def test_the_averages_are_those_of_a_loop(queries: int, keys: int, causal: bool) -> None:
    generator = np.random.default_rng(queries * 10 + keys)
    q, k = generator.normal(size=(queries, 3)), generator.normal(size=(keys, 3))
    found = pattern(q, k, temperature=0.7, scale=0.5, causal=causal)
    assert _agrees(found, _by_hand(q, k, 0.7, 0.5, causal=causal))


def test_in_blocks_or_at_once_it_is_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    generator = np.random.default_rng(1)
    q, k = generator.normal(size=(50, 4)), generator.normal(size=(60, 4))
    at_once = pattern(q, k, causal=True)
    monkeypatch.setattr(patterns, "_NUMBERS_AT_ONCE", 7 * 60)
    assert _agrees(pattern(q, k, causal=True), at_once)


def test_equal_scores_look_everywhere_alike() -> None:
    found = pattern(np.zeros((5, 1)), np.zeros((5, 1)))
    assert _agrees(found, Pattern(math.log(5.0), 0.2, 0.2, 0.2))


def test_equal_scores_under_a_causal_mask() -> None:
    found = pattern(np.zeros((3, 1)), np.zeros((3, 1)), causal=True)
    shares = (1.0 + 1.0 / 2.0 + 1.0 / 3.0) / 3.0
    assert _agrees(found, Pattern(math.log(6.0) / 3.0, shares, (1.0 / 2.0 + 1.0 / 3.0) / 2.0, shares))


def test_a_single_token_has_no_previous_one() -> None:
    assert pattern(np.ones((1, 2)), np.ones((1, 2))) == Pattern(0.0, 1.0, None, 1.0)


def test_rows_without_a_key_are_left_out() -> None:
    found = pattern(np.zeros((5, 1)), np.zeros((2, 1)), causal=True)
    assert _agrees(found, Pattern(math.log(2.0) / 2.0, 0.75, 0.5, 0.75))


def test_a_broken_row_shows_in_the_average() -> None:
    queries = np.zeros((3, 1))
    queries[1] = np.nan
    found = pattern(queries, np.ones((3, 1)))
    assert found.entropy is not None
    assert found.peak is not None
    assert math.isnan(found.entropy)
    assert math.isnan(found.peak)


def test_head_sizes_that_differ_are_refused() -> None:
    with pytest.raises(ValueError, match="2 components"):
        pattern(np.zeros((3, 2)), np.zeros((3, 3)))


def _of_head(layer: int, head: int) -> Pattern:
    """A head of the bundled model, scaled as the model does."""
    queries, keys = bundled().head((layer, head))
    return pattern(queries, keys, scale=1.0 / math.sqrt(32.0))


def test_the_bundled_previous_token_head() -> None:
    found = _of_head(0, 2)
    assert found.previous is not None
    assert found.previous > 0.99
    assert found.first is not None
    assert found.first < 0.2


def test_the_bundled_sink() -> None:
    found = _of_head(4, 5)
    assert found.first is not None
    assert found.first > 0.85
    assert found.previous is not None
    assert found.previous < 0.1


def test_no_other_bundled_head_looks_one_token_back_as_much() -> None:
    shares = {head: _of_head(*head).previous or 0.0 for head in bundled().heads()}
    assert max(shares, key=lambda head: shares[head]) == (0, 2)
