"""Reading of CITY and ZIP mentions: which place each one is, and which mentions are one address.

Everything follows from the texts, their adjacency and the public lists. A postal code and the city
beside it are one place if the code belongs there, or if no list knows one of them ("29000
Kerfeuntein"); if not they are two. What no list knows stays unknown, and gets a surrogate that does
not depend on it.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from typing import Final, Literal

from dpdeid import gazetteers
from dpdeid.document import Document, Mention
from dpdeid.gazetteers import Place, place_key, place_list_name
from dpdeid.labels import Label

Level = Literal["city", "zip", "department", "region"]

_ZIP: Final = re.compile(r"(?:([A-Z]{1,2})[- ]?)?(\d{4,5})")
_WRITTEN: Final = re.compile(r"(?<!\w)(?=\w*\d)[\dOo]{2}\s?[\dOo]{3}(?!\w)")
"""A French postal code, with its space and with letters that OCR made of zeros."""
_COUNTRY_OF: Final = {"F": "FR", "FR": "FR", "CH": "CH", "B": "BE", "BE": "BE", "L": "LU"}
_CODE: Final = re.compile(r"\(?(\d\d|2[ABab]|9[78]\d)\)?")
_CANTON_CODE: Final = re.compile(r"[A-Z]{2}")
_ARTICLE: Final = re.compile(r"(?<!\w)(au|aux|du|des|le|la|les)\s$", re.IGNORECASE)
_FULL: Final = {"au": "le", "du": "le", "aux": "les", "des": "les"}
_BETWEEN: Final = re.compile(r"[\s,(–-]{0,6}")
_GENERIC: Final = re.compile(
    r"(?:la |le |les |l )?(?:region|canton|departement|agglomeration|banlieue|peripherie|commune"
    r"|ville|ile|district) (?:de la |de l |des |du |de |d )?"
)
_LEADING: Final = re.compile(r"(?:la|les?|l) ")
_LARGE: Final = 20_000
"""A town of that many people is meant rather than the department of the same name."""


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


def read(mentions: Sequence[Mention], documents: Sequence[Document]) -> list[Locality]:
    """The locality of each mention, in their order."""
    found: list[Locality | None] = [None] * len(mentions)
    names = [_named(mention, documents) for mention in mentions]
    by_key: dict[str, Locality] = {}
    beside = [
        (i, i + 1) if mentions[i].label is Label.CITY else (i + 1, i)
        for i in range(len(mentions) - 1)
        if _touch(mentions[i], mentions[i + 1], documents)
    ]
    for city, code in beside:
        place = _agreed(names[city], mentions[code].text)
        if place is not None and found[city] is None:
            town = found[city] = by_key[place_key(names[city])] = _town(place)
            found[code] = replace(town, level="zip")
    homes = Counter(place_list_name(one.place) for one in by_key.values() if one.place)
    home = min(homes, key=lambda name: (-homes[name], name)) if homes else "FR"
    for city, code in beside:
        if found[city] is None and found[code] is None:
            town, post = _city(names[city], by_key, home), _zip(names[code])
            if town.place is None or (post.place is None and town.level == "city"):
                town = town if post.place is None else replace(post, level="city")
                found[city] = by_key[place_key(names[city])] = town
                found[code] = replace(town, level="zip")
    return [
        one or (_city(name, by_key, home) if m.label is Label.CITY else _zip(name))
        for one, m, name in zip(found, mentions, names, strict=True)
    ]


def _named(mention: Mention, documents: Sequence[Document]) -> str:
    """The text of a mention, with the article before it if a town is called so ("au Mans")."""
    text, start = mention.text, mention.span.start
    before = documents[mention.document].text
    article = _ARTICLE.search(before, max(0, start - 4), start)
    if mention.label is not Label.CITY or article is None or _is_area(place_key(text)):
        return text
    word = article[1].lower()
    whole = f"{_FULL.get(word, word)} {text}"
    return whole if gazetteers.places_named(whole) else text


def _is_area(key: str) -> bool:
    return key in gazetteers.departments() or key in gazetteers.regions()


def _touch(a: Mention, b: Mention, documents: Sequence[Document]) -> bool:
    if a.document != b.document or a.label is b.label or b.span.start - a.span.end > 6:
        return False
    between = documents[a.document].text[a.span.end : b.span.start]
    return _BETWEEN.fullmatch(between) is not None


def _agreed(city: str, code: str) -> Place | None:
    """The town of that name to which the postal code belongs, or at least its department."""
    prefix, digits = _digits(code)
    towns = gazetteers.places_named(city)
    if len(digits) == 4:
        country = _COUNTRY_OF.get(prefix or "")
        abroad = (t for t in towns if t.country != "FR" and country in (None, t.country))
        return next(abroad, None)
    exact = (town for town in towns if digits in town.zips)
    near = (town for town in towns if town.department == _department(digits))
    return next(exact, None) or next(near, None)


def _town(place: Place) -> Locality:
    return Locality("city", f"{place.country} {place.code}", place)


def _city(text: str, by_key: Mapping[str, Locality], home: str) -> Locality:
    key = place_key(text)
    if key in by_key:
        return by_key[key]
    if (code := _CODE.fullmatch(text)) and _largest_in(code[1].upper()):
        return _area("department", code[1].upper())
    if home == "CH" and key == "jura":
        return _area("department", "JU")
    if _CANTON_CODE.fullmatch(text) and text in gazetteers.departments().values():
        return _area("department", text)
    for name in (key, _GENERIC.sub("", key, count=1)):
        towns = gazetteers.places_named(name)
        at_home = next((town for town in towns if place_list_name(town) == home), None)
        town = at_home or next(iter(towns), None)
        if town is None or town.population < _LARGE:
            area = _area_named(name) or _area_named(_LEADING.sub("", name, count=1))
            if area is not None and not (towns and towns[0].population >= _LARGE):
                return area
            town = next(iter(towns), None)  # Berne, and not the village Berné
        if town is not None:
            return _town(town)
    return Locality("city", f"unknown {key}")


def _area_named(name: str) -> Locality | None:
    """The department or region of that name, without an article before it."""
    if name in gazetteers.departments():
        return _area("department", gazetteers.departments()[name])
    if name in gazetteers.regions():
        return _area("region", gazetteers.regions()[name])
    return None


def _area(level: Level, code: str) -> Locality:
    place = _largest_in(code) if level == "department" else _largest_in_region(code)
    return Locality(level, f"{level} {code}", place, code)


def _zip(text: str) -> Locality:
    digits = _digits(text)[1]
    place = next(iter(gazetteers.places_with_zip(digits)), None)
    if place is None and len(digits) in (2, 3, 5):
        place = _largest_in(_department(digits))
    return Locality("zip", f"zip {digits or text}", place)


def _digits(code: str) -> tuple[str, str]:
    """The letters of a country before a postal code, and its digits: four or five, fewer for a
    department, none for what is no such code.
    """
    plain = _WRITTEN.sub(lambda m: "".join(m[0].split()).upper().replace("O", "0"), code)
    if match := _ZIP.search(plain):
        return match[1] or "", match[2]
    short = _CODE.fullmatch(plain.strip())
    return "", short[1].upper() if short else ""


def _department(digits: str) -> str:
    """The department of a French postal code."""
    if digits.startswith("20"):
        return "2A" if digits < "202" else "2B"
    return digits[:3] if digits.startswith(("97", "98")) else digits[:2]


@cache
def _largest() -> dict[str, Place]:
    out: dict[str, Place] = {}
    for place in gazetteers.places():
        out.setdefault(place.department, place)
    return out


@cache
def _largest_by_region() -> dict[str, Place]:
    out: dict[str, Place] = {}
    for place in gazetteers.places():
        out.setdefault(place.region, place)
    return out


def _largest_in(department: str) -> Place | None:
    """The largest town of a department, which stands for it."""
    return _largest().get(department)


def _largest_in_region(region: str) -> Place | None:
    return _largest_by_region().get(region)
