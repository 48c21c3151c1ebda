"""Files and texts that were broken at random: behind the marker `fuzz`, with a fixed budget."""
