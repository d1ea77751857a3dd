"""Rows for what lies inside a place of care: UNIT and ROOM.

A unit is a specialty behind a trigger ("service de", "transféré en") or alone in a letterhead; a
room is what follows chambre, lit, box. The trigger stays outside. A bare "urgences" is no unit:
every report passes through it.
"""

from __future__ import annotations

import re
from typing import Final

from dpdeid.detect.patterns.phrase import NAME, after, before, beginnings, one_of, starts_word
from dpdeid.detect.patterns.specialties import MODIFIERS, SHORT_UNITS, SPECIALTIES, UNIT
from dpdeid.detect.patterns.table import Number, Row, Word, words

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
    if match[0][:4].lower() == "pass" and match["UNIT"].lower() in ("réanimation", "reanimation"):
        return False
    return match["UNIT"].lower() != "urgences" or bool(
        re.match(
            r" (?:de [A-ZÀ-Þ]|du (?!CH)[A-ZÀ-Þ]|d'[A-ZÀ-Þ])",
            match.string[match.end() : match.end() + 6],
        )
    )


_TUBE: Final = re.compile(
    r"\b(?:sondes?|foley|charriere|drains?|redon|sng|sad|gpe|canule|desilet|blake|couvelaire"
    r"|catheter)(?: (?:en|de|a|double courant|demeure|silicone|latex|urinaire|vesicale|gastrique"
    r"|rectale|thoracique|pleural|abdominal|droite?|gauche|foley|redon|[2-3] ?voies?)\b){0,3} ?$"
)
"""A tube, whose width is told in Charrière: "drain thoracique droit CH 24"."""


def _no_port(match: re.Match[str]) -> bool:
    """Whether "chambre 6F" is a room, not the reservoir or the width of an implanted tube."""
    ahead = before(match)
    if match[0][:2].lower() == "ch" and _TUBE.search(ahead):
        return False
    return starts_word(match) and not (
        match["ROOM"][-1] in "Ff" and re.search(r"\b(?:pac|ktc|catheter|implant\w*)\b", ahead)
    )


_HOME: Final = re.compile(
    r"\b(?:rue|avenue|place|adresse|appt?|appart\w*|ascenseur|domicile|vit|habite|loge\w*|maison"
    r"|escaliers?|monte\w*|chute|immeuble|residence|hlm|studio)\b"
)
"""What is told of somebody's home or effort, where a floor is none of a hospital."""


def _of_ward(match: re.Match[str]) -> bool:
    """Whether a floor is that of a ward: beside a mark, in no line on a home."""
    ahead = before(match, 80)
    return (
        not _HOME.search(ahead + after(match))
        and re.search(r"(?:[,–—(/|•·-]|\bvirgule) ?$", ahead) is not None
    )


def _station(match: re.Match[str]) -> bool:
    """Whether the number is of a place for dialysis, not of a telephone."""
    return starts_word(match) and not re.search(
        r"\b(?:tel|telephone|standard|joindre|joignable|appeler|interne|poste)\b.{0,24}$",
        before(match),
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
        rf" {{0,2}}(?i:de la |de l'|de |d' ?|des |du |en |: ?(?!douleur))?"
        rf"(?P<UNIT>{UNIT})",
        "dans le service de «UNIT:cardiologie» du 3 au 5 mai",
        0.95,
        never=("un service de qualité", "Motif d'hospitalisation : Douleur testiculaire"),
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
        words("uf secteur intersecteur pole"),
        r"(?i:UF|(?:inter)?secteur|p[ôo]le) {1,3}:? ?"
        rf"(?P<UNIT>\d{{4}} {UNIT}|\d{{2}}[GIZ]\d{{2}})\b",
        "UF «UNIT:4412 UROLOGIE», pôle «UNIT:33G05»",
        0.9,
        never=("QB 300  UF 2400  durée 4h",),
    ),
    Row(
        "care.unit.moved",
        Word(
            words(
                "hospitalise hospitalisee hospitalisation transfere transferee transfert mute mutee"
                " admis admise"
                " adresse adressee muter passage retour sejour entre entree arrivee sorti sortie"
                " mutation mut"
                " orientee oriente provenance hospit sort revient venant issu issue passe passee"
            ),
            r" [^\W\d_]",
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
        "care.unit.report",
        words("crh"),
        rf"CRH(?: |&nbsp;){{1,3}}(?:de |du |d')?(?P<UNIT>(?!(?i:urgences?)\b){UNIT})",
        "CRH «UNIT:brûlés» du 12 mai",
        0.85,
        never=("CRH joint", "CRH urgences"),
    ),
    Row(
        "care.unit.straight",
        words("transfert transferee transfere mute mutee"),
        r"(?i:transf(?:ert|[ée]r[ée]e?)|mut[ée]e?) "
        rf"(?P<UNIT>(?!(?i:urgences?|dialyse|imagerie|bloc)\b){UNIT})",
        "transfert «UNIT:soins intensifs» à 18 h",
        0.85,
        never=("transfert imagerie", "transfert en urgence"),
    ),
    Row(
        "care.unit.floor",
        words("sorti sortie monte montee transfere transferee mute mutee retour hospitalise"),
        r"(?i:\w{4,11}) (?:au|du|en) (?P<UNIT>[1-9][A-D])\b(?!')",
        "sorti du «UNIT:3B» hier",
        0.8,
        never=("sorti du 3 mai", "stade 3B"),
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
        words("hdj"),
        r"(?<![^\n])(?P<UNIT>HDJ)(?= {1,3}(?:CH|[-–]|(?i:centre|clinique|h[ôo]pital)\b))",
        "«UNIT:HDJ» Clinique des Ormes",
        0.8,
        never=("HDJ pour bilan", "venue en HDJ"),
    ),
    Row(
        "care.unit.line",
        beginnings(SPECIALTIES),
        rf"{_AT_MARK}(?P<UNIT>(?!(?i:douleur)\b){UNIT})",
        "«UNIT:ORTHOPÉDIE-TRAUMATOLOGIE»  ||  COMPTE RENDU",
        0.7,
        _lone_line,
        never=("la cardiologie est prévenue", "- douleur  EVA 4"),
    ),
    Row(
        "care.unit.of_house",
        beginnings(SPECIALTIES),
        rf"(?P<UNIT>(?!(?i:urg(?:ences?)?)\b){UNIT})"
        r"(?= (?:(?:du |de la )(?=C))?(?:CHU|CHRU|CHR|CH|CHI|CHIC|GHT|HIA) "
        r"(?:de |d'|du )?[A-ZÀ-Þ])",
        "avis «UNIT:neurochirurgie» CHU Brest ce jour",
        0.8,
        starts_word,
        never=("la réanimation du CHU", "cardiologie au CHU de Brest", "urgences du CHU de Dax"),
    ),
    Row(
        "care.unit.short",
        beginnings(SHORT_UNITS),
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
            " local couveuse incubateur"
        ),
        r"(?i:ch(?:ambre|bre|b|(?=[ .]))|box|lit|salle|place|fauteuil|cabine|[ée]tage|local|hall"
        r"|pavillon|aile|couveuse|incubateur)"
        r"(?:(?<!tage)\.)?(?: (?:psy|d'examen|de naissance|de bloc|op[ée]ratoire|de soins))?"
        r"[ ]{0,8}:?[ ]{0,8}"
        r"(?:n° ?)?"
        r"(?P<ROOM>(?:[A-Za-z][ .-]?)?\d{1,4}(?:[.-](?:\d{1,3}|[A-F]\b))?"
        r"(?: ?[A-FPa-c]\b| bis\b|(?<!lit \d)(?<!lit \d\d) (?:porte|fen[êe]tre)\b)?(?![\w/.:,]\d)"
        r"|(?:(?<=hall )|(?<=aile )|(?<=pavillon )|(?<=lit ))[A-H]\b(?!['.]))(?!\w)"
        r"(?! ?(?:%|(?:mg|ml|cm|mm|kg|h|fois|x(?! [a-z]{4})|ans|g|filles?|gar[çc]ons?)\b|/j))"
        r"(?: ou (?P<ROOM_2>\d{1,4})\b(?![\w/.:,]\d| ?(?:ans|jours|fois|h)\b))?",
        "hospitalisé chambre «ROOM:12.117», lit fenêtre",
        0.9,
        _no_port,
        never=(
            "il reste au lit 12 h par jour",
            "la place du traitement",
            "maison sans étage. 1 fille",
            "sonde Ch 16",
            "SNG CH 18 en aspiration",
            "drain pleural droit ch 24",
        ),
    ),
    Row(
        "care.room.listed",
        Word(words("a b c d"), "(?i) ?0"),
        r"(?<![^\n])(?P<ROOM>[A-Da-d] ?\d{1,3})"
        r"(?= {1,2}(?:: ?)?(?:(?i:mr?|mme|mlle|madame|monsieur|vide|libre|b[ée]b[ée]|sdf)\b))",
        "«ROOM:b13» mme Lenormand, à jeun",
        0.85,
        never=("dosage B12 vide", "B12 normale"),
    ),
    Row(
        "care.room.in",
        Word(words("en"), " [A-Da-d]"),
        r"en (?P<ROOM>[A-Da-d] ?\d{3})\b(?![.,/]\d)",
        "installé en «ROOM:A 205» hier",
        0.8,
        never=("en B12", "en A 20"),
    ),
    Row(
        "care.room.of",
        Word(words("la"), " 0"),
        r"la (?P<ROOM>\d{3})(?= (?:(?i:mr?|mme|monsieur|madame)\b|est|rien|vide|sonne))",
        "passé voir la «ROOM:414» mr Ancelin",
        0.8,
        never=("la 100 g", "la 205 GTI"),
    ),
    Row(
        "care.room.floor",
        Number(r"\d{1,2} ?(?:e|è)"),
        r"(?P<ROOM>\d{1,2} ?(?:er|e|è|[eè]me) [ée]tage)\b(?! au-dessus)",
        "Neurologie, «ROOM:3e étage», aile ouest",
        0.8,
        _of_ward,
        never=("vit seul, 3e étage", "dyspnée au 2e étage", "chambre, 2e étage sans ascenseur"),
    ),
    Row(
        "care.room.floor.spoken",
        words("premier deuxieme troisieme quatrieme cinquieme sixieme septieme huitieme"),
        r"(?P<ROOM>(?i:premier|(?:deux|trois|quatr|cinqu|six|sept|huit)i[èe]me) (?i:[ée]tage))\b",
        "bâtiment C virgule «ROOM:deuxième étage»",
        0.8,
        _of_ward,
        never=("vit au troisième étage",),
    ),
    Row(
        "care.room.route",
        words("route"),
        r"(?i:route) (?P<ROOM>\d{2,4}),? (?i:niveau|[ée]tage|bloc) (?P<ROOM_2>[–−+-]?\d{1,2})\b",
        "consultation, route «ROOM:415», niveau «ROOM:–1»",
        0.9,
        never=("route 415 vers Liège",),
    ),
    Row(
        "care.room.station",
        words("poste"),
        r"(?i:poste)(?: de dialyse)? ?(?:n° ?)?(?P<ROOM>\d{1,2})"
        r"(?![\w/.:,-]?\d| ?(?:x|×|h|ans|jours|fois|min|%)\b|\w)",
        "| IPP : 20417 | Poste «ROOM:7» |",
        0.8,
        _station,
        never=("tél. poste 12", "poste 4512", "poste 2 x 8", "poste 12 h"),
    ),
    Row(
        "care.building",
        words("bat batiment"),
        r"(?:[Bb][âa]t\.?(?:iment)?|B[AÂ]T(?:IMENT)?\.?) (?:n° ?)?"
        r"(?P<ROOM>[A-H](?![\w'])\d?|\d{1,2}[A-H]?(?!\w|[.,/]\d)|[A-ZÀ-Þ][a-zà-ÿ]{3,15}(?:-[A-Z][a-zà-ÿ]{2,15})?)",
        "Bât. «ROOM:Laennec» - bâtiment «ROOM:2H»",
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
