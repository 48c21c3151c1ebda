"""Files without queries or without keys: scores or weights alone, or a sentence that says what is missing."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from attn_tui.core.arrays import in_float64
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
_MASKED = -1e9
"""Scores from which on down a key is taken as masked: what models add to them, or leave in their place."""
MOST_AXES = max(_AXES)
"""Axes of scores that can be read."""
_MOST_NUMBERS = 2**27
"""Scores of a file that are read at once: 1 GiB of them."""


def dump_of(parts: Parts, *, has_query: bool, has_keys: bool) -> tuple[Dump, list[str]]:
    """Bare scores as a dump, where there are no vectors. Raises ForeignError that says what is missing."""
    role = next((role for role in (roles.SCORES, roles.WEIGHTS) if parts.has(role)), None)
    if role is None or has_query or has_keys:
        missing = ("keys", "query", "q") if has_keys else ("a query", "keys", "k")
        also = "".join(f"; {note}" for note in parts.notes)
        raise ForeignError(
            f"there {'are' if has_keys else 'is'} {missing[0]} and no {missing[1]}: add --{missing[1]}, "
            f"or --map {missing[2]}=NAME or {missing[2]}=FILE{also}"
        )
    array = parts.numbers(role)
    if array is None or array.ndim not in _AXES or 0 in array.shape:
        shape = () if array is None else array.shape
        raise ForeignError(f"{role} of shape {shape} cannot be read: (T), (Tq, Tk), (H, Tq, Tk) or (B, H, Tq, Tk) can")
    if array.size > _MOST_NUMBERS:
        raise ForeignError(f"{visible(parts.name(role))} holds {array.size} {role}: more than can be read at once")
    return _scores_dump(parts, in_float64(np.atleast_2d(array)), role)


def _scores_dump(parts: Parts, numbers: NDArray[np.float64], role: str) -> tuple[Dump, list[str]]:
    """Scores (..., Tq, Tk), or weights as ln w, each row of which has keys of its own: its scores."""
    notes: list[str] = []
    attended = (numbers != 0.0) if role == roles.WEIGHTS else ~(numbers <= _MASKED)
    if role == roles.WEIGHTS:
        if (numbers < 0.0).any():
            raise ForeignError("there are weights below 0, which no softmax gives: --check FILE says where")
        notes.append(OF_WEIGHTS)
    if not attended.all():
        word = "0" if role == roles.WEIGHTS else f"{_MASKED:g} and below"
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
    axes, remark = _AXES[len(lead) + 2], OF_WEIGHTS if role == roles.WEIGHTS else ""
    return Dump(queries, scores[..., None], None, tokens, axes, mask, query_names, remark), notes
