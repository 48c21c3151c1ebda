"""The mathematics of attention: pure functions of arrays, on NumPy and the standard library alone."""
