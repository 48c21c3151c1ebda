"""View 4, Stability, as a person sees it: what breaks and why, in the recorded cases and on other rows."""

import re
from typing import Any

import numpy as np
import pytest

from attn_tui.core import precision
from attn_tui.model.figures import figure
from attn_tui.model.scene import Scene
from attn_tui.ui.views import VIEWS
from tests import known
from tests.ui.person import Person, at

_KEY = f"f{2 + [entry.id for entry in VIEWS].index('stability')}"


def _scores(scores: list[Any], **settings: Any) -> Scene:
    """Bare scores: a query [1], and keys of one component."""
    return Scene.of([1.0], [[float(score)] for score in scores], **settings)


def _case(name: str, **settings: Any) -> Scene:
    """A recorded query and its keys."""
    return Scene.of(known.given(name)["q"], known.given(name)["K"], **settings)


def _said(person: Person) -> str:
    """The view as one text, its line ends as blanks."""
    return " ".join(person.view.split())


def _row(person: Person, label: str) -> list[str]:
    """The figures of a key, or of the sums."""
    return next(line.split()[1:] for line in person.view.split("\n") if line.split()[:1] == [label])


async def test_the_overflowing_scores_break_naive_at_exp_and_not_stable() -> None:
    async with at("overflow") as person:
        await person.press(_KEY)
        assert "naive breaks at exp(1002): above 709.78 for float64; stable is right" in _said(person)
        assert _row(person, "k0") == ["1000.0", "inf", "nan", "-2.000", "0.1353", "0.0900"]
        assert _row(person, "k1") == ["1001.0", "inf", "nan", "-1.000", "0.3679", "0.2447"]
        assert _row(person, "k2") == ["1002.0", "!inf", "nan", "0", "1.0000", "0.6652"]
        assert _row(person, "sum") == ["inf", "nan", "1.5032", "1.0000"]


async def test_a_constant_moves_the_naive_weights_at_the_point_that_is_named_and_not_the_stable_ones() -> None:
    async with at("lesson", (80, 24)) as person:
        await person.press(_KEY)
        low, high = map(float, re.search(r"naive holds (\S+) to (\S+)", _said(person)).groups())  # type: ignore[union-attr]
        before = [float(_row(person, f"k{key}")[-1]) for key in range(5)]
        for constant, holds in ((100.0, True), (high - 0.01, True), (high + 0.01, False), (low - 0.01, False)):
            await person.press("slash")
            await person.type(f"{constant:.2f}")
            assert ("! naive breaks at" not in person.view) == holds, constant
            weights = [float(_row(person, f"k{key}")[-1]) for key in range(5)]
            assert weights == pytest.approx(before, abs=5.1e-4)
            await person.press("enter")
            assert person.app.options.constant == float(f"{constant:.2f}")
        await person.press("slash")
        await person.type("5")
        await person.press("escape")
        assert person.app.options.constant == float(f"{low - 0.01:.2f}")


async def test_what_is_no_constant_is_refused_and_the_last_one_stays() -> None:
    async with at("lesson") as person:
        await person.press(_KEY, "slash")
        await person.type("12")
        await person.press("e")
        assert "shown: the last good number" in person.said
        await person.press("escape")
        assert person.app.options.constant == 0.0


@pytest.mark.parametrize("name", [variant["name"] for variant in known.given("A05")["variants"]])
async def test_a05_masks_as_numbers_in_float16(name: str) -> None:
    given, wanted = known.variants("A05")[name]
    dtype = given.get("dtype", "float16")
    scene = _scores(given["scores"], mask=[0, 0], dtype=dtype)
    async with at(scene) as person:
        await person.press(_KEY)
        assert "all keys masked: there is no distribution, whatever the arithmetic gives" in _said(person)
        await person.press("E")
        stored = f"{-precision.precision(dtype).largest:.6g}"
        assert f"lowest -> {stored} in {dtype}" in _said(person)
        result = "nan" if "nan" in wanted["result"] else "0.5000"
        assert [_row(person, key)[-1] for key in ("k0", "k1")] == [result, result]
        assert f"k0: {given['scores'][0]} + {stored} -> {float(wanted['masked'][0]):.6g}" in _said(person)


async def test_a05_constants_are_shown_as_float16_stores_them() -> None:
    async with at(_scores([1, 2], mask=[1, 0], dtype="float16")) as person:
        await person.press(_KEY)
        assert "-inf -> -inf in float16" in person.view
        for words in ("lowest -> -65504 in float16", "-1e4 -> -10000 in float16", "-1e9 -> -inf in float16"):
            await person.press("E")
            assert words in person.view
        await person.press("E")
        assert "Mask as -inf" in person.view


async def test_a07_a_score_below_the_constant_loses_to_the_masked_key() -> None:
    given, _ = known.variants("A07")["valid score below sentinel"]
    scene = Scene.of(given["q"], given["K"], given["V"], mask=given["mask"])
    async with at(scene) as person:
        await person.press(_KEY, "E", "E")
        assert "margin -10000.0, below 36.7: too small" in person.view
        assert "gives: masked keys get weight 1.0000" in person.view
        assert "output v0 100.0000 instead of 1.0000" in person.view
        assert (_row(person, "k0")[-1], _row(person, "k1")[-1]) == ("0", "1.0000")
        assert _row(person, "k0")[-3] == "1.0000"
        assert _row(person, "k1")[-3] == "masked"


@pytest.mark.parametrize("dtype", ["float64", "float32"])
async def test_a07_all_masked_looks_like_another_distribution_in_another_dtype(dtype: str) -> None:
    given, wanted = known.variants("A07")[f"all masked, -1e9 added, {dtype}"]
    async with at(_scores(given["scores"], mask=[0, 0, 0], dtype=dtype)) as person:
        await person.press(_KEY, "E", "E", "E")
        shown = [float(_row(person, f"k{key}")[-1]) for key in range(3)]
        np.testing.assert_allclose(shown, wanted["arithmetic_result"], atol=5e-5)
        assert "looks like a distribution, and is none" in _said(person)


@pytest.mark.parametrize("text", ["0", "-1", "-0.0", "nan", "inf"])
async def test_a11_a_temperature_that_is_none_is_refused_and_the_last_row_stays(text: str) -> None:
    async with at(_scores([1, 2])) as person:
        await person.press(_KEY)
        before = [_row(person, key) for key in ("k0", "k1")]
        await person.press("t", "backspace")
        await person.press("1")
        await person.press(*["backspace"] * 1)
        await person.type(text)
        assert person.app.problem is not None
        assert "of the last good number" in person.screen
        assert [_row(person, key) for key in ("k0", "k1")] == before


async def test_a12_a_quotient_overflows_float16_and_the_exact_weights_stand_beside() -> None:
    given, _ = known.variants("A12")["fp16 division overflows"]
    async with at(_scores(given["scores"], temperature=given["temperature"], dtype="float16")) as person:
        await person.press(_KEY)
        assert "|11 / 0.000100017| = 109982 > 65504 (float16)" in _said(person)
        assert "only subtracting the maximum before dividing cures it" in _said(person)
        assert "tau 0.0001 -> 0.000100017 in float16" in person.view
        assert [_row(person, f"k{key}")[0] for key in range(3)] == ["30000", "!inf", "-20000"]
        assert [_row(person, f"k{key}")[-1] for key in range(3)] == ["0", "1.0000", "0"]
        await person.press("z")
        assert [_row(person, f"k{key}")[-2] for key in range(3)] == ["-80000.0", "0", "-130000"]


async def test_a12_a_temperature_rounds_to_0() -> None:
    given, _ = known.variants("A12")["fp16 T vanishes"]
    async with at(_scores(given["scores"], temperature=given["temperature"], dtype="float16")) as person:
        await person.press(_KEY)
        assert "tau 2e-08 rounds to 0 in float16, as does 2.98e-08 or less" in _said(person)
        assert [_row(person, f"k{key}")[-1] for key in range(3)] == ["0", "1.0000", "0"]


async def test_a12_a_small_temperature_is_not_clamped_and_float64_divides_too_late() -> None:
    given, wanted = known.variants("A12")["small but harmless T"]
    async with at(_scores(given["scores"], temperature=given["temperature"])) as person:
        await person.press(_KEY)
        shown = [float(_row(person, key)[-1]) for key in ("k0", "k1")]
        np.testing.assert_allclose(shown, wanted["right"], atol=5e-4)
    given, _ = known.variants("A12")["float64, quotient overflows"]
    async with at(_scores(given["scores"], temperature=given["temperature"])) as person:
        await person.press(_KEY)
        assert "|1e+10 / 1e-300| > 1.79769e+308 (float64)" in _said(person)
        assert "1.000" in _row(person, "k0")


async def test_a14_exact_dtype_and_reason() -> None:
    async with at(_case("A14", scale=0.5, dtype="float16"), (80, 24)) as person:
        await person.press(_KEY)
        words = "|q.k0| = 120000 > 65504 (float16), before scaling; subtracting the maximum does not cure it"
        assert f"the score itself overflows: {words}" in _said(person)
        assert "max |q.k| 120000, headroom x0.546" in person.view
        assert "step at 60000 is 32, gap 12.5: lost" in person.view
        assert _row(person, "k0")[0] == "!inf"
        assert [_row(person, key)[-1] for key in ("k0", "k1")] == ["1.0000", "3.7e-6"]
        await person.press("O", "W")
        assert "naive breaks at exp(60000): above 11.09 for float16" in _said(person)
        assert "stable is off by 0.5: the scores differ by less than a step" in _said(person)
        assert [_row(person, key)[0] for key in ("k0", "k1")] == ["60000", "60000"]
        assert [_row(person, key)[-1] for key in ("k0", "k1")] == ["0.5000", "0.5000"]


async def test_a14_float32_has_room_and_bfloat16_makes_the_keys_one() -> None:
    async with at(_case("A14", scale=0.5, dtype="float32")) as person:
        await person.press(_KEY)
        assert "stable is right" in _said(person)
        await person.press("b", "b")
        assert person.scene.dtype == "bfloat16"
        await person.go(1, 3)
        assert "k1.d3 149.875 -> 150" in person.view
        await person.press("z")
        assert _row(person, "k0")[0] == _row(person, "k1")[0]


@pytest.mark.parametrize("name", known.variants("A15"))
async def test_a15_naive_fails_as_recorded_and_says_which_step(name: str) -> None:
    given, wanted = known.variants("A15")[name]
    words = {
        "exp overflows": "naive breaks at exp(710): above 709.78 for float64",
        "only the sum overflows": "the sum of 2 exps: above 1.798e+308 for float64, weights look like 0",
        "all underflow": "naive breaks at the sum: every exp is 0, below -745.13 for float64",
        "f32": "naive breaks at exp(89): above 88.72 for float32",
        "f32 sum only": "the sum of 2 exps: above 3.403e+38 for float32",
        "f16": "naive breaks at exp(11.1016): above 11.09 for float16",
        "f16 sum only": "the sum of 2 exps: above 6.55e+04 for float16",
    }[name]
    async with at(_scores(given["scores"], dtype=given["dtype"])) as person:
        await person.press(_KEY)
        assert words in _said(person)
        count = len(given["scores"])
        naive = ["nan" if w == "nan" else "0" for w in wanted["naive"]]
        assert [_row(person, f"k{key}")[2] for key in range(count)] == naive
        await person.press("z")
        assert all(float(_row(person, f"k{key}")[5]) > 0.0 for key in range(count))


async def test_a15_a_weight_below_the_normal_numbers_is_called_so() -> None:
    async with at(_scores(known.variants("A15")["exp overflows"][0]["scores"])) as person:
        await person.press(_KEY)
        assert "k2 denormal: 3.3e-309" in person.view


async def test_a16_an_underflow_has_a_logarithm() -> None:
    async with at(_scores([0, -104], dtype="float32")) as person:
        await person.press(_KEY)
        assert "k1 underflow: weight 0, ln w -104.000" in person.view
        await person.press("z")
        assert _row(person, "k1")[-2] == "-104.000"
        assert _row(person, "k1")[6] == "7e-46" or _row(person, "k1")[6].startswith("6.8")


async def test_a16_a_huge_score_swallows_the_logarithm_of_the_sum() -> None:
    async with at(_scores([-1e10] * 11, dtype="float32"), (80, 24)) as person:
        await person.press(_KEY, "z")
        assert "exp(z - lse(z)) adds up to 11.0000: ln(sum) is lost in z" in person.view
        assert _row(person, "k0")[-2:] == ["-2.3979", "0"]
        assert _row(person, "sum")[-1] == "11.0000"


async def test_a18_entropy_in_nats_and_bits_and_never_nan_for_a_weight_of_0() -> None:
    for scene, words in (
        (_scores([0, 0, "-inf"]), "H 0.6931 nats = 1.0000 bits"),
        (_scores([0, 0, 5], mask=[1, 1, 0]), "H 0.6931 nats = 1.0000 bits, 100.0 %"),
        (_scores([0, "-inf"]), "H 0.0000 nats = 0.0000 bits, 0.0 %"),
        (_scores([65504, -65504], dtype="float16"), "H 0.0000 nats = 0.0000 bits, 0.0 %"),
        (_scores([0, -800]), "H 0.0000 nats = 0.0000 bits, 0.0 %"),
    ):
        async with at(scene) as person:
            await person.press(_KEY, "z")
            assert words in person.view


async def test_a19_an_epsilon_inside_the_logarithm_and_a_single_key() -> None:
    async with at(_scores([0, -2000, -2000]), (120, 40)) as person:
        await person.press(_KEY, "z")
        assert "with ln(w + e) H would be -1.0e-12 for 1e-12, -1.00e-8 for 1e-08, -1.00e-5 for 1e-05" in _said(person)
    async with at(_scores([0, -2000], dtype="float16"), (120, 40)) as person:
        await person.press(_KEY, "z")
        assert "nan for 1e-08 = 0" in _said(person)
    async with at(_scores([2, 5], mask=[1, 0]), (80, 24)) as person:
        await person.press(_KEY, "z")
        assert "H 0.0000 nats = 0.0000 bits, n/a (1 key)" in person.view


async def test_a19_uniform_weights_lose_entropy_to_an_epsilon() -> None:
    wanted = known.variants("A19")["uniform 4096, eps 1e-5"][1]
    async with at(_scores([1.0] * 4096), (120, 40)) as person:
        await person.press(_KEY, "z")
        assert f"H {wanted['right']:.4f} nats" in person.view
        assert f"{wanted['with_eps']:.4f} for 1e-05" in _said(person)


async def test_a25_a_component_as_typed_and_as_stored_and_what_it_changes() -> None:
    values, wanted = known.given("A25")["values"], known.expected("A25")["nearest_even"]
    scene = Scene.of(values, [[1.0, 1.0, 1.0], [values[0], 0.5, 0.5]], dtype="bfloat16")
    async with at(scene) as person:
        await person.press(_KEY)
        for d, (typed, stored) in enumerate(zip(values, wanted, strict=True)):
            await person.go(-1, d)
            assert f"q.d{d} {typed:.9g} -> {stored:.9g}, score" in _said(person)
        await person.go(1, 0)
        change = figure((wanted[0] - values[0]) * values[0])
        assert f"k1.d0 1.2345678 -> 1.234375, score k1 {change}" in _said(person)
        await person.go(0, 0)
        assert "k0.d0 1 is stored exactly" in person.view
        assert "largest 3.3895e+38 epsilon 0.00781" in _said(person)


async def test_the_dtypes_that_are_missing_are_skipped_and_how_to_get_them_is_said(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    for module in ("attn_tui.ui.commands.settings", "attn_tui.ui.views.stability_remarks"):
        monkeypatch.setattr(f"{module}.dtypes", lambda: precision.NUMPY_DTYPES)
    async with at("lesson") as person:
        await person.press(_KEY, "z")
        assert "more dtypes: pip install ml_dtypes" in person.view
        await person.press("b", "b", "b")
        assert person.scene.dtype == "float64"
        assert "bfloat16 and 2 more are skipped: pip install ml_dtypes gets them" in person.said


@pytest.mark.parametrize("dtype", precision.dtypes())
async def test_every_dtype_shows_its_limits(dtype: str) -> None:
    kind = precision.precision(dtype)
    async with at(_scores([1, 2], dtype=dtype)) as person:
        await person.press(_KEY)
        assert f"largest {kind.largest:.5g} epsilon {kind.epsilon:.3g}" in _said(person)
        assert f"above {kind.exp_overflows_at:.2f}, 0 below {kind.exp_zero_below:.2f}" in _said(person)


@pytest.mark.parametrize("size", [(60, 16), (80, 24), (160, 50)])
@pytest.mark.parametrize("zoomed", [False, True])
@pytest.mark.parametrize(
    "scene",
    [
        _scores([3]),
        _scores([1, np.nan, 2]),
        _scores([1, 2, 3], mask=[0, 0, 0]),
        _scores([1e305, -1e305, 1.0], temperature=1e-5),
        _scores([-1e-300, -2e-300], mask=[1, 0], dtype="float16"),
        Scene.of([1.0, 0.0], np.ones((3000, 2)), dtype="float16", mask=np.arange(3000) % 2 == 0),
        Scene.of([1.0], [[1.0], [2.0]], labels=["\x1b[31mred", "a name that is far too long for its column"]),
    ],
    ids=["one", "nan", "all-masked", "huge", "tiny", "many", "labels"],
)
async def test_no_number_is_cut_at_any_size(scene: Scene, zoomed: bool, size: tuple[int, int]) -> None:
    async with at(scene, size) as person:
        await person.press(_KEY, *(["z"] if zoomed else []))
        view = person.app.view
        stage, shown = view.stage, person.app.stages[0].shown
        assert stage is not None
        assert shown is not None
        width, height = stage.content_size
        lines = ["".join(text for text, _ in line) for line in view.draw(shown, width, height)]
        assert len(lines) <= height
        assert max(map(len, lines)) <= width
        assert "\x1b" not in "".join(lines)


async def test_the_key_under_the_cursor_is_always_among_thousands() -> None:
    generator = np.random.default_rng(7)
    async with at(Scene.of(generator.normal(size=8), generator.normal(size=(4096, 8)), scale="sqrt")) as person:
        await person.press(_KEY)
        for key in (0, 1, 2047, 4095):
            await person.go(key, 3)
            labels = re.findall(r"^ (k\d+)…? ", person.view, re.M)
            assert f"k{key}" in labels
            left_out = re.search(r"(\d+) more keys", person.view)
            assert left_out is not None
            assert len(labels) + int(left_out[1]) == 4096


async def test_the_key_that_breaks_first_is_shown_wherever_the_cursor_is() -> None:
    scores = [0.0] * 40
    scores[33] = 900.0
    async with at(_scores(scores)) as person:
        await person.press(_KEY)
        assert "!inf" in _row(person, "k33")
        await person.go(2, 0)
        assert "!inf" in _row(person, "k33")
        assert _row(person, "k2")


async def test_in_ascii_nothing_else_is_drawn() -> None:
    async with at(_scores([1000, 1001], mask=[1, 0], dtype="float16"), ascii_only=True) as person:
        await person.press(_KEY)
        assert person.screen.isascii()


async def test_all_constants_are_listed_where_there_is_room() -> None:
    async with at(_scores([-20000, 0], mask=[1, 0], dtype="float32"), (120, 40)) as person:
        await person.press(_KEY, "z")
        rows = {line.split()[0]: line for line in person.view.split("\n") if line.strip()}
        assert "as selection" in rows["-inf"]
        assert "as selection" in rows["-1e9"]
        assert "masked keys get weight" in rows["-1e4"]
