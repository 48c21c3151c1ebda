"""Arrays printed with brackets: NumPy, PyTorch, JAX, Python, JSON, and MATLAB or Julia as code."""

import re
from array import array
from collections.abc import Callable

import numpy as np

from attn_tui.files import calls
from attn_tui.files.brackets import Bracket, Role
from attn_tui.files.errors import ForeignError
from attn_tui.files.reading import POWER_OF_TEN, Found, NumberReader
from attn_tui.files.tokens import Token, Tokens, following

DEEPEST = 32
"""Brackets that may be open at once; a matrix in a call in an object needs five."""

MOST_NAMED = 4096
"""Named arrays that one text may hold."""

_RUN = re.compile(r"[\d\s.,eE+-]{1,4000000}+(?=[\])])")
_CLOSING = {"[": "]", "(": ")", "{": "}"}


class BracketedText:
    """One pass over the tokens of a text; the brackets that are open are a list, so depth costs no recursion."""

    def __init__(self, reader: NumberReader) -> None:
        self.notes: list[str] = []
        self._reader = reader
        self._tokens = Tokens(reader)
        self._found: list[Found] = []
        self._open = [Bracket("", 0, "document")]
        self._words: list[Token] = []
        self._name: str | None = None
        self._dtype: str | None = None
        self._rounded = False
        self._takes = self._kinds()

    def _kinds(self) -> dict[str, Callable[[Token], None]]:
        """What takes each kind of token."""
        return {
            **dict.fromkeys("[({", self._take_opening),
            **dict.fromkeys("])}", self._take_closing),
            "newline": self._take_newline,
            "word": self._take_word,
            "string": self._take_string,
            "angle": self._take_angle,
            ",": self._take_comma,
            ";": self._take_semicolon,
            ":": self._take_colon,
            "=": self._take_equals,
            "*": self._take_star,
        }

    def read(self) -> list[Found]:
        """Every array of the text in order; raises ForeignError with the place at what cannot be read."""
        for token in self._tokens:
            self._takes[token.kind](token)
        self._settle()
        if len(self._open) > 1:
            unclosed = self._open[-1]
            raise self._reader.refusal(unclosed.start, f"this {unclosed.opening} is never closed")
        if self._name is not None:
            raise self._reader.refusal(len(self._reader.source), f"nothing comes after {self._name[:40]}")
        if self._open[0].count:
            self._keep_unnamed()
        precision = calls.precision_note(self._reader.first) if self._rounded and not self.notes else None
        self.notes += [precision] if precision else []
        return self._found

    def _take_newline(self, _: Token) -> None:
        """The end of a line, which is a blank here."""

    def _take_word(self, token: Token) -> None:
        """A number, or the name of what comes next."""
        number = self._reader.read(token.text)
        if number is None:
            self._check_word(token)
            self._words.append(token)
            return
        self._settle()
        self._place_number(token, token.text, number)

    def _check_word(self, token: Token) -> None:
        """Raise ForeignError for a word that can name nothing."""
        source = self._reader.source
        names = source[token.end : token.end + 1] in ("(", "[") or following(source, token.end) in ("=", ":")
        if not names and (self._open[-1].role != "document" or len(self._words) == 8):
            self._refuse_word((*self._words, token)[0])

    def _take_string(self, token: Token) -> None:
        """A key of an object, or a number in quotes."""
        written = token.text[1:-1]
        if following(self._reader.source, token.end) == ":":
            self._words.append(token._replace(text=written))
            return
        self._settle()
        number = self._reader.read(written)
        if number is None:
            raise self._reader.refused_number(token.start, written)
        self._reader.strings += 1
        self._place_number(token, written, number)

    def _take_angle(self, token: Token) -> None:
        """Something in angle brackets, which is a function or an object."""
        raise self._reader.refused_number(token.start, token.text)

    def _take_opening(self, token: Token) -> None:
        """An opening bracket: a list, a tuple, an object or a call, by what stands before it."""
        if len(self._open) > DEEPEST:
            reason = f"more than {DEEPEST} brackets are open: no vector or matrix is that deep"
            raise self._reader.refusal(token.start, reason)
        adjacent = bool(self._words) and self._words[-1].end == token.start
        role = self._role(token) if adjacent else "list"
        if self._words and self._open[-1].role == "document":
            self._take_name()
        self._settle()
        bracket = Bracket(token.text, token.start, role)
        self._open.append(bracket)
        if role == "list":
            self._fill(bracket, token.end)

    def _fill(self, bracket: Bracket, start: int) -> None:
        """Read at once what is in a bracket if it is nothing but numbers."""
        match = _RUN.match(self._reader.source, start)
        if match is None or self._reader.exponent:
            return
        numbers = self._reader.read_run(match.group())
        if numbers is not None:
            bracket.add_run(numbers)
            self._tokens.skip_to(match.end())

    def _role(self, token: Token) -> Role:
        """What the word right before an opening bracket makes of it."""
        word = self._words.pop()
        called = word.text.rpartition(".")[2]
        if called in calls.UNREAD:
            raise self._reader.refusal(word.start, calls.UNREAD[called])
        if token.text == "[" and called in calls.ELEMENT_TYPES:
            self._dtype = called.lower()
            return "list"
        if token.text != "(" or called not in calls.CALLS:
            raise self._reader.refusal(word.start, f"{word.text[:40]}{token.text} is not a form that is read here")
        self._rounded |= called in calls.ROUNDED_PRINTS
        return calls.CALLS[called]

    def _take_closing(self, token: Token) -> None:
        """A closing bracket: what it held becomes one item of the bracket around it."""
        self._settle()
        bracket = self._open[-1]
        if _CLOSING.get(bracket.opening) != token.text:
            raise self._reader.refusal(token.start, f"this {token.text} closes no bracket")
        self._open.pop()
        if bracket.role == "object":
            self._open[-1].skip_item()
            return
        shape = bracket.finish(self._reader)
        if bracket.role in ("call", "number"):
            if bracket.count != 1:
                raise self._reader.refusal(bracket.start, f"a call holds one array, this one has {bracket.count}")
            shape = shape[1:]
        self._place_array(bracket, shape)

    def _take_comma(self, token: Token) -> None:
        """A comma between items."""
        self._settle()
        if not self._open[-1].end_at_comma(self._reader.source, token.start):
            raise self._reader.refusal(token.start, "a number is missing before this comma")

    def _take_semicolon(self, token: Token) -> None:
        """The end of a row in MATLAB and Julia, or of a statement."""
        self._settle()
        self._open[-1].end_row(self._reader, token.start)

    def _take_colon(self, token: Token) -> None:
        """The end of a name, which in braces makes them an object."""
        bracket = self._open[-1]
        if bracket.opening == "{" and bracket.count == 0 and bracket.role == "list":
            if len(self._open) > 2:
                reason = "an object inside another bracket is not read: paste the inner one"
                raise self._reader.refusal(bracket.start, reason)
            bracket.role = "object"
        if not self._words or self._name is not None or bracket.role not in ("document", "object"):
            raise self._reader.refusal(token.start, f"a stray {token.text}")
        self._take_name()

    def _take_equals(self, token: Token) -> None:
        """The end of a name, or of the keyword of an argument."""
        if self._open[-1].role != "call":
            self._take_colon(token)
            return
        if not self._words:
            raise self._reader.refusal(token.start, f"a stray {token.text}")
        keyword = self._words.pop()
        if keyword.text in calls.SKIPPED_KEYWORDS:
            self._skip_argument(keyword.text)
        elif keyword.text not in calls.DATA_KEYWORDS:
            raise self._reader.refusal(keyword.start, f"the argument {keyword.text[:40]} is not known here")

    def _skip_argument(self, keyword: str) -> None:
        """Pass over the value of an argument, up to its comma or the end of the call, and keep a dtype."""
        depth = 0
        for token in self._tokens:
            if token.kind == "," and depth == 0:
                return
            depth += (token.kind in _CLOSING) - (token.kind in _CLOSING.values())
            if depth < 0:
                self._take_closing(token)
                return
            if keyword == "dtype" and token.kind in ("word", "string"):
                dtype = token.text.strip("'\"<>=").rpartition(".")[2]
                self._dtype = calls.DTYPES.get(dtype, dtype)

    def _take_star(self, token: Token) -> None:
        """A common factor before an array."""
        written = self._open[-1].take_back(self._reader)
        match = POWER_OF_TEN.fullmatch(written)
        if match is None:
            reason = "a stray *: only a power of ten before all numbers is a common factor"
            raise self._reader.refusal(token.start, reason)
        self._reader.exponent = int(match.group(1))
        self.notes.append(f"common factor {written}")

    def _place_number(self, token: Token, written: str, number: float) -> None:
        """One number becomes an item of the innermost bracket, or an array with a name."""
        bracket = self._open[-1]
        if self._is_named(token.start):
            self._keep((), array("d", (number,)))
            bracket.skip_item()
        else:
            bracket.add_number(self._reader, token.start, written, number)

    def _place_array(self, inner: Bracket, shape: tuple[int, ...]) -> None:
        """A closed bracket becomes an item of the one around it, or an array with a name."""
        outer = self._open[-1]
        if self._is_named(inner.start):
            self._check_axes(inner.start, shape)
            self._keep(shape, inner.flat)
            outer.skip_item()
        else:
            outer.add_array(self._reader, inner.start, shape, inner.flat)
        if outer.role in ("document", "object"):
            self._reader.exponent = 0

    def _is_named(self, offset: int) -> bool:
        """Whether the next item has a name of its own; raises ForeignError for one without a key in an object."""
        role = self._open[-1].role
        if role == "object" and self._name is None:
            raise self._reader.refusal(offset, "a name is missing before this")
        return self._name is not None and role in ("document", "object")

    def _check_axes(self, offset: int, shape: tuple[int, ...]) -> None:
        """Raise ForeignError for more than two axes."""
        if len(shape) > 2:
            reason = f"this has {len(shape)} dimensions {shape}: paste a vector or a matrix of it"
            raise self._reader.refusal(offset, reason)

    def _keep_unnamed(self) -> None:
        """All items without a name are one array."""
        document = self._open[0]
        shape = document.finish(self._reader)
        shape = shape[1:] if document.count == 1 else shape
        self._check_axes(document.start, shape)
        self._keep(shape, document.flat)

    def _keep(self, shape: tuple[int, ...], flat: "array[float]") -> None:
        """An array has been found."""
        if len(self._found) == MOST_NAMED:
            raise ForeignError(f"this holds more than {MOST_NAMED} named arrays: paste fewer")
        numbers = np.array(flat, dtype=np.float64).reshape(shape)
        self._found.append(Found(numbers, self._name, None, self._dtype))
        self._name, self._dtype = None, None

    def _take_name(self) -> None:
        """The words before an array become its name."""
        name = " ".join(word.text for word in self._words)
        if name.rpartition(".")[2] in calls.UNREAD:
            raise self._reader.refusal(self._words[0].start, calls.UNREAD[name.rpartition(".")[2]])
        self._words.clear()
        self._name = None if name in calls.UNNAMING else name

    def _settle(self) -> None:
        """Raise ForeignError for words that turned out to name nothing."""
        if self._words:
            self._refuse_word(self._words[0])

    def _refuse_word(self, word: Token) -> None:
        """Raise ForeignError for a word where a number should be."""
        raise self._reader.refused_number(word.start, word.text)
