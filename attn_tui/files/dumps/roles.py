"""What the arrays of a file are, by the names that people and libraries give them."""

import re
from collections.abc import Iterable, Mapping

QUERY, KEYS, VALUES, MASK, LABELS = "query", "keys", "values", "mask", "labels"
WEIGHTS, SCORES, TEMPERATURE, SCALE, DTYPE = "weights", "scores", "temperature", "scale", "dtype"

NAMES: Mapping[str, tuple[str, ...]] = {
    QUERY: ("query", "q", "queries", "query_states", "query_layer", "q_states", "rot_q", "xq", "qs"),
    KEYS: ("keys", "k", "key", "key_states", "key_layer", "k_states", "rot_k", "xk", "ks", "k_cache", "key_cache"),
    VALUES: ("values", "v", "value", "value_states", "value_layer", "v_states", "xv", "vs", "v_cache", "value_cache"),
    MASK: ("mask", "attn_mask", "attention_mask", "key_mask"),
    LABELS: ("labels", "tokens", "str_tokens", "token", "words"),
    WEIGHTS: (
        "weights", "attn_weights", "attention_weights", "attentions", "attention", "attn", "pattern", "attn_probs",
        "attention_probs", "probs", "w",
    ),
    SCORES: ("scores", "attn_scores", "attention_scores", "attn_logits", "s"),
    TEMPERATURE: ("temperature", "t", "temp", "tau"),
    SCALE: ("scale", "scaling", "softmax_scale", "attn_scale"),
    DTYPE: ("dtype",),
}  # fmt: skip
"""The names of each role, in small letters, the most telling first."""

SHORT: Mapping[str, str] = {"q": QUERY, "k": KEYS, "v": VALUES, "tokens": LABELS, "t": TEMPERATURE}
"""How the roles may be called where one is chosen, besides their own names."""

_PARTS = re.compile(r"[./:]")
_ARRAY = re.compile(r"arr_(\d+)")
_IN_ORDER = (QUERY, KEYS, VALUES)
"""What arrays without names are, as `np.savez(file, q, k, v)` leaves them."""
_PARAMETERS = (".weight", ".bias")


def role_named(text: str) -> str | None:
    """The role that a person means by a word, None if it is none."""
    word = text.strip().lower()
    return SHORT.get(word, word if word in NAMES else None)


def role_of(name: str) -> tuple[str, int] | None:
    """The role of an array of this name, and how telling the name is, 0 the most; None if it tells nothing.

    Of a name such as blocks.3.attn.hook_q only the end counts; a model's parameters are no queries or keys.
    """
    if name.lower().endswith(_PARAMETERS):
        return None
    last = _PARTS.split(name)[-1].lower().removeprefix("hook_")
    for role, names in NAMES.items():
        if last in names:
            return role, names.index(last)
    return None


def prefix_of(name: str) -> str:
    """What stands before the last part of a name, such as blocks.3.attn."""
    return name[: len(name) - len(_PARTS.split(name)[-1])]


def recognised(names: Iterable[str], file_stem: str) -> dict[str, list[str]]:
    """Which names have which role, the most telling first; a lone array goes by its file's name, or it is the keys."""
    listed = list(names)
    if all(_ARRAY.fullmatch(name) for name in listed) and 2 <= len(listed) <= len(_IN_ORDER):
        ordered = sorted(listed, key=lambda name: int(name[4:]))
        return {role: [name] for role, name in zip(_IN_ORDER, ordered, strict=False)}
    found: dict[str, list[tuple[int, str]]] = {}
    for name in listed:
        role = role_of(name)
        if role is not None:
            found.setdefault(role[0], []).append((role[1], name))
    known = {role: [name for _, name in sorted(those, key=lambda one: one[0])] for role, those in found.items()}
    unknown = [name for name in listed if role_of(name) is None]
    if len(unknown) == 1 and not set(known) & {QUERY, KEYS, SCORES, WEIGHTS}:
        by_file = role_of(file_stem)
        known[KEYS if by_file is None else by_file[0]] = unknown
    return known
