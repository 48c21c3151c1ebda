"""Files without queries or without keys: scores or weights alone, or a sentence that says what is missing."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from attn_tui.files.dumps import roles
from attn_tui.files.dumps.masks import read_mask
from attn_tui.files.dumps.parts import Parts
from attn_tui.files.errors import ForeignError
from attn_tui.files.visible import visible
from attn_tui.model.source import Dump

OF_WEIGHTS = "weights opened as ln w: the scores are known up to a constant in each row"
"""What has to be known of such a scene."""
_AXES = {1: "", 2: "", 3: "H", 4: "BH", 5: "LBH"}
"""The letters of the leading axes of scores (..., Tq, Tk), by how many axes there are."""
MOST_AXES = max(_AXES)
"""Axes of scores that can be read."""
_MOST_NUMBERS = 2**27
"""Scores of a file that are read at once: 1 GiB of them."""


def dump_of(parts: Parts, *, has_query: bool, has_keys: bool) -> tuple[Dump, list[str]]:
    """Bare scores as a dump, where there are no vectors. Raises ForeignError that says what is missing."""
    role = next((role for role in (roles.SCORES, roles.WEIGHTS) if parts.has(role)), None)
    if role is None or has_query or has_keys:
        raise ForeignError(
            "there are keys and no query: add --query, or --map q=NAME or q=FILE"
            if has_keys
            else "there is a query and there are no keys: add --keys, or --map k=NAME or k=FILE"
        )
    array = parts.numbers(role)
    if array is None or array.ndim not in _AXES or 0 in array.shape:
        shape = () if array is None else array.shape
        raise ForeignError(f"{role} of shape {shape} cannot be read: (T), (Tq, Tk), (H, Tq, Tk) or (B, H, Tq, Tk) can")
    if array.size > _MOST_NUMBERS:
        raise ForeignError(f"{visible(parts.name(role))} holds {array.size} {role}: more than can be read at once")
    return _scores_dump(parts, np.atleast_2d(np.asarray(array)).astype(np.float64), role)


def _scores_dump(parts: Parts, numbers: NDArray[np.float64], role: str) -> tuple[Dump, list[str]]:
    """Scores (..., Tq, Tk), or weights as ln w, each row of which has keys of its own: its scores."""
    notes: list[str] = []
    attended = numbers != (0.0 if role == roles.WEIGHTS else -np.inf)
    if role == roles.WEIGHTS:
        if (numbers < 0.0).any():
            raise ForeignError("there are weights below 0, which no softmax gives: --check FILE says where")
        notes.append(OF_WEIGHTS)
    if not attended.all():
        word = "0" if role == roles.WEIGHTS else "-inf"
        notes.append(f"{role} of {word} are read as masked: {int((~attended).sum())} of them")
    with np.errstate(divide="ignore", invalid="ignore"):
        scores = np.log(numbers) if role == roles.WEIGHTS else numbers
    mask = None if attended.all() else attended
    lead, (rows, count) = numbers.shape[:-2], numbers.shape[-2:]
    given: NDArray[Any] | None = parts.array(roles.MASK)
    if given is not None:
        own, how = read_mask(given, lead, rows, count, inverted=parts.inverted_mask)
        mask, notes = np.broadcast_to(own, numbers.shape) & attended, [*notes, how]
    tokens, query_names = parts.labels(count, rows)
    queries = np.broadcast_to(1.0, (*lead, rows, 1))
    return Dump(queries, scores[..., None], None, tokens, _AXES[len(lead) + 2], mask, query_names), notes
