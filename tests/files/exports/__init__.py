"""Mirrors `attn_tui.files.exports`."""
