"""Arrays of real files, put together to scenes: names, axes, shared key heads, masks, bare scores and settings."""

import tracemalloc
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from attn_tui.core.attend import attend
from attn_tui.files.arguments import SceneArguments
from attn_tui.files.dumps.opening import open_file
from attn_tui.files.dumps.request import Opened, Request, UndecidedError
from attn_tui.files.errors import ForeignError
from attn_tui.files.sessions.saved import scene_text
from attn_tui.model.matrix import Matrix
from attn_tui.model.scene import Scene, read

_RANDOM = np.random.default_rng(11)
QUERIES = _RANDOM.standard_normal((2, 4, 5, 3))
KEYS = _RANDOM.standard_normal((2, 4, 7, 3))
VALUES = _RANDOM.standard_normal((2, 4, 7, 6))
TOKENS = np.array(list("abcdefg"))


def opened(folder: Path, arrays: Mapping[str, Any], *, name: str = "dump.npz", **request: Any) -> Opened:
    """A .npz of some arrays, opened."""
    np.savez(folder / name, **arrays)
    return open_file(Request(str(folder / name), **request))


def scene_of(folder: Path, arrays: Mapping[str, Any], **request: Any) -> Scene:
    """The scene in it."""
    return opened(folder, arrays, **request).scene


@pytest.mark.parametrize(
    ("query", "keys", "values"),
    [
        ("q", "k", "v"), ("query", "key", "value"), ("Q", "K", "V"), ("queries", "keys", "values"),
        ("model.layers.3.attn.hook_q", "model.layers.3.attn.hook_k", "model.layers.3.attn.hook_v"),
        ("query_states", "key_states", "value_states"), ("arr_0", "arr_1", "arr_2"),
    ],
)  # fmt: skip
def test_the_names_that_people_use_are_known(tmp_path: Path, query: str, keys: str, values: str) -> None:
    arrays = {query: QUERIES[0, 0], keys: KEYS[0, 0], values: VALUES[0, 0]}
    scene = scene_of(tmp_path, arrays, row=1)
    assert np.array_equal(scene.query, QUERIES[0, 0, 1])
    assert np.array_equal(scene.keys, KEYS[0, 0])
    assert scene.values is not None
    assert np.array_equal(scene.values, VALUES[0, 0])
    assert scene.scale == 1.0


@pytest.mark.parametrize("layout", ["bhtd", "bthd", "lhtd", "hbtd", "dthb", "tdbh"])
def test_every_layout_gives_the_same_head(tmp_path: Path, layout: str) -> None:
    order = ["bhtd".index(axis) for axis in layout.replace("l", "b")]
    arrays = {"q": QUERIES.transpose(order), "k": KEYS.transpose(order), "v": VALUES.transpose(order)}
    scene = scene_of(tmp_path, arrays, layout=layout, head="1,2", row=-2)
    assert np.array_equal(scene.query, QUERIES[1, 2, 3])
    assert np.array_equal(scene.keys, KEYS[1, 2])


@pytest.mark.parametrize("order", [(0, 1, 2, 3), (0, 2, 1, 3)])
@pytest.mark.parametrize("evidence", ["tokens", "attentions", "attn_mask"])
def test_axes_are_told_apart_by_what_else_is_there(tmp_path: Path, order: tuple[int, ...], evidence: str) -> None:
    more = {"tokens": TOKENS, "attentions": np.full((2, 4, 5, 7), 1 / 7), "attn_mask": np.ones((5, 7), np.bool_)}
    arrays = {"q": QUERIES[..., 2:, :].transpose(order), "k": KEYS.transpose(order), evidence: more[evidence][..., :7]}
    if evidence != "tokens":
        arrays |= {"q": QUERIES.transpose(order)}
    scene = scene_of(tmp_path, arrays, head="1,3", row=0)
    assert np.array_equal(scene.keys, KEYS[1, 3])


def test_what_cannot_be_told_apart_is_asked(tmp_path: Path) -> None:
    arrays = {"q": KEYS, "k": KEYS}
    with pytest.raises(UndecidedError, match=r"2 ways: --layout bhtd: batch x head x token .*; --layout bthd") as asked:
        scene_of(tmp_path, arrays)
    scenes = [open_file(choice.request).scene for choice in asked.value.choices]
    assert [scene.count for scene in scenes] == [7, 4]
    hooks = {"blocks.0.attn.hook_q": KEYS, "blocks.0.attn.hook_k": KEYS}
    assert scene_of(tmp_path, hooks).count == 4, "whose tokens are known to come before their heads"


@pytest.mark.parametrize("heads", [1, 2, 4])
def test_key_heads_are_shared_in_rows(tmp_path: Path, heads: int) -> None:
    for head in range(4):
        scene = scene_of(
            tmp_path, {"q": QUERIES, "k": KEYS[:, :heads], "v": VALUES[:, :heads], "tokens": TOKENS}, head=f"1,{head}"
        )
        assert np.array_equal(scene.keys, KEYS[1, head * heads // 4])
    with pytest.raises(ForeignError, match="4 along h and the keys 3"):
        scene_of(tmp_path, {"q": QUERIES, "k": KEYS[:, :3], "tokens": TOKENS})


@pytest.mark.parametrize(
    ("query", "keys"), [(QUERIES[0, 0, 0], KEYS[0, 0]), (QUERIES[0, :, 0], KEYS[0]), (QUERIES[:, :, 0], KEYS)]
)
def test_a_single_query_for_each_head_needs_no_axis_for_it(tmp_path: Path, query: Any, keys: Any) -> None:
    scene = scene_of(tmp_path, {"q": query, "k": keys, "tokens": TOKENS})
    assert np.array_equal(scene.query, QUERIES[0, 0, 0])
    assert np.array_equal(scene.keys, KEYS[0, 0])


@pytest.mark.parametrize(
    ("mask", "row", "wanted"),
    [
        (np.tril(np.ones((5, 7), np.bool_), 2), 1, [1, 1, 1, 1, 0, 0, 0]),
        (np.tril(np.ones((5, 7), np.int64), 2)[None, None], 4, [1] * 7),
        (np.array([1, 1, 0, 1, 1, 1, 1.0]), 3, [1, 1, 0, 1, 1, 1, 1]),
        (np.array([[1, 1, 0, 1, 1, 1, 1], [1] * 7]), 3, [1, 1, 0, 1, 1, 1, 1]),
        (np.array([[1], [1], [0], [1], [1], [1], [1]]), 3, [1, 1, 0, 1, 1, 1, 1]),
        (np.where(np.tril(np.ones((5, 7)), 2) > 0, 0.0, -np.inf), 0, [1, 1, 1, 0, 0, 0, 0]),
        (np.where(np.tril(np.ones((5, 7)), 2) > 0, 0.0, -1e4).astype(np.float16), 0, [1, 1, 1, 0, 0, 0, 0]),
        (np.where(np.tril(np.ones((5, 7)), 2) > 0, 0.0, np.finfo(np.float32).min), 0, [1, 1, 1, 0, 0, 0, 0]),
    ],
)
def test_a_mask_is_read_in_every_form(tmp_path: Path, mask: Any, row: int, wanted: list[int]) -> None:
    result = opened(tmp_path, {"q": QUERIES, "k": KEYS, "attention_mask": mask}, head="0,1", row=row)
    assert result.scene.mask.astype(int).tolist() == wanted
    assert any(note.startswith("mask: ") and "may be attended" in note for note in result.notes)


@pytest.mark.parametrize(
    ("mask", "why"),
    [
        (np.ones(5), "5 mask entries"), (np.full((5, 7), 0.5), "the mask holds 0.5"), (np.array(["a"] * 7), "text"),
        (np.ones((3, 7)), r"shape \(3, 7\)"), (np.full(7, -3.0), "the mask holds -3"),
    ],
)  # fmt: skip
def test_a_mask_that_fits_nothing_is_refused(tmp_path: Path, mask: Any, why: str) -> None:
    with pytest.raises(ForeignError, match=why):
        scene_of(tmp_path, {"q": QUERIES[0, 0], "k": KEYS[0, 0], "mask": mask})


def test_a_mask_can_be_turned_round(tmp_path: Path) -> None:
    arrays = {"q": QUERIES[0, 0], "k": KEYS[0, 0], "key_padding_mask": np.array([0, 0, 0, 0, 0, 1, 1], np.bool_)}
    result = opened(tmp_path, arrays, maps=("mask=!key_padding_mask",))
    assert result.scene.mask.tolist() == [True] * 5 + [False] * 2
    assert any("turned round" in note for note in result.notes)


def test_rows_keep_their_own_masks(tmp_path: Path) -> None:
    causal = np.tril(np.ones((5, 7), np.bool_), 2)
    matrix = Matrix(scene_of(tmp_path, {"q": QUERIES[0, 0], "k": KEYS[0, 0], "mask": causal}))
    for row in range(5):
        wanted = attend(QUERIES[0, 0, row], KEYS[0, 0], mask=causal[row]).weights
        assert np.allclose(matrix.row(row).weights, wanted, rtol=1e-14, atol=0)


@pytest.mark.parametrize("lead", [(), (4,), (2, 4)])
@pytest.mark.parametrize("kind", ["attentions", "scores"])
def test_weights_or_scores_alone_open_as_such(tmp_path: Path, lead: tuple[int, ...], kind: str) -> None:
    scores = _RANDOM.standard_normal((*lead, 5, 7))
    weights = np.exp(scores) / np.exp(scores).sum(axis=-1, keepdims=True)
    result = opened(tmp_path, {kind: weights if kind == "attentions" else scores}, row=3)
    wanted = weights[(0,) * len(lead)]
    assert np.allclose(read(result.scene).weights, wanted[3], rtol=1e-13)
    matrix = Matrix(result.scene)
    assert np.allclose([matrix.row(row).weights for row in range(5)], wanted, rtol=1e-13)
    assert any("up to a constant" in note for note in result.notes) == (kind == "attentions")
    assert result.scene.source is not None
    assert ("up to a constant" in result.scene.source.remark) == (kind == "attentions")


def test_weights_of_zero_are_masked_and_nan_is_shown(tmp_path: Path) -> None:
    scene = scene_of(tmp_path, {"pattern": np.array([[0.25, 0.75, 0.0], [np.nan, 0.5, 0.5]])}, row=0)
    assert scene.mask.tolist() == [True, True, False]
    assert read(scene).weights.tolist() == pytest.approx([0.25, 0.75, 0.0], rel=1e-15)
    assert read(scene_of(tmp_path, {"w": np.array([[np.nan, 0.5]])})).faults
    with pytest.raises(ForeignError, match="below 0"):
        scene_of(tmp_path, {"w": np.array([[-0.1, 1.1]])})


def test_keys_that_fit_only_as_columns_are_offered_so(tmp_path: Path) -> None:
    arrays = {"q": np.array([1.0, 0.0]), "k": np.array([[1.0, 3, 5], [2, 4, 6]])}
    with pytest.raises(UndecidedError, match=r"2 components, the keys have 3: --transpose: .* 3 keys") as asked:
        scene_of(tmp_path, arrays)
    assert read(open_file(asked.value.choices[0].request).scene).scores.tolist() == [1.0, 3.0, 5.0]


def test_square_keys_are_never_turned_silently(tmp_path: Path) -> None:
    arrays = {"q": np.array([1.0, 0.0]), "k": np.array([[1.0, 2], [3, 4]])}
    result = opened(tmp_path, arrays)
    assert read(result.scene).scores.tolist() == [1.0, 3.0]
    assert any("the keys are rows; --transpose reads columns" in note for note in result.notes)
    assert read(opened(tmp_path, arrays, transpose=True).scene).scores.tolist() == [1.0, 2.0]


def test_settings_come_from_the_file_unless_they_are_given(tmp_path: Path) -> None:
    arrays = {"q": QUERIES[0, 0], "k": KEYS[0, 0], "T": 0.5, "scale": "sqrt"}
    scene = scene_of(tmp_path, arrays)
    assert (scene.temperature, scene.scale) == (0.5, "sqrt")
    given = SceneArguments(temperature="2", scale="0.25", dtype="float32", mask="1 1 0 1 1 1 1")
    scene = scene_of(tmp_path, arrays, arguments=given)
    assert (scene.temperature, scene.scale, scene.dtype) == (2.0, 0.25, "float32")
    assert scene.mask.sum() == 6
    with pytest.raises(ValueError, match="temperature"):
        scene_of(tmp_path, arrays | {"T": 0.0})


def test_a_query_on_the_command_line_goes_with_a_file_of_keys(tmp_path: Path) -> None:
    arguments = SceneArguments(query="1 0 2")
    scene = scene_of(tmp_path, {"k": KEYS[0]}, arguments=arguments, head="2")
    assert scene.query.tolist() == [1.0, 0.0, 2.0]
    assert np.array_equal(scene.keys, KEYS[0, 2])
    np.save(tmp_path / "k.npy", KEYS[0, 1])
    scene = open_file(Request(str(tmp_path / "k.npy"), arguments=arguments)).scene
    assert np.array_equal(scene.keys, KEYS[0, 1])
    with pytest.raises(ForeignError, match="keys and no query: add --query"):
        open_file(Request(str(tmp_path / "k.npy")))


def test_a_lone_array_goes_by_its_file_and_maps_reach_other_files(tmp_path: Path) -> None:
    np.save(tmp_path / "q.npy", QUERIES[0, 0])
    np.save(tmp_path / "k.npy", KEYS[0, 0])
    np.savez(tmp_path / "more.npz", one=VALUES[0, 0], two=VALUES[0, 1])
    maps = (f"k={tmp_path / 'k.npy'}", f"v={tmp_path / 'more.npz'}:two")
    scene = open_file(Request(str(tmp_path / "q.npy"), maps)).scene
    assert np.array_equal(scene.keys, KEYS[0, 0])
    assert scene.values is not None
    assert np.array_equal(scene.values, VALUES[0, 1])
    with pytest.raises(ForeignError, match="say which, as in"):
        open_file(Request(str(tmp_path / "q.npy"), (maps[0], f"v={tmp_path / 'more.npz'}")))
    with pytest.raises(ForeignError, match="there is no array and no file 'nothing'"):
        open_file(Request(str(tmp_path / "q.npy"), ("k=nothing",)))
    with pytest.raises(ForeignError, match="has to be ROLE=NAME"):
        open_file(Request(str(tmp_path / "q.npy"), ("nothing",)))


def test_layers_under_names_of_their_own_are_asked_for(tmp_path: Path) -> None:
    arrays = {f"blocks.{layer}.attn.{name}": KEYS[layer, 0] for layer in (0, 1) for name in ("q", "k")}
    with pytest.raises(UndecidedError, match=r"2 sets of arrays") as asked:
        scene_of(tmp_path, arrays)
    assert np.array_equal(open_file(asked.value.choices[1].request).scene.keys, KEYS[1, 0])


@pytest.mark.parametrize(
    ("request_", "why"),
    [
        ({"head": "9,0"}, "goes from 0 to 1, and 9"), ({"head": "1"}, "needs 2 indices: L 0-1, H 0-3"),
        ({"head": "x,y"}, "whole numbers"), ({"row": 5}, "the row goes from 0 to 4"),
        ({"layout": "bhd"}, "a letter for each"),
        ({"layout": "htd"}, "4 axes"), ({"layout": "lbhtd"}, "4 axes"),
    ],
)  # fmt: skip
def test_what_is_not_there_is_refused_in_words(tmp_path: Path, request_: dict[str, Any], why: str) -> None:
    with pytest.raises(ForeignError, match=why):
        scene_of(tmp_path, {"q": QUERIES, "k": KEYS, "tokens": TOKENS}, **request_)


def test_unknown_names_are_listed(tmp_path: Path) -> None:
    with pytest.raises(ForeignError, match=r"a \(5, 3\) float64; b \(7, 3\) float64; say which is which"):
        scene_of(tmp_path, {"a": QUERIES[0, 0], "b": KEYS[0, 0]})
    with pytest.raises(ForeignError, match=r"holds str|text"):
        scene_of(tmp_path, {"q": np.array(["a", "b"]), "k": KEYS[0, 0]})


def test_one_head_of_a_huge_file_takes_the_memory_of_that_head(tmp_path: Path) -> None:
    shape = (32, 32, 4096, 512)
    for name in ("q", "k"):
        header = {"descr": "<f4", "fortran_order": False, "shape": shape}
        with (tmp_path / f"{name}.npy").open("wb") as file:
            np.lib.format.write_array_header_1_0(file, header)
            start = file.tell()
            file.truncate(start + 4 * int(np.prod(shape)))
            file.seek(start + 4 * int(np.ravel_multi_index((31, 7, 4095, 2), shape)))
            file.write(np.float32(3.0).tobytes())
    path = str(tmp_path / "q.npy")
    tracemalloc.start()
    try:
        scene = open_file(Request(path, (f"k={tmp_path / 'k.npy'}",), "lhtd", "31,7")).scene
        assert read(scene).scores[-1] == 9.0
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    one_head = 8 * shape[2] * shape[3]
    assert peak < 8 * one_head


@given(
    st.sampled_from(["float16", "float32", "float64", "int8", "int64", "bfloat16"]),
    st.integers(1, 3), st.integers(1, 4), st.integers(1, 5), st.integers(1, 4), st.booleans(), st.integers(0, 2**32),
)  # fmt: skip
def test_what_was_saved_is_what_is_opened(
    tmp_path_factory: pytest.TempPathFactory,
    dtype: str,
    layers: int,
    heads: int,
    count: int,
    hs: int,
    fortran: bool,
    seed: int,
) -> None:
    safetensors = pytest.importorskip("safetensors.numpy")
    ml_dtypes = pytest.importorskip("ml_dtypes")
    kind = np.dtype(ml_dtypes.bfloat16 if dtype == "bfloat16" else dtype)
    random = np.random.default_rng(seed)
    q, k = ((4 * random.standard_normal((layers, heads, count, hs))).astype(kind) for _ in "qk")
    order = "F" if fortran else "C"
    file = tmp_path_factory.mktemp("saved") / ("dump.safetensors" if dtype == "bfloat16" else "dump.npz")
    if dtype == "bfloat16":
        safetensors.save_file({"q": q, "k": k}, file)
    else:
        np.savez(file, q=np.asarray(q, order=order), k=np.asarray(k, order=order))
    head = (int(random.integers(layers)), int(random.integers(heads)))
    scene = open_file(Request(str(file), layout="lhtd", head=f"{head[0]},{head[1]}", row=count - 1)).scene
    assert np.array_equal(scene.query, q[(*head, count - 1)].astype(np.float64))
    assert np.array_equal(scene.keys, k[head].astype(np.float64))


@pytest.mark.parametrize("layout", ["hbtd", "htbd", "bhtd", "tdhb"])
def test_shared_heads_are_found_wherever_the_heads_are(tmp_path: Path, layout: str) -> None:
    order = ["bhtd".index(axis) for axis in layout]
    arrays = {"q": QUERIES.transpose(order), "k": KEYS[:, :2].transpose(order)}
    for head in range(4):
        scene = scene_of(tmp_path, arrays, layout=layout, head=f"1,{head}")
        assert np.array_equal(scene.query, QUERIES[1, head, -1])
        assert np.array_equal(scene.keys, KEYS[1, head // 2])


def test_hooks_have_their_tokens_first_with_and_without_a_batch(tmp_path: Path) -> None:
    arrays = {"hook_q": QUERIES[0].swapaxes(0, 1), "hook_k": KEYS[0].swapaxes(0, 1)}
    assert np.array_equal(scene_of(tmp_path, arrays, head="2").keys, KEYS[0, 2])
    keys = {"blocks.0.attn.hook_k": KEYS[:1].swapaxes(1, 2)}
    scene = scene_of(tmp_path, keys, arguments=SceneArguments(query="1 0 2"), head="3")
    assert np.array_equal(scene.keys, KEYS[0, 3])


def test_an_additive_mask_of_nothing_masks_nothing(tmp_path: Path) -> None:
    arrays = {"q": QUERIES[0, 0], "k": KEYS[0, 0], "attention_mask": np.zeros((1, 1, 5, 7), np.float32)}
    result = opened(tmp_path, arrays)
    assert result.scene.mask.all()
    assert any("added to the scores" in note for note in result.notes)
    assert not scene_of(tmp_path, arrays | {"attention_mask": np.zeros(7, np.int64)}).mask.any()


def test_a_saved_scene_keeps_what_is_not_overridden(tmp_path: Path) -> None:
    saved = Scene.of([1.0, 2.0], [[1.0, 0.0], [0.0, 1.0]], mask=[1, 0], temperature=0.5, dtype="float16", scale="sqrt")
    file = tmp_path / "scene.json"
    file.write_text(scene_text(saved))
    scene = open_file(Request(str(file), arguments=SceneArguments(query="3 4"))).scene
    assert (scene.temperature, scene.dtype, scene.scale) == (0.5, "float16", "sqrt")
    assert scene.mask.tolist() == [True, False]
    with pytest.raises(ForeignError, match="leave --map"):
        open_file(Request(str(file), head="9,9"))


def test_flags_that_have_no_say_are_refused(tmp_path: Path) -> None:
    with pytest.raises(ForeignError, match="--layout and --transpose have no say"):
        scene_of(tmp_path, {"pattern": np.full((3, 3), 1 / 3)}, layout="zz")


def test_what_is_not_used_is_named(tmp_path: Path) -> None:
    arrays = {"q": QUERIES[0, 0], "k": KEYS[0, 0], "key_padding_mask": np.zeros(7, np.bool_), "sinks": np.zeros(4)}
    assert any("not used: key_padding_mask, sinks" in note for note in opened(tmp_path, arrays).notes)


def test_whole_numbers_that_are_rounded_are_told(tmp_path: Path) -> None:
    arrays = {"q": np.array([1, 2]), "k": np.array([[2**53 + 1, 1], [2, 3]])}
    assert any("keys: whole numbers beyond 2^53" in note for note in opened(tmp_path, arrays).notes)
    assert not any("2^53" in note for note in opened(tmp_path, arrays | {"k": np.eye(2, dtype=np.int64)}).notes)


def test_keys_on_the_command_line_go_with_the_queries_of_a_file(tmp_path: Path) -> None:
    for arrays in ({"q": QUERIES[0, 1]}, {"q": QUERIES[0, 1], "k": KEYS[0, 1], "v": VALUES[0, 1], "tokens": TOKENS}):
        scene = scene_of(tmp_path, arrays, arguments=SceneArguments(keys="1 0 0; 0 2 0"), row=2)
        assert np.array_equal(scene.query, QUERIES[0, 1, 2])
        assert scene.keys.tolist() == [[1.0, 0.0, 0.0], [0.0, 2.0, 0.0]]
        assert scene.labels == ("k0", "k1")
    over = SceneArguments(keys="1 0 0; 0 2 0")
    scene = scene_of(tmp_path, {"q": QUERIES, "k": KEYS}, layout="lhtd", head="1,3", row=0, arguments=over)
    assert np.array_equal(scene.query, QUERIES[1, 3, 0])
    assert scene.count == 2
    with pytest.raises(ForeignError, match="the query has 3 components, the keys have 2"):
        scene_of(tmp_path, {"q": QUERIES}, layout="lhtd", arguments=SceneArguments(keys="1 2"))


def test_a_mask_that_was_named_goes_with_the_layer_that_is_chosen(tmp_path: Path) -> None:
    arrays = {f"l{layer}.{name}": KEYS[layer, 0] for layer in (0, 1) for name in ("q", "k")}
    arrays["ignored"] = np.array([0, 0, 1, 0, 0, 0, 0], np.bool_)
    with pytest.raises(UndecidedError, match=r"2 sets of arrays") as asked:
        scene_of(tmp_path, arrays, maps=("mask=!ignored",))
    scene = open_file(asked.value.choices[1].request).scene
    assert np.array_equal(scene.keys, KEYS[1, 0])
    assert scene.mask.tolist() == [True, True, False, True, True, True, True]
