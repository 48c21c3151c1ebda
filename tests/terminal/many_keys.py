"""Start the explorer on thousands of keys: `python -m tests.terminal.many_keys KEYS HEAD_SIZE`."""

import sys

import numpy as np

from attn_tui.model.scene import Scene
from attn_tui.ui.app import AttnApp


def main() -> None:
    """Random vectors, always the same."""
    keys, head_size = int(sys.argv[1]), int(sys.argv[2])
    generator = np.random.default_rng(7)
    query, matrix = generator.normal(size=head_size), generator.normal(size=(keys, head_size))
    AttnApp(Scene.of(query, matrix, scale="sqrt")).run(mouse=False)


if __name__ == "__main__":
    main()
