"""Rows for what lies inside a place of care: UNIT and ROOM.

A unit is a specialty behind a trigger ("service de", "transféré en") or alone in a letterhead; a
room is what follows chambre, lit, box. The trigger stays outside. A bare "urgences" is no unit:
every report passes through it.
"""

from __future__ import annotations

import re
from typing import Final

from dpdeid.detect.patterns.phrase import NAME, after, anchors, before, one_of, starts_word
from dpdeid.detect.patterns.specialties import MODIFIERS, SHORT_UNITS, SPECIALTIES, UNIT
from dpdeid.detect.patterns.table import Row, words

_BEFORE_HOUSE: Final = re.compile(
    r",? ?[-–(]? ?(?:du |de la |de l')?(?:chu|chr|chru|ch|hopital|clinique|institut|polyclinique"
    r"|centre hosp|medipole)\b"
)


_HOUSE_AHEAD: Final = re.compile(
    r"\b(?:chu|chr|chru|hopital|clinique|institut|polyclinique|centre hosp|medipole)\b"
)
_AT_MARK: Final = r"(?:(?<![\s\S])|(?<=[\n\t(])|(?<=  )|(?<=[-–—|/,>:] )|(?<=\n ))"
"""Where a letterhead names a unit: at the start of a line, or behind a mark."""


def _lone_line(match: re.Match[str]) -> bool:
    """Whether a unit opens its line and the line goes on with a mark, or not at all."""
    ahead, rest = before(match), after(match)
    if _BEFORE_HOUSE.match(rest):
        return True
    if _HOUSE_AHEAD.search(ahead) and ahead.endswith((", ", " – ", " - ", "(")):
        return not rest.strip() or not rest[:2].strip().isalnum()
    if ahead.strip(" \t-–|*>#:") and not (
        ahead.endswith((" - ", " – ", "| ", "  ", " / ")) and match["UNIT"][0].isupper()
    ):
        return False
    return not rest.strip() or rest.startswith((" -", " –", "  ", " |", ",", " /", "\t", " —"))


def _not_bare(match: re.Match[str]) -> bool:
    """Whether the unit is more than "urgences", which every report passes through."""
    return match["UNIT"].lower() != "urgences" or bool(
        re.match(
            r" (?:d[eu] [A-ZÀ-Þ]|d'[A-ZÀ-Þ]|à \d)", match.string[match.end() : match.end() + 6]
        )
    )


def _no_port(match: re.Match[str]) -> bool:
    """Whether "chambre 6F" is a room, not the reservoir of an implanted catheter."""
    return starts_word(match) and not (
        match["ROOM"][-1] in "Ff"
        and re.search(r"\b(?:pac|ktc|catheter|implant\w*)\b", before(match))
    )


ROWS: Final[tuple[Row, ...]] = (
    Row(
        "care.unit",
        words(
            "service services unite unites secteur departement pole serv hdj hopital"
            " hospitalisation"
        ),
        r"(?i:serv(?:ices?)?\.?|unit[ée]s?|secteur|d[ée]partement|p[ôo]le|HDJ|h[ôo]pital de jour"
        r"|hospitalisation)"
        rf" {{0,2}}(?i:de la |de l'|de |d' ?|des |du |en |: ?)?(?P<UNIT>{UNIT})",
        "dans le service de «UNIT:cardiologie» du 3 au 5 mai",
        0.95,
        never=("un service de qualité",),
    ),
    Row(
        "care.unit.named",
        words("service unite secteur pole"),
        rf"(?i:service|unit[ée]|secteur|p[ôo]le) (?!D[EU]S? |D'|[AÀ] )(?P<UNIT>{NAME})",
        "en unité «UNIT:Glénan», chambre 12",
        0.6,
        never=("le service est complet",),
    ),
    Row(
        "care.unit.consultation",
        words("consultation"),
        rf"(?i:consultation) (?P<UNIT>{UNIT})",
        "vue en consultation «UNIT:diabète et grossesse»",
        0.7,
        never=("consultation de cardiologie",),
    ),
    Row(
        "care.unit.code",
        words("uf secteur"),
        rf"(?i:UF|secteur) {{1,3}}:? ?(?P<UNIT>\d{{4}}(?: {UNIT})?|\d{{2}}[GI]\d{{2}})\b",
        "UF «UNIT:4412 UROLOGIE»",
        0.9,
    ),
    Row(
        "care.unit.moved",
        words(
            "hospitalise hospitalisee hospitalisation transfere transferee transfert mute mutee"
            " admis admise"
            " adresse adressee muter passage retour sejour entre entree arrivee sorti sortie"
            " mutation mut"
            " orientee oriente provenance hospit sort revient venant issu issue"
        ),
        r"(?i:\w{3,15})(?: (?:ce jour|ensuite|alors|directement|initialement|secondairement))?"
        r" (?i:en|aux?|vers|vers la|dans l[ae]|à la|vers les|à l'|de l'|des|de la"
        r"|(?:(?<=sort )|(?<=ient )|(?<=nant )|(?<=issu )|(?<=issue )|(?<=nance )|(?<=etour ))de"
        r"|(?<=hospit ))(?:"
        r" ?(?i:l'|h[ôo]pital de jour (?:de |d')?))?"
        rf" ?(?P<UNIT>{UNIT})",
        "patient transféré en «UNIT:maladies infectieuses» le 25",
        0.9,
        _not_bare,
        never=("transféré en urgence", "adressé aux urgences par"),
    ),
    Row(
        "care.unit.at",
        words("aux vers"),
        rf"(?i:aux|vers) (?P<UNIT>{UNIT})",
        "passée aux «UNIT:urgences gynécologiques» le 3",
        0.85,
        _not_bare,
        never=("vue aux urgences hier",),
    ),
    Row(
        "care.unit.day",
        words("hopital hdj"),
        r"(?P<UNIT>(?i:h[ôo]pital de jour)|HDJ)(?! (?:d[e'u]|\w+(?:logie|iatrie)))\b",
        "programmé en «UNIT:hôpital de jour», à jeun",
        0.8,
        never=("hôpital de jour de cardiologie",),
    ),
    Row(
        "care.unit.line",
        anchors(SPECIALTIES),
        rf"{_AT_MARK}(?P<UNIT>{UNIT})",
        "«UNIT:ORTHOPÉDIE-TRAUMATOLOGIE»  ||  COMPTE RENDU",
        0.7,
        _lone_line,
        never=("la cardiologie est prévenue",),
    ),
    Row(
        "care.unit.short",
        anchors(SHORT_UNITS),
        rf"(?P<UNIT>{one_of(SHORT_UNITS)}(?:[ -]{one_of(MODIFIERS)}\b"
        rf"(?: [1-4]\b(?![.,/ ]\d))?)?)\b",
        "transféré en «UNIT:USIC» ce matin",
        0.8,
        starts_word,
    ),
    Row(
        "care.room",
        words(
            "chambre ch chbre chb box lit salle place fauteuil hall pavillon aile cabine etage"
            " local"
        ),
        r"(?i:ch(?:ambre|bre|b|(?=[ .]))|box|lit|salle|place|fauteuil|cabine|[ée]tage|local|hall"
        r"|pavillon|aile)"
        r"\.?(?: (?:psy|d'examen|de naissance|de bloc|op[ée]ratoire|de soins))?[ ]{0,8}:?[ ]{0,8}"
        r"(?:n° ?)?"
        r"(?P<ROOM>(?:[A-Za-z][ .-]?)?\d{1,4}(?:[.-]\d{1,3})?(?: ?[A-FPa-c])?(?![\w/.:,]\d)"
        r"|(?:(?<=hall )|(?<=aile )|(?<=pavillon ))[A-H]\b(?!'))(?!\w)(?! ?(?:%|mg|ml|cm|mm|kg|h\b"
        r"|fois|x\b|ans|/j|g\b))",
        "hospitalisé chambre «ROOM:12.117», lit fenêtre",
        0.9,
        _no_port,
        never=("il reste au lit 12 h par jour", "la place du traitement"),
    ),
    Row(
        "care.building",
        words("bat batiment"),
        r"(?:[Bb][âa]t\.?(?:iment)?|B[AÂ]T(?:IMENT)?\.?) (?:n° ?)?"
        r"(?P<ROOM>[A-H](?![\w'])\d?|\d{1,2}(?![\w.,/])|[A-ZÀ-Þ][a-zà-ÿ]{3,15}(?:-[A-Z][a-zà-ÿ]{2,15})?)",
        "Bât. «ROOM:Laennec» - chambre 22",
        0.8,
        starts_word,
        never=("un bâtiment ancien", "bat 12.5"),
    ),
    Row(
        "care.room.named",
        words("salle"),
        r"[Ss]alle {1,8}:? {0,8}(?P<ROOM>(?!N°|Op|OP)[A-ZÀ-Þ][a-zà-ÿ]{3,15}(?: \d)?)\b",
        "Salle : «ROOM:Bleuler», le 3 mai",
        0.7,
    ),
)
