"""The keys that a person has chosen: a JSON file of command ids and keys, in the configuration directory."""

import json
import os
import unicodedata
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import cast

from textual.keys import KEY_NAME_REPLACEMENTS

from attn_tui.ui.commands.command import Command, key_name


@dataclass(frozen=True)
class Keymap:
    """The commands with the keys that count, and what is wrong with the file, if anything is."""

    commands: tuple[Command, ...]
    complaint: str | None = None


def path(environment: Mapping[str, str] = os.environ) -> Path:
    """Where the file is looked for."""
    home = environment.get("XDG_CONFIG_HOME") or str(Path.home() / ".config")
    return Path(home) / "attn-tui" / "keys.json"


def personal(commands: Sequence[Command], file: Path) -> Keymap:
    """The commands with a person's keys in place of the usual ones; the usual ones where the file makes no sense."""
    usual = tuple(commands)
    try:
        chosen = _read(file)
    except FileNotFoundError:
        return Keymap(usual)
    except (OSError, ValueError) as error:
        return Keymap(usual, f"{file.name} is not used: {error}")
    unknown = set(chosen) - {command.id for command in usual}
    if unknown:
        return Keymap(usual, f"{file.name} is not used: there is no command {min(unknown)!r}")
    mine = tuple(_with_keys(command, chosen) for command in usual)
    twice = _bound_twice(mine)
    return Keymap(usual, f"{file.name} is not used: {twice}") if twice else Keymap(mine)


def _read(file: Path) -> dict[str, tuple[str, ...]]:
    """Command ids and their keys. Raises OSError, and ValueError for anything but an object of strings or lists."""
    try:
        content: object = json.loads(file.read_text(encoding="utf-8"))
    except ValueError as error:
        raise ValueError(f"it is no JSON ({error})") from None
    if not isinstance(content, dict):
        raise ValueError('it has to be an object such as {"undo": "u"}')
    return {str(name): _keys(keys) for name, keys in cast("dict[object, object]", content).items()}


def _keys(given: object) -> tuple[str, ...]:
    """One key or a list of them, by Textual's names. Raises ValueError for anything else."""
    keys = cast("list[object]", given) if isinstance(given, list) else [given]
    if not keys or not all(isinstance(key, str) and key for key in keys):
        raise ValueError("a command's keys are a string or a list of strings")
    return tuple(_name(str(key)) for key in keys)


def _name(key: str) -> str:
    """Textual's name of a key that may be given as the character it types."""
    if len(key) != 1 or key.isalnum():
        return key
    name = unicodedata.name(key, key).lower().replace("-", "_").replace(" ", "_")
    return KEY_NAME_REPLACEMENTS.get(name, name)


def _with_keys(command: Command, chosen: Mapping[str, tuple[str, ...]]) -> Command:
    """A command with the keys that were chosen for it."""
    if command.id not in chosen:
        return command
    return replace(command, keys=chosen[command.id], footer_key=key_name(chosen[command.id][0]))


def _bound_twice(commands: Sequence[Command]) -> str | None:
    """Which key does two things, in words."""
    seen: dict[str, str] = {}
    for command in commands:
        for key in command.keys:
            if key in seen:
                return f"{key!r} is for {seen[key]!r} and for {command.id!r}"
            seen[key] = command.id
    return None
