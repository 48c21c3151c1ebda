"""A file's scene, for a program."""

import os
from collections.abc import Mapping, Sequence

from attn_tui.files.arguments import SceneArguments
from attn_tui.files.dumps.opening import open_file
from attn_tui.files.dumps.request import Request
from attn_tui.files.numbers import format_exact
from attn_tui.files.scales import format_scale
from attn_tui.model.scene import Scale, Scene


def load(
    path: str | os.PathLike[str],
    *,
    arrays: Mapping[str, str] | None = None,
    layout: str | None = None,
    head: int | Sequence[int] | None = None,
    row: int | None = None,
    transpose: bool = False,
    temperature: float | None = None,
    scale: Scale | None = None,
) -> Scene:
    """The scene in a file: one that was saved, or one query of one head of a model's arrays.

    `arrays` says which array is what, such as {"q": "blocks.0.q"}, or "FILE:NAME" for one of another file; `layout` is
    a letter for each axis, such as "bhtd"; `head` has an index for each leading axis, the first by default; `row` is
    the query, the last by default; `transpose` takes the keys for columns. Temperature and scale override the file's.

    Raises ForeignError, a ValueError, with a sentence for a file that cannot be read, or in more than one way.
    """
    arguments = SceneArguments(
        temperature=None if temperature is None else format_exact(temperature),
        scale=None if scale is None else format_scale(scale),
    )
    maps = tuple(f"{role}={name}" for role, name in (arrays or {}).items())
    indices = None if head is None else ",".join(map(str, [head] if isinstance(head, int) else head))
    return open_file(Request(os.fspath(path), maps, layout, indices, row, transpose, arguments)).scene
