"""The views on the right, one file each, listed in one table."""

from dataclasses import dataclass

from attn_tui.ui.views.scores import ScoresView
from attn_tui.ui.views.view import View
from attn_tui.ui.views.weights import WeightsView


@dataclass(frozen=True)
class ViewEntry:
    """A view and what it is called."""

    id: str
    title: str
    summary: str
    """What it shows, as the help says it."""
    make: type[View]


VIEWS = (
    ViewEntry("weights", "Weights", "who gets how much, the entropy, and how it depends on tau", WeightsView),
    ViewEntry("scores", "Scores", "q.k, angle and length of each key, and what each dimension adds", ScoresView),
)
"""Every view, in the order of their numbers."""
