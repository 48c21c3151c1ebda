"""What a command is, and the decorator that declares one.

A command is declared once. Bindings, footer, palette, help screen, the user's keymap and the README's table are all
made of that declaration: the function's name is the id, its docstring the help.
"""

import inspect
from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

from textual.keys import format_key

from attn_tui.ui.explorer import Explorer

Group = Literal["Move", "Edit", "Keys and dimensions", "Settings", "Look", "Files", "Lesson", "General"]
"""Under which heading help lists a command."""

_NAMES = {
    "pageup": "PgUp", "pagedown": "PgDn", "home": "Home", "end": "End", "enter": "Enter", "tab": "Tab",
    "up": "Up", "down": "Down", "left": "Left", "right": "Right", "delete": "Del", "space": "Space",
}  # fmt: skip
"""How keys are written for people, by Textual's names."""


@dataclass(frozen=True)
class Command:
    """Something that a key does."""

    id: str
    keys: tuple[str, ...]
    """Textual's names; the first is the one to learn."""
    title: str
    help: str
    """A sentence."""
    group: Group
    run: Callable[[Explorer], None]
    footer: str
    """Its word in the footer, empty for none."""
    footer_key: str
    """Its key in the footer."""
    footer_place: int
    """Where in the footer it stands, from the left; the last ones go first when there is no room."""
    touches_files: bool = False
    """Whether it opens or writes any: a restricted session refuses it."""

    @property
    def key_names(self) -> tuple[str, ...]:
        """The keys as people write them."""
        return tuple(key_name(key) for key in self.keys)


def key_name(key: str) -> str:
    """A key as people write it: Up, ?, ctrl+z, F2."""
    *modifiers, last = key.split("+")
    is_function_key = last[:1] == "f" and last[1:].isdecimal()
    name = _NAMES.get(last) or (last.upper() if is_function_key else format_key(last))
    return "+".join([*modifiers, name])


class Declared(list[Command]):
    """The commands of one file, in the order in which they are declared."""

    def command(
        self,
        keys: str,
        title: str,
        group: Group,
        *,
        footer: str = "",
        footer_key: str = "",
        footer_place: int = 0,
        touches_files: bool = False,
    ) -> Callable[[Callable[[Explorer], None]], Callable[[Explorer], None]]:
        """Declare a function as a command; `keys` are separated by blanks."""

        def declare(run: Callable[[Explorer], None]) -> Callable[[Explorer], None]:
            """Add it to the list and leave the function as it is."""
            names = tuple(keys.split())
            self.append(
                Command(
                    run.__name__.replace("_", "-"),
                    names,
                    title,
                    inspect.getdoc(run) or "",
                    group,
                    run,
                    footer,
                    footer_key or key_name(names[0]),
                    footer_place,
                    touches_files,
                )
            )
            return run

        return declare
