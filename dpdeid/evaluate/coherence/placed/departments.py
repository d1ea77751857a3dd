"""Departments, cantons and regions against towns."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from dpdeid.evaluate.coherence.facts import Clash, Kind, Note, Town
from dpdeid.french.areas import postal_codes
from dpdeid.gazetteers import departments, place_key, places_named, regions

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
            key = place_key(note.text[slice(*town.at)])
            if country == "CH":
                own |= {a for (c, a, t) in postal_codes() if c == "CH" and place_key(t) == key}
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
