"""The steps on a real transformer: a pronoun, its collapse without the scale, the previous token, and a sink."""

import math
from functools import partial

import numpy as np

from attn_tui.core.arrays import FloatArray
from attn_tui.core.scores import norms
from attn_tui.core.softmax import softmax
from attn_tui.lesson.asked import ask, ask_which, direction
from attn_tui.lesson.earned import same_vectors
from attn_tui.lesson.step import Act, Moment, Step
from attn_tui.lesson.told import at, entropy, entropy_max, figure, name, peak, query_name, ranked, score, share, weight
from attn_tui.model import edits
from attn_tui.model.examples import REAL_MODEL, bundled, example
from attn_tui.model.heads import scene_of, with_head, with_row
from attn_tui.model.scene import Scene, read

ANIMAL = 2
"""The key of "animal"."""
COLLAPSED = 0.9999
"""A peak above it is a collapse."""
SINK, BACK = 0.8, 0.9
"""How much weight makes a sink, and how much a look back."""
OWN_SINK, ANOTHER_SINK = (4, 5), (2, 7)
"""Layer and head of the sink that is shown, and of another one."""
IT, TIRED = 9, 12
"""The rows of "it" and of "tired"."""

coreference = partial(example, "coreference")
previous_token = partial(example, "previous-token")
sink = partial(example, "sink")


def _without_winner(moment: Moment) -> FloatArray:
    """The weights with the winner masked: (T,), all 0 if nothing is left."""
    mask = moment.scene.mask.copy()
    mask[ranked(moment, 0)] = False
    return softmax(moment.reading.scaled, mask=mask)


def _gains(moment: Moment) -> FloatArray:
    """What each key gains by that, -inf for one that is masked then: (T,)."""
    after = _without_winner(moment)
    return np.where(after > 0.0, after - moment.reading.weights, -np.inf)


def _heir(moment: Moment) -> int:
    """The key that gains most by that."""
    return int(np.argmax(_gains(moment)))


def _animal_is_hidden(moment: Moment) -> bool:
    """Nothing but "animal" is masked, and nothing else has changed."""
    hidden = edits.toggle_mask(coreference(), ANIMAL)
    return same_vectors(moment, hidden)


COREFERENCE = Step(
    "coreference",
    'A real head: what "it" looks at',
    (
        "These numbers are a transformer's own, made while it read: The animal did not cross the street because it was "
        'too tired. This is layer 3, head 1; the query is that of "it", with 32 components, and each token is a key.',
        lambda m: (
            f'"it" gives {name(m, ranked(m, 0))} {weight(m, ranked(m, 0))} of its weight and {name(m, ranked(m, 1))} '
            f"{weight(m, ranked(m, 1))}. The entropy is {entropy(m)} nats of {entropy_max(m)}. Nobody wrote a rule for "
            "pronouns: the head has learnt this."
        ),
    ),
    coreference,
    "weights",
    'Hide the answer: move to the row of "animal" and press m. See who inherits its weight.',
    _animal_is_hidden,
    'm masks the key under the cursor: it may not be attended any more, and has weight 0. "animal" is the third key.',
    (Act('mask "animal"', lambda scene: edits.toggle_mask(scene, ANIMAL)),),
    ask_which(
        "Suppose the token with the largest weight were masked. Which one would gain most?",
        _gains,
        lambda m: (
            f"{name(m, _heir(m))} goes from {weight(m, _heir(m))} to {share(at(_without_winner(m), _heir(m)))}. The "
            "ratio of two weights depends on their two scores alone, so all that are left grow by the same factor, "
            "and the heaviest of them gains most."
        ),
    ),
    lambda m: f"{name(m, ranked(m, 0))} leads now with {peak(m)}, and the entropy is {entropy(m)} nats.",
)


def _unscaled(moment: Moment) -> Moment:
    """The same with scale 1."""
    scene = edits.set_scale(moment.scene, 1.0)
    return Moment(scene, read(scene), moment.view)


def _has_collapsed(moment: Moment) -> bool:
    """Vectors and mask are as they were, and "animal" has as good as everything."""
    return same_vectors(moment, coreference()) and bool(moment.reading.weights[ANIMAL] > COLLAPSED)


WITHOUT_THE_SCALE = Step(
    "without-the-scale",
    "Take 1/sqrt(hs) away and watch",
    (
        lambda m: (
            f"The same head again. The raw score of {name(m, ranked(m, 0))} is {score(m, ranked(m, 0))}, the next is "
            f"{score(m, ranked(m, 1))}. With the scale 1/sqrt({m.scene.head_size}) these are "
            f"{figure(at(m.reading.scaled, ranked(m, 0)))} and {figure(at(m.reading.scaled, ranked(m, 1)))}."
        ),
        lambda m: (
            f"The peak is {peak(m)}, the entropy {entropy(m)} nats. The model was trained with this scale. What would "
            "the row look like if someone forgot it in the code?"
        ),
    ),
    coreference,
    "weights",
    "Forget it: press s, which sets the scale to 1.",
    _has_collapsed,
    "The top line shows the scale; s switches between 1/sqrt(hs) and 1.",
    (Act("set the scale to 1", lambda scene: edits.set_scale(scene, 1.0)),),
    ask(
        "Without 1/sqrt(hs), at scale 1: what does the largest weight do?",
        ("rise", "fall", "stay as it is"),
        lambda m: direction(float(m.reading.weights.max()), float(_unscaled(m).reading.weights.max())),
        lambda m: (
            f"It goes from {peak(m)} to {peak(_unscaled(m))}, and the entropy from {entropy(m)} to "
            f"{entropy(_unscaled(m))} nats. All differences between scores grow by "
            f"{figure(1.0 / m.scene.scale_factor if m.scene.scale_factor else math.inf)}. Same vectors, same ranking: "
            "only the temperature is wrong."
        ),
    ),
    lambda m: f"Collapsed: {name(m, ranked(m, 0))} has {peak(m)}, and H is {entropy(m)} nats. u takes it back.",
)


def _other_row(moment: Moment) -> tuple[int, int | None]:
    """The query after the scene's own, or before it at the end, and the key it looks at; None for neither."""
    source = moment.scene.source
    if source is None or source.dump is None or source.row is None:
        return -1, None
    row = source.row + 1 if source.row + 1 < len(source.dump.query_labels) else max(0, source.row - 1)
    top = read(with_row(moment.scene, row)).peak
    return row, top.keys[0] if top is not None else None


def _where_it_looks(moment: Moment) -> int:
    """Whether that query looks at the token before it, at the same key as the scene's own, or at itself; 3 for none."""
    row, key = _other_row(moment)
    places = (ranked(moment, 0), row - 1, row)
    if key is None or key not in places:
        return 3
    return 1 if key == row - 1 else places.index(key)


def _why_it_looks_there(moment: Moment) -> str:
    """What that query looks at."""
    row, key = _other_row(moment)
    if key is None:
        return "This scene has no other queries."
    other = with_row(moment.scene, row)
    return (
        f"{query_name(other)} gives {name(moment, key)} {share(at(read(other).weights, key))}. For this head it is "
        "the place that counts, not the word. Others build on it: they can compare a token with what came before."
    )


def _another_row_looks_back(moment: Moment) -> bool:
    """Another query of the same head is open, and looks at the token just before it."""
    start, source, top = previous_token(), moment.scene.source, moment.reading.peak
    if source is None or start.source is None or source.row is None or source.indices != start.source.indices:
        return False
    opened = with_row(start, source.row)
    return (
        source.row not in {0, start.source.row}
        and same_vectors(moment, opened)
        and top is not None
        and top.keys == (source.row - 1,)
        and top.weight > BACK
    )


PREVIOUS_TOKEN = Step(
    "previous-token",
    "A head that looks one token back",
    (
        lambda m: (
            f'Layer 0, head 2, the same sentence. Here "it" gives {name(m, ranked(m, 0))} {weight(m, ranked(m, 0))} of '
            f"its weight, and the entropy is {entropy(m)} nats. That is the word just before it."
        ),
        "Is it the word that counts, or its place? One query cannot tell. The matrix (F7) shows the head whole: a row "
        "for each query, a column for each key.",
    ),
    previous_token,
    "weights",
    "Open another query that looks one token back: press F7, move to its row with the arrows, and press Enter.",
    _another_row_looks_back,
    "In the matrix the arrows move in the view; Space brings them back to the vectors. Any row but the first will do.",
    (
        Act("show Matrix", view="matrix"),
        Act('open the query of "tired"', lambda scene: with_row(scene, TIRED)),
    ),
    ask(
        "The same head, the next query in the sentence. Which token gets the most weight?",
        lambda m: (
            f"{name(m, ranked(m, 0))} again",
            "the token before that query's",
            "that query's own",
            "none of these",
        ),
        _where_it_looks,
        _why_it_looks_there,
    ),
    lambda m: (
        f"{query_name(m.scene)} looks at {name(m, ranked(m, 0))} with {peak(m)}: one back again. In the matrix such "
        "a head is a line just below the diagonal."
    ),
)


def _value_lengths(moment: Moment) -> tuple[float, float]:
    """The length of the winner's value, and the mean of the other keys'; nan where there is none."""
    if moment.scene.values is None or moment.scene.count < 2:
        return math.nan, math.nan
    lengths = norms(moment.scene.values)
    first = ranked(moment, 0)
    return float(lengths[first]), float(np.delete(lengths, first).mean())


def _how_long_it_is(moment: Moment) -> int:
    """Whether the winner's value is more than twice as long as the others, as long, or less than half as long."""
    own, others = _value_lengths(moment)
    return 0 if own > 2.0 * others else 2 if own < others / 2.0 else 1


def _another_sink(moment: Moment) -> bool:
    """Another head of the model is open at the same query, as it is, and gives the first token nearly all."""
    source = moment.scene.source
    if source is None or source.dump is not bundled() or source.row != IT or source.indices == OWN_SINK:
        return False
    own = scene_of(bundled(), REAL_MODEL, source.indices, IT)
    return (
        same_vectors(moment, own)
        and (moment.scene.scale, moment.scene.temperature) == (own.scale, own.temperature)
        and bool(moment.reading.weights[0] > SINK)
    )


def _to_another_sink(scene: Scene) -> Scene:
    """Another sink at the same query."""
    return with_head(scene, bundled(), ANOTHER_SINK)


SINK_STEP = Step(
    "sink",
    "An attention sink",
    (
        lambda m: (
            f'Layer 4, head 5. "it" gives {weight(m, 0)} of its weight to {name(m, 0)}, the mark that opens every '
            f"text, and the entropy is {entropy(m)} nats. What does that mark know about pronouns? Nothing."
        ),
        "But weights have to add up to 1. A head that finds nothing to say for a query must leave its weight "
        "somewhere. The token on which heads rest then is called an attention sink.",
    ),
    sink,
    "weights",
    f'Find another sink, where "it" gives [CLS] more than {SINK:g}: press F8, then H until it shows first token.',
    _another_sink,
    "Move with the arrows to a head with a large number, and press Enter: it opens at the same query. Look at "
    "Weights (F2), and go back to Heads (F8) for another try.",
    (
        Act("show Heads", view="heads"),
        Act("open layer 2, head 7", _to_another_sink),
        Act("show Weights", view="weights"),
    ),
    ask(
        "The output is made of values. How long is the value of the token with most weight, beside the others'?",
        ("more than twice as long", "about as long", "less than half as long"),
        _how_long_it_is,
        lambda m: (
            f"It has length {figure(_value_lengths(m)[0], decimals=2)}, the others "
            f"{figure(_value_lengths(m)[1], decimals=2)} on average. The weight a sink takes says little in the output "
            "when its value is short: a head can rest there and do no harm."
        ),
    ),
    lambda m: (
        f"{weight(m, 0)} on {name(m, 0)} here too. That is the lesson: scores, softmax, temperature, entropy, head "
        "size, and real heads. From here on the numbers are yours."
    ),
)

STEPS = (COREFERENCE, WITHOUT_THE_SCALE, PREVIOUS_TOKEN, SINK_STEP)
