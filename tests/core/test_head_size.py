"""Random queries and keys of many head sizes: what theory says of them, and the same numbers however they are drawn."""

import math
from itertools import pairwise

import numpy as np
import pytest

from attn_tui.core import head_size
from attn_tui.core.attend import attend
from attn_tui.core.head_size import HEAD_SIZES, LARGEST, HeadSize, Setting, Survey, survey

SETTING = Setting.of(24, 6, 300, 42)


def last(setting: Setting, chunk: int = head_size.CHUNK) -> Survey:
    *_, end = survey(setting, chunk)
    return end


@pytest.fixture(scope="module")
def found() -> Survey:
    return last(SETTING)


def test_every_head_size_is_there_and_the_own_one_first(found: Survey) -> None:
    assert found.own is not None
    assert found.own.head_size == 24
    assert [size.head_size for size in found.rising] == sorted((24, *HEAD_SIZES))
    assert HEAD_SIZES[0] == 1
    assert HEAD_SIZES[-1] == 4096
    assert len(HEAD_SIZES) == 13
    assert Setting.of(64, 6, 300, 42).sizes == (64, *(size for size in HEAD_SIZES if size != 64))


def test_the_spread_is_sqrt_of_the_head_size(found: Survey) -> None:
    for size in found.found:
        # q.k of one query are correlated, so the error is that of `draws` samples at worst; hs 1 has the heaviest tail
        assert size.spread == pytest.approx(math.sqrt(size.head_size), rel=5.0 * math.sqrt(2.0 / 300))


def test_with_the_scale_the_entropy_stays_and_without_it_falls(found: Survey) -> None:
    scaled = [size.scaled.entropy for size in found.rising]
    assert max(scaled) - min(scaled) < 0.15
    raw = [size.raw.entropy for size in found.rising]
    assert all(later < before + 0.01 for before, later in pairwise(raw))
    assert raw[-1] < 0.06
    assert raw[0] > 1.0
    assert all(size.raw.entropy <= size.scaled.entropy for size in found.found)


def test_with_the_scale_the_peak_stays_and_without_it_goes_to_one(found: Survey) -> None:
    peaks = [size.scaled.peak for size in found.rising]
    assert max(peaks) - min(peaks) < 0.08
    assert found.rising[-1].raw.peak > 0.97
    assert all(1.0 / 6.0 <= size.scaled.peak <= size.raw.peak <= 1.0 for size in found.found)


def test_without_the_scale_the_gradient_of_most_draws_vanishes(found: Survey) -> None:
    largest = found.rising[-1]
    assert largest.raw.median_gradient < 1e-6
    assert largest.scaled.median_gradient * 64.0 > 0.2
    assert largest.raw.gradient > 1000.0 * largest.raw.median_gradient


def test_without_a_difference_between_the_two_scales_there_is_none_in_the_measures(found: Survey) -> None:
    assert found.rising[0].head_size == 1
    assert found.rising[0].raw == found.rising[0].scaled


def test_entropy_is_also_told_as_a_part_of_its_maximum(found: Survey) -> None:
    for size in found.found:
        for weighing in (size.raw, size.scaled):
            assert weighing.entropy_ratio == weighing.entropy / math.log(6)
            assert 0.0 <= weighing.entropy_ratio <= 1.0


@pytest.mark.parametrize(("size", "keys", "draws", "seed"), [(8, 5, 40, 42), (1, 2, 3, 0), (24, 64, 10, 2**32 - 1)])
def test_one_size_agrees_with_a_plain_loop(size: int, keys: int, draws: int, seed: int) -> None:
    generator = np.random.default_rng((seed, size))
    scores, measured = [], {"raw": [], "scaled": []}
    for _ in range(draws):
        query = generator.standard_normal(size)
        vectors = [generator.standard_normal(size) for _ in range(keys)]
        for name, scale in (("raw", 1.0), ("scaled", size**-0.5)):
            weights = attend(query, vectors, scale=scale).weights
            jacobian = scale * (np.diag(weights) - np.outer(weights, weights))
            measured[name].append((-(weights * np.log(weights)).sum(), weights.max(), np.linalg.norm(jacobian)))
        scores += [sum(float(a) * float(b) for a, b in zip(query, key, strict=True)) for key in vectors]
    own = last(Setting.of(size, keys, draws, seed)).own
    assert own is not None
    assert own.spread == pytest.approx(np.std(scores), rel=1e-12)
    for name, weighing in (("raw", own.raw), ("scaled", own.scaled)):
        entropy, peak, gradient = np.mean(measured[name], axis=0)
        assert weighing.entropy == pytest.approx(entropy, rel=1e-10)
        assert weighing.peak == pytest.approx(peak, rel=1e-12)
        assert weighing.gradient == pytest.approx(gradient, rel=1e-9)
        assert weighing.median_gradient == pytest.approx(np.median(measured[name], axis=0)[2], rel=1e-9)


@pytest.mark.parametrize("chunk", [1, 1000, 12_345, 1 << 24])
def test_the_numbers_do_not_depend_on_the_chunks(chunk: int) -> None:
    setting = Setting.of(24, 6, 37, 7)
    assert last(setting, chunk).found == last(setting).found


def test_the_same_seed_gives_the_same_numbers_and_another_one_others() -> None:
    first, again, other = (last(Setting.of(4, 5, 20, seed)).found for seed in (1, 1, 2))
    assert first == again
    assert all(a.spread != b.spread for a, b in zip(first, other, strict=True))


def test_a_head_size_has_the_same_numbers_whichever_is_asked_about() -> None:
    def by_size(own: int) -> dict[int, HeadSize]:
        return {size.head_size: size for size in last(Setting.of(own, 5, 20, 1)).found}

    first, second = by_size(4), by_size(5)
    assert all(first[size] == second[size] for size in HEAD_SIZES)


def test_progress_rises_to_the_end_and_sizes_come_one_by_one() -> None:
    states = list(survey(Setting.of(4, 5, 20, 1), 10_000))
    assert len(states) > 50
    assert all(before.done <= after.done for before, after in pairwise(states))
    assert 0.0 < states[0].ratio < 0.01
    assert states[0].own is None
    assert states[-1].ratio == 1.0
    assert [state.is_complete for state in states[-2:]] == [False, True]
    assert [len(state.found) for state in states] == sorted(len(state.found) for state in states)
    assert {len(state.found) for state in states} == set(range(14))


@pytest.mark.parametrize(
    ("head_size", "keys", "drawn"),
    [(4, 1, (4, 2)), (4, 2, (4, 2)), (4, 64, (4, 64)), (4, 4096, (4, 64)), (10**6, 5, (LARGEST, 5))],
)
def test_what_is_drawn_is_bounded(head_size: int, keys: int, drawn: tuple[int, int]) -> None:
    setting = Setting.of(head_size, keys, 2, 0)
    assert (setting.head_size, setting.keys) == drawn


def test_the_largest_and_the_smallest_setting_have_finite_numbers() -> None:
    for setting in (Setting.of(LARGEST, 2, 2, 0), Setting.of(1, 2, 2, 0), Setting.of(3, 64, 2, 2**32 - 1)):
        for size in last(setting).found:
            assert size.spread > 0.0
            for weighing in (size.raw, size.scaled):
                assert all(math.isfinite(number) and number >= 0.0 for number in vars(weighing).values())
