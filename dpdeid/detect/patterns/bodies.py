"""Rows for bodies that are no place of care: ORGANIZATION.

A noun with its name ("pharmacie du Steir"), or a name behind a trigger ("chez", "mutuelle").
"""

from __future__ import annotations

import re
from typing import Final

from dpdeid import gazetteers
from dpdeid.detect.patterns.care import known_lower, no_title, stands_alone
from dpdeid.detect.patterns.facilities import BODIES, COURTS, KNOWN_BODIES
from dpdeid.detect.patterns.phrase import NAME, PARTICLES, QUOTED, beginnings, one_of, starts_word
from dpdeid.detect.patterns.specialties import UNIT
from dpdeid.detect.patterns.table import Row, Word, words
from dpdeid.normalize import fold

_CODED: Final = re.compile(r"\d{3}")
"""In a number rather than in a name: "matricule entreprise D-4471"."""
_LOOSE_BODY: Final = re.compile(r"association|foyer|r[ée]seau", re.IGNORECASE)


def _named_body(match: re.Match[str]) -> bool:
    """Whether an association is one of people, not of drugs: its name is no ordinary word."""
    if not stands_alone(match):
        return False
    if not _LOOSE_BODY.match(match[0]) and not match[0].isupper():
        return True
    return any(
        fold(word) not in gazetteers.words() for word in re.findall(r"[A-ZÀ-Þ]\w+", match[0][1:])
    )


_SHOPS: Final = one_of(
    "leclerc, auchan, intermarché, super u, hyper u, lidl, aldi, monoprix, franprix, castorama,"
    " leroy merlin, décathlon, ikea, bricorama, mcdo, mcdonald's, darty, conforama, norauto,"
    " colruyt, delhaize, migros, coop, metro, costco, jean coutu"
)


def _of_town(match: re.Match[str]) -> bool:
    """Whether the shop is said to be in a town: "au leclerc de plouzané"."""
    return bool(gazetteers.places_named(fold(match[0].split()[-1]).removeprefix("d'")))


ROWS: Final[tuple[Row, ...]] = (
    Row(
        "care.body",
        beginnings(BODIES),
        rf"(?P<ORGANIZATION>{one_of(BODIES)}s?(?! (?:et|ou|à|ET|OU|À|AU|au) )"
        r"(?: (?i:m[ée]dicale?s?|primaire|maternelle|[ée]l[ée]mentaire|communale?|libre|priv[ée]e?"
        r"|professionnel|agricole|sociale?|judiciaire|scolaire|familiales?|nationale?|centrale"
        r"|administratif"
        r"|de biologie|d'analyses|d'anatomie pathologique|de proximit[ée]|de grande instance|pour"
        r" enfants))"
        rf"{{0,3}}(?:(?<=')| ){PARTICLES}(?:{NAME}|{QUOTED}))",
        "prévenir la «ORGANIZATION:pharmacie du Steir» demain",
        0.85,
        _named_body,
        never=("une école de pensée", "la pharmacie du Dr Martin"),
    ),
    Row(
        "care.body.court",
        beginnings(COURTS),
        rf"(?P<ORGANIZATION>{one_of(COURTS)}(?:(?<=')| )(?i:de la |de l'|de |des |du |d' ?)"
        rf"(?:(?:Le|La|Les) )?{NAME})",
        "entendu au «ORGANIZATION:commissariat de Bermont» hier",
        0.97,
        starts_word,
        never=("le commissariat de police", "barreau de chaise"),
    ),
    Row(
        "care.body.lower",
        words(
            "pharmacie ambulances labo ecole college lycee taxi amicale foyer creche mutuelle"
            " garage"
        ),
        r"(?P<ORGANIZATION>(?:pharmacie|ambulances|labo|[eé]cole|coll[eè]ge|lyc[eé]e|taxi|amicale"
        r"|foyer|cr[eè]che|mutuelle|garage) (?:(?:de la|de l'|de|d'|du|des|les|la|le)(?:(?<=')| ))?"
        r"(?:(?:st|ste|saint|sainte|jean|marie)[ -])?([a-zà-ÿ][\w-]{2,20}))\b(?!')",
        "boulot «ORGANIZATION:college de bourganeuf» hier",
        0.6,
        known_lower,
        never=("la pharmacie est fermée", "mutuelle obligatoire"),
    ),
    Row(
        "care.body.pharmacy",
        words("pharmacie"),
        r"(?P<ORGANIZATION>(?i:pharmacie) (?:du|des|de la|de l'|d')(?:(?<=')| )"
        r"(?!patient|malade|ch[ru]?\b|h[ôo]pita|garde|ville|service|quartier|nuit|jour|domicile"
        r"|proximit|famille|clinique|centre hosp|r[ée]f[ée]rence|secteur|coin|village|site"
        r"|[ée]tablis|officine|week)[a-zà-ÿ]{3,20}(?:-[a-zà-ÿ]{2,20}){0,3})\b(?!')",
        "ordonnance faxée à la «ORGANIZATION:pharmacie du lavoir»",
        0.8,
        never=("la pharmacie du patient", "pharmacie de l'hôpital", "pharmacie de la clinique"),
    ),
    Row(
        "care.body.shop",
        Word(words("au aux du chez"), " [A-Za-z]"),
        rf"(?i:aux?|du|chez) (?P<ORGANIZATION>{_SHOPS} (?:de |d'|du )?[^\W\d_][\w'-]{{3,24}})",
        "caissier au «ORGANIZATION:leclerc de plouzané» depuis",
        0.97,
        _of_town,
        never=("au leclerc de garde", "au lidl hier"),
    ),
    Row(
        "care.body.employer.lower",
        words("chez"),
        rf"chez (?P<ORGANIZATION>{one_of(KNOWN_BODIES)})\b",
        "cariste chez «ORGANIZATION:amazon», en arrêt",
        0.8,
        never=("chez orangette",),
    ),
    Row(
        "care.body.numbered",
        words(
            "mdph udaf sdis codis samu smur crra adt cpam carsat admr ddass ddets cdg ars dragon"
        ),
        r"(?P<ORGANIZATION>(?:MDPH|UDAF|SDIS|CODIS|SAMU|SMUR|CRRA|ADT|CPAM|CARSAT|ADMR|CDG|Dragon)"
        r" ?(?:\d{2,3}[AB]?|2[ABab]))\b",
        "dossier «ORGANIZATION:MDPH 76» déposé",
        0.85,
    ),
    Row(
        "care.body.firm",
        words("selarl selas scm scp selafa gcs"),
        r"(?P<ORGANIZATION>(?:SELARL|SELAS|SCM|SCP|SELAFA|GCS) (?:de |d')?"
        rf"{UNIT} {PARTICLES}{NAME})",
        "examen fait à la «ORGANIZATION:SCM Cardiologie du Port»",
        0.9,
        never=("SCP Roy et Ancelin",),
    ),
    Row(
        "care.body.known",
        beginnings(KNOWN_BODIES),
        rf"(?P<ORGANIZATION>{one_of(KNOWN_BODIES, exact=True)})\b",
        "ancien contrôleur à la «ORGANIZATION:SNCF»",
        0.88,
        no_title,
    ),
    Row(
        "care.supplier",
        words("livre livree livres livraison fourni fournie fournis"),
        rf"(?i:livr[ée]e?s?|fourni?e?s?|livraison) par (?P<ORGANIZATION>{NAME})",
        "oxygène livré par «ORGANIZATION:Oxyvie»",
        0.7,
        never=("livré par Mme Durand", "fourni par le médecin"),
    ),
    Row(
        "care.employer",
        words(
            "chez societe entreprise employeur mutuelle assurance assureur prestataire caisse"
            " lamal sas"
            " restaurant garant syndicat club interim magasin caserne ambulance epicerie"
            " plateforme ste"
        ),
        r"(?i:chez|soci[ée]t[ée]|entreprise|employeur|mutuelle|assurance(?: scolaire| maladie)?"
        r"|assureur"
        r"|prestataire|caisse|LAMal|restaurant|garant|syndicat|club|int[ée]rim|magasin|caserne"
        r"|ambulance"
        r"|[ée]picerie|plateforme|st[ée])"
        r"(?: {0,12}: {0,12}| {1,8}\(?)"
        rf"(?P<ORGANIZATION>(?!(?:Non|Oui|NON|OUI|UNE?|LE|LA|LES|CE|CET|CETTE|SON|SA|SES|LEURS?"
        r"|MON|MA|MES|NOTRE|NOS|VOTRE|VOS|ELLE|LUI|EUX|DES|DEUX)\b)"
        rf"(?:(?:Le|La|Les) )?{NAME})",
        "carreleur chez «ORGANIZATION:Bretagne Sols Déco», en arrêt",
        0.7,
        lambda match: not _CODED.search(match["ORGANIZATION"]),
        never=("chez Mme Durand", "chez le patient", "CHEZ SON FRERE", "assurance : AX-90733-12"),
    ),
)
