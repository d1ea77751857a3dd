"""Dates, as far as rows cannot tell them: calendar days, dates without a space before, births.

A birth has no form of its own. What tells it is, in this order: a word before or after it ("né le",
"DDN"), an age beside it that fits the date of the note, a header field around it (sex, IPP, NIR), a
patient's name just before a date that is years old, or the same date said to be a birth elsewhere
in the note. A date next to a caregiver's name or a place of care stays a date. A new written form
is a row of `dates.yaml`.
"""

from __future__ import annotations

import bisect
import re
from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from dpdeid import gazetteers
from dpdeid.detect.rules.context import written_after, written_before
from dpdeid.detect.rules.fragments import pattern
from dpdeid.detect.rules.table import words
from dpdeid.detect.rules.timewords import ANNOUNCED, YEAR
from dpdeid.document import Document, Span
from dpdeid.labels import Label
from dpdeid.lexicon import Memo
from dpdeid.normalize import fold

_LENGTHS: Final = (0, 31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31)


def real_day(day: int, month: int) -> bool:
    """Whether some year has this day."""
    return 1 <= month <= 12 and 1 <= day <= _LENGTHS[month]


def real_date(match: re.Match[str]) -> bool:
    """The calendar has the day: its third and fourth groups are month and day."""
    return real_day(int(match[4]), int(match[3]))


def real_spaced_date(match: re.Match[str]) -> bool:
    """The calendar has the day: its second and third groups are day and month."""
    return real_day(int(match[2]), int(match[3]))


def real_day_and_month(match: re.Match[str]) -> bool:
    """The calendar has the day: its second and fourth groups are day and month."""
    return real_day(int(match[2]), int(match[4]))


def _numbers(match: re.Match[str]) -> list[int]:
    return [int(number) for number in re.findall(r"\d+", match[0])]


def rising_days(match: re.Match[str]) -> bool:
    """The first number is a day before the second: "17-21/08/2015"."""
    first, last, *_ = _numbers(match)
    return 0 < first < last


def real_range(match: re.Match[str]) -> bool:
    """The first number is a day before the second, which the month that follows has."""
    first, last, month = _numbers(match)
    return 0 < first < last and real_day(last, month)


def rising_list(match: re.Match[str]) -> bool:
    """These are days of one month, as far as they tell: "10, 12 et 14"."""
    numbers = _numbers(match)
    return numbers == sorted(set(numbers)) and re.search(r"[,eo]", match[0]) is not None


_DOTTED: Final = re.compile(
    r"(?<![\d.,])(?:0[1-9]|[12]\d|3[01])\.(?:0[1-9]|1[0-2])\.(?:20)?\d\d(?![\d.])"
    r"|\b(?:le|du|au|dès|depuis) (?:0[1-9]|[12]\d|3[01])\.(?:0[1-9]|1[0-2])(?![\d.])"
)
"""A day whose points leave no doubt: with its year, or announced."""


def dotted_note(match: re.Match[str]) -> bool:
    """The note writes its days with a point: "le 14.08", "30.08.2020"."""
    return _DOTTED.search(match.string) is not None


def compact_birth(match: re.Match[str]) -> bool:
    """Six or eight digits begin or end with a day and month."""
    digits = match["BIRTH_DATE"]
    return real_day(int(digits[:2]), int(digits[2:4])) or real_day(
        int(digits[6:8] or 0), int(digits[4:6])
    )


def _glued(match: re.Match[str], separators: str) -> bool:
    """Whether the match goes on from a number to its left, by one of these separators."""
    start = match.start()
    text = match.string
    return start > 1 and text[start - 1] in separators and text[start - 2].isdecimal()


def full_date(match: re.Match[str]) -> bool:
    """A day, month and year; a long year leaves no doubt, so a wrong day or month is covered."""
    day, separator, month, again, year = match.group(2, 3, 4, 5, 6)
    if separator != again or _glued(match, separator + ",."):
        return False
    d, m, y = int(day), int(month), int(year)
    if len(year) == 4:
        return 1850 <= y <= 2100 and (len(match[1]) <= 10 or real_day(d, m))
    before, behind = written_before(match, 24).lower(), written_after(match).lower()
    scored = re.search(r"\b(?:apgar|asa|glasgow|score|cot[ée]s?)\b[^\n\d]{0,12}\Z", before)
    if scored and not ANNOUNCED.search(before):
        return False
    if separator == "/":
        if re.match(r" ?(?:mm|cm|fr|ch|g)\b", behind):
            return False
        return d * m > 0 and ((d <= 31 and m <= 12) or (d <= 12 and m <= 31 and len(year) == 2))
    if not real_day(d, m) or len(year) != 2 or " " in match[1]:
        return False
    heading = separator == "." and len(day) == len(month) == 1 and before[-1:] in ("", "\n")
    return not heading and pattern("/| ?<<MEASURE>>").match(behind) is None


_DATE_END: Final = re.compile(r"/(\d{1,2})/(?:19|20)\d\d(?!\d)")
_DAY_BEFORE: Final = re.compile(r"(?<=[^\W\d_])\d{1,2}\Z")
_PHONE: Final = re.compile(r"0[1-9](?:(?:\d\d){4}|([ .-])\d\d(?:\1\d\d){3})(?![\w/]|[.,-]\d)")
_LETTER: Final = re.compile(r"[a-zà-ÿ]\Z")


def touched_numbers(doc: Document, spans: Sequence[Span]) -> Iterable[Span]:
    """Dates and telephone numbers that a letter touches on the left: "Hospitaliséle12/03/2021".

    Rows that begin with a number are not tried there, because most such numbers belong to a code;
    only forms are taken that no code has. `spans` are not looked at.
    """
    text = doc.text
    for end in _DATE_END.finditer(text):
        day = _DAY_BEFORE.search(text, max(0, end.start() - 3), end.start())
        if day is not None and real_day(int(day[0]), int(end[1])):
            yield Span(day.start(), end.end(), Label.DATE, 0.9, "patterns/date.touched")
    for number in _PHONE.finditer(text):
        if _LETTER.search(text, max(0, number.start() - 1), number.start()):
            yield Span(*number.span(), Label.PHONE, 0.9, "patterns/contact.touched")


_SEP: Final = r"[ \t.:(«,*=|/-]{0,20}\n?[ \t]{0,8}"
_NAME: Final = r"[A-ZÉÈÀÂÎÔÇŁŞ][\w'-]{0,20}|\([^()\n]{0,30}\)"
_SMALL: Final = (
    r"d'|l'|(?:de|du|la|le|les|une?|des|en|vers|à|a|aux?|présumée?|environ|jour|terme|par|voie"
    r"|basse"
    r"|césarienne|prématurée?|domicile|maternité|siège|hier|petite?|fille|garçon|enfant|sexe"
    r"|féminin|masculin|SA|AVB|\d{5}|\d{1,2}(?:e|h\d{0,2}"
    r"|\+\d)?)\b"
)
_BORN: Final = re.compile(
    r"[nNdDgG*°(](?<![\w.@].)(?<=(?=(?:"  # a search skips to its first character, if that is plain
    r"(?i:n(?:é|&eacute;)(?:\(e\)|[·.-]?e)?s?|ne\(e\)|nees?|ddn|d\.(?:d\.)?n\.?|dn|nais(?:sance|s?\.|s)?|geb\.?"
    rf"|geburtsdatum)(?![a-zé]){_SEP}"
    rf"(?:(?:(?:{_NAME}|{_SMALL})[ ,:.«'|-]{{0,20}}){{0,7}}"
    r"|[a-zé-]{2,20} {1,3}(?:[a-zé-]{2,20} )?(?:le )?|[^\n\d:]{0,24}[:|][ \t]{0,8}"
    r"|le[ \t]{0,3}\n[ \t]{0,8})"
    rf"|(?i:ne) (?i:le|en|un|vers|au?|à|aux)\b {{0,3}}(?:(?:{_NAME}|{_SMALL})[ ,:-]{{1,3}}){{0,4}}"
    r"|(?i:ne) {1,2}|(?<=[\w,;] )[*°] ?|\([*°] ?)\Z)[\s\S])"
)
_CHILDREN: Final = re.compile(
    r"\b(?:fils|filles?|enfants?|garçons?|petit-fils|petite-fille|jumeaux|jumelles)\b"
    r"(?![^\n]{0,30}(?:mort|décéd|dcd))[^\n\d.;]{0,30}[(,] ?\Z"
)
_OPENS: Final = ("(", "( ", ",", ", ")
_BORN_AFTER: Final = re.compile(
    r"[ ,/(]{0,4}\bn[ée]e?(?:\(e\))? (?:à|a|au|aux|en)\b", re.IGNORECASE
)
_FULL: Final = re.compile(
    r"\d{1,2}(?:er)?(?:\s{0,2}[./#_ -]\s{0,2}(?:\d{1,2}|[IVX]{1,4})\s{0,2}[./#_ -]\s{0,2}"
    r"|[\s./-]{0,2}[a-zéû]{3,9}[\s./-]{0,3})(?:\d{4}|\d{2})\Z|\d{4}-\d\d-\d\d|(?:19|20)\d{6}",
    re.IGNORECASE,
)
_BETWEEN: Final = re.compile(r"(?:[\s,;:/|()•*–-]|&bull;|&nbsp;|ans?\b){0,14}")
_SEX_BEFORE: Final = re.compile(
    r"[ ,;|•/–(-](?<=[\w')].)[ ,;|•/–(-]{0,3}(?:[FMH]|féminin|masculin|&bull; [FMH])"
    r"(?:[ ,;|•/–(-]|&bull;){1,8}\Z"
)
_FIELD_AFTER: Final = re.compile(
    r"[\s,;|/()•–-]{0,8}(?:IPP|NDA|NIR|INS|NSS|AVS|SS|[Ss]exe|SEXE|N° ?[Ss][ée]cu"
    r"|[FMH](?=[\s,;|)])|ipp|nda|nir)(?![a-z])"
)
_AND: Final = re.compile(
    r"\s?(?:et|,|puis|/|ou|contre)(?: en| le)?\s|\)?,? (?:et )?[A-ZÉ][\w-]{1,15},? [(]?"
)
_SEPARATORS: Final = " \t,;|/(*:–-"
_REMARK: Final = re.compile(r"\([^()\n\d]{0,20}\)\Z")
_LONG_YEAR: Final = re.compile(rf"(?<!\d){YEAR}(?!\d)")
_SHORT_YEAR: Final = re.compile(r"\D(\d\d)\Z")
_NUMBER: Final = re.compile(r"\d+")
_HYPHEN: Final = re.compile(r"['.-]+")
_WORD: Final = re.compile(r"[^\W\d_]+(?:['.-]+[^\W\d_]+)*")
_COMMON: Final = Memo(lambda word: word in gazetteers.words())
_TITLES: Final = words(
    "m mr mme mlle monsieur madame mademoiselle enfant patient patiente pat nom bebe concerne"
)
_STAFF: Final = words(
    "dr drs dresse docteur pr professeur ide as iade medecin interne chirurgien clinique hopital"
    " chu ch centre hop service rue avenue saint sainte st ste par signe valide dicte irm tdm"
    " scanner rx"
)
_TODAY: Final = 2030
"""How a two-digit year is read in a note that tells no other: never later than this."""

_FIRST: Final = 1990
"""The year of the oldest notes."""
_LATELY: Final = 2015
"""A lone date before this year says nothing of when its note was written."""

_OLD: Final = 3
"""Years that a date beside a name must lie back to be the birth of its bearer."""
_ASIDE: Final = 40
"""Letters between an age and the brackets with the date of birth."""
_ADULT: Final = 15
"""The same for a bare year, which could be that of an event."""


def _year(text: str, now: int) -> int | None:
    """The year of a full date or bare year; of two digits, the last such year not after `now`."""
    if (match := _LONG_YEAR.search(text)) is not None:
        return int(match[0])
    if len(text) == 8 and text.isdigit():
        return int(text[:4])
    match = _SHORT_YEAR.search(text)
    if match is None:
        return None
    ahead = (int(match[1]) - now) % 100
    # "24" in a note of 2023 is next year's appointment, not a birth of 1924.
    return now + ahead if ahead <= 2 else now + ahead - 100


def _now(doc: Document, dates: Iterable[Span]) -> int:
    """The year of the note; without its date, of the latest date that it tells."""
    if doc.note_date is not None:
        return doc.note_date.year
    years = [y for s in dates if (y := _year(doc.text[s.start : s.end], _TODAY)) is not None]
    if len(years) == 1 and years[0] < _LATELY:
        return _TODAY
    return max((y for y in years if 1950 <= y <= _TODAY + 20), default=_TODAY)


def _key(text: str) -> tuple[int, ...] | str:
    numbers = _NUMBER.findall(text)
    if len(numbers) < 3:
        return text
    *ahead, year = map(int, numbers)
    return (*ahead, year % 100)


def _outermost(spans: Iterable[Span], label: Label) -> Iterator[Span]:
    end = 0
    for span in sorted((s for s in spans if s.label is label), key=lambda s: (s.start, -s.end)):
        if span.start >= end:
            end = span.end
            yield span


def birth_dates(doc: Document, spans: Sequence[Span]) -> Iterable[Span]:
    """The dates among `spans` that are births, as BIRTH_DATE, with a better score than the date."""
    text = doc.text
    dates, ages = (tuple(_outermost(spans, label)) for label in (Label.DATE, Label.AGE))
    now, lone = _now(doc, dates), doc.note_date is None and len(dates) == 1
    born: list[Span] = []
    for span in dates:
        chained = born and _AND.fullmatch(text, born[-1].end, span.start)
        if chained or _is_birth(text, span, ages, now, lone):
            born.append(span)
    said = {_key(text[s.start : s.end]) for s in born}
    for span in dates:
        if _key(text[span.start : span.end]) in said:
            yield Span(span.start, span.end, Label.BIRTH_DATE, 0.97, "patterns/birth")


def _is_birth(text: str, span: Span, ages: Sequence[Span], now: int, lone: bool) -> bool:
    left = text[max(0, span.start - 80) : span.start]
    if _BORN.search(left) or _BORN_AFTER.match(text, span.end):
        return True
    inside = text[span.start : span.end]
    bare = len(inside) == 4 and inside.isdigit()
    if bare and left.endswith(_OPENS) and _CHILDREN.search(left):
        return True
    year = _year(inside, now)
    if year is None or not (bare or _FULL.search(inside)):
        return False
    nearest = bisect.bisect_left(ages, span.start, key=lambda age: age.start)
    beside = ages[max(0, nearest - 1) : nearest + 2]
    if any(_fits(text, span, age, now - year, lone) for age in beside):
        return True
    if not bare and left.endswith("(") and any(_told(text, span, a, now - year) for a in beside):
        return True
    if now - year < (_ADULT if bare else _OLD):
        return False
    if _SEX_BEFORE.search(left) or _FIELD_AFTER.match(text, span.end):
        return True
    enclosed = left.endswith("(") and text[span.end : span.end + 1] == ")"
    return (not bare or enclosed or left.endswith("| ")) and _named(left)


def _fits(text: str, span: Span, age: Span, gap: int, lone: bool) -> bool:
    """Whether the age stands beside the date and says the same."""
    first, last = (age, span) if age.start < span.start else (span, age)
    if last.start - first.end > 14 or not _BETWEEN.fullmatch(text, first.end, last.start):
        return False
    said = text[age.start : age.end]
    number = re.match(r"\d{1,3}", said)
    if number is None:
        return False
    years = int(number[0]) // 12 if "mois" in said and "ans" not in said else int(number[0])
    # Where the note tells no other year, the sum is one in which it can have been written.
    return 0 <= gap - years <= (_TODAY - _FIRST if lone else 1)


def _told(text: str, span: Span, age: Span, gap: int) -> bool:
    """Whether a date that opens brackets says again, on its line, how old somebody is."""
    between = text[age.end : span.start]
    number = re.match(r"\d{2,3} ?an", text[age.start : age.end])
    if number is None or len(between) > _ASIDE or "\n" in between:
        return False
    return 0 <= gap - int(number[0].removesuffix("an")) <= 1


def _named(left: str) -> bool:
    """Whether the text ends with the name of somebody who is no caregiver, and a separator."""
    named = left.rstrip(_SEPARATORS)
    while named.endswith(")") and (remark := _REMARK.search(named)) is not None:
        named = named[: remark.start()].rstrip(_SEPARATORS)
    line = named.rpartition("\n")[2]
    last = line.rpartition(" ")[2]
    if named == left or (last.islower() and last.isalpha() and _COMMON[fold(last)]):
        return False
    before = _WORD.findall(line)[-6:]
    if len(before) < 2 or not line.endswith(before[-1]):
        return False
    upper = [word[0].isupper() for word in before for _ in _HYPHEN.split(word)]
    parts = fold(" ".join(_HYPHEN.sub(" ", word) for word in before)).split(" ")
    if (_COMMON[parts[-1]] and not upper[-1]) or not _STAFF.isdisjoint(parts):
        return False
    names = gazetteers.first_names()
    return not _TITLES.isdisjoint(parts) or any(
        part in names and (capital or not _COMMON[part])
        for capital, part in zip(upper[-4:], parts[-4:], strict=True)
    )
