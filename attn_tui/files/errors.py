"""The exception family of everything that comes from outside."""


class ForeignError(ValueError):
    """Outside text or a file that cannot be taken as it is; its text is a sentence for a person."""
