"""Whether a date without its year is read as what its note says, or on from the dates before it."""

from __future__ import annotations

import datetime as dt
from calendar import monthrange
from collections.abc import Iterator, Sequence

from dpdeid.labels import Label
from dpdeid.testing.coupled.forms import DATES
from dpdeid.testing.coupled.template import DateSlot, Filling, RangeSlot, Template, day_of


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


def _before(template: Template, at: int, slot: DateSlot) -> Iterator[str]:
    """The variables of the dates that stand before one in its note."""
    for phrase in template.notes[at].phrases:
        for piece in phrase:
            if piece is slot:
                return
            if isinstance(piece, DateSlot | RangeSlot) and piece.label is Label.DATE:
                yield piece.last if isinstance(piece, RangeSlot) else piece.var
