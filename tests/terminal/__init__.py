"""The program on real pseudo-terminals."""
