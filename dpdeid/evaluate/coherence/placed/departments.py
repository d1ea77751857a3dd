"""Departments, cantons, provinces and regions against towns."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cache
from typing import Final

from dpdeid.evaluate.coherence.cues import any_of, cue, table
from dpdeid.evaluate.coherence.facts import At, Clash, Kind, Note, Town
from dpdeid.evaluate.coherence.reading.places import codes_of
from dpdeid.french.areas import postal_codes
from dpdeid.gazetteers import departments, place_key, places_named, regions

_PROVINCES: Final = {name: tuple(codes) for name, *codes in table("provinces")}
"""How the postal codes of a Belgian province begin (bpost)."""
_CANTONS: Final = frozenset(cue("cantons").split("|"))


@dataclass(frozen=True, slots=True)
class _Area:
    """A department, canton, province or region where it stands.

    Args:
        labelled: whether a word says what it is ("canton de", "dépt", brackets around a code).
        code: a department's or canton's; "" for what `name` tells.
    """

    at: At
    labelled: bool
    code: str = ""
    name: str = ""


def department_town(note: Note) -> Iterator[Clash]:
    """A department, canton, province or region, by word or code, against the town it is said of."""
    areas = list(_areas(note))
    done = set[At]()
    for town in _all_towns(note):
        for area in areas:
            if area.at in done or not _joined(note, town, area):
                continue
            done.add(area.at)
            if _lies_in(town, area) is False:
                yield Kind.DEPARTMENT_TOWN, town.at, area.at
            break


_LABEL: Final = (
    r"(?:departements?|depart\.|dept|dpt|dep|canton|province|region|ct)(?: de residence|"
    r" de naissance| d'habitation)?\.?"
    r"(?: ?[:|] ?| de la | de l'| du | des | de | d'| )"
)
_CODE: Final = re.compile(
    rf"(?P<l>{_LABEL})?\(?(?:{_LABEL})?(?<![\w./-])(?P<c>\d\d|2[ab]|97\d|[a-z]{{2}})(?![\w/-]|"
    rf"[.,]\d)"
)


@cache
def _names() -> re.Pattern[str]:
    every = {*departments(), *regions(), *_PROVINCES}
    every -= {"nord", "centre", "est", "sud", "ouest", "liege", "namur", "luxembourg", "anvers"}
    words = any_of(every)
    return re.compile(rf"(?P<l>{_LABEL})?(?<![\w-])(?P<n>{words}|nord(?=[),.]))(?![\w-])")


_OF_PROVINCE: Final = re.compile(
    r"\bprovince (?:de |d')(?P<n>liege|namur|luxembourg|anvers|limbourg)\b"
)


def _areas(note: Note) -> Iterator[_Area]:
    flat, text = note.flat, note.text
    for match in _CODE.finditer(flat):
        at = match.span("c")
        bracket = flat[at[0] - 1 : at[0]] == "(" and flat[at[1] : at[1] + 1] == ")"
        shown = text[slice(*at)]
        letters = shown.isalpha()
        named = match["l"] or bracket or re.search(rf"\({_LABEL}$", note.before(at[0], 20))
        swiss = letters and re.search(r"(?:^|\D)\d{4} [\w' -]{3,25} $", note.before(at[0], 32))
        if letters and (not shown.isupper() or shown not in _CANTONS):
            continue
        if named or swiss:
            yield _Area(at, True, code=shown.upper())
    for match in _OF_PROVINCE.finditer(flat):
        yield _Area(match.span("n"), True, name=match["n"])
    for match in _names().finditer(flat):
        at = match.span("n")
        if text[at[0]].isupper():
            yield _Area(at, bool(match["l"]), name=match["n"])


_FORWARD: Final = re.compile(r" ?\(|,? (?:dans|en) (?:le |la |les |l')?|, | ?[|;/–-] ?|\n| ")
_BACKWARD: Final = re.compile(
    r"(?:\)?,? ?(?:a|vers|sur|de) | ?[(:|;–-] ?|, |\n)(?:(?:ville|commune|localite|domicile|lieu|"
    r"a) ?[:|]? ?)?"
)


def _joined(note: Note, town: Town, area: _Area) -> bool:
    """Whether an area stands where that of a town does."""
    flat = note.flat
    if town.at[1] <= area.at[0] < town.at[1] + 45:
        gap = re.sub(rf"{_LABEL}$", "", flat[town.at[1] : area.at[0]])
        tight = not gap.strip() and not area.labelled
        moved = " en " in gap and re.search(r"\b(?:de|depuis|du) $", flat[: town.at[0]])
        return (
            bool(_FORWARD.fullmatch(gap)) and not tight and not moved and _is_meant(note, area, gap)
        )
    if area.at[1] <= town.at[0] < area.at[1] + 30:
        gap = flat[area.at[1] : town.at[0]]
        inside = area.labelled or re.search(
            r"\b(?:dans|en) (?:le |la |les |l')?$", flat[: area.at[0]]
        )
        return bool(_BACKWARD.fullmatch(gap)) and bool(inside) and " de " not in gap
    return False


def _is_meant(note: Note, area: _Area, gap: str) -> bool:
    """Whether a name is that of an area and not of a town: labelled, in brackets, or no town's."""
    if area.labelled or area.code or re.search(r"\(|\b(?:dans|en)\b", gap):
        return True
    behind = note.flat[area.at[1] : area.at[1] + 1]
    return not places_named(area.name) and (not behind or behind in ",.;)\n ")


def _lies_in(town: Town, area: _Area) -> bool | None:
    """Whether a town lies in an area; None where it cannot be told."""
    key = place_key(town.places[0].name)
    same = [one for article in ("Le", "La", "Les") for one in places_named(f"{article} {key}")]
    town = replace(town, places=(*town.places, *same))
    if area.code:
        country = "CH" if area.code.isalpha() else "FR"
        own = {place.department for place in town.places if place.country == country}
        if country == "CH":
            own |= {a for (c, a, t) in postal_codes() if c == "CH" and place_key(t) == key}
        return area.code in own if own else None
    known = [place for place in town.places if place.country in ("FR", "CH", "BE")]
    if not known or area.name in ("paris", "ile de france", "region parisienne"):
        return None
    prefixes = _PROVINCES.get(area.name)
    codes = codes_of(key, "BE")
    if prefixes and codes:
        return any(code.startswith(prefixes) for code in codes)
    home = departments().get(area.name), regions().get(area.name)
    return any(place.department == home[0] or place.region == home[1] for place in known)


def _all_towns(note: Note) -> Iterator[Town]:
    """Towns that are meant, and capital words before an area in brackets."""
    seen = set()
    for town in note.towns:
        seen.add(town.at[1])
        yield town
    for one in note.zips:
        if one.town.at[1] not in seen:
            seen.add(one.town.at[1])
            yield one.town
    for form in _BRACKETED:
        for match in form.finditer(note.text):
            places = places_named(match["t"])
            if match.end("t") not in seen and places and places[0].population > 3000:
                seen.add(match.end("t"))
                yield Town(match.span("t"), places)


_CAPITAL: Final = r"[A-ZÀ-Ü][\w'’]+(?:[- ](?:[a-zé]{1,4}[- ]|[ld]['’])*[A-ZÀ-Ü][\w'’]+)*"
_BRACKETED: Final = (
    re.compile(
        r"\b(?:de|à|a|vers|sur|ch|chu|hôpital|hopital) (?P<t>[a-zà-ü][a-zà-ü' -]{2,30}?),? ?"
        r"\((?:\d\d|2[abAB]|97\d)\)"
    ),
    re.compile(rf"(?P<t>{_CAPITAL}),? ?\((?:\d\d|2[AB]|97\d|[A-Z]{{2}}|[A-Z][a-zà-ü-]{{3,}})"),
    re.compile(rf"(?P<t>{_CAPITAL}),? (?:dans|en) (?:le |la |les |l['’])?[A-ZÀ-Ü]"),
    re.compile(
        rf"\b(?:[Dd]ans|[Ee]n) (?:le |la |les |l['’])?[A-ZÀ-Ü][\w' -]{{3,25}}, à (?P<t>{_CAPITAL})"
    ),
)
