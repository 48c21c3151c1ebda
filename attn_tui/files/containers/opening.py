"""Opening a file: what its bytes say it is decides, and its name only where they do not."""

import os
import sys
from collections.abc import Callable
from dataclasses import dataclass, replace

from attn_tui.files.containers.container import Container, Listing, because
from attn_tui.files.containers.content import Content, content_of
from attn_tui.files.containers.json_text import is_json, list_json
from attn_tui.files.containers.npy import is_npy, list_npy
from attn_tui.files.containers.npz import is_zip, list_npz
from attn_tui.files.containers.pickles import is_pickle, refuse_pickle
from attn_tui.files.containers.plain_text import list_text
from attn_tui.files.containers.refusals import is_empty, is_misnamed, is_refused, refuse, refuse_empty, refuse_misnamed
from attn_tui.files.containers.safetensors import has_safetensors_name, is_safetensors, list_safetensors
from attn_tui.files.errors import ForeignError
from attn_tui.files.visible import visible

STANDARD_INPUT = "-"
"""The name of what is piped in."""
LARGEST_INPUT = 2**30
"""Bytes of the most that is taken from standard input, where nothing can be mapped."""


@dataclass(frozen=True)
class Format:
    """A kind of file: its name, what tells it by its first bytes, what lists its arrays, and how it is called."""

    name: str
    tells: Callable[[Content], bool]
    lists: Callable[[Content], Listing]
    extensions: frozenset[str] = frozenset()


FORMATS: tuple[Format, ...] = (
    Format("empty", is_empty, refuse_empty),
    Format(".npy", is_npy, list_npy, frozenset({".npy"})),
    Format(".npz", is_zip, list_npz, frozenset({".npz", ".zip"})),
    # the length that a safetensors file begins with may look like the start of a pickle
    Format("safetensors", is_safetensors, list_safetensors, frozenset({".safetensors"})),
    Format("known and not read", is_refused, refuse),
    Format("pickle", is_pickle, refuse_pickle),
    Format("safetensors", has_safetensors_name, list_safetensors, frozenset({".safetensors"})),
    Format("misnamed", is_misnamed, refuse_misnamed),
    Format("JSON", is_json, list_json, frozenset({".json", ".txt"})),
    Format("text", lambda _: True, list_text),
)
"""Every kind of file; the first that tells itself counts."""

_TOLD_BY_NAME = frozenset({".npy", ".npz", ".safetensors", ".json", ".csv", ".tsv"})
"""Names that promise a format."""


def open_container(path: str | os.PathLike[str]) -> Container:
    """The arrays of a file by name, not read yet; "-" is standard input.

    Raises ForeignError with a sentence for whatever is not read, without having allocated anything for it.
    """
    name = os.fspath(path)
    if name == STANDARD_INPUT:
        return from_bytes(_piped(), STANDARD_INPUT)
    try:
        content = content_of(name)
    except ForeignError as error:
        raise ForeignError(f"{visible(name)}: {error}") from None
    return _listed(content)


def from_bytes(content: bytes, name: str) -> Container:
    """The arrays of a file's bytes, as `open_container` lists them; the name is the file's."""
    return _listed(Content(name, len(content), held=content))


def _listed(content: Content) -> Container:
    """The arrays of a file in the format that tells itself."""
    shown = "standard input" if content.name == STANDARD_INPUT else visible(content.name)
    try:
        kind = next(kind for kind in FORMATS if kind.tells(content))
        listing = kind.lists(content)
    except (ForeignError, OSError, MemoryError) as error:
        raise ForeignError(visible(f"{shown}: {because(error)}")) from None
    if kind.extensions and content.extension in _TOLD_BY_NAME - kind.extensions:
        note = f"its name ends in {content.extension} and its content is {kind.name}: read as that"
        listing = replace(listing, notes=(note, *listing.notes))
    return Container(content.name, listing.entries, tuple(visible(note) for note in listing.notes))


def _piped() -> bytes:
    """All of standard input; raises ForeignError for a keyboard and for too much."""
    if sys.stdin is None or sys.stdin.closed:
        raise ForeignError("standard input is closed: pipe a file into it")
    if sys.stdin.isatty():
        raise ForeignError("standard input is the keyboard: pipe a file into it, as in cat q.npy | attn-tui -")
    try:
        piped = sys.stdin.buffer.read(LARGEST_INPUT + 1)
    except OSError as error:
        raise ForeignError(f"standard input cannot be read: {error.strerror}") from None
    if len(piped) > LARGEST_INPUT:
        raise ForeignError(
            f"standard input has more than {LARGEST_INPUT} bytes: name the file instead, which is mapped"
        )
    return piped
