"""A whole file, checked: for scripts, with findings as sentences or as JSON."""

import json
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from attn_tui.core.arrays import BoolArray
from attn_tui.files.checks.arrays import distributions, masked_weight, not_finite
from attn_tui.files.checks.finding import Finding
from attn_tui.files.checks.recomputed import given, recomputed, settings_of
from attn_tui.files.containers import Container, open_container
from attn_tui.files.dumps import bare, roles
from attn_tui.files.dumps.masks import read_mask
from attn_tui.files.dumps.opening import dump_of, open_file
from attn_tui.files.dumps.parts import Parts, UnrecognisedError, find_parts
from attn_tui.files.dumps.request import Request, UndecidedError
from attn_tui.files.errors import ForeignError
from attn_tui.files.visible import visible
from attn_tui.model.source import Dump

_TEXT = "USOMm"
"""The kinds of dtype that hold no numbers."""


@dataclass(frozen=True)
class Report:
    """What was looked at and what was found."""

    name: str
    looked_at: tuple[str, ...]
    findings: tuple[Finding, ...]
    notes: tuple[str, ...] = ()
    """What was not looked at, or read how."""

    @property
    def is_clean(self) -> bool:
        """Whether nothing was found."""
        return not self.findings

    def text(self) -> str:
        """A line for each thing."""
        lines = [f"{visible(self.name)}: {len(self.findings) or 'no'} finding{'s' * (len(self.findings) != 1)}"]
        lines += [f"  finding  {visible(finding.sentence)}" for finding in self.findings]
        lines += [f"  checked  {visible(one)}" for one in self.looked_at]
        return "\n".join([*lines, *(f"  note     {visible(one)}" for one in self.notes)])

    def json(self) -> str:
        """The same as strict JSON."""
        findings = [
            {
                "check": one.check, "array": one.array, "count": one.count,
                "place": None if one.place is None else list(one.place), "message": one.sentence,
            }
            for one in self.findings
        ]  # fmt: skip
        about = {"checked": list(self.looked_at), "notes": list(self.notes)}
        report = {"file": self.name, "clean": self.is_clean, "findings": findings, **about}
        return json.dumps(report, allow_nan=False, indent=1)


def check_file(request: Request) -> Report:
    """Check a file; of several layers, each.

    Raises ForeignError if it cannot be read. Where only a person can tell how to read it, a note says so.
    """
    container = open_container(request.path)
    layers = _layers(request, container)
    looked_at: list[str] = []
    notes = list(container.notes)
    findings = list(_each_array(container, [parts for _, parts in layers], looked_at))
    for own, parts in layers:
        try:
            findings += _together(own, container, parts, looked_at)
        except UndecidedError as question:
            notes.append(f"not compared with each other: {question}")
        except ForeignError as misfit:
            findings.append(Finding("together", container.name, 1, None, str(misfit)))
    return Report(container.name, tuple(looked_at), tuple(findings), tuple(notes))


def _layers(request: Request, container: Container) -> list[tuple[Request, Parts]]:
    """The sets of arrays that belong together; none where no array is called as queries, keys or weights are."""
    try:
        return [(request, find_parts(request, container))]
    except UnrecognisedError:
        return []
    except UndecidedError as several:
        return [(choice.request, find_parts(choice.request, container)) for choice in several.choices]


def _each_array(container: Container, layers: list[Parts], looked_at: list[str]) -> Iterator[Finding]:
    """Every array of the file by itself."""
    own = {entry.name: role for parts in layers for role, entry in parts.entries.items()}
    mapped = [entry for parts in layers for entry in parts.entries.values()]
    entries = {entry.name: entry for entry in (*container.entries, *mapped)}
    for entry in entries.values():
        array = entry.read()
        if array.dtype.kind in _TEXT:
            continue
        role = own.get(entry.name) or (roles.role_of(entry.name) or ("",))[0]
        looked_at.append(f"{entry.name or 'array'} {entry.shape} {entry.dtype}: for nan and infinities")
        yield from not_finite(entry.name or "array", role, array)
        if role == roles.WEIGHTS:
            looked_at.append(f"{entry.name or 'array'}: for rows that do not add up to 1 and weights below 0")
            yield from distributions(entry.name or "array", array)


def _together(request: Request, container: Container, parts: Parts, looked_at: list[str]) -> Iterator[Finding]:
    """What the arrays say of each other."""
    if parts.has(roles.QUERY) and parts.has(roles.KEYS):
        dump, _ = dump_of(request, parts)
        scene = open_file(replace(request, head=None, row=None), container).scene
        if dump.mask is not None:
            yield from _rows_without_keys(parts, dump.mask)
        for role in (roles.WEIGHTS, roles.SCORES):
            array = parts.numbers(role)
            if array is None:
                continue
            shaped = _shaped(array, dump)
            scale, temperature = scene.scale_factor, scene.temperature
            looked_at.append(f"{parts.name(role)}: against q and k with {settings_of(dump, scale, role)[0].words}")
            if role == roles.WEIGHTS and dump.mask is not None:
                yield from masked_weight(parts.name(role), shaped, dump.mask)
            yield from recomputed(given(parts.name(role), role, shaped, dump, scene.dtype), dump, scale, temperature)
    elif parts.has(roles.WEIGHTS) and parts.has(roles.MASK):
        weights, mask = np.atleast_2d(_numbers(parts, roles.WEIGHTS)), parts.array(roles.MASK)
        if mask is not None and weights.ndim <= bare.MOST_AXES:
            allowed, _ = read_mask(mask, weights.shape[:-2], *weights.shape[-2:], inverted=parts.inverted_mask)
            looked_at.append(f"{parts.name(roles.WEIGHTS)}: no weight where {parts.name(roles.MASK)} allows none")
            yield from masked_weight(parts.name(roles.WEIGHTS), weights, allowed)
            yield from _rows_without_keys(parts, allowed)


def _rows_without_keys(parts: Parts, mask: BoolArray) -> Iterator[Finding]:
    """Queries whose mask (..., Tq or 1, Tk) leaves them no key."""
    empty = ~mask.any(axis=-1)
    if empty.any():
        place = tuple(int(i) for i in np.argwhere(empty)[0])
        words = f"{int(empty.sum())} rows may attend no key"
        yield Finding("rows without a key", parts.name(roles.MASK), int(empty.sum()), place, words)


def _numbers(parts: Parts, role: str) -> NDArray[Any]:
    """An array of numbers that is there."""
    array = parts.numbers(role)
    if array is None:
        raise ForeignError(f"there are no {role}")
    return array


def _shaped(array: NDArray[Any], dump: Dump) -> NDArray[Any]:
    """Weights or scores with the dump's leading axes. Raises ForeignError for other shapes."""
    wanted = (*dump.shape, dump.query_count, dump.key_count)
    if [n for n in array.shape if n != 1] != [n for n in wanted if n != 1]:
        raise ForeignError(f"weights or scores have the shape {array.shape}, and q and k make {wanted}")
    return array.reshape(wanted)
