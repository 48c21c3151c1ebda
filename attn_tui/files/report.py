"""A scene and its reading, printed: a table for a person, or strict JSON for a program."""

import json
import math
from collections.abc import Sequence

from attn_tui.core.attend import Reading
from attn_tui.core.precision import compute
from attn_tui.core.sharpening import Tempered, softer_base_sharper
from attn_tui.core.temperature import infinite_limit, zero_limit
from attn_tui.files.json_numbers import Json, number_to_json, numbers_to_json
from attn_tui.files.sessions.scene_form import scene_to_json
from attn_tui.files.visible import visible
from attn_tui.model.figures import figure, short, weight_figure
from attn_tui.model.heads import all_queries
from attn_tui.model.matrix import row_entropies
from attn_tui.model.scene import Scene

_BAR_WIDTH = 24
_MOST_PRODUCTS = 2**29
"""Products of components that all queries of a head may take."""
_NAMED_TIES = 20
_SHOWN_DIMENSIONS = 8
"""Components of the query that the table shows."""


def as_json(scene: Scene, reading: Reading, notes: Sequence[str] = ()) -> str:
    """Everything in strict JSON, ASCII alone: nan and infinities as strings, undefined measures as null.

    Notes of how the scene was read come before those of its reading.
    """
    return json.dumps(report(scene, reading, notes), allow_nan=False, indent=1, ensure_ascii=True)


def report(scene: Scene, reading: Reading, notes: Sequence[str] = ()) -> dict[str, Json]:
    """Everything as JSON's own types."""
    undefined = without_direction(reading)
    peak = reading.peak
    return {
        "scene": _scene(scene),
        "scores": numbers_to_json(reading.scores),
        "scaled": numbers_to_json(reading.scaled),
        "weights": numbers_to_json(reading.weights),
        "naive_weights": numbers_to_json(reading.naive_weights),
        "cosines": numbers_to_json(reading.cosines, undefined),
        "angles_degrees": numbers_to_json(reading.angles_degrees, undefined),
        "query_norm": number_to_json(reading.query_norm),
        "key_norms": numbers_to_json(reading.key_norms),
        "contributions": [numbers_to_json(row) for row in reading.contributions],
        "entropy": number_to_json(reading.entropy),
        "row_entropies": _row_entropies(scene, reading),
        "entropy_max": number_to_json(reading.entropy_max),
        "entropy_ratio": number_to_json(reading.entropy_ratio),
        "effective_keys": number_to_json(reading.effective_keys),
        "peak": None if peak is None else {"keys": list(peak.keys), "weight": number_to_json(peak.weight)},
        "margin": number_to_json(reading.margin),
        "sum_of_squares": number_to_json(reading.sum_of_squares),
        "kl_to_uniform": number_to_json(reading.kl_to_uniform),
        "jacobian_frobenius": number_to_json(reading.jacobian_frobenius),
        "logsumexp": number_to_json(reading.logsumexp),
        "log_weights": numbers_to_json(reading.distribution.log_weights),
        "output": None if reading.output is None else numbers_to_json(reading.output),
        **_temperatures(reading),
        "stages": _stages(reading),
        "faults": [
            {"stage": fault.stage, "key": fault.key, "dimension": fault.dimension, "message": fault.message}
            for fault in reading.faults
        ],
        "notes": [*notes, *reading.notes],
    }


def as_text(scene: Scene, reading: Reading, *, ascii_only: bool = False, notes: Sequence[str] = ()) -> str:
    """A table, one row a key, with the measures and whatever is wrong below it."""
    shown = [figure(float(x)) for x in scene.query[:_SHOWN_DIMENSIONS]]
    more = " ..." if scene.head_size > _SHOWN_DIMENSIONS else ""
    scale = f"1/sqrt(hs) = {short(scene.scale_factor)}" if scene.scale == "sqrt" else short(scene.scale_factor)
    lines = [
        f"{scene.count} keys x hs {scene.head_size}   tau {short(scene.temperature)}   scale {scale}   {scene.dtype}",
        f"{visible(scene.query_label)} = {'  '.join(shown)}{more}   norm {figure(reading.query_norm)}",
        "",
        *_table(scene, reading, "#" if ascii_only else "█"),
        "",
        *_measures(reading),
        *_other_temperatures(reading),
    ]
    lines.extend(_rows(scene))
    if reading.output is not None:
        numbers = "  ".join(figure(float(x)) for x in reading.output[:_SHOWN_DIMENSIONS])
        lines.append(f"output       {numbers}{' ...' if reading.output.size > _SHOWN_DIMENSIONS else ''}")
    lines.extend(f"fault        {visible(fault.message)}" for fault in reading.faults)
    lines.extend(f"note         {visible(note)}" for note in (*notes, *reading.notes))
    return "\n".join(line.rstrip() for line in lines)


def _scene(scene: Scene) -> Json:
    """The scene, in the form that makes the same scene again, with the scale as a number and where that is from."""
    rule = "1/sqrt(hs)" if scene.scale == "sqrt" else "fixed"
    return {**scene_to_json(scene), "scale": scene.scale_factor, "scale_rule": rule}


def _temperatures(reading: Reading) -> dict[str, Json]:
    """The weights at four times the temperature and at a quarter of it, and their limits at both ends."""
    inputs = reading.inputs
    softer, _, sharper = softer_base_sharper(reading.scores, inputs.mask, inputs.temperature, inputs.scale)
    return {
        "softer": _tempered(softer, reading),
        "sharper": _tempered(sharper, reading),
        "temperature_limits": {
            "zero": numbers_to_json(zero_limit(reading.scores, inputs.mask, inputs.scale)),
            "infinity": numbers_to_json(infinite_limit(reading.scores, inputs.mask, inputs.scale)),
        },
    }


def _tempered(one: Tempered, reading: Reading) -> Json:
    """One temperature's weights, entropy and peak."""
    defined = reading.attended > 0
    return {
        "temperature": one.temperature,
        "weights": numbers_to_json(one.weights),
        "entropy": number_to_json(one.entropy) if defined else None,
        "peak": number_to_json(one.peak) if defined else None,
    }


def _stages(reading: Reading) -> Json:
    """The steps of the naive and the stable softmax, each rounded to the scene's dtype."""
    inputs = reading.inputs
    steps = compute(inputs.query, inputs.keys, inputs.mask, inputs.temperature, inputs.scale, inputs.precision)
    return {
        "dtype": inputs.precision.name,
        "scores": numbers_to_json(steps.scores),
        "scaled": numbers_to_json(steps.scaled),
        "naive": {
            "exps": numbers_to_json(steps.naive_exps),
            "sum": number_to_json(steps.naive_total),
            "weights": numbers_to_json(steps.naive_weights),
        },
        "stable": {
            "shifted": numbers_to_json(steps.shifted),
            "exps": numbers_to_json(steps.exps),
            "sum": number_to_json(steps.total),
            "weights": numbers_to_json(steps.weights),
        },
    }


def without_direction(reading: Reading) -> list[bool]:
    """For each key whether its angle is undefined, because it or the query is the zero vector."""
    if not reading.inputs.query.any():
        return [True] * len(reading.scores)
    return [not bool(key.any()) for key in reading.inputs.keys]


def _table(scene: Scene, reading: Reading, block: str) -> list[str]:
    """A row for each key: label, score, cosine, angle, norm, scaled score, weight and a bar."""
    undefined = without_direction(reading)
    rows = [("key", "q.k", "cosine", "angle", "norm", "scaled", "weight", "naive", "")]
    for i, label in enumerate(scene.labels):
        weight = float(reading.weights[i])
        bar = block * round(weight * _BAR_WIDTH) if math.isfinite(weight) else ""
        rows.append((
            visible(label),
            figure(float(reading.scores[i])),
            "n/a" if undefined[i] else figure(float(reading.cosines[i])),
            "n/a" if undefined[i] else figure(float(reading.angles_degrees[i]), 8, 1),
            figure(float(reading.key_norms[i])),
            figure(float(reading.scaled[i])),
            weight_figure(weight) if scene.mask[i] else "masked",
            weight_figure(float(reading.naive_weights[i])) if scene.mask[i] else "",
            bar,
        ))  # fmt: skip
    widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]))]
    return [
        "  ".join(cell.ljust(width) if column in {0, 8} else cell.rjust(width)
                  for column, (cell, width) in enumerate(zip(row, widths, strict=True)))
        for row in rows
    ]  # fmt: skip


def _measures(reading: Reading) -> list[str]:
    """The measures, a line each."""
    ratio = reading.entropy_ratio
    part = f" ({100 * ratio:.1f} %)" if ratio is not None and math.isfinite(ratio) else ""
    return [
        f"entropy      {figure(reading.entropy)} of {figure(reading.entropy_max)} nats{part}, "
        f"effective keys {figure(reading.effective_keys, 8, 2)}",
        f"peak         {_peak(reading)}",
        f"KL           {figure(reading.kl_to_uniform)} nats to uniform",
        f"Jacobian     {figure(reading.jacobian_frobenius)} (Frobenius norm)",
        f"logsumexp    {figure(reading.logsumexp)}",
    ]


def _row_entropies(scene: Scene, reading: Reading) -> Json:
    """The entropy of every query of the head, in nats, (Tq,), null where no key may be attended; in float64.

    A scene with one query has the reading's, in whatever dtype; null stands for more than can be computed in a moment.
    """
    if _is_too_much(scene):
        return None
    entropies = row_entropies(scene)
    return [number_to_json(entropy) for entropy in (entropies if len(entropies) > 1 else [reading.entropy])]


def _is_too_much(scene: Scene) -> bool:
    """Whether all queries of the head over all its keys take too long for a report of one of them."""
    dump = None if scene.source is None else scene.source.dump
    return dump is not None and dump.query_count * scene.count * scene.head_size > _MOST_PRODUCTS


def _rows(scene: Scene) -> list[str]:
    """A line on the entropies of the head's queries, where there is more than one."""
    entropies = [] if _is_too_much(scene) else row_entropies(scene)
    known = [entropy for entropy in entropies if entropy is not None and math.isfinite(entropy)]
    if len(entropies) < 2 or not known:
        return []
    _, labels, _ = all_queries(scene)
    least, most = entropies.index(min(known)), entropies.index(max(known))
    broken = f", {len(entropies) - len(known)} without" if len(known) < len(entropies) else ""
    return [
        f"row entropy  {len(entropies)} queries{broken}: mean {figure(sum(known) / len(known))} nats, "
        f"least {figure(min(known))} (query {least}, {visible(labels[least])}), "
        f"most {figure(max(known))} (query {most}, {visible(labels[most])})"
    ]


def _other_temperatures(reading: Reading) -> list[str]:
    """Softer and sharper, the limits at both ends, and the sums of the naive and the stable softmax, a line each."""
    if not reading.is_sound:
        return []
    inputs = reading.inputs
    softer, _, sharper = softer_base_sharper(reading.scores, inputs.mask, inputs.temperature, inputs.scale)
    cold = zero_limit(reading.scores, inputs.mask, inputs.scale)
    hot = infinite_limit(reading.scores, inputs.mask, inputs.scale)
    steps = compute(inputs.query, inputs.keys, inputs.mask, inputs.temperature, inputs.scale, inputs.precision)
    lines = [
        f"{name:<12} tau {short(one.temperature)}: entropy {figure(one.entropy)}, peak {figure(one.peak, 8, 6)}"
        for name, one in (("softer", softer), ("sharper", sharper))
    ]
    leading = [visible(inputs.labels[int(key)]) for key in cold.nonzero()[0][:_NAMED_TIES]]
    lines.append(
        f"limits       tau -> 0: {figure(float(cold.max()))} at {', '.join(leading)}; "
        f"tau -> infinity: {figure(float(hot.max()))} each"
    )
    lines.append(
        f"sum of exps  naive {figure(steps.naive_total)}, stable {figure(steps.total)} ({inputs.precision.name})"
    )
    return lines


def _peak(reading: Reading) -> str:
    """The largest weight and every key that has it, or the first few and how many there are."""
    if reading.peak is None:
        return "n/a"
    keys = reading.peak.keys
    names = ", ".join(visible(reading.inputs.labels[key]) for key in keys[:_NAMED_TIES])
    more = f" and {len(keys) - _NAMED_TIES} more" if len(keys) > _NAMED_TIES else ""
    ties = f"{len(keys)} keys tie: " if len(keys) > 1 else ""
    return f"{figure(reading.peak.weight)} at {ties}{names}{more}"
