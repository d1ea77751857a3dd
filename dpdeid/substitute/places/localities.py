"""Which place each CITY and ZIP mention is, and which mentions are one address.

Everything follows from the texts, their adjacency and the public lists. A postal code and the city
beside it, in prose or in fields, are one place if the code belongs there, or if no list knows one
of them ("29000 Kerfeuntein"); if not they are two. A code that stands alone is of the nearest town
of its note to which it belongs. What no list knows stays unknown, and gets a surrogate that does
not depend on it.
"""

from __future__ import annotations

import math
import re
from bisect import bisect_left
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from typing import Final, Literal

from dpdeid import gazetteers
from dpdeid.document import Document, Mention, text_before, text_between
from dpdeid.french import demonyms
from dpdeid.french.areas import TWINS, overseas_communes, postal_codes
from dpdeid.french.tables import rows
from dpdeid.gazetteers import Place, place_key, place_list_name, places_named
from dpdeid.labels import Label
from dpdeid.normalize import fold
from dpdeid.substitute.places.lists.homonyms import (
    LARGE,
    chosen,
    group,
    is_homonym,
    lists_by_phone,
    told,
    within,
)

Level = Literal["city", "zip", "department", "region"]

_ZIP: Final = re.compile(r"(?:([A-Z]{1,2})[- ]?)?(\d{4,5})")
_WRITTEN: Final = re.compile(r"(?<!\w)(?=\w*\d)[\dOo]{2}\s?[\dOo]{3}(?!\w)")
"""A French postal code, with its space and with letters that OCR made of zeros."""
_COUNTRY_OF: Final = {"F": "FR", "FR": "FR", "CH": "CH", "B": "BE", "BE": "BE", "L": "LU"}
_CODE: Final = re.compile(r"\(?(\d\d|2[ABab]|9[78]\d)\)?")
_OF_CANTON: Final = re.compile(r"(.*\w)[ (/]{1,2}([A-Z]{2})\)?")
_CANTON_CODE: Final = re.compile(r"[A-Z]{2}")
_ARTICLE: Final = re.compile(r"(?<!\w)(au|aux|du|des|le|la|les)\s$", re.IGNORECASE)
_FULL: Final = {"au": "le", "du": "le", "aux": "les", "des": "les"}
_FIELD: Final = r"(?:[\s,;:|^(/._–-]|</?t[drh][^<>]{0,40}>)"
_BETWEEN: Final = re.compile(
    rf"{_FIELD}*(?:\b(?:ville|commune|localit[ée]|lieu|code postal|code|cp|npa|bp \d+){_FIELD}+)"
    "{0,2}",
    re.IGNORECASE,
)
"""What stands between a postal code and its town: marks, ends of fields, names of fields."""
_BESIDE: Final = 40
_NEAR: Final = 4
"""Towns on either side of a postal code that stands alone which may be its town."""
_GENERIC: Final = re.compile(
    r"(?:la |le |les |l )?(?:region|canton|departement|agglomeration|banlieue|peripherie|commune"
    r"|ville|ile|district) (?:de la |de l |des |du |de |d )?"
)
_LEADING: Final = re.compile(r"(?:la|les?|l) ")
_KNOWN: Final = 5_000
_ABROAD: Final = frozenset(place_key(town) for _, *towns in rows("foreign_towns") for town in towns)
"""Towns abroad that everybody knows: Montréal, and not the villages of that name."""
_LOCAL: Final = {place_key(one): town for town, *names in rows("local_names") for one in names}
_OVERSEAS: Final = ("97", "98")
"""How a postal code of overseas begins, which decides where the name beside it lies."""
UNLISTED: Final = "unknown "
_TELLING: Final = frozenset(
    (Label.ZIP, Label.COUNTRY, Label.PHONE, Label.FAX, Label.HOSPITAL, Label.ORGANIZATION)
)


@dataclass(frozen=True, slots=True)
class Locality:
    """What a mention names.

    Args:
        level: whether its text is a town, a postal code, a department or a region.
        name: its canonical value; equal names are one place.
        place: where it is, or None if no list knows it.
        area: the code of its department or region.
    """

    level: Level
    name: str = field(repr=False)
    place: Place | None = field(default=None, repr=False)
    area: str = field(default="", repr=False)


def read_localities(
    mentions: Sequence[Mention],
    documents: Sequence[Document],
    past: Collection[tuple[str, str]] = (),
    words: Sequence[Document] = (),
) -> list[Locality]:
    """The locality of each mention, in their order.

    Args:
        past: list and name of each place that was released of the unit before.
        words: the notes without the values that tell nothing of a town (`tells`), if not as here.
    """
    words = words or documents
    found: list[Locality | None] = [None] * len(mentions)
    names = [_named(mention, documents) for mention in mentions]
    by_key: dict[str, Locality] = {}
    beside = [
        (i, i + 1) if mentions[i].label is Label.CITY else (i + 1, i)
        for i in range(len(mentions) - 1)
        if _touch(mentions[i], mentions[i + 1], documents)
    ]
    for agreed, pairs in (
        (_exact, beside),
        (_agreed, beside),
        (_exact, [*_apart(mentions, beside)]),
    ):
        for city, code in pairs:
            place = agreed(names[city], mentions[code].text)
            if place is None or found[code] is not None:
                continue
            town = _town(place)
            if found[city] in (None, town):
                found[city] = by_key[place_key(names[city])] = town
                found[code] = replace(town, level="zip")
    for at, town in _told(mentions, names, words):
        if found[at] is None:
            found[at] = town
            by_key.setdefault(place_key(names[at]), town)
    votes = _votes(mentions, names, found, words, past)
    released = {name for _, name in past}

    def named(text: str) -> Locality:
        return by_key.get(place_key(text)) or _city(text, votes, released)

    for at, code in beside:
        if found[at] is None and found[code] is None:
            town, post = named(names[at]), _zip(names[code])
            lost = town.place is None or _digits(names[code])[1].startswith(_OVERSEAS)
            if lost or (post.place is None and town.level == "city"):
                town = town if post.place is None else replace(post, level="city")
                found[at] = by_key[place_key(names[at])] = town
                found[code] = replace(town, level="zip")
    return [
        one or (named(name) if m.label is Label.CITY else _zip(name))
        for one, m, name in zip(found, mentions, names, strict=True)
    ]


def tells(mention: Mention) -> bool:
    """Whether the text of a mention may tell which list a town beside it is of: its own list is
    public. Of a town that is one of the record's places alone, and not if an area is called so.
    """
    one = _city(mention.text, {}) if mention.label is Label.CITY else None
    return mention.label in _TELLING or (
        one is not None and (one.level != "city" or one.place is None)
    )


def _told(
    mentions: Sequence[Mention], names: Sequence[str], documents: Sequence[Document]
) -> Iterator[tuple[int, Locality]]:
    """The towns of a name of several whose area stands beside them, with their positions."""
    for at, (mention, name) in enumerate(zip(mentions, names, strict=True)):
        towns = places_named(name) if mention.label is Label.CITY else ()
        if len(towns) > 1 and (area := told(mention, documents)):
            place = within(area, towns)
            if place is not None and (
                place.population >= LARGE or not _area_named(place_key(name))
            ):
                yield at, _town(place)


def _votes(
    mentions: Sequence[Mention],
    names: Sequence[str],
    found: Sequence[Locality | None],
    documents: Sequence[Document],
    past: Collection[tuple[str, str]],
) -> Mapping[str, int]:
    """Of how many distinct places of a record it is told of which list they are, by list, and its
    telephone numbers; nothing where no name asks for it.
    """
    doubtful = [
        mention.label is Label.CITY
        and one is None
        and (is_homonym(gazetteers.places_named(name)) or place_key(name) in TWINS)
        for mention, name, one in zip(mentions, names, found, strict=True)
    ]
    if not any(doubtful):
        return {}
    lists = {name: listed for listed, name in past if "/" not in name and UNLISTED not in name}
    for mention, name, one, unsure in zip(mentions, names, found, doubtful, strict=True):
        if not unsure:
            read = _city(name, {}) if mention.label is Label.CITY else _zip(name)
            if (place := (one or read).place) is not None:
                lists.setdefault((one or read).name, place_list_name(place))
    votes = Counter(lists.values())
    votes.update(lists_by_phone(doc.text for doc in documents))
    return votes


def _named(mention: Mention, documents: Sequence[Document]) -> str:
    """The text of a mention, with the article before it if a town is called so ("au Mans"), and
    without the canton behind it ("Renens VD"), unless it is listed with it ("Lully VD"); of people
    their town.
    """
    text = _LOCAL.get(place_key(mention.text), mention.text)
    if (people := people_in(text)) and not _area_named(place_key(text)):
        return demonyms.known()[fold(people[1])][0]
    own = None if gazetteers.places_named(text) else _OF_CANTON.fullmatch(text)
    if own and own[2] in gazetteers.departments().values() and gazetteers.places_named(own[1]):
        text = own[1]
    article = _ARTICLE.search(text_before(documents, mention, 5))
    if mention.label is not Label.CITY or article is None or _area_named(place_key(text)):
        return text
    word = article[1].lower()
    whole = f"{_FULL.get(word, word)} {text}"
    return whole if gazetteers.places_named(whole) else text


def people_in(text: str) -> tuple[str, str] | None:
    """What stays of a mention of the people of a town, and what they are called; None if it is the
    name of a town or anything else: "Campagne-lès-Boulonnais".
    """
    return None if gazetteers.places_named(text) else demonyms.parted(text)


def _touch(a: Mention, b: Mention, documents: Sequence[Document]) -> bool:
    between = None if a.label is b.label else text_between(documents, a, b, _BESIDE)
    return between is not None and _BETWEEN.fullmatch(between) is not None


def _apart(
    mentions: Sequence[Mention], beside: Iterable[tuple[int, int]]
) -> Iterator[tuple[int, int]]:
    """The towns around each postal code that has none beside it, the nearest first."""
    paired = {code for _, code in beside}
    towns = [at for at, mention in enumerate(mentions) if mention.label is Label.CITY]
    for code, mention in enumerate(mentions):
        if mention.label is Label.ZIP and code not in paired:
            middle = bisect_left(towns, code)
            near = towns[max(0, middle - _NEAR) : middle + _NEAR]
            own = (at for at in near if mentions[at].document == mention.document)
            yield from ((at, code) for at in sorted(own, key=lambda at: (abs(at - code), at)))


def _exact(city: str, code: str) -> Place | None:
    """The town of that name that has the postal code."""
    digits = _digits(code)[1]
    towns = _towns_named(city)
    return next((town for town in towns if digits and digits in codes_of(town)), None)


def _agreed(city: str, code: str) -> Place | None:
    """The town of that name that lies in the department of the postal code, or in its country."""
    prefix, digits = _digits(code)
    towns = _towns_named(city)
    if len(digits) == 4:
        country = _COUNTRY_OF.get(prefix or "")
        return next((t for t in towns if t.country != "FR" and country in (None, t.country)), None)
    return next((town for town in towns if town.department == _department(digits)), None)


def _towns_named(name: str) -> tuple[Place, ...]:
    """The towns of a name, then those overseas of which a quarter is called so."""
    communes = overseas_communes(place_key(name))
    of = (t for area, town in communes for t in places_named(town) if t.department == area)
    return (*places_named(name), *of)


def _town(place: Place) -> Locality:
    return Locality("city", f"{place.country} {place.code}", place)


def _city(text: str, votes: Mapping[str, int], released: Collection[str] = ()) -> Locality:
    key = place_key(text)
    if (code := _CODE.fullmatch(text)) and largest_of("department", code[1].upper()):
        return _area("department", code[1].upper())
    if key in TWINS and votes and group(max(votes, key=votes.__getitem__)) == "CH":
        return _area("department", TWINS[key])
    if _CANTON_CODE.fullmatch(text) and text in gazetteers.departments().values():
        return _area("department", text)
    for name in (key, _GENERIC.sub("", key, count=1)):
        towns = places_named(name) if name in _ABROAD else _towns_named(name)
        first = next(iter(towns), None)
        town = chosen(towns, votes, released)
        if town is None or town.population < LARGE:
            area = _area_named(name) or _area_named(_LEADING.sub("", name, count=1))
            if area is not None and not (first and first.population >= LARGE):
                return area
        if town is not None and (town.population >= _KNOWN or name not in _ABROAD):
            return _town(town)
    return Locality("city", UNLISTED + key)


def _area_named(name: str) -> Locality | None:
    if name in gazetteers.departments():
        return _area("department", gazetteers.departments()[name])
    return _area("region", gazetteers.regions()[name]) if name in gazetteers.regions() else None


def _area(level: Level, code: str) -> Locality:
    return Locality(level, f"{level} {code}", largest_of(level, code), code)


def _zip(text: str) -> Locality:
    digits = _digits(text)[1]
    place = next(iter(gazetteers.places_with_zip(digits)), None)
    if place is None and len(digits) in (2, 3, 5):
        place = largest_of("department", _department(digits))
    return Locality("zip", f"zip {digits or text}", place)


def _digits(code: str) -> tuple[str, str]:
    """The letters of a country before a postal code, and its digits: 4 or 5, or a department's."""
    plain = _WRITTEN.sub(lambda m: "".join(m[0].split()).upper().replace("O", "0"), code)
    if match := _ZIP.search(plain):
        return match[1] or "", match[2]
    short = _CODE.fullmatch(plain.strip())
    return "", short[1].upper() if short else ""


def _department(digits: str) -> str:
    if digits.startswith("20"):
        return "2A" if digits < "202" else "2B"
    return digits[:3] if digits.startswith(("97", "98")) else digits[:2]


def largest_of(level: Level, code: str) -> Place | None:
    """The largest town of a department or region, which stands for it; None if there is none."""
    return _largest().get((level, code))


@cache
def _largest() -> dict[tuple[str, str], Place]:
    out: dict[tuple[str, str], Place] = {}
    for place in gazetteers.places():
        out.setdefault(("department", place.department), place)
        out.setdefault(("region", place.region), place)
    return out


@cache
def codes_of(place: Place) -> tuple[str, ...]:
    """The postal codes of a place or of the nearest that has any, in its own country; else none."""
    if place.zips:
        return place.zips
    known = _known().get(place.country, {})
    if (own := known.get((place.department, place.name))) is not None:
        return own[1]
    flat = math.cos(math.radians(place.latitude))

    def away(other: Place) -> float:
        east = (other.longitude - place.longitude) * flat
        return math.hypot(east, other.latitude - place.latitude)

    nearest = min(known.values(), key=lambda one: (away(one[0]), one[0].code), default=None)
    return () if nearest is None else nearest[1]


_Known = dict[tuple[str, str], tuple[Place, tuple[str, ...]]]


@cache
def _known() -> dict[str, _Known]:
    every = postal_codes()
    found: dict[str, _Known] = {country: {} for country, _, _ in every}
    for place in gazetteers.places():
        key = (place.department, place.name)
        codes = every.get((place.country, *key))
        if codes is not None and key not in found[place.country]:  # the largest of that name
            found[place.country][key] = (place, codes)
    return found
