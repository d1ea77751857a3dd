"""Ages as written, and ages of surrogates: "63 ans", "38A", "18 mois", "2 ans et 3 mois".

An age is never drawn by itself: it is read as a birth, and rendered from the surrogate birth and
the surrogate date of its note, in its own unit. A number that prints no unit takes that of its
list; which is the end of a range follows from the words beside it. Every unit has a public domain,
into which what is rendered is clamped, so that a long-lived surrogate is not 130 years old.
"""

from __future__ import annotations

import datetime as dt
import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum
from functools import lru_cache
from itertools import pairwise
from typing import Final, NamedTuple

from dpdeid.document import Mention, Record, Surrogate, text_before, text_between
from dpdeid.french import numerals
from dpdeid.french.distances import weeks_of
from dpdeid.labels import Label
from dpdeid.normalize import clean, fold
from dpdeid.privacy.timeline.points import LARGEST


class AgeUnit(StrEnum):
    """What an age is counted in."""

    YEARS = "years"
    MONTHS = "months"
    WEEKS = "weeks"
    DAYS = "days"


_READ_UP_TO: Final = {
    AgeUnit.YEARS: 125,
    AgeUnit.MONTHS: 240,
    AgeUnit.WEEKS: 520,
    AgeUnit.DAYS: 999,
}
_DAYS_IN: Final = {
    AgeUnit.YEARS: 365.2425,
    AgeUnit.MONTHS: 30.436875,
    AgeUnit.WEEKS: 7.0,
    AgeUnit.DAYS: 1.0,
}
_UNITS: Final = {"a": AgeUnit.YEARS, "m": AgeUnit.MONTHS, "s": AgeUnit.WEEKS, "j": AgeUnit.DAYS}
_SPACE: Final = r"(?:\s|&nbsp;|&#160;){0,3}"
_AGE: Final = re.compile(
    r"(?P<number>\d{1,3}|[^\W\d_]{2,9}(?:[ -][^\W\d_]{2,9}){0,4}?)"
    rf"(?:(?P<gap>{_SPACE})(?P<unit>ann[ée]es?|ans?|a|mois|m|semaines?|sem|jours?|j)(?P<dot>\.?))?"
    r"(?:(?P<half>\s{1,3}(?:et\s{1,3}demie?|1/2|½))"
    rf"|(?P<joiner>\s{{0,3}}(?:et\s{{1,3}})?)(?P<more>\d{{1,2}})(?P<gap2>{_SPACE})"
    r"(?P<unit2>mois|m|semaines?|sem|jours?|j))?",
    re.IGNORECASE,
)
_ABROAD: Final = re.compile(
    r"(?i)(?:(?P<before>aged? |anni )(?=\d+\Z))?(?P<number>\d{1,3})(?P<after>(?(before)|[ -]?(?:"
    r"(?P<months>monate?n?|maanden|mesi|months?)(?: old)?|jahre?n?|jährige?[rnsm]?|jaar|jarige?"
    r"|anni|y/?o|yrs?(?: old)?|years?(?:[ -]olds?)?|years of age)))"
)
"""An age as German, Dutch, Italian and English write it."""
_EDGES: Final = re.compile(r"([^\w½]*)(.+?)((?<![.\s])\s{0,3}[^\w\s.½][^\w½]*)?", re.DOTALL)
"""Signs before and behind an age: "~79 a", "79 a ♂", and not the point of "79 a."."""
_SCANNED: Final = re.compile(r"\A((?=[OolI]{0,2}\d)[\dOolI]{1,3})(?![\w~])")
"""The number of an age, in which a scanner may have read letters ("5l ans")."""
_LONGEST: Final = 60


@dataclass(frozen=True, slots=True)
class WrittenAge:
    """An age and the form it is written in.

    Args:
        amount: in `unit`, whole.
        more: what comes on top, in `more_unit`.
        half: "et demi" or "1/2" as it is written, or "".
        form: the texts between and around the numbers.
        signs: what stands before and behind, without a letter or digit.
        spelt: whether the number is in letters.
        early: of an age that is corrected, the days before term on which somebody was born.
    """

    unit: AgeUnit
    amount: int = field(repr=False)
    spelt: bool = False
    half: str = ""
    more: int | None = field(default=None, repr=False)
    more_unit: AgeUnit | None = None
    form: tuple[str, ...] = ()
    signs: tuple[str, str] = ("", "")
    early: int = field(default=0, repr=False)

    @property
    def finest(self) -> str:
        """The unit that it is told to, a key of `UNITS`: half a year is told in months too."""
        finest = AgeUnit.MONTHS if self.half else self.more_unit or self.unit
        return "years+months" if finest is not self.unit is AgeUnit.YEARS else finest

    def birth(self, reference: dt.date) -> dt.date | None:
        """The middle of the births that give this age on `reference`."""
        ordinal = reference.toordinal() - self._days() - self.early
        return dt.date.fromordinal(ordinal) if ordinal > 0 else None

    def births(self, reference: dt.date) -> tuple[int, int]:
        """The first and the last day of birth for which this age `fits` on `reference`."""

        def younger(day: int) -> int:
            return -elapsed(dt.date.fromordinal(day), reference, self.unit)

        days = range(1, dt.date.max.toordinal() + 1)
        first = bisect_left(days, -self.amount - 1, key=younger)
        last = days[bisect_right(days, 1 - self.amount, key=younger) - 1]
        return days[first] - self.early, last - self.early

    def reached(self, birth: dt.date) -> dt.date:
        """The middle of the days on which somebody born on `birth` has this age."""
        return birth + dt.timedelta(days=self._days() + self.early)

    def _days(self) -> int:
        """The age in days, in the middle of what its unit leaves open."""
        amount = self.amount + (0.75 if self.half else 0.5)
        days = self.amount if self.unit is AgeUnit.DAYS else amount * _DAYS_IN[self.unit]
        if self.more is not None and self.more_unit is not None:
            days = self.amount * _DAYS_IN[self.unit] + (self.more + 0.5) * _DAYS_IN[self.more_unit]
        return round(days)

    def fits(self, birth: dt.date, reference: dt.date) -> bool:
        """Whether somebody born on `birth` has this age on `reference`, give or take one unit."""
        return abs(elapsed(self.counted(birth), reference, self.unit) - self.amount) <= 1

    def counted(self, birth: dt.date) -> dt.date:
        """The day from which it is counted: that of the birth, or of the term."""
        return birth + dt.timedelta(days=self.early)


@lru_cache(maxsize=1 << 12)
def parse_age(text: str) -> WrittenAge | None:
    """The age that `text` is, as a whole; None if it is none, or no human one.

    A number without a unit counts years.
    """
    if len(text) > _LONGEST:
        return None
    plain = text if text.isascii() else clean(text).text
    edges = _EDGES.fullmatch(plain)
    if edges is None:
        return None
    before, plain, after = edges.groups("")
    if told := _ABROAD.fullmatch(text):
        unit = AgeUnit.MONTHS if told["months"] else AgeUnit.YEARS
        signs = (told["before"] or "", told["after"])
        age = WrittenAge(unit, int(told["number"]), form=("",) * 6, signs=signs)
        return age if age.amount <= _READ_UP_TO[unit] else None
    match = _AGE.fullmatch(_SCANNED.sub(lambda m: numerals.in_digits(m[1]) or m[1], plain, count=1))
    if match is None:
        return None
    number, unit_word = match["number"], match["unit"]
    spelt = not number.isdecimal()
    if spelt and unit_word is None:
        return None
    amount = numerals.read(re.split("[ -]", fold(number))) if spelt else int(number)
    unit = AgeUnit.YEARS if unit_word is None else _UNITS[unit_word[0].lower()]
    if amount is None or amount > _READ_UP_TO[unit]:
        return None
    more = match["more"]
    return WrittenAge(
        unit,
        amount,
        spelt,
        match["half"] or "",
        None if more is None else int(more),
        None if more is None else _UNITS[match["unit2"][0].lower()],
        tuple(match[g] or "" for g in ("gap", "unit", "dot", "joiner", "gap2", "unit2")),
        (before, after),
    )


def elapsed(birth: dt.date, reference: dt.date, unit: AgeUnit) -> int:
    """Completed units of life on `reference`; 0 before birth."""
    days = max(reference.toordinal() - birth.toordinal(), 0)
    if unit is AgeUnit.DAYS:
        return days
    if unit is AgeUnit.WEEKS:
        return days // 7
    months = (reference.year - birth.year) * 12 + reference.month - birth.month
    months = max(months - (reference.day < birth.day), 0)
    return months if unit is AgeUnit.MONTHS else months // 12


def amount_of(birth: dt.date, reference: dt.date, unit: AgeUnit) -> int:
    """What `render_age` writes: completed units of life, at most the largest of the unit."""
    return min(elapsed(birth, reference, unit), LARGEST[unit])


def render_age(
    birth: dt.date,
    reference: dt.date,
    written: WrittenAge,
    *,
    exact: bool = False,
    least: int = 0,
) -> str:
    """The age on `reference` of somebody born on `birth`, in the form and between the signs of
    `written`.

    Args:
        least: the smallest number to write, in the unit of `written`: the second age of a range is
            larger than its first.
        exact: the birth is printed too: what lies beyond the domain of the unit is written in a
            larger one, so that the two agree.
    """
    before, after = written.signs
    birth = written.counted(birth)
    return before + _rendered(birth, reference, written, exact=exact, least=least) + after


def _rendered(
    birth: dt.date, reference: dt.date, written: WrittenAge, *, exact: bool, least: int
) -> str:
    amount = max(elapsed(birth, reference, written.unit), least)
    if exact and amount > LARGEST[written.unit] and written.unit is not AgeUnit.YEARS:
        return _in_larger(birth, reference, written)
    amount = max(min(amount, LARGEST[written.unit]), least)
    gap, unit, dot, joiner, gap2, unit2 = written.form
    number = _number(amount, written)
    text = number + gap + _plural(unit, amount) + dot
    if written.half:
        return text + (written.half if _is_past_half(birth, reference, written.unit) else "")
    if written.more_unit is None:
        return text
    rest = _remainder(birth, reference, written.unit, written.more_unit)
    if rest == 0:
        return text
    more = f"{rest}{gap2}{_plural(unit2, rest)}"
    return f"{text}{joiner}{more}" if amount else more


def _number(amount: int, written: WrittenAge) -> str:
    """A number in digits, or in letters as large as those of the unit: "TROIS ANS"."""
    if not written.spelt:
        return str(amount)
    words = numerals.spell(amount)
    return words.upper() if written.form[1].isupper() and len(written.form[1]) > 1 else words


def _in_larger(birth: dt.date, reference: dt.date, written: WrittenAge) -> str:
    """The age in months, or in years if that is too many of them."""
    months = elapsed(birth, reference, AgeUnit.MONTHS)
    few = months <= LARGEST[AgeUnit.MONTHS] and written.unit is not AgeUnit.MONTHS
    amount = months if few else elapsed(birth, reference, AgeUnit.YEARS)
    gap, unit, *_ = written.form
    word = ("mois" if few else "an" if amount < 2 else "ans") if len(unit) > 1 else "ma"[not few]
    number = _number(amount, written)
    return number + gap + (word.upper() if unit.isupper() else word)


def _is_past_half(birth: dt.date, reference: dt.date, unit: AgeUnit) -> bool:
    """Whether half a `unit` or more has gone by since the last whole one."""
    if unit is AgeUnit.YEARS:
        return elapsed(birth, reference, AgeUnit.MONTHS) % 12 >= 6
    days = _remainder(birth, reference, unit, AgeUnit.DAYS)
    return days >= _DAYS_IN[unit] / 2


def _remainder(birth: dt.date, reference: dt.date, unit: AgeUnit, more: AgeUnit) -> int:
    """What is left beyond the whole `unit`s, in `more`."""
    months = elapsed(birth, reference, AgeUnit.MONTHS)
    if unit is AgeUnit.YEARS and more is AgeUnit.MONTHS:
        return months % 12
    days = max(reference.toordinal() - birth.toordinal(), 0)
    whole = round(elapsed(birth, reference, unit) * _DAYS_IN[unit])
    return max(days - whole, 0) // round(_DAYS_IN[more])


_SINGULAR: Final = frozenset({"an", "annee", "jour", "semaine"})


def _plural(word: str, amount: int) -> str:
    """A unit in the number that `amount` asks for; abbreviations and "mois" as they stand."""
    stem = word[:-1] if word[-1:] in ("s", "S") else word
    if fold(stem) not in _SINGULAR:
        return word
    if amount < 2:
        return stem
    return stem + ("S" if stem.isupper() else "s")


class ReadAge(NamedTuple):
    """One age mention, understood.

    Args:
        listed: whether it stands in a list right behind another age.
        ranged: whether it comes after that one: "16-18 mois", "entre 2 et 3 ans", "à 2, 4 et 11
            mois".
    """

    mention: Mention
    written: WrittenAge
    listed: bool = False
    ranged: bool = False

    def __repr__(self) -> str:
        return f"ReadAge({self.mention!r})"


def parts_of(mention: Mention) -> tuple[Mention, ...]:
    """The two ages of a mention that is a range ("18 à 35 ans"), else the mention."""
    found = _TWO.fullmatch(mention.text) if mention.label is Label.AGE else None
    if found is None or parse_age(mention.text) is not None:
        return (mention,)
    start = mention.span.start
    return tuple(
        mention._replace(
            span=replace(mention.span, start=start + first, end=start + last),
            text=mention.text[first:last],
        )
        for first, last in (found.span(1), found.span(2))
    )


def whole(mention: Mention, parts: Sequence[Surrogate]) -> Surrogate:
    """The surrogate of a mention, of that of it, or of those of the two ages of a range."""
    if len(parts) == 1:
        return parts[0]._replace(mention=mention)
    first, last = parts
    start, ends = mention.span.start, parts_of(mention)
    between = mention.text[ends[0].span.end - start : ends[1].span.start - start]
    charges = (*first.charges, *last.charges)
    return last._replace(mention=mention, text=first.text + between + last.text, charges=charges)


def read_ages(mentions: Sequence[Mention], record: Record) -> tuple[ReadAge, ...]:
    """The readable ages. A number takes the unit of the age that ends its list: "3, 7 et 9 mois".

    Args:
        mentions: AGE mentions, sorted by document and start.
    """
    docs = record.documents
    gaps = ["", *(text_between(docs, *pair, _AROUND) or "" for pair in pairwise(mentions))]
    found: list[ReadAge] = []
    unit: AgeUnit | None = None
    listed = False
    for at in range(len(mentions) - 1, -1, -1):
        mention, goes_on = mentions[at], listed
        listed = _JOINED.fullmatch(gaps[at]) is not None
        if (age := parse_age(mention.text)) is None:
            unit = None
            continue
        if unit is not None and goes_on and mention.text.isdecimal():
            age = replace(age, unit=unit)
        unit, early = age.unit, _early(text_before(docs, mention, _SAID))
        age = replace(age, early=early) if early else age
        ranged = listed and _is_range(gaps[at], text_before(docs, mentions[at - 1], _AROUND))
        found.append(ReadAge(mention, age, listed, ranged))
    return tuple(_counted_up(found[::-1], record))


def _counted_up(ages: Sequence[ReadAge], record: Record) -> Iterator[ReadAge]:
    """The same ages, those of a list of one person's times of life each behind the one before."""
    opened = False
    for age in ages:
        if not age.listed:
            opened = (
                _COUNTING.search(text_before(record.documents, age.mention, _AROUND)) is not None
            )
        yield age._replace(ranged=True) if age.listed and opened else age


def _early(before: str) -> int:
    """The days before term on which somebody was born whose corrected age follows."""
    told = weeks_of(before) if _CORRECTED.search(before) is not None else None
    return max(_TERM - told, 0) if told is not None else 0


_CORRECTED: Final = re.compile(r"[âa]ge\s+corrig[ée]\s*(?:de|:|=)?\s*\Z", re.IGNORECASE)
_SAID: Final = 400
"""Characters before a corrected age in which the weeks of the birth are looked for."""
_TERM: Final = 280
"""Days from the last period to the term from which ages are corrected: 40 weeks."""
_TWO: Final = re.compile(
    r"(\d{1,3})\s?(?:-|–|à|et|ou)\s?(\d{1,3}\s?[^\W\d]{1,8}\.?)", re.IGNORECASE
)
_AROUND: Final = 8
"""Characters before and between ages that are looked at."""
_COUNTING: Final = re.compile(r"(?:\b(?:les|aux)|\bà)\s$", re.IGNORECASE)
"""What stands before times of life, and not before the ages of several people."""
_JOINED: Final = re.compile(r"\s?(?:,|/|[-–—]|\bet\b|\bou\b|\b[àa]\b)\s?", re.IGNORECASE)
_RANGED: Final = re.compile(r"\s?(?:[-–—]|\bou\b|\b[àa]\b)\s?", re.IGNORECASE)
_BETWEEN: Final = re.compile(r"\bentre\s$", re.IGNORECASE)


def _is_range(between: str, before: str) -> bool:
    """Whether two ages of a list are from and to, by what stands between and before them."""
    told = "et" in between.lower() and _BETWEEN.search(before) is not None
    return told or _RANGED.fullmatch(between) is not None
