"""What a person takes away: a scene and its reading in other programs' formats."""
