"""plotext's charts as lines of the screen."""
