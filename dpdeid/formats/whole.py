"""All notes of a source or none: for measures, which must not pass over a row in silence."""

from __future__ import annotations

import sys
from typing import Final

from dpdeid.errors import UsageError
from dpdeid.formats.rows import Row, read

_SHOWN: Final = 10
"""Rows that a message lists."""


def read_whole(source: str, name: str) -> list[Row]:
    """The rows of a source, each with its note.

    Args:
        source: as `formats.rows.read` takes it.
        name: what messages call the source.

    Raises:
        UsageError: a row cannot be read, or there is none; has the reasons.
    """
    rows = list(read(source, sys.stdin.buffer))
    if wrong := [row.error for row in rows if row.document is None]:
        more = f" and {len(wrong) - _SHOWN} more rows" if len(wrong) > _SHOWN else ""
        raise UsageError(f"{name}: {'; '.join(wrong[:_SHOWN])}{more}")
    if not rows:
        raise UsageError(f"{name}: no notes")
    return rows
