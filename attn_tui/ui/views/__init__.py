"""The views on the right, one file each, listed in one table, and imported when they are first shown."""

import importlib
from dataclasses import dataclass

from attn_tui.ui.fields import Desk
from attn_tui.ui.views.view import View


@dataclass(frozen=True)
class ViewEntry:
    """A view, what it is called, and where it is."""

    id: str
    title: str
    summary: str
    """What it shows, as the help says it."""
    place: str
    """Its module in this package, and its class."""

    def make(self, desk: Desk) -> View:
        """The view, for an explorer."""
        module, name = self.place.split(".")
        view: View = getattr(importlib.import_module(f"{__name__}.{module}"), name)(desk)
        return view


class Views:
    """The views of one explorer, each made when it is first asked for."""

    def __init__(self, desk: Desk) -> None:
        self._desk = desk
        self._made: dict[int, View] = {}

    def __len__(self) -> int:
        return len(VIEWS)

    def __getitem__(self, index: int) -> View:
        if index not in self._made:
            self._made[index] = VIEWS[index].make(self._desk)
        return self._made[index]

    def index(self, view: View) -> int:
        """The number of a view, from 0."""
        return next(index for index, made in self._made.items() if made is view)


VIEWS = (
    ViewEntry("weights", "Weights", "who gets how much, and how the entropy depends on tau", "weights.WeightsView"),
    ViewEntry("scores", "Scores", "q.k, angle and length of keys, and what dimensions add", "scores.ScoresView"),
    ViewEntry("temperature", "Temperature", "weights against tau, and tau for a wish", "temperature.TemperatureView"),
    ViewEntry("stability", "Stability", "naive and stable softmax step by step, masks", "stability.StabilityView"),
    ViewEntry("head-size", "Head size", "random q.k with and without 1/sqrt(hs)", "head_size.HeadSizeView"),
    ViewEntry("matrix", "Matrix", "all queries of a head as a heat map, row entropies", "matrix.MatrixView"),
    ViewEntry("heads", "Heads", "all heads of a model as a map of one measure", "heads.HeadsView"),
)
"""Every view, in the order of their numbers."""
