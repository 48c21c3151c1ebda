"""The views on the right, one file each, listed in one table."""

from dataclasses import dataclass

from attn_tui.ui.pane import Pane
from attn_tui.ui.views.weights import WeightsView


@dataclass(frozen=True)
class ViewEntry:
    """A view and what it is called."""

    id: str
    title: str
    make: type[Pane]


VIEWS = (ViewEntry("view-weights", "Weights", WeightsView),)
"""Every view, in the order of their numbers."""
