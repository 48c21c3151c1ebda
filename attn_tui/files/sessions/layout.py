"""How a session's file looks: the version first, then one row of numbers a line, so that two files differ by lines."""

import json
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

from attn_tui.files.errors import ForeignError
from attn_tui.files.json_numbers import Json, object_from_json, parse_json
from attn_tui.files.visible import visible

MARK = "attn-tui"
"""The first entry of every file; its value is the version."""
VERSION = 1
"""Of what is written here."""
LARGEST = 64 * 2**20
"""Bytes that a file may have to be read at all."""
_BY_LINE = frozenset({"labels", "keys", "values", "mask"})
"""Entries that have a line for each key."""


def is_session(found: object) -> bool:
    """Whether JSON is of a file that attn-tui wrote, of whatever version."""
    return isinstance(found, dict) and MARK in found


def on_one_line(content: Json) -> str:
    """JSON on a line; names are written as they are unless they have something that is not seen."""
    text = json.dumps(content, ensure_ascii=False, allow_nan=False)
    return text if text.isprintable() else json.dumps(content, allow_nan=False)


def at_once() -> None:
    """No rest between two lines."""


def by_lines(entries: Mapping[str, Json], breathe: Callable[[], None] = at_once) -> str:
    """An object with a line for each entry, and for each key in what keys have; `breathe` is called after each key."""
    return "{\n" + ",\n".join(f'"{name}": {_entry(name, value, breathe)}' for name, value in entries.items()) + "\n}"


def read_session(file: Path) -> dict[str, object]:
    """The content of a file that attn-tui wrote. Raises ForeignError, and OSError where it cannot be read."""
    if not file.is_file():
        file.stat()  # says what is wrong, unless it is something else than a file
        raise ForeignError("it is no file")
    if file.stat().st_size > LARGEST:
        raise ForeignError(f"it is larger than {LARGEST // 2**20} MB")
    return checked(parse_json(file.read_bytes()))


def checked(found: object) -> dict[str, object]:
    """JSON of this version. Raises ForeignError for what attn-tui did not write, or a newer one has written."""
    if not is_session(found):
        raise ForeignError(f'attn-tui did not write it: it has no "{MARK}" with a version')
    content = object_from_json(found, "the file")
    version = content[MARK]
    if not isinstance(version, int) or isinstance(version, bool) or version < 1:
        raise ForeignError(f'its "{MARK}" is no version')
    if version > VERSION:
        raise ForeignError(f"a newer attn-tui wrote it (version {version}, and this one reads {VERSION}): use that one")
    return content


def cannot(what: str, file: Path, why: OSError | ForeignError) -> ForeignError:
    """The sentence that says what cannot be done with a file, and why."""
    reason = (why.strerror or str(why)) if isinstance(why, OSError) else str(why)
    return ForeignError(f"{visible(str(file))} cannot be {what}: {reason}")


def _entry(name: str, content: Json, breathe: Callable[[], None]) -> str:
    """An entry's value, on one line or on many."""
    if name not in _BY_LINE or not isinstance(content, list):
        return on_one_line(content)
    return "[\n" + ",\n".join(_lines(content, breathe)) + "\n]"


def _lines(rows: list[Json], breathe: Callable[[], None]) -> Iterator[str]:
    """A line for each row."""
    for row in rows:
        yield on_one_line(row)
        breathe()
