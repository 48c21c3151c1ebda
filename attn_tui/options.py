"""The command line's options, and how they are read."""

import argparse
import sys
from typing import NoReturn

from attn_tui import __version__

USAGE_ERROR = 2
"""Exit code for arguments that make no sense, and for a terminal that cannot be drawn on."""

_EPILOG = """vectors: numbers separated by blanks or commas, keys by semicolons
  attn-tui --query "1 0" --keys "1 0; 0 1; 1 1" --temperature 0.5
  attn-tui --example coreference --scale 1 --print text"""


class Parser(argparse.ArgumentParser):
    """argparse, with errors of one sentence."""

    def error(self, message: str) -> NoReturn:
        """Say what is wrong, with whatever is quoted made harmless, and leave."""
        from attn_tui.files.visible import visible  # noqa: PLC0415 - nothing is imported before it is needed

        sys.stderr.write(f"attn-tui: {visible(message)}\n")
        sys.exit(USAGE_ERROR)


def parser() -> Parser:
    """All options."""
    made = Parser(
        prog="attn-tui",
        description="See how attention works: edit a query, keys and a temperature, and watch the weights follow.",
        epilog=_EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )
    for add in (_add_files, _add_scene, _add_rest):
        add(made)
    return made


def _add_files(made: Parser) -> None:
    """What says which file is read, and how."""
    made.add_argument("file", nargs="?", metavar="FILE", help="a scene or a model's arrays; - for standard input")
    made.add_argument("--map", action="append", metavar="q=NAME", help="which array it is: q=NAME, q=FILE, q=FILE:NAME")
    made.add_argument("--check", action="store_true", help="check FILE and leave: 0 clean, 1 findings, 2 unreadable")
    made.add_argument("--json", action="store_true", help="print the findings of --check as JSON")
    made.add_argument("--layout", metavar="bhtd", help="a letter an axis: batch, layer, head, token, d component")
    made.add_argument("--transpose", action="store_true", help="the keys are columns: (hs, T)")
    made.add_argument("--head", metavar="L,H", help="which head, an index for each leading axis")
    made.add_argument("--row", type=int, metavar="N", help="which query of the head (default: the last)")
    made.add_argument(
        "--resume", nargs="?", const="", metavar="NAME", help="go on with the newest session, or this one"
    )


def _add_scene(made: Parser) -> None:
    """What describes a scene."""
    made.add_argument("--example", metavar="NAME", help="start from an example (default: lesson)")
    made.add_argument("--list-examples", action="store_true", help="list the examples and leave")
    made.add_argument("--query", metavar='"..."', help="the query's components")
    made.add_argument("--keys", metavar='"...;..."', help="the keys, one after the other")
    made.add_argument("--values", metavar='"...;..."', help="a value for each key")
    made.add_argument("--mask", metavar='"1 1 0"', help="which keys may be attended: 1 = may be")
    made.add_argument("--temperature", metavar="X", help="finite and above 0 (default: 1)")
    made.add_argument("--scale", metavar="1|sqrt|X", help="what scores are multiplied by; sqrt is 1/sqrt(hs)")
    made.add_argument("--dtype", metavar="NAME", help="round every step: float64, float32, float16")


def _add_rest(made: Parser) -> None:
    """What is done with it, and how it looks."""
    made.add_argument("--print", choices=("text", "json"), help="print everything and leave; needs no terminal")
    made.add_argument("--lesson", nargs="?", const="", metavar="STEP", help="open the lesson; list and reset do that")
    made.add_argument("--ascii", action="store_true", help="draw without Unicode")
    made.add_argument("--mouse", action="store_true", help="let the mouse be used too")
    made.add_argument("--theme", metavar="NAME", help="the colours")
    made.add_argument("--restricted", action="store_true", help="touch no file, for accounts that are shared")
    made.add_argument("--version", action="version", version=f"attn-tui {__version__}")


_VALUED = ("--query", "--keys", "--values", "--mask", "--temperature", "--scale", "--head")
"""Options whose value may begin with a minus."""


OF_A_SCENE = (
    "file",
    "map",
    "layout",
    "head",
    "row",
    "transpose",
    "example",
    "query",
    "keys",
    "values",
    "mask",
    "temperature",
    "scale",
    "dtype",
)
"""Options that say what the scene is."""


TOUCH_FILES: dict[str, tuple[str, ...] | None] = {
    "file": None,
    "map": None,
    "check": None,
    "resume": None,
    "lesson": ("reset", "list"),
}
"""Options that read or write files, with the values that do; all values where there is None."""


def with_negative_values(arguments: list[str]) -> list[str]:
    """`--query -1,2` as `--query=-1,2`, since argparse would take -1,2 for an option."""
    joined: list[str] = []
    for argument in arguments:
        if joined and joined[-1] in _VALUED and argument[:1] in {"-", "−"} and argument[:2] != "--":
            joined[-1] += f"={argument}"
        else:
            joined.append(argument)
    return joined
