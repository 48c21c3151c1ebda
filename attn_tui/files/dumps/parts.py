"""Which arrays of a file, or of several, are the query, the keys and so on."""

import os
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from attn_tui.files.containers import Container, Entry, open_container
from attn_tui.files.dumps import roles
from attn_tui.files.dumps.request import Choice, Request, UndecidedError
from attn_tui.files.errors import ForeignError
from attn_tui.files.visible import visible

_TELLING = frozenset({roles.QUERY, roles.KEYS, roles.SCORES, roles.WEIGHTS})
"""Roles of which a scene needs one at least."""
_LONGEST_NAME = 80
"""Characters of a name that a sentence shows."""
NAMELESS = "array"
"""What an array without a name is called."""
_LISTED = 12
"""Arrays that a sentence names."""


@dataclass(frozen=True, eq=False)
class Parts:
    """The arrays that matter, by their role."""

    entries: Mapping[str, Entry]
    inverted_mask: bool
    notes: tuple[str, ...]

    def has(self, role: str) -> bool:
        """Whether there is such an array."""
        return role in self.entries

    def name(self, role: str) -> str:
        """What the file calls it."""
        return self.entries[role].name or role

    def array(self, role: str) -> NDArray[Any] | None:
        """An array as the file has it, None where there is none."""
        return self.entries[role].read() if role in self.entries else None

    def numbers(self, role: str) -> NDArray[Any] | None:
        """An array of numbers. Raises ForeignError for text."""
        array = self.array(role)
        if array is not None and array.dtype.kind in "USOMmcV" and array.dtype.name not in _FLOATS:
            raise ForeignError(f"{visible(self.name(role))} holds {array.dtype.name}, and the {role} are numbers")
        return array

    def labels(self, keys: int, queries: int) -> tuple[tuple[str, ...], tuple[str, ...] | None]:
        """What so many keys are called, and the queries where that is not the keys' end; k0, q0 where nothing says so.

        Raises ForeignError for another number of labels. A batch has those of its first text.
        """
        array = self.array(roles.LABELS)
        numbered = ("q",) if queries == 1 else tuple(f"q{i}" for i in range(queries))
        if array is None:
            return tuple(f"k{i}" for i in range(keys)), numbered
        labels = tuple(str(label) for label in np.atleast_2d(array)[0].tolist())
        if array.ndim > 2 or len(labels) != keys:
            raise ForeignError(f"there are {keys} keys and {len(labels)} labels in {visible(self.name(roles.LABELS))}")
        return labels, None if queries > 1 else numbered

    def without(self, *names: str) -> "Parts":
        """The same without some of the arrays."""
        return replace(self, entries={role: entry for role, entry in self.entries.items() if role not in names})


_FLOATS = frozenset({"bfloat16", "float8_e4m3fn", "float8_e5m2"})
"""Floating point dtypes that NumPy takes for void."""


class UnrecognisedError(ForeignError):
    """No array of a file is called as a query, keys, scores or weights are."""


def find_parts(request: Request, container: Container | None = None) -> Parts:
    """The arrays of a request's file, opened already or not, and of what it maps.

    Raises ForeignError, UnrecognisedError for unknown names, and UndecidedError for several layers.
    """
    container = open_container(request.path) if container is None else container
    mapped, inverted, notes = _mapped(request, container)
    found = roles.recognised([entry.name for entry in container.entries], _stem(container.name))
    entries = {entry.name: entry for entry in container.entries}
    groups = [] if set(mapped) & _TELLING else _groups(found)
    if len(groups) > 1:
        raise _which_group(request, groups)
    taken = {id(entry) for entry in mapped.values()}
    known = {role: entries[names[0]] for role, names in found.items()}
    chosen = {role: entry for role, entry in known.items() if id(entry) not in taken} | mapped
    if not set(chosen) & _TELLING:
        raise UnrecognisedError(_unrecognised(container))
    return Parts(chosen, inverted, (*container.notes, *notes, *_unused(container, chosen)))


def described(entry: Entry) -> str:
    """An array in a few words, such as q (6, 12, 15, 32) float32."""
    return f"{_short(entry.name) or NAMELESS} {entry.shape} {entry.dtype}"


def _short(name: str) -> str:
    """A name, made harmless, as far as a sentence has room for it."""
    shown = visible(name)
    return shown if len(shown) <= _LONGEST_NAME else f"{shown[:_LONGEST_NAME]}..."


def _mapped(request: Request, container: Container) -> tuple[dict[str, Entry], bool, list[str]]:
    """The arrays that --map names, whether the mask is turned round, and the notes of other files."""
    mapped: dict[str, Entry] = {}
    notes: list[str] = []
    inverted = False
    for text in request.maps:
        word, is_map, target = text.partition("=")
        role = roles.role_named(word)
        if not is_map or role is None or not target:
            known = ", ".join(roles.NAMES)
            raise ForeignError(f"--map {visible(text)} has to be ROLE=NAME, the role one of {known}")
        if role == roles.MASK and target.startswith("!"):
            inverted, target = True, target[1:]
        mapped[role], more = _target(target, container, request.path)
        notes += more
    return mapped, inverted, notes


def _target(target: str, container: Container, own: str) -> tuple[Entry, tuple[str, ...]]:
    """The array that NAME, FILE or FILE:NAME means, and the notes of another file."""
    for entry in container.entries:
        if (entry.name or NAMELESS) == target:
            return entry, ()
    path, _, name = (target, "", "") if os.path.exists(target) else target.rpartition(":")
    if not path or not os.path.exists(path):
        listed = ", ".join(described(entry) for entry in container.entries[:_LISTED])
        raise ForeignError(f"there is no array and no file {visible(target)!r}: the file holds {listed}")
    other = container if path == own else open_container(path)
    fitting = [entry for entry in other.entries if entry.name == name or (not name and len(other.entries) == 1)]
    if not fitting:
        listed = ", ".join(described(entry) for entry in other.entries[:_LISTED])
        raise ForeignError(f"{visible(other.name)} holds {listed}: say which, as in {visible(path)}:NAME")
    return (fitting[0], ()) if other is container else (replace(fitting[0], name=name or _stem(path)), other.notes)


def _unused(container: Container, chosen: Mapping[str, Entry]) -> list[str]:
    """A word on arrays that have no part in it."""
    used = {id(entry) for entry in chosen.values()}
    names = [_short(entry.name) for entry in container.entries if id(entry) not in used and entry.shape]
    more = f" and {len(names) - _LISTED} more" if len(names) > _LISTED else ""
    return [f"not used: {', '.join(names[:_LISTED])}{more}; --map says what an array is"] if names else []


def _groups(found: Mapping[str, list[str]]) -> list[dict[str, str]]:
    """Queries and keys that belong together, by what stands before their names, such as a layer's."""
    by_prefix: dict[str, dict[str, str]] = {}
    for role in (roles.QUERY, roles.KEYS, roles.VALUES, roles.WEIGHTS, roles.SCORES):
        for name in found.get(role, []):
            by_prefix.setdefault(roles.prefix_of(name), {}).setdefault(role, name)
    whole = [group for group in by_prefix.values() if {roles.QUERY, roles.KEYS} <= set(group)]
    return whole or [group for group in by_prefix.values() if group]


def _which_group(request: Request, groups: list[dict[str, str]]) -> UndecidedError:
    """Ask which of several layers is meant."""
    choices = [_choice_of(request, group) for group in groups]
    return UndecidedError(f"the file holds {len(groups)} sets of arrays; choose one", choices)


def _choice_of(request: Request, group: Mapping[str, str]) -> Choice:
    """One of the layers."""
    maps = tuple(f"{role}={name}" for role, name in group.items())
    flags = " ".join(f"--map {visible(one)}" for one in maps)
    words = f"the arrays of {visible(roles.prefix_of(next(iter(group.values()))))}"
    return Choice(words, flags, replace(request, maps=(*request.maps, *maps)))


def _unrecognised(container: Container) -> str:
    """A sentence for a file whose arrays have unknown names."""
    count = len(container.entries)
    listed = "; ".join(described(entry) for entry in container.entries[:_LISTED])
    more = f" and {count - _LISTED} more" if count > _LISTED else ""
    return (
        f"no array of {visible(container.name)} is called as a query, keys, scores or weights are: it holds "
        f"{listed}{more}; say which is which with --map q=NAME --map k=NAME"
    )


def _stem(name: str) -> str:
    """A file's name without its ending."""
    return Path(name).stem
