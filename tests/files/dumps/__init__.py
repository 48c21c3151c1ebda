"""Files opened as scenes."""
