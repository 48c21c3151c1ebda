"""Numbers in strict JSON, which read back as exactly themselves: nan and infinities are the words nan, inf and -inf."""

import json
import math
from collections.abc import Sequence
from typing import TypeAlias, cast

import numpy as np

from attn_tui.core.arrays import FloatArray, sealed
from attn_tui.files.errors import ForeignError
from attn_tui.files.numbers import is_outside, shown
from attn_tui.files.visible import visible

Json: TypeAlias = "dict[str, Json] | list[Json] | str | float | int | bool | None"
"""What JSON can hold."""

_WORDS = {"nan": math.nan, "inf": math.inf, "-inf": -math.inf}
"""What JSON has no numbers for."""
_CONSTANTS = {"NaN": "nan", "Infinity": "inf", "-Infinity": "-inf"}
"""What Python and JavaScript write in their place, which is not JSON."""


def number_to_json(number: float | None) -> Json:
    """A float as JSON can hold it."""
    if number is None or math.isfinite(number):
        return number
    return "nan" if math.isnan(number) else "inf" if number > 0.0 else "-inf"


def numbers_to_json(numbers: FloatArray, undefined: Sequence[bool] = ()) -> list[Json]:
    """Floats (n,) as JSON can hold them, null where they are undefined."""
    if not undefined and np.isfinite(numbers).all():
        return numbers.tolist()
    skipped = undefined or [False] * len(numbers)
    return [None if skip else number_to_json(float(x)) for x, skip in zip(numbers, skipped, strict=True)]


def parse_json(text: bytes) -> object:
    """What JSON says, its numbers as the float64 that they mean.

    Raises ForeignError for what is no JSON and for a number that float64 cannot hold.
    """
    try:
        return json.loads(
            text.decode("utf-8-sig"),
            parse_float=_exact,
            parse_constant=_CONSTANTS.__getitem__,
            object_pairs_hook=_each_once,
        )
    except ForeignError:
        raise
    except json.JSONDecodeError as error:
        raise ForeignError(f"it is no JSON: {error.msg} in line {error.lineno}") from None
    except UnicodeDecodeError:
        raise ForeignError("it is no JSON: it is no text") from None
    except RecursionError:
        raise ForeignError("it is no JSON of numbers: it is nested too deep") from None
    except ValueError:
        raise ForeignError("a whole number in it has too many digits") from None


def _each_once(pairs: list[tuple[str, object]]) -> dict[str, object]:
    """An object. Raises ForeignError where a name comes twice, since one of the two would be lost."""
    entries = dict(pairs)
    if len(entries) < len(pairs):
        names = [name for name, _ in pairs]
        twice = next(name for name in names if names.count(name) > 1)
        raise ForeignError(f"{visible(twice)!r} is in it twice")
    return entries


def number_from_json(found: object, name: str) -> float:
    """A number, or the word for one. Raises ForeignError, naming it, for anything else."""
    if isinstance(found, str) and found in _WORDS:
        return _WORDS[found]
    if isinstance(found, float) or (isinstance(found, int) and not isinstance(found, bool)):
        try:
            return float(found)
        except OverflowError:
            raise ForeignError(f"{name} is beyond the float64 maximum 1.7977e308") from None
    raise ForeignError(f"{name} is {_as_written(found)}, and has to be a number")


def numbers_from_json(found: object, name: str) -> FloatArray:
    """A list of numbers: (n,), read-only. Raises ForeignError, naming the first that is none."""
    numbers = list_from_json(found, name)
    if set(map(type, numbers)) <= {float}:
        return sealed(np.array(numbers, dtype=np.float64))
    return sealed(np.array([number_from_json(number, f"{name}[{i}]") for i, number in enumerate(numbers)]))


def rows_from_json(found: object, name: str) -> FloatArray:
    """A list of lists of numbers: (rows, n), read-only. Raises ForeignError, naming the first that does not fit."""
    rows = [numbers_from_json(row, f"{name}[{i}]") for i, row in enumerate(list_from_json(found, name))]
    for i, row in enumerate(rows):
        if row.size != rows[0].size:
            raise ForeignError(f"{name}[{i}] has {row.size} numbers, and {name}[0] has {rows[0].size}")
    return sealed(np.stack(rows) if rows else np.zeros((0, 0)))


def list_from_json(found: object, name: str) -> list[object]:
    """A list. Raises ForeignError for anything else."""
    if not isinstance(found, list):
        raise ForeignError(f"{name} is {_as_written(found)}, and has to be a list")
    return cast("list[object]", found)


def text_from_json(found: object, name: str) -> str:
    """A text. Raises ForeignError for anything else."""
    if not isinstance(found, str):
        raise ForeignError(f"{name} is {_as_written(found)}, and has to be a text")
    return found


def index_from_json(found: object, name: str) -> int:
    """A whole number from 0 on. Raises ForeignError for anything else."""
    if not isinstance(found, int) or isinstance(found, bool) or found < 0:
        raise ForeignError(f"{name} is {_as_written(found)}, and has to be a whole number from 0 on")
    return found


def object_from_json(found: object, name: str) -> dict[str, object]:
    """An object with its entries. Raises ForeignError for anything else."""
    if not isinstance(found, dict):
        raise ForeignError(f"{name} is {_as_written(found)}, and has to be an object")
    return cast("dict[str, object]", found)


def _exact(written: str) -> float:
    """The float64 that digits mean. Raises ForeignError for digits that would become inf or 0."""
    number = float(written)
    if (number == 0.0 or math.isinf(number)) and is_outside(written, number):
        raise ForeignError(f"{shown(written)} is a number that float64 cannot hold")
    return number


def _as_written(found: object) -> str:
    """Something that JSON held, as a sentence quotes it."""
    if isinstance(found, list | dict):
        return "a list" if isinstance(found, list) else "an object"
    if isinstance(found, int) and not isinstance(found, bool):
        return "a whole number" if abs(found) > 10**20 else str(found)
    return shown(json.dumps(found))
