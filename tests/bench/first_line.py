"""The least that a Textual app with NumPy can do: import both and draw one line."""

import numpy as np
from textual.app import App, ComposeResult
from textual.widgets import Static


class FirstLine(App[None]):
    """One line."""

    def compose(self) -> ComposeResult:
        """The line."""
        yield Static(f"ready {np.float64(1.0)}")


if __name__ == "__main__":
    FirstLine().run(mouse=False)
