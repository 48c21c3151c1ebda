"""Trials of the commands that read and write files."""

from pathlib import Path

import numpy as np

from attn_tui.files.sessions.saved import load_scene
from attn_tui.ui.screens.open_file import OpenFile
from attn_tui.ui.screens.prompt import Prompt
from tests.model.scenes import content
from tests.ui.person import Person
from tests.ui.trials import Trials

TRIALS = Trials()


@TRIALS.trial
async def open_file(person: Person, key: str) -> None:
    """The screen that lists files, and the scene of the one that is named."""
    file = Path.home() / "k.npy"
    np.save(file, person.kept.keys[:2])
    await person.press(key)
    assert isinstance(person.app.screen, OpenFile)
    await person.type(str(file))
    await person.press("enter", "enter")
    assert person.kept.count == 2


@TRIALS.trial
async def save(person: Person, key: str) -> None:
    """The scene in a file of the name that is typed, and a word on where it is."""
    await person.press(key)
    assert isinstance(person.app.screen, Prompt)
    assert "lesson-scene.json" in person.screen
    await person.press("home")
    await person.type("~/")
    await person.press("enter")
    file = Path.home() / "lesson-scene.json"
    size = file.stat().st_size
    assert size < 1000
    assert f"written: {size} bytes to " in person.said
    assert content(load_scene(file)) == content(person.scene)
