"""Names from outside are shown, and never obeyed."""

import numpy as np
import pytest
from rich.cells import cell_len

from attn_tui.model.scene import Scene, Source
from tests.ui.person import at

_HOSTILE = {
    "markup": ("[red]x[/]", "[red]x[/]"),
    "broken-markup": ("[/nope]", "[/nope]"),
    "clear": ("\x1b[2J", "\\x1b[2J"),
    "title": ("\x1b]0;x\x07", "\\x1b]0;x\\x07"),
    "override": ("\u202eabc", "\\u202eabc"),
    "newline": ("a\nb", "a\\nb"),
    "zero-width": ("a\u200bb", "a\\u200bb"),
    "c1": ("\x9b2J", "\\x9b2J"),
}


def _scene(label: str) -> Scene:
    """Three keys, the second and the query with a name from outside, the third broken, so that a fault speaks of it."""
    keys = [[1.0, 0.0], [np.nan, 1.0], [0.0, 1.0]]
    return Scene.of([1.0, 1.0], keys, labels=["a", label, "c"], query_label=label, source=Source(label))


@pytest.mark.parametrize("name", _HOSTILE)
async def test_a_name_from_outside_is_spelt_out_wherever_it_is_shown(name: str) -> None:
    label, shown = _HOSTILE[name]
    async with at(_scene(label)) as person:
        await person.go(1, 1)
        assert person.grid.split("\n")[1].startswith(f" {shown[:2]}"), "the query's row"
        assert person.grid.split("\n")[4].startswith(f" {shown[:2]}"), "the key's row"
        assert shown[:9] in person.view.split("\n")[1]
        assert shown in person.lines[0]
        assert f'"{shown}".d0 is nan: every weight is nan' in person.said
        await person.press("r")
        assert f"A new name for {shown}" in person.screen
        assert "\x1b" not in person.screen
        assert "\u202e" not in person.screen
        assert all(character.isprintable() for character in person.screen.replace("\n", ""))
        await person.press("enter")
        assert person.kept.labels[1] == label


async def test_what_is_pasted_into_a_prompt_is_harmless_or_refused() -> None:
    async with at("lesson") as person:
        await person.press("r")
        for hostile in ("\x1b[2J", "a\u202eb", "\x9b31m"):
            await person.paste(hostile)
            assert all(character.isprintable() for character in person.screen.replace("\n", ""))
        await person.paste("[bold]cat[/]")
        await person.press("enter")
        assert person.kept.query_label == "[bold]cat[/]"
        assert "[bold]" in person.screen


async def test_a_message_of_a_command_spells_a_name_out() -> None:
    async with at(_scene("\x1b[2J")) as person:
        await person.go(1, 1)
        await person.press("m", "u")
        assert "undone: mask \\x1b[2J" in person.said


async def test_wide_names_keep_the_columns_in_line() -> None:
    scene = Scene.of([1.0, 1.0], [[1.0, 0.0], [0.5, 1.0], [0.0, 1.0]], labels=["動物", "é́", "😀😀😀😀😀😀😀"])
    async with at(scene) as person:
        rows = person.grid.split("\n")[3:6]
        starts = {cell_len(row[: row.index(".")]) for row in rows}
        assert len(starts) == 1, rows


async def test_a_long_name_is_cut_with_an_ellipsis() -> None:
    scene = Scene.of([1.0], [[1.0], [2.0]], labels=["a name that is much too long", "b"])
    async with at(scene) as person:
        assert "a name th…" in person.view or "a name tha…" in person.view
        assert "too long" not in person.grid
        await person.go(0, 0)
        assert '"a name that is much t...".d0' in person.said
    async with at(scene, ascii_only=True) as person:
        assert "~" in person.view.split("\n")[0]
        assert person.screen.isascii()
