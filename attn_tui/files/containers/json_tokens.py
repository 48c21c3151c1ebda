"""JSON cut into tokens in one pass, with NaN and Infinity as Python writes them, and any depth without recursion."""

import json
import re
from typing import NamedTuple

from attn_tui.files.errors import ForeignError
from attn_tui.files.numbers import shown
from attn_tui.files.reading import NumberReader
from attn_tui.files.visible import visible

DEEPEST = 1000
"""Brackets that may be open at once in what is passed over."""

_TOKEN = re.compile(
    r'[ \t\r\n]*+(?:(?P<mark>[\[\]{},:])|(?P<string>"(?:[^"\\\x00-\x1f]|\\.)*+")'
    r'|(?P<word>[^\s\[\]{},:"]++)|(?P<end>\Z))'
)
_BLANKS = re.compile(r"[ \t\r\n]*+")
_UNSTRUCTURED = re.compile(r'[^\[\]{}"]*+')
_CLOSING = {"[": "]", "{": "}"}


class Token(NamedTuple):
    """A piece of JSON: its kind (a mark is its own kind), what it says, and where it begins."""

    kind: str
    text: str
    start: int


class JsonTokens:
    """The tokens of a text, one at a time."""

    def __init__(self, source: str) -> None:
        self.source = source
        self.position = 0
        self._places = NumberReader(source)

    def next(self) -> Token:
        """The next token, of kind `end` at the end; raises ForeignError with the place at what is no JSON."""
        match = _TOKEN.match(self.source, self.position)
        if match is None:
            blanks = _BLANKS.match(self.source, self.position)
            start = blanks.end() if blanks else self.position
            stray = self.source[start : start + 1]
            raise self._places.refusal(
                start, f"a stray {visible(stray)}" if stray != '"' else "a quote is never closed"
            )
        kind = match.lastgroup or "end"
        self.position = match.end()
        text = match.group(kind)
        token = Token(text if kind == "mark" else kind, text, match.start(kind))
        return token._replace(text=self._unescaped(token)) if kind == "string" else token

    def expect(self, kinds: str, said: str) -> Token:
        """The next token, which must be one of these marks or kinds; raises ForeignError with the place."""
        token = self.next()
        if token.kind not in kinds.split(" "):
            raise self.unexpected(token, said)
        return token

    def unexpected(self, token: Token, said: str) -> ForeignError:
        """The error for a token where something else should be."""
        found = "the text ends" if token.kind == "end" else f"here is {visible(shown(token.text))}"
        return self._places.refusal(token.start, f"{found} where {said} should be: this is no JSON")

    def skip(self, opening: str) -> None:
        """Pass over the rest of a value whose bracket has been opened; raises ForeignError if it is never closed."""
        open_brackets = [opening]
        start = self.position
        while open_brackets:
            match = _UNSTRUCTURED.match(self.source, self.position)
            self.position = match.end() if match else self.position
            token = self.next()
            if token.kind in _CLOSING:
                open_brackets.append(token.kind)
                if len(open_brackets) > DEEPEST:
                    raise self._places.refusal(token.start, f"more than {DEEPEST} brackets are open")
            elif token.kind == "end":
                raise self._places.refusal(max(start - 1, 0), f"this {opening} is never closed")
            elif token.kind in ("]", "}") and _CLOSING[open_brackets.pop()] != token.kind:
                raise self._places.refusal(token.start, f"this {token.kind} closes no bracket")

    def _unescaped(self, token: Token) -> str:
        """What a string means."""
        if "\\" not in token.text:
            return token.text[1:-1]
        try:
            return str(json.loads(token.text))
        except ValueError:
            raise self._places.refusal(token.start, "a string with a backslash that means nothing") from None
