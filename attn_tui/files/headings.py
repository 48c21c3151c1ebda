"""Lines of a printed table that hold no numbers: what each says of the numbers below or above it."""

import re
from typing import NamedTuple

ELLIPSIS = re.compile(r"(?<![\w.])\.{3,}+(?!\w)|[\u2026\u22ee\u22ef\u22f0\u22f1]")
"""Dots where a print leaves numbers out, in NumPy, PyTorch, pandas and Julia."""


class Heading(NamedTuple):
    """A kind of line: what it is called, and the pattern of all of the line."""

    kind: str
    pattern: re.Pattern[str]


_TYPE = r"(?: (?P<type>[^\d\s].*))?\s*+"

HEADINGS: tuple[Heading, ...] = tuple(
    Heading(kind, re.compile(pattern))
    for kind, pattern in (
        ("columns", r"\s*+Columns? \d+(?: (?:through|to|and) \d+)?:?\s*+"),
        ("columns", r"\s*+(?:\[,\d+\]\s*+)+"),
        ("factor", r"\s*+(?P<factor>[\d.]+[eE][+-]?\d+)\s*+\*\s*+"),
        ("shape", r"\s*+(?P<rows>\d+)-element (?P<type>\S.*)"),
        ("shape", rf"\s*+(?P<rows>\d+)[×x](?P<columns>\d+){_TYPE}"),
        ("shape", rf"\s*+(?P<name>[A-Za-z_]\w*+) ?= ?(?P<rows>\d+)[×x](?P<columns>\d+){_TYPE}"),
        ("name", r"\s*+\$?(?P<name>[A-Za-z_][\w.]*+)\s*+=\s*+"),
        ("name", r"\$(?P<name>[A-Za-z_][\w.]*+)\s*+"),
        ("rule", r"(?=[^|]*+\|)(?=[^-]*+-)[\s|:+-]*+"),
        ("rule", r"\s*+[─━-]{2}[\s─┼━╪+-]*+"),
        ("aside", r"(?:Diagonal Matrix|Row vector|```.*|\[torch\.\w+ of size .*\]|\[\d+ rows x \d+ columns\])\s*+"),
        ("comment", r"\s*+[#%] .*"),
    )
)
"""Every kind of line without numbers; the first whose pattern fits a whole line counts."""

_MAY_BEGIN = re.compile(r"\s*+(?:[\[$\d|:+─━#%-]|Column|Diagonal|Row vector|```|[A-Za-z_][\w.]*+\s*+=)")

PREFIX = re.compile(r"\s*+\[(?P<row>\d+)(?P<matrix>,?)\](?=\s++\S)")
"""What R puts before the numbers of a line: [13] in a vector, [2,] in a matrix."""

ASSIGNED = re.compile(r"\s*+(?P<name>[A-Za-z_]\w*+)\s*+=(?P<rest>.*\S.*)")
"""A name and its numbers on one line."""

PROMPT = re.compile(r"^(?:>>> |In ?\[\d+\]: |julia> |octave:\d+> ).*$|^Out\[\d+\]:", re.MULTILINE)
"""What a console shows besides the array: the command typed, and the number of the answer."""

LABEL_HEADS = frozenset({"", "key", "keys", "token", "tokens", "label", "name", "index", "row", "id", "vector"})
"""Names, in lower case, of a first column that holds row names."""

TYPE_NAMES = re.compile(r"(?:(?:Big)?Float|U?Int|Bool|String|Any)\d*\??")
"""Julia's type of a column, under its name."""


def heading_of(line: str) -> tuple[str, re.Match[str]] | None:
    """The kind of a line without numbers, with its parts; None for a line of the table."""
    for kind, pattern in HEADINGS if _MAY_BEGIN.match(line) else ():
        match = pattern.fullmatch(line)
        if match is not None:
            return kind, match
    return None
