"""The rules of the house: which room knows which, what every file has, what every command has."""

import ast
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from attn_tui.ui.commands.command import Command
from attn_tui.ui.commands.table import COMMANDS, markdown

_ROOT = Path(__file__).parents[1]
_PACKAGE = _ROOT / "attn_tui"
_FILES = sorted(_PACKAGE.rglob("*.py"))
_ROOMS = {
    "core": {"core"},
    "model": {"core", "model"},
    "files": {"core", "model", "files"},
    "lesson": {"core", "model", "lesson"},
    "ui": {"core", "model", "files", "lesson", "ui"},
    "options.py": {"files"},
    "cli.py": {"core", "model", "files", "lesson", "ui", "options"},
}
"""What each room may import; the face (`__init__`) and `__main__` come before or after all of them."""
_HEAVY = ("textual", "plotext", "rich")
_FOREIGN = ("textual", "plotext", "rich", "numpy")
_LONGEST_FILE, _LONGEST_FUNCTION = 320, 35
_LONG_WITH_REASON = {
    "model/scene.py:of": "half of it is its signature",
}
"""Functions that may be longer, as `file:function`, and why."""
_FORBIDDEN = {"ctrl+h": "Backspace", "ctrl+i": "Tab", "ctrl+j": "Enter", "ctrl+m": "Enter", "ctrl+enter": "not sent"}
"""Keys that are others on a terminal."""
_TAKEN = {"ctrl+a", "ctrl+b", "ctrl+c", "ctrl+q", "ctrl+s", "ctrl+z"}
"""Keys that tmux, screen or the terminal's flow control may take: never a command's only ones."""

_PUBLIC_ALL_THE_SAME = {"_replace", "_asdict", "_fields", "_make"}
"""Of named tuples: underscored so as not to be fields."""

Function = ast.FunctionDef | ast.AsyncFunctionDef


def _name(file: Path) -> str:
    """A file as these tests name it."""
    return file.relative_to(_PACKAGE).as_posix()


def _module(file: Path) -> str:
    """The module in a file."""
    return ".".join(file.relative_to(_ROOT).with_suffix("").parts).removesuffix(".__init__")


def _tree(file: Path) -> ast.Module:
    """A file's syntax."""
    return ast.parse(file.read_text(encoding="utf-8"))


def _imported(tree: ast.Module) -> Iterator[str]:
    """Every module that a file imports anywhere, with the names that it takes from them."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


def _functions(tree: ast.Module) -> Iterator[Function]:
    """Every function and method of a file."""
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            yield node


def _loaded_by(code: str) -> set[str]:
    """The modules that are there after some code ran in a fresh interpreter."""
    program = f"{code}\nimport sys\nsys.stderr.write('\\n'.join(sys.modules))"
    done = subprocess.run(
        [sys.executable, "-c", program], cwd=_ROOT, capture_output=True, text=True, check=True, timeout=120
    )
    return set(done.stderr.split("\n"))


def _roots(modules: set[str]) -> set[str]:
    """The packages that modules belong to."""
    return {module.split(".", maxsplit=1)[0] for module in modules}


@pytest.mark.parametrize("file", _FILES, ids=_name)
def test_a_file_imports_only_what_its_room_may(file: Path) -> None:
    room = file.relative_to(_PACKAGE).parts[0]
    for module in _imported(_tree(file)):
        root, _, rest = module.partition(".")
        if root == "attn_tui" and room in _ROOMS and rest != "__version__":
            assert rest.split(".")[0] in _ROOMS[room], module
        assert root not in _HEAVY or room == "ui", module
        if room == "core":
            assert root in {"attn_tui", "numpy"} or root in sys.stdlib_module_names, module
        assert root in {"attn_tui", "numpy", *_HEAVY, "safetensors", "ml_dtypes"} or root in sys.stdlib_module_names


def test_no_file_imports_relatively() -> None:
    for file in _FILES:
        assert not [node for node in ast.walk(_tree(file)) if isinstance(node, ast.ImportFrom) and node.level], file


@pytest.mark.parametrize("room", [room for room in ("core", "model", "files", "lesson") if (_PACKAGE / room).exists()])
def test_a_room_brings_nothing_with_it_that_it_may_not_know(room: str) -> None:
    modules = [_module(file) for file in sorted((_PACKAGE / room).rglob("*.py"))]
    loaded = _loaded_by("\n".join(f"import {module}" for module in modules))
    ours = {module.split(".")[1] for module in loaded if module.startswith("attn_tui.")}
    assert ours <= _ROOMS[room]
    assert not _roots(loaded) & set(_HEAVY)


def test_the_core_needs_nothing_but_numpy() -> None:
    everything = _loaded_by("import numpy, importlib.resources")
    modules = [_module(file) for file in sorted((_PACKAGE / "core").rglob("*.py"))]
    loaded = _roots(_loaded_by("\n".join(f"import {module}" for module in modules)) - everything)
    assert loaded <= {"attn_tui", "numpy", *sys.stdlib_module_names}


@pytest.mark.parametrize(
    "arguments",
    [["--version"], ["--help"], ["--list-examples"], ["--print", "text"], ["--print", "json"]],
    ids=" ".join,
)
def test_what_needs_no_terminal_imports_no_textual(arguments: list[str]) -> None:
    code = f"from attn_tui.cli import main\ntry:\n    main({arguments!r})\nexcept SystemExit:\n    pass"
    loaded = _roots(_loaded_by(code))
    assert not loaded & set(_HEAVY)
    if arguments[0] in {"--version", "--help"}:
        assert "numpy" not in loaded


def test_no_reader_and_no_exporter_is_imported_before_the_first_paint() -> None:
    loaded = _loaded_by("import attn_tui.ui.app, attn_tui.ui.start")
    late = ("containers", "dumps", "checks", "exports", "vectors", "report")
    assert not {module for module in loaded if module.startswith(tuple(f"attn_tui.files.{name}" for name in late))}


def test_importing_the_package_imports_no_numpy() -> None:
    loaded = _loaded_by("import attn_tui")
    assert "attn_tui" in loaded
    assert not _roots(loaded) & {"numpy", *_HEAVY}


def test_plotext_comes_after_the_first_paint() -> None:
    assert "plotext" not in _roots(_loaded_by("import attn_tui.ui.app"))


@pytest.mark.parametrize("file", _FILES, ids=_name)
def test_everything_is_documented_and_typed(file: Path) -> None:
    tree = _tree(file)
    assert ast.get_docstring(tree), "the module"
    for node in ast.walk(tree):
        if isinstance(node, ast.ClassDef):
            assert ast.get_docstring(node), node.name
    for function in _functions(tree):
        arguments = [*function.args.posonlyargs, *function.args.args, *function.args.kwonlyargs]
        arguments += [argument for argument in (function.args.vararg, function.args.kwarg) if argument]
        untyped = [a.arg for a in arguments if a.annotation is None and a.arg not in {"self", "cls"}]
        assert not untyped, f"{function.name}: {untyped}"
        assert function.returns is not None, function.name
        assert ast.get_docstring(function) or _is_plain(function), function.name


def _is_plain(function: Function) -> bool:
    """Whether a function is one whose class says what it does: `__init__` and the like, or an overload."""
    return function.name.startswith("__") and function.name.endswith("__")


@pytest.mark.parametrize("file", _FILES, ids=_name)
def test_no_file_reaches_for_what_is_private_to_another(file: Path) -> None:
    tree = _tree(file)
    for module in _imported(tree):
        root, *names = module.split(".")
        assert root not in _FOREIGN or not [name for name in names if name.startswith("_")], module
        assert root != "attn_tui" or not [n for n in names if n.startswith("_") and not n.startswith("__")], module
    own = {node.name for node in ast.walk(tree) if isinstance(node, ast.ClassDef)}
    for node in ast.walk(tree):
        if isinstance(node, ast.Attribute) and node.attr.startswith("_") and not node.attr.startswith("__"):
            if node.attr in _PUBLIC_ALL_THE_SAME:
                continue
            holder = node.value.id if isinstance(node.value, ast.Name) else None
            assert holder in {"self", "cls", "super", *own}, f"line {node.lineno}: {node.attr}"


@pytest.mark.parametrize("file", _FILES, ids=_name)
def test_a_file_is_a_room_and_a_function_a_sentence(file: Path) -> None:
    assert len(file.read_text(encoding="utf-8").splitlines()) <= _LONGEST_FILE
    for function in _functions(_tree(file)):
        length = _length(function)
        allowed = f"{_name(file)}:{function.name}" in _LONG_WITH_REASON
        assert length <= _LONGEST_FUNCTION or allowed, f"{function.name} has {length} lines"


def _length(function: Function) -> int:
    """How many lines a function has, without what its docstring says."""
    said = len((ast.get_docstring(function) or "").splitlines())
    return (function.end_lineno or function.lineno) - function.lineno + 1 - said


def test_every_exception_to_the_length_is_still_one() -> None:
    long = {
        f"{_name(file)}:{function.name}"
        for file in _FILES
        for function in _functions(_tree(file))
        if _length(function) > _LONGEST_FUNCTION
    }
    assert _LONG_WITH_REASON.keys() <= long


@pytest.mark.parametrize("file", _FILES, ids=_name)
def test_no_file_catches_everything(file: Path) -> None:
    for node in ast.walk(_tree(file)):
        if isinstance(node, ast.ExceptHandler):
            kinds = node.type.elts if isinstance(node.type, ast.Tuple) else [node.type]
            names = {kind.id for kind in kinds if isinstance(kind, ast.Name)}
            assert node.type is not None, f"line {node.lineno}"
            passed_on = isinstance(node.body[-1], ast.Raise) and node.body[-1].exc is None
            assert passed_on or not names & {"Exception", "BaseException"}, f"line {node.lineno}"


def test_a_command_has_an_id_and_keys_of_its_own() -> None:
    ids = [command.id for command in COMMANDS]
    keys = [key for command in COMMANDS for key in command.keys]
    assert len(ids) == len(set(ids))
    assert sorted(keys) == sorted(set(keys))


@pytest.mark.parametrize("command", COMMANDS, ids=lambda command: command.id)
def test_a_command_can_be_reached_on_every_terminal_and_says_what_it_does(command: Command) -> None:
    assert command.keys
    assert not set(command.keys) & _FORBIDDEN.keys()
    assert not [key for key in command.keys if "alt+" in key or "super+" in key]
    assert not set(command.keys) <= _TAKEN, "a terminal may keep these for itself"
    assert command.title
    assert command.help[0].isupper()
    assert command.help.endswith(".")
    assert "\n" not in command.help


def test_digits_signs_and_points_begin_a_number_and_are_no_commands() -> None:
    keys = {key for command in COMMANDS for key in command.keys}
    assert not keys & {*"0123456789", "minus", "plus", "full_stop", "escape"}


def test_the_readme_has_the_table_of_keys() -> None:
    assert markdown() in (_ROOT / "README.md").read_text(encoding="utf-8")


def test_the_footer_has_at_most_seven_commands_and_fits_eighty_columns() -> None:
    shown = [command for command in COMMANDS if command.footer]
    assert 0 < len(shown) <= 7
    assert len({command.footer_place for command in shown}) == len(shown)
    assert sum(len(f" {command.footer_key} {command.footer}  ") for command in shown) <= 80
