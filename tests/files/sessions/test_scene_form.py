"""A scene that is saved is the same scene when it is opened, and one changed number is one changed line."""

import json
import math
from contextlib import suppress
from difflib import unified_diff
from pathlib import Path
from typing import Any, NoReturn

import pytest
from hypothesis import given
from hypothesis import strategies as st

from attn_tui.files.errors import ForeignError
from attn_tui.files.json_numbers import parse_json
from attn_tui.files.report import report
from attn_tui.files.sessions.layout import is_session
from attn_tui.files.sessions.saved import load_scene, scene_text
from attn_tui.files.sessions.scene_form import scene_from_json, scene_to_json
from attn_tui.model import edits
from attn_tui.model.examples import EXAMPLES, bundled, example
from attn_tui.model.scene import QUERY, Cell, Scene, read
from attn_tui.model.source import Dump, Source
from tests.files.sessions.saving import save_scene
from tests.model.scenes import SCENE, SPECIAL, cells_of, content, scenes

_NAMES = st.text(max_size=12) | st.sampled_from(["\x1b[2J", "\x9b31m", "\u202e", "\ud800", "𝔞\U000e0001", '"\\', ""])
"""What a file from outside may call a key."""


def _no_constant(name: str) -> NoReturn:
    """JSON knows no NaN and no Infinity."""
    raise AssertionError(f"{name} is not JSON")


def strict(text: str) -> dict[str, Any]:
    """Strict JSON."""
    return json.loads(text, parse_constant=_no_constant)


@st.composite
def hostile(draw: st.DrawFn) -> Scene:
    """Any scene, with any names and from anywhere."""
    scene = draw(scenes())
    source = draw(st.none() | st.builds(Source, _NAMES, st.lists(st.integers(0, 9)).map(tuple), st.integers(0, 20)))
    return Scene.of(
        scene.query,
        scene.keys,
        scene.values,
        labels=draw(st.lists(_NAMES, min_size=scene.count, max_size=scene.count)),
        mask=draw(st.lists(st.booleans(), min_size=scene.count, max_size=scene.count)),
        temperature=draw(st.floats(5e-324, 1.7976931348623157e308)),
        scale=draw(st.just("sqrt") | st.floats(allow_nan=False, allow_infinity=False)),
        dtype=scene.dtype,
        query_label=draw(_NAMES),
        source=source,
    )


def same(one: Scene, other: Scene) -> bool:
    """Whether two scenes are the same to the last bit; sources are compared without their dumps."""
    first, second = content(one), content(other)
    sources = [(s.name, s.indices, s.row) if s is not None else None for s in (one.source, other.source)]
    bits = [math.copysign(1.0, s) if s != "sqrt" else s for s in (one.scale, other.scale)]
    parts = first.keys() - {"source"}
    return sources[0] == sources[1] and bits[0] == bits[1] and all(first[name] == second[name] for name in parts)


@given(hostile())
def test_a_scene_reads_back_as_itself_from_strict_json(scene: Scene) -> None:
    text = scene_text(scene)
    assert same(scene_from_json(strict(text)), scene)
    assert text.isascii() or all(line.isprintable() for line in text.splitlines())
    assert text.encode().decode() == text


@given(hostile())
def test_the_scene_that_is_printed_reads_back_too(scene: Scene) -> None:
    printed = json.loads(json.dumps(report(scene, read(scene))))["scene"]
    assert isinstance(printed["scale"], float)
    assert same(scene_from_json(printed), scene)


@pytest.mark.parametrize("name", [entry.name for entry in EXAMPLES])
def test_an_example_is_saved_and_opened_with_its_model(name: str, tmp_path: Path) -> None:
    scene = example(name)
    save_scene(scene, tmp_path / "scene.json")
    again = load_scene(tmp_path / "scene.json")
    assert content(again)["keys"] == content(scene)["keys"]
    assert again.source is not None
    assert scene.source is not None
    assert again.source.dump is scene.source.dump
    assert (again.source.name, again.source.indices, again.source.row) == (
        scene.source.name,
        scene.source.indices,
        scene.source.row,
    )


def test_the_dump_of_a_file_is_left_out_and_one_that_does_not_fit_is_not_taken() -> None:
    dump = bundled()
    other = Dump(dump.queries, dump.keys, None, dump.tokens)
    for source in (Source("model.npz", (0, 0), 0, other), Source("minilm-l6", (9, 0), 0), Source("minilm-l6", (0,), 0)):
        again = scene_from_json(scene_to_json(Scene.of([1.0], [[1.0]], source=source)))
        assert again.source is not None
        assert again.source.dump is None
        assert again.source.indices == source.indices


@given(st.data())
def test_one_changed_number_is_one_changed_line(data: st.DataObject) -> None:
    scene = data.draw(scenes())
    cell, number = data.draw(cells_of(scene)), data.draw(st.sampled_from([*SPECIAL, 0.25]))
    after = edits.set_component(scene, cell, number)
    before, lines = scene_text(scene).splitlines(), scene_text(after).splitlines()
    assert len(before) == len(lines)
    assert sum(one != other for one, other in zip(before, lines, strict=True)) == (content(after) != content(scene))


def test_a_file_differs_by_the_lines_that_a_person_changed() -> None:
    after = edits.toggle_mask(edits.rename(edits.delete_key(SCENE, 2), QUERY, "Ä"), 0)
    diff = [
        line
        for line in unified_diff(scene_text(SCENE).splitlines(), scene_text(after).splitlines(), n=0)
        if line[:2] not in {"--", "++", "@@"}
    ]
    removed = {line.strip("-,") for line in diff if line[0] == "-"}
    assert removed >= {'"query_label": "it"', '"k7"', "[30.0, 31.0]", "[300.0]"}
    assert '+"query_label": "Ä",' in diff
    assert scene_text(SCENE).splitlines()[1] == '"attn-tui": 1,'


def test_what_has_a_default_may_be_missing_and_whole_numbers_are_numbers() -> None:
    scene = scene_from_json({"query": [1, 2], "keys": [[3, 4.5]], "mask": [1]})
    assert scene.keys.tolist() == [[3.0, 4.5]]
    assert (scene.labels, scene.temperature, scene.scale) == (("k0",), 1.0, 1.0)


_GOOD: dict[str, Any] = {"query": [1.0, 2.0], "keys": [[1.0, 0.0], [0.0, 1.0]]}
_BAD: dict[str, tuple[dict[str, Any], str]] = {
    "no keys": ({"query": [1.0]}, "the scene has no keys"),
    "a word": ({**_GOOD, "query": [1.0, "one"]}, 'query[1] is "one", and has to be a number'),
    "true": ({**_GOOD, "query": [1.0, True]}, "query[1] is true, and has to be a number"),
    "null": ({**_GOOD, "keys": [[1.0, None], [0.0, 1.0]]}, "keys[0][1] is null, and has to be a number"),
    "ragged": ({**_GOOD, "keys": [[1.0, 0.0], [0.0]]}, "keys[1] has 1 numbers, and keys[0] has 2"),
    "no list": ({**_GOOD, "keys": {"0": [1.0]}}, "keys is an object, and has to be a list"),
    "huge": ({**_GOOD, "query": [10**400, 1]}, "query[0] is beyond the float64 maximum"),
    "sizes": ({**_GOOD, "query": [1.0]}, "component"),
    "labels": ({**_GOOD, "labels": ["a"]}, "there are 2 keys and 1 labels"),
    "label": ({**_GOOD, "labels": ["a", 1]}, "labels[1] is 1, and has to be a text"),
    "mask": ({**_GOOD, "mask": [1, 0.5]}, "mask[1] has to be true or false"),
    "temperature": ({**_GOOD, "temperature": 0}, "temperature"),
    "infinite": ({**_GOOD, "temperature": "inf"}, "temperature"),
    "scale": ({**_GOOD, "scale": "root"}, 'scale is "root", and has to be a number'),
    "dtype": ({**_GOOD, "dtype": "float12"}, "float12"),
    "source": ({**_GOOD, "source": {"name": "x", "indices": [-1]}}, "the source's indices[0] is -1"),
    "no keys at all": ({**_GOOD, "keys": []}, ""),
}


@pytest.mark.parametrize("case", _BAD)
def test_what_makes_no_scene_is_refused_by_its_name(case: str) -> None:
    found, words = _BAD[case]
    with pytest.raises(ForeignError) as refused:
        scene_from_json(found)
    assert words in str(refused.value)
    assert "\n" not in str(refused.value)


_BROKEN: dict[str, tuple[bytes, str]] = {
    "empty": (b"", "it is no JSON"),
    "half": (b'{"attn-tui": 1, "query": [1.0', "it is no JSON"),
    "no text": (b"\xff\xfe\x00\x80", "it is no text"),
    "too deep": (b"[" * 200_000, "nested too deep"),
    "list": (b"[]", "attn-tui did not write it"),
    "another": (b'{"q": [1]}', "attn-tui did not write it"),
    "newer": (b'{"attn-tui": 2, "query": {}}', "a newer attn-tui wrote it (version 2, and this one reads 1)"),
    "no version": (b'{"attn-tui": "1"}', "is no version"),
    "true": (b'{"attn-tui": true}', "is no version"),
    "above": (b'{"attn-tui": 1, "query": [1e999], "keys": [[1]]}', "1e999 is a number that float64 cannot hold"),
    "below": (b'{"attn-tui": 1, "query": [1e-999], "keys": [[1]]}', "1e-999 is a number that float64 cannot hold"),
    "digits": (b'{"attn-tui": 1, "query": [' + b"1" * 5000 + b"]}", "too many digits"),
    "step": (b'{"attn-tui": 1, "now": 0, "steps": [{"query": [1]}]}', "steps[0]: the scene has no keys"),
    "now": (b'{"attn-tui": 1, "now": 3, "steps": []}', "now is 3, and there are 0 steps"),
}


@pytest.mark.parametrize("case", _BROKEN)
def test_a_file_that_cannot_be_read_is_one_sentence_and_stays(case: str, tmp_path: Path) -> None:
    file = tmp_path / "scene.json"
    file.write_bytes(_BROKEN[case][0])
    with pytest.raises(ForeignError) as refused:
        load_scene(file)
    assert str(refused.value).startswith(f"{file} cannot be read: ")
    assert _BROKEN[case][1] in str(refused.value)
    assert file.read_bytes() == _BROKEN[case][0]


@given(st.data())
def test_no_mutation_of_a_file_ends_in_anything_but_a_scene_or_a_sentence(data: st.DataObject) -> None:
    text = bytearray(scene_text(SCENE).encode())
    for _ in range(data.draw(st.integers(1, 4))):
        at = data.draw(st.integers(0, len(text) - 1))
        text[at : at + data.draw(st.integers(0, 3))] = data.draw(
            st.binary(max_size=3) | st.sampled_from([b"-", b"9", b'"'])
        )
    with suppress(ForeignError):
        found = parse_json(bytes(text))
        if is_session(found):
            scene = scene_from_json(found)
            assert same(scene_from_json(strict(scene_text(scene))), scene)


def test_what_is_no_file_or_too_large_is_not_read(tmp_path: Path) -> None:
    with pytest.raises(ForeignError, match="No such file"):
        load_scene(tmp_path / "missing.json")
    with pytest.raises(ForeignError, match="it is no file"):
        load_scene(Path("/dev/zero"))
    with open(tmp_path / "large.json", "wb") as stream:
        stream.truncate(2**30)
    with pytest.raises(ForeignError, match="larger than 64 MB"):
        load_scene(tmp_path / "large.json")


def test_the_cell_of_a_special_number_is_kept_bit_by_bit(tmp_path: Path) -> None:
    scene = Scene.of(list(SPECIAL), [list(SPECIAL)], [list(SPECIAL)])
    save_scene(scene, tmp_path / "scene.json")
    again = load_scene(tmp_path / "scene.json")
    assert content(again) == content(scene)
    assert math.copysign(1.0, again.component(Cell(0, 4))) == -1.0


def test_a_name_that_comes_twice_is_refused(tmp_path: Path) -> None:
    text = scene_text(SCENE).replace('"query": ', '"query": [9],\n"query": ')
    (tmp_path / "scene.json").write_text(text)
    with pytest.raises(ForeignError, match="'query' is in it twice"):
        load_scene(tmp_path / "scene.json")
