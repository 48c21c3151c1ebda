"""Files, checked."""
