"""The export screen: a list of what results can be taken out as."""

from collections.abc import Callable, Sequence

from textual import events
from textual.app import ComposeResult
from textual.binding import Binding
from textual.content import Content
from textual.screen import ModalScreen
from textual.widgets import Static

from attn_tui.ui.choices import Choice
from attn_tui.ui.pane import Pane


class Export(ModalScreen[None]):
    """Lets one of the choices be taken, by its digit or with arrows and Enter."""

    BINDINGS = [  # noqa: RUF012 - Textual declares it so
        Binding("escape,q,e", "dismiss", "Cancel", show=False),
        Binding("up,k,shift+tab", "move(-1)", show=False),
        Binding("down,j,tab", "move(1)", show=False),
        Binding("enter", "take", show=False),
    ]

    def __init__(self, choices: Sequence[Choice], done: Callable[[Choice], None]) -> None:
        super().__init__()
        self._choices, self._done = choices, done
        self._at = 0

    def compose(self) -> ComposeResult:
        """The list in a frame."""
        page = Static(self._page(), id="export")
        page.border_title = "Results out"
        page.border_subtitle = "arrows or a digit choose, Enter takes, Esc leaves"
        yield page

    def on_key(self, event: events.Key) -> None:
        """Take the choice of a digit."""
        number = int(event.character) if event.character and event.character in "123456789" else 0
        if 0 < number <= len(self._choices):
            event.stop()
            self._at = number - 1
            self.action_take()

    def action_move(self, by: int) -> None:
        """Go to another choice, round the ends."""
        self._at = (self._at + by) % len(self._choices)
        self.query_one("#export", Static).update(self._page())

    def action_take(self) -> None:
        """Leave this screen and do what was chosen."""
        self.dismiss()
        self._done(self._choices[self._at])

    def _page(self) -> Content:
        """A line for each choice, the one at the cursor marked and reversed."""
        width = max(len(choice.name) for choice in self._choices)
        lines: list[Content] = []
        for number, choice in enumerate(self._choices):
            is_here = number == self._at
            mark = Pane.glyphs.right if is_here else " "
            line = Content(f"{mark} {number + 1} {choice.name:<{width}}  {choice.summary} ")
            lines.append(line.stylize("reverse") if is_here else line)
        return Content("\n").join(lines)
