"""Towns, postal codes, fixed lines and institutions of a note; how far places lie apart."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from dpdeid.document import Span
from dpdeid.evaluate.coherence.cues import cue
from dpdeid.evaluate.coherence.facts import At, Note, Phone, Town, Zip
from dpdeid.french.areas import postal_codes
from dpdeid.gazetteers import Place, place_key, places_named, places_with_zip
from dpdeid.labels import Label

_NAME: Final = (
    r"[A-ZÀ-Üa-zà-ü][\w'’.]*(?:[ -](?:(?:[dl]['’])?[A-ZÀ-Üa-zà-ü][\w'’.]*|\d{1,2}"
    r"(?:e|er|ème)?\b)){0,5}"
)
_BEFORE: Final = re.compile(
    rf"(?<![\w.,/-])(?:(?P<c>F|FR|CH|B|BE|L|LU)[- ])?(?P<z>\d{{5}}|\d{{2}} \d{{3}}|"
    rf"\d{{4}})(?:,? {{1,3}}|\)? ?- ?|\n)(?P<n>{_NAME})"
)
_BEHIND: Final = re.compile(
    rf"(?P<n>{_NAME})(?: ?\(|, | - |(?= \d{{5}}[ ]*(?:\n|$|[,.;|])) )(?:F-|CH-|B-)?"
    rf"(?P<z>\d{{5}})\)?(?![\d]| ?(?:U|UI|u|ui|mg|ml|g|unités|/))"
)
_FIELD: Final = re.compile(
    rf"(?i:code postal|\bcp) ?[:|]? {{0,3}}(?P<z>\d{{4,5}})[ |;,\n-]{{1,6}}(?i:ville|"
    rf"commune|localité|localite) ?[:|]? {{0,3}}(?P<n>{_NAME})"
)
_FIELD_BACK: Final = re.compile(
    rf"(?i:ville|commune|localité) ?[:|]? {{0,3}}(?P<n>{_NAME}?)[ |;,\n-]{{1,6}}"
    rf"(?i:code postal|cp) ?[:|]? {{0,3}}(?P<z>\d{{4,5}})"
)
_ANCHOR: Final = re.compile(
    r"(?:\b(?:à|À|A|de|d['’]|sur|DE|vers|VERS|chez|en|EN)[ ]?|\b(?:CHU|CHRU|CH|CHR|"
    r"CHI|CHG|EHPAD|HIA|GH|SSR|SAMU|Ville|ville|Hôpital|Clinique|commune|Commune)"
    r"(?: ?:)? "
    r"(?:de |d['’])?|\b(?i:domicile|commune|ville|localité|lieu|naissance|résidence|adresse|"
    r"site) : )$"
)


def towns(text: str, spans: Sequence[Span]) -> tuple[Town, ...]:
    """The places that spans or the words beside them say are meant."""
    found: dict[At, Town] = {}
    for span in spans:
        if (
            span.label is Label.CITY
            and not _in_street(text, span.start)
            and (town := town_at(text, span.start, span.end))
        ):
            found[town.at] = town
    for match in re.finditer(
        (
            r"(?<![\w-])(?=(?P<n>[A-ZÀ-Ü][\w'’]+(?:[ -](?:[a-z]{1,4}[ -]|"
            r"[dl]['’])*[A-ZÀ-Ü][\w'’]+){0,4}))"
        ),
        text,
    ):
        before = text[max(0, match.start() - 30) : match.start()]
        if not _ANCHOR.search(before) or _in_street(text, match.start()):
            continue
        if (town := longest(text, *match.span("n"))) and not _over(town.at, found):
            found[town.at] = town
    return tuple(found[at] for at in sorted(found))


def _over(at: At, found: dict[At, Town]) -> bool:
    return any(start < at[1] and at[0] < end for start, end in found)


def town_at(text: str, start: int, end: int) -> Town | None:
    """The town of a stretch, if it is one of the gazetteer."""
    places = places_named(text[start:end].replace("’", "'"))
    if places and _STREET.fullmatch(text, start, end) and text[end : end + 1] == " ":
        return None
    return Town((start, end), places) if places else None


def longest(text: str, start: int, end: int) -> Town | None:
    """The town that the first words of a stretch name, as many of them as may be."""
    ends = [m.start() for m in re.finditer(r"[ \n]", text[start:end])]
    for cut in [end - start, *reversed(ends)]:
        stop = start + len(text[start : start + cut].rstrip(" .,-"))
        if stop > start and (town := town_at(text, start, stop)):
            return town
    return None


def _last(text: str, start: int, end: int) -> Town | None:
    """The town that the last words of a stretch name."""
    for match in re.finditer(r"(?<![^\s])[A-ZÀ-Ü]", text[start:end]):
        if town := town_at(text, start + match.start(), end):
            return town
    return None


_STREET_WORD: Final = rf"(?i)\b(?:{cue('streets')})\b"
_STREET: Final = re.compile(rf"{_STREET_WORD}(?: (?:de|du|des|la|le|d'|de la))* ?$")
_IN_STREET: Final = re.compile(
    rf"(?:^|[\d,;()\n] ?){_STREET_WORD.removeprefix('(?i)')} [^\d,;()\n]*$", re.I
)
"""A town's name behind these is a street's."""


def _in_street(text: str, at: int) -> bool:
    """Whether the words before an offset are a street: "rue Désirée" before "Clary"."""
    before = text[max(0, at - 30) : at]
    return bool(_STREET.search(before) or _IN_STREET.search(before))


def zips(text: str) -> tuple[Zip, ...]:
    """Postal codes with the towns beside them."""
    found: dict[int, Zip] = {}
    for one in _zips(text):
        found.setdefault(one.at[0], one)
    return tuple(found[at] for at in sorted(found))


def _zips(text: str) -> Iterator[Zip]:
    for form in (_FIELD, _FIELD_BACK, _BEFORE, _BEHIND):
        for match in form.finditer(text):
            code = match["z"].replace(" ", "")
            start, end = match.span("n")
            if form is _BEFORE and _STREET.match(text[start:end].split(" ")[0] + " "):
                continue
            town = _last(text, start, end) if form is _BEHIND else longest(text, start, end)
            if town is None or (not text[town.at[0]].isupper() and form is not _BEFORE):
                continue
            if form is _BEHIND and _in_street(text, town.at[0]):
                continue
            country = match.groupdict().get("c") or ""
            country = {"F": "FR", "B": "BE", "L": "LU"}.get(country, country)
            if len(code) == 4 and not country and not _is_abroad(town, text, match.start("z")):
                continue
            if form is _BEFORE and text[match.end("z")] == "\n" and len(code) == 4:
                continue
            known = places_with_zip(code) or "edex" in text[end : end + 9].lower()
            beside = len(code) == 5 and form in (_BEFORE, _BEHIND)
            if beside and not known and not _area(code, town):
                continue
            if form is _BEFORE and not text[town.at[0]].isupper() and not places_with_zip(code):
                continue
            cedex = "cedex" in text[town.at[0] : town.at[1] + 9].lower()
            yield Zip(match.span("z"), code, town, cedex, country)


def _area(code: str, town: Town) -> bool:
    """Whether a code that is in no list begins as those of the town: one of a firm."""
    return any(z[:2] == code[:2] for place in town.places for z in place.zips)


def _is_abroad(town: Town, text: str, at: int) -> bool:
    """Whether a code of four digits is one: the town lies where they are, at the head of a line."""
    head = text[text.rfind("\n", 0, at) + 1 : at].rstrip()
    if head and head[-1] not in ",–-|:":
        return False
    return any(place.country in ("CH", "BE", "LU") for place in town.places)


_PHONE: Final = re.compile(
    r"(?<![\d.,/])(?:(?:\+|00) ?(?P<cc>33|32|41|262|590|594|596|352)[ .]?"
    r"(?:\(0\))?[ .]?(?P<x>[1-9](?:[ ./-]?\d){7,8})|(?P<n>0[1-9](?:[ ./-]?\d){7,8}))"
    r"(?![\d]|[.,]\d)"
)


_NO_PHONE: Final = re.compile(r"(?i)\b(?:ipp|nip|iep|nda|dossier|séjour|nir|rpps|finess) ?[:°]? ?$")


def phones(text: str) -> tuple[Phone, ...]:
    """The fixed lines of the text; those of mobile phones and of all areas are left out."""
    return tuple(_phones(text))


def _phones(text: str) -> Iterator[Phone]:
    swiss = bool(re.search(r"\bCH-\d{4}|\+41|\bAVS\b|[Ss]uisse|HUG\b|CHUV|\bLAA\b|\bLAMal\b", text))
    for match in _PHONE.finditer(text):
        if _NO_PHONE.search(text[max(0, match.start() - 12) : match.start()]):
            continue
        digits = "".join(c for c in (match["n"] or "0" + match["x"]) if c.isdigit())
        code = match["cc"]
        if code:
            plan = {"33": "FR", "32": "BE", "41": "CH", "352": "LU"}.get(code, "OM")
        elif len(digits) == 9:
            plan = "BE"
        else:
            plan = (
                "CH"
                if swiss and not re.match(r"0\d ?(?:\d\d[ .]?){4}", text[match.start("n") :])
                else "FR"
            )
            if re.match(r"0[2-9]\d[ /.]\d{3}[ .]\d\d[ .]?\d\d", text[match.start("n") :]):
                plan = "CH"
            elif digits[:4] in ("0590", "0594", "0596", "0262", "0269", "0263"):
                plan = "OM"
        if plan == "BE" and len(digits) == 9:
            yield Phone(match.span(), "BE", digits)
        elif plan == "CH" and len(digits) == 10 and not digits.startswith("07"):
            yield Phone(match.span(), "CH", digits[:3])
        elif plan == "OM" and len(digits) == 10:
            yield Phone(match.span(), "OM", digits[:4])
        elif plan == "FR" and len(digits) == 10 and digits[:2] in ("01", "02", "03", "04", "05"):
            yield Phone(match.span(), "FR", digits[:2])


def departments(town: Town) -> set[str]:
    """The French departments and Swiss cantons in which a town of that name lies."""
    return {place.department for place in town.places if place.country in ("FR", "CH")}


_KINDS: Final = re.compile(
    r"(?<![\w-])(?P<k>CHRU|CHU|C\.H\.U\.|C\.H\.U|CHR|[Cc]entre [Hh]ospitalier"
    r"(?: [Rr]égional)?(?: (?:et )?[Uu]niversitaire| [Rr]égional)?|"
    r"CENTRE HOSPITALIER(?: RÉGIONAL| REGIONAL)?(?: UNIVERSITAIRE)?|[Hh]ôpital|"
    r"HÔPITAL|HOPITAL|Hopital|[Cc]linique|CLINIQUE|CHI|CHG|CH|EHPAD|[Mm]aternité|"
    r"chu|chru|ch|SAMU|SAU|[Hh]ôpitaux [Uu]niversitaires)"
    r"(?P<m>(?: (?!de |d['’])(?:[A-ZÀ-Ü][\w'’.-]+ ?){1,4}?)?)(?: (?:de |d['’]|DE |"
    r"D['’])| |, )(?P<t>[A-ZÀ-Üa-zà-ü][\w'’]+(?:[ -](?:[a-zé]{1,4}[ -]|"
    r"[ld]['’])*[A-ZÀ-Ü][\w'’]+)*)"
)


def institutions(note: Note) -> list[tuple[str, At, Town]]:
    """The institutions that bear the name of a town: kind, where, town."""
    found = []
    for match in _KINDS.finditer(note.text):
        start, end = match.span("t")
        if note.text[start].islower() and not match["k"].islower():
            continue
        town = longest(note.text, start, end)
        if town is not None and town.places[0].country in ("FR", "CH", "BE", "LU"):
            found.append((match["k"], match.span("k"), town))
    return found


def codes_of(key: str, country: str) -> set[str]:
    """The postal codes abroad of the towns of a name, by its key; of any country if "" is given."""
    return {
        code
        for (own, _, name), listed in postal_codes().items()
        if place_key(name) == key and country in ("", own)
        for code in listed
    }


FAR: Final = 60.0
"""Kilometres: what lies further off is no neighbour."""


def km(one: Place, other: Place) -> float:
    """The distance of two places, on a sphere of 6371 km."""
    north, south = math.radians(one.latitude), math.radians(other.latitude)
    east = math.radians(one.longitude - other.longitude)
    cosine = math.sin(north) * math.sin(south) + math.cos(north) * math.cos(south) * math.cos(east)
    return 6371 * math.acos(min(1.0, max(-1.0, cosine)))


def apart(one: Iterable[Place], other: Iterable[Place], reach: float = FAR) -> bool:
    """Whether no place of one name lies near one of the other."""
    return all(km(a, b) > reach for a in one for b in other)
