"""`--check`: every kind of finding planted in a sound dump, found at its place, and nothing found in a sound one."""

import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from attn_tui.core.softmax import softmax
from attn_tui.files.arguments import SceneArguments
from attn_tui.files.checks.check import Report, check_file
from attn_tui.files.dumps.request import Request
from attn_tui.files.errors import ForeignError
from attn_tui.files.exports.arrays import as_npz
from attn_tui.model.examples import EXAMPLES, example
from attn_tui.model.scene import read

_RANDOM = np.random.default_rng(5)
QUERIES = _RANDOM.standard_normal((2, 4, 6, 8))
KEYS = _RANDOM.standard_normal((2, 4, 6, 8))
CAUSAL = np.tril(np.ones((6, 6), np.bool_))
Arrays = dict[str, Any]


def sound(scale: float = 8**-0.5, *, causal: bool = True, dtype: str = "float64") -> Arrays:
    """A model's dump as it should be."""
    scores = QUERIES @ KEYS.swapaxes(-1, -2)
    mask = CAUSAL.copy() if causal else np.ones((6, 6), np.bool_)
    weights = softmax(scores * scale, mask=np.broadcast_to(mask, scores.shape))
    return {
        "q": QUERIES.astype(dtype), "k": KEYS.astype(dtype), "attentions": weights.astype(dtype),
        "attn_mask": mask, "scale": np.float64(scale),
    }  # fmt: skip


def checked(folder: Path, arrays: Arrays) -> Report:
    """What is found in a file of these arrays."""
    np.savez(folder / "dump.npz", **arrays)
    return check_file(Request(str(folder / "dump.npz")))


@pytest.mark.parametrize("dtype", ["float64", "float32", "float16"])
@pytest.mark.parametrize("causal", [True, False])
@pytest.mark.parametrize("scale", [8**-0.5, 1.0, 0.3])
def test_nothing_is_found_in_a_sound_dump(tmp_path: Path, dtype: str, causal: bool, scale: float) -> None:
    report = checked(tmp_path, sound(scale, causal=causal, dtype=dtype))
    assert report.is_clean, report.text()
    assert any("against q and k" in one for one in report.looked_at)


def _with(array: str, place: tuple[int, ...], value: float) -> Callable[[Arrays], None]:
    """Put a number somewhere."""

    def change(arrays: Arrays) -> None:
        arrays[array][place] = value

    return change


@pytest.mark.parametrize(
    ("change", "kind", "place", "words"),
    [
        (_with("q", (1, 2, 3, 4), np.nan), "finite", (1, 2, 3, 4), "1 of 384 numbers are nan"),
        (_with("k", (0, 3, 5, 0), np.inf), "finite", (0, 3, 5, 0), "1 of 384 numbers are inf"),
        (_with("k", (1, 0, 0, 7), -np.inf), "finite", (1, 0, 0, 7), "numbers are -inf"),
        (_with("attentions", (1, 1, 4, 2), -0.25), "negative", (1, 1, 4, 2), "1 weights are below 0"),
        (_with("attentions", (0, 2, 1, 5), 0.125), "masked weight", (0, 2, 1, 5), "the largest 0.125"),
        (_with("attentions", (1, 3, 5), 0.0), "empty rows", (1, 3, 5), "1 rows have no key with any weight"),
        (_with("attentions", (0, 1, 2, 0), 3.0), "row sums", (0, 1, 2), "1 rows do not add up to 1"),
        (_with("attn_mask", (2,), False), "rows without a key", (0, 0, 2), "1 rows may attend no key"),
    ],
)  # fmt: skip
def test_what_is_wrong_is_found_at_its_place(
    tmp_path: Path, change: Callable[[Arrays], None], kind: str, place: tuple[int, ...] | None, words: str
) -> None:
    arrays = sound()
    change(arrays)
    found = [one for one in checked(tmp_path, arrays).findings if one.check == kind]
    assert len(found) == 1
    assert found[0].place == place
    assert words in found[0].words


@pytest.mark.parametrize(
    ("given", "real", "match"),
    [
        ({"scale": 1.0}, {}, "it matches scale 1/sqrt(hs) and the mask"),
        ({"scale": 8**-0.5}, {"scale": 1.0}, "it matches scale 1 and the mask"),
        ({"attn_mask": np.ones((6, 6), np.bool_)}, {}, "it matches scale 0.353553 and a causal mask"),
        ({"attn_mask": CAUSAL}, {"causal": False}, "it matches scale 0.353553 and no mask"),
        ({"scale": 7.0}, {"scale": 0.01}, "no usual scale and mask match"),
    ],
)
def test_the_setting_that_does_match_is_named(tmp_path: Path, given: Arrays, real: Arrays, match: str) -> None:
    [found] = [one for one in checked(tmp_path, sound(**real) | given).findings if one.check == "recomputed"]
    assert match in found.sentence
    assert found.place is not None


def test_scores_are_compared_too(tmp_path: Path) -> None:
    scores = QUERIES @ KEYS.swapaxes(-1, -2)
    arrays = {"q": QUERIES, "k": KEYS, "tokens": np.array(list("abcdef"))}
    assert checked(tmp_path, arrays | {"scores": scores * 0.3, "scale": 0.3}).is_clean, "scaled or raw"
    assert checked(tmp_path, arrays | {"scores": scores, "scale": 0.3}).is_clean
    [found] = checked(tmp_path, arrays | {"scores": scores * 8**-0.5, "scale": 0.3}).findings
    assert "it matches scale 1/sqrt(hs)" in found.sentence


def test_softmax_over_the_wrong_axis_is_named(tmp_path: Path) -> None:
    report = checked(tmp_path, {"attentions": softmax(_RANDOM.standard_normal((3, 6)), axis=0)})
    assert any("softmax was taken over the queries" in one.sentence for one in report.findings)


def test_weights_and_a_mask_are_enough_to_find_a_leak(tmp_path: Path) -> None:
    weights = softmax(_RANDOM.standard_normal((6, 6)))
    [found] = checked(tmp_path, {"pattern": weights, "mask": CAUSAL}).findings
    assert (found.check, found.count, found.place) == ("masked weight", 15, (0, 1))


def test_rounding_is_no_finding_however_large_the_scores(tmp_path: Path) -> None:
    for size, dtypes in ((16.0, ("float32", "float32")), (4.0, ("float16", "float32")), (30.0, ("float16", "float16"))):
        q, k = (size**0.5 * one.astype(dtypes[0]) for one in (QUERIES, KEYS))
        scores = (q.astype(np.float32) @ k.astype(np.float32).swapaxes(-1, -2)).astype(np.float32)
        weights = softmax(scores * np.float32(8**-0.5)).astype(dtypes[1])
        arrays = {"q": q, "k": k, "attentions": weights, "scale": "sqrt", "tokens": np.array(list("abcdef"))}
        assert checked(tmp_path, arrays).is_clean, checked(tmp_path, arrays).text()


def test_every_layer_is_checked(tmp_path: Path) -> None:
    layers = {f"l{i}.{name}": array for i in range(12) for name, array in sound().items() if name != "scale"}
    sqrt = SceneArguments(scale="sqrt")
    np.savez(tmp_path / "dump.npz", **layers)
    assert check_file(Request(str(tmp_path / "dump.npz"), arguments=sqrt)).is_clean
    layers["l11.attentions"] = layers["l11.attentions"] * -1.5
    np.savez(tmp_path / "dump.npz", **layers)
    findings = check_file(Request(str(tmp_path / "dump.npz"), arguments=sqrt)).findings
    assert {one.check for one in findings} == {"negative", "row sums", "recomputed"}
    assert {one.array for one in findings} == {"l11.attentions"}


def test_a_wrong_name_is_no_clean_file(tmp_path: Path) -> None:
    np.savez(tmp_path / "dump.npz", **sound())
    with pytest.raises(ForeignError, match="there is no array and no file 'nope'"):
        check_file(Request(str(tmp_path / "dump.npz"), ("q=nope",)))


def test_a_lone_array_can_be_said_to_be_weights(tmp_path: Path) -> None:
    np.save(tmp_path / "some.npy", np.full((5, 4), 0.275))
    [found] = check_file(Request(str(tmp_path / "some.npy"), ("weights=array",))).findings
    assert (found.check, found.count, found.place) == ("row sums", 5, (0,))


def test_what_is_not_read_or_compared_is_said(tmp_path: Path) -> None:
    np.savez(tmp_path / "dump.npz", q=np.array([1, None]), k=np.ones((3, 2)))
    assert any("q" in note for note in check_file(Request(str(tmp_path / "dump.npz"))).notes)
    report = checked(tmp_path, {"q": QUERIES[..., :2], "k": np.full((2, 4, 6, 2), np.nan)})
    assert [one.check for one in report.findings] == ["finite"]
    assert any(note.startswith("not compared with each other: ") for note in report.notes)


def test_arrays_that_do_not_fit_are_a_finding_beside_the_others(tmp_path: Path) -> None:
    found = checked(tmp_path, {"q": np.full((2, 3), np.nan), "k": np.ones((4, 5))}).findings
    assert [one.check for one in found] == ["finite", "together"]
    assert "the query has 3 components, the keys have 5" in found[1].sentence


@pytest.mark.parametrize("name", [kind.name for kind in EXAMPLES])
def test_an_export_is_clean(tmp_path: Path, name: str) -> None:
    scene = example(name)
    (tmp_path / "export.npz").write_bytes(as_npz(scene, read(scene)))
    report = check_file(Request(str(tmp_path / "export.npz")))
    assert not [one for one in report.findings if one.array != "naive_weights"], report.text()


def run(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    """The program as a script runs it."""
    command = [sys.executable, "-m", "attn_tui", *arguments]
    return subprocess.run(command, cwd=Path(__file__).parents[3], capture_output=True, text=True, check=False)


def test_the_exit_code_tells_clean_from_found_from_unreadable(tmp_path: Path) -> None:
    file = tmp_path / "dump.npz"
    np.savez(file, **sound())
    clean = run(tmp_path, "--check", str(file))
    assert (clean.returncode, clean.stderr) == (0, "")
    assert clean.stdout.startswith("dump.npz: no findings")
    arrays = sound()
    arrays["q"][0, 0, 0, 0] = np.nan
    np.savez(file, **arrays)
    broken = run(tmp_path, "--check", str(file), "--json")
    assert broken.returncode == 1
    report = json.loads(broken.stdout)
    assert report["clean"] is False
    assert report["findings"][0]["place"] == [0, 0, 0, 0]
    file.write_bytes(file.read_bytes()[:200])
    unreadable = run(tmp_path, "--check", str(file))
    assert unreadable.returncode == 2
    assert unreadable.stderr.startswith("attn-tui: dump.npz")
    assert unreadable.stderr.count("\n") == 1
    assert run(tmp_path, "--check").returncode == 2
    assert run(tmp_path, "--json").returncode == 2
