"""Commands that change what is seen, and the general ones."""

from attn_tui.model.headmap import MEASURES
from attn_tui.ui.commands.command import Declared
from attn_tui.ui.explorer import Explorer
from attn_tui.ui.views import VIEWS, ViewEntry

COMMANDS = Declared()
command = COMMANDS.command


@command("o", "Order by weight", "Look")
def order(explorer: Explorer) -> None:
    """Order the bars by weight, or as the keys are."""
    explorer.set_options(by_weight=not explorer.options.by_weight)
    explorer.say("bars ordered by weight" if explorer.options.by_weight else "bars in the order of the keys")


def _view_command(index: int, entry: ViewEntry) -> None:
    """Declare the command that shows a view."""

    def show(explorer: Explorer) -> None:
        """Show the view."""
        explorer.show_view(index)

    show.__name__, show.__doc__ = f"view_{entry.id}", f"Show view {index + 1}, {entry.title}: {entry.summary}."
    command(f"f{index + 2}", entry.title, "Look")(show)


for _index, _entry in enumerate(VIEWS):
    _view_command(_index, _entry)


@command("right_square_bracket", "Next view", "Look", footer="next view", footer_place=6)
def next_view(explorer: Explorer) -> None:
    """Show the next view."""
    explorer.show_view(explorer.views.index(explorer.view) + 1)


@command("left_square_bracket", "Previous view", "Look")
def previous_view(explorer: Explorer) -> None:
    """Show the view before."""
    explorer.show_view(explorer.views.index(explorer.view) - 1)


@command("z", "Zoom", "Look")
def zoom(explorer: Explorer) -> None:
    """Give the view the whole screen, or put the vectors beside it again."""
    explorer.is_zoomed = not explorer.is_zoomed
    explorer.lay_out()


@command("space", "Move in the view", "Look")
def move_in_view(explorer: Explorer) -> None:
    """Let the arrows move in the view, where it has a cursor, or among the vectors again."""
    if explorer.view.has_cursor:
        explorer.is_moving_in_view = not explorer.is_moving_in_view
        explorer.arrange()
    else:
        explorer.say("this view has no cursor of its own: the arrows move among the vectors")


@command("slash", "Type into the view", "Look")
def type_into_view(explorer: Explorer) -> None:
    """Type one of the view's own numbers; again for the next one."""
    explorer.type_next()


@command("C", "Causal mask", "Look")
def causal(explorer: Explorer) -> None:
    """Let each query of the matrix and of the map of heads see only the keys up to its own place, or all keys again."""
    explorer.set_options(causal=not explorer.options.causal)
    explorer.say(
        "causal in Matrix and Heads: a query sees the keys up to its own place, aligned at the end"
        if explorer.options.causal
        else "not causal: in Matrix and Heads a query sees all keys"
    )


@command("H", "Next measure of heads", "Look")
def next_measure(explorer: Explorer) -> None:
    """Show the heads by the next measure: mean entropy, weight on the first or the previous token, or peak."""
    explorer.set_options(measure=(explorer.options.measure + 1) % len(MEASURES))
    explorer.say(f"heads by {MEASURES[explorer.options.measure].name}")


@command("R", "Run again or cancel", "Look")
def run_again(explorer: Explorer) -> None:
    """Cancel what the view computes in the background, or compute it again."""
    explorer.say(explorer.view.run_or_cancel())


@command("p", "Pin", "Look")
def pin(explorer: Explorer) -> None:
    """Pin the scene as it is, to see what later changes do to it, or take the pin away."""
    explorer.pinned = explorer.reading if explorer.pinned is None else None
    explorer.say("pinned: differences to this scene are shown" if explorer.pinned else "the pin is gone")
