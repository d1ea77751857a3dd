"""Postal codes and fixed lines against towns."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from dpdeid.evaluate.coherence.cues import cue
from dpdeid.evaluate.coherence.facts import Clash, Kind, Note, Phone, Town, Zip
from dpdeid.evaluate.coherence.reading.places import apart, codes_of, institutions, longest
from dpdeid.french.phones import ranges
from dpdeid.french.tables import rows
from dpdeid.gazetteers import Place, place_key, places_named, places_with_zip


def zip_town(note: Note) -> Iterator[Clash]:
    """A postal code that the town beside it has not."""
    for one in note.zips:
        if not _has(one):
            yield Kind.ZIP_TOWN, one.at, one.town.at


def _has(one: Zip) -> bool:
    if len(one.code) == 5:
        french = [place for place in one.town.places if place.country == "FR"]
        if not french:
            return one.country not in ("", "FR") or not places_with_zip(one.code)
        if any(one.code in place.zips for place in french):
            return True
        same = any(z[:2] == one.code[:2] for place in french for z in place.zips)
        if one.cedex or not places_with_zip(one.code):
            return same
        near = places_with_zip(one.code)
        words = {w for w in place_key(french[0].name).split() if len(w) > 4} - _COMMON
        if any(words & set(place_key(place.name).split()) for place in near):
            return True
        return same and not apart(french, near, 12.0)
    return _has_abroad(one)


_COMMON: Final = {*cue("common_in_towns").split("|")}


def _has_abroad(one: Zip) -> bool:
    key = place_key(one.town.places[0].name)
    codes = codes_of(key, one.country)
    if not codes or one.code in codes or (key == "bruxelles" and "1000" <= one.code < "1300"):
        return True
    near = 100 if one.country == "LU" else 40
    return any(abs(int(code) - int(one.code)) < near for code in codes)


_PLAIN_PHONE: Final = 3


def phone_town(note: Note) -> Iterator[Clash]:
    """A fixed line whose area is not that of the town beside it."""
    taken = [n.at for n in note.numbers] + [d.at for d in note.days]
    for phone in note.phones:
        if any(start <= phone.at[0] < end for start, end in taken):
            continue
        towns = _beside(note, phone)
        if not towns:
            continue
        served = [_serves(phone, town) for town in towns]
        if all(fits is False for fits in served):
            yield Kind.PHONE_TOWN, towns[-1].at, phone.at


def _beside(note: Note, phone: Phone) -> list[Town]:
    """The towns of the line of a number, else those of the address above it."""
    flat = note.flat
    start, end = flat.rfind("\n", 0, phone.at[0]) + 1, flat.find("\n", phone.at[1])
    end = len(flat) if end < 0 else end
    for stop in re.finditer(
        r"[.;] (?=[A-ZÀ-Ü])(?!T[ée]l|TEL|Fax|Standard|Secr)", note.text[start:end]
    ):
        if start + stop.end() <= phone.at[0]:
            start += stop.end()
            break
    start = max(start, phone.at[0] - 130)
    houses = [town for _, _, town in institutions(note)]
    anchors = [*(one.town for one in note.zips), *houses]
    at = {town.at: town for town in (*note.towns, *anchors)}
    every, anchored = [at[place] for place in sorted(at)], {town.at for town in anchors}
    before = [t for t in every if start <= t.at[0] < phone.at[0]]
    behind = [
        t
        for t in every
        if phone.at[1] <= t.at[0] < min(end, phone.at[1] + 60)
        and not re.search(r"[:.]", flat[phone.at[1] : t.at[0]])
    ]
    if before:
        close = any(t.at in anchored or phone.at[0] - t.at[1] < 60 for t in before)
        prose = re.search(
            r"\b(?:chez|retour|vit|habite|rappel\w*|joindre|fax\w* au|resultats?|envoi\w*)\b",
            flat[before[-1].at[0] - 12 : phone.at[0]],
        )
        if close and not (prose and before[-1].at not in anchored):
            return before
    told = _told_town(note, every, phone)
    if told and _LINE.search(flat[max(start, phone.at[0] - 45) : phone.at[0]]):
        return [told]
    if before:
        return []
    if behind:
        return behind if any(t.at in anchored for t in behind) else []
    label = re.fullmatch(
        r"[^a-z]*(?:tel|fixe|ligne|standard|fax)[^\d\n]{0,25}", flat[start : phone.at[0]]
    )
    for _ in range(_PLAIN_PHONE):
        end, start = start - 1, flat.rfind("\n", 0, max(0, start - 1)) + 1
        if end <= 0 or not flat[start:end].strip() or flat[start:end].rstrip().endswith("."):
            return []
        near = [t for t in every if start <= t.at[0] < end]
        address = [z for z in note.zips if start <= z.at[0] < end]
        house = [t for t in houses if start <= t.at[0] < end]
        if address or house:
            return near
        place = re.search(r"[:,] ?(?:a |[àa] )?([A-ZÀ-Ü][\w'’ -]+)$", note.text[start:end].rstrip())
        if not label or not place:
            continue
        if town := longest(note.text, start + place.start(1), start + place.end(1)):
            return [town]
    return []


_LINE: Final = re.compile(
    r"\b(?:fixe|ligne|standard|secretariat|domicile|maison|officine|cabinet|chez (?:elle|lui|"
    r"eux))\b"
)


def _told_town(note: Note, every: list[Town], phone: Phone) -> Town | None:
    """The town of the sentence before a fixed line, else the only one of the two lines above."""
    begin = max(note.flat.rfind("\n\n", 0, phone.at[0]), phone.at[0] - 220, 0)
    above = [t for t in every if begin <= t.at[0] < phone.at[0]]
    sentence = [t for t in above if not re.search(r"[.;\n] ?", note.between(t, phone))]
    if sentence:
        return sentence[-1]
    return above[-1] if len({note.flat[slice(*t.at)] for t in above}) == 1 else None


def _serves(phone: Phone, town: Town) -> bool | None:
    """Whether a number may be of a town; None where it cannot be told."""
    if phone.plan in ("FR", "OM"):
        french = [
            place for place in town.places if place.country == "FR" and place.department < "986"
        ]
        if not french or not any(p.population > 200 for p in french):
            return None
        areas = {
            a
            for one in ranges(phone.plan, "landline")
            if phone.prefix.startswith(one.prefix[:4])
            and one.prefix in (phone.prefix, phone.prefix[:2])
            for a in one.areas
        }
        if not areas:
            return None
        if phone.prefix == "0262":
            areas |= {"976"}
        return any(place.department in areas or _border(phone.prefix, place) for place in french)
    country = phone.plan
    own = [place for place in town.places if place.country == country]
    own = [place for place in own if place.population * 10 >= own[0].population]
    if not own:
        return None
    served = (row for row in rows("phone_areas") if row[0] == country)
    names = (
        name for _, head, of in served if phone.prefix.startswith(head) for name in of.split("|")
    )
    centres = [place for name in names for place in places_named(name) if place.country == country]
    return not apart(own, centres, 30.0) if centres else None


def _border(prefix: str, place: Place) -> bool:
    """Whether a commune lies at the edge of its zone, where a neighbour's may serve it."""
    return place.department in ("60", "27", "28", "45", "89", "10", "51") and prefix == "01"
