"""What a file holds is listed by name, shape and dtype, and what was skipped or read how is said."""

import base64
import json
from pathlib import Path

import numpy as np
import pytest

from attn_tui.files.containers import Container, from_bytes, open_container
from attn_tui.files.errors import ForeignError
from attn_tui.files.report import as_json
from attn_tui.model import edits
from attn_tui.model.examples import EXAMPLES, example
from attn_tui.model.scene import read
from tests.files.containers import written

KEYS_CSV = base64.b64decode("77u/LGswLGsxDQowLDAuNSwxLjANCjEsLTAuNSwyLjANCg==")
BF16_NPY = base64.b64decode(
    "k05VTVBZAQB2AHsnZGVzY3InOiAnfFYyJywgJ2ZvcnRyYW5fb3JkZXInOiBGYWxzZSwgJ3NoYXBlJzogKDQsKSwgfSAgICAgICAgICAgICAgIC"
    "AgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgIAoAAIA/AEBAQA=="
)
QK_SAFETENSORS = base64.b64decode(
    "gAAAAAAAAAB7InEiOiB7ImR0eXBlIjogIkJGMTYiLCAic2hhcGUiOiBbMl0sICJkYXRhX29mZnNldHMiOiBbMCwgNF19LCAiSyI6IHsiZHR5cGUi"
    "OiAiRjE2IiwgInNoYXBlIjogWzIsIDJdLCAiZGF0YV9vZmZzZXRzIjogWzQsIDEyXX19IMA/AMAAPAAAAAAAPA=="
)


def _listed(container: Container) -> dict[str, tuple[tuple[int, ...], str]]:
    """Shape and dtype by name."""
    return {entry.name: (entry.shape, entry.dtype) for entry in container.entries}


def _read(container: Container) -> dict[str, object]:
    """The arrays as lists by name."""
    return {entry.name: entry.read().tolist() for entry in container.entries}


def test_a_csv_with_a_byte_order_mark_a_heading_and_an_index() -> None:
    container = from_bytes(KEYS_CSV, "keys.csv")
    assert _read(container) == {"": [[0.5, 1.0], [-0.5, 2.0]], "labels": ["0", "1"]}
    assert container.notes == ("the first column names the rows, 0 to 1: read as labels, not as a component",)


def test_objects_are_skipped_beside_arrays_and_a_lone_number_has_no_axes() -> None:
    arrays = {"q": np.ones(4), "K": np.ones((3, 4)), "meta": np.array({"a": 1}, dtype=object)}
    container = from_bytes(written.npz(arrays), "several.npz")
    assert _listed(container) == {"q": ((4,), "float64"), "K": ((3, 4), "float64")}
    assert container.notes == ("meta holds Python objects: not read",)
    assert _listed(from_bytes(written.npy(3.5), "scalar.npy")) == {"": ((), "float64")}


def test_bfloat16_in_npy_and_in_safetensors() -> None:
    container = from_bytes(BF16_NPY, "bf16.npy")
    assert _listed(container) == {"": ((4,), "bfloat16")}
    assert container.entries[0].read().astype(np.float64).tolist() == [0.0, 1.0, 2.0, 3.0]
    assert container.notes == ("2-byte items without a type: probably bfloat16, and read as that",)
    tensors = from_bytes(QK_SAFETENSORS, "qk.safetensors")
    assert _listed(tensors) == {"q": ((2,), "bfloat16"), "K": ((2, 2), "float16")}
    assert tensors.entries[0].read().astype(np.float64).tolist() == [1.5, -2.0]
    assert tensors.entries[1].read().tolist() == [[1.0, 0.0], [0.0, 1.0]]


def test_bfloat16_that_numpy_saved_is_read_with_a_note() -> None:
    array = np.arange(6).reshape(2, 3).astype(written.BFLOAT16)
    for content, name, prefix in (
        (written.npy(array), "k.npy", ""),
        (written.npz({"k": array}), "k.npz", "k: "),
        (written.npz({"k": array}, compressed=True), "k.npz", "k: "),
    ):
        container = from_bytes(content, name)
        assert container.entries[0].read().tolist() == array.tolist()
        assert container.notes == (f"{prefix}2-byte items without a type: probably bfloat16, and read as that",)


@pytest.mark.parametrize(
    ("text", "expected", "note"),
    [
        ("[1.0, NaN, -Infinity]", [1.0, np.nan, -np.inf], None),
        ('[1.0, "nan", "-inf", "inf"]', [1.0, np.nan, -np.inf, np.inf], None),
        ("[1.0, 1e400]", [1.0, np.inf], "overflow at item 2: 1e400 is outside float64, read as inf"),
        ("[1.0, 1e-400]", [1.0, 0.0], "underflow at item 2: 1e-400 is outside float64, read as 0"),
        ("[[3], [1e400]]", [[3.0], [np.inf]], "overflow at item 2: 1e400 is outside float64, read as inf"),
        ('["1.5", "2"]', [1.5, 2.0], "strings converted"),
        ("[true, false, true]", [True, False, True], None),
        ("[]", [], None),
        ("0.5", 0.5, None),
    ],
)  # fmt: skip
def test_numbers_of_json(text: str, expected: list[object], note: str | None) -> None:
    container = from_bytes(text.encode(), "k.json")
    np.testing.assert_array_equal(container.entries[0].read(), np.array(expected))
    assert container.notes == ((note,) if note else ())


def test_a_null_in_a_lone_list_is_refused_with_its_place() -> None:
    entry = from_bytes(b"[1.0, null, 2.0]", "k.json").entries[0]
    with pytest.raises(ForeignError, match="line 1, column 7: null is not a number"):
        entry.read()


def test_an_object_of_json_with_all_that_a_person_puts_in_it() -> None:
    written_out = {
        "q": [1, 2], "K": [[1, 0], [0, 1]], "T": 0.5, "scale": "sqrt", "tokens": ["1", "nan"], "labels": ["a", "b"],
        "mask": [True, False], "causal": False, "values": None, "heads": [[[[1.0]]]], "meta": {"model": [1]},
        "runs": [{"a": [[1]]}], "words": [["a"], ["b", "c"]],
    }  # fmt: skip
    container = from_bytes(json.dumps(written_out, indent=1).encode(), "s.json")
    assert _listed(container) == {
        "q": ((2,), "float64"), "K": ((2, 2), "float64"), "T": ((), "float64"), "scale": ((), "text"),
        "tokens": ((2,), "text"), "labels": ((2,), "text"), "mask": ((2,), "bool"), "causal": ((), "bool"),
        "heads": ((1, 1, 1, 1), "float64"),
    }  # fmt: skip
    assert _read(container) == {name: written_out[name] for name in _listed(container)}
    assert container.notes == (
        "meta is an object: not read",
        "runs holds objects: not read",
        "words holds lists of different lengths: not read",
    )


@pytest.mark.parametrize("name", [kind.name for kind in EXAMPLES])
def test_our_own_report_holds_its_scene(name: str) -> None:
    scene = edits.set_temperature(example(name), 0.75)
    container = from_bytes(as_json(scene, read(scene)).encode(), "report.json")
    found = {entry.name: entry for entry in container.entries}
    np.testing.assert_array_equal(found["query"].read(), scene.query)
    np.testing.assert_array_equal(found["keys"].read(), scene.keys)
    np.testing.assert_array_equal(found["mask"].read(), scene.mask)
    assert found["labels"].read().tolist() == list(scene.labels)
    assert found["temperature"].read() == 0.75
    assert ("values" in found) == (scene.values is not None)
    assert not found.keys() & {"scores", "weights"}
    assert container.notes[-1] == "the scene in it is read, and nothing that stands beside it"


def test_the_scene_counts_wherever_it_stands() -> None:
    container = from_bytes(b'{"q": [9], "scene": {"query": [1], "scene": {}}, "weights": [[1], []]}', "s.json")
    assert _read(container) == {"query": [1.0]}


def test_the_content_decides_and_a_name_that_says_otherwise_is_remarked(tmp_path: Path) -> None:
    for content, name, expected in (
        (written.npz({"q": np.ones(2)}), "q.npy", "its name ends in .npy and its content is .npz: read as that"),
        (written.npy(np.ones(2)), "q.csv", "its name ends in .csv and its content is .npy: read as that"),
        (written.safetensors({"q": np.ones(2)}), "q.npz",
         "its name ends in .npz and its content is safetensors: read as that"),
        (b'{"q": [1, 1]}', "q.csv", "its name ends in .csv and its content is JSON: read as that"),
    ):  # fmt: skip
        (tmp_path / name).write_bytes(content)
        container = open_container(tmp_path / name)
        assert container.entries[0].read().tolist() == [1.0, 1.0]
        assert container.notes == (expected,)


def test_a_header_of_safetensors_whose_length_looks_like_a_pickle() -> None:
    header = written.safetensors_of(b'{"q":{"dtype":"F32","shape":[1],"data_offsets":[0,4]}}'.ljust(0x280), bytes(4))
    assert header.startswith(b"\x80\x02")
    assert _read(from_bytes(header, "m.safetensors")) == {"q": [0.0]}
    assert _read(from_bytes(header, "-")) == {"q": [0.0]}


def test_what_follows_an_array_is_remarked() -> None:
    content = written.npy(np.ones(2))
    assert from_bytes(content + content, "q.npy").notes == (f"{len(content)} bytes follow the array: not read",)


def test_the_header_of_python_two() -> None:
    header = "{'descr': '<f8', 'fortran_order': False, 'shape': (1L, 2L), }\n"
    assert from_bytes(written.npy_of(header, bytes(16)), "q.npy").entries[0].shape == (1, 2)


@pytest.mark.parametrize(
    ("text", "name", "expected"),
    [
        ("q = [1, 2]\nk = [[1, 2], [3, 4]]\n", "dump.txt", {"q": [1.0, 2.0], "k": [[1.0, 2.0], [3.0, 4.0]]}),
        ("tensor([[1., 2.], [3., 4.]], dtype=torch.float16)", "k.txt", {"": [[1.0, 2.0], [3.0, 4.0]]}),
        ("{'q': [1, 2], 'T': 0.5}", "repr.txt", {"q": [1.0, 2.0], "T": 0.5}),
        ("| token | d0 | d1 |\n|---|---|---|\n| the | 1 | 2 |\n| cat | 3 | 4 |\n", "k.md",
         {"": [[1.0, 2.0], [3.0, 4.0]], "labels": ["the", "cat"]}),
        ("True,False\nTrue,True\n", "mask.csv", {"": [[True, False], [True, True]]}),
        (",k0,k1\nq0,True,False\n", "mask.csv", {"": [[True, False]], "labels": ["q0"]}),
        ("0.5\n", "T.txt", {"": 0.5}),
        ("[0.5]\n", "q.txt", {"": [0.5]}),
        ("1 2 3\n4 5 6\n", "-", {"": [[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]}),
        ("[[[1, 2]], [[3, 4]]]", "-", {"": [[[1.0, 2.0]], [[3.0, 4.0]]]}),
        ('{"q": [1], "tokens": ["a"]}', "-", {"q": [1.0], "tokens": ["a"]}),
    ],
)  # fmt: skip
def test_texts_of_every_kind(text: str, name: str, expected: dict[str, object]) -> None:
    assert _read(from_bytes(text.encode(), name)) == expected


def test_labels_that_could_belong_to_several_tables_are_left_out() -> None:
    text = b"k =\na 1 2\nb 3 4\nv =\nc 1 2\nd 3 4\n"
    assert _read(from_bytes(text, "d.txt")).keys() == {"k", "v"}
