"""The results as a Markdown table, for an issue or a note."""

import re

from attn_tui.core.attend import Reading
from attn_tui.files.report import without_direction
from attn_tui.files.visible import visible
from attn_tui.model.figures import figure, short, weight_figure
from attn_tui.model.scene import Scene

_MARKUP = re.compile(r"([\\`*_\[\]<>|~&$#])")
"""What Markdown would take for markup."""


def as_markdown(scene: Scene, reading: Reading) -> str:
    """A table of figures for reading, one row a key, the settings above it and the entropy below it."""
    undefined = without_direction(reading)
    rows = [
        (
            _plain(label),
            figure(float(reading.scores[i])),
            figure(float(reading.scaled[i])),
            weight_figure(float(reading.weights[i])) if scene.mask[i] else "masked",
            weight_figure(float(reading.naive_weights[i])) if scene.mask[i] else "",
            "n/a" if undefined[i] else figure(float(reading.cosines[i])),
            figure(float(reading.key_norms[i])),
        )
        for i, label in enumerate(scene.labels)
    ]
    return "\n".join([
        f"query {_plain(scene.query_label)}, {scene.count} keys x hs {scene.head_size}, "
        f"tau {short(scene.temperature)}, scale {short(scene.scale_factor)}, {scene.dtype}",
        "",
        "| key | q.k | scaled | weight | naive | cosine | norm |",
        "|---|--:|--:|--:|--:|--:|--:|",
        *(f"| {' | '.join(row)} |" for row in rows),
        "",
        f"entropy {figure(reading.entropy)} of {figure(reading.entropy_max)} nats, "
        f"effective keys {figure(reading.effective_keys, 8, 2)}",
        "",
    ])  # fmt: skip


def _plain(label: str) -> str:
    """A label as Markdown shows it letter by letter."""
    return _MARKUP.sub(r"\\\1", visible(label))
