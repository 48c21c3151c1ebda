"""CSV, TSV, Markdown and printed arrays: whatever is read when it is pasted."""

import re

import numpy as np

from attn_tui.files.containers.container import Entry, Listing
from attn_tui.files.containers.content import Content
from attn_tui.files.containers.decoding import decoded
from attn_tui.files.containers.texts import text_entry
from attn_tui.files.errors import ForeignError
from attn_tui.files.vectors import Parsed, parse_mask, parse_named
from attn_tui.files.visible import visible

LABELS = "labels"
"""What the names of rows are called as an entry."""

_BOOLEAN = re.compile(r"\b(?:true|false)\b", re.IGNORECASE)


def list_text(content: Content) -> Listing:
    """The arrays of a text by their names, and the names of their rows; raises ForeignError with the place."""
    text = decoded(content)
    is_mask = _BOOLEAN.search(text) is not None and _is_mask(text)
    named = parse_named(_BOOLEAN.sub(_as_digit, text) if is_mask else text)
    entries = [_entry(name, parsed, text, is_mask=is_mask) for name, parsed in named.items()]
    notes = list(dict.fromkeys(note for parsed in named.values() for note in parsed.notes))
    labelled = [parsed.labels for parsed in named.values() if parsed.labels]
    # several tables with row names: nothing says whose they should be
    if len(labelled) == 1 and LABELS not in named:
        labels = list(labelled[0])
        entries.append(text_entry(LABELS, labels, (len(labels),)))
        notes.append(_row_names(labels))
    return Listing(tuple(entries), tuple(notes))


def _entry(name: str, parsed: Parsed, text: str, *, is_mask: bool) -> Entry:
    """What has been read already, in float64 whatever dtype the print states; a lone number without brackets is one."""
    is_number = parsed.array.size == 1 and not parsed.labels and "[" not in text
    array = parsed.array.reshape(() if is_number else parsed.array.shape)
    array = np.asarray(array == 1.0) if is_mask else array
    array.flags.writeable = False
    return Entry(name, array.shape, array.dtype.name, lambda: array)


def _is_mask(text: str) -> bool:
    """Whether a text is one array of true and false."""
    try:
        parse_mask(text)
    except ForeignError:
        return False
    return True


def _as_digit(word: re.Match[str]) -> str:
    """1 for true and 0 for false, with blanks that no comma beside it is taken as a decimal one."""
    return " 1 " if word.group().lower() == "true" else " 0 "


def _row_names(labels: list[str]) -> str:
    """A note on the column that was taken as names."""
    first, last = visible(labels[0])[:20], visible(labels[-1])[:20]
    return f"the first column names the rows, {first} to {last}: read as {LABELS}, not as a component"
