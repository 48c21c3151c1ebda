"""A terminal driver that sends no colour, for those who ask for none (NO_COLOR).

Bold, reverse and dim still go through. A theme of default colours alone would not do: Textual spells those out as well.
"""

import re

from textual.drivers.linux_driver import LinuxDriver

_STYLE = re.compile(r"\x1b\[([0-9;]+)m")


class PlainDriver(LinuxDriver):
    """Textual's driver for POSIX terminals, without colour."""

    def write(self, data: str) -> None:
        """Write data without what it says about colours."""
        super().write(_STYLE.sub(_without_colour, data))


def _without_colour(style: re.Match[str]) -> str:
    """A style sequence without its colours, nothing if that was all."""
    codes = iter(style.group(1).split(";"))
    kept: list[str] = []
    for code in codes:
        if code in {"38", "48"}:
            for _ in range(1 if next(codes, "") == "5" else 3):
                next(codes, None)
        elif not _is_colour(int(code)):
            kept.append(code)
    return f"\x1b[{';'.join(kept)}m" if kept else ""


def _is_colour(code: int) -> bool:
    """Whether a code sets one of the sixteen colours, or goes back to the default one."""
    return 30 <= code <= 49 or 90 <= code <= 107
