"""Rows for the fields of forms: a field's name, a mark or a table's bar, and its value.

Only fields whose value has no form of its own are here ("| CP | 59650 |", "Profession : notaire");
a date or a telephone number needs no field to be seen.
"""

from __future__ import annotations

import re
from typing import Final

from dpdeid import gazetteers
from dpdeid.detect.patterns.phrase import after, before
from dpdeid.detect.patterns.places import TOWN
from dpdeid.detect.patterns.table import Number, Row, Word, words
from dpdeid.normalize import fold

_MARK: Final = r"[ \t.]{0,12}[:=|][ \t:|*]{0,12}"
_SPACED: Final = rf"(?:{_MARK}|[ \t]{{1,12}})"
_EMPTY: Final = re.compile(
    r"(?:sans|neant|non|nc|inconnue?|aucune?|ras|nr|oui|a preciser|nsp|autre)\b|.*\d{2}"
)
"""Values of a field "Profession" that tell no profession."""


def _told(match: re.Match[str]) -> bool:
    """Whether the field is filled in, and with words that end at a mark."""
    return not _EMPTY.match(fold(match["PROFESSION"])) and (
        re.match(r" {0,12}(?:$|[|,;.(/–-]| {2})", after(match)) is not None
    )


def _town_of_code(match: re.Match[str]) -> bool:
    """Whether the code with a space inside is one of a town of that name."""
    town = fold(match["CITY"]).replace("-", " ").split()
    return any(
        fold(place.name).replace("-", " ").split()[:2] == town[:2]
        for place in gazetteers.places_with_zip(match["ZIP"].replace(" ", ""))
    )


ROWS: Final[tuple[Row, ...]] = (
    Row(
        "field.zip",
        words("code cp npa"),
        rf"(?i:code postal|cp|npa){_SPACED}(?P<ZIP>\d{{2}} ?\d{{3}}|\d{{4}})(?![\d.,/]\d|\d)",
        "| CP | «ZIP:59650» | Lille",
        0.92,
        never=("CP 500 mg", "code 4512", "1 cp 2 fois"),
    ),
    Row(
        "field.city",
        words("ville commune localite"),
        rf"(?:VILLE|Ville|Commune|COMMUNE|Localit[ée]){_SPACED}(?P<CITY>{TOWN})",
        "| Ville | «CITY:Villeneuve-d'Ascq» |",
        0.92,
        never=("en ville ce jour", "Ville et date", "la commune de Bermont"),
    ),
    Row(
        "field.city.birth",
        words("ville commune lieu"),
        r"(?i:ville|commune|lieu)(?i: de naissance| naiss\.?| de d[ée]c[èe]s)"
        rf"{_MARK}(?P<CITY>{TOWN})",
        "Lieu de naissance ..: «CITY:Bermont»",
        0.96,
        never=("Lieu de naissance : inconnu", "Lieu : Salle 3"),
    ),
    Row(
        "field.city.born",
        Word(words("a"), r" ?[.:]"),
        rf"[àÀaA] ?\.{{0,12}} ?:[ \t]{{0,8}}(?P<CITY>{TOWN})",
        "Né(e) le ..: 09 JUIL 1994     à ......: «CITY:GUINGAMP» (22)",
        0.96,
        lambda match: re.search(r"\bne ?(?:\(e\)|e)? (?:le )?", before(match, 60)) is not None,
        never=("adressé à : Docteur Roy", "copie à : Brest"),
    ),
    Row(
        "field.zip_spaced",
        Number(r"\d0 00"),
        rf"(?P<ZIP>(?:0[1-9]|[1-8]\d|9[0-578]) \d{{3}}) (?P<CITY>{TOWN})",
        "9 quai Videcoq, «ZIP:76 600» «CITY:Le Havre»",
        0.9,
        _town_of_code,
        never=("plaquettes 76 600 Leucocytes", "GB 12 300 Le Havre"),
    ),
    Row(
        "field.room",
        words("chambre chbre ch lit box"),
        r"(?i:n° ?(?:de )?)?(?i:chambre|chbre|ch|lit|box)[ \t]{0,12}\|[ \t|]{0,12}"
        r"(?P<ROOM>[A-Z]?\d{1,4}[A-Z]?)(?=[ \t]{0,12}(?:[|\n]|$))",
        "| Chambre | «ROOM:509» |",
        0.9,
        never=("| lit | 2 barrières |",),
    ),
    Row(
        "field.profession",
        words("profession metier prof"),
        r"(?i:profession|m[ée]tier|prof(?=[ .]{0,12}:))(?:\(?s\)?)?"
        rf"(?i: actuelle?| exerc[ée]e?| du patient)?{_MARK}"
        r"(?P<PROFESSION>[^\W\d_][\w'-]{2,24}(?: [\w'-]{1,20}){0,4})",
        "| Profession | «PROFESSION:comptable» | Prof. ..: «PROFESSION:soudeur»",
        0.9,
        _told,
        never=(
            "Profession : sans",
            "Profession : non renseignée",
            "Profession à risque",
            "Prof. Ancelin",
        ),
    ),
    Row(
        "field.profession.of",
        words("profession metier"),
        r"(?i:profession|m[ée]tier)(?i: de | d'|,? ?est ?: ?)"
        r"(?P<PROFESSION>(?!la\b|foi\b|santé\b|votre\b|son\b|sa\b|l')[a-zà-ÿ][\w'-]{2,24})",
        "exerce la profession de «PROFESSION:notaire»",
        0.85,
        never=("profession de foi", "profession de santé"),
    ),
)
"""Rows of fields, for all labels."""
