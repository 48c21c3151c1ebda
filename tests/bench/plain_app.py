"""The documented Textual pattern, bare: an Input whose `on_input_changed` updates a Static."""

from textual.app import App, ComposeResult
from textual.widgets import Input, Static


class PlainApp(App[None]):
    """A field and what it says."""

    def compose(self) -> ComposeResult:
        """The two."""
        yield Input()
        yield Static("ready", id="answer")

    def on_input_changed(self, event: Input.Changed) -> None:
        """Show what was typed."""
        self.query_one("#answer", Static).update(event.value or "ready")


if __name__ == "__main__":
    PlainApp().run(mouse=False)
