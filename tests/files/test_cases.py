"""Faults that people met with files, layouts and shapes: each opened as they would open it, with the right result."""

import base64
import json
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from attn_tui import softmax
from attn_tui.cli import main

CASES: dict[str, Any] = {
    case["id"][:3]: case
    for case in json.loads((Path(__file__).parents[1] / "data" / "cases_files.json").read_text(encoding="utf-8"))
}
Printed = Callable[..., dict[str, Any]]
Refused = Callable[..., str]


@pytest.fixture
def printed(capsys: pytest.CaptureFixture[str]) -> Printed:
    """What `--print json` says of some arguments."""

    def run(*arguments: object) -> dict[str, Any]:
        assert main([*map(str, arguments), "--print", "json"]) == 0
        return json.loads(capsys.readouterr().out)

    return run


@pytest.fixture
def refused(capsys: pytest.CaptureFixture[str]) -> Refused:
    """The one sentence with which some arguments are refused."""

    def run(*arguments: object) -> str:
        with pytest.raises(SystemExit) as left:
            main([*map(str, arguments), "--print", "json"])
        said = capsys.readouterr()
        assert left.value.code == 2
        assert said.out == ""
        assert said.err.count("\n") == 1
        return said.err

    return run


def written(folder: Path, name: str, content: str) -> Path:
    """A case's file."""
    file = folder / name
    file.write_bytes(base64.b64decode(content))
    return file


def test_f33_a_byte_order_mark_a_heading_and_an_index_are_no_numbers(tmp_path: Path, printed: Printed) -> None:
    case = CASES["F33"]
    file = written(tmp_path, case["input"]["file"], case["input"]["bytes_base64"])
    report = printed(file, "--query", "1 1")
    assert report["scene"]["keys"] == case["expected"]["K"]
    assert report["scores"] == case["expected"]["scores"]
    assert report["weights"] == case["expected"]["weights"]


def test_f33_a_word_among_the_numbers_is_refused_with_its_place(tmp_path: Path, refused: Refused) -> None:
    (tmp_path / "keys.csv").write_text("k0,k1\n0.5,1.0\n-0.5,two\n")
    assert "line 3" in refused(tmp_path / "keys.csv", "--query", "1 1")


def test_f34_pickles_are_never_loaded(tmp_path: Path, printed: Printed, refused: Refused) -> None:
    pickled, scalar, _ = CASES["F34"]["input"]["files"]
    said = refused(written(tmp_path, pickled["name"], pickled["bytes_base64"]), "--query", "1")
    assert "Python objects" in said
    assert "np.savez" in said
    said = refused(written(tmp_path, scalar["name"], scalar["bytes_base64"]), "--query", "1")
    assert "this is a single number" in said
    np.savez(tmp_path / "several.npz", q=np.ones(4), K=np.eye(3, 4), meta=np.array({"a": 1}, dtype=object))
    report = printed(tmp_path / "several.npz")
    assert report["scores"] == [1.0, 1.0, 1.0]
    assert any("meta" in note for note in report["notes"])


def test_f36_bfloat16_is_what_it_was(tmp_path: Path, printed: Printed) -> None:
    pytest.importorskip("ml_dtypes")
    case = CASES["F36"]
    bf16, both = case["input"]["files"]
    report = printed(written(tmp_path, "k.npy", bf16["bytes_base64"]), "--query", "1 1 1 1")
    assert report["scene"]["keys"] == [case["expected"]["bf16_npy"]]
    assert any("bfloat16" in note for note in report["notes"])
    report = printed(written(tmp_path, both["name"], both["bytes_base64"]))
    assert report["scene"]["query"] == case["expected"]["q"]
    assert report["scene"]["keys"] == case["expected"]["K"]
    for name in ("scores", "weights"):
        assert report[name] == pytest.approx(case["expected"][name], rel=1e-12)
    assert report["entropy"] == pytest.approx(case["expected"]["entropy"], rel=1e-12)


def test_f38_keys_are_rows_unless_a_person_says_otherwise(tmp_path: Path, printed: Printed, refused: Refused) -> None:
    square, rectangular, axis = CASES["F38"]["input"]["variants"]
    wanted = CASES["F38"]["expected"]["variants"]
    file = tmp_path / "square.json"
    file.write_text(json.dumps({"q": square["q"], "K": square["K"]}))
    report = printed(file)
    assert (report["scores"], report["weights"]) == (
        wanted[0]["keys_are_rows"]["scores"],
        pytest.approx(wanted[0]["keys_are_rows"]["weights"], rel=1e-12),
    )
    assert any("the keys are rows; --transpose reads columns" in note for note in report["notes"])
    assert printed(file, "--transpose")["scores"] == wanted[0]["keys_are_columns"]["scores"]
    file = tmp_path / "rectangular.json"
    file.write_text(json.dumps({"q": rectangular["q"], "K": rectangular["K"]}))
    said = refused(file)
    assert "the query has 2 components, the keys have 3" in said
    assert "--transpose" in said
    report = printed(file, "--transpose")
    assert report["scene"]["keys"] == wanted[1]["columns"]["K"]
    assert report["scores"] == wanted[1]["columns"]["scores"]
    assert report["weights"] == pytest.approx(wanted[1]["columns"]["weights"], rel=1e-12)
    file = tmp_path / "scores.json"
    file.write_text(json.dumps({"scores": axis["scores"]}))
    assert printed(file)["weights"] == pytest.approx(wanted[2]["right"][0], rel=1e-12)
    assert softmax(axis["scores"], axis=0).tolist() == wanted[2]["wrong"]


def test_f40_lengths_are_exact(tmp_path: Path, printed: Printed, refused: Refused) -> None:
    flat, ragged, short, column, longer = CASES["F40"]["input"]["variants"]
    wanted = CASES["F40"]["expected"]["variants"]

    def file(**arrays: Any) -> Path:
        path = tmp_path / "scene.json"
        path.write_text(json.dumps(arrays))
        return path

    report = printed(file(q=flat["q"], K=flat["K"]))
    assert (report["scores"], report["weights"], report["entropy"]) == (
        wanted[0]["scores"], wanted[0]["weights"], wanted[0]["entropy"],
    )  # fmt: skip
    assert any("read as one key" in note for note in report["notes"])
    assert "row 2 has 1 number, row 1 has 2" in refused("--query", "1 2", "--keys", ragged["K_text"])
    said = refused(file(q=short["q"], K=short["K"], mask=short["mask"]))
    assert "3 keys and 2 mask entries" in said
    report = printed(file(scores=column["scores"], mask=column["mask"]))
    assert report["weights"] == pytest.approx(wanted[3]["intended_weights_each_row"], rel=1e-12)
    assert report["row_entropies"] == pytest.approx([0.5822031088882179] * 3, rel=1e-12)
    said = refused(file(q=longer["q"], K=longer["K"]))
    assert "the query has 3 components, the keys have 2" in said


def test_a21_a_sink_is_one_more_key_whose_score_is_its_logit(printed: Printed) -> None:
    for case, wanted in zip(CASES["A21"]["input"]["variants"], CASES["A21"]["expected"]["variants"], strict=True):
        scores = [*case["scores"], case["sink_logit"]]
        mask = [*case.get("mask", [True] * len(case["scores"])), True]
        report = printed(
            "--query", "1", "--keys", ";".join(map(str, scores)), "--mask", " ".join(str(int(may)) for may in mask)
        )
        *weights, sink = report["weights"]
        assert weights == pytest.approx(wanted.get("right", wanted.get("weights")), rel=1e-12)
        assert sink == pytest.approx(wanted.get("sink_mass", 1.0 - wanted.get("right_sum", 0.0)), rel=1e-9)


def test_standard_input_is_a_file_too(monkeypatch: pytest.MonkeyPatch, printed: Printed, tmp_path: Path) -> None:
    (tmp_path / "in").write_text('{"q": [1, 0], "K": [[1, 0], [0, 1]], "T": 0.5}')
    with (tmp_path / "in").open() as stream:
        monkeypatch.setattr(sys, "stdin", stream)
        report = printed("-")
    assert report["scene"]["temperature"] == 0.5
    assert report["scores"] == [1.0, 0.0]
