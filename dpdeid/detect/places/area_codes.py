"""The code of a department or canton behind a place: "Redon (35)", "Morges VD", "CH de Dole [39]".

A sector of psychiatry has its department in its code: "93" in "secteur 93G08".

Whoever found the place, its code is as telling as its name. And who stands before the code of its
own department in brackets is a town, whatever else the word means: "Redon", "Mer", "Crest".
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import cache
from typing import Final

from dpdeid import gazetteers
from dpdeid.document import Document, Span
from dpdeid.labels import Label
from dpdeid.normalize import fold
from dpdeid.spans import Overlaps

_HOLD_TOWNS: Final = frozenset((Label.CITY, Label.HOSPITAL, Label.ORGANIZATION, Label.STREET))
_NAMES: Final = frozenset((Label.LAST_NAME, Label.FIRST_NAME))
_CODE: Final = re.compile(
    r"(?:[ \t]{0,2}(?:(?P<open>[(\[]) ?(?:(?i:d[ée]p(?:t|artement)?)\.? ?)?|[,/–-][ \t]?)|[ \t])"
    r"(?P<code>\d\d|2[ABab]|9[78]\d|[A-Z]{2})"
    r"(?:(?P<close> ?[)\]])|(?!\w|[.,/:-]\d|[ \t]?(?:[^\W\d_]|[%°])))"
)
_SECTOR: Final = re.compile(
    r"(?:(?i:\b(?:inter-?)?secteurs?|\bp[ôo]le|\bCMP|\bpsychiatri(?:e|ques?)))"
    r"(?: (?i:de psychiatrie|psychiatriques?|adultes?|infanto-juv[ée]nile|n[°o])){0,2} ?:? ?"
    r"(?P<code>\d\d|2[AB]|97[1-6])(?P<sector> ?[GIZ] ?[0O1-9]?\d)(?![\w/°%])"
)
_OF_SECTORS: Final = frozenset(
    (Label.UNIT, Label.ROOM, Label.HOSPITAL, Label.ORGANIZATION, Label.CITY, Label.OTHER_ID)
)
"""What a code of a sector may have been taken for."""
_WORD: Final = re.compile(r"[^\W\d_]+")
_REACH: Final = 60
_MOST_WORDS: Final = 6
_SHORT: Final = 4
"""Letters up to which a town in small letters is not told from a word."""


def with_areas(doc: Document, spans: Sequence[Span]) -> tuple[Span, ...]:
    """The spans, sorted, with the codes of areas behind those of places, and with towns before the
    code of their own area, whatever name or number these were taken for.

    Args:
        spans: all that was found in the note, disjoint.
    """
    spans = [*_sectors(doc, spans)]
    towns = {*_towns(doc, spans)}
    held = {(town.start, town.end) for town in towns}
    return tuple(sorted((*(s for s in spans if (s.start, s.end) not in held), *towns)))


def _sectors(doc: Document, spans: Sequence[Span]) -> Iterator[Span]:
    """The spans, with the department in the code of a sector apart from the rest of the code."""
    codes = [m for m in _SECTOR.finditer(doc.text) if m["code"] in _areas()]
    for span in spans:
        within = [m for m in codes if m.start("code") < span.end and span.start < m.end()]
        if not within or span.label not in _OF_SECTORS:
            codes = [match for match in codes if match not in within]
            yield span
        elif span.start < within[0].start("code"):  # "psychiatrie 13G12"
            end = span.start + len(doc.text[span.start : within[0].start("code")].rstrip())
            yield replace(span, end=end)
    for match in codes:
        yield Span(*match.span("code"), Label.CITY, 0.95, "area_codes")
        start = match.end() - len(match["sector"].lstrip())
        yield Span(start, match.end(), Label.UNIT, 0.95, "area_codes")


def _towns(doc: Document, spans: Sequence[Span]) -> Iterator[Span]:
    places = {span.end: span for span in spans if span.label in _HOLD_TOWNS}
    names = {(span.start, span.end) for span in spans if span.label in _NAMES}
    found = Overlaps(spans)
    for match in _CODE.finditer(doc.text):
        area, place = match["code"].upper(), places.get(match.start())
        code, bracketed = match.span("code"), match["open"] and match["close"]
        there = [(span.start, span.end) for span in found.over(*code)]
        free = not there or (bracketed and there == [code])  # whatever else it was taken for
        if area not in _areas() or not (place or bracketed) or not free:
            continue
        if place is None:
            town = _town_before(doc.text, match.start(), area)
            if town is None:
                continue
            own = town, match.start()
            if own in names or not any(found.over(*own)):
                yield Span(*own, Label.CITY, 0.9, "area_codes")
            yield Span(*code, Label.CITY, 0.9, "area_codes")
        elif bracketed or _lies_in(doc.text[place.start : place.end], area):
            yield Span(*code, Label.CITY, place.score, place.source)


@cache
def _areas() -> frozenset[str]:
    return frozenset(gazetteers.departments().values())


def _lies_in(name: str, area: str) -> bool:
    return any(place.department == area for place in gazetteers.places_named(fold(name)))


def _town_before(text: str, end: int, area: str) -> int | None:
    """Where the longest name of a town of that area begins that ends at `end`."""
    begin = max(0, end - _REACH, text.rfind("\n", 0, end) + 1)
    words = [*_WORD.finditer(text, begin, end)][-_MOST_WORDS:]
    for word in words:
        name = text[word.start() : end]
        meant = not name.islower() or len(name) > _SHORT
        if meant and _lies_in(name, area):
            return word.start()
    return None
