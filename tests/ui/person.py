"""A person at the explorer: presses keys, pastes, and reads what is on the screen."""

import unicodedata
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from rich.segment import Segment
from textual import events
from textual.geometry import Region
from textual.keys import REPLACED_KEYS, _character_to_key, _get_unicode_name_from_key
from textual.pilot import Pilot
from textual.strip import Strip

from attn_tui.model.examples import example
from attn_tui.model.figures import weight_figure
from attn_tui.model.scene import Cell, Scene
from attn_tui.ui.app import AttnApp

KEYS = {
    "-": "minus", "+": "plus", ".": "full_stop", ",": "comma", " ": "space", "=": "equals_sign",
    "(": "left_parenthesis", ")": "right_parenthesis", "<": "less_than_sign", ">": "greater_than_sign", ":": "colon",
    "?": "question_mark", "/": "slash", "[": "left_square_bracket", "]": "right_square_bracket",
}  # fmt: skip
"""Textual's names of the keys that are not called as what they type."""


def _key(key: str) -> events.Key:
    """A key and what it types, as a terminal would send it."""
    name = _character_to_key(key) if len(key) == 1 and not key.isalnum() else key
    try:
        character = unicodedata.lookup(_get_unicode_name_from_key(REPLACED_KEYS.get(name, name)))
    except KeyError:
        character = name if len(name) == 1 else None
    return events.Key(name, character)


def screen_lines(app: AttnApp) -> list[str]:
    """The screen as it is composed, pen and all that lies over the panes: a text for each row."""
    return [strip.text.rstrip() for strip in app.screen._compositor.render_strips(app.size)]


def screen_text(app: AttnApp) -> str:
    """The screen as one text."""
    return "\n".join(screen_lines(app))


@dataclass
class Person:
    """Someone who uses the explorer."""

    app: AttnApp
    pilot: Pilot[Scene]

    @property
    def scene(self) -> Scene:
        """The scene that is shown."""
        return self.app.scene

    @property
    def kept(self) -> Scene:
        """The scene that is kept."""
        return self.app.history.scene

    @property
    def screen(self) -> str:
        """What is on the screen."""
        return screen_text(self.app)

    @property
    def lines(self) -> list[str]:
        """What is on the screen, row by row."""
        return screen_lines(self.app)

    @property
    def said(self) -> str:
        """The sentence of the bottom lines, its line ends as blanks, so that a sentence can be looked for in it."""
        region = self.app.readout.region
        return " ".join(line.strip() for line in self.lines[region.y : region.bottom])

    @property
    def view(self) -> str:
        """What is on the stage of the first view."""
        return self.crop(self.app.stages[0].content_region)

    @property
    def grid(self) -> str:
        """What is in the frame of the spreadsheet, the pen included."""
        return self.crop(self.app.grid.content_region)

    def crop(self, region: Region) -> str:
        """What is in a part of the screen."""
        lines = self.lines[region.y : region.bottom]
        return "\n".join(Strip([Segment(line)]).crop(region.x, region.right).text.rstrip() for line in lines)

    async def press(self, *keys: str) -> None:
        """Press keys, by Textual's names, each as soon as what the one before has done is done."""
        for key in keys:
            self.app.post_message(_key(key))
            await self.pilot._wait_for_screen()
        await self.pilot.pause()

    async def type(self, text: str) -> None:
        """Type a text, a key for each character, all behind each other as over a slow connection."""
        for character in text[:-1]:
            self.app.post_message(events.Key(KEYS.get(character, character), character))
        if text:
            await self.pilot.press(KEYS.get(text[-1], text[-1]))

    async def paste(self, text: str) -> None:
        """Paste as a terminal with bracketed paste does."""
        self.app.post_message(events.Paste(text))
        await self.pilot.pause()

    async def go(self, row: int, column: int) -> None:
        """Move the cursor to a cell."""
        self.app.move_to(Cell(row, column))
        await self.pilot.pause()
        assert self.app.cursor == Cell(row, column)

    async def resize(self, width: int, height: int) -> None:
        """Give the terminal another size."""
        await self.pilot.resize_terminal(width, height)
        await self.settle()

    async def settle(self) -> None:
        """Wait until the screen stays as it is, after a change that takes more than one frame."""
        before: list[str] = []
        while before != (now := self.lines):
            before = now
            await self.pilot.pause(0.05)

    def shows_weights(self, weights: NDArray[np.float64]) -> bool:
        """Whether the bars have these weights, in their order."""
        figures = [weight_figure(float(weight)) for weight in weights]
        shown = [line.split() for line in self.view.split("\n")[: len(figures)]]
        return all(figure in line for figure, line in zip(figures, shown, strict=True))


@asynccontextmanager
async def at(
    scene: Scene | str = "lesson", size: tuple[int, int] = (80, 24), *, ascii_only: bool = False
) -> AsyncIterator[Person]:
    """A person in front of the explorer, with a scene or an example of this name open and the charts drawn."""
    app = AttnApp(example(scene) if isinstance(scene, str) else scene, ascii_only=ascii_only)
    async with app.run_test(size=size) as pilot:
        await pilot.pause()
        yield Person(app, pilot)
