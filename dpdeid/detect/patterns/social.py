"""Rows for who the patient is among others: MARITAL_STATUS and NATIONALITY, with two families more.

Kinship and professions have their own modules. The words are ordinary French, so each row asks for
the place in the sentence in which it tells of the patient or a relative.
"""

from __future__ import annotations

import re
from typing import Final

from dpdeid.detect.patterns import kinship, work
from dpdeid.detect.patterns.nationalities import NATIONALITIES
from dpdeid.detect.patterns.phrase import after, anchors, before, one_of
from dpdeid.detect.patterns.professions import CARERS, NOUNS
from dpdeid.detect.patterns.table import Row, Word, words
from dpdeid.normalize import fold

_DOUBLE: Final = """
franco, germano, italo, belgo, algéro, helvético, hispano, luso, maroco, tuniso, turco, sino, russo,
serbo, gréco, anglo, américano, ivoiro, sénégalo, congolo, luxo, polono, libano, syro, arméno, afro,
austro, roumano, albano, batavo, nippo, indo
"""
"""First halves of double nationalities: "belgo-guinéenne"."""
_NATION: Final = rf"(?:{one_of(_DOUBLE)}-)?{one_of(NATIONALITIES)}\b"
_WORKERS: Final = frozenset(map(fold, NOUNS)) - words("berger chef")
"""Professions that an adjective of nationality follows: "maçon haïtien", but "berger belge"."""
_NOT_PERSON: Final = re.compile(
    r"(?:\b(?:en|le|du|langue|parle|societe|type|grippe|accent|score|classification|hopital"
    r"|clinique"
    r"|assurance|pas|bien|restaurant|cuisine|l'|au)) ?$"
)


def _of_person(match: re.Match[str]) -> bool:
    """Whether the adjective tells of a person: after a comma, a kinship noun, "patient"."""
    ahead = before(match, 24)
    word = match["NATIONALITY"]
    if _NOT_PERSON.search(ahead) or "langue" in ahead or (word.istitle() and ahead.strip()):
        return False
    worker = ahead.rstrip().rpartition(" ")[2]
    if worker in _WORKERS and not CARERS.match(worker):
        return True
    if after(match, 12).startswith(" d'origine"):
        return True
    return bool(
        re.search(
            r"(?:patiente?|ans|pere|papa|mere|maman|mari|epouse|femme|homme|gendre|fille|dame"
            r"|monsieur"
            r"|madame|ressortissante?|origine|nationalites?|passeport|retraitee?|chibani|ouvrier"
            r"|celibataire|refugiee?s?|migrante?s?|couple|etudiante?|asile|touriste|voisine?|mariee?|agricole|nom|grand-pere|grand-mere|famille|citoyen(?:ne)?|et"
            r"|/)[ ,:;(]{0,3}$"
            r"|\d[)a]?, ?$|^\W*$|[;,] $",
            ahead,
        )
    )


_PARTED: Final = re.compile(r"s[ée]par[ée]e?s?", re.IGNORECASE)
_OF_COUPLE: Final = re.compile(
    r"(?:^[\W\d]*|[,;:(/.=|*–-] ?|\b(?:est|sont|etait|et|ou|ans|parents|couple|patiente?|monsieur"
    r"|madame|mere|pere|mari|epoux|epouse|il|elle|actuellement|maritale|familiale|civil|vit|femme|homme"
    r"|depuis|recemment|enfants?|maintenant|ce sont|se sont) )$"
)
"""Where "séparé" tells of people, not of tissue."""

ROWS: Final[tuple[Row, ...]] = (
    *kinship.ROWS,
    Row(
        "social.marital",
        words(
            "marie mariee maries mariees remarie remariee celibataire veuf veuve veufs divorce"
            " divorcee divorces"
            " pacse pacsee pacses separe separee separes concubin concubinage fiance fiancee"
            " maritalement"
            " cohabitant cohabitante"
        ),
        r"(?P<MARITAL_STATUS>(?i:(?:re)?mari[ée]e?s?|c[ée]libataires?|veufs?|veuves?"
        r"|divorc[ée]e?s?|pacs[ée]e?s?"
        r"|s[ée]par[ée]e?s?|concubin(?:age)?|fianc[ée]e?s?|maritalement|cohabitante?(?:"
        r" l[ée]gale?)?))\b",
        "retraité, «MARITAL_STATUS:veuf», deux fils",
        0.9,
        lambda match: (
            not re.match(r" (?:en (?!\d{4}|2)|de la|par|des|les|a la |a l'|au )", after(match, 8))
            and (not _PARTED.match(match[0]) or _OF_COUPLE.search(before(match)) is not None)
            and not re.search(r"\bson $", before(match, 6))
            and match[0]
            not in ("Marie", "marie", "MARIE", "Separe", "separe", "divorce", "Divorce")
        ),
        never=("Mme Marie Durand",),
    ),
    Row(
        "social.marital.phrase",
        Word(words("en vit vie vivant vivent habite"), "(?i) [ceiu]"),
        r"(?i:(?:vit |vivant |vivent |habite )?(?P<MARITAL_STATUS>en couple"
        r"|en instance de divorce|en union libre))\b",
        "vit «MARITAL_STATUS:en couple» à Nantes",
        0.9,
    ),
    Row(
        "social.nationality",
        words("nationalite nationalites nat nation ressortissant ressortissante origine origines"),
        rf"(?i:nationalit[ée]s?|nat(?:ion)?(?=\.| ?:)|ressortissante?|origines?)"
        rf" {{0,6}}[.:=|]{{0,16}} {{0,6}}"
        rf"(?P<NATIONALITY>{_NATION})"
        rf"(?:(?: et | ?/ ?|, ?)(?P<NATIONALITY_2>{_NATION}))?",
        "de nationalité «NATIONALITY:belge», né à Liège",
        0.95,
    ),
    Row(
        "social.nationality.person",
        {**dict.fromkeys(anchors(NATIONALITIES), ""), **dict.fromkeys(anchors(_DOUBLE), "-")},
        rf"(?P<NATIONALITY>{_NATION})",
        "Patient «NATIONALITY:portugais», maçon, 37 ans, «NATIONALITY:franco-tchadien»",
        0.8,
        _of_person,
        never=("il parle français", "en anglais", "un berger allemand", "chirurgien belge"),
    ),
    *work.ROWS,
)
