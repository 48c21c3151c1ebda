"""What has changed since the scene was pinned, as numbers and in words."""

import math

from attn_tui.core.arrays import FloatArray
from attn_tui.core.attend import Reading
from attn_tui.core.measures import kl_divergence
from attn_tui.model.figures import figure
from attn_tui.ui.shown import Shown

CHANGE_WIDTH = 8
"""Cells of a difference in weight and the blank before it."""


def pinned_weights(shown: Shown) -> FloatArray | None:
    """The pinned scene's weights, (T,), where it has as many keys as this one."""
    if shown.pinned is None or shown.pinned.weights.size != shown.reading.weights.size:
        return None
    return shown.pinned.weights


def change(now: float, before: float, width: int = CHANGE_WIDTH - 1) -> str:
    """A difference with its sign."""
    difference = now - before
    if difference == 0.0 or (math.isnan(now) and math.isnan(before)):
        return "="
    if math.isnan(difference):
        return "n/a"
    return ("+" if difference > 0.0 else "-") + figure(abs(difference), width - 1)


def since_pinned(shown: Shown) -> str:
    """The differences in entropy and the divergence in words; empty while nothing is pinned."""
    if shown.pinned is None:
        return ""
    now, before = shown.reading, shown.pinned
    if now.entropy is None or before.entropy is None:
        return "since the pin: no entropy to compare"
    words = f"since the pin: H {change(now.entropy, before.entropy)}"
    return f"{words}, KL {_divergence(now, before)}" if pinned_weights(shown) is not None else words


def _divergence(now: Reading, before: Reading) -> str:
    """How far the weights have moved, in nats."""
    return figure(float(kl_divergence(now.distribution, before.distribution)))
