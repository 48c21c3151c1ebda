"""A line to type into, over the explorer's bottom; what it refuses stays there to be mended."""

from collections.abc import Callable

from textual import events
from textual.app import ComposeResult
from textual.binding import Binding
from textual.containers import Vertical
from textual.screen import ModalScreen
from textual.widgets import Input, Static

from attn_tui.files.visible import visible

HARMLESS = r"[^\x00-\x1f\x7f-\x9f\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]*"
"""What may be typed or pasted: no control, bidirectional or invisible character, since the line is shown as it is."""


class _Line(Input):
    """A text field whose keys act at once: left to come up to the app, they would act after what is typed next."""

    async def on_key(self, event: events.Key) -> None:
        """Do what the field's own keys do, such as Backspace."""
        bound = self.screen.active_bindings.get(event.key)
        if (
            bound is not None
            and bound.enabled
            and bound.node is self
            and not self.check_consume_key(event.key, event.character)
        ):
            event.prevent_default().stop()
            await self.run_action(bound.binding.action)


class Prompt(ModalScreen[None]):
    """Asks for one line of text; a text that could not be shown as it is stays as it is unless another is typed."""

    BINDINGS = [Binding("escape", "dismiss", "Cancel", show=False)]  # noqa: RUF012 - Textual declares it so

    def __init__(self, question: str, text: str, check: Callable[[str], object], done: Callable[[str], None]) -> None:
        super().__init__()
        self._question, self._text = question, text
        self._check, self._done = check, done

    def compose(self) -> ComposeResult:
        """The question, the line, and room for a refusal."""
        with Vertical(id="prompt"):
            yield Static(visible(self._question), markup=False)
            answer = _Line(visible(self._text), restrict=HARMLESS, compact=True)
            answer.cursor_blink = False
            yield answer
            yield Static("Enter takes it, Esc leaves it", id="refusal", markup=False)

    def on_input_submitted(self, event: Input.Submitted) -> None:
        """Take the text, or say why not."""
        text = self._text if event.value == visible(self._text) else event.value
        try:
            self._check(text)
        except ValueError as refusal:
            self.query_one("#refusal", Static).update(visible(str(refusal)))
            return
        self.dismiss()
        self._done(text)
