"""Which step breaks first, told in words, with the two overflows kept apart."""

from typing import Any

import numpy as np
import pytest

from attn_tui.core.attend import attend
from attn_tui.core.breaks import naive_break, stable_break, verdict
from attn_tui.core.stability import Method, compare
from tests import known

_A14 = known.given("A14")
_CASES: list[tuple[Any, Any, dict[str, Any], Method, str | None, str | None, str]] = [
    ([1], [[1000], [1001], [1002]], {}, Method(), "exp", None,
     "naive breaks at exp(1002): above 709.78 for float64; stable is right"),
    ([1], [[709.5], [709.5]], {}, Method(), "sum", None,
     "naive breaks at the sum of 2 exps: above 1.798e+308 for float64, weights look like 0; stable is right"),
    ([1], [[-800], [-801]], {}, Method(), "zero", None,
     "naive breaks at the sum: every exp is 0, below -745.13 for float64; stable is right"),
    ([1], [[2], [1]], {}, Method(), None, None,
     "naive holds, 707.78 below exp's limit 709.78 for float64; stable is right"),
    ([1], [[2], [1]], {}, Method(800.0), "exp", None, "naive breaks at exp(802): above 709.78 for float64"),
    ([1], [[2], [1]], {}, Method(np.inf), "constant", "constant", "|2 + inf| is above 1.79769e+308 (float64)"),
    (_A14["q"], _A14["K"], {"scale": 0.5, "dtype": "float16"}, Method(), "score", "score",
     "the score itself overflows: |q.k0| = 120000 > 65504 (float16), before scaling; "
     "subtracting the maximum does not cure it"),
    (_A14["q"], _A14["K"], {"scale": 0.5, "dtype": "float16"}, Method(0.0, True, True), "exp", None,
     "stable is off by 0.5: the scores differ by less than a step"),
    ([256, 256], [[256, -256]], {"dtype": "float16"}, Method(), "score", "score",
     "a product or running sum of q.k0 is above 65504 (float16)"),
    ([1], [[3], [11], [-2]], {"temperature": 1e-4, "dtype": "float16"}, Method(), "temperature", "temperature",
     "|11 / 0.000100017| = 109982 > 65504 (float16); only subtracting the maximum before dividing cures it"),
    ([1], [[3], [11], [-2]], {"temperature": 2e-8, "dtype": "float16"}, Method(), "setting", "setting",
     "tau 2e-08 rounds to 0 in float16, as does 2.98e-08 or less: every weight is nan, naive and stable"),
    ([1], [[3]], {"temperature": 1e5, "dtype": "float16"}, Method(), None, None, "naive holds"),
    ([1], [[3]], {"scale": 1e5, "dtype": "float16"}, Method(), "setting", "setting", "the scale 100000 is above 65504"),
    ([1], [[3000]], {"scale": 30, "dtype": "float16"}, Method(), "scale", "scale", "|3000 x 30| = 90000 > 65504"),
    ([1], [[1e10], [0]], {"temperature": 1e-300}, Method(), "temperature", "temperature", "|1e+10 / 1e-300| > 1.79769"),
    ([1, 1], [[0, 0], [np.nan, 1]], {}, Method(), "key", "key",
     "k1.d0 is nan: every weight is nan, naive and stable"),
    ([1, np.inf], [[0, 1]], {}, Method(), "query", "query", "q.d1 is inf"),
    ([70000], [[1]], {"dtype": "float16"}, Method(), "query", "query",
     "q.d0: 70000 is above 65504 (float16), and stored as inf"),
    ([1], [[1], [-np.inf]], {}, Method(), None, None, "naive holds"),
    ([1], [[-np.inf], [-np.inf]], {}, Method(), "key", "key", "k0.d0 is -inf"),
    ([1], [[1], [2]], {"mask": [0, 0]}, Method(), None, None, "all keys masked: there is no distribution"),
    ([1], [[1], [np.nan]], {"mask": [1, 0]}, Method(), None, None, "naive holds"),
    ([1], [[1]], {"dtype": "float16"}, Method(), None, None, "naive holds, 10.09 below exp's limit 11.09 for float16"),
]  # fmt: skip


@pytest.mark.parametrize(("query", "keys", "settings", "method", "naive", "stable", "words"), _CASES)
def test_the_first_step_that_breaks(
    query: Any, keys: Any, settings: dict[str, Any], method: Method, naive: str | None, stable: str | None, words: str
) -> None:
    made = compare(attend(query, keys, **settings).inputs, method)
    broken = naive_break(made), stable_break(made)
    assert tuple(one.step if one else None for one in broken) == (naive, stable)
    assert words in verdict(made)


def test_the_key_that_overflows_most_is_named() -> None:
    broken = naive_break(compare(attend([1], [[720], [5], [990], [980]]).inputs))
    assert broken is not None
    assert broken.key == 2


def test_a_sum_that_stalls_is_not_called_right() -> None:
    made = compare(attend([1.0], np.zeros((4096, 1)), dtype="float16").inputs)
    assert stable_break(made) is None
    assert verdict(made).endswith("stable is off: the sum of exps stalls at 2048, the weights add up to 2")
    enough = compare(attend([1.0], np.zeros((2048, 1)), dtype="float16").inputs)
    assert verdict(enough).endswith("stable is right")


@pytest.mark.parametrize("name", ["k7", "animal"])
def test_a_key_is_called_by_its_name(name: str) -> None:
    made = compare(attend([1.0], [[np.nan]], labels=[name]).inputs)
    assert (f'"{name}".d0' if name == "animal" else f"{name}.d0") in verdict(made)
