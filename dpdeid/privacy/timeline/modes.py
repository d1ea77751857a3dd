"""Surrogates for all days of one record at once: whole days in, whole days out, no text.

Four modes, each a frozen dataclass with `release` and, for `check`, `draws`: `Paper` is the
published design and charges no guarantee; `Shift` moves a record by one secret offset and has none
either; `Metric` and `Strict` are proved: every date is noised as its gap to its neighbour in their
public order, with a loss by the steps of a table or with an ε whatever the distance.

Which dates are equal, their order and their number are part of what a release shows anyway (the
skeleton), and are not protected by any of them.
"""

from __future__ import annotations

from dpdeid.privacy.ledger import Draw
from dpdeid.privacy.timeline.points import Kind, Led, Past, Point, Released, Told
from dpdeid.privacy.timeline.proved import Metric, Strict
from dpdeid.privacy.timeline.unproved import Paper, Shift

__all__ = [
    "Draw",
    "Kind",
    "Led",
    "Metric",
    "Paper",
    "Past",
    "Point",
    "Released",
    "Shift",
    "Strict",
    "Timeline",
    "Told",
]

Timeline = Paper | Shift | Metric | Strict
