"""Rows for PROFESSION: what the patient or a relative does or did for a living.

A note is full of professions that are not the patient's: staff, judges, teachers. So a noun of the
table counts only in a place that speaks of the patient or a relative: after "ancien", "travaille
comme", an age, a kinship noun, or as the first word under "Mode de vie".
"""

from __future__ import annotations

import re
from typing import Final

from dpdeid.detect.patterns.nationalities import NATIONALITIES
from dpdeid.detect.patterns.phrase import after, anchors, before, one_of
from dpdeid.detect.patterns.professions import CARERS, COMPOUNDS, NOUNS
from dpdeid.detect.patterns.table import Row, words
from dpdeid.normalize import fold

_STRONG: Final = re.compile(
    r"\b(?:ancien(?:ne)?s?|ex|comme|(?:en )?tant qu['e] ?|etait|est|est une?|etait une?"
    r"|profession(?: actuelle)?(?: d')?|metier|prof|pro|activite|emploi|poste(?: de)?|travail"
    r"|apprentie?"
    r"|etiez|etes|devenue?|formation(?: de)?|puis|dernier emploi|mode de vie|avant|auparavant"
    r"|mi-temps|temps (?:plein|partiel|complet)|cdi|cdd|interim|embauchee?|diplomee?"
    r"|ete|actuellement|situation(?: (?:pro\w*|sociale|familiale))?|parents)"
    r"\s*[.:=-]*\s*(?:[-*•]\s*)?$"
)
_PLACE: Final = re.compile(
    r"(?:(?:\d\s?an?s?|patiente?|homme|femme|celibataire|mariee?|divorcee?|veufs?|veuve|pacsee?"
    r"|pere"
    r"|mere|mari|fils|fille|epouse|epoux|frere|soeur|conjointe?|compagnon|compagne|maman|papa"
    r"|gendre"
    r"|belle-fille|neveu|niece|cousine?|oncle|tante|parents|retraitee?|couple|gauche"
    r"|droitiere?|gauchere?|domicile|enfants?|active|monsieur|il|elle)\W{0,3}|^[\s*•>-]*)$"
)
_RELATED: Final = re.compile(
    r"(?:\d ?ans|\d\d[/.]\d\d[/.]19\d\d|patiente?|mere|pere|fille|fils|soeur|frere"
    r"|mari|epouse|femme|compagne|compagnon"
    r"|enfants?|conjointe?|oh|alcool|mariee?|celibataire|divorcee?|veuf|veuve|pacsee?)\W{1,3}$"
    r"|\b(?:mere|pere|fille|fils|soeur|frere|mari|mariee?|epouse|compagne|enfants)\b"
    r"(?: ?\([^)]*\)|(?: ?:)?[\w .]{3,20}|(?: ?:)? ?[\w-]{3,16}(?: a [\w-]{3,16})?),? ?\(?$"
)
_STAFF_BEFORE: Final = re.compile(
    r"\b(?:dr|dre|pr|docteur|professeur|par|signe|avis|service|equipe|notre|nos|votre|vue?|chef de"
    r"|mme|mr?|monsieur|madame|facteurs?)\b[^,;.]*[,(]? ?$"
)
_STAFF_AFTER: Final = re.compile(
    r" ?(?:du service|de garde|du chu|referente?|traitante?|du patient|de la structure|hospitalier"
    r"|liberale?\b|d'astreinte|coordinat|conseil|scolaire|de sante publique|de ville|commis"
    r"|a gaz|a bois|electri|a induction|automatique|informatique"
    r"|nerveu|metallique|\d+\.\d|(?:de risque|favoris|declench|v\b|viii|ix|leiden"
    r"|pronos|limit|rhumat|aggrav|precip|psych))"
)


_AT_WORK: Final = re.compile(
    r" {2,}"
    r"| ?,? (?:a la retraite|en retraite|retraitee?|chez|dans (?:une?|la|le|l')|a l'(?:universite"
    r"|usine|ecole|hopital)|a [a-z]+ ?$|en (?:droit|arret|activite|invalidite|poste|interim"
    r"|cdi|cdd)"
    r"|au chomage|expose|depuis|a son compte|independante?)\b|$"
)
"""What goes on from a profession that opens its line in small letters."""


_OF_AGE: Final = re.compile(r",? ?\(?(?:(?:age|agee) )?(?:de )?\d{2} ans\b")
_ONE: Final = re.compile(r"\b(?:une?|cette?) $")
"""What goes on from a profession in small letters that stands for the patient."""
_LEFT_WORK: Final = re.compile(r" (?:a la retraite|en retraite|retraitee?)\b")


def _worker(match: re.Match[str]) -> bool:
    """Whether the profession is the patient's or a relative's, by what stands around it."""
    start, word = match.start(), match["PROFESSION"]
    behind = after(match)
    if _STAFF_AFTER.match(behind) or (word == "Prof" and behind.startswith(".")):
        return False
    above = fold(match.string[max(0, start - 40) : start])
    if _STRONG.search(above):
        return not (word[0].isupper() and word[1:].islower() and above.endswith("puis "))
    ahead = above.rpartition("\n")[2]
    if _OF_AGE.match(behind) and _ONE.search(above):
        return True
    if _LEFT_WORK.match(behind) and not _STAFF_BEFORE.search(ahead):
        return True
    if _RELATED.search(ahead):
        return True
    if _STAFF_BEFORE.search(ahead) or CARERS.match(word):
        return False
    if word != "berger" and (told := _NEXT.match(behind)) and told[1] in _NATIONS:
        return True
    if not ahead.strip(" \t-*•>"):
        return (word[0].isupper() and not word.isupper()) or bool(_AT_WORK.match(behind))
    return bool(_PLACE.search(ahead)) or bool(re.search(r"[.,;(=] ?$", ahead))


def _retired(match: re.Match[str]) -> bool:
    """Whether the word stands for the activity itself and does not follow a profession."""
    if match[0][-1] in "eE" and not match[0].lower().endswith(("ée", "ee")):
        return False
    return bool(
        re.search(
            r"(?:[,.:;(–*•-]\s?|^\W*|\b(?:est|et|ans|actuellement|patiente?|domicile|femme|homme"
            r"|jeune) )$",
            before(match, 24),
        )
    )


_NATIONS: Final = frozenset(map(fold, NATIONALITIES))
_NEXT: Final = re.compile(r" ([a-z-]{3,20})\b")
_WORD: Final = (
    r"(?!(?:qui|que|et|est|sur|mais|avec|depuis|chez|vit|arr[êe]t|cours|retraite|age|âge|depuis"
    r"|par|pas)\b)(?-i:[a-zà-ÿ][\w'-]{2,20}|(?:BTS|DUT|BUT|BEP|CAP|STAPS|IFSI|LEA|LLCE|MBA|STS|IUT"
    r"|CPGE|PACES|L[1-3]|M[12])\b)"
)
_DETAIL: Final = (
    r"(?:(?i: (?:de|d'|du|des|en|dans) ?(?:l'|la |le |les |une? )?)" + _WORD + r"){0,2}"
)
_TITLES: Final = one_of(
    "chauffeur, conducteur, conductrice, agent, agente, chef, cheffe, professeur, professeure, prof"
    ", professeurs, technicien, technicienne, ouvrier, ouvrière, employé, employée, directeur,"
    " directrice"
    ", cadre, secrétaire, ingénieur, ingénieure, mécanicien, mécanicienne, responsable, gérant,"
    " gérante"
    ", étudiant, étudiante, marchand, marchande, moniteur, monitrice, maître, guide, patron,"
    " patronne"
    ", gardien, gardienne, apprenti, apprentie, doctorant, doctorante, coupeur, coupeuse, vendeur,"
    " vendeuse"
    ", chasseur, informaticien, informaticienne, commercial, commerciale, éducateur, éducatrice"
    ", gestionnaire, musicien, musicienne, maquilleur, maquilleuse, accompagnateur, accompagnatrice"
    ", peintre, clerc, conseiller, conseillère, opérateur, opératrice"
)
_ADJECTIVES: Final = (
    r"(?i: (?:agricole|agronome|routier|sportive?|sp[ée]cialis[ée]e?|ind[ée]pendante?|m[ée]dicale?"
    r"|porcine?"
    r"|bovine?|communale?|territoriale?|p[ée]nitentiaire|municipale?|judiciaire|commerciale?"
    r"|administrati(?:f|ve)|immobili(?:er|ère)|aéronautique|visc[ée]rale?|industriel(?:le)?"
    r"|scolaire"
    r"|jurée?|libérale?|universitaire|chimiste|patissier|pâtissier|coiffeuse|charpentier|VTC|QHSE"
    r"|énergétique))?"
)

ROWS: Final[tuple[Row, ...]] = (
    Row(
        "social.profession.retired",
        words("retraite retraitee retraites"),
        r"(?P<PROFESSION>(?i:retrait[ée]e?s?)(?: de la (?:fonction publique|marine"
        r"|[\w]{4,15}))?)\b",
        "vit seul, «PROFESSION:retraité»",
        0.85,
        _retired,
        never=("à la retraite", "viticulteur retraité"),
    ),
    Row(
        "social.profession",
        anchors((*NOUNS, *COMPOUNDS)),
        rf"(?P<PROFESSION>{one_of(COMPOUNDS)}\b{_ADJECTIVES}|{_TITLES}\b{_ADJECTIVES}{_DETAIL}"
        rf"|{one_of(NOUNS)}s?\b{_ADJECTIVES})\b",
        "travaille comme «PROFESSION:chauffeur de bus», père «PROFESSION:étudiant en BTS»",
        0.8,
        _worker,
        never=("vu par le kinésithérapeute", "Dr Martin, dentiste", "infirmière du service"),
    ),
)
