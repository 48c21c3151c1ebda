"""Scenes and their histories on the disk: what a person saves, and what is kept of a running program."""
