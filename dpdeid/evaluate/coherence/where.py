"""Towns against postal codes, telephone areas, departments and institutions."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Iterator
from functools import cache
from importlib.resources import files
from typing import Final

from dpdeid.evaluate.coherence.facts import Clash, Kind, Note, Phone, Town, Zip
from dpdeid.evaluate.coherence.reading.institutions import institutions
from dpdeid.evaluate.coherence.reading.places import longest
from dpdeid.french.areas import postal_codes
from dpdeid.french.phones import ranges
from dpdeid.gazetteers import Place, departments, place_key, places_named, places_with_zip, regions

FAR: Final = 60.0
"""Kilometres: what lies further off is no neighbour."""


@cache
def _rows(name: str) -> tuple[tuple[str, ...], ...]:
    lines = (
        (files("dpdeid.evaluate.coherence") / f"{name}.tsv")
        .read_text(encoding="utf-8")
        .splitlines()
    )
    return tuple(tuple(line.split("\t")) for line in lines if line and not line.startswith("#"))


def km(one: Place, other: Place) -> float:
    """The distance of two places, on a sphere of 6371 km."""
    north, south = math.radians(one.latitude), math.radians(other.latitude)
    east = math.radians(one.longitude - other.longitude)
    cosine = math.sin(north) * math.sin(south) + math.cos(north) * math.cos(south) * math.cos(east)
    return 6371 * math.acos(min(1.0, max(-1.0, cosine)))


def apart(one: Iterable[Place], other: Iterable[Place], reach: float = FAR) -> bool:
    """Whether no place of one name lies near one of the other."""
    return all(km(a, b) > reach for a in one for b in other)


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


_COMMON: Final = {"saint", "sainte", "saints", "grand", "grande", "petit", "mont", "ville", "château"}


def _has_abroad(one: Zip) -> bool:
    key = place_key(one.town.places[0].name)
    codes = {
        c
        for (country, _, town), listed in postal_codes().items()
        for c in listed
        if place_key(town) == key and one.country in ("", country)
    }
    if not codes or one.code in codes or (key == "bruxelles" and "1000" <= one.code < "1300"):
        return True
    return any(abs(int(code) - int(one.code)) < 40 for code in codes)


_CODE: Final = re.compile(
    r"(?:[ ,|;-]{1,4}|\n)(?i:dép\.?|dépt|dpt|dep|département|departement|canton) ?[:|]? ?"
    r"(?P<d>\d\d\b|2[AB]|97\d|[A-Z]{2})|"
    r",? ?\((?:dpt |dept |département |dep\.? )?(?P<c>\d\d|2[AB]|97\d)\)|,? ?\("
    r"(?P<k>[A-Z]{2})\)|(?:,? ?\(|,? (?:dans|en) (?:le |la |les |l['’])?|, )"
    r"(?P<n>[A-ZÀ-Ü][a-zà-ü]+(?:[- ][A-Za-zÀ-ü'’]+){0,4})"
)
_CANTONS: Final = frozenset(
    [
        "AG",
        "AI",
        "AR",
        "BE",
        "BL",
        "BS",
        "FR",
        "GE",
        "GL",
        "GR",
        "JU",
        "LU",
        "NE",
        "NW",
        "OW",
        "SG",
        "SH",
        "SO",
        "SZ",
        "TG",
        "TI",
        "UR",
        "VD",
        "VS",
        "ZG",
        "ZH",
    ]
)


def department_town(note: Note) -> Iterator[Clash]:
    """A department, canton or region, by word or code, against the town before it."""
    for town in _all_towns(note):
        match = _CODE.match(note.text, town.at[1])
        if match is None:
            continue
        if match["d"] or match["c"] or match["k"]:
            group = next(g for g in ("d", "c", "k") if match[g])
            if group == "k" and match["k"] not in _CANTONS:
                continue
            country = "CH" if match[group].isalpha() else "FR"
            own = {place.department for place in town.places if place.country == country}
            if own and match[group] not in own:
                yield Kind.DEPARTMENT_TOWN, town.at, match.span(group)
        else:
            yield from _by_word(note, town, match)


def _all_towns(note: Note) -> Iterator[Town]:
    """Towns that are meant, and capital words before a code in brackets."""
    seen = set()
    for town in note.towns:
        seen.add(town.at[1])
        yield town
    for match in re.finditer(
        r"\b(?:de|à|a|vers|sur|ch|chu|hôpital|hopital) (?P<t>[a-zà-ü][a-zà-ü' -]{2,30}?),? ?"
        r"\((?:\d\d|2[abAB]|97\d)\)",
        note.text,
    ):
        places = places_named(match["t"])
        if match.end("t") not in seen and places and places[0].population > 3000:
            yield Town(match.span("t"), places)
    for match in re.finditer(
        (
            r"(?P<t>[A-ZÀ-Ü][\w'’]+(?:[- ](?:[a-zé]{1,4}[- ]|"
            r"[ld]['’])*[A-ZÀ-Ü][\w'’]+)*),? ?\((?:\d\d|2[AB]|97\d|[A-Z]{2}|"
            r"[A-Z][a-zà-ü-]{3,})"
        ),
        note.text,
    ):
        start, end = match.span("t")
        places = places_named(note.text[start:end])
        if end not in seen and places and places[0].population > 3000:
            yield Town((start, end), places)


def _by_word(note: Note, town: Town, match: re.Match[str]) -> Iterator[Clash]:
    bracket = "(" in match[0] or " dans " in match[0] or " en " in match[0]
    words = re.split(" ", match["n"])
    for cut in range(len(words), 0, -1):
        name = " ".join(words[:cut])
        key = place_key(name)
        areas: dict[str, set[str]] = {}
        if key in departments():
            areas["department"] = {departments()[key]}
        if key in regions():
            areas.setdefault("region", {regions()[key]})
        if not areas:
            continue
        if not bracket and (places_named(name) or note.flat[match.end()] not in ",.;)\n "):
            return
        known = [place for place in town.places if place.country in ("FR", "CH", "BE")]
        fits = any(
            place.department in areas.get("department", ())
            or place.region in areas.get("region", ())
            for place in known
        )
        if (
            known
            and not fits
            and "Paris" not in name
            and not (cut == len(words) and places_named(name) and not bracket)
        ):
            end = match.start("n") + len(name)
            yield Kind.DEPARTMENT_TOWN, town.at, (match.start("n"), end)
        return


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
    every = sorted(
        {
            t.at: t
            for t in (
                *note.towns,
                *(z.town for z in note.zips),
                *(t for _, _, t in institutions(note)),
            )
        }.values(),
        key=lambda t: t.at,
    )
    before = [t for t in every if start <= t.at[0] < phone.at[0]]
    behind = [
        t
        for t in every
        if phone.at[1] <= t.at[0] < min(end, phone.at[1] + 60)
        and not re.search(r"[:.]", flat[phone.at[1] : t.at[0]])
    ]
    anchored = {z.town.at for z in note.zips} | {t.at for _, _, t in institutions(note)}
    if before:
        close = any(t.at in anchored or phone.at[0] - t.at[1] < 60 for t in before)
        prose = re.search(
            r"\b(?:chez|retour|vit|habite|rappel\w*|joindre|fax\w* au|resultats?|envoi\w*)\b",
            flat[before[-1].at[0] - 12 : phone.at[0]],
        )
        return before if close and not (prose and before[-1].at not in anchored) else []
    if behind:
        return behind if any(t.at in anchored for t in behind) else []
    label = re.fullmatch(r"[^a-z]*(?:tel|fixe|ligne|standard|fax)[^\d\n]{0,25}", flat[start : phone.at[0]])
    for _ in range(_PLAIN_PHONE):
        end, start = start - 1, flat.rfind("\n", 0, max(0, start - 1)) + 1
        if end <= 0 or not flat[start:end].strip() or flat[start:end].rstrip().endswith("."):
            return []
        near = [t for t in every if start <= t.at[0] < end]
        address = [z for z in note.zips if start <= z.at[0] < end]
        house = [t for _, _, t in institutions(note) if start <= t.at[0] < end]
        if address or house:
            return near
        place = re.search(r"[:,] ?(?:a |[àa] )?([A-ZÀ-Ü][\w'’ -]+)$", note.text[start:end].rstrip())
        if label and place and (town := longest(note.text, start + place.start(1), start + place.end(1))):
            return [town]
    return []


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
    centres = [
        place
        for code, prefix, names in _rows("phone_areas")
        if code == country and phone.prefix.startswith(prefix)
        for name in names.split("|")
        for place in places_named(name)
        if place.country == country
    ]
    return not apart(own, centres, 30.0) if centres else None


def _border(prefix: str, place: Place) -> bool:
    """Whether a commune lies at the edge of its zone, where a neighbour's may serve it."""
    return place.department in ("60", "27", "28", "45", "89", "10", "51") and prefix == "01"


_UNIVERSITY: Final = re.compile(r"(?i)chru|chu|c\.h\.u|chr\b|universitaire|régional|regional")


@cache
def _seats() -> tuple[Place, ...]:
    """The towns with a CHU or CHR, and where their houses stand."""
    names = [name for kind, name, *_ in _rows("institutions") if kind == "chu"]
    return tuple(place for name in names for place in places_named(name)[:1])


@cache
def _named() -> dict[str, tuple[str, ...]]:
    """Flat name of a house → the towns where it is."""
    return {
        name: tuple(towns.split("|"))
        for kind, name, towns in _rows("institutions")
        if kind == "house"
    }


def institution_town(note: Note) -> Iterator[Clash]:
    """An institution at a town where it cannot be."""
    for kind, at, town in institutions(note):
        shown = note.flat[slice(*town.at)]
        if place_key(shown) in regions() or place_key(shown) in departments():
            continue
        if shown.startswith(("saint", "sainte")) and note.flat[at[1] : town.at[0]] == " ":
            if kind.lower().startswith(("h", "clinique", "ehpad", "matern")):
                continue  # a patron
        if _UNIVERSITY.fullmatch(kind) or _UNIVERSITY.search(kind):
            cut = note.flat[at[1] : town.at[0]].strip()
            if cut in ("", "de", "d'", "d’") and not _has_university(kind, town):
                yield Kind.INSTITUTION_TOWN, at, town.at
                continue
        behind = _address(note, town)
        if behind is not None and not _one_seat(town, behind):
            yield Kind.INSTITUTION_TOWN, town.at, behind.at
    yield from _houses(note)


def _has_university(kind: str, town: Town) -> bool:
    name = place_key(town.places[0].name)
    listed = {place_key(place.name) for place in _seats()}
    if name in listed or any(place_key(place.name) in listed for place in town.places):
        return True
    largest = town.places[0]
    if largest.country != "FR":
        return True
    if largest.population < 2000 and any(km(largest, seat) < 40 for seat in _seats()):
        return True
    return any(km(largest, seat) < 12 for seat in _seats())


_GOES: Final = re.compile(
    r"\b(?:vers|puis|pour|a|et|ou|chez|domicili\w+|habit\w+|transf\w+|demeur\w+|par|"
    r"est|adresse|ne[e]?|patiente?|nom|m|mme|dr)\b"
)


def _address(note: Note, town: Town) -> Town | None:
    """The town of the address behind an institution, on its line or the two below."""
    for one in note.zips:
        gap = note.flat[town.at[1] : one.at[0]]
        if (
            0 <= one.at[0] - town.at[1] <= 110
            and gap.count("\n") <= 2
            and "\n\n" not in gap
            and not _GOES.search(gap)
            and "." not in gap.replace("bd.", "").replace("av.", "")
        ):
            return one.town
    for other in note.towns:
        gap = note.flat[town.at[1] : other.at[0]]
        if re.fullmatch(r" ?(?:\(|, |– |- )", gap) and len(gap) <= 4:
            behind = note.flat[other.at[1] : other.at[1] + 4]
            if "(" in gap or not re.match(r" ?(?:et|,|-)", behind):
                return other if not re.match(r" ?,? ?le\b", behind) else None
    return None


def _one_seat(town: Town, other: Town) -> bool:
    french = [p for p in town.places if p.country == "FR"] or list(town.places)
    theirs = [p for p in other.places if p.country == french[0].country] or list(other.places)
    return not apart(french, theirs, 70.0)


_STREET: Final = re.compile(r"\b(?:vers|domicile|rue|avenue|bd|boulevard|place)\b")


_TIGHT: Final = tuple(
    re.compile(form)
    for form in (
        r"(?:[ -](?:enfants?[ -]malades?|sud|nord|est|ouest))? ?(?:,? a |,? de |,? d'|,? \(|,|[|]|–|-|:|\n|"
        r",? (?:est )?situee? a |[|,;\n] ?(?:localite|ville|lieu|commune|site) :)? ?"
        r"(?:chu de |(?:b-|ch-|l-)?\d{4,5} )?(?=\w)(?!(?:de|a|est|d') ?)",
        r",? [^\n.;:]{0,12}\d{0,4},? ?(?:rue|avenue|av|bd|boulevard|place|route|chemin|quai|allee)\b"
        r"[^\n.;]{2,40}, ?(?:(?:b-|ch-|l-)?\d{4,5} )?(?=\w)(?!(?:de|a|est|d') ?)",
    )
)


def _houses(note: Note) -> Iterator[Clash]:
    """ "Hôpital Pellegrin, Nantes", "HUG de Lausanne": a known house at another town."""
    for name, seats in _named().items():
        for match in re.finditer(rf"(?<![\w-]){re.escape(name)}(?![\w-])", note.flat):
            if _STREET.search(note.flat[max(0, match.start() - 15) : match.start()]):
                continue
            places = [place for seat in seats for place in places_named(seat)]
            for form in _TIGHT:
                if (gap := form.match(note.flat, match.end())) is None:
                    continue
                end = note.flat.find("\n", gap.end())
                end = min(len(note.flat) if end < 0 else end, gap.end() + 40)
                town = longest(note.text, gap.end(), end)
                if town is None or max(p.population for p in town.places) < 1000:
                    continue
                shown = note.text[slice(*town.at)]
                if shown[0].isupper() or (note.text[match.start()].islower() and " de" in gap[0]):
                    if apart(places, town.places, 30.0):
                        yield Kind.INSTITUTION_TOWN, match.span(), town.at
                    break
