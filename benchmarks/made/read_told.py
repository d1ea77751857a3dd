"""What a reader who knows the template reads in a told history, and what of it cannot be true.

He has no code of the package: the text between the fields stays, so that he finds them by it; a
date without year he reads forward from the date before, as one does.
"""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import combinations, pairwise
from typing import Final

from made.histories import AGES, MONTHS, TELLS, UNITS, WEEKDAYS, WEEKS, Field, History, Template

_KEPT: Final = ("unread", "redacted")
MEASURES: Final = {
    "ages": ("turned", "merged", "above", "off", "clash", *_KEPT),
    "yearless": ("broken", "turned", *_KEPT),
    "pregnancies": ("contradicted", "inexact", *_KEPT),
    "distances": ("contradicted", "inexact", *_KEPT),
    "parts": ("broken", "turned", "merged", "off", *_KEPT),
    "days": ("bare", "weekday", "broken", "turned", "habit", "midnight", "night", *_KEPT),
    "stays": ("nights", "some", "band", "back", *_KEPT),
    "spans": ("taken", "aged", *_KEPT),
}
"""Family → what is looked at."""
MERGED: Final = 3 * UNITS["y"]
OFF: Final = (2 * UNITS["y"], 2 * UNITS["m"])
BROKEN_DAYS, BROKEN_SHARE = 7, 0.6
FAR, HALF = 150, 183
"""Out of order are days of the calendar that are read forward more than half a year, over its end,
where there were at most so many.
"""
HALF_DAY: Final = 720
NEAR: Final = 3.0
BANDS: Final = (1, 3, 4, 5)
MONTH: Final = 30
QUARTER: Final = 0.25
SHARE: Final = 0.15
Fault = tuple[str, bool]
Days = tuple[int, int]
"""The first and last day that a date can mean."""

_W, _M = "|".join(WEEKDAYS), "|".join(MONTHS)
_FORMS: Final = (
    rf"(?:(?P<w>{_W}) )?(?P<d>\d{{1,2}})(?:er)? (?P<m>{_M})(?: (?P<y>\d{{4}}))?",
    rf"(?:(?P<w>{_W}) )?(?P<d>\d{{1,2}})[/.](?P<n>\d{{1,2}})(?:[/.](?P<y>\d{{4}}|\d\d))?",
    rf"(?P<m>{_M})(?: (?P<y>\d{{4}}))?",
    r"(?P<n>\d{1,2})/(?P<y>\d{4})",
    r"(?P<y>\d{4})",
    rf"(?:(?P<w>{_W}) )?(?P<d>\d{{1,2}})(?:er)?",
    rf"(?P<w>{_W})",
)
_DATES: Final = tuple(re.compile(form, re.IGNORECASE) for form in _FORMS)
_REDACTED: Final = r"\[[A-Z_]{2,20}\]"
_AMOUNT: Final = re.compile(r"(\d+) ?(ans?|mois|semaines?|jours?|h)?")
_UNIT: Final = {"a": "y", "m": "m", "s": "w", "j": "d"}
_CLOCK: Final = re.compile(r"(\d{1,2})h(\d\d)?")
_NUMBER: Final = re.compile(r"\d+")


@dataclass(frozen=True, slots=True)
class Date:
    """What a date prints."""

    weekday: int | None
    day: int | None
    month: int | None
    year: int | None


@dataclass(frozen=True, slots=True)
class Reading:
    """The words of each field of a note, and the days of its dates; None where none is told."""

    note: History
    words: tuple[str, ...]
    dates: tuple[Date | None, ...]
    days: tuple[Days | None, ...]

    @property
    def fields(self) -> tuple[Field, ...]:
        return self.note.template.fields

    def of(self, kind: str) -> Iterator[int]:
        return (at for at, field in enumerate(self.fields) if field.kind == kind)

    @property
    def events(self) -> Mapping[str, Days]:
        """Day → what its first date says."""
        found: dict[str, Days] = {}
        for field, day in zip(self.fields, self.days, strict=True):
            if field.kind == "date" and day:
                found.setdefault(field.day, day)
        return found


def faults(note: History, text: str) -> Iterator[Fault]:
    """Each pair or value of a measure of the family, and whether it is wrong in a released text."""
    got = read(note, text)
    yield "unread", got is None
    if got:
        values = [*got.of("date"), *got.of("age")]
        yield from (("redacted", got.words[at].startswith("[")) for at in values)
        yield from _JUDGES[note.template.family](got)


# --- reading --------------------------------------------------------------------------------------


def read(note: History, text: str) -> Reading | None:
    """What the fields say; None if the text between them is another one."""
    if not (found := _pattern(note.template).fullmatch(text)):
        return None
    fields, words = note.template.fields, found.groups()
    dates = tuple(
        date_of(told) if field.kind == "date" else None
        for field, told in zip(fields, words, strict=True)
    )
    return Reading(note, words, dates, resolved(fields, dates))


@cache
def _pattern(template: Template) -> re.Pattern[str]:
    plain = "|".join(re.sub(r"\?P<\w>", "?:", form) for form in _FORMS)
    groups = {
        "date": f"(?i:{plain})",
        "age": r"\d{1,3}(?: (?:ans?|mois|semaines?|jours?))?",
        "clock": _CLOCK.pattern.replace("(", "(?:"),
        "told": r"[^\n().;:]{1,24}?",
        "habit": r"[^\n.]{1,80}",
    }
    parts = (
        f"({groups[part.kind]}|{_REDACTED})" if isinstance(part, Field) else _words(part)
        for part in template.parts
    )
    return re.compile("".join(parts))


def _words(text: str) -> str:
    """An expression for a text between fields; "de" before one may have become "d'"."""
    return re.sub(r"(?<!\w)de\\ \Z", r"(?:de |d')", re.escape(text))


def date_of(text: str) -> Date | None:
    """What a date prints, if it is one."""
    for form in _DATES:
        if found := form.fullmatch(text):
            told = found.groupdict()
            year = int(told["y"]) if told.get("y") else None
            if year is not None and year < 100:
                year += 2000 if year <= 30 else 1900
            month = MONTHS.index(told["m"].lower()) + 1 if told.get("m") else told.get("n")
            weekday = WEEKDAYS.index(told["w"].lower()) if told.get("w") else None
            day = int(told["d"]) if told.get("d") else None
            return Date(weekday, day, int(month) if month else None, year)
    return None


def resolved(fields: Sequence[Field], dates: Sequence[Date | None]) -> tuple[Days | None, ...]:
    """The days of dates, each read from the one before it, or from the one behind it."""
    found: list[Days | None] = []
    cursor: int | None = None
    for field, date in zip(fields, dates, strict=True):
        if date is None or field.read == "<":
            found.append(None)
            continue
        found.append(_days(date, cursor, -1 if field.read else 1))
        if (last := found[-1]) and not field.read:
            cursor = last[0]
    for at, (field, date) in enumerate(zip(fields, dates, strict=True)):
        if field.read == "<" and date:
            behind = next((day for day in found[at + 1 :] if day), None)
            found[at] = _days(date, behind and behind[0], -1)
    return tuple(found)


def _days(date: Date, cursor: int | None, step: int) -> Days | None:
    """The days that a date can mean: what it does not print from the cursor on, or back."""
    year, month, day = date.year, date.month, date.day
    if year is not None:
        try:
            first = dt.date(year, month or 1, day or 1)
        except ValueError:
            return None
        if month is None:
            return first.toordinal(), dt.date(year, 12, 31).toordinal()
        after = dt.date(year + month // 12, month % 12 + 1, 1)
        return first.toordinal(), first.toordinal() if day else after.toordinal() - 1
    if cursor is None:
        return None
    for at in range(cursor, cursor + step * 4 * 366, step):
        one = dt.date.fromordinal(at)
        if day is None and month is None:
            fits = one.weekday() == date.weekday
        else:
            fits = one.day == (day or 1) and month in (None, one.month)
        if fits:
            return at, at if day or month is None else at + 27
    return None


def _age(got: Reading, at: int) -> tuple[float, float] | None:
    """The days that an age told in whole units spans; a bare number has the unit of the next."""
    found = _AMOUNT.fullmatch(got.words[at])
    if not found:
        return None
    if not (unit := found[2]):
        later = (_AMOUNT.fullmatch(got.words[other]) for other in got.of("age") if other > at)
        unit = next((one[2] for one in later if one and one[2]), "ans")
    size = UNITS[_UNIT[unit[0]]]
    return int(found[1]) * size, (int(found[1]) + 1) * size


# --- judging --------------------------------------------------------------------------------------


def _ages(got: Reading) -> Iterator[Fault]:
    note, fields, events = got.note, got.fields, got.events
    told = {at: age for at in got.of("age") if (age := _age(got, at))}
    true = {at: _true_age(note, fields[at]) for at in told}
    for one, other in combinations(told, 2):
        if fields[one].base != fields[other].base or true[one] == true[other]:
            continue
        young, old = sorted((one, other), key=true.__getitem__)
        if not any(_is_present(fields[at]) for at in (young, old)):
            yield "turned", told[young][0] >= told[old][1]
        if true[old] - true[young] >= MERGED:
            yield "merged", told[young] == told[old]
    now = next((at for at in told if _is_present(fields[at])), None)
    present = told[now] if now is not None else _apart(events, "born", "note")
    birth = _birth_year(events, told[now] if now is not None else None)
    for at, age in told.items():
        field, days = fields[at], true[at]
        if at != now:
            least = OFF[AGES[field.form][2] < UNITS["y"]]
            yield "off", abs(age[0] - days) > max(least, days / 4)
            if field.base == "born" and present:
                yield "above", age[0] >= present[1]
        day = events.get(field.day)
        if field.base == "born" and birth is not None and day and (at != now or "born" in events):
            year = dt.date.fromordinal(day[0]).year
            if AGES[field.form][2] >= UNITS["y"]:
                yield "clash", abs(year - int(age[0] / UNITS["y"] + 0.01) - birth) > 1


def _is_present(field: Field) -> bool:
    return (field.day, field.base) == ("note", "born")


def _true_age(note: History, field: Field) -> float:
    place = note.places[note.template.fields.index(field)]
    found = _NUMBER.match(note.text[slice(*place)])
    return int(found[0]) * AGES[field.form][2] if found else 0.0


def _apart(events: Mapping[str, Days], one: str, other: str) -> tuple[float, float] | None:
    if one not in events or other not in events:
        return None
    return events[other][0] - events[one][1], events[other][1] - events[one][0] + 1


def _birth_year(events: Mapping[str, Days], now: tuple[float, float] | None) -> int | None:
    """As a birth date tells it, or the present age and the date of the note."""
    if "born" in events:
        return dt.date.fromordinal(events["born"][0]).year
    if now is None or "note" not in events:
        return None
    return dt.date.fromordinal(events["note"][0]).year - int(now[0] / UNITS["y"] + 0.01)


def _yearless(got: Reading) -> Iterator[Fault]:
    dates = [at for at in got.of("date") if set(got.fields[at].form) & set("djW")]
    for one, other in pairwise(dates):
        first, second = got.days[one], got.days[other]
        of = got.fields[one] if got.fields[one].read else got.fields[other]
        headed = any(got.fields[at].kind == "date" for at in range(one + 1, other))
        if headed or "y" in of.form.lower() or first is None or second is None:
            continue
        true = got.note.days[got.fields[other].day] - got.note.days[got.fields[one].day]
        gap = second[0] - first[0]
        far = abs(gap - true) > max(BROKEN_DAYS, BROKEN_SHARE * abs(true))
        yield "broken", far or (gap > 0) != (true > 0)
        if 0 < true <= FAR:
            yield "turned", gap < 0 or (gap > HALF and not _same_year(first, second))


def _same_year(one: Days, other: Days) -> bool:
    return dt.date.fromordinal(one[0]).year == dt.date.fromordinal(other[0]).year


def _parts(got: Reading) -> Iterator[Fault]:
    """Of dates next to each other in time, one of which is printed in part: the gap from the middle
    of one to that of the other; and ages, of which a note may have no day of its own.
    """
    note, events, true = got.note, got.events, got.note.days
    days = sorted((name for name in events if name != "born"), key=true.__getitem__)
    for one, other in pairwise(days):
        first, second = events[one], events[other]
        whole = [end - start for start, end in (first, second)]
        if not any(whole):
            continue
        gap, was = (sum(second) - sum(first)) / 2, true[other] - true[one]
        yield "broken", abs(gap - was) > max(sum(whole) / 2 + BROKEN_DAYS, BROKEN_SHARE * was)
        yield "turned", second[1] < first[0]
        yield "merged", first == second
    ages = sorted((true[got.fields[at].day], age) for at in got.of("age") if (age := _age(got, at)))
    for (_, young), (_, old) in pairwise(ages):
        yield "turned", young[0] >= old[1]
    for at in got.of("age"):
        if age := _age(got, at):
            lived = _true_age(note, got.fields[at])
            yield "off", abs(age[0] - lived) > max(OFF[0], lived / 4)


@dataclass(frozen=True, slots=True)
class Tie:
    """From a day to another it is so many days, as words tell; allowance and unit in days."""

    base: str
    day: str
    least: float
    most: float
    near: float
    unit: float

    def turned(self) -> Tie:
        return Tie(self.day, self.base, -self.most, -self.least, self.near, self.unit)

    def then(self, other: Tie) -> Tie:
        spans = self.least + other.least, self.most + other.most
        near, unit = max(self.near, other.near), max(self.unit, other.unit)
        return Tie(self.base, other.day, *spans, near, unit)


def _tied(got: Reading) -> Iterator[Fault]:
    ties = [tie for at in got.of("told") if (tie := _tie(got, at))]
    for said in got.note.template.said:
        near = 0.0 if said.exact else NEAR
        ties.append(Tie(said.base, said.day, said.least, said.most, near, 0.0))
    events = got.events
    for hidden in {name for tie in ties for name in (tie.base, tie.day)} - {
        field.day for field in got.fields if field.kind == "date"
    }:
        ends = [tie if tie.day == hidden else tie.turned() for tie in ties if _has(tie, hidden)]
        ties = [tie for tie in ties if not _has(tie, hidden)]
        ties += [one.then(other.turned()) for one, other in combinations(ends, 2)]
    for tie in ties:
        if gap := _apart(events, tie.base, tie.day):
            over = max(tie.least - (gap[1] - 1), gap[0] - tie.most)
            yield "contradicted", over > tie.near
            yield "inexact", over > tie.unit / 2


def _has(tie: Tie, name: str) -> bool:
    return name in (tie.base, tie.day)


def _allowed(days: float) -> float:
    return max(NEAR, SHARE * abs(days))


def _tie(got: Reading, at: int) -> Tie | None:
    field, words = got.fields[at], got.words[at]
    numbers = [int(number) for number in _NUMBER.findall(words)]
    if not numbers:
        return None
    if field.form in WEEKS:
        days = 7 * numbers[0] + (numbers[1] if len(numbers) > 1 else 0)
        most = days + (6 if len(numbers) == 1 else 0)
        return Tie(field.base, field.day, days, most, NEAR, 0.0)
    size = TELLS[field.form][1]
    found = _AMOUNT.fullmatch(words)
    if found and found[2] and found[2] != "h":
        size = UNITS[_UNIT[found[2][0]]]
    days_told = numbers[0] * size
    if field.form == "corr":
        return Tie(field.base, field.day, days_told, days_told + size, NEAR, 0.0)
    near = 0.0 if field.form == "h" else _allowed(days_told)
    if got.note.days[field.day] < got.note.days[field.base]:
        days_told = -days_told
    return Tie(field.base, field.day, days_told, days_told, near, size)


def _bare(got: Reading) -> Iterator[Fault]:
    for at in got.of("date"):
        date, day, form = got.dates[at], got.days[at], got.fields[at].form
        if not set(form) & set("mnMyY"):
            same = date and (date.weekday is None, date.day is None, date.month) == (
                "W" not in form, not set(form) & set("dj"), None,
            )  # fmt: skip
            yield "bare", not same
        if "W" in form and day and date and date.day is not None:
            yield "weekday", dt.date.fromordinal(day[0]).weekday() != date.weekday
    for at in got.of("habit"):
        yield "habit", got.words[at] != got.fields[at].form
    yield from _yearless(got)
    yield from _clocks(got)


def _clocks(got: Reading) -> Iterator[Fault]:
    """Of two times, one behind the other: is it so no longer, or by their dates half a day more?"""
    events, true = got.events, got.note.days
    for one, other in pairwise(got.of("clock")):
        first, second = (got.fields[at] for at in (one, other))
        clocks = [_CLOCK.fullmatch(got.words[at]) for at in (one, other)]
        if not all(clocks):
            continue
        start, end = (60 * int(found[1]) + int(found[2] or 0) for found in clocks if found)
        days = _apart(events, first.base, second.base)
        gap = end - start + 1440 * int(days[0]) if days else (end - start) % 1440
        was = true[second.day] - true[first.day]
        was += 1440 * (true[second.base] - true[first.base])
        late = gap > was + HALF_DAY
        yield "midnight", gap <= 0 or (late and days is None)
        if days:
            yield "night", late


def _lengths(got: Reading) -> Iterator[Fault]:
    """What a clinician asks of two days, beside what the original prints of them."""
    original = read(got.note, got.note.text) or got
    for day, base, what in got.note.template.asked:
        true, gap = (_middle(one.events, base, day) for one in (original, got))
        if true is None or gap is None:
            continue
        off = abs(gap - true)
        if what == "nights":
            yield "nights", off > 0
            if true:
                yield "some", off > 0
            yield "band", gap < 0 or _band(gap) != _band(true)
        else:
            back = (0 <= gap <= MONTH) is not (true <= MONTH)
            yield what, {"back": back, "taken": off > QUARTER * true, "aged": off > OFF[0]}[what]


def _middle(events: Mapping[str, Days], base: str, day: str) -> float | None:
    gap = _apart(events, base, day)
    return gap and (gap[0] + gap[1] - 1) / 2


def _band(nights: float) -> int:
    return sum(nights >= edge for edge in BANDS)


_JUDGES: Final[Mapping[str, Callable[[Reading], Iterator[Fault]]]] = {
    "ages": _ages,
    "yearless": _yearless,
    "parts": _parts,
    "pregnancies": _tied,
    "distances": _tied,
    "days": _bare,
    "stays": _lengths,
    "spans": _lengths,
}
