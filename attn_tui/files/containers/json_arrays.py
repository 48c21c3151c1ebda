"""One value of a JSON text as an array: numbers, true and false, or texts, of any number of axes."""

import re
from array import array
from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from attn_tui.files.brackets import ragged
from attn_tui.files.containers.container import Entry, UnreadableError
from attn_tui.files.containers.item_types import MOST_AXES
from attn_tui.files.containers.json_tokens import JsonTokens, Token
from attn_tui.files.containers.texts import text_entry
from attn_tui.files.errors import ForeignError
from attn_tui.files.reading import NumberReader
from attn_tui.files.runs import read_run

TEXT_NAMES = frozenset({"labels", "label", "tokens", "token", "names", "words", "str_tokens", "query_label"})
"""Names, in lower case, of texts, which are texts even if they look like numbers."""

_SPECIAL = frozenset({"nan", "inf", "-inf", "infinity", "-infinity"})
"""Numbers that strict JSON can only write as strings, in lower case."""
_RUN = re.compile(r"[\d\s.,eE+Na-]{1,1000000}+")
"""What plain numbers and NaN are made of, which are most of what there is to read."""
_NULL = "null is not a number: write NaN where a missing number should count as NaN"
_BOOLEAN = "true and false belong to a mask, where nothing else stands"


class _List:
    """An open list: how many items it has, and the shape of each."""

    def __init__(self, start: int) -> None:
        self.start = start
        self.count = 0
        self.item_shape: tuple[int, ...] | None = None


class JsonArray:
    """Reads one value; what is wrong with its items is said when the array is read, where in the text and why."""

    def __init__(self, tokens: JsonTokens, name: str) -> None:
        self._tokens = tokens
        self._name = name
        self._reader = NumberReader(tokens.source)
        self._open: list[_List] = []
        self._numbers: array[float] = array("d")
        self._texts: list[str] = []
        self._counts = {"number": 0, "boolean": 0, "text": 0}
        self._problem: ForeignError | None = None
        self._first_boolean: int | None = None
        self._not_a_run_before = 0

    def entry(self, first: Token) -> tuple[Entry, list[str]]:
        """The value that begins with a token, with notes.

        Raises ForeignError with the place for a ragged matrix and for what is no JSON, UnreadableError for lists of
        objects and ragged lists of texts, which have been passed over then.
        """
        shape = self._shape(first)
        if self._counts["text"] == len(self._texts) == len(self._numbers) and self._texts and not self._are_numbers():
            return text_entry(self._name, self._texts, shape), []
        prefix = f"{self._name}: " if self._name else ""
        notes = [f"{prefix}{note}" for note in self._reader.notes()]
        is_mask = self._counts["boolean"] == len(self._numbers) > 0
        numbers = np.frombuffer(self._numbers, np.float64).reshape(shape) if self._numbers else np.empty(shape)
        numbers.flags.writeable = False
        if is_mask:
            mask = np.asarray(numbers == 1.0)
            mask.flags.writeable = False
            return Entry(self._name, shape, "bool", lambda: mask), notes
        return Entry(self._name, shape, "float64", self._source(numbers)), notes

    def _source(self, numbers: NDArray[np.float64]) -> Callable[[], NDArray[Any]]:
        """What gives the numbers, or says what is wrong with them."""
        problem = self._problem
        if problem is None and self._first_boolean is not None:
            problem = self._reader.refusal(self._first_boolean, _BOOLEAN)

        def read() -> NDArray[Any]:
            """The numbers; raises ForeignError where one of them is none."""
            if problem is not None:
                raise ForeignError(str(problem))
            return numbers

        return read

    def _are_numbers(self) -> bool:
        """Whether texts are nothing but numbers in quotes, under a name that does not say otherwise."""
        return self._problem is None and self._name.lower() not in TEXT_NAMES

    def _shape(self, first: Token) -> tuple[int, ...]:
        """Read all of the value: the shape it has."""
        if first.kind != "[":
            self._take_item(first)
            return ()
        self._open.append(_List(first.start))
        while True:
            shape = self._read_list()
            if shape is not None:
                return shape

    def _read_list(self) -> tuple[int, ...] | None:
        """Read on in the innermost list up to the bracket that opens or closes one; the shape if all is closed."""
        if self._take_run():
            return self._after_item()
        current = self._open[-1]
        token = self._tokens.next()
        if token.kind == "[":
            self._deepen(token)
            return None
        if token.kind == "]" and current.count == 0:
            return self._close()
        if token.kind == "{":
            self._tokens.skip("{")
            self._skip("holds objects")
        self._add(token.start, ())
        self._take_item(token)
        return self._after_item()

    def _after_item(self) -> tuple[int, ...] | None:
        """What follows an item: a comma, or the end of the list, and of those around it."""
        while True:
            token = self._tokens.expect(", ]", "a comma or ]")
            if token.kind == ",":
                return None
            shape = self._shape_of_closed()
            if not self._open:
                return shape

    def _close(self) -> tuple[int, ...] | None:
        """An empty list ends."""
        shape = self._shape_of_closed()
        return self._after_item() if self._open else shape

    def _shape_of_closed(self) -> tuple[int, ...]:
        """The innermost list is complete, and an item of the one around it: its shape."""
        closed = self._open.pop()
        shape = (closed.count, *(closed.item_shape or ()))
        if self._open:
            self._add(closed.start, shape)
        return shape

    def _deepen(self, token: Token) -> None:
        """One more list begins; raises ForeignError where no array is that deep."""
        if len(self._open) == MOST_AXES:
            raise self._reader.refusal(token.start, f"more than {MOST_AXES} brackets are open: no array is that deep")
        self._open.append(_List(token.start))

    def _add(self, offset: int, shape: tuple[int, ...], count: int = 1) -> None:
        """Items of the innermost list; raises ForeignError, or passes over ragged texts, if the first was another."""
        current = self._open[-1]
        if current.item_shape is not None and shape != current.item_shape:
            if self._texts and len(self._texts) == len(self._numbers):
                self._skip("holds lists of different lengths")
            raise ragged(self._reader, offset, current.count + 1, shape, current.item_shape)
        current.item_shape = shape
        current.count += count

    def _skip(self, reason: str) -> None:
        """Pass over the rest of all open lists, and raise UnreadableError."""
        for _ in self._open:
            self._tokens.skip("[")
        raise UnreadableError(reason)

    def _take_run(self) -> bool:
        """Many plain numbers are read at once, up to the last comma or the end of the list: whether it is the end."""
        source, start = self._tokens.source, self._tokens.position
        match = _RUN.match(source, start) if start >= self._not_a_run_before else None
        if match is None:
            return False
        end = match.end() if source[match.end() : match.end() + 1] == "]" else source.rfind(",", start, match.end())
        text = source[start : max(end, start)]
        numbers = read_run(text) if "," in text or end == match.end() else None
        if numbers is None or text.count(",") != len(numbers) - 1:
            self._not_a_run_before = match.end()
            return False
        self._add(start, (), len(numbers))
        self._numbers.extend(numbers)
        self._reader.count += len(numbers)
        self._counts["number"] += len(numbers)
        is_end = source[end] == "]"
        self._tokens.position = end if is_end else end + 1
        return is_end

    def _take_item(self, token: Token) -> None:
        """A number, a word or a text; what is no number leaves NaN in its place and a reason not to read any."""
        if token.kind == "string":
            self._take_string(token)
            return
        if token.kind != "word":
            raise self._tokens.unexpected(token, "a number")
        if token.text in ("true", "false"):
            self._counts["boolean"] += 1
            self._numbers.append(float(token.text == "true"))
            self._first_boolean = token.start if self._first_boolean is None else self._first_boolean
            return
        number = self._reader.read(token.text)
        if number is None:
            reason = self._reader.refusal(token.start, _NULL) if token.text == "null" else None
            if reason is None:
                raise self._reader.refused_number(token.start, token.text)
            self._problem = self._problem or reason
        self._counts["number"] += 1
        self._numbers.append(np.nan if number is None else number)

    def _take_string(self, token: Token) -> None:
        """A text, which may be a number in quotes."""
        if len(self._texts) == len(self._numbers):
            self._texts.append(token.text)
        self._counts["text"] += 1
        number = self._reader.read(token.text.strip())
        if number is None:
            self._problem = self._problem or self._reader.refused_number(token.start, token.text)
        self._reader.strings += number is not None and token.text.lower() not in _SPECIAL
        self._numbers.append(np.nan if number is None else number)
