"""Commands that change a number, a key or a dimension."""

from collections.abc import Callable

from attn_tui.model import edits
from attn_tui.model.figures import short
from attn_tui.model.scene import QUERY, Cell, Scene
from attn_tui.ui.commands.command import Declared
from attn_tui.ui.explorer import STEPS, Explorer
from attn_tui.ui.screens.prompt import Prompt

KeyEdit = Callable[[Scene, int], Scene]
"""An edit of the key in a row."""

COMMANDS = Declared()
command = COMMANDS.command


def _nudge(explorer: Explorer, steps: float) -> None:
    """Add some steps to the number under the cursor."""
    cell, by = explorer.cursor, steps * explorer.step
    explorer.apply(lambda scene: edits.nudge(scene, cell, by), f"nudge {explorer.scene.cell_name(cell)}")


@command("enter equals_sign", "Edit the number", "Edit")
def edit_number(explorer: Explorer) -> None:
    """Edit the number under the cursor with all its digits, or open what a view's cursor is on."""
    if explorer.is_moving_in_view:
        explorer.view.enter()
    else:
        explorer.pen.begin(explorer.pen.field)


@command("i", "Nudge up", "Edit", footer="nudge", footer_key="i/d", footer_place=3)
def nudge_up(explorer: Explorer) -> None:
    """Add one step to the number under the cursor."""
    _nudge(explorer, 1)


@command("d", "Nudge down", "Edit")
def nudge_down(explorer: Explorer) -> None:
    """Take one step from the number under the cursor."""
    _nudge(explorer, -1)


@command("I shift+up", "Nudge up by ten", "Edit")
def nudge_up_ten(explorer: Explorer) -> None:
    """Add ten steps to the number under the cursor."""
    _nudge(explorer, 10)


@command("D shift+down", "Nudge down by ten", "Edit")
def nudge_down_ten(explorer: Explorer) -> None:
    """Take ten steps from the number under the cursor."""
    _nudge(explorer, -10)


def _change_step(explorer: Explorer, by: int) -> None:
    """Choose another step."""
    at = max(0, min(len(STEPS) - 1, STEPS.index(explorer.step) + by))
    explorer.step = STEPS[at]
    explorer.say(f"a nudge is now {short(explorer.step)}")


@command("left_parenthesis", "Smaller step", "Edit")
def smaller_step(explorer: Explorer) -> None:
    """Make a nudge ten times smaller."""
    _change_step(explorer, -1)


@command("right_parenthesis", "Larger step", "Edit")
def larger_step(explorer: Explorer) -> None:
    """Make a nudge ten times larger."""
    _change_step(explorer, 1)


@command("n", "Negate", "Edit")
def negate(explorer: Explorer) -> None:
    """Turn the sign of the number under the cursor."""
    cell = explorer.cursor
    explorer.apply(lambda scene: edits.negate(scene, cell), f"negate {explorer.scene.cell_name(cell)}")


@command("u ctrl+z", "Undo", "Edit", footer="undo", footer_place=5)
def undo(explorer: Explorer) -> None:
    """Take the last change back; as many as there were."""
    what = explorer.history.what
    explorer.restore(explorer.history.undo(), f"undone: {what}", "there is nothing to undo")


@command("U ctrl+y", "Redo", "Edit")
def redo(explorer: Explorer) -> None:
    """Make the change that was taken back again."""
    history = explorer.history.redo()
    explorer.restore(history, f"again: {history.what}" if history else "", "there is nothing to redo")


@command("m", "Mask", "Keys and dimensions", footer="mask", footer_place=4)
def mask(explorer: Explorer) -> None:
    """Mask the key under the cursor, or let it be attended again; 1 = may be attended."""
    key = explorer.cursor.row
    explorer.apply(lambda scene: edits.toggle_mask(scene, key), f"mask {explorer.scene.row_label(key)}")
    if key != QUERY:
        scene = explorer.scene
        explorer.say(f"{int(scene.mask.sum())} of {scene.count} keys may be attended (x = masked)")


@command("M", "Invert the mask", "Keys and dimensions")
def invert_mask(explorer: Explorer) -> None:
    """Attend the masked keys instead of the others."""
    explorer.apply(edits.invert_mask, "invert the mask")
    scene = explorer.scene
    explorer.say(f"{int(scene.mask.sum())} of {scene.count} keys may be attended (x = masked)")


def _change_keys(explorer: Explorer, edit: KeyEdit, what: str, goes_to: int) -> None:
    """Do something to the key under the cursor, and go to another row when it was done."""
    row, before = explorer.cursor.row, explorer.scene
    explorer.apply(lambda scene: edit(scene, row), f"{what} {before.row_label(row)}")
    if explorer.scene is not before:
        explorer.move_to(Cell(row + goes_to, explorer.cursor.column))


@command("a", "Add a key", "Keys and dimensions")
def add_key(explorer: Explorer) -> None:
    """Add a key of zeros below the cursor."""
    _change_keys(explorer, edits.add_key, "add a key below", 1)


@command("c", "Duplicate the key", "Keys and dimensions")
def duplicate_key(explorer: Explorer) -> None:
    """Add a copy of the key under the cursor below it."""
    _change_keys(explorer, edits.duplicate_key, "duplicate", 1)


@command("x delete", "Delete the key", "Keys and dimensions")
def delete_key(explorer: Explorer) -> None:
    """Delete the key under the cursor."""
    _change_keys(explorer, edits.delete_key, "delete", 0)


@command("K", "Move the key up", "Keys and dimensions")
def move_key_up(explorer: Explorer) -> None:
    """Move the key under the cursor up; its name goes with it."""
    _change_keys(explorer, lambda scene, row: edits.move_key(scene, row, -1), "move", -1)


@command("J", "Move the key down", "Keys and dimensions")
def move_key_down(explorer: Explorer) -> None:
    """Move the key under the cursor down; its name goes with it."""
    _change_keys(explorer, lambda scene, row: edits.move_key(scene, row, 1), "move", 1)


@command("r", "Rename", "Keys and dimensions")
def rename(explorer: Explorer) -> None:
    """Give the query or the key under the cursor another name."""
    row = explorer.cursor.row
    label = explorer.scene.row_label(row)

    def done(name: str) -> None:
        """Take the name."""
        explorer.apply(lambda scene: edits.rename(scene, row, name), f"rename {label}")

    explorer.push_screen(
        Prompt(f"A new name for {label}", label, lambda name: edits.rename(explorer.scene, row, name), done)
    )


@command("v", "Values", "Keys and dimensions")
def values(explorer: Explorer) -> None:
    """Give every key a value, or go to the values and back: the output is their weighted average."""
    if explorer.scene.values is None:
        explorer.apply(edits.add_values, "add values")
    row, size = max(0, explorer.cursor.row), explorer.scene.head_size
    explorer.move_to(Cell(row, 0 if explorer.cursor.column >= size else size))


@command("V", "Remove the values", "Keys and dimensions")
def remove_values(explorer: Explorer) -> None:
    """Take the values of all keys away."""
    explorer.apply(edits.remove_values, "remove the values")


@command("A", "Add a dimension", "Keys and dimensions")
def add_dimension(explorer: Explorer) -> None:
    """Add a dimension of zeros to the query and all keys, right of the cursor."""
    dimension, before = explorer.cursor.column, explorer.scene
    explorer.apply(lambda scene: edits.add_dimension(scene, dimension), "add a dimension")
    _to_new_dimension(explorer, before)


def _to_new_dimension(explorer: Explorer, before: Scene) -> None:
    """Go to the dimension that was added."""
    if explorer.scene is not before:
        explorer.move_to(Cell(explorer.cursor.row, min(explorer.cursor.column + 1, explorer.scene.head_size - 1)))


@command("X", "Delete the dimension", "Keys and dimensions")
def delete_dimension(explorer: Explorer) -> None:
    """Delete the dimension under the cursor from the query and all keys."""
    dimension = explorer.cursor.column
    explorer.apply(lambda scene: edits.delete_dimension(scene, dimension), f"delete d{dimension}")
