"""`python -m attn_tui`."""

import sys

from attn_tui.cli import main

sys.exit(main())
