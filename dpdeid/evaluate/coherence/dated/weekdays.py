"""Weekdays against dates."""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Iterator
from typing import Final

from dpdeid.evaluate.coherence.cues import any_of
from dpdeid.evaluate.coherence.facts import Clash, Day, Event, Kind, Note
from dpdeid.french.calendar import WEEKDAY_OF, WEEKDAYS

_FULL: Final = "|".join(WEEKDAYS)
_SHORT: Final = "lun|mar|mer|merc|mercr|jeu|ven|vend|sam|dim"
_WEEKDAY_BEFORE: Final = re.compile(
    rf"(?<![\w-])(?P<w>{_FULL}|(?:{_SHORT})\.?)(?: (?:le|matin|soir|apres-midi|"
    rf"apres midi))? ?[,:]?(?: ?\| ?(?:date|jour)[a-z ]{{0,20}} :)? ?\(?$"
)
_WEEKDAY_BEHIND: Final = re.compile(
    rf" ?(?:\((?:un |le )?|, (?:un |c'etait un )|: ?)(?P<w>{_FULL})\b(?! (?:dernier|"
    rf"prochain|\d|suivant|de |saint|gras|matin|soir|et )|[, ]{{1,2}}\d)"
)
_BARE_DAY: Final = re.compile(
    rf"(?<![\w-])(?P<w>{_FULL}) (?P<d>\d{{1,2}})(?:er)?(?![\w/:.,°%-]| ?(?:h\b|"
    rf"heures|"
    rf"jan|fev|mars|avr|mai|juin|juil|aou|sep|oct|nov|dec|"
    rf"a \d))"
)
_HABIT: Final = re.compile(r"\b(?:tous|chaque|les|toutes)\b[^.\n]{0,12}$")


def weekday_date(note: Note) -> Iterator[Clash]:
    """A weekday that is not that of the date beside it."""
    flat = note.flat
    for day in note.days:
        if not day.whole:
            continue
        start, match = max(0, day.at[0] - 30), _WEEKDAY_BEFORE.search(note.before(day.at[0], 30))
        if match is None:
            start, match = day.at[1], _WEEKDAY_BEHIND.match(flat[day.at[1] : day.at[1] + 30])
        if match is None:
            continue
        at = start + match.start("w")
        of_name = any(p.at[0] <= at < p.at[1] or p.at[1] == at - 1 for p in note.people)
        told = WEEKDAY_OF[match["w"].strip(".")] != day.first.weekday()
        if of_name or not told or _HABIT.search(note.before(at, 14)):
            continue
        if day.year_told or _near(note, day):
            yield Kind.WEEKDAY_DATE, (at, start + match.end("w")), day.at
    yield from _bare_days(note)
    yield from _said_days(note)
    yield from _odd_one(note)


def _near(note: Note, day: Day) -> bool:
    """Whether the year of a day without one can hardly be another: it lies near the note's day."""
    base = note.today or next(
        (d for d in note.days if d.whole and d.year_told and d.event is not Event.BIRTH), None
    )
    return base is not None and abs((day.first - base.first).days) <= 120


_AWAY: Final = {
    "avant-hier": -2, "hier": -1, "aujourd'hui": 0, "ce matin": 0, "ce soir": 0, "ce jour": 0,
    "cette nuit": 0, "demain": 1, "apres-demain": 2,
}  # fmt: skip
_SAID: Final = re.compile(
    rf"(?<![\w-])(?P<r>{any_of(_AWAY)}),? \(?(?:c'est |"
    rf"le )?(?P<w>{_FULL})\b"
    r"(?! (?:prochain|dernier|et |ou ))"
)


def _said_days(note: Note) -> Iterator[Clash]:
    """ "demain mercredi" on a Monday."""
    if note.today is None or not note.today.whole:
        return
    for match in _SAID.finditer(note.flat):
        day = note.today.first + dt.timedelta(_AWAY[match["r"]])
        between = [d for d in note.days if note.today.at[1] < d.at[0] < match.start()]
        if day.weekday() != WEEKDAY_OF[match["w"]] and not between:
            yield Kind.WEEKDAY_DATE, match.span(), note.today.at


def _odd_one(note: Note) -> Iterator[Clash]:
    """ "Sam 03/02, Dim 04/02, Lun 06/02": a list whose days fit one year but for one of them."""
    pairs = []
    for day in note.days:
        match = _WEEKDAY_BEFORE.search(note.before(day.at[0], 30))
        if match is not None and day.whole and not day.year_told:
            pairs.append((WEEKDAY_OF[match["w"].strip(".")], day))
    if len(pairs) < 3 or any(_near(note, day) for _, day in pairs):
        return
    years = range(2005, 2031)
    wrong = [[day for told, day in pairs if _in_year(day.first, y) != told] for y in years]
    strange = min(wrong, key=len)
    if len(strange) == 1:
        at = strange[0].at
        yield Kind.WEEKDAY_DATE, (max(0, at[0] - 5), at[0]), at


def _in_year(day: dt.date, year: int) -> int:
    leap = (day.month, day.day) == (2, 29)
    return day.replace(year=year, day=28 if leap else day.day).weekday()


def _bare_days(note: Note) -> Iterator[Clash]:
    """ "jeudi 8": the day of that number nearest to the note's own."""
    if note.today is None:
        return
    for match in _BARE_DAY.finditer(note.flat):
        number = int(match["d"])
        if not 1 <= number <= 31 or any(d.at[0] <= match.start("d") < d.at[1] for d in note.days):
            continue
        near = [note.today.first + dt.timedelta(n) for n in range(-45, 46)]
        fits = [d for d in near if d.day == number]
        if fits and all(d.weekday() != WEEKDAY_OF[match["w"]] for d in fits):
            yield Kind.WEEKDAY_DATE, match.span(), note.today.at
