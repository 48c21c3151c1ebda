"""What the names before a bracket mean in printed arrays, and which arguments are no numbers."""

from attn_tui.files.brackets import Role

CALLS: dict[str, Role] = {
    **dict.fromkeys(("array", "asarray", "tensor", "Tensor", "Array", "DeviceArray", "matrix", "Parameter"), "call"),
    **dict.fromkeys(("c", "list", "tuple"), "list"),
    **dict.fromkeys(("float16", "float32", "float64", "bfloat16", "longdouble", "float128", "float"), "number"),
    **dict.fromkeys(("int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64", "int"), "number"),
    **dict.fromkeys(("bool", "bool_"), "number"),
}
"""What a name before a round bracket holds: one array, a list of numbers, or one number."""

UNREAD: dict[str, str] = {
    "Size": "this is a shape, not the numbers",
    "size": "this is a shape, not the numbers",
    "TensorShape": "this is a shape, not the numbers",
    "shape": "this is a shape, not the numbers",
    "masked_array": "a masked array hides components: fill it first, or paste its .data",
    "structure": "R's dput stores columns first: paste the printed matrix",
}
"""Names before a round bracket that hold no numbers to take, and the reason."""

ROUNDED_PRINTS = frozenset({"tensor", "Parameter"})
"""Calls whose print shows few digits by default."""

DATA_KEYWORDS = frozenset({"data", "numpy", "object"})
"""Arguments that are the array."""

SKIPPED_KEYWORDS = frozenset(
    (
        *("dtype", "device", "requires_grad", "grad_fn", "layout", "size", "shape", "weak_type", "names", "is_leaf"),
        *("ndmin", "copy", "order", "subok", "quantization_scheme", "scale", "zero_point", "axis"),
    )
)
"""Arguments that say something about an array, not what is in it."""

ELEMENT_TYPES = frozenset({"Float16", "Float32", "Float64", "BFloat16", "Int64", "Int32", "Int16", "Int8", "Real"})
"""Julia's element types before a square bracket."""

DTYPES = {"f2": "float16", "f4": "float32", "f8": "float64", "single": "float32", "double": "float64"}
"""Short names of dtypes."""

UNNAMING = frozenset({"Parameter containing", "ans", "Out"})
"""Names that a print puts before an array and that are not its own."""


def precision_note(written: str) -> str | None:
    """How far the printed digits may be from what was stored, in words; None for whole numbers, which are exact."""
    mantissa, exponent, _ = written.lower().partition("e")
    decimals = len(mantissa.partition(".")[2])
    if exponent:
        return f"printed with {decimals + 1} significant digits"
    return f"printed with {decimals} decimals: +-{0.5 * 10.0**-decimals:.0e} per component" if decimals else None
