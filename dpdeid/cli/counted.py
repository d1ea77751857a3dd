"""Counts in words."""

from __future__ import annotations


def counted(number: int, noun: str) -> str:
    """A number with its noun, in the plural where there is not one of it.

    >>> counted(1, "note"), counted(0, "row"), counted(1234, "charge")
    ('1 note', '0 rows', '1,234 charges')
    """
    return f"{number:,} {noun}{'' if number == 1 else 's'}"
