"""Rows for places of care and other bodies: HOSPITAL, ORGANIZATION; with UNIT and ROOM.

A hospital is a facility noun with its name, the noun inside the span; an organization is a noun
with its name, or a name behind a trigger ("chez", "mutuelle"). Units and rooms have their own
module. National acronyms without a place (a bare CHU, a bare CMP) identify nobody and are left
alone.
"""

from __future__ import annotations

import re
from typing import Final

from dpdeid import gazetteers
from dpdeid.detect.leanings import LEANING
from dpdeid.detect.patterns import units
from dpdeid.detect.patterns.facilities import (
    BODIES,
    COURTS,
    CUED,
    HEADS,
    HOUSES,
    KNOWN,
    KNOWN_BODIES,
)
from dpdeid.detect.patterns.phrase import (
    NAME,
    PARTICLES,
    UPPER,
    before,
    beginnings,
    one_of,
    starts_word,
)
from dpdeid.detect.patterns.table import Row, Word, words
from dpdeid.detect.vocabulary import FREQUENT, TRAITS
from dpdeid.normalize import fold

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
    word = fold(name)
    return (
        (head == "CLINIQUE" or fold(head) in ("clin", "clin."))
        and name.istitle()
        and word in gazetteers.words()
        and word not in gazetteers.surnames()
    )


def _is_practice(text: str) -> bool:
    """Whether a practice bears the surnames of who work in it: "cabinet Morvan-Le Dantec"."""
    head, _, names = text.partition(" ")
    parts = [fold(part) for part in re.split(r"[-/ ]", names)]
    surnames = gazetteers.surnames()
    return (
        head in ("cabinet", "Cabinet")
        and not gazetteers.places_named(fold(names).replace("-", " "))
        and any(part in surnames for part in parts)
        and all(
            part in surnames or part in ("le", "la", "et") or part not in gazetteers.words()
            for part in parts
        )
    )


def _stands_alone(match: re.Match[str]) -> bool:
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


def _known_lower(match: re.Match[str]) -> bool:
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


_CODED: Final = re.compile(r"\d{3}")
"""In a number rather than in a name: "matricule entreprise D-4471"."""
_LOOSE_BODY: Final = re.compile(r"association|foyer|r[ée]seau", re.IGNORECASE)


def _named_body(match: re.Match[str]) -> bool:
    """Whether an association is one of people, not of drugs: its name is no ordinary word."""
    if not _stands_alone(match):
        return False
    if not _LOOSE_BODY.match(match[0]) and not match[0].isupper():
        return True
    return any(
        fold(word) not in gazetteers.words() for word in re.findall(r"[A-ZÀ-Þ]\w+", match[0][1:])
    )


def _no_title(match: re.Match[str]) -> bool:
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
        "care.hospital",
        beginnings(HEADS),
        rf"(?P<HOSPITAL>{one_of(HEADS)}(?:s|x)?(?:\b|(?<=\.))(?:{_KIND} {PARTICLES}{NAME}"
        rf"|{_KIND} ?{_QUOTED}|{_KIND}(?: ?[-–] )(?:Site |site )?{NAME}))",
        "opéré à la «HOSPITAL:clinique Saint-Vincent» hier",
        0.95,
        _stands_alone,
        never=("Examen clinique normal", "la clinique du Dr Martin"),
    ),
    Row(
        "care.hospital.short",
        beginnings(HOUSES),
        rf"(?P<HOSPITAL>{one_of(HOUSES, exact=True)}(?: (?i:de|du|des|d'|le|la|les)\b)?"
        rf"(?:(?:(?<=')| |-)(?!A ?\d{{1,2}} ?D ?\d){PARTICLES}{NAME}|{_QUOTED}))",
        "suivie au «HOSPITAL:CH de Fougères» depuis",
        0.95,
        _stands_alone,
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
        _known_lower,
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
        _no_title,
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
        "care.hospital.dotted",
        words("c"),
        rf"(?P<HOSPITAL>C\.H\.(?:[URIS]\.)? (?:de |du |d')?{NAME})",
        "«HOSPITAL:C.H.U. Caen Normandie», le 3",
        0.9,
    ),
    Row(
        "care.body",
        beginnings(BODIES),
        rf"(?P<ORGANIZATION>{one_of(BODIES)}s?(?! (?:et|ou|à|ET|OU|À|AU|au) )"
        r"(?: (?i:m[ée]dicale?s?|primaire|maternelle|[ée]l[ée]mentaire|communale?|libre|priv[ée]e?"
        r"|professionnel|agricole|sociale?|judiciaire|scolaire|familiales?|nationale?|centrale"
        r"|administratif"
        r"|de biologie|d'analyses|d'anatomie pathologique|de proximit[ée]|de grande instance|pour"
        r" enfants))"
        rf"{{0,3}}(?:(?<=')| ){PARTICLES}(?:{NAME}|{_QUOTED}))",
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
        _known_lower,
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
        words("mdph udaf sdis samu smur adt cpam carsat admr ddass ddets cdg ars dragon"),
        r"(?P<ORGANIZATION>(?:MDPH|UDAF|SDIS|SAMU|SMUR|ADT|CPAM|CARSAT|ADMR|CDG|Dragon)"
        r" ?(?:\d{2,3}|2[ABab]))\b",
        "dossier «ORGANIZATION:MDPH 76» déposé",
        0.85,
    ),
    Row(
        "care.body.known",
        beginnings(KNOWN_BODIES),
        rf"(?P<ORGANIZATION>{one_of(KNOWN_BODIES, exact=True)})\b",
        "ancien contrôleur à la «ORGANIZATION:SNCF»",
        0.88,
        _no_title,
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
        rf"(?P<ORGANIZATION>(?!(?:Non|Oui|NON|OUI|UNE?|LE|LA|LES|CE)\b)(?:(?:Le|La|Les) )?{NAME})",
        "carreleur chez «ORGANIZATION:Bretagne Sols Déco», en arrêt",
        0.7,
        lambda match: not _CODED.search(match["ORGANIZATION"]),
        never=("chez Mme Durand", "chez le patient", "assurance : AX-90733-12"),
    ),
    *units.ROWS,
)
