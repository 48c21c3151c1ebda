"""The scenes to start from: the lesson's, two that break the naive softmax, and heads of a real transformer."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache, partial
from importlib.resources import as_file, files

import numpy as np

from attn_tui.model.heads import scene_of
from attn_tui.model.scene import Scene
from attn_tui.model.source import Dump, Source

REAL_MODEL = "minilm-l6"
"""The bundled heads' file, and what the screen calls it."""


@dataclass(frozen=True)
class Example:
    """A scene with a name."""

    name: str
    title: str
    """What it shows, in a line."""
    make: Callable[[], Scene]


def example(name: str) -> Scene:
    """The example of this name. Raises ValueError with the names there are."""
    for entry in EXAMPLES:
        if entry.name == name:
            return entry.make()
    raise ValueError(f"there is no example {name!r}: choose from {', '.join(e.name for e in EXAMPLES)}")


def _lesson() -> Scene:
    """The lesson's running example: NumPy's legacy generator, seed 42, first the query, then five keys."""
    generator = np.random.RandomState(42)
    query = generator.randn(4)
    return Scene.of(query, generator.randn(5, 4), source=Source("lesson"))


def _bare_scores(name: str, scores: tuple[float, ...]) -> Scene:
    """Scores without vectors: a query [1], and keys of one component."""
    return Scene.of([1.0], [[score] for score in scores], source=Source(name))


def _real_head(layer: int, head: int, query: str = "it") -> Scene:
    """One token's query over all tokens of one head of the bundled model, scaled as the model does."""
    dump = bundled()
    return scene_of(dump, REAL_MODEL, (layer, head), dump.tokens.index(query))


@cache
def bundled() -> Dump:
    """The bundled model's heads: 6 layers, 12 heads, 15 tokens, head size 32."""
    with as_file(files("attn_tui") / "data" / f"{REAL_MODEL}.npz") as path, np.load(path, allow_pickle=False) as arrays:
        tokens = tuple(str(token) for token in arrays["tokens"])
        return Dump(arrays["q"], arrays["k"], arrays["v"], tokens)


_OVERFLOWING = (1000.0, 1001.0, 1002.0)
_ONE_OVERFLOWS = (50.0, 800.0, 20.0)

EXAMPLES = (
    Example("lesson", "a query and five keys of four components: the lesson's figures", _lesson),
    Example("overflow", "scores 1000, 1001, 1002: naive softmax nan", partial(_bare_scores, "overflow", _OVERFLOWING)),
    Example(
        "exercise-3", "scores 50, 800, 20: one of them breaks it", partial(_bare_scores, "exercise-3", _ONE_OVERFLOWS)
    ),
    Example("coreference", '"it" looks at "animal": layer 3 head 1 of a real transformer', partial(_real_head, 3, 1)),
    Example("previous-token", "a head that looks one token back: layer 0 head 2", partial(_real_head, 0, 2)),
    Example("sink", 'a head that rests on "[CLS]": layer 4 head 5', partial(_real_head, 4, 5)),
    Example("broad", "a head that looks everywhere: layer 5 head 6", partial(_real_head, 5, 6)),
)
"""Every example, in the order in which they are listed."""
