"""Everything foreign: pasted and typed text, and the printed report."""
