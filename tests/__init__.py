"""What attn-tui promises, mirroring its package."""
