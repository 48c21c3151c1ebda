"""The scenes whose exports are read back, each with something in it that is easily lost."""

import math

import numpy as np

from attn_tui.core.precision import dtypes
from attn_tui.model.examples import example
from attn_tui.model.scene import Scene
from attn_tui.model.source import Source

HOSTILE = (
    "=1+1", "+1", "-1", "@SUM(A1)", " =1", "'=1", "''-x", "\t=1", "\r=1", "＝1", "a,b;c\td", 'say "x"', '"', "'", "",
    "line\nend\r\n", "\x1b]0;owned\x07\x1b[2J", "\u202eabc", "a|b\\|c", "<b>&amp;*_`~[x](y)", "🤖 Ä 漢", "\ud800",
    "k\0",    "\\", "'''\"\"\"", "{x} {0} %s", "nan", "0",
)  # fmt: skip
"""Labels that another program may take for something else."""


def _random(count: int, head_size: int, value_size: int, seed: int, **settings: object) -> Scene:
    """Random numbers, a third of the keys masked."""
    random = np.random.RandomState(seed)
    return Scene.of(
        random.randn(head_size),
        random.randn(count, head_size),
        random.randn(count, value_size) if value_size else None,
        mask=np.arange(count) % 3 != 1,
        **settings,  # pyright: ignore[reportArgumentType]
    )


SCENES: dict[str, Scene] = {
    "lesson": example("lesson"),
    "coreference": example("coreference"),
    "overflow": example("overflow"),
    "hostile": Scene.of(
        [1.0, -0.0],
        [[0.1 * i, -0.0] for i in range(len(HOSTILE))],
        labels=HOSTILE,
        query_label="=q\x1b[2J\n",
        source=Source("../..\x1b[2J/ev|l\n.npz"),
    ),
    "nan": Scene.of([1.0, 2.0], [[1.0, 0.0], [math.nan, 0.0], [0.0, 1.0]], [[1.0], [2.0], [math.inf]]),
    "nan-masked": Scene.of(
        [1.0, 2.0], [[1.0, 0.0], [math.nan, 0.0], [0.0, 1.0]], [[1.0], [2.0], [3.0]], mask=[1, 0, 1]
    ),
    "inf": Scene.of([1.0, 2.0], [[math.inf, 0.0], [-math.inf, 0.0], [0.0, 1.0]]),
    "minus-inf": Scene.of([1.0, 2.0], [[-math.inf, 0.0], [0.0, 1.0]], temperature=0.3),
    "all-masked": Scene.of([1.0], [[1.0], [2.0]], [[1.0, 2.0], [3.0, 4.0]], mask=[0, 0]),
    "zero": Scene.of([0.0, 0.0], [[1.0, 2.0], [0.0, 0.0]]),
    "one-key": Scene.of([3.0], [[0.1]], [[-0.0]]),
    "thousand": _random(1000, 8, 3, 0, temperature=0.7),
    "tempered": _random(37, 5, 2, 1, temperature=0.3, scale=0.1),
    "sqrt": _random(17, 7, 0, 2, temperature=1.7, scale="sqrt"),
    "negative-scale": _random(17, 7, 2, 3, temperature=1.7, scale=-0.3),
    "no-scale": _random(9, 2, 1, 4, temperature=1.7, scale=0.0),
    "far": Scene.of([1.0], [[1.5e308], [-1.5e308], [1e308]], temperature=1e308),
    "cold": Scene.of([1.0], [[1e10], [2e10], [2e10]], temperature=1e-300),
    "tiny": Scene.of([1.0], [[3e-320], [1e-310], [0.0]], temperature=3.0),
    **{f"{name}": _random(23, 6, 4, 5, temperature=0.3, scale=0.7, dtype=name) for name in dtypes()[1:]},
    **{
        f"{name}-broken": Scene.of(
            [300.0, math.nan, 1.0], [[300.0, 0.0, -0.0], [1.0, 2.0, 3.0], [1e5, 0.0, 1.0]], [[1.0]] * 3, dtype=name
        )
        for name in dtypes()[1:]
    },
    **{
        f"{name}-all-masked": Scene.of([1.0], [[1.0], [2.0]], [[1.0], [3.0]], mask=[0, 0], dtype=name)
        for name in dtypes()[1:]
    },
    "float16-underflow": Scene.of([1.0], [[0.0], [-40.0], [20.0]], mask=[1, 1, 1], dtype="float16"),
}
"""By what is hard about them."""
