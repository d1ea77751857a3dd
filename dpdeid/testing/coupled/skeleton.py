"""The skeleton of a filled template, as far as a filling can change it, and pairs of one skeleton.

S is the closed list `dpdeid.privacy.skeleton.Shown`. `TOLD` is what a filling can change
of it; the template itself holds the rest. Two fillings of one template with equal skeletons are two
records with the same S: a sound `Pair`.

- Order as far as the *printed* fields decide it: "juin 2023" and "13/06/2023" overlap, and then
  nothing but that is known; a season may begin a month before its quarter of the year. What a form
  lacks is taken from the note, as a reader does.
- Of births whether one is of the year that a social security number tells, French or Belgian; that
  ages fit births is so in every filling. A hospital of a template is of the town of a slot of it
  in every filling, or of one that no filling has. The words before a town are the template's own,
  and so is how they are written: "&#224;" tells of a note that it has entities, "au" does not.
- A filling in which a date, an age or a town would be read as anything but what was meant has no
  skeleton. Of a town whose name stands in several lists it is decided in `homonyms`.
"""

from __future__ import annotations

import datetime as dt
import re
from calendar import isleap
from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import combinations, pairwise
from typing import Final

from dpdeid.gazetteers import Place, place_key, place_list_name
from dpdeid.labels import Label
from dpdeid.privacy.skeleton import Shown
from dpdeid.substitute.dates.written.parser import EARLIEST, LATEST
from dpdeid.substitute.places.institutions import NAMED
from dpdeid.substitute.places.localities import codes_of
from dpdeid.substitute.places.rendering import land_of
from dpdeid.testing.coupled.forms import AGES, DATES, NUMBERS, Lacks, Precision, span_of
from dpdeid.testing.coupled.homonyms import list_is_told
from dpdeid.testing.coupled.reading_on import is_drawn_to_the_note
from dpdeid.testing.coupled.template import (
    E0,
    AgeSlot,
    AreaSlot,
    DateSlot,
    Filling,
    Fixed,
    InstitutionSlot,
    NumberSlot,
    RangeSlot,
    Slot,
    Template,
    TimeSlot,
    TownSlot,
    Value,
    ZipSlot,
    day_of,
    place_of,
)

_BLANK: Final = re.compile(r"\W")
_HALF: Final = 150
"""Within so many days of it a date without its year is read as meant, wherever in a year it is."""
_SOON: Final = 20
"""So many days behind the day on which a note was written, too."""
_WEEK: Final = 3
_AHEAD: Final = 5
_CENTURY: Final = 94
_APART: Final = 3
"""Years by which an age of the past lies below that of today."""
_LIMITS: Final = {"years": (1, 109), "months": (1, 35), "weeks": (1, 103), "days": (1, 89)}


def skeleton(template: Template, filling: Filling) -> Hashable | None:
    """What a release may show of a filling; None if some slot would be read otherwise."""
    days = [day_of(filling, note.date) for note in template.notes if note.date is not None]
    if any(day > E0 for day in days):
        return None
    known = [day_of(filling, note.known) for note in template.notes if note.known is not None]
    if any(misread(template, filling)) or any(born >= day for born in known for day in days):
        return None
    days = [value for value in filling.values() if isinstance(value, dt.date)]
    if not all(EARLIEST <= day.year < LATEST for day in days):
        return None
    towns = [value for value in filling.values() if not isinstance(value, dt.date | dt.time)]
    shown = tuple([told(template, filling) for told in TOLD.values()])
    coded = {slot.var for _, slot in template.slots if isinstance(slot, ZipSlot)}
    codes = [place_of(filling, var).zips[0] for var in coded]
    names = {place_key(x.name if isinstance(x, Place) else str(x)) for x in towns}
    distinct = len(names) == len(towns) and len({*codes}) == len(codes)
    return shown if distinct and None not in shown else None


def misread(template: Template, filling: Filling) -> Iterator[tuple[int, Slot]]:
    """The slots, each with the index of its note, that would be read as what was not meant."""
    near = [references(template, filling, at) for at in range(len(template.notes))]
    for at, slot in template.slots:
        if not _is_read(template, filling, at, slot, near[at]):
            yield at, slot


def _is_read(
    template: Template, filling: Filling, at: int, slot: Slot, near: Sequence[dt.date]
) -> bool:
    match slot:
        case DateSlot():
            note = template.notes[at]
            if slot.beside is not None and note.form == "fields":
                return False  # blanks part it from the date that lends it a year
            read = _date_is_read(filling, slot, near, dated=note.date is not None)
            return read and is_drawn_to_the_note(template, filling, at, slot, near)
        case RangeSlot():
            return _range_is_read(filling, slot)
        case AgeSlot():
            return _age_is_read(template, filling, at, slot)
        case TownSlot():
            _, name = slot.text(filling, E0)
            # of "Y" nobody can tell the case
            return sum(map(str.isalpha, name)) > 1 and list_is_told(template, filling, slot.var)
        case InstitutionSlot():
            return any(isinstance(s, TownSlot) and s.var == slot.var for _, s in template.slots)
        case AreaSlot() | NumberSlot() | TimeSlot() | Fixed():
            return True
        case ZipSlot():
            return bool(place_of(filling, slot.var).zips)


def references(template: Template, filling: Filling, at: int) -> tuple[dt.date, ...]:
    """Every day that a note may be read against: its own, else any of the record, before any that
    lacks its year; e0 where there is none.
    """
    own = template.notes[at].date
    if own is not None:
        return (day_of(filling, own),)
    found = {day_of(filling, note.date) for note in template.notes if note.date is not None}
    for _, slot in template.slots:
        if slot.label is not Label.DATE:
            continue
        if isinstance(slot, RangeSlot):
            found.add(day_of(filling, slot.last))
        elif isinstance(slot, DateSlot):
            form = DATES[slot.form]
            if form.precision == "day" and form.lacks in ("nothing", "century"):
                found.add(day_of(filling, slot.var))
    if not found:
        found = {_last_before_e0(day_of(filling, slot.var)) for slot in _loose(template)}
    return tuple(found or {E0})


def _loose(template: Template) -> list[DateSlot]:
    """The dates that print a day of a year and no year."""
    dated = [slot for _, slot in template.slots if isinstance(slot, DateSlot)]
    return [s for s in dated if (DATES[s.form].precision, DATES[s.form].lacks) == ("day", "year")]


def _last_before_e0(day: dt.date) -> dt.date:
    """The last day up to e0 that is called the same without its year."""
    leap = (day.month, day.day) == (2, 29)
    years = (y for y in range(E0.year, EARLIEST, -1) if isleap(y) or not leap)
    return next(other for y in years if (other := day.replace(year=y)) <= E0)


def _date_is_read(
    filling: Filling, slot: DateSlot, near: Sequence[dt.date], *, dated: bool
) -> bool:
    """Whether it is read as what was meant, whatever of `near` its note is read against.

    Args:
        dated: whether its note has a date; if not, two digits are a year before e0.
    """
    form, day = DATES[slot.form], day_of(filling, slot.var)
    if slot.label is Label.BIRTH_DATE:
        return E0.year - 95 < day.year and all(day < n for n in near)
    if slot.beside is not None:
        return _is_lent(form.lacks, day, day_of(filling, slot.beside))
    low, high = span_of(form.precision, day)
    middle = low + (high - low) / 2
    match form.lacks:
        case "century":
            old = any(day.year <= r.year - _CENTURY for r in (*near, E0))
            ahead = 0 if form.precision == "decade" else _AHEAD
            new = any(day.year > r.year + ahead for r in near)
            return not old and not new and (dated or day.year <= E0.year)
        case "year":
            return all(-_HALF <= (middle - r).days <= _SOON for r in near)
        case "week":
            return bool(near) and all(abs((day - r).days) <= _WEEK for r in near)
        case "month":
            return False
    return True


def _is_lent(lacks: Lacks, day: dt.date, other: dt.date) -> bool:
    if lacks == "month":
        return (day.year, day.month) == (other.year, other.month)
    return abs((day - other).days) <= _HALF


def _range_is_read(filling: Filling, slot: RangeSlot) -> bool:
    first, last = day_of(filling, slot.var), day_of(filling, slot.last)
    lacks = DATES[slot.forms[0]].lacks
    return first < last and (lacks not in ("month", "year") or _is_lent(lacks, first, last))


def _age_is_read(template: Template, filling: Filling, at: int, slot: AgeSlot) -> bool:
    """In a note with its date; without one only if nothing else tells of that birth."""
    note = template.notes[at].date
    told = [*(other.var for _, other in template.slots), *(n.known for n in template.notes)]
    if note is None and told.count(slot.var) > 1:
        return False
    born, day = day_of(filling, slot.var), E0 if note is None else day_of(filling, note)
    if slot.then is not None:
        notes = [day_of(filling, n.date) for n in template.notes if n.date is not None]
        now = min(slot.amount(born, day)[0] for day in notes) if note is not None else 0
        return 1 <= slot.amount(born, day_of(filling, slot.then))[0] <= now - _APART
    whole, months = slot.amount(born, day)
    unit = AGES[slot.form].unit
    if unit == "years and months":
        return 2 <= whole <= 9 and months > 0
    low, high = _LIMITS[unit]
    return born < day and low <= whole <= high


def stretches_of(template: Template, filling: Filling) -> dict[str, tuple[Precision, dt.date]]:
    """Of the variable of each date its precision and the first day that it names."""
    found: dict[str, tuple[Precision, dt.date]] = {}
    for note in template.notes:
        if note.date is not None:
            found[note.date] = ("day", day_of(filling, note.date))
    for _, slot in template.slots:
        if isinstance(slot, RangeSlot):
            for var in (slot.var, slot.last):
                found[var] = ("day", day_of(filling, var))
        elif isinstance(slot, DateSlot) and slot.label is Label.DATE:
            found[slot.var] = (DATES[slot.form].precision, day_of(filling, slot.var))
    return found


def _order(template: Template, filling: Filling) -> tuple[int, ...] | None:
    """Of each pair of dates, which one is known to come first; None if two are one date."""
    stretches = stretches_of(template, filling)
    if len({*stretches.values()}) < len(stretches):
        return None
    spans = [_meant(*stretches[var]) for var in sorted(stretches)]
    pairs = combinations(spans, 2)
    return tuple([(other[1] < one[0]) - (one[1] < other[0]) for one, other in pairs])


def _meant(precision: Precision, first: dt.date) -> tuple[dt.date, dt.date]:
    """The days that it may mean: of a season those of the month before its quarter, too."""
    low, high = span_of(precision, first)
    if precision == "season":
        low = (low - dt.timedelta(1)).replace(day=1)
    return low, high


def _lists(template: Template, filling: Filling) -> tuple[str | None, ...]:
    places = _named(template, filling)
    towns = [place_list_name(p) if isinstance(p, Place) else land_of(str(p)) for p in places]
    births = [place_of(filling, var) for var in _birthplaces(template)]
    abroad = [place_list_name(p) if p.country == "FR" else "abroad" for p in births]
    return (*towns, *abroad)


def _birthplaces(template: Template) -> dict[str, None]:
    """The variables of the towns that French social security numbers tell."""
    return dict.fromkeys(
        slot.town
        for _, slot in template.slots
        if isinstance(slot, NumberSlot) and NUMBERS[slot.form].is_nir
    )


def _areas(template: Template, filling: Filling) -> tuple[bool, ...]:
    areas = dict.fromkeys(s.var for _, s in template.slots if isinstance(s, AreaSlot))
    codes = [place_of(filling, area).department for area in areas]
    places = _named(template, filling)
    coded = dict.fromkeys(s.var for _, s in template.slots if isinstance(s, ZipSlot))
    codes += [place_of(filling, code).department for code in coded]
    own = [isinstance(p, Place) and p.department == c for c in codes for p in places]
    zips = [place_of(filling, code).zips[0] for code in coded]
    own += [isinstance(p, Place) and z in codes_of(p) for z in zips for p in places]
    fixed = [s.written for _, s in template.slots if isinstance(s, Fixed) and s.label in NAMED]
    names = [*codes, *(p.name if isinstance(p, Place) else str(p) for p in places)]
    return (*own, *(name in text for name in names for text in fixed))


def _named(template: Template, filling: Filling) -> list[Value]:
    named = dict.fromkeys(s.var for _, s in template.slots if isinstance(s, TownSlot | ZipSlot))
    return [filling[var] for var in named]


def _ages_ascend(template: Template, filling: Filling) -> bool:
    """Whether the ages of the past, by the names of their days, are told in different years."""
    told = {
        slot.then: slot.amount(day_of(filling, slot.var), day_of(filling, slot.then))[0]
        for _, slot in template.slots
        if isinstance(slot, AgeSlot) and slot.then is not None
    }
    return all(told[one] + _APART <= told[other] for one, other in pairwise(sorted(told)))


def _births(template: Template, filling: Filling) -> tuple[int, ...] | None:
    if not _ages_ascend(template, filling):
        return None
    slots = [slot for _, slot in template.slots if slot.label is Label.SSN]
    numbers = [_BLANK.sub("", slot.text(filling, E0)[1]) for slot in slots]
    years = [year for number in numbers for year in (number[1:3], number[:2])]
    told = (Label.BIRTH_DATE, Label.AGE)
    births = dict.fromkeys(s.var for _, s in template.slots if s.label in told)
    births |= dict.fromkeys(note.known for note in template.notes if note.known is not None)
    apart = [(day_of(filling, b).year - int(year)) % 100 for b in births for year in years]
    days = [day for form, day in stretches_of(template, filling).values() if form == "day"]
    old = [(day_of(filling, "patient") - day).days for day in days if "patient" in filling]
    before = (any(0 < gap <= _UNBORN for gap in old), *((gap > 0) - (gap < 0) for gap in old))
    return (*(years if years in (0, 1, 99) else 50 for years in apart), *before)


_UNBORN: Final = 300
_NOON: Final = 720


def _times(template: Template, filling: Filling) -> tuple[Hashable, ...]:
    """Of the times of each day their order, which lie behind midnight, which are on marks, and
    which days they join to a night.
    """
    days: dict[str, list[tuple[int, bool]]] = {}
    for at, note in enumerate(template.notes):
        day, behind, last = note.date or f"note {at}", False, 0
        for phrase in note.phrases:
            for before, slot in pairwise(("", *(p for p in phrase if not isinstance(p, str)))):
                if not isinstance(slot, TimeSlot):
                    continue
                if isinstance(before, DateSlot):
                    day, behind, last = before.var, False, 0
                minute = slot.minute(filling)
                behind = behind or last - minute > _NOON
                last = minute
                days.setdefault(day, []).append((minute + 2 * _NOON * behind, behind))
    told: list[Hashable] = []
    for day, times in days.items():
        ranks = {minute: rank for rank, minute in enumerate(sorted({m for m, _ in times}))}
        told += [(day, ranks[m], behind, m % 5 == 0) for m, behind in times]
    return (*told, *_nights(template, filling))


def _nights(template: Template, filling: Filling) -> Iterator[bool]:
    """Of each date and time of a text, whether the times fall back from the day before to it."""
    for note in template.notes:
        here, last, over, timed = note.date, 0, False, False
        for phrase in note.phrases:
            for before, slot in pairwise(("", *(p for p in phrase if not isinstance(p, str)))):
                evening, fell = here, over
                if isinstance(slot, TimeSlot):
                    morning = before.var if isinstance(before, DateSlot) else here
                    fell = over or last - slot.minute(filling) > _NOON
                    over, timed = fell and morning == here, True
                    here, last = morning, slot.minute(filling)
                elif isinstance(slot, DateSlot | RangeSlot):
                    morning = slot.last if isinstance(slot, RangeSlot) else slot.var
                    here = here if timed else morning
                else:
                    continue
                days = [day_of(filling, var) for var in (evening, morning) if var is not None]
                yield fell and len(days) > 1 and days[0] + dt.timedelta(1) == days[1]


TOLD: Final[Mapping[Shown, Callable[[Template, Filling], Hashable]]] = {
    Shown.ORDER: _order,
    Shown.TIMES: _times,
    Shown.BIRTHS: _births,
    Shown.LISTS: _lists,
    Shown.AREAS: _areas,
}


@dataclass(frozen=True, slots=True)
class Pair:
    """A template and two fillings of one skeleton.

    Args:
        number: of the template, for messages.
        seed: of the key under which both are released.
    """

    template: Template
    one: Filling = field(repr=False)
    other: Filling = field(repr=False)
    number: int = 0
    seed: int = 0


def is_sound(pair: Pair) -> bool:
    """Whether its fillings have one skeleton."""
    template = pair.template
    if not all(map(template.reads_back, (pair.one, pair.other))):
        return False
    if template.forms_seen(pair.one) != template.forms_seen(pair.other):
        return False
    one = skeleton(pair.template, pair.one)
    return one is not None and one == skeleton(pair.template, pair.other)
