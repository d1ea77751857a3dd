"""Clock times: read into minutes, drawn by `dpdeid.privacy.timeline.clock`, written in their form.

A time belongs to the day that is printed beside it; further times of the
note go on from it, and those before any belong to the note's own day. What falls back by more than
half a day lies behind midnight; where the next date is then the day after, that is public.
Seconds are redrawn. A time that cannot be read is redacted.
"""

from __future__ import annotations

import datetime as dt
import re
from bisect import bisect_left
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from typing import ClassVar, Final, NamedTuple

from dpdeid.document import Document, Mention, Record, Surrogate
from dpdeid.french import numerals
from dpdeid.labels import Label
from dpdeid.normalize import clean, fold
from dpdeid.privacy.leakage import Leakage, of_clock
from dpdeid.privacy.ledger import Wording
from dpdeid.privacy.rng import Streams
from dpdeid.privacy.timeline.clock import DAY, Clock, Moment, Placed, printed
from dpdeid.protocols import HIDDEN, Context, Guarantee
from dpdeid.substitute.dates.written.parser import DateRange, parse

_SPACE: Final = r"(?:\s|&nbsp;|&#160;){0,3}"
_DIGITS: Final = re.compile(
    rf"(?P<hour>\d{{1,2}})(?P<mark>{_SPACE}(?:heures?|hrs?|h|:|\.){_SPACE})"
    rf"(?:(?P<minute>\d{{1,2}})(?:(?P<mark2>{_SPACE}(?::|m(?:in)?|')?{_SPACE})(?P<second>\d\d)"
    rf"(?:[.,]\d{{1,6}})?)?(?P<end>{_SPACE}(?:min|mn|m|s|'|z)?\.?))?",
    re.IGNORECASE,
)
_STAMP: Final = re.compile(
    r"(?P<hour>\d\d)(?P<mark>)(?P<minute>\d\d)(?:(?P<mark2>)(?P<second>\d\d))?(?P<end>[+-]\d{4})?"
)
"""As HL7 writes it behind a day."""
_LETTERS: Final = re.compile(
    r"(?P<hour>midi|minuit|[^\W\d_]{2,9}(?:[ -][^\W\d_]{2,9}){0,3}?(?P<unit>\s+heures?))"
    r"(?:(?P<gap>\s+)(?P<minutes>[^\W\d_]{2,9}(?:[ -][^\W\d_]{2,9}){0,3}))?",
    re.IGNORECASE,
)
_SCANNED: Final = re.compile(r"(?<!\w)(?=[OolI]?\d|\d)[\dOolI]{2}(?!\w)")
"""A number of two digits, in which a scanner may have read letters: "I6:O4"."""
_HOUR: Final = re.compile(r"\d{1,2}")
_LAST_HOUR: Final = 24
_LONGEST: Final = 60
_MARK: Final = 5
_NOON: Final = 12
_FRACTIONS: Final = {"et demie": 30, "et demi": 30, "et quart": 15}
_PARTS: Final = {
    "matin": (0, 719),
    "midi": (660, 839),
    "apres-midi": (720, 1_139),
    "soir": (1_020, 1_439),
}
"""Minutes of the day that a word beside a time leaves."""
_BESIDE: Final = re.compile(
    r"\s{0,2}(?:du |de l['’]|ce |cet |le )?(matin|apr[eè]s-?\s?midi|soir)\b", re.IGNORECASE
)
_LINKS: Final = re.compile(r"[^.!?,;|\n]{0,40}|[ \t|;,]{1,20}")
"""What may stand between a day and a time of it: no end of a sentence, clause or line. Another
value counts as one character, however long it is.
"""
_BEHIND: Final = re.compile(r"\s{0,2}[,(-]?\s{0,2}(?:le |du )?")
"""What stands between a time and the day of it behind: "8h10 le"."""
_FAR: Final = 400
_RUNS: Final = re.compile(rf"([ {HIDDEN}])\1+")


class Written(NamedTuple):
    """A time as it was read: how it is written, and how it is written again.

    Args:
        grid: 60 where no minute is printed, 5 on a clock's marks of five minutes, else 1.
        form: the match, and None of a bare number.
    """

    hour: int
    minute: int
    grid: int
    form: re.Match[str] | None

    def written(self, hour: int, minute: int, second: int) -> str:
        """Another time in this form. Hours have two digits where "h" or a mark is right behind."""
        form = self.form
        if form is None:
            return f"{hour:02d}"
        if form.re is _LETTERS:
            return _in_letters(form, hour, minute)
        mark = form["mark"]
        text = f"{hour}{mark}" if mark != mark.strip() else f"{hour:02d}{mark}"
        if form["minute"] is None:
            return text
        text += f"{minute:02d}"
        if form["second"] is not None:
            text += f"{form['mark2']}{second:02d}"
        return text + (form["end"] or "")


@dataclass(frozen=True, slots=True)
class Times:
    """Surrogates for clock times: their order and about their distances stay, the hour moves.

    Args:
        epsilon_per_hour: of the first time of a day; see `Clock`.
        gap: the noise at a gap, as a share of it, and at least so many minutes.
        cap: at most how many times of a unit are drawn.

    Raises:
        ValueError: another label than TIME is asked for, or an option is out of range.
    """

    name: ClassVar[str] = "times"
    needs: ClassVar[tuple[str, ...]] = ("dates",)

    labels: tuple[Label, ...] = (Label.TIME,)
    epsilon_per_hour: Fraction = Fraction(4, 5)
    gap: tuple[Fraction, Fraction] = (Fraction(1, 4), Fraction(3))
    cap: int = 200
    clock: Clock = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        if self.labels != (Label.TIME,):
            raise ValueError("labels must be TIME alone")
        share, least = self.gap
        clock = Clock(
            epsilon_per_hour=self.epsilon_per_hour, share=share, least=least, cap=self.cap
        )
        object.__setattr__(self, "clock", clock)

    def substitute(
        self, mentions: Sequence[Mention], record: Record, context: Context
    ) -> Iterable[Surrogate]:
        """A surrogate for every time that can be read."""
        reads = [(m, time) for m in mentions if (time := read(m.text)) is not None]
        moments = list(_moments(reads, record, context))
        given = context.memory.given
        past = {
            (name[1], int(name[2])): int(text)
            for name, text in given.items()
            if name[0] == Times.name
        }
        placed = self.clock.release(moments, streams=context.streams, past=past)
        shown = printed(moments, placed)
        for day, minute in placed:
            given[Times.name, day, str(minute)] = str(placed[day, minute].minute)
        for (mention, time), one in zip(reads, moments, strict=True):
            key = one.day, one.minute
            yield _surrogate(mention, time, one, shown[key], placed[key], context.streams)

    def guarantees(self) -> tuple[Guarantee, ...]:
        return tuple(
            Guarantee(self.labels, draw.mechanism, draw.loss, draw.cap, draw.note)
            for draw in self.clock.draws()
        )

    def wording(self) -> Wording:
        """Its part of the statement."""
        return self.clock.wording()

    def leakage(self) -> Leakage:
        """What its draws tell at most, in bits."""
        return of_clock(self.clock)

    def scaled(self, share: Fraction) -> Times:
        """The same with a share of its ε."""
        noise, least = self.gap
        epsilon, gap = self.epsilon_per_hour * share, (noise / share, least / share)
        return replace(self, epsilon_per_hour=epsilon, gap=gap)


def _surrogate(
    mention: Mention, time: Written, one: Moment, shown: int, placed: Placed, streams: Streams
) -> Surrogate:
    hour, minute = divmod(shown % DAY, 60)
    if _is_halved(time, one):
        hour = hour - _NOON if hour > _NOON else hour
    seconds = streams.stream(Times.name, "seconds", one.day, str(one.minute))
    text = time.written(hour, minute, seconds.randbelow(60))
    return Surrogate(mention, text, Times.name, placed.charges)


def _is_halved(time: Written, one: Moment) -> bool:
    """Whether the hours of an afternoon are counted from noon: "8 h du soir", and so of "12 h"."""
    return time.hour <= _NOON <= one.low // 60


def _moments(
    reads: Sequence[tuple[Mention, Written]], record: Record, context: Context
) -> Iterator[Moment]:
    """The moments of times, in their order."""
    own, dates = _days(context)
    words = context.public(record.documents)
    at, day, offset, last = -1, "", 0, 0
    for mention, time in reads:
        doc = words[mention.document]
        if mention.document != at:
            at, offset, last = mention.document, 0, 0
            day = own.get(at, f"note {doc.id}")
        beside = _day_beside(mention, doc, dates.get(at, ()))
        if beside is not None:
            day, offset, last = beside, 0, 0
        low, high = _part_of_day(doc.text, mention.span.end)
        minute = min(time.hour * 60 + time.minute, DAY - 1)
        if low >= _NOON * 60 > minute:
            minute += _NOON * 60
        if last - minute > DAY // 2 and not offset:
            offset = DAY
        last = minute
        yield Moment(day, minute + offset, time.grid, low, high)


_Dates = Sequence[tuple[int, int, str]]
"""Start and end of dates of a note, sorted, and what names their days."""


def nights(
    days: Mapping[Mention, tuple[str, int]], times: Iterable[Mention], record: Record
) -> Iterator[tuple[str, str]]:
    """The two dates of each night, by name, that the times of a note run through: "le 3 à 22h40,
    vue à 0h15, bloc le 4". A time without a date beside it goes on from the last one.

    Args:
        days: of dates that tell a day, its name and ordinal.
        times: of the record, in which nothing is seen of a value.
    """
    number = dict(days.values())
    minutes = {one: time.hour * 60 + time.minute for one in times if (time := _read(one))}
    for at, doc in enumerate(record.documents):
        own = [(one, name) for one, (name, _) in days.items() if one.document == at]
        here = next((name for one, name in own if one.where != "text"), None)
        dates = sorted((m.span.start, m.span.end, name) for m, name in own if m.where == "text")
        starts = {start: name for start, _, name in dates}
        clocks = {one.span.start: one for one in minutes if one.document == at}
        last, over, timed = 0, False, False
        for start in sorted({*clocks, *starts}):
            evening, fell, morning = here, over, starts.get(start)
            if start in clocks:
                morning = _day_beside(clocks[start], doc, dates) or here
                fell = over or last - minutes[clocks[start]] > DAY // 2
                over, timed = fell and morning == here, True
                here, last = morning, minutes[clocks[start]]
            elif not timed:
                here = morning
            if fell and evening and morning and number[morning] - number[evening] == 1:
                yield morning, evening


def _days(context: Context) -> tuple[Mapping[int, str], Mapping[int, _Dates]]:
    """By note: its own day as it was released, and the dates in its text."""
    own: dict[int, str] = {}
    dates: dict[int, list[tuple[int, int, str]]] = {}
    for mention, value in context.values(Label.DATE):
        if not isinstance(value, dt.date):
            continue
        name = f"{value.isoformat()} {_called(mention.text)}"
        if mention.where == "note_date":
            own[mention.document] = name
        else:
            span = mention.span
            dates.setdefault(mention.document, []).append((span.start, span.end, name))
    return own, {at: sorted(found) for at, found in dates.items()}


def _called(text: str) -> str:
    """The month and day that a date prints: two dates may come out as one day and are still two."""
    date = parse(text)
    if date is None or isinstance(date, DateRange):
        return fold(text)
    return f"{date.month}-{date.day}" if date.day else fold(text)


def _day_beside(mention: Mention, doc: Document, dates: _Dates) -> str | None:
    """What names the day of the date right before a time, or right behind it."""
    start, end = mention.span.start, mention.span.end
    at = bisect_left(dates, (start,))
    if at and _is_between(_LINKS, doc.text, dates[at - 1][1], start):
        return dates[at - 1][2]
    if at < len(dates) and _is_between(_BEHIND, doc.text, end, dates[at][0]):
        return dates[at][2]
    return None


def _is_between(form: re.Pattern[str], text: str, start: int, end: int) -> bool:
    """Whether what stands between is of a form; a run of blanks is one."""
    if end - start > _FAR:
        return False
    return form.fullmatch(_RUNS.sub(r"\1", text[start:end].replace("\u00a0", " "))) is not None


def _part_of_day(text: str, end: int) -> tuple[int, int]:
    """The minutes of the day that a word behind a time leaves."""
    word = _BESIDE.match(text, end)
    return _PARTS[re.sub(r"[-\s]+", "-", fold(word[1]))] if word else (0, DAY - 1)


def read(text: str) -> Written | None:
    """A time as it is written; None if `text` is none."""
    if len(text) > _LONGEST:
        return None
    plain = text if text.isascii() else clean(text).text
    plain = _SCANNED.sub(lambda run: numerals.in_digits(run[0]) or run[0], plain)
    if _HOUR.fullmatch(plain):
        return Written(int(plain), 0, 60, None) if int(plain) <= _LAST_HOUR else None
    if match := _DIGITS.fullmatch(plain) or _STAMP.fullmatch(plain):
        return _of_digits(match)
    match = _LETTERS.fullmatch(plain)
    return None if match is None else _of_letters(match)


def _of_digits(match: re.Match[str]) -> Written | None:
    hour, minute = int(match["hour"]), match["minute"]
    if hour > _LAST_HOUR or (minute is not None and int(minute) > 59):
        return None
    if minute is None:
        bare = match["mark"].strip() in (":", ".")
        return None if bare else Written(hour, 0, 60, match)
    return Written(hour, int(minute), 1 if int(minute) % _MARK else _MARK, match)


def _of_letters(match: re.Match[str]) -> Written | None:
    hour = _hour(match)
    if hour is None:
        return None
    if match["minutes"] is None:
        return Written(hour, 0, 60, match)
    words = re.split("[ -]", fold(match["minutes"]))
    minute = _FRACTIONS.get(" ".join(words)) or numerals.read(words)
    if minute is None or minute > 59:
        return None
    return Written(hour, minute, 1 if minute % _MARK else _MARK, match)


def _hour(match: re.Match[str]) -> int | None:
    word = fold(match["hour"])
    if word in ("midi", "minuit"):
        return _NOON if word == "midi" else 0
    words = re.split("[ -]", word[: -len(match["unit"])])
    hour = 1 if words == ["une"] else numerals.read(words)
    return hour if hour is not None and hour <= _LAST_HOUR else None


def _read(mention: Mention) -> Written | None:
    return read(mention.text) if mention.label is Label.TIME else None


def _in_letters(form: re.Match[str], hour: int, minute: int) -> str:
    if hour in (0, _NOON):
        text = "midi" if hour else "minuit"
    else:
        text = "une heure" if hour == 1 else f"{numerals.spell(hour)} heures"
    if form["minutes"] is not None and minute:
        text += f" {numerals.spell(minute)}"
    if form[0].isupper():
        return text.upper()
    return text.capitalize() if form[0][0].isupper() else text
