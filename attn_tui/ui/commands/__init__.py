"""Every command, declared once."""
