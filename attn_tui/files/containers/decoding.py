"""The text in a file: UTF-8, or what its byte order mark says."""

import codecs

from attn_tui.files.containers.content import Content
from attn_tui.files.errors import ForeignError

LARGEST_TEXT = 64 * 2**20
"""Bytes of the largest file that is read as text."""

_MARKS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
"""Byte order marks and what they announce; the longer ones first, where one begins like another."""


def decoded(content: Content) -> str:
    """The whole text without its byte order mark; raises ForeignError for too much of it and for what is no text."""
    if content.size > LARGEST_TEXT:
        raise ForeignError(
            f"has {content.size} bytes, and at most {LARGEST_TEXT // 2**20} MiB are read as text: "
            "save it with np.save, which is opened without reading all of it"
        )
    written = content.part(0, content.size)
    encoding = next((encoding for mark, encoding in _MARKS if written.startswith(mark)), "utf-8")
    try:
        text = written.decode(encoding)
    except UnicodeDecodeError as error:
        raise ForeignError(
            f"is no {encoding.upper()} text, from byte {error.start} on, and of no kind of file that is read here: "
            "save it as UTF-8, or as .npy"
        ) from None
    if "\0" in text:
        raise ForeignError("holds null characters, so it is no text, and of no kind of file that is read here")
    return text.removeprefix("\ufeff")
