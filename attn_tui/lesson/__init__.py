"""The guided lesson: its steps as data, each with a check that knows whether its task was done."""
