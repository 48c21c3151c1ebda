"""What lies over the explorer: help and prompts."""
