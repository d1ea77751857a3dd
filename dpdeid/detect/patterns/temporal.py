"""Everything that tells time: dates, births, clock times, ages, durations.

The rows come from five modules, one a kind. `grow` then says which of the dates are births: a birth
has no form of its own, only a word before it, an age that fits beside it, a patient's header around
it, or the same date said to be a birth elsewhere in the note.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Final

from dpdeid.detect.patterns import ages, clock, numeric_dates, short_dates, written_dates
from dpdeid.detect.patterns.table import Row
from dpdeid.detect.patterns.timewords import YEAR
from dpdeid.document import Document, Span
from dpdeid.labels import Label, Role

ROWS: Final[tuple[Row, ...]] = (
    *numeric_dates.ROWS,
    *short_dates.ROWS,
    *written_dates.ROWS,
    *clock.ROWS,
    *ages.ROWS,
)

_NAME: Final = r"[A-ZÉÈÀÂÎÔÇ][\w'-]{0,20}|\([^()\n\d]{0,30}\)"
_SMALL: Final = r"de|du|la|le|les|un|une|des|d'|l'|en|vers|à|a|au|aux|présumée?|environ|jour|vers"
_BORN: Final = re.compile(
    r"(?i:\b(?:n[ée](?:\(e\)|[·.-]?e)?s?|ddn|d\.d\.n\.?|dn|naiss(?:ance|\.)?|geb\.?|date naiss))(?![\wé])"
    rf"[\s.:(«,*=|-]{{0,16}}(?:(?:(?:{_NAME}|{_SMALL})[\s,:.«'-]{{1,4}}){{0,6}}"
    r"|[a-zé-]{2,20} (?:[a-zé-]{2,20} )?(?:le )?)\s{0,3}$"
)
_BIRTH_FIELD: Final = re.compile(
    r"(?i)(?:ddn|naissance|n[ée]e?(?:\(e\))?)[^\w\n]{0,14}(?:le)?[^\w\n]{0,8}$"
)
_FULL: Final = re.compile(r"\d{1,2}\D{1,12}(\d{4}|\d{2})|(\d{4})-\d\d-\d\d|(?:19|20)\d{6}")
_AGE: Final = re.compile(r"\d{1,3}")
_SEX_BEFORE: Final = re.compile(
    r"[A-ZÉ][\w'-]{1,20}[ ,;|•/–(-]{1,4}(?:[FMH]|féminin|masculin)[ ,;|•/–(-]{1,4}$"
)
_FIELD_AFTER: Final = re.compile(
    r"[\s,;|/()•–-]{0,8}(?:IPP|NDA|NIR|INS|NSS|AVS|SS|[Ss]exe|SEXE|N° ?[Ss][ée]cu|[FMH](?=[\s,;|)]|$)|ipp|nda|nir)\b"
)
_AND: Final = re.compile(r"\s?(?:et|,|puis|/|ou|contre)(?: en| le)?\s")
_SHORTEST_ADULT: Final = 3


def _year(text: str) -> int | None:
    if (match := re.search(rf"(?<!\d){YEAR}(?!\d)", text)) is not None:
        return int(match[0])
    if re.fullmatch(r"\d{8}", text):
        return int(text[:4])
    match = re.search(r"\D(\d\d)$", text)
    return int(match[1]) if match is not None else None


def _fits(year: int, age: int, now: int) -> bool:
    """Whether somebody born in `year` (four digits or two) has that age `now`, give or take one."""
    gap = now - year - age
    return 0 <= gap <= 1 or (year < 100 and gap % 100 <= 1)


def _now(doc: Document, dates: Sequence[Span]) -> int | None:
    if doc.note_date is not None:
        return doc.note_date.year
    years = [_year(doc.text[s.start : s.end]) for s in dates]
    long = [y % 100 + 2000 for y in years if y is not None and (y >= 2000 or 15 <= y <= 30)]
    return max(long, default=None)


def _key(text: str) -> tuple[int, ...] | str:
    numbers = [int(n) for n in re.findall(r"\d+", text)]
    return (*numbers[:-1], numbers[-1] % 100) if len(numbers) > 2 else text


def grow(doc: Document, spans: Sequence[Span]) -> Iterable[Span]:
    """The dates of `spans` that are births, as BIRTH_DATE, with a better score than the date."""
    text = doc.text
    dates = sorted({(s.start, s.end): s for s in spans if s.label is Label.DATE}.values())
    outer: list[Span] = []
    for span in sorted(dates, key=lambda s: (s.start, -s.end)):
        if not outer or span.start >= outer[-1].end:
            outer.append(span)
    age_spans = sorted(s for s in spans if s.label is Label.AGE)
    names = {
        s.end
        for s in spans
        if s.label in (Label.LAST_NAME, Label.FIRST_NAME) and s.role is not Role.STAFF
    }
    now = _now(doc, outer)
    births: dict[int, Span] = {}
    for index, span in enumerate(outer):
        if _is_birth(doc, span, age_spans, names, now) or (
            index
            and outer[index - 1].start in births
            and _AND.fullmatch(text[outer[index - 1].end : span.start])
        ):
            births[span.start] = span
    said = {_key(text[s.start : s.end]) for s in births.values()}
    for span in outer:
        if span.start in births or _key(text[span.start : span.end]) in said:
            yield replace(
                span, label=Label.BIRTH_DATE, score=0.97, source="patterns/birth", role=Role.UNKNOWN
            )


def _is_birth(
    doc: Document, span: Span, age_spans: Sequence[Span], names: set[int], now: int | None
) -> bool:
    text = doc.text
    left = text[max(0, span.start - 60) : span.start]
    if _BORN.search(left):
        return True
    inside = text[span.start : span.end]
    year = _year(inside) if _FULL.search(inside) else None
    if year is None or now is None:
        return False
    for age in age_spans:
        near = max(age.start - span.end, span.start - age.end)
        years = _AGE.match(text, age.start)
        if near <= 12 and years is not None and "mois" not in text[age.start : age.end]:
            between = text[min(age.end, span.end) : max(age.start, span.start)]
            if re.fullmatch(r"[\s,;:/|()•–-]*", between) and _fits(year, int(years[0]), now):
                return True
    past = year % 100 if year < 100 else year
    old = (now - past) % 100 >= _SHORTEST_ADULT if year < 100 else now - year >= _SHORTEST_ADULT
    if not old:
        return False
    if _SEX_BEFORE.search(left) or _FIELD_AFTER.match(text, span.end):
        return True
    tail = re.search(r"[\s,;|/(•–-]{1,6}$", left)
    return tail is not None and span.start - len(tail[0]) in names and now - year >= 10
