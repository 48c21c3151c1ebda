"""What `explore` says of arrays that it does not take, and of a place without a terminal."""

import inspect
import re
from dataclasses import fields
from typing import Any

import numpy as np
import pytest

import attn_tui
from attn_tui.files.errors import ForeignError
from attn_tui.model.scene import Scene

_KEYS = np.eye(3)
_REFUSED: dict[str, tuple[dict[str, Any], str]] = {
    "several queries": ({"query": np.eye(3)}, "query has shape (3, 3): choose one row, such as query[-1]"),
    "a batch of queries": ({"query": np.ones((1, 2, 3))}, "choose one row, such as query[0, -1]"),
    "one number": ({"query": 1.0}, "query has shape (): one number is no vector"),
    "heads of keys": ({"keys": np.ones((2, 4, 3, 3))}, "choose one head, such as keys[0, 0]"),
    "one key without an axis": ({"keys": np.ones(3)}, "keys has shape (3,): a row for each key is needed"),
    "flat values": ({"values": np.ones(3)}, "values has shape (3,): a row for each key is needed"),
    "another head size": ({"query": np.ones(4)}, "4"),
    "a mask of one": ({"mask": [True]}, "there are 3 keys and 1 mask entries"),
    "an additive mask": ({"mask": [0.0, -np.inf, 0.0]}, "it selects, and is never added"),
    "several temperatures": ({"temperature": np.ones(2)}, "temperature has shape (2,): one number is needed"),
    "a temperature of 0": ({"temperature": 0.0}, "temperature"),
    "a scale in words": ({"scale": "half"}, "scale holds text"),
    "labels of numbers": ({"labels": ["a", 1, "c"]}, "this has an entry of type int"),
    "labels in one": ({"labels": "abc"}, "this has one text"),
    "an unknown dtype": ({"dtype": "float8"}, "float8"),
}


@pytest.mark.parametrize("name", _REFUSED)
def test_what_does_not_fit_is_refused_and_never_spread(name: str) -> None:
    changes, sentence = _REFUSED[name]
    given: dict[str, Any] = {"query": np.ones(3), "keys": _KEYS} | changes
    with pytest.raises(ValueError, match=re.escape(sentence)):
        attn_tui.explore(given.pop("query"), given.pop("keys"), **given)


def test_a_refusal_of_an_array_is_of_the_family_of_outside_things() -> None:
    with pytest.raises(ForeignError):
        attn_tui.explore(np.eye(3), _KEYS)


@pytest.mark.parametrize("query", [[1, 0, 0], [[1, 0, 0]], np.ones((1, 3), np.float16)], ids=str)
def test_without_a_terminal_what_could_be_shown_is_refused_with_what_to_do(query: Any) -> None:
    with pytest.raises(RuntimeError, match=r"attn_tui\.attend, or run attn-tui --print text"):
        attn_tui.explore(
            query, _KEYS, scale="sqrt", temperature=np.float32(2), mask=[[1, 0, 1]], labels=("a", "b", "c")
        )


def test_a_scene_is_made_anew_of_its_parts() -> None:
    """It crosses from one process to another like that."""
    assert {field.name for field in fields(Scene)} == inspect.signature(Scene.of).parameters.keys()
