"""How fast it is, told as ratios to other programs in the same run, since times are noise: `python -m tests.bench`."""
