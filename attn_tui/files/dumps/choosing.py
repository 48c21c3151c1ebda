"""A file that is being opened by hand: which array is what, how it is laid out, which head and row are wanted."""

from dataclasses import dataclass, replace
from typing import Any, Self, TypedDict

import numpy as np
from numpy.typing import NDArray

from attn_tui.core.arrays import FloatArray
from attn_tui.files.checks.arrays import blocks
from attn_tui.files.containers import Container, Entry, open_container
from attn_tui.files.dumps import roles
from attn_tui.files.dumps.opening import dump_of, open_file
from attn_tui.files.dumps.parts import NAMELESS, Parts, find_parts
from attn_tui.files.dumps.request import Choice, Opened, Request, UndecidedError
from attn_tui.files.dumps.selection import chosen_head, chosen_row
from attn_tui.files.errors import ForeignError
from attn_tui.files.numbers import format_exact
from attn_tui.model.source import Dump

_LOOKED_AT = 2**24
"""Numbers of an array that are looked through for nan and infinities, so that a huge one does not keep one waiting."""
_PREVIEWED = 6
"""Numbers of a preview."""


class _Asked(TypedDict):
    """A question with its answers."""

    question: str
    choices: tuple[Choice, ...]


@dataclass(frozen=True, eq=False)
class Choosing:
    """A request as far as it has come, and what it makes: a dump, a question, or a reason why not."""

    request: Request
    container: Container
    parts: Parts | None = None
    dump: Dump | None = None
    problem: str = ""
    question: str = ""
    choices: tuple[Choice, ...] = ()
    head: tuple[int, ...] = ()
    row: int = 0
    own_query: FloatArray | None = None
    """(hs,): what keys alone get, if it fits them."""

    @classmethod
    def of(cls, request: Request, own_query: FloatArray | None = None) -> Self:
        """A request, tried; keys alone get a query that fits them, if there is one.

        Raises ForeignError where there is no such file, and no such head or row.
        """
        container = open_container(request.path)
        try:
            parts = find_parts(request, container)
        except ForeignError as problem:
            return cls(request, container, problem=str(problem), own_query=own_query, **_asked(problem))
        if own_query is not None and _needs_query(parts, own_query.size) and request.arguments.query is None:
            text = " ".join(format_exact(float(number)) for number in own_query)
            request = replace(request, arguments=replace(request.arguments, query=text))
        try:
            dump, _ = dump_of(request, parts)
        except ForeignError as problem:
            return cls(request, container, parts, None, str(problem), own_query=own_query, **_asked(problem))
        head, row = chosen_head(request.head, dump)[0], chosen_row(request.row, dump)
        return cls(request, container, parts, dump, head=head, row=row, own_query=own_query)

    def role(self, entry: Entry) -> str:
        """What an array is taken for, empty for nothing."""
        if self.parts is None:
            return ""
        return next((role for role, own in self.parts.entries.items() if own.name == entry.name), "")

    def assigned(self, entry: Entry, role: str) -> Self:
        """With an array in a role; whatever else was recognised stays."""
        known = {} if self.parts is None else {role: own.name for role, own in self.parts.entries.items()}
        typed = {roles.role_named(text.partition("=")[0]): text.partition("=")[2] for text in self.request.maps}
        kept = {other: typed.get(other, name) for other, name in known.items() if name != entry.name}
        kept[role] = entry.name or NAMELESS
        maps = tuple(f"{one}={name}" for one, name in kept.items())
        return type(self).of(replace(self.request, maps=maps), self.own_query)

    def chosen(self, number: int) -> Self:
        """With one of the choices taken."""
        return type(self).of(self.choices[number].request, self.own_query)

    def moved(self, axis: int, step: int) -> Self:
        """With the head one on along an axis, or the row where the axis is the one after the last."""
        if self.dump is None:
            return self
        if axis >= len(self.head):
            return replace(self, row=(self.row + step) % self.dump.query_count)
        index = (self.head[axis] + step) % self.dump.shape[axis]
        return replace(self, head=(*self.head[:axis], index, *self.head[axis + 1 :]))

    def opened(self) -> Opened:
        """The scene. Raises ForeignError."""
        head = ",".join(str(index) for index in self.head) if self.head else None
        return open_file(replace(self.request, head=head, row=self.row), self.container)


def look(entry: Entry) -> tuple[str, str]:
    """Whether an array is finite, in a few words, and its first numbers."""
    try:
        array = entry.read()
    except ForeignError as error:
        return str(error), ""
    start = array[(0,) * (array.ndim - 1)] if array.size else array
    preview = " ".join(_short(one) for one in np.asarray(start).ravel()[:_PREVIEWED].tolist())
    preview += " ..." if array.size > _PREVIEWED else ""
    return _finite(array), preview


def _finite(array: NDArray[Any]) -> str:
    """How many of the numbers are nan or infinite."""
    if array.dtype.kind not in "fV":
        return ""
    nans = infinite = seen = 0
    for _, block in blocks(array):
        nans, infinite = nans + int(np.isnan(block).sum()), infinite + int(np.isinf(block).sum())
        seen += block.size
        if seen >= _LOOKED_AT:
            break
    words = [f"{count} {word}" for count, word in ((nans, "nan"), (infinite, "inf")) if count]
    more = "" if seen == array.size else f" in the first {seen}"
    return (", ".join(words) or ("finite" if array.size else "empty")) + more


def _short(one: object) -> str:
    """A number or a text in a few characters."""
    return f"{one:.4g}" if isinstance(one, float) else str(one)[:12]


def _asked(problem: ForeignError) -> "_Asked":
    """The question and the ways there are, if it is one."""
    is_question = isinstance(problem, UndecidedError)
    return {"question": problem.text, "choices": problem.choices} if is_question else {"question": "", "choices": ()}


def _needs_query(parts: Parts, head_size: int) -> bool:
    """Whether there are keys of this head size and nothing else that makes a scene."""
    has_keys = parts.has(roles.KEYS) and not parts.has(roles.QUERY) and not parts.has(roles.SCORES)
    return has_keys and parts.entries[roles.KEYS].shape[-1:] == (head_size,)
