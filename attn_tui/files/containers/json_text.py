"""JSON: an object of arrays under whatever names, a lone list, or a scene as this program writes it."""

import re

from attn_tui.files.containers.container import Entry, Listing, UnreadableError
from attn_tui.files.containers.content import Content
from attn_tui.files.containers.decoding import decoded
from attn_tui.files.containers.json_arrays import JsonArray
from attn_tui.files.containers.json_tokens import JsonTokens, Token
from attn_tui.files.errors import ForeignError
from attn_tui.files.literal import MOST_NAMED
from attn_tui.files.numbers import shown
from attn_tui.files.reading import NumberReader
from attn_tui.files.visible import visible

SCENE = "scene"
"""The object of our own reports and sessions that holds the arrays; what stands beside it follows from them."""

_BEGINS = re.compile(rb'(?:\xef\xbb\xbf)?\s*(?:\{\s*["}]|(?:\[\s*)+(?:"|true|false|null)|(?:\[\s*){3})')


def is_json(content: Content) -> bool:
    """Whether the content is called .json, or begins as JSON and no other printed form does."""
    return content.extension == ".json" or _BEGINS.match(content.beginning) is not None


def list_json(content: Content) -> Listing:
    """Every array of a JSON text by name; raises ForeignError with the place for what is no JSON, or is ragged."""
    reading = _Reading(JsonTokens(decoded(content)))
    reading.read()
    if not reading.entries:
        said = "; ".join(reading.notes[:4])
        raise ForeignError(f"holds no arrays{': ' if said else ''}{said}")
    return Listing(tuple(reading.entries), tuple(reading.notes))


class _Reading:
    """One pass over a JSON text."""

    def __init__(self, tokens: JsonTokens) -> None:
        self.entries: list[Entry] = []
        self.notes: list[str] = []
        self._has_scene = False
        self._tokens = tokens

    def read(self) -> None:
        """The whole text, which is one value."""
        first = self._tokens.next()
        if first.kind == "{":
            self._read_object(is_top=True)
        else:
            try:
                self._keep(*JsonArray(self._tokens, "").entry(first))
            except UnreadableError as error:
                raise ForeignError(f"{error}, not one array: name its arrays in an object") from None
        self._tokens.expect("end", "the end")

    def _read_object(self, *, is_top: bool) -> None:
        """The members of an object whose brace has been opened; raises ForeignError for a name that comes twice."""
        names: set[str] = set()
        token = self._tokens.expect("string }", "a name in quotes")
        while token.kind == "string":
            if token.text in names:
                reason = f"two arrays are called '{visible(shown(token.text))}': leave one of them out"
                raise NumberReader(self._tokens.source).refusal(token.start, reason)
            names.add(token.text)
            self._tokens.expect(":", "a colon")
            self._read_member(token.text, self._tokens.next(), is_top=is_top)
            if self._tokens.expect(", }", "a comma or }").kind == "}":
                return
            token = self._tokens.expect("string", "a name in quotes")

    def _read_member(self, name: str, first: Token, *, is_top: bool) -> None:
        """One named value, which begins with a token; null is none."""
        if is_top and name == SCENE and first.kind == "{":
            self._read_scene()
        elif is_top and self._has_scene:
            if first.kind in ("[", "{"):
                self._tokens.skip(first.kind)
        elif first.kind == "{":
            self._tokens.skip("{")
            self.notes.append(f"{visible(shown(name))} is an object: not read")
        elif (first.kind, first.text) != ("word", "null"):
            self._read_array(name, first)

    def _read_scene(self) -> None:
        """The scene of our own format, in place of whatever stands before it."""
        self.entries.clear()
        self.notes.clear()
        self._read_object(is_top=False)
        self._has_scene = True
        self.notes.append("the scene in it is read, and nothing that stands beside it")

    def _read_array(self, name: str, first: Token) -> None:
        """An array or a note on why it is none; raises ForeignError with its name."""
        try:
            self._keep(*JsonArray(self._tokens, name).entry(first))
        except UnreadableError as error:
            self.notes.append(f"{visible(shown(name))} {error.reason}: not read")
        except ForeignError as error:
            raise ForeignError(f"{visible(shown(name))}: {error}" if name else str(error)) from None

    def _keep(self, entry: Entry, notes: list[str]) -> None:
        """An array has been found; raises ForeignError for too many."""
        if len(self.entries) == MOST_NAMED:
            raise ForeignError(f"holds more than {MOST_NAMED} arrays: save fewer in one file")
        self.entries.append(entry)
        self.notes.extend(notes)
