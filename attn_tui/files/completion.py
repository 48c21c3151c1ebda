"""Names of files while they are typed: what there is to choose from, and how far a beginning can be completed."""

import os

MOST_NAMES = 2000
"""Names that are looked at in one folder."""


def matching(text: str) -> list[str]:
    """The paths that begin as the text does, folders with a slash at the end; none where there is no such folder."""
    folder, beginning = os.path.split(text)
    found: list[str] = []
    try:
        with os.scandir(os.path.expanduser(folder) or ".") as entries:
            for entry in entries:
                hidden = entry.name.startswith(".") and not beginning.startswith(".")
                if entry.name.startswith(beginning) and not hidden:
                    found.append(os.path.join(folder, entry.name) + ("/" if _is_folder(entry) else ""))
                if len(found) >= MOST_NAMES:
                    break
    except OSError:
        return []
    return sorted(found)


def completed(text: str) -> str:
    """The text as far as all the paths that begin so agree."""
    found = matching(text)
    if not found:
        return text
    first, last = found[0], found[-1]
    agreed = next((i for i, (a, b) in enumerate(zip(first, last, strict=False)) if a != b), min(len(first), len(last)))
    return first[:agreed]


def _is_folder(entry: os.DirEntry[str]) -> bool:
    """Whether an entry is a folder; one that leads nowhere is none."""
    try:
        return entry.is_dir()
    except OSError:
        return False
