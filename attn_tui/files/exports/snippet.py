"""The scene as a script that computes its numbers again, with NumPy and the standard library alone.

It is put together of stretches of text: the settings, one stretch that rounds as the scene's dtype does, and the steps.
On the same NumPy and processor the numbers come out to the last bit, which is why the order of every sum is kept.
"""

import math

import numpy as np

from attn_tui.core.arrays import FloatArray
from attn_tui.core.attend import Reading
from attn_tui.core.precision import ML_DTYPES, Precision
from attn_tui.core.softmax import scaled
from attn_tui.files.exports.steps import (
    EXACT,
    FLOAT64,
    FROM_ROUNDED,
    NEAREST,
    OUTPUT,
    PLAIN,
    PRINTED,
    RESULT,
    ROUNDED,
    ROUNDED_OUTPUT,
    SMALL_FLOAT,
)
from attn_tui.files.visible import visible
from attn_tui.model.scene import Scene


def as_snippet(scene: Scene, reading: Reading) -> str:
    """A script that computes and prints scores, scaled scores, weights, naive weights, entropy and output."""
    steps = _exact(scene, reading) if scene.dtype == "float64" else _rounded(reading)
    imports = "import math\nfrom fractions import Fraction\n\n" if "Fraction" in steps else ""
    return "".join((_settings(scene, imports), steps, PRINTED))


def _settings(scene: Scene, imports: str) -> str:
    """The scene's numbers and names."""
    source = f" ({visible(scene.source.name)})" if scene.source else ""
    scale = f"{scene.scale_factor!r}{'  # 1 / sqrt(hs)' if scene.scale == 'sqrt' else ''}"
    keys, values = (_rows(vectors) for vectors in (scene.keys, scene.values))
    return f"""\
# Attention of one query over {scene.count} keys of head size {scene.head_size}, written by attn-tui{source}.
# It needs Python 3 and NumPy 2, and computes in {scene.dtype}.

{imports}import numpy as np

np.seterr(all="ignore")  # nan and inf are results here

query_label = {scene.query_label!r}
labels = [{", ".join(map(repr, scene.labels))}]
query = np.array({_vector(scene.query)})
keys = np.array({keys})
values = {"None" if scene.values is None else f"np.array({values})"}
mask = np.array({scene.mask.tolist()})  # True: may be attended
temperature = {scene.temperature!r}
scale = {scale}
"""


def _exact(scene: Scene, reading: Reading) -> str:
    """The steps in float64, as plainly as they can be written without changing a bit."""
    is_negative = math.copysign(1.0, scene.scale_factor) < 0.0
    sign, strength = ("-", "-scale") if is_negative else ("", "scale")
    signed = -reading.scores if is_negative else reading.scores
    attended = np.where(scene.mask, signed, -np.inf)
    with np.errstate(all="ignore"):
        below = attended - attended.max()
    is_far = bool((np.isinf(below) & np.isfinite(attended) & np.isfinite(attended.max())).any())
    is_plain = not is_far and all(_is_plain(scene, numbers) for numbers in (signed, below))
    return "".join((
        (PLAIN if is_plain else EXACT).format(strength=strength),
        FLOAT64.format(
            sign=sign,
            below="2.0 * times(signed / 2.0 - signed.max() / 2.0)" if is_far else "times(signed - signed.max())",
        ),
        RESULT,
        OUTPUT,
    ))  # fmt: skip


def _is_plain(scene: Scene, numbers: FloatArray) -> bool:
    """Whether scale * numbers / temperature is the same to the last bit when it is rounded after each of the two."""
    strength = abs(scene.scale_factor)
    with np.errstate(all="ignore"):
        twice = strength * numbers / scene.temperature
    once = scaled(numbers, strength, scene.temperature)
    return bool(((twice == once) & (np.signbit(twice) == np.signbit(once)) | np.isnan(twice) & np.isnan(once)).all())


def _rounded(reading: Reading) -> str:
    """The steps in a smaller dtype, each rounded to it."""
    kind = reading.inputs.precision
    is_weighed = reading.attended > 0
    rounding = _nearest(kind) if kind.name in ML_DTYPES else SMALL_FLOAT.format(dtype=kind.name)
    return "".join((rounding, ROUNDED, FROM_ROUNDED, RESULT, ROUNDED_OUTPUT if is_weighed else OUTPUT))


def _nearest(kind: Precision) -> str:
    """Rounding to a dtype that NumPy has not."""
    return NEAREST.format(
        dtype=kind.name,
        digits=1 - round(math.log2(kind.epsilon)),
        lowest=math.frexp(kind.smallest_normal)[1],
        largest=repr(kind.largest),
        beyond="np.nan" if kind.name == "float8_e4m3fn" else "np.inf",
    )


def _vector(numbers: FloatArray) -> str:
    """Numbers as a list in Python."""
    return f"[{', '.join(_literal(x) for x in numbers.tolist())}]"


def _rows(vectors: FloatArray | None) -> str:
    """Vectors as a list of lists in Python, a line each."""
    return "" if vectors is None else "[\n" + "".join(f"    {_vector(row)},\n" for row in vectors) + "]"


def _literal(number: float) -> str:
    """A number in Python: its shortest form that reads back the same."""
    if math.isfinite(number):
        return repr(number)
    return "np.nan" if math.isnan(number) else "np.inf" if number > 0.0 else "-np.inf"
