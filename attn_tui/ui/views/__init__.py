"""The views on the right, one file each, listed in one table."""

from dataclasses import dataclass

from attn_tui.ui.views.head_size import HeadSizeView
from attn_tui.ui.views.heads import HeadsView
from attn_tui.ui.views.matrix import MatrixView
from attn_tui.ui.views.scores import ScoresView
from attn_tui.ui.views.stability import StabilityView
from attn_tui.ui.views.temperature import TemperatureView
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
    ViewEntry(
        "temperature", "Temperature", "weights against tau, and the tau for a peak or an entropy", TemperatureView
    ),
    ViewEntry(
        "stability", "Stability", "naive and stable softmax step by step, the dtype, masks as numbers", StabilityView
    ),
    ViewEntry(
        "head-size", "Head size", "random q.k, entropy, peak and gradient with and without 1/sqrt(hs)", HeadSizeView
    ),
    ViewEntry("matrix", "Matrix", "all queries of a head as a heat map, with the entropy of every row", MatrixView),
    ViewEntry("heads", "Heads", "all heads of a model by entropy, first or previous token, or peak", HeadsView),
)
"""Every view, in the order of their numbers."""
