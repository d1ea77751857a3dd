"""How often a process looks for cycles of objects."""

from __future__ import annotations

import gc


def collect_seldom() -> None:
    """Lets Python look for cycles of objects less often: lists, expressions and long notes are many
    objects in few cycles, and the usual looks at all of them took a fifth of the time.
    """
    gc.set_threshold(100_000, 50, 100)
