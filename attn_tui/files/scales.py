"""A scale as text: a number, or sqrt."""

from attn_tui.files.errors import ForeignError
from attn_tui.files.numbers import format_exact, parse_number
from attn_tui.model.scene import Scale


def parse_scale(text: str) -> Scale:
    """A number, or "sqrt" for 1 / sqrt(hs). Raises ForeignError."""
    if text.strip().lower() in {"sqrt", "1/sqrt(hs)", "1/sqrt(d)"}:
        return "sqrt"
    try:
        return parse_number(text)
    except ForeignError as error:
        raise ForeignError(f"{error}; a scale is a number, or sqrt for 1/sqrt(hs)") from None


def format_scale(scale: Scale) -> str:
    """A scale as `parse_scale` reads it."""
    return "sqrt" if scale == "sqrt" else format_exact(scale)
