"""The explorer, driven by the keys that a person presses."""
