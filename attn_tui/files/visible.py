"""Text from outside, made harmless for a terminal."""


def visible(text: str) -> str:
    """The text with every control, bidirectional and other unprintable character spelt out, escape sequences too."""
    if text.isprintable():
        return text
    return "".join(c if c.isprintable() else c.encode("unicode_escape").decode("ascii") for c in text)
