"""Trials of the commands that take results out."""

import csv
import os
from pathlib import Path

from attn_tui.ui.screens.export import Export
from attn_tui.ui.screens.prompt import Prompt
from tests.ui.person import Person
from tests.ui.trials import Trials

TRIALS = Trials()


@TRIALS.trial
async def copy(person: Person, key: str) -> None:
    """The number with all its digits, its row, the table, and round again."""
    await person.go(2, 1)
    await person.press(key)
    assert person.app.clipboard == repr(float(person.scene.keys[2, 1])) == "-1.913280244657798"
    assert "sent to the terminal's clipboard: k2.d1 -1.9133, all digits" in person.said
    await person.press(key)
    assert person.app.clipboard.split("\t") == [repr(x) for x in person.scene.keys[2].tolist()]
    assert "sent to the terminal's clipboard: row k2, 4 numbers" in person.said
    await person.press(key)
    assert [line.split("\t")[0] for line in person.app.clipboard.splitlines()] == ["label", *person.scene.labels]
    assert "sent to the terminal's clipboard: the table of results, 5 keys" in person.said
    await person.press(key)
    assert person.app.clipboard == "-1.913280244657798"
    await person.press("right", "left", key)
    assert person.app.clipboard == "-1.913280244657798", "something else was done in between"


@TRIALS.trial
async def export(person: Person, key: str) -> None:
    """The list, the name, and what was written where."""
    await person.press(key)
    assert isinstance(person.app.screen, Export)
    assert "1 CSV" in person.screen
    await person.press("enter")
    assert isinstance(person.app.screen, Prompt)
    assert "lesson-weights.csv" in person.screen
    await person.type("~/a.csv")
    await person.press("enter")
    file = Path(os.environ["HOME"]) / "a.csv"
    assert person.app.message == f"written: {file.stat().st_size:,} bytes to {file}"
    assert person.said.startswith("written: ") or " written: " in person.said
    with file.open(newline="", encoding="utf-8") as lines:
        weights = [float(row["weight"]) for row in csv.DictReader(lines)]
    assert weights == person.app.reading.weights.tolist()
