"""See how attention works: the Python face of attn-tui.

>>> from attn_tui import attend
>>> reading = attend([1.0, 0.0], [[1.0, 0.0], [0.0, 1.0]])
>>> reading.weights.round(4).tolist()
[0.7311, 0.2689]
"""

import importlib
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from attn_tui.core.attend import Reading, Readings, attend, attend_many
    from attn_tui.core.measures import entropy
    from attn_tui.core.softmax import log_softmax, naive_softmax, softmax
    from attn_tui.core.temperature import temperature_for
    from attn_tui.files.dumps.loading import load
    from attn_tui.model.scene import Scene
    from attn_tui.ui.live import explore

__version__ = "0.1.0"

_PLACES = {
    "Reading": "attn_tui.core.attend",
    "Readings": "attn_tui.core.attend",
    "Scene": "attn_tui.model.scene",
    "attend": "attn_tui.core.attend",
    "attend_many": "attn_tui.core.attend",
    "entropy": "attn_tui.core.measures",
    "explore": "attn_tui.ui.live",
    "load": "attn_tui.files.dumps.loading",
    "log_softmax": "attn_tui.core.softmax",
    "naive_softmax": "attn_tui.core.softmax",
    "softmax": "attn_tui.core.softmax",
    "temperature_for": "attn_tui.core.temperature",
}
"""Where each public name is defined; NumPy is imported when the first of them is asked for."""

__all__ = [
    "Reading",
    "Readings",
    "Scene",
    "__version__",
    "attend",
    "attend_many",
    "entropy",
    "explore",
    "load",
    "log_softmax",
    "naive_softmax",
    "softmax",
    "temperature_for",
]


def __getattr__(name: str) -> object:
    """A public name, from the module that defines it."""
    if name not in _PLACES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = getattr(importlib.import_module(_PLACES[name]), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    """The public names."""
    return __all__
