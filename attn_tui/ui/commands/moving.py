"""Commands that move the cursor."""

from attn_tui.model.scene import QUERY, Cell
from attn_tui.ui.commands.command import Declared
from attn_tui.ui.explorer import Explorer

COMMANDS = Declared()
command = COMMANDS.command


@command("left h", "Left", "Move")
def left(explorer: Explorer) -> None:
    """Move the cursor one column to the left."""
    explorer.move(0, -1)


@command("right l", "Right", "Move")
def right(explorer: Explorer) -> None:
    """Move the cursor one column to the right."""
    explorer.move(0, 1)


@command("up k", "Up", "Move")
def up(explorer: Explorer) -> None:
    """Move the cursor one row up; the query is above the keys."""
    explorer.move(-1, 0)


@command("down j", "Down", "Move")
def down(explorer: Explorer) -> None:
    """Move the cursor one row down."""
    explorer.move(1, 0)


@command("tab", "Next cell", "Move")
def next_cell(explorer: Explorer) -> None:
    """Move to the next cell, and from the end of a row to the next one."""
    cell = Cell(explorer.cursor.row, explorer.cursor.column + 1)
    explorer.move_to(cell if explorer.scene.holds(cell) else Cell(cell.row + 1, 0))


@command("shift+tab", "Previous cell", "Move")
def previous_cell(explorer: Explorer) -> None:
    """Move to the cell before, and from the start of a row to the row above."""
    cell = explorer.cursor
    before = Cell(cell.row, cell.column - 1) if cell.column else Cell(cell.row - 1, explorer.scene.columns)
    if before.row >= QUERY:
        explorer.move_to(before)


_FAR = 2**31
"""Further than any view goes; its cursor stays inside."""


def _go(explorer: Explorer, cell: Cell, rows: int, columns: int) -> None:
    """Move to a cell among the vectors, or so far in the view that the arrows move in."""
    if explorer.is_moving_in_view:
        explorer.move(rows, columns)
    else:
        explorer.move_to(cell)


@command("g", "Top", "Move")
def top(explorer: Explorer) -> None:
    """Move to the query, or to the top of the view."""
    _go(explorer, Cell(QUERY, explorer.cursor.column), -_FAR, 0)


@command("G", "Bottom", "Move")
def bottom(explorer: Explorer) -> None:
    """Move to the last key, or to the bottom of the view."""
    _go(explorer, Cell(explorer.scene.count - 1, explorer.cursor.column), _FAR, 0)


@command("pageup", "Page up", "Move")
def page_up(explorer: Explorer) -> None:
    """Move one screen of keys up."""
    explorer.move(-explorer.grid.page, 0)


@command("pagedown", "Page down", "Move")
def page_down(explorer: Explorer) -> None:
    """Move one screen of keys down."""
    explorer.move(explorer.grid.page, 0)


@command("home", "First column", "Move")
def first_column(explorer: Explorer) -> None:
    """Move to the first dimension, or to the first column of the view."""
    _go(explorer, Cell(explorer.cursor.row, 0), 0, -_FAR)


@command("end", "Last column", "Move")
def last_column(explorer: Explorer) -> None:
    """Move to the last column of the row."""
    _go(explorer, Cell(explorer.cursor.row, explorer.scene.columns), 0, _FAR)
