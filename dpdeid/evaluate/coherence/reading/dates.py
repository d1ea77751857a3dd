"""Dates, ages and times of day of a note.

Of a date without its year the year is taken that brings it nearest to the day of the note.
"""

from __future__ import annotations

import calendar
import datetime as dt
import re
from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import Final

from dpdeid.evaluate.coherence.cues import any_of, cue, table
from dpdeid.evaluate.coherence.facts import Clock, Day, Event, Years
from dpdeid.evaluate.coherence.reading.flat import line_of
from dpdeid.evaluate.coherence.reading.headings import heads, is_letter
from dpdeid.french import numerals
from dpdeid.french.calendar import LATIN_OF, MONTH_OF, WEEKDAYS

_DAY_WORDS: Final = {numerals.spell(n): n for n in range(2, 32)} | {"premier": 1}
_SPELT: Final = {w.replace("é", "e"): n for w, n in _DAY_WORDS.items()}
_PARTS: Final = {
    "months": any_of(m for m in MONTH_OF if len(m) > 2),
    "latin": any_of(LATIN_OF).lower(),
    "numbers": any_of(_SPELT),
    "years": cue("years_in_words"),
    "weekdays": "|".join(WEEKDAYS),
}
_FORMS: Final = tuple(
    re.compile(re.sub(r"\{([a-z]+)\}", lambda part: _PARTS[part[1]], form))
    for (form,) in table("dates")
)
"""Expressions over flat text; an earlier one takes its stretch."""
_CUE: Final = re.compile("|".join(f"(?P<{name}>{words})" for name, words in table("events")))
_NOT_YET: Final = re.compile(cue("not_yet"))
_NUMBERED: Final = re.compile(rf"\b(?:{cue('numbered')})\.? ?$")
"""Words before four digits that are no year."""


def days(flat: str, given: dt.date | None) -> tuple[Day, ...]:
    """The dates of a flat text, in its order.

    Args:
        given: the day of the note, where the row says it.
    """
    found: list[tuple[re.Match[str], tuple[int, int]]] = []
    taken = bytearray(len(flat))
    for form in _FORMS:
        for match in form.finditer(flat):
            start, end = match.span("b") if "b" in form.groupindex else match.span()
            while flat[end - 1] in " .,-":
                end -= 1
            if "prose" in form.groupindex and _NUMBERED.search(flat[max(0, start - 14) : start]):
                continue
            if not any(taken[start:end]):
                taken[start:end] = b"\1" * (end - start)
                found.append((match, (start, end)))
    found.sort(key=lambda one: one[1])
    told = [day for match, at in found if (day := _told(match, at, given))]
    letter = next(
        (day for day in told if day.whole and day.first.year > 1995 and is_letter(flat, day)), None
    )
    head = letter or next(
        (day for day in told if heads(flat, day, _event(flat, day.at[0], day)[0])), None
    )
    base = head.first if head else given or _middle(told)
    near = base or dt.date(2024, 6, 30)
    out = []
    for match, at in found:
        day = _told(match, at, base)
        if day is None and match.groupdict().get("y") is None:
            day = _nearest(match, at, near)
        if day is not None:
            event, past = _event(flat, day.at[0], day)
            since = _SINCE_DAY.search(flat[max(0, day.at[0] - 20) : day.at[0]])
            if since and day.whole and 0 < int(since[1]) < day.first.day:
                day = replace(day, first=day.first.replace(day=int(since[1])))
            if head and day.at == head.at:
                start, _ = line_of(flat, day.at[0])
                written = re.match(
                    r"[^\d\n]*\b(?:courrier|lettre|dicte|redige)", flat[start : day.at[0]]
                )
                event = Event.LETTER if letter or written else Event.HEAD
            out.append(replace(day, event=event, past=past))
    return tuple(out)


_SINCE_DAY: Final = re.compile(r"\bdu (\d{1,2})(?:er)? au $")


def _middle(told: Iterable[Day]) -> dt.date | None:
    """The last whole date of a note without a letter's date, if all lie within a year."""
    last = sorted(day.first for day in told if day.whole and day.first.year > 1990)
    return last[-1] if last and (last[-1] - last[0]).days < 366 else None


def _month(match: re.Match[str]) -> int:
    told = match.groupdict()
    if told.get("n"):
        return MONTH_OF[told["n"]]
    if told.get("l"):
        return LATIN_OF[told["l"].upper()]
    return int(told["m"] or 0) if "m" in told else 0


def _dom(match: re.Match[str]) -> int:
    told = match.groupdict()
    if told.get("w"):
        return _SPELT[told["w"]]
    return int(told["d"]) if told.get("d") else 0


def _told(match: re.Match[str], at: tuple[int, int], base: dt.date | None) -> Day | None:
    """A date with its year; None if it has none, or is no date."""
    if decade := match.groupdict().get("dec"):
        century = match["b"][:2] if len(match["b"]) == 4 else "20" if decade < "20" else "19"
        first = int(century + decade)
        return Day(at, dt.date(first, 1, 1), dt.date(first + 9, 12, 31))
    written = match.groupdict().get("y")
    if not written:
        return None
    year = _year(written, base)
    month, dom = _month(match), _dom(match)
    try:
        if not month:
            return Day(at, dt.date(year, 1, 1), dt.date(year, 12, 31))
        if not dom:
            last = calendar.monthrange(year, month)[1]
            return Day(at, dt.date(year, month, 1), dt.date(year, month, last))
        return Day(at, dt.date(year, month, dom), dt.date(year, month, dom))
    except ValueError:
        return None


def _year(written: str, base: dt.date | None) -> int:
    if written[0].isalpha():
        words = re.split("[ -]", written)
        while words and numerals.read(words) is None:
            words.pop()
        return numerals.read(words) or 1
    year = int(written.strip("'"))
    if year > 99:
        return year
    now = (base or dt.date(2026, 1, 1)).year
    return next(y for y in range(now + 2, now - 99, -1) if y % 100 == year)


def _nearest(match: re.Match[str], at: tuple[int, int], base: dt.date) -> Day | None:
    month, dom = _month(match), _dom(match)
    near = []
    for year in (base.year - 1, base.year, base.year + 1):
        try:
            near.append(dt.date(year, month, dom))
        except ValueError:
            continue
    if not near or not month or not dom:
        return None
    day = min(near, key=lambda one: abs((one - base).days))
    return Day(at, day, day, year_told=False)


def _event(flat: str, start: int, day: Day) -> tuple[Event, bool]:
    """What the words before a date say happened then, and whether it is over."""
    begin = max(flat.rfind("\n\n", 0, start) + 1, start - 60, 0)
    before = flat[begin:start]
    before = re.split(r"[;!?\n]|(?<=[a-z\d)]{3})(?<!mme)\.\s", before)[-1]
    before = re.split(r"\d[/.]\d\d?[/.]\d\d+|\b(?:19|20)\d\d\b", before)[-1]
    cues = list(_CUE.finditer(before))
    if not cues:
        return Event.NONE, True
    cue = cues[-1]
    event = Event[str(cue.lastgroup)]
    between = before[cue.end() :]
    birth = next((c for c in cues if c.lastgroup == "BIRTH"), None)
    if birth and re.fullmatch(
        r"[ :.|,]*(?:le |en |a [a-z' -]{2,30}(?:\([\w' -]+\))?,? ?(?:le|en)?)?[ :.|]*",
        before[birth.end() :],
    ):
        return Event.BIRTH, True
    if event is Event.BIRTH and (len(between) > 12 or re.search(r"\bavant|\bapres", between)):
        return Event.NONE, True
    if len(between) > 35:
        return Event.NONE, True
    return event, not _NOT_YET.search(before)


_UNIT: Final = r"(?:ans?|annees|a(?=[ ),;.]|$)|mois|semaines|jours)"
_AGE: Final = re.compile(
    rf"(?:\bage[e]?s? (?:de )?|\bage ?[:|=] ?|\bde |\(|, ?|[|;\t] ?|(?<=[\d)]) [–-] |"
    rf"\b(?:patiente?|"
    rf"homme|femme|garcon|fille|dame|monsieur|"
    rf"enfant)s? de )(?P<b>(?P<n>\d{{1,3}}) ?(?P<u>{_UNIT}))\b"
    rf"|^(?P<n2>\d{{1,3}}) ?ans\b|(?<=[a-z\d]  )(?P<n3>\d{{1,3}}) ?(?:ans|a)\b|"
    rf"(?<=[a-z\d] )(?P<n4>\d{{1,3}}) ?ans\b",
    re.MULTILINE,
)


def ages(flat: str) -> tuple[Years, ...]:
    """The ages that a flat text states, and other numbers of years."""
    return tuple(_ages(flat))


def _ages(flat: str) -> Iterator[Years]:
    for match in _AGE.finditer(flat):
        group = next(g for g in ("n", "n2", "n3", "n4") if match[g])
        if re.match(r"\(\d[ab]\)|\(\d{1,2}[ab]\)", flat[match.start() :]):
            continue  # a department: "(2A)"
        small = match["u"] in ("mois", "semaines", "jours")
        at = match.span("b") if match["b"] else match.span()
        number = int(match[group])
        if number <= 120:
            yield Years(
                at, number // 12 if small and match["u"] == "mois" else 0 if small else number
            )


_CLOCK: Final = re.compile(
    r"(?<![\d/.,:-])(?P<h>[01]?\d|2[0-4]) ?(?:h|heures?|:)(?: ?(?P<m>[0-5]\d))?(?: ?"
    r"(?:min|mn))?(?![\d:/]|[a-z])"
)
_MORE: Final = re.compile(
    r" ?(?:\d{0,2} ?(?:min|mn)? ?)(?:plus tard|apres|avant|de |par (?:jour|h|min|sem|24)|/ ?h)"
)


_LASTING: Final = re.compile(
    r"\b(?:duree|pendant|durant|soit|au bout de|il y a|toutes les|en)(?: [a-z']+){0,3} ?:? ?$"
)


def clocks(flat: str) -> tuple[Clock, ...]:
    """The times of day of a flat text; amounts of hours are none."""
    out = []
    for match in _CLOCK.finditer(flat):
        word = flat[match.start("h") + len(match["h"]) : match.end()].strip()
        before = flat[max(0, match.start() - 30) : match.start()]
        bare = match["m"] is None
        if (bare and word == ":") or _LASTING.search(before):
            continue
        if _MORE.match(flat, match.end()) and not re.search(r"\b(?:a|vers|de|des) ?$", before):
            continue
        told = re.search(r"\b(?:a|vers|de|des|jusqu'a) ?$", before)
        if told or not (bare and word.startswith("heure")):
            out.append(Clock(match.span(), 60 * int(match["h"]) + int(match["m"] or 0)))
    return tuple(out)
