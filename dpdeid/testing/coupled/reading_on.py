"""Whether a date without its year is read as what its note says, or on from the dates before it."""

from __future__ import annotations

import datetime as dt
import re
from calendar import monthrange
from collections.abc import Sequence
from itertools import chain
from typing import Final

from dpdeid.labels import Label
from dpdeid.testing.coupled.forms import DATES
from dpdeid.testing.coupled.template import DateSlot, Filling, RangeSlot, Template, day_of

_ENDED: Final = re.compile(r"[.;!?]\s|\n")
_HEADS: Final = re.compile(r"[ \t]*(?:[:–—-]|\n)")


def is_drawn_to_the_note(
    template: Template, filling: Filling, at: int, slot: DateSlot, near: Sequence[dt.date]
) -> bool:
    """Whether a date without its year is what its note says, however one reads on from the dates
    before it: it is itself the first day of its name behind each, or none lies before the note.
    """
    if slot.label is not Label.DATE or DATES[slot.form].lacks != "year":
        return True
    day = day_of(filling, slot.var)
    for other in _before(template, at, slot):
        leads = day_of(filling, other)
        latest = max(near) if leads <= max(near) else leads + dt.timedelta(365)
        for year in range(leads.year, latest.year + 1):
            last = min(monthrange(year, day.month)[1], day.day)
            named = dt.date(year, day.month, last)
            if leads.replace(day=1) <= named <= latest and named.year != day.year:
                return False
    return True


def _before(template: Template, at: int, slot: DateSlot) -> Sequence[str]:
    """The variables of the dates that stand before one in its note and may lead it: a year alone
    leads its sentence, or what it heads.
    """
    found: dict[str, bool] = {}
    for piece in chain.from_iterable(template.notes[at].phrases):
        if piece is slot:
            break
        if isinstance(piece, str):
            if found and _HEADS.match(piece):
                found = dict.fromkeys(found, False)
            elif _ENDED.search(piece):
                found = {var: alone for var, alone in found.items() if not alone}
        elif isinstance(piece, RangeSlot) and piece.label is Label.DATE:
            found[piece.last] = False
        elif isinstance(piece, DateSlot) and piece.label is Label.DATE:
            found[piece.var] = DATES[piece.form].precision == "year"
    return tuple(found)
