"""Everything foreign: pasted text, arrays, dumps, sessions, exports and the printed report."""
