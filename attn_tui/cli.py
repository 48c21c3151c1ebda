"""The command line: arguments, then a printed report or the explorer. Nothing heavy is imported before it is needed."""

import argparse
import sys
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from attn_tui.options import OF_A_SCENE, TOUCH_FILES, USAGE_ERROR, Parser, with_negative_values
from attn_tui.options import parser as option_parser

if TYPE_CHECKING:
    from attn_tui.files.arguments import SceneArguments
    from attn_tui.files.dumps.request import Request
    from attn_tui.files.sessions.kept import Resumed
    from attn_tui.model.scene import Scene


@dataclass(frozen=True)
class _Start:
    """What the explorer begins with."""

    scene: "Scene"
    notes: Sequence[str] = ()
    """What to say of how it was read."""
    resumed: "Resumed | None" = None
    asks: "Request | None" = None
    """A file of which a person has to say how it is to be read."""
    first_step: int | None = None
    """Of the lesson, None for the first that is not done."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run attn-tui and return its exit code."""
    given = list(sys.argv[1:] if arguments is None else arguments)
    parser = option_parser()
    options = parser.parse_args(with_negative_values(given))
    _restrict(options, parser)
    if options.list_examples:
        return _list_examples()
    if options.check or options.json:
        return _check(options, parser)
    begin = _begin(options, parser)
    if options.file == "-" and not options.print:
        _read_keys_from_the_terminal()
    if options.lesson in {"list", "reset"}:
        return _lesson_list() if options.lesson == "list" else _lesson_reset(parser)
    begin = replace(begin, first_step=_lesson_step(options, parser))
    return _print(begin, options) if options.print else _explore(begin, options, parser)


def _begin(options: argparse.Namespace, parser: Parser) -> _Start:
    """The scene that the options describe; for a file that can be read in several ways the screen asks."""
    try:
        resumed = _resumed(options)
        return _scene(options) if resumed is None else _Start(resumed.history.scene, resumed=resumed)
    except ValueError as error:
        from attn_tui.files.dumps.parts import UnrecognisedError
        from attn_tui.files.dumps.request import UndecidedError
        from attn_tui.ui import terminal

        can_ask = isinstance(error, UndecidedError | UnrecognisedError) and options.file not in {None, "-"}
        if options.print or not can_ask or terminal.refusal():
            parser.error(str(error))
        from attn_tui.model.examples import EXAMPLES

        return _Start(EXAMPLES[0].make(), asks=_request(options))


def _read_keys_from_the_terminal() -> None:
    """Have the keyboard for standard input, which has been read to its end."""
    from attn_tui.ui import terminal

    terminal.take_input()


def _restrict(options: argparse.Namespace, parser: Parser) -> None:
    """Refuse what touches files in a restricted session."""
    for name, values in TOUCH_FILES.items():
        given: object = getattr(options, name)
        if options.restricted and _is_given(given) and (values is None or given in values):
            said = "a FILE" if name == "file" else f"--{name}" if values is None else f"--{name} {given}"
            parser.error(f"{said}: not in a restricted session")


def _scene(options: argparse.Namespace) -> _Start:
    """The scene that the options describe, and what to say of it. Raises ValueError, in words, if it makes no sense."""
    arguments = _arguments(options)
    if options.file is None:
        if options.map or options.layout or options.head or options.row is not None or options.transpose:
            raise ValueError("--map, --layout, --transpose, --head and --row say how to read a FILE: name one")
        return _Start(arguments.scene())
    if options.example is not None:
        raise ValueError("there is a FILE and an --example: choose one")
    from attn_tui.files.dumps.opening import open_file

    opened = open_file(_request(options))
    return _Start(opened.scene, opened.notes)


def _arguments(options: argparse.Namespace) -> "SceneArguments":
    """The vectors and settings among the options."""
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
    )


def _request(options: argparse.Namespace) -> "Request":
    """Which file, and how to read it."""
    from attn_tui.files.dumps.request import Request

    maps = tuple(options.map or ())
    arguments = _arguments(options)
    return Request(options.file, maps, options.layout, options.head, options.row, options.transpose, arguments)


def _check(options: argparse.Namespace, parser: Parser) -> int:
    """Check a file: 0 for a clean one, 1 for findings."""
    from attn_tui.files.checks.check import check_file

    if not options.check:
        parser.error("--json belongs to --check FILE; for a scene there is --print json")
    if options.file is None:
        parser.error("--check needs a FILE")
    try:
        report = check_file(_request(options))
    except ValueError as error:
        parser.error(str(error))
    _write(report.json() if options.json else report.text())
    return 0 if report.is_clean else 1


def _resumed(options: argparse.Namespace) -> "Resumed | None":
    """The session to go on with, if that is asked for. Raises ValueError, in words, where there is none."""
    if options.resume is None:
        return None
    from attn_tui.files.sessions import kept

    others = [name for name in OF_A_SCENE if _is_given(getattr(options, name))]
    if others:
        raise ValueError(
            f"--resume brings its own scene: leave {'FILE' if others[0] == 'file' else f'--{others[0]}'} out"
        )
    return kept.resume(kept.folder(), options.resume or None)


def _is_given(value: object) -> bool:
    """Whether an option was given: 0 is a row, and no answer."""
    return value is not None and value is not False


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


def _lesson_reset(parser: Parser) -> int:
    """Forget which steps are done."""
    from attn_tui.lesson import progress

    complaint = progress.save(progress.reset(), progress.path())
    if complaint:
        parser.error(complaint)
    _write("the lesson begins anew: no step is done")
    return 0


def _lesson_step(options: argparse.Namespace, parser: Parser) -> int | None:
    """Which step of the lesson to open, None for the first that is not done."""
    if not options.lesson:
        return None
    from attn_tui.lesson.steps import STEPS, step

    try:
        return STEPS.index(step(options.lesson))
    except ValueError as error:
        parser.error(str(error))


def _print(begin: _Start, options: argparse.Namespace) -> int:
    """Print the report."""
    from attn_tui.files.report import as_json, as_text
    from attn_tui.model.scene import read
    from attn_tui.ui.terminal import wants_ascii

    scene, notes, reading = begin.scene, begin.notes, read(begin.scene)
    if options.print == "json":
        _write(as_json(scene, reading, notes))
    else:
        _write(as_text(scene, reading, ascii_only=options.ascii or wants_ascii(), notes=notes))
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


def _explore(begin: _Start, options: argparse.Namespace, parser: Parser) -> int:
    """Start the explorer, where there is a terminal for it."""
    from attn_tui.ui import start
    from attn_tui.ui.autosave import Autosave

    wishes = start.Wishes(options.ascii, options.theme, options.restricted)
    try:
        autosave = None if options.restricted else Autosave(None if begin.resumed is None else begin.resumed.session)
        app = start.explorer(begin.scene, wishes, autosave)
    except start.NoExplorerError as refusal:
        parser.error(str(refusal))
    if begin.notes:
        app.message = ". ".join(begin.notes)
    if begin.resumed is not None:
        app.go_on_with(begin.resumed.history)
    if begin.asks is not None:
        app.ask_how_to_read(begin.asks)
    if options.lesson is not None:
        app.open_lesson(begin.first_step)
    return start.show(app, mouse=options.mouse)
