"""Which dates of a record kept words tie to others: "il y a 15 ans", "J3 … J5", "DDR … 39+2 SA".

They are read right before and behind a date, up to the next thing that is replaced, since only kept
text is public. What they say is taken for true: no day is compared with it.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Final, NamedTuple

from dpdeid.document import Mention, Record, Span
from dpdeid.french.distances import (
    MARK,
    REACH,
    Distance,
    begins_days,
    is_birth,
    is_event,
    opens_event,
    told_before,
    told_behind,
    weeks_today,
)
from dpdeid.labels import Label
from dpdeid.normalize import fold
from dpdeid.privacy.timeline.modes import Told
from dpdeid.substitute.dates.births import Births
from dpdeid.substitute.dates.forward import Reference
from dpdeid.substitute.dates.reading import Read
from dpdeid.substitute.dates.written.parser import Precision

_LAST: Final = 20
"""The date before, of which "le lendemain" is the next day, stands no more words before: characters
follow from what comes, as in "d'avril" and "de mai"."""


_SPREAD: Final = {
    Precision.PART: 5,
    Precision.WEEK: 3,
    Precision.MONTH: 15,
    Precision.SEASON: 61,
    Precision.PART_OF_YEAR: 61,
    Precision.YEAR: 183,
    Precision.DECADE: 1_826,
}
"""Half of the days that a date in part may mean: by its form, since some years are longer."""


class _Said(NamedTuple):
    """A day and how far it lies from what its distance is counted from; `spread` as `_SPREAD`.

    Args:
        born: whether somebody was born on it.
        corrected: whether its weeks are those of a corrected age.
        alone: whether it is the birth of the one child of these notes.
    """

    name: str
    spread: int
    distance: Distance
    born: bool = False
    corrected: bool = False
    alone: bool = False


_Ties = Iterator[tuple[_Said, Sequence[_Said]]]
"""Days that are told, each with the days that it may be told from, the likeliest first."""


def read_told(
    record: Record,
    reads: Sequence[Read],
    births: Births,
    against: Sequence[Reference],
    replaced: Iterable[Mention],
) -> Mapping[str, tuple[Told, ...]]:
    """By its name, how far a date or birth lies from others, where the words beside it tell.

    Args:
        replaced: every mention whose text is not kept.
    """
    hidden: dict[int, set[Span]] = defaultdict(set)
    for mention in replaced:
        if mention.where == "text":
            hidden[mention.document].add(mention.span)
    dates: dict[int, dict[int, _Dated]] = defaultdict(dict)
    young = {
        point.name
        for point in births.points
        if not point.first and point.name.startswith("patient/")
    }
    for read in reads:
        birth = births.named.get(read.mention) if births.is_birth(read) else None
        if read.mention.where == "text" and (birth is not None or not births.is_birth(read)):
            names = read.names if birth is None else (birth,)
            spread = _SPREAD.get(read.written.dates[0].precision, 0)
            born = read.mention.label is Label.BIRTH_DATE
            newborn = (
                born
                and birth not in births.grown
                and (birth is None or birth in young or _is_of_first_days(record, read.mention))
            )
            dated = _Dated(names, spread, birth is not None, newborn)
            dates[read.mention.document][read.mention.span.start] = dated
    told: dict[str, list[Told]] = {}
    for at, here in dates.items():
        text, spans = record.documents[at].text, sorted(hidden[at])
        ends = [0, *(span.end for span in spans)]
        starts = [*(span.start for span in spans), len(text)]
        words = [text[end:start] for end, start in zip(ends, starts, strict=True)]
        read_here = [here.get(span.start) for span in spans]
        for said, bases in _ties(words, read_here, against[at].name):
            for base in bases:
                if said.name != base.name:
                    told.setdefault(said.name, []).append(_between(said, base))
    return {name: tuple(ties) for name, ties in told.items()}


class _Dated(NamedTuple):
    """A date of a note: its names, its spread, whether it is a birth, and that of a child of whose
    first days these notes are.
    """

    names: Sequence[str]
    spread: int
    born: bool
    newborn: bool


def _ties(words: Sequence[str], dates: Sequence[_Dated | None], note: str | None) -> _Ties:
    """The dates of a note that are told, each with what it may be told from.

    Args:
        words: what stands around the dates and all else that is replaced.
        dates: one for each gap between words, None for what is no date.
        note: the name of its own date.
    """
    last: dict[str, _Said] = {}
    pregnancy: list[_Said] = []
    courses = _Courses()
    newborns = {
        at: read.names[0]
        for at, read in enumerate(dates)
        if read is not None and (read.newborn or _is_of_birth(words[at], words[at + 1], read))
    }
    skip, away, until = 0, 0, 0
    if note is not None:
        last["note"] = _Said(note, 0, Distance("note", 0, 0))
    for at, read in enumerate(dates):
        gap, start, skip = words[at], skip, 0
        away += len(gap.split())
        if read is None:
            continue
        before = fold(gap)[start:] if len(gap) <= REACH else fold(gap[-REACH:])
        if (distance := told_before(before)) is None:
            distance, skip = told_behind(fold(words[at + 1][:REACH]))
        if away > _LAST:
            last.pop("date", None)
        ends = (read.names[0], last["date"].name if "date" in last else "", gap, words[at - 1])
        if len(read.names) > 1:
            ends = (read.names[-1], read.names[0], " au ", gap)
        if ends[1] and ends[2].strip() == "au" and _NIGHT.search(ends[3]):
            base, night = (Distance("date", days, days) for days in (0, 1))
            yield _Said(ends[0], 0, night), [_Said(ends[1], 0, base)]
        name, spread = read.names[0], read.spread
        if len(read.names) == 1 and (course := courses.of(gap, words[at + 1])) is not None:
            yield from courses.ties(name, spread, *course)
            distance = None
        if distance is not None and len(read.names) == 1:
            corrected = _CORRECTED.match(fold(words[at + 1][:REACH])) is not None
            birth = (read.born or is_birth(before)) and not corrected
            said = _Said(name, spread, distance, birth, corrected, alone=read.born)
            if distance.since == "pregnancy":
                if not _OF_ANOTHER.search(fold(words[at - 1 if at else 0] + MARK + gap)):
                    pregnancy.append(said)
            else:
                yield said, _bases(said, last)
            if distance.since == "j":
                last["j"] = said
        newborn = at in newborns
        listed = not read.born and opens_event(fold(words[at + 1][:REACH]))
        event = newborn or listed or (is_event(before) and not read.born)
        if event and (distance is None or distance.since in _APART):
            if newborn or listed or begins_days(before):
                last.pop("j", None)
            born = newborn and len({*newborns.values()}) == 1
            until = len(dates) if read.newborn else at + _SOON  # in notes of the child to the end
            last["event"] = _Said(name, spread, Distance("event", 0, 0), born=born)
        elif at > until and "event" in last:
            last["event"] = last["event"]._replace(born=False)
        if not read.born or read.newborn:
            last["date"] = _Said(read.names[-1], spread, Distance("date", 0, 0))
        away = 0
    yield from _of_pregnancy(pregnancy, words, note)


def _is_of_birth(before: str, behind: str, read: _Dated) -> bool:
    """Whether the words right before a date, or behind it, say that somebody was born on it."""
    said = _BORN.search(fold(before[-REACH:])) or _GIVES_BIRTH.match(fold(behind[:REACH]))
    return said is not None and not read.born


class _Courses:
    """The courses of a treatment, "C2", each with its days: "C2 J8". Not frozen: it reads on.

    A day of a course lies behind its first day, J1; a course lies behind the last one by what words
    beside the two say, "toutes les 3 semaines".
    """

    def __init__(self) -> None:
        self.begun: dict[int, _Said] = {}
        self.every: int | None = None

    def of(self, gap: str, behind: str) -> tuple[int, int, bool] | None:
        """The number of the course of a date, the days of it before the date, and whether it came
        when it should, by the words before the date and behind it; None if they name no course.
        """
        before = fold(gap[-REACH:])
        found = _COURSE_BEFORE.search(before) or _COURSE_BEHIND.match(fold(behind[:REACH]))
        if found is None:
            return None
        every = _EVERY.search(fold(gap)) or _EVERY.search(fold(behind))
        if every is not None:
            weeks, days, of, following = (int(one or 0) for one in every.groups())
            self.every = 7 * weeks or days or of or following - 1
        return int(found[1]), int(found[2] or 1) - 1, _LATE.search(before) is None

    def ties(self, name: str, spread: int, number: int, days: int, timely: bool) -> _Ties:
        """What a date of a course is tied to."""
        first = self.begun.get(number)
        if first is not None and not days and first.name != name:
            self.begun.clear()  # another treatment begins
            first = None
        earlier = [other for other in self.begun if other < number]
        if first is not None and first.name != name:
            yield _Said(name, spread, Distance(_COURSE, days, days)), [first]
        elif first is None and earlier and self.every and timely:
            away = (number - max(earlier)) * self.every
            most = days + away + min(away // 10, 3)
            yield (
                _Said(name, spread, Distance(_COURSE, days + away - 1, most)),
                [self.begun[max(earlier)]],
            )
        if first is None and not days:
            self.begun[number] = _Said(name, spread, Distance(_COURSE, 0, 0))


_COURSE: Final = "course"
_COURSE_OF: Final = r"c ?(\d{1,2})(?: ?[,(]?j ?(\d{1,2}))?"
_COURSE_BEFORE: Final = re.compile(
    rf"(?<![\w-]){_COURSE_OF}(?: (?!a |et )[^\W\d_]{{3,20}}(?:-[^\W\d_]+){{0,3}})?"
    r"[ :,=(–-]{0,4}(?:(?:le|du|au) )?[ :=(]{0,3}\Z"
)
_COURSE_BEHIND: Final = re.compile(rf"[ :,(–-]{{1,5}}{_COURSE_OF}(?![\w-])")
"""The course of the date behind it, or before it."""
_EVERY: Final = re.compile(
    r"(?:tou(?:te)?s les |/ ?|q)"
    r"(?:(?P<weeks>\d{1,2}) ?sem(?:aines?)?\b|(?P<days>\d{1,2}) ?j(?:ours?)?\b)"
    r"|jours? sur (?P<of>\d\d)\b|\bj ?1 ?= ?j ?(?P<next>\d\d)\b"
)
"""How often a course comes: "toutes les 3 semaines", "5 jours sur 28", "J1 = J22"."""
_LATE: Final = re.compile(r"report|decal|retard|differ|suspen|annul|reprise")
"""What is said of a course that does not follow the last one as it should."""


def _is_of_first_days(record: Record, birth: Mention) -> bool:
    """Whether the words around a birth are of a child's first days."""
    text, span = record.documents[birth.document].text, birth.span
    around = text[max(span.start - _AROUND, 0) : span.end + _AROUND]
    return _FIRST_DAYS.search(around) is not None


_AROUND: Final = 80
_FIRST_DAYS: Final = re.compile(
    r"(?i)\bde vie\b|guthrie|nouveaux?[- ]n[ée]|apgar|poids de naissance|pr[ée]matur|nourrisson"
    r"|b[ée]b[ée]\b"
)
"""What notes of a child's first days say, so that days are counted from the birth."""
_SOON: Final = 12
"""Of so many replaced values behind a birth the days told are those of the child."""
_BORN: Final = re.compile(r"\b(?:naissance|accouchement|cesarienne|nee?s?) ?(?:le |du |: ?)?\Z")
_GIVES_BIRTH: Final = re.compile(
    r"(?:[^.;\n\d]|\d(?! ?sa\b)){0,50}"
    r"\b(?:naissance (?:de|d'|a|par|le|voie)|accouche|(?:est|sont) nee?s?\b)"
)
"""What stands behind the day of a birth: "le 3 mars, naissance par voie basse d'une fille"."""
_CORRECTED: Final = re.compile(r"[^.;\n]{0,30}age corrige")
_OF_ANOTHER: Final = re.compile(r"\b(?:freres?|soeurs?|aines?|ainees?)\b[^.;\n]{0,40}\Z")
"""Whose weeks these are, if not those of the pregnancy that is told of."""
_NIGHT: Final = re.compile(r"(?i)\bnuit (?:du |de )?(?:\w+ )?$")
"""What stands before the evening of a night: "la nuit du 3 au 4 mai"."""
_APART: Final = ("note", "pregnancy")
"""What an event may be counted from, so that others are counted from it."""
_COUNTED: Final = {
    "note": ("note",),
    "date": ("date", "note"),
    "event": ("event", "date"),
    "j": ("j", "event"),
    "back": ("date",),
}


def _bases(said: _Said, last: Mapping[str, _Said]) -> list[_Said]:
    """What a day may be told from, the likeliest first."""
    found = [last[since] for since in _COUNTED[said.distance.since] if since in last]
    event = last.get("event", last.get("j"))
    if said.distance.since == "back" and event is not None:
        # "à 6 semaines de l'intervention, le 18/10" lies as far behind it as the date of "à 6
        # semaines de la pose (19/10)" lies before the last one
        turned = said.distance.least + said.distance.most
        turned += event.distance.least
        found.append(event._replace(distance=Distance("event", turned, turned)))
    return found


def _of_pregnancy(dates: Sequence[_Said], words: Sequence[str], note: str | None) -> _Ties:
    """Dates of a pregnancy, told from the note, else from the last period or the term, else from
    one another: weeks beside the births of two children are those of two pregnancies.
    """
    several = len({said.name for said in dates if said.born}) > 1
    today = weeks_today(fold(MARK.join(words))) if dates and note is not None else None
    base = None if today is None else _Said(note or "", 0, today)
    for one, said in enumerate(dates):
        if base is not None:
            yield said, [base]
            continue
        before = [other for other in dates[:one] if not (other.born and other.spread)]
        named = [other for other in before if other.distance.named or said.distance.named]
        told = dates[:one] if not said.spread else []
        alone = not several and not said.born
        alike = [o for o in told if said.corrected or not o.born or (alone and o.alone)]
        if found := named or [other for other in alike if not other.spread]:
            yield said, [found[-1]]


def _between(said: _Said, base: _Said) -> Told:
    """The distance of two days. Of one that is printed in part no more is asked than that it be the
    nearest: "il y a 15 ans (2008)".
    """
    ends = said.distance.least - base.distance.most, said.distance.most - base.distance.least
    near, far = sorted(ends, key=abs)
    around = near - said.spread - base.spread, near + said.spread + base.spread, far
    least, most = min(around), max(around)
    days = max(abs(least), abs(most))
    between = {"pregnancy": days // 3, "j": days * base.born, _COURSE: 1 + days // 10}
    return Told(base.name, least, most, between.get(said.distance.since, 0))
