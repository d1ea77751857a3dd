"""Births against ages, history and stated distances."""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Iterator
from typing import Final

from dpdeid.evaluate.coherence.cues import cue
from dpdeid.evaluate.coherence.facts import At, Clash, Day, Event, Kind, Note, Years
from dpdeid.evaluate.coherence.reading.flat import another, clause_before, sentence_before
from dpdeid.labels import Role


def age_on(born: dt.date, day: dt.date) -> int:
    """The age in whole years."""
    return day.year - born.year - ((day.month, day.day) < (born.month, born.day))


_ABOUT: Final = re.compile(rf"\b(?:{cue('about_an_age')})(?: l'age de)? ?$")
OTHERS: Final = re.compile(rf"\b(?:{cue('people_around')})\b")
_OWN: Final = re.compile(rf"(?:{cue('own_age')})$")
_AT_AGE: Final = re.compile(
    r"(?:\ba(?: l'age de)? |\bdes l'age de |\bjusqu'a |\bdepuis l'age de |\bde |\bvers )$"
)


_NOT_AN_AGE: Final = re.compile(
    r"\bdepuis|\bil y a|\ben \d{4}|\bd['e] ?evolution|\ba l'age|opere|\bpour une?\b|, a \d"
)


_BORN: Final = re.compile(r"\bne\b|nee|naiss|ddn|\d[/.-]\d\d?[/.-]\d{4} \($")


def age_birth(note: Note) -> Iterator[Clash]:
    """An age of the patient that the birth date and the day of the note do not give."""
    births = note.births()
    yield from _infants(note)
    for age in note.ages:
        birth = _birth_of(note, age, births)
        if birth is None:
            continue
        days = _days_of_age(note, age)
        if not days:
            continue
        low, high = age_on(birth.last, min(days)), age_on(birth.first, max(days))
        if _rounded(birth, age.years, low, high, days):
            continue
        yield Kind.AGE_BIRTH, birth.at, age.at


_INFANT: Final = re.compile(
    r"\b(?:nourrisson|nrs|bebe|enfant|garcon|fille|fillette|"
    r"(?<!l')agee?)(?: de)? (?P<n>\d{1,2}) (?P<u>mois|semaines)\b"
)


def _infants(note: Note) -> Iterator[Clash]:
    """ "Nourrisson de 9 mois" three months after the birth."""
    birth = note.birth()
    if birth is None or note.today is None or not birth.whole:
        return
    lived = (note.today.last - birth.first).days
    for match in _INFANT.finditer(note.flat):
        size = 30.44 if match["u"] == "mois" else 7
        far = abs(lived / size - int(match["n"])) > max(1.5, lived / size / 6)
        if lived > 0 and far and not another(note.flat, match.start()):
            yield Kind.AGE_BIRTH, birth.at, (match.start("n"), match.end("u"))


def _rounded(birth: Day, years: int, low: int, high: int, days: tuple[dt.date, ...]) -> bool:
    """Whether an age fits, or is told a little early or late, as people do about a birthday, or is
    the difference of the years.
    """
    if low <= years <= high:
        return True
    if years == max(days).year - birth.first.year:
        return True
    soon = age_on(birth.first, max(days) + dt.timedelta(45))
    late = age_on(birth.last, min(days) - dt.timedelta(31))
    return late <= years <= soon


_BRACKET: Final = re.compile(r" ?[(,|;–-]{1,2} ?")
_COLUMN: Final = re.compile(r" *[|;\t] *")
_BIRTHS: Final = re.compile(r"\bddn\b|naissance|\bnee?\b|date nais")
_OF_A_NAME: Final = re.compile(r" ?[(,]? ?(?:agee? de |patiente? de )?")


def _birth_of(note: Note, age: Years, births: tuple[Day, ...]) -> Day | None:
    """The birth that an age goes with: beside it on the line, or the only one of the note."""
    flat = note.flat
    before = note.before(age.at[0], 40)
    if _ABOUT.search(before) or (re.search(r"\d{4} \($", before) and not _BORN.search(before)):
        return None
    own = not _AT_AGE.search(before) or _OWN.search(before)
    for day in births:
        gap = flat[day.at[1] : age.at[0]] if day.at[1] <= age.at[0] else flat[age.at[1] : day.at[0]]
        near = len(gap) <= 45 and gap.count("\n") <= 1
        if near and not OTHERS.search(gap) and not _NOT_AN_AGE.search(gap) and own:
            return day
    plain = [day for day in note.days if day.event in (Event.NONE, Event.BIRTH) and day.year_told]
    for line in plain:  # "17/05/1950 (48 ans)" without a word for the birth
        if line.whole and line.at[1] <= age.at[0]:
            gap = flat[line.at[1] : age.at[0]]
            old = note.today and line.first.year < note.today.first.year - 3
            bracket = _BRACKET.fullmatch(gap) and not re.match(r" d['e]", flat[age.at[1] :])
            column = _COLUMN.fullmatch(gap) and _BIRTHS.search(flat[: line.at[0]])
            if old and (bracket or column):
                return line
    birth = note.birth()
    if birth is None or before.endswith((" a ", "\na ")):
        return None
    sentence = sentence_before(flat, age.at[0])
    sentence = re.sub(r"(?:femme|madame|garcon|fille|enfant) (?:agee? )?de $", "", sentence)
    if _OWN.search(before) and not OTHERS.search(sentence):
        return birth
    patients = [one for one in note.people if one.role is Role.PATIENT and one.at[1] <= age.at[0]]
    named = any(_OF_A_NAME.fullmatch(flat[one.at[1] : age.at[0]]) for one in patients)
    return birth if named and abs(birth.at[0] - age.at[0]) < 300 else None


def _days_of_age(note: Note, age: Years) -> tuple[dt.date, ...]:
    """The days at which an age may be told: that of the note, or all of its dates but births."""
    if note.today is not None:
        return (note.today.first,)
    dated = [
        d for d in note.days if d.event is not Event.BIRTH and d.whole and d.year_told and d.past
    ]
    recent = [d.first for d in dated]
    if not recent:
        return ()
    last = max(recent)
    return tuple(d for d in recent if (last - d).days < 400)


OF_OTHERS: Final = re.compile(rf"\b(?:{cue('not_of_this_life')})\b")


_LONG: Final = re.compile(
    r"\b(?:(?:il y a|depuis|ca fait|cela fait|pendant|durant) (?:plus de |environ |pres de |deja )?"
    rf"(?P<n>\d{{1,2}}) ?ans\b(?! pour)|(?P<m>\d{{1,2}}) ?ans (?:{cue('years_of_life')})\b)"
)


def age_now(note: Note) -> tuple[int, At] | None:
    """The patient's age on the day of the note, with where it is told: the birth, else an age."""
    birth = note.birth()
    if birth is not None and note.today is not None:
        return age_on(birth.first, note.today.last), birth.at
    own = [age for age in note.ages if _OWN.search(note.before(age.at[0], 40))]
    told = [age for age in own if not another(note.flat, age.at[0])]
    return (told[0].years, told[0].at) if len({age.years for age in told}) == 1 else None


def _longer_than_life(note: Note) -> Iterator[Clash]:
    """ "Patient de 38 ans, soudeur depuis 45 ans"."""
    now = age_now(note)
    if now is None:
        return
    for match in _LONG.finditer(note.flat):
        before = clause_before(note.flat, match.start())
        theirs = OF_OTHERS.search(before) or another(note.flat, match.start())
        if int(match["n"] or match["m"]) > now[0] + 1 and not theirs:
            yield Kind.HISTORY_BEFORE_BIRTH, now[1], match.span()


_BEHIND: Final = re.compile(r" ?[(,|–-]{1,2} ?")
_BIRTH: Final = re.compile(r"\bnee?\b|naiss")
_OF_A_LIST: Final = re.compile(r"[^a-z]*(?:[a-z'-]+,? ){1,4}")


def history_before_birth(note: Note) -> Iterator[Clash]:
    """A date of the patient's life before the birth, or a length that is longer than the life."""
    yield from _longer_than_life(note)
    births = {day.first: day for day in note.births()}
    if not births:
        return
    first = min(births.values(), key=lambda day: day.first)
    for day in note.days:
        if day.event in (Event.BIRTH, Event.LETTER, Event.HEAD) or not day.year_told:
            continue
        if day.last >= first.first or first.first.year - day.last.year > 90:
            continue
        flat = note.flat
        bare = day.whole and day.event is Event.NONE
        if bare and not re.search(r"[a-z]|(?:19|20)\d\d", flat[slice(*day.at)]):
            continue  # "7.2.38" may be anything
        if any(_BEHIND.fullmatch(flat[one.at[1] : day.at[0]]) for one in note.people):
            continue  # somebody's birth date without a word for it
        begin = day.at[0] - len(sentence_before(flat, day.at[0])[-70:])
        before = max((d.at[1] for d in note.days if d.at[1] <= day.at[0]), default=0)
        theirs = OF_OTHERS.search(flat[begin : day.at[0]]) or another(flat, day.at[0])
        if theirs or _BIRTH.search(flat[max(begin, day.at[0] - 30, before) : day.at[0]]):
            continue
        line = flat[flat.rfind("\n", 0, day.at[0]) + 1 : day.at[0]]
        if len(births) > 1 and "|" in line:
            continue
        if day.whole and not re.search(r"[a-z]{3}", line):
            continue
        if bare and _OF_A_LIST.fullmatch(line):
            continue  # a row of a list: a name and a birth date
        events = (Event.ENTRY, Event.LEAVE, Event.SEEN, Event.TAKEN, Event.RESULT, Event.DEATH)
        kind = Kind.EVENT_ORDER if day.whole and day.event in events else Kind.HISTORY_BEFORE_BIRTH
        yield kind, first.at, day.at
