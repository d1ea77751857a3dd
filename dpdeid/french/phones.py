"""Ranges of telephone numbers by country, kind and area served."""

from __future__ import annotations

from functools import cache
from typing import NamedTuple

from dpdeid.french.tables import rows


class Range(NamedTuple):
    """Numbers that begin alike.

    Args:
        plan: "FR", "OM" (French overseas), "CH", "BE", "LU", "MC", "US" (North America), "GB".
        code: country code.
        kind: "landline", "mobile" or "city" (a Belgian area of two digits).
        areas: departments or cantons served, none for all.
        prefix: first digits, with the 0 dialled at home.
        use: "drawn", "read" or "fiction" (no subscriber has such a number).
        length: digits of a number, prefix included.
    """

    plan: str
    code: str
    kind: str
    areas: tuple[str, ...]
    prefix: str
    use: str
    length: int


@cache
def ranges(plan: str = "", kind: str = "", use: str = "") -> tuple[Range, ...]:
    """The ranges of a plan, a kind and a use; all where one is not given."""
    return tuple(
        one
        for one in _table()
        if plan in ("", one.plan) and kind in ("", one.kind) and use in ("", one.use)
    )


@cache
def _table() -> tuple[Range, ...]:
    return tuple(
        Range(plan, code, kind, tuple(areas.split()), prefix, use, int(length))
        for plan, code, kind, areas, prefix, use, length in rows("phone_ranges")
    )


@cache
def by_area(plan: str, kind: str = "landline") -> dict[str, Range]:
    """Department or canton → the first range that serves it."""
    found: dict[str, Range] = {}
    for one in ranges(plan, kind, "drawn"):
        for area in one.areas:
            found.setdefault(area, one)
    return found
