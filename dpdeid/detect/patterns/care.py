"""Rows for places of care and other bodies: HOSPITAL, UNIT, ROOM, ORGANIZATION.

A hospital is a facility noun with its name, the noun inside the span; a unit is a specialty behind a
trigger ("service de", "transféré en") or alone on a line; a room is what follows chambre, lit, box;
an organization is a noun with its name, or a name behind a trigger ("chez", "mutuelle"). National
acronyms without a place (a bare CHU, a bare CMP) identify nobody and are left alone.
"""

from __future__ import annotations

import re
from typing import Final

from dpdeid.detect.patterns.facilities import BODIES, HEADS, HOUSES, KNOWN, KNOWN_BODIES
from dpdeid.detect.patterns.phrase import (
    NAME,
    PARTICLES,
    after,
    anchors,
    before,
    one_of,
)
from dpdeid.detect.patterns.specialties import SHORT_UNITS, SPECIALTIES, UNIT
from dpdeid.detect.patterns.table import DIGITS, Row, words

_KIND: Final = (
    r"(?: (?:(?i:universitaire|r[ée]gional|g[ée]n[ée]ral|intercommunal|sp[ée]cialis[ée]|hospitalier"
    r"|psychiatrique|priv[ée]|m[ée]dical|infirmi[èe]r|dentaire|th[ée]rapeutique|mutualiste"
    r"|pluriprofessionnel|pluridisciplinaire|d[ée]partemental|territorial|cantonal|militaire|local"
    r"|sant[ée]|public|adultes?|enfants|adolescents|de|d'|du|des|et|la|les"
    r"|radiologie|imagerie|m[ée]dicale|kin[ée]sith[ée]rapie|cardiologie|ophtalmologie|dialyse"
    r"|r[ée][ée]ducation|r[ée]adaptation|soins|suite|sein|main|convalescence|sant[ée]|solidarit[ée]"
    r"|la femme|pathologie|g[ée]riatrie|sage-femme|mater(?:nit[ée])?|canc[ée]rologie|psychiatrie)"
    r"(?:e|es|s|x|aux)?\b)(?<!d')|(?<=d')\w{4,20}| d'\w{4,20}){0,6}"
)
_QUOTED: Final = r"(?: ?[\"«] ?[^\"»\n]{2,40}[\"»])"

_BAD_BEFORE: Final = ("examen ", "etude ", "mme ", "mr ", "dr ", "m. ")


def _stands_alone(match: re.Match[str]) -> bool:
    """Whether the head is no surname behind a title and no part of a longer word."""
    start = match.start()
    return not match.string[start - 1 : start].isalnum() and not before(match, 8).endswith(
        _BAD_BEFORE
    )


_BEFORE_HOUSE: Final = re.compile(
    r",? ?[-–(]? ?(?:du |de la |de l')?(?:chu|chr|chru|ch|hopital|clinique|institut|polyclinique"
    r"|centre hosp|medipole)\b"
)


def _lone_line(match: re.Match[str]) -> bool:
    """Whether a unit opens its line and the line goes on with a mark, or not at all."""
    ahead, rest = before(match), after(match)
    if _BEFORE_HOUSE.match(rest):
        return True
    if ahead.strip(" \t-–|*>#:") and not (
        ahead.endswith((" - ", " – ", "| ", "  ", " / ")) and match["UNIT"][0].isupper()
    ):
        return False
    return not rest.strip() or rest.startswith((" -", " –", "  ", " |", ",", " /", "\t", " —"))


def _not_bare(match: re.Match[str]) -> bool:
    """Whether the unit is more than "urgences", which every report passes through."""
    return match["UNIT"].lower() != "urgences" or bool(
        re.match(r" (?:d[eu] [A-ZÀ-Þ]|d'[A-ZÀ-Þ]|à \d)", match.string[match.end() : match.end() + 6])
    )


def _no_title(match: re.Match[str]) -> bool:
    """Whether a well-known name does not stand behind a title or a first name of a person."""
    ahead = before(match, 14)
    return not re.search(r"(?:\b(?:dr|dre|pr|mr?|mme|mlle|docteur|monsieur|madame)\.? )$", ahead)


ROWS: Final[tuple[Row, ...]] = (
    Row(
        "care.hospital",
        anchors(HEADS),
        rf"(?P<HOSPITAL>(?i:{one_of(HEADS)})(?:s|x)?\b(?:{_KIND} {PARTICLES}{NAME}"
        rf"|{_KIND} ?{_QUOTED}|{_KIND}(?: ?[-–] )(?:Site |site )?{NAME}))",
        "opéré à la «HOSPITAL:clinique Saint-Vincent» hier",
        0.95,
        _stands_alone,
        never=("Examen clinique normal", "la clinique du Dr Martin"),
    ),
    Row(
        "care.hospital.short",
        anchors(HOUSES),
        rf"(?P<HOSPITAL>{one_of(HOUSES)}(?: (?i:de|du|des|d'|le|la|les)\b)?"
        rf"(?:(?<=')| |-){PARTICLES}{NAME})",
        "suivie au «HOSPITAL:CH de Fougères» depuis",
        0.95,
        _stands_alone,
        never=("suivie au CH", "CHU Dr Martin"),
    ),
    Row(
        "care.hospital.known",
        anchors(KNOWN),
        rf"(?P<HOSPITAL>{one_of(KNOWN)})\b",
        "admis au «HOSPITAL:CHUV» hier",
        0.85,
        _no_title,
        never=("vu par le Dr Cochin",),
    ),
    Row(
        "care.unit",
        words(
            "service services unite unites secteur departement pole serv hdj hopital hospitalisation"
        ),
        r"(?i:serv(?:ices?)?\.?|unit[ée]s?|secteur|d[ée]partement|p[ôo]le|HDJ|h[ôo]pital de jour"
        r"|hospitalisation)"
        rf" {{0,2}}(?i:de la |de l'|de |d' ?|des |du |en |: ?)?(?P<UNIT>(?i:{UNIT}))",
        "dans le service de «UNIT:cardiologie» du 3 au 5 mai",
        0.95,
        never=("un service de qualité",),
    ),
    Row(
        "care.unit.named",
        words("service unite secteur pole"),
        rf"(?i:service|unit[ée]|secteur|p[ôo]le) (?P<UNIT>{NAME})",
        "en unité «UNIT:Glénan», chambre 12",
        0.6,
        never=("le service est complet",),
    ),
    Row(
        "care.unit.moved",
        words(
            "hospitalise hospitalisee hospitalisation transfere transferee transfert mute mutee admis admise"
            " adresse adressee muter passage retour sejour entre entree arrivee sorti sortie mutation mut"
            " orientee oriente oriente lit"
        ),
        r"(?i:\w{3,15})(?: (?:ce jour|ensuite|alors|directement|initialement|secondairement))?"
        r" (?i:en|aux?|vers|vers la?|dans l[ae]|à la|vers les|à l')(?: ?(?i:l'|h[ôo]pital de jour (?:de |d')?))?"
        rf" ?(?P<UNIT>(?i:{UNIT}))",
        "patient transféré en «UNIT:maladies infectieuses» le 25",
        0.9,
        _not_bare,
        never=("transféré en urgence", "adressé aux urgences par"),
    ),
    Row(
        "care.unit.at",
        words("aux"),
        rf"aux (?P<UNIT>(?i:{UNIT}))",
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
        "care.hospital.centre",
        words("centre"),
        rf"(?P<HOSPITAL>(?i:centre)(?: (?:expert|de r[ée]f[ée]rence))? {NAME})",
        "suivi au «HOSPITAL:centre Oscar Lambret» hier",
        0.8,
        never=("le centre de la ville",),
    ),
    Row(
        "care.hospital.dotted",
        words("c"),
        rf"(?P<HOSPITAL>C\.H\.(?:[URIS]\.)? (?:de |du |d')?{NAME})",
        "«HOSPITAL:C.H.U. Caen Normandie», le 3",
        0.9,
    ),
    Row(
        "care.unit.line",
        anchors(SPECIALTIES),
        rf"(?P<UNIT>(?i:{UNIT}))",
        "«UNIT:ORTHOPÉDIE-TRAUMATOLOGIE»  ||  COMPTE RENDU",
        0.7,
        _lone_line,
        never=("la cardiologie est prévenue",),
    ),
    Row(
        "care.unit.short",
        anchors(SHORT_UNITS),
        rf"(?P<UNIT>(?i:{one_of(SHORT_UNITS)}))\b",
        "transféré en «UNIT:USIC» ce matin",
        0.8,
        _stands_alone,
    ),
    Row(
        "care.room",
        words(
            "chambre ch chbre chb box lit salle place fauteuil hall pavillon cabine poste etage local"
        ),
        r"(?i:ch(?:ambre|bre|b)?|box|lit|salle|place|fauteuil|hall|pavillon|cabine|poste|[ée]tage|local)"
        r"\.?(?: (?:psy|d'examen|de naissance|de bloc|op[ée]ratoire|de soins))?[ ]{0,8}:?[ ]{0,8}(?:n° ?)?"
        r"(?P<ROOM>(?:[A-Za-z][ .-]?)?\d{1,4}(?:[.-]\d{1,3})?(?: ?[A-FPa-c])?(?![\w/.:,]\d)"
        r"|[A-F]\b(?!'))(?!\w)(?! ?(?:%|mg|ml|cm|mm|kg|h\b|fois|x\b|ans|/j|g\b))",
        "hospitalisé chambre «ROOM:12.117», lit fenêtre",
        0.9,
        _stands_alone,
        never=("il reste au lit 12 h par jour", "la place du traitement"),
    ),
    Row(
        "care.room.named",
        words("salle"),
        r"[Ss]alle {1,8}:? {0,8}(?P<ROOM>(?!N°|Op|OP)[A-ZÀ-Þ][a-zà-ÿ]{3,15}(?: \d)?)\b",
        "Salle : «ROOM:Bleuler», le 3 mai",
        0.7,
    ),
    Row(
        "care.room.list",
        DIGITS,
        r"(?P<ROOM>\d{1,4}(?: ?[PFpf])?)(?= {1,2}(?:mr|mme|mlle|m\.|M\.|MR|MME|Mr|Mme) ?\w)",
        "«ROOM:302» mr dupont : rien à signaler",
        0.7,
        lambda match: not before(match).strip(" -*•"),
    ),
    Row(
        "care.body",
        anchors(BODIES),
        rf"(?P<ORGANIZATION>(?i:{one_of(BODIES)})s?"
        r"(?: (?i:m[ée]dicale?s?|primaire|maternelle|[ée]l[ée]mentaire|communale?|libre|priv[ée]e?"
        r"|professionnel|agricole|sociale?|judiciaire|scolaire|familiales?|nationale?|centrale|administratif"
        r"|de biologie|d'analyses|d'anatomie pathologique|de proximit[ée]|de grande instance|pour enfants))"
        rf"{{0,3}}(?:(?<=')| ){PARTICLES}(?:{NAME}|{_QUOTED}))",
        "prévenir la «ORGANIZATION:pharmacie du Steir» demain",
        0.85,
        _stands_alone,
        never=("une école de pensée", "la pharmacie du Dr Martin"),
    ),
    Row(
        "care.body.known",
        anchors(KNOWN_BODIES),
        rf"(?P<ORGANIZATION>{one_of(KNOWN_BODIES)})\b",
        "ancien contrôleur à la «ORGANIZATION:SNCF»",
        0.8,
        _no_title,
    ),
    Row(
        "care.employer",
        words(
            "chez societe entreprise employeur mutuelle assurance assureur prestataire caisse lamal labo"
            " restaurant garant syndicat club interim magasin garagiste"
        ),
        r"(?i:chez|soci[ée]t[ée]|entreprise|employeur|mutuelle|assurance(?: scolaire| maladie)?|assureur"
        r"|prestataire|caisse|LAMal|labo|restaurant|garant|syndicat|club|int[ée]rim|magasin)"
        r"(?: {0,12}: {0,12}| {1,8}\(?)"
        rf"(?P<ORGANIZATION>(?!(?:Non|Oui|NON|OUI)\b)(?:(?:Le|La|Les) )?{NAME})",
        "carreleur chez «ORGANIZATION:Bretagne Sols Déco», en arrêt",
        0.7,
        never=("chez Mme Durand", "chez le patient"),
    ),
)
