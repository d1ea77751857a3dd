"""Steps of one course against their dates."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from itertools import combinations, pairwise
from typing import Final

from dpdeid.evaluate.coherence.cues import cue, table
from dpdeid.evaluate.coherence.facts import Clash, Day, Event, Kind, Note
from dpdeid.evaluate.coherence.reading.flat import another


@dataclass(frozen=True, slots=True)
class _Pair:
    """A step, one that comes later in the course, and whether the later one may be told first."""

    first: re.Pattern[str]
    later: re.Pattern[str]
    both: bool


@cache
def _pairs() -> tuple[_Pair, ...]:
    read: dict[str, list[tuple[str, bool, re.Pattern[str]]]] = defaultdict(list)
    for course, rank, both, words in table("steps"):
        read[course].append((rank, bool(both), re.compile(rf"\b(?:{words})\b")))
    return tuple(
        _Pair(one[2], other[2], one[1] and other[1])
        for ranks in read.values()
        for one, other in combinations(ranks, 2)
    )


_AGAIN: Final = re.compile(rf"\b(?:{cue('once_more')})\b")


def steps(note: Note) -> Iterator[Clash]:
    """Steps of one course: a sonde is placed before it goes, a sample taken before it is read."""
    days = [
        day
        for day in note.days
        if day.event is not Event.BIRTH
        or any(0 < abs((day.first - d.first).days) < 20 for d in note.days)
    ]
    if not re.search(r"\b(?:acct|accouch|naissance)", note.flat):  # where the mother is the patient
        days = [day for day in days if not another(note.flat, day.at[0])]
    told = [_clause(note, day) for day in days]
    for at, one in enumerate(days):
        for far, other in enumerate(days[at + 1 : at + 4], at + 1):
            gap = note.between(one, other)
            apart = abs((one.first - other.first).days)
            if len(gap) > 250 or "\n\n" in gap or apart > 800:
                break
            if not (one.year_told and other.year_told) and apart > 62:
                continue
            if {one.event, other.event} & {Event.LETTER, Event.HEAD} or _AGAIN.search(gap):
                continue
            for pair in _pairs():
                first, later = pair.first, pair.later
                back = pair.both or is_form(note, one, other) or bool(re.match(r" ?\(", gap[-25:]))
                ahead = _follow(first, later, told[at], told[far]) and one.first > other.last
                behind = _follow(later, first, told[at], told[far]) and other.first > one.last
                if ahead or (behind and back):
                    yield Kind.EVENT_ORDER, one.at, other.at
                    break


def _follow(one: re.Pattern[str], other: re.Pattern[str], before: str, behind: str) -> bool:
    """Whether one step is told in the first clause and the other, not it again, in the second."""
    return bool(one.search(before) and other.search(behind) and not one.search(behind))


def is_form(note: Note, one: Day, other: Day) -> bool:
    """Whether two dates are fields of a form, whose order tells nothing."""
    return ":" in note.before(other.at[0], 22)


def _clause(note: Note, day: Day) -> str:
    """The words that tell what happened on a day: those before it, else those behind it."""
    begin = max([d.at[1] for d in note.days if d.at[1] <= day.at[0]], default=0)
    begin = max(begin, day.at[0] - 70, note.flat.rfind("\n", 0, day.at[0]) + 1)
    before = re.sub(r"(?<= le) \| ?$", " ", note.flat[begin : day.at[0]])
    before = re.split(r"[;!?|]|(?<=[a-z\d)]{3})\.\s", before)[-1]
    if not _BARE.fullmatch(before):
        return before
    end = min([d.at[0] for d in note.days if d.at[0] >= day.at[1]], default=len(note.flat))
    return re.split(r"[.;\n|]", note.flat[day.at[1] : min(end, day.at[1] + 60)])[0]


_BARE: Final = re.compile(
    r"[ •*>(–-]*(?:(?:le|ce|puis|et|j ?\+? ?\d+) ?:? ?)?(?:(?:\w+di|dimanche|lun|mar|mer|jeu|ven|"
    r"sam|dim)\.? )?"
    r"(?:le )?(?:matin )?[ :(]*"
)
_AFTER: Final = re.compile(
    r"(?: [a-z'-]+){0,5},? (?:juste |aussitot |immediatement )?"
    r"(?:apres|(?:faisant )?suite a|a la suite de|au decours de|consecutive?(?:ment)? a|"
    r"au lendemain de)"
    r"(?! \d)(?: [a-z'-]+){1,5} (?:du|le|de|d') ?(?:\w+di )?"
)
_AHEAD: Final = re.compile(
    r"(?: [a-z'-]+){0,4} (?:juste |la veille de |peu )?avant(?! \d)(?: [a-z'-]+){1,5} (?:du|le|"
    r"de|d') ?(?:\w+di )?"
)


_SINCE: Final = re.compile(
    r"\b(?P<w>apres|avant) (?:l'|la |le |son |sa )?(?P<n>[a-z]{5,})[^.;\n]{0,12}$"
)


def told_after(note: Note) -> Iterator[Clash]:
    """ "Admission : 12/09 … certificat rédigé après l'admission : 08/09"."""
    days = [day for day in note.days if day.year_told and day.event is not Event.BIRTH]
    for day in days:
        match = _SINCE.search(note.before(day.at[0], 45))
        if match is None:
            continue
        stem = re.compile(rf"\b{match['n'][:6]}[^.;\n\d]{{0,30}}$")
        named = [d for d in days if d is not day and stem.search(note.flat[: d.at[0]][-60:])]
        if len(named) == 1:
            early, late = (named[0], day) if match["w"] == "apres" else (day, named[0])
            if early.first > late.last:
                yield Kind.EVENT_ORDER, named[0].at, day.at


def linked(note: Note) -> Iterator[Clash]:
    """ "revu le 12/03 après l'intervention du 15/03", "sorti le 12/03 avant la pose du 10/03"."""
    for one, other in pairwise(note.days):
        gap = note.between(one, other)
        sure = (one.year_told and other.year_told) or abs((one.first - other.first).days) < 100
        if not sure or other.event is Event.BIRTH or one.event is Event.BIRTH:
            continue
        after = _AFTER.fullmatch(gap) and one.last < other.first
        ahead = _AHEAD.fullmatch(gap) and one.first > other.last
        if after or ahead:
            yield Kind.EVENT_ORDER, one.at, other.at
