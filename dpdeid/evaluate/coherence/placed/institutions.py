"""Institutions against the towns where they are."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from typing import Final

from dpdeid.evaluate.coherence.cues import cue, table
from dpdeid.evaluate.coherence.facts import Clash, Kind, Note, Town
from dpdeid.evaluate.coherence.reading.places import apart, institutions, km, longest
from dpdeid.gazetteers import Place, departments, place_key, places_named, regions

_UNIVERSITY: Final = re.compile(r"(?i)chru|chu|c\.h\.u|chr\b|universitaire|régional|regional")


@cache
def _seats() -> tuple[Place, ...]:
    """The towns with a CHU or CHR, and where their houses stand."""
    names = [name for kind, name, *_ in table("institutions") if kind == "chu"]
    return tuple(place for name in names for place in places_named(name)[:1])


@cache
def _named() -> dict[str, tuple[str, ...]]:
    """Flat name of a house → the towns where it is."""
    return {
        name: tuple(towns.split("|"))
        for kind, name, towns in table("institutions")
        if kind == "house"
    }


def institution_town(note: Note) -> Iterator[Clash]:
    """An institution at a town where it cannot be."""
    for kind, at, town in institutions(note):
        shown = note.flat[slice(*town.at)]
        if place_key(shown) in regions() or place_key(shown) in departments():
            continue
        bare = not re.search(r"\b(?:de |d['’])$", note.flat[at[1] : town.at[0]])
        if bare and _may_be_patron(kind, shown, town):
            continue
        if _UNIVERSITY.fullmatch(kind) or _UNIVERSITY.search(kind):
            cut = note.flat[at[1] : town.at[0]].strip()
            if cut in ("", "de", "d'", "d’") and not _has_university(kind, town):
                yield Kind.INSTITUTION_TOWN, at, town.at
                continue
        behind = None if bare and shown.startswith("saint") else _address(note, town)
        if behind is not None and not _one_seat(town, behind):
            yield Kind.INSTITUTION_TOWN, town.at, behind.at
    yield from _houses(note)
    yield from _own_house(note)


_OURS: Final = re.compile(
    r"\b(?:fait au|notre|a notre|dans notre) (?:chu|hopital|clinique|laboratoire|etablissement|"
    r"service),? a "
)


def _own_house(note: Note) -> Iterator[Clash]:
    """ "CHU de Nantes … Fait au CHU, à Clermont-Ferrand"."""
    houses = institutions(note)
    for match in _OURS.finditer(note.flat) if len(houses) == 1 else ():
        town = longest(note.text, match.end(), min(len(note.text), match.end() + 40))
        if town is not None and apart(houses[0][2].places, town.places, 70.0):
            yield Kind.INSTITUTION_TOWN, houses[0][2].at, town.at


def _may_be_patron(kind: str, shown: str, town: Town) -> bool:
    """Whether a name without "de" before it may be a saint's or a person's: "Clinique Pasteur"."""
    if not kind.lower().startswith(("h", "clinique", "ehpad", "matern")):
        return False
    return shown.startswith("saint") or max(place.population for place in town.places) < 10_000


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


_GOES: Final = re.compile(rf"\b(?:{cue('goes_elsewhere')})\b")


def _address(note: Note, town: Town) -> Town | None:
    """The town of the address behind an institution, on its line or the two below."""
    for one in note.zips:
        gap = note.between(town, one)
        near = 0 <= one.at[0] - town.at[1] <= 110 and gap.count("\n") <= 2
        ended = "\n\n" in gap or "." in gap.replace("bd.", "").replace("av.", "")
        if near and not ended and not _GOES.search(gap):
            return one.town
    for other in note.towns:
        gap = note.between(town, other)
        if place_key(note.flat[slice(*other.at)]) in {*regions(), *departments()}:
            continue
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
        r"(?:[ -](?:enfants?[ -]malades?|sud|nord|est|ouest))? ?(?:,? a |,? de |,? d'|,? \(|"
        r"[|,;\n] ?(?:localite|ville|lieu|commune|site) :|"
        r",? (?:est )?situee? a |,|[|]|–|-|:|\n)? ?"
        r"(?:chu de |(?:b-|ch-|l-)?\d{4,5} )?(?=\w)(?!(?:de|a|est|d'|localite|ville|lieu|commune|"
        r"site) ?)",
        r"(?:,|\n)? ?[^\n.;:]{0,12}\d{0,4},? ?(?:rue|avenue|av|bd|boulevard|place|route|chemin|"
        r"quai|"
        r"allee)\b"
        r"[^\n.;]{2,40}, ?(?:(?:b-|ch-|l-)?\d{4,5} )?(?=\w)(?!(?:de|a|est|d') ?)",
    )
)


def _houses(note: Note) -> Iterator[Clash]:
    """ "Hôpital Pellegrin, Nantes", "HUG de Lausanne": a known house at another town."""
    for name, seats in _named().items():
        for match in re.finditer(
            rf"(?<![\w-]){re.escape(name)}(?!\w|-(?!enfants|sud|nord))", note.flat
        ):
            if _STREET.search(note.before(match.start(), 15)):
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
