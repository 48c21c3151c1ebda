"""A scene in words, as typed on the command line: what each argument may be, and what is said of one that is wrong."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from attn_tui.files.arguments import SceneArguments
from attn_tui.files.errors import ForeignError
from attn_tui.files.numbers import format_exact
from attn_tui.files.scales import format_scale, parse_scale
from attn_tui.files.vectors import parse_mask
from attn_tui.model.examples import example
from attn_tui.model.scene import Scene, read
from tests.known import GOLDEN, floats


def scene_of(**given_arguments: str) -> Scene:
    """The scene that arguments describe."""
    return SceneArguments(**given_arguments).scene()


def refusal(**given_arguments: str) -> str:
    """What is said of arguments that make no scene."""
    with pytest.raises(ValueError) as refused:  # noqa: PT011 - every refusal is compared by its words
        scene_of(**given_arguments)
    return str(refused.value)


def test_without_a_word_it_is_the_lesson() -> None:
    scene = scene_of()
    assert scene.query.tolist() == GOLDEN["query"]
    assert scene.keys.tolist() == GOLDEN["keys"]
    assert scene.source is not None
    assert scene.source.name == "lesson"


@pytest.mark.parametrize("name", ["lesson", "overflow", "coreference"])
def test_an_example_is_the_example(name: str) -> None:
    scene, wanted = scene_of(example=name), example(name)
    np.testing.assert_array_equal(scene.keys, wanted.keys)
    assert (scene.labels, scene.scale, scene.source) == (wanted.labels, wanted.scale, wanted.source)


@pytest.mark.parametrize("name", ["nothing", ""])
def test_an_unknown_example_is_refused(name: str) -> None:
    assert refusal(example=name).startswith(f"there is no example {name!r}: choose from lesson, ")
    assert refusal(example=name, query="1", keys="1").startswith(f"there is no example {name!r}: ")


# Query and keys


@pytest.mark.parametrize(
    "text",
    [
        "1 -2 0.5",
        "1,-2,0.5",
        "1, -2, 0.5",
        " 1  -2 0.5 ",
        "1\t-2\t0.5",
        "1;-2;0.5",
        "[1, -2, 0.5]",
        "[1 -2 0.5]",
        "[[1, -2, 0.5]]",
        "[[1.0], [-2.0], [0.5]]",
        "(1.0, -2.0, 0.5)",
        "1\n-2\n0.5",
        "tensor([ 1.0, -2.0, 0.5])",
        "1 −2 .5",
        "1e0 -20e-1 5e-1",
    ],
)
def test_a_query_in_any_form(text: str) -> None:
    assert scene_of(query=text, keys="1 1 1").query.tolist() == [1.0, -2.0, 0.5]


@pytest.mark.parametrize(
    "text",
    [
        "-1 2; 3 4",
        "-1 2;3 4",
        "-1,2;3,4",
        "-1, 2; 3, 4",
        "-1 2; 3 4;",
        "-1 2;\n3 4;\n",
        "-1 2\n3 4",
        "[[-1, 2], [3, 4]]",
        "[-1, 2], [3, 4]",
        "[-1 2; 3 4]",
        "[[-1.  2.]\n [ 3.  4.]]",
        "−1 2; 3 4",
    ],
)
def test_keys_in_any_form(text: str) -> None:
    scene = scene_of(query="1 1", keys=text)
    assert scene.keys.tolist() == [[-1.0, 2.0], [3.0, 4.0]]
    assert scene.labels == ("k0", "k1")
    assert (scene.source, scene.query_label, scene.scale, scene.values) == (None, "q", 1.0, None)


@pytest.mark.parametrize("text", ["1 2 3", "1,2,3", "[1, 2, 3]", "1 2 3;"])
def test_one_vector_is_one_key(text: str) -> None:
    assert scene_of(query="1 1 1", keys=text).keys.tolist() == [[1.0, 2.0, 3.0]]


@pytest.mark.parametrize("keys", ["50; 800; 20", "50;800;20", "[[50], [800], [20]]"])
def test_vectors_may_have_one_component(keys: str) -> None:
    reading = read(scene_of(query="1", keys=keys))
    np.testing.assert_array_equal(reading.naive_weights, floats(GOLDEN["overflow_one"]["naive"]))


def test_numbers_that_are_none_are_taken_as_they_are() -> None:
    scene = scene_of(query="nan inf -inf -0.0", keys="1 1 1 1")
    assert np.isnan(scene.query[0])
    assert scene.query[1:].tolist() == [math.inf, -math.inf, 0.0]
    assert np.signbit(scene.query[3])


@given(st.lists(st.lists(st.floats(allow_nan=False), min_size=3, max_size=3), min_size=1, max_size=4))
def test_any_keys_come_back_to_the_last_bit(keys: list[list[float]]) -> None:
    written = [[format_exact(number) for number in key] for key in keys]
    for text in ("; ".join(map(" ".join, written)), ";".join(map(",".join, written))):
        assert scene_of(query=" ".join(written[0]), keys=text).keys.tobytes() == np.array(keys).tobytes()


def test_a_query_alone_is_put_to_the_lesson_s_keys() -> None:
    scene = scene_of(query="-1 0 0 0")
    assert scene.query.tolist() == [-1.0, 0.0, 0.0, 0.0]
    assert scene.keys.tolist() == GOLDEN["keys"]
    assert scene.source is None


def test_keys_alone_are_put_to_the_lesson_s_query() -> None:
    scene = scene_of(keys="1 0 0 0; 0 1 0 0")
    assert scene.query.tolist() == GOLDEN["query"]
    assert scene.keys.tolist() == [[1.0, 0.0, 0.0, 0.0], [0.0, 1.0, 0.0, 0.0]]
    assert scene.labels == ("k0", "k1")


ONES = " ".join(["1"] * 32)


def test_a_query_for_an_example_keeps_its_keys_names_values_and_scale() -> None:
    scene, wanted = scene_of(example="coreference", query=ONES), example("coreference")
    assert scene.query.tolist() == [1.0] * 32
    assert scene.keys.tolist() == wanted.keys.tolist()
    assert scene.values is not None
    assert wanted.values is not None
    assert scene.values.tolist() == wanted.values.tolist()
    assert (scene.labels, scene.query_label, scene.scale, scene.source) == (wanted.labels, "q", "sqrt", None)


def test_keys_for_an_example_keep_its_query_and_scale_and_no_names() -> None:
    scene, wanted = scene_of(example="coreference", keys=f"{ONES}; {ONES}"), example("coreference")
    assert scene.query.tolist() == wanted.query.tolist()
    assert (scene.query_label, scene.scale, scene.source) == ("it", "sqrt", None)
    assert (scene.labels, scene.values) == (("k0", "k1"), None)


def test_as_many_keys_for_an_example_keep_its_names_and_values() -> None:
    scene, wanted = scene_of(example="coreference", keys="; ".join([ONES] * 15)), example("coreference")
    assert scene.keys.tolist() == [[1.0] * 32] * 15
    assert scene.labels == wanted.labels
    assert scene.values is not None


def test_query_and_keys_for_an_example_take_its_scale() -> None:
    scene = scene_of(example="coreference", query="1 0", keys="1 0; 0 1")
    assert (scene.query.tolist(), scene.scale, scene.labels) == ([1.0, 0.0], "sqrt", ("k0", "k1"))


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ({"query": "1 2"}, "the query has 2 components, the keys have 4 components"),
        ({"keys": "1 2; 3 4"}, "the query has 4 components, the keys have 2 components"),
        ({"query": "1 2 3", "keys": "1 2; 3 4"}, "the query has 3 components, the keys have 2 components"),
        ({"query": "1 2; 3 4", "keys": "1 2"}, "query: one vector is needed, and these are 2"),
        ({"query": "[[1, 2], [3, 4]]"}, "query: one vector is needed, and these are 2"),
        ({"query": ""}, "query: a number is missing"),
        ({"keys": ""}, "keys: a number is missing"),
        ({"keys": ";"}, "keys[0]: a number is missing"),
        ({"keys": "1 2;;3 4"}, "keys[1]: a number is missing"),
        ({"keys": "1 2; 3; 4 5 6"}, "keys: every one needs as many numbers as the others, and they have 2, 1, 3"),
    ],
)
def test_query_and_keys_that_make_no_sense(arguments: dict[str, str], words: str) -> None:
    assert refusal(**arguments) == words


@pytest.mark.parametrize(
    ("arguments", "begin", "end"),
    [
        ({"query": "1 x 3 4"}, "query: line 1, column ", "x' is not a number"),
        ({"keys": "1 2; 3 x"}, "keys[1]: line 1, column ", "x' is not a number"),
        ({"keys": "[[1, 2], [3, x]]"}, "keys: line 1, column ", "'x' is not a number"),
        ({"values": "1; x"}, "values[1]: line 1, column ", "x' is not a number"),
        ({"mask": "maybe"}, "mask: line 1, column ", "maybe' is not a number"),
        ({"mask": "1 0 truth 1 1"}, "mask: line 1, column ", "truth' is not a number"),
    ],
)
def test_what_is_no_number_is_named_with_its_argument_and_place(
    arguments: dict[str, str], begin: str, end: str
) -> None:
    said = refusal(**arguments)
    assert said.startswith(begin)
    assert said.endswith(end)


@pytest.mark.parametrize("name", ["query", "keys", "values"])
@pytest.mark.parametrize("text", ["1 ... 3 4", "[1, 2", "one", "true", "1 None 3 4", "(1,2,3,4)"])
def test_an_error_begins_with_the_argument_s_name(name: str, text: str) -> None:
    assert refusal(**{name: text}).startswith(f"{name}: ")


def test_decimal_commas_are_asked_about() -> None:
    said = refusal(query="0,5 1,5 2,5 3,5")
    assert said.startswith("query: this can be read in 2 ways: ")
    assert "[0.5, 1.5, 2.5, 3.5]" in said


# Values


@pytest.mark.parametrize("text", ["1 2; 3 4", "[[1, 2], [3, 4]]", "1,2;3,4", "1 2\n3 4"])
def test_a_value_for_each_key(text: str) -> None:
    scene = scene_of(query="1", keys="1; 1", values=text)
    assert scene.values is not None
    assert scene.values.tolist() == [[1.0, 2.0], [3.0, 4.0]]
    output = read(scene).output
    assert output is not None
    assert output.tolist() == [2.0, 3.0]


def test_values_go_to_the_lesson_too() -> None:
    scene = scene_of(values="1; 2; 3; 4; 5")
    assert scene.values is not None
    assert scene.values.tolist() == [[1.0], [2.0], [3.0], [4.0], [5.0]]


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("1 2 3 4 5", "values need one row for each of the 5 keys, and have shape (1, 5)"),
        ("1; 2; 3", "values need one row for each of the 5 keys, and have shape (3, 1)"),
        ("1; 2 3; 4", "values: every one needs as many numbers as the others, and they have 1, 2, 1"),
    ],
)
def test_values_that_do_not_fit(text: str, words: str) -> None:
    assert refusal(values=text) == words


# The mask


@pytest.mark.parametrize(
    "text",
    [
        "1 0 1 1 0",
        "1,0,1,1,0",
        "1, 0, 1, 1, 0",
        "1;0;1;1;0",
        "[1, 0, 1, 1, 0]",
        "[[1, 0, 1, 1, 0]]",
        "1.0 0.0 1.0 1.0 0.0",
        "true false true true false",
        "True,False,TRUE,true,0",
        "[true, false, true, true, false]",
        "[ True False  True  True False]",
        "(true, false, true, true, false)",
        "tensor([ True, False,  True,  True, False])",
        "1\n0\n1\n1\n0",
    ],
)
def test_a_mask_says_of_every_key_whether_it_may_be_attended(text: str) -> None:
    scene = scene_of(mask=text)
    assert scene.mask.tolist() == [True, False, True, True, False]
    assert read(scene).weights[[1, 4]].tolist() == [0.0, 0.0]


@pytest.mark.parametrize("text", ["0", "1", "true", "false", "False"])
def test_a_mask_of_one_key(text: str) -> None:
    assert scene_of(query="1", keys="1", mask=text).mask.tolist() == [text.lower() in {"1", "true"}]


@pytest.mark.parametrize("text", ["0.5 1 1 1 1", "2 1 1 1 1", "-1 1 1 1 1", "nan 1 1 1 1", "0 -inf 0 0 0", "11011"])
def test_a_mask_selects_and_is_never_added(text: str) -> None:
    words = "a mask is made of 1 (may be attended) and 0: it selects keys, and is never added to scores"
    assert refusal(mask=text) == f"mask: {words}"
    with pytest.raises(ForeignError) as refused:
        parse_mask(text)
    assert str(refused.value) == words


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("1 0", "the mask needs one entry for each of the 5 keys, and has 2"),
        ("1 0 1 1 1 1", "the mask needs one entry for each of the 5 keys, and has 6"),
        ("true", "the mask needs one entry for each of the 5 keys, and has 1"),
        ("", "mask: a number is missing"),
    ],
)
def test_a_mask_that_does_not_fit(text: str, words: str) -> None:
    assert refusal(mask=text) == words


# Temperature, scale and dtype


@pytest.mark.parametrize(
    ("text", "temperature"),
    [("2", 2.0), (" 0.5 ", 0.5), ("1e-300", 1e-300), ("5e-324", 5e-324), (".25", 0.25), ("1_000", 1000.0)],
)
def test_a_temperature(text: str, temperature: float) -> None:
    assert scene_of(temperature=text).temperature == temperature


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("0", "a temperature of 0 is a limit, not a value: all weight would go to the largest score"),
        ("-1", "a temperature below 0 would turn the ranking round: it has to be above 0"),
        ("−1", "a temperature below 0 would turn the ranking round: it has to be above 0"),
        ("inf", "an infinite temperature is a limit, not a value: all weights would be equal"),
        ("nan", "the temperature cannot be nan"),
        ("", "temperature: a number is missing"),
        ("warm", "temperature: 'warm' is not a number"),
        ("0,5", "temperature: 0,5: is that 0.5? Write a point"),
        ("1e", "temperature: the exponent is missing its digits"),
        ("-", "temperature: only a minus so far: digits are missing"),
        (
            "1e400",
            "temperature: 1e400 is above the float64 maximum 1.7977e308; write inf if you mean infinity",
        ),
        (
            "1e-400",
            "temperature: 1e-400 is closer to 0 than the smallest float64 4.9407e-324; write 0 if you mean zero",
        ),
    ],
)
def test_a_temperature_that_is_none(text: str, words: str) -> None:
    assert refusal(temperature=text) == words


@pytest.mark.parametrize(
    ("text", "scale"),
    [
        ("sqrt", "sqrt"),
        (" SQRT ", "sqrt"),
        ("1/sqrt(hs)", "sqrt"),
        ("1/sqrt(d)", "sqrt"),
        ("1", 1.0),
        ("-0.5", -0.5),
        ("0", 0.0),
        ("1e-3", 1e-3),
    ],
)
def test_a_scale(text: str, scale: float | str) -> None:
    assert parse_scale(text) == scale
    assert scene_of(scale=text).scale == scale


def test_a_scale_replaces_the_example_s() -> None:
    assert scene_of(example="coreference", scale="1").scale == 1.0
    assert scene_of(scale="sqrt").scale_factor == 0.5


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "scale: a number is missing; a scale is a number, or sqrt for 1/sqrt(hs)"),
        ("root", "scale: 'root' is not a number; a scale is a number, or sqrt for 1/sqrt(hs)"),
        ("1/8", "scale: '1/8' is not a number; a scale is a number, or sqrt for 1/sqrt(hs)"),
        ("nan", "the scale has to be a finite number, or sqrt for 1/sqrt(hs)"),
        ("-inf", "the scale has to be a finite number, or sqrt for 1/sqrt(hs)"),
    ],
)
def test_a_scale_that_is_none(text: str, words: str) -> None:
    assert refusal(scale=text) == words


@given(st.floats(allow_nan=False, allow_infinity=False) | st.just("sqrt"))
def test_a_scale_is_written_as_it_is_read(scale: float | str) -> None:
    assert parse_scale(format_scale(scale)) == scale  # type: ignore[arg-type]


def test_a_dtype() -> None:
    assert scene_of(dtype="float16").dtype == "float16"
    assert refusal(dtype="half").startswith("there is no dtype 'half': choose from float64, float32, float16, ")


def test_everything_at_once() -> None:
    scene = scene_of(
        query="-1,2",
        keys="-1,0;0,1;1,1",
        values="1;2;3",
        mask="1,1,0",
        temperature="0.5",
        scale="sqrt",
        dtype="float32",
    )
    assert scene.query.tolist() == [-1.0, 2.0]
    assert scene.keys.tolist() == [[-1.0, 0.0], [0.0, 1.0], [1.0, 1.0]]
    assert scene.values is not None
    assert scene.values.tolist() == [[1.0], [2.0], [3.0]]
    assert scene.mask.tolist() == [True, True, False]
    assert (scene.temperature, scene.scale, scene.dtype) == (0.5, "sqrt", "float32")
