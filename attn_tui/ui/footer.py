"""The last line: the keys that are worth knowing now, never more than fit."""

from collections.abc import Sequence

from attn_tui.ui.commands.command import Command
from attn_tui.ui.lines import Piece
from attn_tui.ui.pane import Pane
from attn_tui.ui.shown import Shown


class Footer(Pane):
    """One line of keys and what they do."""

    frame = 0

    def __init__(self, commands: Sequence[Command]) -> None:
        super().__init__(id="footer")
        named = (command for command in commands if command.footer)
        self._commands = sorted(named, key=lambda command: command.footer_place)

    def draw(self, shown: Shown, width: int, height: int) -> Sequence[Sequence[Piece]]:
        """As many of the commands as fit."""
        pieces: list[Piece] = []
        room = width
        for command in self._commands:
            key, title = f" {command.footer_key} ", f"{command.footer}  "
            room -= len(key) + len(title)
            if room >= 0:
                pieces += [(key, self.ink("strong")), (title, self.ink("dim"))]
        return [pieces]
