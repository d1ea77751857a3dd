"""How a statement says what the noise of a timeline is, and what its steps are worth."""

from __future__ import annotations

from fractions import Fraction
from typing import Final

from dpdeid.privacy.losses import rounded_up as figure
from dpdeid.privacy.timeline.chain import Role

_YEAR: Final = 365
SHOWN: Final = (
    (((Role.STAY, 3, 4), (Role.AHEAD, 28, 27)), "a stay of 3 or 4 days, 28 or 27 before a visit"),
    (((Role.AHEAD, 28, 42),), "an appointment in 28 or 42 days"),
    (((Role.READ, 14, 21),), "14 or 21 days to a date without its year"),
    (((Role.BEFORE, _YEAR, 2 * _YEAR),), "1 or 2 years before"),
    (((Role.BIRTH, 3, 30),), "an age of 3 or 30 days"),
    (((Role.BIRTH, 50 * _YEAR, 51 * _YEAR),), "an age of 50 or 51 years"),
    (((Role.AGED, 12 * _YEAR, 13 * _YEAR),), "a first age of the past of 12 or 13 years"),
)
"""Moves of one date, by which a statement says what steps are worth: between two others both."""


def said(share: Fraction, least: Fraction, after: int) -> str:
    """The noise of a role, in words."""
    of = f"what is over {after} days" if after else "the gap"
    return f"{figure(100 * share)} % of {of}, at least {figure(least)} days"
