"""Text cut into the tokens of a printed array, lazily and in one pass."""

import re
from collections.abc import Iterator
from typing import NamedTuple

from attn_tui.files.reading import NumberReader

_TOKEN = re.compile(
    r"""[^\S\n]*+(?:
      (?P<newline>\n)
    | (?P<string>"(?:[^"\\\n]|\\.)*+"|'(?:[^'\\\n]|\\.)*+')
    | (?P<angle><[^<>\n]*+>)
    | (?P<mark>[\[\](){},;:=*])
    | (?P<word>[^\s\[\](){},;:=*"'<>|]++)
    | (?P<end>\Z)
    )""",
    re.VERBOSE,
)

_NEXT = re.compile(r"\s*+(\S?)")
_FILLED = re.compile(r"\S")


class Token(NamedTuple):
    """A piece of text: its kind (a mark is its own kind), what it says, and where it begins and ends."""

    kind: str
    text: str
    start: int
    end: int


class Tokens:
    """The tokens of the reader's text, one after the other."""

    def __init__(self, reader: NumberReader) -> None:
        self._reader = reader
        self._position = 0

    def __iter__(self) -> Iterator[Token]:
        """The tokens from here on; raises ForeignError with the place at a character that belongs to none."""
        text = self._reader.source
        while True:
            match = _TOKEN.match(text, self._position)
            if match is None:
                start = _first_filled(text, self._position)
                raise self._reader.refusal(start, _stray(text[start]))
            kind = match.lastgroup or "end"
            if kind == "end":
                return
            self._position = match.end()
            yield Token(
                match.group(kind) if kind == "mark" else kind, match.group(kind), match.start(kind), match.end()
            )

    def skip_to(self, position: int) -> None:
        """Go on from here: what comes before has been read."""
        self._position = position


def following(text: str, position: int) -> str:
    """The first character after this position that is not blank, or ''."""
    match = _NEXT.match(text, position)
    return match.group(1) if match else ""


def _first_filled(text: str, position: int) -> int:
    """Where the first character from this position on stands that is not blank."""
    match = _FILLED.search(text, position)
    return match.start() if match else position


def _stray(character: str) -> str:
    """What to say of a character that begins no token."""
    if character in ("'", '"'):
        return f"a quote {character} that is never closed"
    return f"a stray {character}"
