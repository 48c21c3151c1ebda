"""The way from content to a file: a name, a yes if need be, and what was done."""

import os
from pathlib import Path

from attn_tui.files.errors import ForeignError
from attn_tui.files.visible import visible
from attn_tui.files.writing import write_safely
from attn_tui.ui.explorer import Explorer
from attn_tui.ui.screens.prompt import Prompt


def ask_for_name(explorer: Explorer, content: bytes, name: str) -> None:
    """Ask what the file is to be called, and write it; a name without an ending gets that of the suggested one."""
    question = f"Write {len(content):,} bytes to the file{_started_in()}"

    def check(text: str) -> None:
        """Write the file unless there is one, which has to be asked for first; what goes wrong can be mended here."""
        path = _path(text, name)
        if not os.path.isfile(path):  # which knows no error, whatever was typed
            write_safely(path, content, overwrite=False)
            written.append(path)

    def done(text: str) -> None:
        """Say what was written, or ask for the yes."""
        if written:
            explorer.say(_report(written[-1], content))
        else:
            _ask_for_yes(explorer, content, _path(text, name))

    written: list[Path] = []
    explorer.push_screen(Prompt(question, name, check, done))


def _ask_for_yes(explorer: Explorer, content: bytes, path: Path) -> None:
    """Ask whether a file may be overwritten, and do it."""

    def check(answer: str) -> None:
        """Write the file after a yes."""
        if (word := answer.strip().lower()) in {"y", "yes"}:
            write_safely(path, content)
        elif word not in {"n", "no"}:
            raise ForeignError("type yes to overwrite it, no to leave it")

    def done(answer: str) -> None:
        """Say what was done."""
        is_yes = answer.strip().lower().startswith("y")
        explorer.say(_report(path, content) if is_yes else f"{_short(path)} was left as it was")

    question = f"{_short(path)} is there already. Overwrite it? yes or no"
    explorer.push_screen(Prompt(question, "", check, done))


def _path(text: str, suggested: str) -> Path:
    """The file that a name means. Raises ForeignError for none, and where a home or this folder is not there."""
    name = text.strip()
    if not name or name.endswith(os.sep):
        raise ForeignError("a file needs a name")
    try:
        path = Path(name).expanduser().absolute()
    except RuntimeError:
        raise ForeignError(f"there is no home for {visible(name)}: name the folder itself") from None
    except FileNotFoundError:
        raise ForeignError("the folder that this was started in is gone: name another") from None
    return path if path.suffix or os.path.exists(path) else path.with_name(path.name + Path(suggested).suffix)


def _started_in() -> str:
    """A word on where a file goes whose name has no folder, as long as there is such a place."""
    try:
        return f" (in {_short(Path.cwd())} unless you name a folder)"
    except FileNotFoundError:
        return ""


def _short(path: Path) -> str:
    """A path as people write it, with ~ for their home."""
    home = os.path.expanduser("~")  # which knows no error either where nobody has a home
    return visible(f"~/{path.relative_to(home)}" if path.is_relative_to(home) and str(path) != home else str(path))


def _report(path: Path, content: bytes) -> str:
    """What was written, and where."""
    return f"written: {len(content):,} bytes to {visible(str(path))}"
