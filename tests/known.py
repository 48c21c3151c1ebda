"""Figures and cases that were worked out before the program was written: `golden.json` and `cases.json`."""

import json
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

_DATA = Path(__file__).parent / "data"

GOLDEN: dict[str, Any] = json.loads((_DATA / "golden.json").read_text(encoding="utf-8"))
"""The lesson's figures, computed with 50 digits."""

_CASES: list[dict[str, Any]] = json.loads((_DATA / "cases.json").read_text(encoding="utf-8"))


def floats(numbers: Any) -> NDArray[np.float64]:
    """Recorded numbers, of any nesting, in which "nan", "inf" and "-inf" are text."""
    return np.asarray(numbers, dtype=np.float64)


def expected(case: str) -> Any:
    """What is known about a case, by the letter and number that its name begins with."""
    return _found(case)["expected"]


def given(case: str) -> Any:
    """What a case is given."""
    return _found(case)["input"]


def variants(case: str) -> dict[str, tuple[Any, Any]]:
    """The input and the expectation of each variant of a case, by name."""
    results = {variant["name"]: variant for variant in expected(case)["variants"]}
    return {variant["name"]: (variant, results[variant["name"]]) for variant in given(case)["variants"]}


def _found(case: str) -> dict[str, Any]:
    """The case whose name begins so."""
    (found,) = (entry for entry in _CASES if entry["id"].startswith(f"{case}-"))
    return found
