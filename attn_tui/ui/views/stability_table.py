"""The stability view's table: each key's way through the naive and the stable softmax, in as many columns as fit."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from rich.cells import cell_len
from rich.style import Style

from attn_tui.core.arrays import FloatArray
from attn_tui.core.breaks import Break
from attn_tui.core.masking import AddedMask
from attn_tui.core.stability import Comparison
from attn_tui.files.visible import visible
from attn_tui.model.figures import figure
from attn_tui.ui.lines import Glyphs, Piece, fit

Ink = Callable[[str], Style]
"""The style of one of the panes' component classes."""

_MARK = "!"
"""What stands before the number of the first step that breaks."""
_NEEDED = ((8, 10), (6, 8), (5, 8))
"""Digits to try, the most first, each with the last rank that has to fit for it."""
_OF_A_BREAK = 4
"""The rank of the exps when they, or their sum, are the first to break, and of the exact weights when scores are."""
_IN_ORDER = 9
"""From this rank on, no column is shown when one of a lower rank is not."""
_DIGITS = 6
"""Digits where not even the narrowest of those lets everything fit."""


@dataclass(frozen=True, eq=False)
class Column:
    """A step, for every key."""

    group: str
    """What stands over it, together with its neighbours of the same group."""
    name: str
    rank: int
    """The higher, the sooner it is left out."""
    numbers: FloatArray
    """(T,)."""
    total: float | None = None
    """What the line of sums has below it."""
    of_masked: str | None = "-"
    """What it says of a masked key, None for its number."""
    broken: int | None = None
    """The key at which it is the first step to break."""
    broken_total: bool = False
    """Whether its sum is."""
    narrower: int = 0
    """How many digits it gives up where there is no room."""


@dataclass(frozen=True)
class Texts:
    """A column as it is drawn."""

    column: Column
    rows: tuple[str, ...]
    total: str
    width: int
    """With the blank before it."""


def columns(made: Comparison, naive: Break | None, stable: Break | None, added: AddedMask | None) -> list[Column]:
    """All steps from the score on, in their order."""
    scaled = "score" if made.inputs.scale == made.inputs.temperature == 1.0 and not made.constant else "scaled"
    first = naive if naive is not None and naive.step not in {"exp", "sum", "zero"} else None
    found = [
        Column("", scaled, 0, made.moved, of_masked=None, broken=first.key if first else None),
        *_form("naive", made.naive.exps, made.naive.total, made.naive.weights, None if first else naive, (7, 3)),
        Column("stable", "-max", 6, made.stable.exponents, narrower=1),
        *_form("stable", made.stable.exps, made.stable.total, made.stable.weights, None if first else stable, (8, 1)),
        Column("exact", "w", _OF_A_BREAK if first else _IN_ORDER, made.exact.weights, of_masked="masked"),
        Column("exact", "ln w", 10, made.log_weights),
    ]
    if added is not None:
        found.append(Column("mask", "added", 5, added.scores, of_masked=None))
        found.append(Column("mask", "w", 2, added.weights, float(added.weights.sum()), of_masked=None))
    found.append(Column("ln w as", "z-lse", 11, made.wrong_order, made.wrong_total))
    return found


def _form(
    group: str, exps: FloatArray, total: float, weights: FloatArray, broken: Break | None, ranks: tuple[int, int]
) -> list[Column]:
    """Exp, its sum and the weight of one of the two forms."""
    step = broken.step if broken is not None else ""
    key = broken.key if broken is not None and step == "exp" else None
    return [
        Column(
            group,
            "exp",
            _OF_A_BREAK if step else ranks[0],
            exps,
            total,
            broken=key,
            broken_total=step in {"sum", "zero"},
        ),
        Column(group, "w", ranks[1], weights, float(weights.sum()), "masked" if group == "stable" else "-"),
    ]


class Table:
    """The columns that fit into a width, for some of the keys."""

    def __init__(self, made: Comparison, all_columns: Sequence[Column], keys: Sequence[int], width: int) -> None:
        self._made, self._keys = made, keys
        labels = [visible(made.inputs.labels[key]) for key in keys]
        self._label_width = max(3, min(8 if width >= 60 else 6, max(map(cell_len, labels)) + 1))
        self._labels = labels
        self.texts = self._fitting(all_columns, width - self._label_width)
        self._label_width = max(self._label_width, min(1 + max(map(cell_len, labels)), width - _width(self.texts)))

    def _fitting(self, all_columns: Sequence[Column], room: int) -> list[Texts]:
        """The columns with the most digits at which those that are needed fit."""
        for digits, rank in _NEEDED:
            texts = [self._written(column, digits) for column in all_columns]
            if _width(_spread([text for text in texts if text.column.rank <= rank])) <= room:
                return _by_rank(texts, room)
        return _by_rank([self._written(column, _DIGITS) for column in all_columns], room)

    def _written(self, column: Column, digits: int) -> Texts:
        """A column's figures, and how wide they are."""
        width = digits + (digits < _DIGITS and not column.narrower and column.name in {"score", "scaled"})
        rows = tuple(self._cell(column, key, width) for key in self._keys)
        total = "" if column.total is None else _number(column.total, width)
        total = f"{_MARK}{total}" if column.broken_total else total
        return Texts(column, rows, total, 1 + max(map(len, (*rows, total, column.name))))

    def _cell(self, column: Column, key: int, width: int) -> str:
        """A key's figure in a column."""
        if column.of_masked is not None and not self._made.mask[key]:
            return column.of_masked
        number = _number(float(column.numbers[key]), width)
        return f"{_MARK}{number}" if column.broken == key else number

    def head(self, ink: Ink, glyphs: Glyphs) -> list[list[Piece]]:
        """Two lines: the groups over their columns, and the columns' names."""
        groups: list[tuple[str, int]] = []
        for text in self.texts:
            if groups and groups[-1][0] == text.column.group:
                groups[-1] = (text.column.group, groups[-1][1] + text.width)
            else:
                groups.append((text.column.group, text.width))
        over = "".join(" " + name.center(span - 1, glyphs.rule if name else " ") for name, span in groups)
        names = "".join(text.column.name.rjust(text.width) for text in self.texts)
        blank = " " * self._label_width
        return [[(f"{blank}{over}", ink("axis"))], [(f"{blank}{names}", ink("dim"))]]

    def rows(self, cursor: int | None, ink: Ink, glyphs: Glyphs) -> list[list[Piece]]:
        """A line for each key."""
        lines: list[list[Piece]] = []
        for i, key in enumerate(self._keys):
            row = "cursor-row" if key == cursor else "text" if self._made.mask[key] else "dim"
            label = fit(" " + self._labels[i], self._label_width, glyphs)
            cells = [_inked(text.rows[i], text.width, ink, row) for text in self.texts]
            lines.append([(label, ink(row)), *cells])
        return lines

    def sums(self, ink: Ink) -> list[Piece]:
        """The line of sums over all keys."""
        cells = [_inked(text.total, text.width, ink, "strong") for text in self.texts]
        return [("sum".ljust(self._label_width), ink("axis")), *cells]


def _by_rank(texts: Sequence[Texts], room: int) -> list[Texts]:
    """Those that fit, the lowest ranks first, in their own order."""
    ranks: set[int] = set()
    kept: list[Texts] = []
    for rank in sorted({text.column.rank for text in texts}):
        more = _spread([text for text in texts if text.column.rank in ranks | {rank}])
        if _width(more) <= room:
            ranks.add(rank)
            kept = more
        elif rank >= _IN_ORDER:
            break
    return kept


def _spread(texts: Sequence[Texts]) -> list[Texts]:
    """The columns, the first of a group made wider where the group's name would not fit over it."""
    wide: list[Texts] = []
    for i, text in enumerate(texts):
        group = text.column.group
        is_first = i == 0 or texts[i - 1].column.group != group
        span = _width([other for other in texts if other.column.group == group])
        wide.append(replace(text, width=text.width + max(0, 1 + len(group) - span)) if is_first else text)
    return wide


def _width(texts: Sequence[Texts]) -> int:
    """Cells that the columns take."""
    return sum(text.width for text in texts)


def _number(number: float, width: int) -> str:
    """A figure, a bare 0 for what is exactly 0, and whole digits where they say more than a power of ten."""
    if number == 0.0:
        return "0"
    written, whole = figure(number, width, min(4, width - 2)), f"{number:.0f}"
    return whole if "e" in written and abs(number) >= 1.0 and len(whole) <= width else written


def _inked(text: str, width: int, ink: Ink, row: str) -> Piece:
    """A cell, in the colour of errors where it is no number or the first to break."""
    is_broken = text.startswith(_MARK) or text in {"nan", "inf"}
    return text.rjust(width), ink("error" if is_broken else row)
