"""Where something is to be saved: asked for, and asked again before a file is overwritten."""

import os.path
import re
from collections.abc import Callable
from pathlib import Path

from attn_tui.files.errors import ForeignError
from attn_tui.files.visible import visible
from attn_tui.model.scene import Scene
from attn_tui.ui.explorer import Explorer
from attn_tui.ui.screens.prompt import Prompt

Write = Callable[[Path], int]
"""Writes a file and says how many bytes it has. Raises ForeignError."""

_NOT_IN_A_NAME = re.compile(r"[^\w.-]+")


def name_of(scene: Scene) -> str:
    """A file's name for a scene, without an ending: its example's, its model's or its file's."""
    name = Path(scene.source.name).stem if scene.source is not None else ""
    return _NOT_IN_A_NAME.sub("-", name).strip("-.") or "scene"


class Saving:
    """One question for a file's name, and what becomes of it; what fails stays in the prompt to be mended."""

    def __init__(self, explorer: Explorer, suggested: str, write: Write) -> None:
        self._explorer, self._suggested, self._write = explorer, suggested, write
        self._said: str | None = None

    def ask(self, question: str) -> None:
        """Ask for the name; one without an ending gets the suggested one's."""
        self._explorer.push_screen(Prompt(question, self._suggested, self._take, self._say_or_ask_again))

    def _take(self, text: str) -> None:
        """Write the file unless there is one of that name. Raises ForeignError."""
        file = self._file(text)
        if not os.path.exists(file):
            self._put(file)

    def _say_or_ask_again(self, text: str) -> None:
        """Say where it was saved, or ask about the file that there is."""
        if self._said is not None:
            self._explorer.say(self._said)
            return
        file = self._file(text)

        def check(answer: str) -> None:
            """Write over the file after a yes, and after nothing else."""
            if answer.strip().lower() not in {"y", "yes"}:
                raise ForeignError("y and Enter overwrite it, Esc leaves it as it is")
            self._put(file)

        question = f"{file} is there already: overwrite it? y or Esc"
        self._explorer.push_screen(Prompt(question, "", check, lambda _: self._explorer.say(self._said or "")))

    def _file(self, text: str) -> Path:
        """The file that a person means. Raises ForeignError for none."""
        if not text.strip():
            raise ForeignError("a file needs a name")
        try:
            file = Path(text.strip()).expanduser()
        except RuntimeError:
            raise ForeignError(f"there is no home directory for {text.strip()}") from None
        if os.path.isdir(file):
            raise ForeignError(f"{file} is a folder: add a name to it")
        return file if file.suffix else file.with_name(file.name + Path(self._suggested).suffix)

    def _put(self, file: Path) -> None:
        """Write the file. Raises ForeignError."""
        self._said = f"saved {_size(self._write(file))} in {visible(str(file))}"


def _size(count: int) -> str:
    """Bytes in words."""
    return f"{count} bytes" if count < 1000 else f"{count / 1e3:.1f} kB" if count < 1e6 else f"{count / 1e6:.1f} MB"
