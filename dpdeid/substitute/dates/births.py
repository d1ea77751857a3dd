"""The births that a record speaks of.

One birth is one event for each person; but "Naissance le 4 mai" in the notes of a mother, whose age
it does not fit, "Nouveau-né : Léo, né le 4 mai" and a birth on a day that the notes tell as another
date too ("accouchement le 4 mai"), or without the year of another ("son fils, né le 8 février"),
are days of these notes. The patient's is the hospital's, else the first whole birth date of the
notes, else the first that tells its year, else what the first age of today says, else one beside a
date, else the greatest of the past. Where no note has a day, one beside a date comes first, and
that of today is the last point of that life. A birth date that agrees with it in all that both
print, and an age that fits it, are that event and cost nothing more; so is, of anybody, an age that
fits a birth date on its line. An age of the past ("à l'âge de 12 ans", "fracture (20 ans)") is a
day of the patient's life, and a date of the same item that fits it ("à 12 ans, en 1999") is told by
it. Anything else is another person: a birth of its own. No date of the notes lies before the
patient's birth, unless they give the patient's age in months, weeks or days, weeks of pregnancy
beside the birth, or days of the 300 before it: the notes of a newborn tell of the pregnancy.
"""

from __future__ import annotations

import datetime as dt
import re
from bisect import bisect_left
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from operator import attrgetter, itemgetter
from typing import Final

from dpdeid.document import Mention, Record, text_before, text_between
from dpdeid.french.titles import KIN
from dpdeid.labels import Label, Role
from dpdeid.normalize import fold
from dpdeid.privacy.timeline.modes import Kind, Past, Point, Told
from dpdeid.privacy.timeline.points import UNIT_SPANS, UNITS
from dpdeid.substitute.dates.ages import AgeUnit, ReadAge, WrittenAge
from dpdeid.substitute.dates.forward import Reference, canonical
from dpdeid.substitute.dates.reading import Read
from dpdeid.substitute.dates.written.completing import complete
from dpdeid.substitute.dates.written.parser import DateRange, PartialDate, Precision, parse
from dpdeid.substitute.hidden import HIDDEN_AGE

_OTHERS = (Role.RELATIVE, Role.STAFF)
_Birth = tuple[dt.date, Precision]
"""A birth, and how exactly it is known."""
NOTHING: Final = Past()


@dataclass(frozen=True, slots=True)
class Births:
    """The births of a record, in release order, and which mention speaks of which.

    Args:
        named: of mentions of a birth date or an age, the name of the birth.
        past: the days on which the patient had an age of the past.
        then: of ages of the past, the name of that day, or of the date beside it.
        aged: of those beside a date, the name of the day of the age.
        tied: by the names of these dates, how far they lie from it.
        grown: the births of those of whom an age in years is told.
        children: mentions of the births of children in the notes of their mother: days of these
            notes, as any other.
    """

    points: tuple[Point, ...]
    named: Mapping[Mention, str] = field(repr=False)
    past: tuple[Point, ...] = ()
    then: Mapping[Mention, str] = field(default_factory=dict, repr=False)
    aged: Mapping[Mention, str] = field(default_factory=dict, repr=False)
    tied: Mapping[str, tuple[Told, ...]] = field(default_factory=dict, repr=False)
    children: frozenset[Mention] = field(default=frozenset(), repr=False)
    grown: frozenset[str] = field(default=frozenset(), repr=False)

    def is_birth(self, read: Read) -> bool:
        """Whether a date is a birth, rather than a day of the notes."""
        return read.mention.label is Label.BIRTH_DATE and read.mention not in self.children


def read_births(
    record: Record,
    reads: Sequence[Read],
    ages: Sequence[ReadAge],
    against: Sequence[Reference],
    before: Past = NOTHING,
) -> Births:
    """The births that birth dates and ages speak of. One that was released before keeps its name,
    and so its surrogate, if what is told now may be the same birth, told more or less exactly.
    """
    written = [
        (read.mention, read.written, read.days[0])
        for read in reads
        if read.mention.span.label is Label.BIRTH_DATE and isinstance(read.written, PartialDate)
    ]
    days = {name for r in reads if r.mention.span.label is Label.DATE for name in r.names}
    days.update(note.name for note in against if note.name)
    first = _patient(record, written, against)
    children = frozenset(
        mention
        for mention, date, day in written
        if (
            canonical(day, date.precision) in days
            or (date.year is None and first is not None and not _agrees(date, *first))
            or _is_of_a_child(
                text_before(record.documents, mention, _SENTENCE),
                aged=bool(ages) and date.year is not None,
            )
        )
        and not (first in (None, (day, date.precision)) and _is_aged(day, ages, against))
    )
    written = [one for one in written if one[0] not in children]
    known, patient = _released(before, _patient(record, written, against))
    spread: tuple[int, int] | None = None
    imputed, today = _imputed(record, ages, against, reads)
    if patient is None and imputed is not None:
        patient, spread = imputed
    fitting_ages = [
        (m, age.unit)
        for m, age, _, _ in ages
        if patient is not None and _is_own(m) and age.fits(patient[0], against[m.document].day)
    ]
    units = {mention.document: unit for mention, unit in fitting_ages if unit in UNIT_SPANS}
    adult = any(unit is AgeUnit.YEARS for _, unit in fitting_ages)
    texts = [(record.documents[m.document].text, m.span) for m, _, _ in written]
    around = (text[max(s.start - _SENTENCE, 0) : s.end + _LOOKED_AT] for text, s in texts)
    pregnancy = not adult and any(map(_PREGNANCY.search, around))
    if patient is not None and patient[1] is Precision.DAY:
        whole = (r.days[0] for r in reads if r.names[0] in days and r.names[0].endswith("/day"))
        pregnancy |= any(0 < (patient[0] - day).days <= _UNBORN for day in whole)
    points: dict[str, Point] = {}
    named: dict[Mention, str] = {}
    past: dict[str, Point] = {}
    then: dict[Mention, str] = {}
    aged: dict[Mention, str] = {}
    tied: dict[str, tuple[Told, ...]] = {}

    def add(
        mention: Mention, person: str, day: dt.date, precision: Precision, unit: str = ""
    ) -> None:
        own = person == "patient" and (day, precision) == patient
        name = known.name if own and known else f"{person}/{canonical(day, precision)}"
        named[mention] = name
        if person == "patient":
            unit = units.get(mention.document, "")
        span, first = UNIT_SPANS.get(unit, 0), person == "patient" and not (units or pregnancy)
        place = mention.document, "", span, first, spread if own else None
        points.setdefault(name, Point(name, day.toordinal(), Kind.BIRTH, *place))

    def lived(mention: Mention, age: WrittenAge, born: dt.date, beside: Sequence[Read]) -> None:
        """An age of the past, from a birth as it was released, and a date beside it that fits."""
        person, unit = named[mention], age.finest
        since = born if known is None or known.name != person else dt.date.fromordinal(known.day)
        day = age.reached(since)
        name = f"aged {(day - since).days}/{unit} {person}"
        place = mention.document, person
        past.setdefault(name, Point(name, day.toordinal(), Kind.AGED, *place, unit=unit))
        dated = next((r.names[-1] for r in beside if age.fits(born, r.days[-1])), None)
        then[mention] = dated or name
        if dated is not None:
            aged[mention] = name
            half = int(UNITS[unit] // 2)
            tied.setdefault(dated, (Told(name, -half, half),))

    for mention, date, day in written:
        own = patient if _is_own(mention) else None
        if own is not None and _agrees(date, *own):
            add(mention, "patient", *own)
        elif date.year is not None:
            person = "patient" if _is_own(mention) else mention.span.role
            add(mention, person, day, date.precision)
    for (mention, age, _, _), opens in _ranges(ages):
        reference = against[mention.document].day
        row = _on_row(record, written, mention)
        fitting = (named[m] for m, day in row if m in named and age.fits(day, reference))
        if (birth := next(fitting, None)) is not None:
            named[mention] = birth
            continue
        words = text_before(record.documents, mention, _SENTENCE)
        own = patient if _is_own(mention) and not _is_of_kin(words) else None
        if own is not None and age.fits(own[0], reference):
            add(mention, "patient", *own)
            continue
        beside = [*_near(record, reads, mention, _ITEM, _ITEM)]
        lived_by = mention == today or opens or not _SOMEBODY.search(words)
        if own is not None and lived_by and age.reached(own[0]) <= reference:
            add(mention, "patient", *own)
            lived(mention, age, own[0], beside)
            continue
        kin = [(named[m], day) for m, _, day in written if m in named]
        fits = ((n, day) for n, day in kin if any(age.fits(day, r.days[-1]) for r in beside))
        if (told := next(fits, None)) is not None:
            named[mention] = told[0]
            lived(mention, age, told[1], beside)
            continue
        if (born := age.birth(reference)) is not None:
            person = "somebody" if _is_own(mention) else mention.span.role
            add(mention, person, born, Precision.YEAR, age.unit)
    ordered = sorted(points.values(), key=attrgetter("note"))
    years = {mention for mention, age, _, _ in ages if age.unit is AgeUnit.YEARS}
    grown = frozenset(birth for mention, birth in named.items() if mention in years)
    ages_past = tuple(past.values())
    return Births(tuple(ordered), named, ages_past, then, aged, tied, children, grown)


_PAST: Final = re.compile(
    r"(?:l['’]\s?[âa]ge\s+de|\b(?:[àÀ]|dès|depuis|vers|avant|après|jusqu['’]à|à\spartir\sde|entre))\s{1,3}$",
    re.IGNORECASE,
)
"""What stands before an age of the past: "opéré à l'âge de 12 ans"."""
_SOMEBODY: Final = re.compile(r"(?<!âge )(?<!age )\b(?:d['’]|de\s{1,3})$", re.IGNORECASE)
"""What stands before the age of somebody, and no range of a life: "un voisin de 20 ans"."""
_OLDER: Final = "|".join(re.escape(fold(word)) for word, _, years in KIN if years > 0)
_KIN: Final = re.compile(
    rf"\b(?:{_OLDER}|frere|oncle|tante)\b"
    rf"(?!.*(?:\d ?ans|{HIDDEN_AGE})| de (?:[\d{HIDDEN_AGE}]|(?:\w+ )?(?:enfant|fille|garcon|jum)))"
    r"(?:[^,.;:()\n]|(?<=\d)\.(?=\d))*$"
)
"""Whose age of the past it is, where not the patient's: "père décédé le 3.2.2018 à 81 ans"."""
_DELIVERY: Final = re.compile(
    r"(?<!de )(?:naissance|accouchement)\s(?:le|du|ce)\s{1,2}$", re.IGNORECASE
)
"""What stands before the birth of a child, where no age is the child's: "Naissance le 4 mai"."""
_NEWBORN: Final = re.compile(r"\b(?:nouveaux?[- ]n[ée]e?s?|b[ée]b[ée]s?)\b[^.;\n]*$", re.IGNORECASE)
"""The same, whoever's ages the notes tell: "Nouveau-né : Léo, né le 4 mai"."""
_PREGNANCY: Final = re.compile(r"(?i:terme pr[ée]vu|am[ée]norrh|conception)|\b(?:SA|DDR|DPA)\b")
"""What beside a birth tells of the pregnancy, so that dates may lie before it."""
_UNBORN: Final = 300
_SENTENCE: Final = 70
_LOOKED_AT: Final = 20
_AGE_AFTER: Final = re.compile(
    r"[\s,(:–-]{1,3}(?:(?:elle|il)\savait\s|[àÀ]\s(?:l['’]\s?[âa]ge\s+de\s)?)?", re.IGNORECASE
)
_DATE_AFTER: Final = re.compile(r"[\s,(:–-]{1,3}(?:(?:en|le|au)\s)?", re.IGNORECASE)
_ITEM: Final = re.compile(rf"(?:[^.;\n{HIDDEN_AGE}]|\.(?! ?\w)){{0,80}}")
"""What stands between a date and the age next to it in one sentence or line."""
_LONGEST_ROW: Final = 160
"""Characters between a birth date and an age of one row of a list, at most."""
_FURTHEST: Final = 80
"""A date and an age that stand together have no more characters between them."""


def _is_of_kin(before: str) -> bool:
    """Whether the words before an age of the past say that it is a relative's."""
    ago = _PAST.search(before)
    return ago is not None and _KIN.search(fold(before[: ago.start()])) is not None


def _is_aged(day: dt.date, ages: Sequence[ReadAge], against: Sequence[Reference]) -> bool:
    """Whether an age that may be the patient's fits a birth on this day."""
    return any(age.fits(day, against[m.document].day) for m, age, _, _ in ages if _is_own(m))


def _ranges(ages: Sequence[ReadAge]) -> Iterator[tuple[ReadAge, bool]]:
    """The ages, and whether each is the first of a range."""
    return zip(ages, [*(age.ranged for age in ages[1:]), False], strict=False)


def _is_own(mention: Mention) -> bool:
    """Whether a mention may speak of the patient."""
    return mention.span.role not in _OTHERS


def _on_row(
    record: Record, written: Sequence[tuple[Mention, PartialDate, dt.date]], mention: Mention
) -> Iterator[tuple[Mention, dt.date]]:
    """The birth dates on the line of an age, the nearest first: "ROY;07/07/2012;lit 4;11 ans"."""
    near: list[tuple[int, Mention, dt.date]] = []
    for date, _, day in written:
        if date.document != mention.document or _is_own(date) is not _is_own(mention):
            continue
        first, second = (date, mention) if date.span < mention.span else (mention, date)
        between = text_between(record.documents, first, second, _LONGEST_ROW)
        if between is not None and "\n" not in between:
            near.append((len(between), date, day))
    for _, date, day in sorted(near, key=itemgetter(0)):
        yield date, day


def _near(
    record: Record,
    reads: Sequence[Read],
    mention: Mention,
    behind: re.Pattern[str],
    before: re.Pattern[str],
) -> Iterator[Read]:
    """The last date before an age and the next one, by what stands between it and the age behind it
    or before it.
    """
    here = (mention.document, mention.span.start)
    at = bisect_left(reads, here, key=lambda read: (read.mention.document, read.mention.span.start))
    for read in reads[max(at - 1, 0) : at + 1]:
        date = read.mention
        if date.label is not Label.DATE:
            continue
        first, second = (date, mention) if date.span < mention.span else (mention, date)
        between = text_between(record.documents, first, second, _FURTHEST)
        told = behind if first is date else before
        if between is not None and told.fullmatch(between):
            yield read


def _patient(
    record: Record,
    written: Sequence[tuple[Mention, PartialDate, dt.date]],
    against: Sequence[Reference],
) -> _Birth | None:
    """The patient's birth and how exactly it is known, if it is told as a date."""
    for doc, reference in zip(record.documents, against, strict=True):
        for text in doc.known.get(Label.BIRTH_DATE, ()):
            known = parse(text)
            if known is None or isinstance(known, DateRange) or known.year is None:
                continue
            day = complete(known, reference.day, ahead=0)
            if day is not None:
                return day, known.precision
    births = [
        (day, date.precision)
        for mention, date, day in written
        if _is_own(mention) and date.year is not None
    ]
    return next((one for one in births if one[1] is Precision.DAY), next(iter(births), None))


def _imputed(
    record: Record,
    ages: Sequence[ReadAge],
    against: Sequence[Reference],
    reads: Sequence[Read],
) -> tuple[tuple[_Birth, tuple[int, int]] | None, Mention | None]:
    """The patient's birth from an age of today, failing that from one that is told beside a date,
    or from that of the past which makes it earliest; with the first and last day that fit it. Where
    no note has a day, one beside a date comes first, and the age of today is told too.
    """
    undated = all(note.name is None for note in against)
    found: list[tuple[int, int, tuple[_Birth, tuple[int, int]]]] = []
    now: Mention | None = None
    told_before = False
    taken: set[Read] = set()
    for (mention, age, listed, _), opens in _ranges(ages):
        note = against[mention.document]
        beside = _near(record, reads, mention, _AGE_AFTER, _DATE_AFTER)
        own = (read for read in beside if read not in taken and read.names[-1] != note.name)
        told = next(own, None)
        day = note.day if told is None else told.days[-1]
        before = text_before(record.documents, mention, _SENTENCE)
        since = _PAST.search(before) or (opens and _SOMEBODY.search(before))
        told_before = bool(since) or (listed and told_before)
        if told is not None:
            taken.add(told)
            rank = -1 if undated else 1
        else:
            rank = 2 if told_before else 0
        birth = age.birth(day) if _is_own(mention) else None
        if birth is not None and not (rank == 2 and _is_of_kin(before)):
            now = mention if now is None and rank == 0 else now
            order = birth.toordinal() if rank == 2 else len(found)
            found.append((rank, order, ((birth, Precision.YEAR), age.births(day))))
    return min(found)[-1] if found else None, now if undated else None


def _released(before: Past, patient: _Birth | None) -> tuple[Point | None, _Birth | None]:
    """The patient's birth as it was released before, unless what is told now is another one."""
    for point, _ in before.entries:
        if point.kind is Kind.BIRTH and point.name.startswith("patient/"):
            released = dt.date.fromordinal(point.day), Precision(point.name.rpartition("/")[2])
            first, last = point.printed or (1, 0)
            if patient is None:
                return point, released
            if first <= patient[0].toordinal() <= last or (not last and _same(patient, released)):
                return point, patient
    return None, patient


def _same(one: _Birth, other: _Birth) -> bool:
    """Whether every field that both births print is the same."""
    fields = min(_FIELDS.get(precision, 1) for _, precision in (one, other))
    return one[0].timetuple()[:fields] == other[0].timetuple()[:fields]


_FIELDS: Final = {Precision.DAY: 3, Precision.MONTH: 2}


def _is_of_a_child(before: str, *, aged: bool) -> bool:
    """Whether the birth date behind a text, with its year where notes tell ages, is a child's."""
    delivered = aged and _DELIVERY.search(before[-_LOOKED_AT:]) is not None
    return delivered or _NEWBORN.search(before) is not None


def _agrees(date: PartialDate, birth: dt.date, known: Precision) -> bool:
    """Whether every field that both print is the same. What the birth does not print stands in the
    middle of its year: whether a date is that day must not show.
    """
    year = birth.year % 100 if date.short_year else birth.year
    return (
        date.holiday is None
        and date.precision in (Precision.DAY, Precision.MONTH, Precision.YEAR)
        and (date.day in (None, birth.day) or known is not Precision.DAY)
        and (date.month in (None, birth.month) or known not in _WITH_MONTH)
        and date.year in (None, year)
    )


_WITH_MONTH: Final = (Precision.DAY, Precision.MONTH)
