"""Which place is meant by a name that stands in several lists: "Saint-Denis", "Beaumont".

The words around it decide, in this order: a department, region or country beside it
("(La Réunion)", "en Belgique"); what was released under that name before; the lists of the record's
other places and telephone numbers, the one named first if two are named as often. Without any it is
the mainland if a town of 20,000 people has the name there, else the list of the largest. Which it
is is public (`dpdeid.privacy.skeleton`); words are looked at, the place that is meant never.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from functools import cache
from typing import Final, NamedTuple

from dpdeid import gazetteers
from dpdeid.document import Document, Mention, text_before
from dpdeid.french.phones import ranges
from dpdeid.gazetteers import Place, place_key, place_list_name

LARGE: Final = 20_000
"""A town of that many people is meant rather than the department of the same name."""
_HOME: Final = "FR"
_REACH: Final = 48
_WORDS: Final = 5
_KIND: Final = (
    r"(?:l['’]?)?(?:[iî]le|d[ée]partement|canton|province|r[ée]gion)\s(?:de\s|du\s|d['’])?"
)
_ARTICLE: Final = r"(?:l[ae]s?\s|l['’])?"
_BEHIND: Final = re.compile(
    rf"(?P<mark>[(,/:–-]\s{{0,2}})?(?P<led>(?:à|a|en|aux?|sur|dans|de|du|des)\s|d['’])?"
    rf"{_ARTICLE}(?:{_KIND}{_ARTICLE})?(?P<area>\w[\w'’ -]*)",
    re.IGNORECASE,
)
_BLANKS: Final = re.compile(r"[^\S\n]{0,120}\n?[^\S\n]{0,9}")
"""Behind a town, in forms of fixed width as well."""
_AHEAD: Final = re.compile(
    r"(?P<area>\w[\w'’ -]*?)\s{0,2}(?:[,:(/–]\s{0,2}(?:(?:à|a|au)\s)?|\s(?:à|a|au)\s)\Z",
    re.IGNORECASE,
)
_CODE: Final = re.compile(r"(\d{5}|\d{3}|\d\d(?=\s?\))|2[ABab]|[A-Z]{1,2})(?!\w)")
"""Of two digits only in brackets: "Saint-Pierre, le 18/06" tells a day."""
_COUNTRIES: Final = {
    "belgique": "BE",
    "suisse": "CH",
    "luxembourg": "LU",
    "france": "FR",
    "metropole": "FR",
    "france metropolitaine": "FR",
}
_SIGNS: Final = {"B": "BE", "CH": "CH", "F": "FR", "L": "LU"}
"""Of countries, in brackets."""
_WORD: Final = re.compile(r"\w+")


class Area(NamedTuple):
    """What stands beside a town: a "department", "region" or "country", and its code."""

    kind: str
    code: str


def told(mention: Mention, documents: Sequence[Document]) -> Area | None:
    """The area that the words right beside a town say it is in, behind it or before it.

    Of the "Saint-Denis" of "né à Saint-Denis (La Réunion)" it is Area("department", "974").
    """
    text, end = documents[mention.document].text, mention.span.end
    blanks = _BLANKS.match(text, end)
    end = blanks.end() if blanks else end
    if found := _BEHIND.match(text, end, end + _REACH):
        code = _CODE.match(text, found.start("area")) if found["mark"] or found["led"] else None
        if code and (area := _coded(code[1], bracketed=(found["mark"] or "").startswith("("))):
            return area
        words = found["area"]
        ends = [word.end() for word in _WORD.finditer(words)][:_WORDS]
        for stop in reversed(ends):
            area = _areas().get(place_key(words[:stop]))
            if area and (found["mark"] or found["led"] or area.kind == "country"):
                return area
    if found := _AHEAD.search(text_before(documents, mention, _REACH)):
        words = found["area"]
        starts = [word.start() for word in _WORD.finditer(words)][-_WORDS:]
        for start in starts:
            area = _areas().get(place_key(words[start:]))
            if area and (area.kind == "country" or _is_overseas(area)):
                return area
    return None


def _coded(code: str, *, bracketed: bool) -> Area | None:
    """The area of a code: of a department or canton, or of a French postal code."""
    if len(code) == 5:
        short = code[:3] if code.startswith(("97", "98")) else code[:2]
        code = ("2A" if code < "20200" else "2B") if short == "20" else short
    if bracketed and code in _SIGNS:
        return Area("country", _SIGNS[code])
    area = Area("department", code.upper())
    is_one = area in _lists() and (bracketed or not code.isalpha())
    return area if is_one else None


@cache
def _areas() -> Mapping[str, Area]:
    """Key of a name → the area of that name."""
    found = {place_key(k): Area("region", code) for k, code in gazetteers.regions().items()}
    departments = gazetteers.departments().items()
    found |= {place_key(name): Area("department", code) for name, code in departments}
    return found | {name: Area("country", code) for name, code in _COUNTRIES.items()}


@cache
def _lists() -> Mapping[Area, str]:
    """An area → the list of its largest town."""
    found: dict[Area, str] = {Area("country", "FR"): _HOME}
    for place in gazetteers.places():
        areas = ("department", place.department), ("region", place.region)
        for kind, code in (*areas, ("country", place.country)):
            found.setdefault(Area(kind, code), place_list_name(place))
    return found


def _is_overseas(area: Area) -> bool:
    return area in _lists() and _lists()[area].isdigit() and _lists()[area] != "20"


def within(area: Area, towns: Sequence[Place]) -> Place | None:
    """The first of the towns of a name in an area, else of the list of that area; None if none."""
    exact = next((town for town in towns if getattr(town, area.kind) == area.code), None)
    own = next((town for town in towns if place_list_name(town) == _lists().get(area)), None)
    return own or exact if area.kind == "country" else exact or own


def group(listed: str) -> str:
    """Lists that speak for one another: those of a country, and of each island its own."""
    return _HOME if listed == "20" else listed.partition("-")[0]


def is_homonym(towns: Sequence[Place]) -> bool:
    """Whether the towns of a name are of several lists."""
    return len({*map(place_list_name, towns)}) > 1


def chosen(
    towns: Sequence[Place], votes: Mapping[str, int], released: Collection[str] = ()
) -> Place | None:
    """Which of the towns of one name is meant, by what else its record names; None of none.

    Args:
        towns: the largest first.
        votes: name of a list → how many other places of the record are of it, the first one first.
        released: codes ("FR 97411") of what was released of the unit before.
    """
    if not is_homonym(towns):
        return next(iter(towns), None)
    if before := next((one for one in towns if f"{one.country} {one.code}" in released), None):
        return before
    groups = Counter[str]()
    for listed, count in votes.items():
        groups[group(listed)] += count
    own = {group(place_list_name(town)) for town in towns}
    if best := max((one for one in groups if one in own), key=groups.__getitem__, default=None):
        lists = [*dict.fromkeys(map(place_list_name, towns))]
        most = max((x for x in lists if group(x) == best), key=lambda x: votes.get(x, 0))
        return next(town for town in towns if place_list_name(town) == most)
    home = next((town for town in towns if place_list_name(town) == _HOME), None)
    return home if home and home.population >= LARGE else towns[0]


_PHONE: Final = re.compile(
    r"(?<![\d+])0[ .-]?\d(?:[ .-]?\d\d){4}(?!\d)|0\d{3}(?:[ .-]?\d\d){3}(?!\d)"
)
_PAIRED: Final = re.compile(r"0[1-5](?:[ .-]\d\d){4}")
_ABROAD: Final = re.compile(r"(?:\+|(?<!\d)00)\s?(\d{2,3}?)[ .-]?(?:\(0\)[ .-]?)?\d(?:[ .-]?\d){7}")
_PLANS: Final = {"32": "BE", "41": "CH", "352": "LU", "33": _HOME}


def lists_by_phone(texts: Iterable[str]) -> Iterator[str]:
    """The lists that telephone numbers tell, each once: "0262 …", "+32 …", "01 …" in pairs."""
    found: dict[str, None] = {}
    for text in texts:
        for match in _PHONE.finditer(text):
            prefix = "".join(filter(str.isdigit, match[0]))[:4]
            area = _prefixes().get(prefix)
            if area or _PAIRED.fullmatch(match[0]):
                found.setdefault(area or _HOME)
        for match in _ABROAD.finditer(text):
            for size in (2, 3):
                code = "".join(filter(str.isdigit, match[0].removeprefix("00")))[:size]
                if listed := _PLANS.get(code) or _codes().get(code):
                    found.setdefault(listed)
                    break
    yield from found


@cache
def _prefixes() -> Mapping[str, str]:
    own = (one for one in ranges("OM") if one.areas)
    return {one.prefix: _lists()[Area("department", one.areas[0])] for one in own}


@cache
def _codes() -> Mapping[str, str]:
    own = (one for one in reversed(ranges("OM")) if one.areas)
    return {one.code: _lists()[Area("department", one.areas[0])] for one in own}
