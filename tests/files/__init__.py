"""Everything foreign: text, arrays, files."""
