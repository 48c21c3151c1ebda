"""The command line: arguments, then a printed report or the explorer. Nothing heavy is imported before it is needed."""

import argparse
import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING, NoReturn

from attn_tui import __version__

if TYPE_CHECKING:
    from attn_tui.model.scene import Scene

USAGE_ERROR = 2
"""Exit code for arguments that make no sense, and for a terminal that cannot be drawn on."""

_EPILOG = """vectors: numbers separated by blanks or commas, keys by semicolons
  attn-tui --query "1 0" --keys "1 0; 0 1; 1 1" --temperature 0.5
  attn-tui --example coreference --scale 1 --print text"""


class _Parser(argparse.ArgumentParser):
    """argparse, with errors of one sentence."""

    def error(self, message: str) -> NoReturn:
        """Say what is wrong, with whatever is quoted made harmless, and leave."""
        from attn_tui.files.visible import visible

        sys.stderr.write(f"attn-tui: {visible(message)}\n")
        sys.exit(USAGE_ERROR)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run attn-tui and return its exit code."""
    given = list(sys.argv[1:] if arguments is None else arguments)
    parser = _parser()
    options = parser.parse_args(_with_negative_values(given))
    _restrict(options, parser)
    if options.list_examples:
        return _list_examples()
    try:
        scene = _scene(options)
    except ValueError as error:
        parser.error(str(error))
    if options.lesson in {"list", "reset"}:
        return _lesson_list() if options.lesson == "list" else _lesson_reset(parser)
    first_step = _lesson_step(options, parser)
    if options.print:
        return _print(scene, options)
    return _explore(scene, options, parser, first_step)


def _parser() -> _Parser:
    """All options."""
    parser = _Parser(
        prog="attn-tui",
        description="See how attention works: edit a query, keys and a temperature, and watch the weights follow.",
        epilog=_EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )
    parser.add_argument("--example", metavar="NAME", help="start from an example (default: lesson)")
    parser.add_argument("--list-examples", action="store_true", help="list the examples and leave")
    parser.add_argument("--query", metavar='"..."', help="the query's components")
    parser.add_argument("--keys", metavar='"...;..."', help="the keys, one after the other")
    parser.add_argument("--values", metavar='"...;..."', help="a value for each key")
    parser.add_argument("--mask", metavar='"1 1 0"', help="which keys may be attended: 1 = may be")
    parser.add_argument("--temperature", metavar="X", help="finite and above 0 (default: 1)")
    parser.add_argument("--scale", metavar="1|sqrt|X", help="what scores are multiplied by; sqrt is 1/sqrt(hs)")
    parser.add_argument("--dtype", metavar="NAME", help="round every step: float64, float32, float16")
    parser.add_argument("--print", choices=("text", "json"), help="print everything and leave; needs no terminal")
    parser.add_argument("--lesson", nargs="?", const="", metavar="STEP", help="open the lesson; list and reset do that")
    parser.add_argument("--ascii", action="store_true", help="draw without Unicode")
    parser.add_argument("--mouse", action="store_true", help="let the mouse be used too")
    parser.add_argument("--theme", metavar="NAME", help="the colours")
    parser.add_argument("--restricted", action="store_true", help="touch no file, for accounts that are shared")
    parser.add_argument("--version", action="version", version=f"attn-tui {__version__}")
    return parser


_VALUED = ("--query", "--keys", "--values", "--mask", "--temperature", "--scale")
"""Options whose value may begin with a minus."""


def _with_negative_values(arguments: list[str]) -> list[str]:
    """`--query -1,2` as `--query=-1,2`, since argparse would take -1,2 for an option."""
    joined: list[str] = []
    for argument in arguments:
        if joined and joined[-1] in _VALUED and argument[:1] in {"-", "−"} and argument[:2] != "--":
            joined[-1] += f"={argument}"
        else:
            joined.append(argument)
    return joined


_TOUCH_FILES: dict[str, tuple[str, ...] | None] = {"lesson": ("reset", "list")}
"""Options that read or write files, with the values that do; all values where there is None."""


def _restrict(options: argparse.Namespace, parser: _Parser) -> None:
    """Refuse what touches files in a restricted session."""
    for name, values in _TOUCH_FILES.items():
        given: object = getattr(options, name)
        if options.restricted and given is not None and (values is None or given in values):
            parser.error(f"--{name} {given}: not in a restricted session")


def _scene(options: argparse.Namespace) -> "Scene":
    """The scene that the options describe. Raises ValueError, in words, for one that makes no sense."""
    from attn_tui.files.arguments import SceneArguments

    return SceneArguments(
        options.example,
        options.query,
        options.keys,
        options.values,
        options.mask,
        options.temperature,
        options.scale,
        options.dtype,
    ).scene()


def _list_examples() -> int:
    """Print every example with its title."""
    from attn_tui.model.examples import EXAMPLES

    width = max(len(example.name) for example in EXAMPLES)
    _write("\n".join(f"{example.name:<{width}}  {example.title}" for example in EXAMPLES))
    return 0


def _lesson_list() -> int:
    """Print the lesson's steps, those that are done with a mark."""
    from attn_tui.lesson import progress
    from attn_tui.lesson.steps import STEPS

    kept, complaint = progress.load(progress.path())
    if complaint:
        sys.stderr.write(f"attn-tui: {complaint}\n")
    width = max(len(step.id) for step in STEPS)
    _write("\n".join(f"[{'x' if step.id in kept.done else ' '}] {step.id:<{width}}  {step.title}" for step in STEPS))
    return 0


def _lesson_reset(parser: _Parser) -> int:
    """Forget which steps are done."""
    from attn_tui.lesson import progress

    complaint = progress.save(progress.reset(), progress.path())
    if complaint:
        parser.error(complaint)
    _write("the lesson begins anew: no step is done")
    return 0


def _lesson_step(options: argparse.Namespace, parser: _Parser) -> int | None:
    """Which step of the lesson to open, None for the first that is not done."""
    if not options.lesson:
        return None
    from attn_tui.lesson.steps import STEPS, step

    try:
        return STEPS.index(step(options.lesson))
    except ValueError as error:
        parser.error(str(error))


def _print(scene: "Scene", options: argparse.Namespace) -> int:
    """Print the report."""
    from attn_tui.files.report import as_json, as_text
    from attn_tui.model.scene import read
    from attn_tui.ui.terminal import wants_ascii

    reading = read(scene)
    if options.print == "json":
        _write(as_json(scene, reading))
    else:
        _write(as_text(scene, reading, ascii_only=options.ascii or wants_ascii()))
    return 0


def _write(text: str) -> None:
    """Write to standard output; a reader who has seen enough, as `head` has, is no error.

    What the output's encoding lacks is spelt out. Leaves with a sentence when there is nowhere to write to.
    """
    from attn_tui.ui.terminal import let_go

    if sys.stdout is None:  # pyright: ignore[reportUnnecessaryComparison] - so it is when it was closed before the start
        sys.exit(USAGE_ERROR)
    try:
        encoding = sys.stdout.encoding or "ascii"
        sys.stdout.write(text.encode(encoding, "backslashreplace").decode(encoding) + "\n")
        sys.stdout.flush()
    except BrokenPipeError:
        pass
    except OSError as error:
        sys.stderr.write(f"attn-tui: the output cannot be written: {error.strerror}\n")
        let_go()
        sys.exit(USAGE_ERROR)
    let_go()


def _explore(scene: "Scene", options: argparse.Namespace, parser: _Parser, first_step: int | None) -> int:
    """Start the explorer, where there is a terminal for it."""
    from attn_tui.ui import start

    wishes = start.Wishes(options.ascii, options.theme, options.restricted)
    try:
        app = start.explorer(scene, wishes)
    except start.NoExplorerError as refusal:
        parser.error(str(refusal))
    if options.lesson is not None:
        app.open_lesson(first_step)
    return start.show(app, mouse=options.mouse)
