"""What a person edits: the scene, its edits, their history, the examples, and numbers as figures."""
