"""What a person edits: a scene, the edits that make a new one of it, their history, and the examples to start from."""
