"""Rows for places of care: HOSPITAL, a facility noun with its name, the noun inside the span.

National acronyms without a place (a bare CHU, a bare CMP) identify nobody and are left alone. Other
bodies, and units and rooms, have their own modules.
"""

from __future__ import annotations

import re
from typing import Final

from dpdeid import gazetteers
from dpdeid.detect.leanings import LEANING
from dpdeid.detect.patterns.facilities import (
    CUED,
    HEADS,
    HOUSES,
    KNOWN,
)
from dpdeid.detect.patterns.phrase import (
    NAME,
    PARTICLES,
    QUOTED,
    UPPER,
    before,
    beginnings,
    one_of,
    starts_word,
)
from dpdeid.detect.patterns.specialties import UNIT
from dpdeid.detect.patterns.table import Row, Word, words
from dpdeid.detect.vocabulary import FREQUENT, TRAITS
from dpdeid.normalize import fold

_KINDS: Final = """
universitaire, régional, général, intercommunal, spécialisé, hospitalier, psychiatrique, privé,
médical, infirmièr, dentaire, thérapeutique, mutualiste, pluriprofessionnel, pluridisciplinaire,
départemental, territorial, cantonal, militaire, local, santé, public, adulte, adultes, enfants,
adolescents, de, d', du, des, et, la, les, radiologie, imagerie, kinésithérapie, cardiologie,
ophtalmologie, dialyse, rééducation, réadaptation, soins, suite, sein, main, convalescence,
solidarité, la femme, pathologie, gériatrie, sage-femme, mater, maternité, cancérologie,
psychiatrie, dermatologie, gynécologie, rhumatologie, urologie, neurologie, pneumologie,
gastro-entérologie, gastroentérologie, pédiatrie, orthophonie, orthodontie, podologie,
échographie, médecine
"""
_KIND: Final = (
    rf"(?: (?:{one_of(_KINDS)}(?:e|es|s|x|aux)?\b)(?<!d')|(?<=d')\w{{4,20}}| d'\w{{4,20}}){{0,6}}"
)
_SPECIALTY: Final = re.compile(r"(?:de |d')[a-zà-ÿ]{5,}")
_ADJECTIVE: Final = re.compile(
    r"(?<!\bvers )(?<!\bchez )(?<!\bpour )\b(?!vers |chez |pour )[a-z]{4,} $"
)
"""A noun before "clinique", which is its adjective then ("rémission clinique")."""

_BAD_BEFORE: Final = (
    "chef de ",
    "cheffe de ",
    "interne des ",
    "praticien des ",
    "assistant des ",
    "assistante des ",
    "attache des ",
    "chefs de ",
    "examen ",
    "etude ",
    "mme ",
    "mr ",
    "dr ",
    "m. ",
)


def _is_heading(text: str) -> bool:
    """Whether it is a heading with the sentence behind it: "CLINIQUE Souffle", "clin. Abdomen"."""
    head, _, name = text.partition(" ")
    if not name.istitle() or not (head == "CLINIQUE" or fold(head) in ("clin", "clin.")):
        return False
    return fold(name) in gazetteers.words() and fold(name) not in gazetteers.surnames()


def _is_practice(text: str) -> bool:
    """Whether a practice bears the surnames of who work in it: "cabinet Morvan-Le Dantec"."""
    head, _, names = text.partition(" ")
    if head not in ("cabinet", "Cabinet") or _SPECIALTY.match(names):
        return False
    parts = [fold(part) for part in re.split(r"[-/ ]", names)]
    surnames = gazetteers.surnames()
    return (
        not gazetteers.places_named(fold(names).replace("-", " "))
        and any(part in surnames for part in parts)
        and all(
            part in surnames or part in ("le", "la", "et") or part not in gazetteers.words()
            for part in parts
        )
    )


def stands_alone(match: re.Match[str]) -> bool:
    """Whether the head is no surname behind a title and no part of a longer word."""
    if not starts_word(match) or _is_heading(match[0]) or _OFFICE.match(match[0]):
        return False
    if _is_practice(match[0]):
        return False
    ahead = before(match, 16)
    return not ahead.endswith(_BAD_BEFORE) and not (
        match[0].startswith("clinique") and _ADJECTIVE.search(ahead)
    )


_OFFICE: Final = re.compile(
    r"(?i)(?:cabinet|institut|centre) (?:de |d'|des )?(?:patholog|anat|biolog)"
    r"|cabinet (?:de |d'|des )?(?:avocat|compta|expert|notai|conseil|archit)"
)
"""Offices that care for nobody."""


def _named_after(match: re.Match[str]) -> bool:
    """Whether a compound is somebody's name and no town: "Charles-Nicolle"."""
    first, _, rest = match["HOSPITAL"].partition("-")
    return (
        bool(
            TRAITS[fold(first)] & FREQUENT
            and LEANING[fold(rest)] < 0
            and not gazetteers.places_named(fold(match["HOSPITAL"]).replace("-", " "))
        )
        and _CARED_FOR.search(f"{before(match, 48)}a ") is not None
    )


_COMMON_HEAD: Final = re.compile(r"clinique|h[oô]pital|home|maternit")


def known_lower(match: re.Match[str]) -> bool:
    """Whether a name in lower case is a place, or no ordinary word; any name does for an EHPAD."""
    last = fold(match[2])
    if before(match, 10).endswith(("chambre ", "ch ")) or last in ("service", "jour", "garde"):
        return False
    return match[0].startswith(("ehpad l", "ehpad be", "ehpad bon ")) or bool(
        last not in gazetteers.common_words()
        and (
            gazetteers.places_named(last)
            or (last not in gazetteers.words() and not _COMMON_HEAD.match(match[0]))
        )
    )


def no_title(match: re.Match[str]) -> bool:
    """Whether a well-known name does not stand behind a title or a first name of a person."""
    ahead = before(match, 14)
    return not re.search(
        r"(?:\b(?:dr|dre|pr|mr?|mme|mlle|docteur|monsieur|madame|(?:maladie|drain|signe) de|salle)"
        r"\.? |\w-)$",
        ahead,
    ) and not re.search(
        r"[A-ZÀ-Þ][a-zà-ÿ-]+ $", match.string[max(0, match.start() - 16) : match.start()]
    )


_CARED_FOR: Final = re.compile(
    r"\b(?:transf|adress|suivie? |suivis? |opere|hospit|mute|admis|bilan|soign|traite|evasan"
    r"|recevoir"
    r"|vue? |relue? |avis |retour|rdv|irm|scanner|pontage|greff|pose|consult|appel|interne|externe"
    r"|soignante?|repris|envoy|passe|dialyse|sorti|programm|biopsie|accouch|cs |chimio)"
    r"[^.;:]{0,28}\b(?:a|au|vers|de|par|sur|chez|la|l'|d'|19\d\d|20\d\d) ?$"
)


def _cared_for(match: re.Match[str]) -> bool:
    """Whether a verb of care leads to the name, and no person or eponym."""
    ahead = before(match, 48)
    return bool(_CARED_FOR.search(ahead)) and not re.search(
        r"(?:(?:maladie|syndrome|signe|pieu|fracture|contracture|vaccin|test|prothese|rue|place"
        r"|avenue|bilan|avis|suivi|operee?|pose|greffe|sonde|pince|score|dr|pr|mr?|mme) (?:de |d')?"
        r"|par |chez |docteur |madame |monsieur )$",
        ahead,
    )


ROWS: Final[tuple[Row, ...]] = (
    Row(
        "care.hospital",
        beginnings(HEADS),
        rf"(?P<HOSPITAL>{one_of(HEADS)}(?:s|x)?(?:\b|(?<=\.))(?:{_KIND} {PARTICLES}{NAME}"
        rf"|{_KIND} ?{QUOTED}|{_KIND}(?: ?[-–] )(?:Site |site )?{NAME}))",
        "opéré à la «HOSPITAL:clinique Saint-Vincent» hier",
        0.95,
        stands_alone,
        never=("Examen clinique normal", "la clinique du Dr Martin"),
    ),
    Row(
        "care.hospital.short",
        beginnings(HOUSES),
        rf"(?P<HOSPITAL>{one_of(HOUSES, exact=True)}(?: (?i:de|du|des|d'|le|la|les)\b)?"
        rf"(?:(?:(?<=')| |-)(?!A ?\d{{1,2}} ?D ?\d){PARTICLES}{NAME}|{QUOTED}))"
        rf"(?:,? (?P<UNIT>(?!(?i:urg(?:ences?)?)\b){UNIT})(?= ?[,.;:(\n)]| {{2}}| le \d|\Z))?",
        "suivie au «HOSPITAL:CH de Fougères» puis «HOSPITAL:CHU Nantes» «UNIT:néphrologie», 3 j",
        0.95,
        stands_alone,
        never=("suivie au CH", "CHU Dr Martin", "échelle HAD A12 D8", "HAD A 12 D 8"),
    ),
    Row(
        "care.hospital.lower",
        words(
            "ch chu chr chic clinique hopital polyclinique pmi mater maternite cmp ssr ehpad home"
        ),
        r"(?P<HOSPITAL>(?:ch|chu|chr|chic|clinique|h[oô]pital|polyclinique|pmi|mater(?:nité)?|cmp"
        r"|ssr"
        r"|ehpad|home) (?:(?:de la|de l'|de|d'|du|des|les|la|le)(?:(?<=')| ))?"
        r"(?:(?:st|ste|saint|sainte)[ -]|(?:clos|jardins?|mas|parc|val|bois|mont|pr[ée]s?|champs?"
        r"|villa|bords?|maison|fil|source|ch[âa]teau|moulin|beau|belle|bel|bon)"
        r" (?:de |du |des |d')?)?"
        r"([a-zà-ÿ][a-zà-ÿœ-]{2,20}))\b(?!')",
        "transmis au «HOSPITAL:ch de gueret» hier",
        0.7,
        known_lower,
        never=("la clinique est rassurante", "ch de garde", "ch a16 lit 2"),
    ),
    Row(
        "care.hospital.clinic",
        words("clinique"),
        r"(?<=[aà] la )(?P<HOSPITAL>clinique (?:des|du|de la) (?!patient|chu\b|main|douleur)"
        r"[a-zà-ÿ][a-zà-ÿœ-]{3,24}(?: [a-zà-ÿ]{4,14}(?=[,.;)\n]| dr\b| le \d|$))?)\b(?!')",
        "transfert a la «HOSPITAL:clinique des grands pins»",
        0.75,
        never=("examen clinique des membres", "à la clinique du patient"),
    ),
    Row(
        "care.hospital.known",
        beginnings(KNOWN),
        rf"(?P<HOSPITAL>{one_of(KNOWN, exact=True)})\b"
        r"(?! (?:[GD]\b|gauche|droite?\b|bilat|n[ée]gatif|positif|op[ée]r))",
        "admis au «HOSPITAL:CHUV» hier",
        0.85,
        no_title,
        never=("vu par le Dr Cochin", "signe de Trousseau", "Dupuytren droit opéré"),
    ),
    Row(
        "care.hospital.cued",
        beginnings(CUED),
        rf"(?P<HOSPITAL>{one_of(CUED)})\b(?!-)",
        "transférée à «HOSPITAL:purpan» ce matin",
        0.8,
        _cared_for,
        never=("maladie de Dupuytren", "opéré de Dupuytren", "la citadelle est loin"),
    ),
    Row(
        "care.hospital.person",
        Word(words("a"), f" [{UPPER}]"),
        rf"(?:à|À|A) (?P<HOSPITAL>[{UPPER}]\w{{2,16}}(?:-[{UPPER}]\w{{2,16}}){{1,2}})\b",
        "opéré à «HOSPITAL:Pierre-Wertheimer» en 2019",
        0.8,
        _named_after,
        never=("opéré à Saint-Malo", "parler à Jean-Pierre"),
    ),
    Row(
        "care.hospital.acronym",
        Word(words("au"), " C"),
        r"au (?P<HOSPITAL>CH(?!RU|IC|OP|AR|AD|EM|ARGE|EST)[A-Z]{2,4})\b",
        "transfert au «HOSPITAL:CHOR» ce jour",
        0.75,
        never=("admis au CHU", "AU CHEVET", "au CHRU"),
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
        "care.hospital.centre.of",
        words("centre"),
        rf"(?P<HOSPITAL>centre (?:de |d'|du )(?!R[ée]f|Soins|Jour|Dialyse){NAME})",
        "transférée au «HOSPITAL:centre de Bermont» pour rééducation",
        0.75,
        lambda match: _CARED_FOR.search(before(match, 48)) is not None,
        never=("vit au centre de Paris", "suivi dans le centre du Dr Roy"),
    ),
    Row(
        "care.hospital.dotted",
        words("c"),
        rf"(?P<HOSPITAL>C\.H\.(?:[URIS]\.)? (?:de |du |d')?{NAME})",
        "«HOSPITAL:C.H.U. Caen Normandie», le 3",
        0.9,
    ),
)
