"""The order of events by their dates."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import pairwise, product
from typing import Final

from dpdeid.evaluate.coherence.cues import any_of, cue
from dpdeid.evaluate.coherence.dated.steps import is_form, linked, steps, told_after
from dpdeid.evaluate.coherence.facts import Clash, Day, Event, Kind, Note
from dpdeid.evaluate.coherence.reading.flat import sentence_before
from dpdeid.french.calendar import MONTH_OF

_RANGE: Final = re.compile(
    r" ?(?:au|jusqu'au|->|→|-|–|a) ?(?:(?:lundi|mardi|mercredi|jeudi|vendredi|samedi|dimanche) )?"
)
_FRESH: Final = re.compile(rf"\b(?:{cue('another_stay')})\b")
_MONTHS: Final = any_of(m for m in MONTH_OF if len(m) > 2)
_ORDER: Final = {
    (Event.ENTRY, Event.LEAVE): True,
    (Event.ACT, Event.LEAVE): True,
    (Event.TAKEN, Event.RESULT): True,
}


def event_order(note: Note) -> Iterator[Clash]:
    """Events that cannot have come in the order of their dates."""
    seen: set[tuple[int, int]] = set()
    for kind, one, other in (
        *_ranges(note),
        *_days(note),
        *_stays(note),
        *_acts(note),
        *_deaths(note),
        *_letters(note),
        *steps(note),
        *linked(note),
        *told_after(note),
    ):
        if (one[0], other[0]) not in seen:
            seen.add((one[0], other[0]))
            yield kind, one, other


def _ranges(note: Note) -> Iterator[Clash]:
    """ "du 15/03 au 12/03"."""
    for one, other in pairwise(note.days):
        gap = note.between(one, other)
        before = note.before(one.at[0], 16)
        if not _RANGE.fullmatch(gap) or not re.search(
            r"\b(?:du|de|depuis le|entre le)(?: \w+di)? $", before
        ):
            continue
        if "au" not in gap and not (one.year_told and other.year_told):
            continue
        if one.event is Event.BIRTH or not _comparable(one, other):
            continue
        if one.first > other.last:
            yield Kind.EVENT_ORDER, one.at, other.at


_DAYS: Final = re.compile(rf"\bdu (\d{{1,2}}) au (\d{{1,2}}) (?:{_MONTHS})\b")


def _days(note: Note) -> Iterator[Clash]:
    """ "du 12 au 9 mars"."""
    for match in _DAYS.finditer(note.flat):
        if int(match[1]) > int(match[2]):
            yield Kind.EVENT_ORDER, match.span(1), match.span(2)


def _comparable(one: Day, other: Day) -> bool:
    """Whether two days can be ordered: both years told, or neither and no turn of the year."""
    if one.year_told and other.year_told:
        return True
    return (
        abs(one.first.month - other.first.month) <= 5 and abs((one.first - other.first).days) < 200
    )


def _stays(note: Note) -> Iterator[Clash]:
    """Entry before leaving, act before leaving, sample before result: each with the next one."""
    days = [day for day in note.days if day.past]
    for at, one in enumerate(days):
        for other in days[at + 1 : at + 4]:
            if other.event is one.event and one.event is not Event.NONE:
                break
            for first, second in ((one, other), (other, one)):
                if (first.event, second.event) not in _ORDER or not (first.whole and second.whole):
                    continue
                if second is one and not is_form(note, one, other):
                    continue
                turned = first.first > second.last and _comparable(first, second)
                if turned and _one_stay(note, one, other):
                    yield Kind.EVENT_ORDER, first.at, second.at


def _one_stay(note: Note, one: Day, other: Day) -> bool:
    gap = note.between(one, other)
    return len(gap) < 250 and not _FRESH.search(gap) and abs((one.first - other.first).days) < 400


_FOR_IT: Final = re.compile(
    r",? pour (?:cette|ladite|ce|son|sa|l') ?(?:interv|oper|chir|gest|proth|act)"
)


def _acts(note: Note) -> Iterator[Clash]:
    """An operation outside the stay that is told beside it."""
    acts = [day for day in note.days if day.event is Event.ACT and day.whole and day.past]
    for act, (entry, leave) in product(acts, pairwise(note.days)):
        if act not in (entry, leave) and _is_stay(note, entry, leave):
            low, high = min(act.at[0], entry.at[0]), max(act.at[1], leave.at[1])
            if high - low > 170 or _FRESH.search(note.flat[max(0, low - 30) : high + 25]):
                continue
            if "\n\n" in note.flat[low:high] or not _comparable(act, entry):
                continue
            if 0 < (entry.first - act.first).days < 60 or 0 < (act.first - leave.first).days < 60:
                yield Kind.EVENT_ORDER, act.at, entry.at if act.first < entry.first else leave.at
    entries = [day for day in note.days if day.event is Event.ENTRY and day.past]
    for act, entry in product(acts, entries):
        if not (0 < (entry.first - act.first).days < 60 and _comparable(entry, act)):
            continue
        if _FOR_IT.match(note.flat, entry.at[1], entry.at[1] + 40):
            yield Kind.EVENT_ORDER, act.at, entry.at
        gap = note.between(entry, act)
        near = entry.whole and 0 < act.at[0] - entry.at[1] < 110 and "\n\n" not in gap
        if near and not _FRESH.search(gap):  # "entrée le 15, opérée le 14"
            yield Kind.EVENT_ORDER, entry.at, act.at


def _is_stay(note: Note, entry: Day, leave: Day) -> bool:
    """Whether two dates that follow each other are the ends of a stay."""
    if entry.event is not Event.ENTRY or not leave.whole or entry.first > leave.first:
        return False
    return leave.event is Event.LEAVE or bool(_RANGE.fullmatch(note.between(entry, leave)))


_OF_OTHERS: Final = re.compile(rf"\b(?:{cue('deaths_of_others')})\b")
_LIVED: Final = (Event.ENTRY, Event.ACT, Event.LEAVE, Event.SEEN, Event.TAKEN)


def _deaths(note: Note) -> Iterator[Clash]:
    """What the patient did after the own death."""
    for death in note.days:
        if death.event is not Event.DEATH or not death.whole or not death.past:
            continue
        if _OF_OTHERS.search(sentence_before(note.flat, death.at[0])):
            continue
        for day in note.days:
            lived = day.event in _LIVED and day.past and day.whole
            if lived and day.first > death.last and _comparable(day, death):
                yield Kind.EVENT_ORDER, death.at, day.at


def _ends_stay(note: Note, day: Day) -> bool:
    """Whether it is the end of a stay that is told as over: "a été hospitalisé du … au …"."""
    for one in note.days:
        entry = one.event is Event.ENTRY and one.past
        if entry and _RANGE.fullmatch(note.between(one, day) or " "):
            over = re.search(r"\b(?:a ete|etait|avait ete|fut)\b", note.before(one.at[0], 70))
            return one.at[1] <= day.at[0] and bool(over)
    return False


_TOLD: Final = re.compile(rf"\b(?:{cue('told_as_done')})\b[^.;]{{0,35}}$")
_SHOWED: Final = re.compile(rf",? (?:{cue('showed')})\b")


def _is_told(note: Note, day: Day) -> bool:
    """Whether a date without an event of its own is told as over: "réalisé le", "du … montrait"."""
    before = re.split(r"[.;\n]", note.before(day.at[0], 60))[-1]
    return bool(_TOLD.search(before) or _SHOWED.match(note.flat, day.at[1]))


_NOT_TOLD: Final = (Event.BIRTH, Event.LETTER, Event.HEAD)
_AHEAD: Final = re.compile(cue("ahead_of_a_letter"))
_AHEAD_BEHIND: Final = re.compile(r"[^.\n]{0,20}(?:prev|program|a venir|a \d)")
_LEFT: Final = re.compile(r"(?:sortie?|\brad|domicile|deces)[a-z' ]{0,20}[ :]{0,3}(?:le )?$")
_PAST: Final = re.compile(rf"\b(?:{cue('past')})\b(?!.*\b(?:a|pour|en vue)\b.{{0,12}}$)")


def _letters(note: Note) -> Iterator[Clash]:
    """What a letter tells as past lies behind its date."""
    letter = note.today
    if letter is None or letter.event is not Event.LETTER:
        return
    for day in note.days:
        if _ends_stay(note, day) and day.first > letter.last and day.year_told:
            yield Kind.EVENT_ORDER, letter.at, day.at
        untold = day.event in (Event.NONE, Event.RESULT) and not _is_told(note, day)
        if untold or day.event in _NOT_TOLD or not day.past or not day.whole:
            continue
        if day.first <= letter.last or (not day.year_told and (day.first - letter.first).days > 60):
            continue
        begin = max(note.flat.rfind("\n", 0, day.at[0]) + 1, day.at[0] - 45)
        before, behind = note.flat[begin : day.at[0]], note.flat[day.at[1] : day.at[1] + 30]
        if _AHEAD.search(before) or _AHEAD_BEHIND.match(behind):
            continue
        if day.event is Event.LEAVE and not _LEFT.search(before):
            continue
        if _PAST.search(before) or _is_told(note, day):
            yield Kind.EVENT_ORDER, letter.at, day.at
