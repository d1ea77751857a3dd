"""Rows for KINSHIP: the nouns that make somebody a relative of the patient.

The noun alone is the span. Surgical threads ("fils"), nuns, a newborn's sex and "l'enfant Paul"
(who is the patient) are told apart by the words around them.
"""

from __future__ import annotations

import re
from typing import Final

from dpdeid.detect.patterns.phrase import after, anchors, before, listed, one_of
from dpdeid.detect.patterns.table import Row, words
from dpdeid.detect.vocabulary import FREQUENT, TRAITS
from dpdeid.normalize import fold

_KIN: Final = """
mère, père, maman, papa, belle-mère, beau-père, grand-mère, grand-père, grands-parents,
arrière-grand-mère, arrière-grand-père, bonne-maman, bon-papa, mamie, papi, papy, mamy, pépé,
tata, tonton, tantine, tante, grand-tante, oncle, grand-oncle, fils, frère, frères, sœur, sœurs,
demi-frère, demi-sœur, demi-frères, demi-sœurs, beau-frère, belle-sœur, beau-fils, belle-fille,
beaux-parents, beaux-enfants, petit-fils, petite-fille, petits-enfants, petit-enfant,
petites-filles, arrière-petits-enfants, arrière-petit-fils, arrière-petite-fille, gendre, bru,
neveu, neveux, nièce, nièces, petit-neveu, petite-nièce, cousin, cousine, cousins, cousines,
épouse, époux, mari, conjoint, conjointe, compagnon, compagne, ex-mari, ex-femme, ex-conjoint,
ex-conjointe, ex-épouse, ex-compagnon, ex-compagne, ex-époux, parrain, marraine, filleul,
filleule, belle-famille, petit ami, petite amie, parents
"""
_OWNED: Final = (
    "concubin, concubine, fratrie, partenaire, aîné, aînée, aînés, aînées, cadet, cadette, cadets,"
    " benjamin, benjamine"
)
_FIRST_PARTS: Final = words(
    "belle beau beaux demi grand grands petit petite petits petites bonne bon ex arriere"
)
_PERSON: Final = re.compile(
    r"(?:\b(?:sa|son|ses|ma|mon|votre|leurs?|vos|la|le|une?|deux|trois|quatre|cinq|six|sept|huit"
    r"|sans"
    r"|premiere?|1ere?|avec|\d{1,2}|d'|d|pas|plusieurs|autres?|nombreux|aines?|jeunes?|aucun"
    r"|grande?s?|petite?s?|et|mes|l'autre|par l'|notre|nos|ex|tel|prevenir|presents?) ?"
    r"|[-–•*:(,/=+>.] ?|^\s*|\s{2})$"
)
_OWN_CHILD: Final = re.compile(
    r"(?:\b(?:sans|un|une|deux|trois|quatre|cinq|six|sept|huit|neuf|dix|\d{1,2}|premier|deuxieme"
    r"|troisieme|1er|2e|3e|2eme|3eme|pas d'|ses|leurs|vos|les|aux|des|dernier|derniers|premiers"
    r"|autres?|jeunes|son|grands|pere de l'|mere de l'|pas d) ?)$"
)


def _woman(match: re.Match[str]) -> bool:
    """Whether "femme" means a wife: somebody's, or followed by a name or a mark."""
    ahead = before(match, 12)
    if re.match(
        r" (?:au foyer|de menage|de chambre|d'affaires|enceinte|de \d|agee)", after(match, 14)
    ):
        return False
    return bool(re.search(r"\b(?:sa|ma|votre|leur|ex|son|premiere|deuxieme)[ -]$", ahead)) or (
        not ahead.strip(" -/•*:(") and bool(re.match(r" ?[:=(,]| [A-Za-z]+ 0", after(match, 20)))
    )


_THREAD: Final = re.compile(
    r"(?:retrait|ablation|sur|reperage|points?|ablations|deux|depose|aux|resection) (?:des |de "
    r"|les )?$"
)


def _kin(match: re.Match[str]) -> bool:
    """Whether the noun is no title, no newborn's sex, no surgical thread and no nun."""
    word, ahead, behind = match["KINSHIP"], before(match, 16), after(match, 18)
    if re.match(r"-?(?:au foyer|bebe|enfant)|,? superieure| porteuse", behind.lstrip()):
        return False
    if re.search(
        r"(?:sage|langue|maison|carte|soin|solution|cellule|pie|dure) (?:d\w* )?$|\w-$", ahead
    ):
        return False
    folded = word.lower()
    if folded == "fils" and (
        _THREAD.search(ahead)
        or re.match(r" (?:m[eé]tal|r[eé]sorb|de sut|d'acier|chez|a j)", behind)
    ):
        return False
    if folded in ("sœur", "soeur", "frère", "papa", "maman", "père", "mari") and word[0].isupper():
        follows = re.match(r" [A-ZÀ-Þ]", match.string[match.end() : match.end() + 2])
        if follows and not re.search(
            r"(?:\b(?:sa|son|la|le|votre|une?)|[:/(–•*-]) ?$|^\W*$", ahead
        ):
            return False
    return not re.search(r"\b(?:mme|mr|m\.) $", ahead)


def _owned(match: re.Match[str]) -> bool:
    """Whether the relative is said to be somebody's; several, by a name or an age behind them."""
    word, ahead = match[0].casefold(), before(match, 8)
    if word == "aine" or match[0].istitle():
        return False
    if ahead.endswith(("les ", "aux ")):
        return (
            re.match(r",? [A-ZÀ-Þ]| ?\(", match.string[match.end() : match.end() + 4]) is not None
        )
    return re.search(r"\b(?:sa|son|ses|leurs?|ma|mon|mes|l'|la|une|deux) ?$", ahead) is not None


def _is_called(match: re.Match[str]) -> bool:
    """Whether a first name follows at once: "FILLE MARGUERITE"."""
    named = re.match(r" ([A-ZÀ-Þ][\w-]{2,16})\b", match.string[match.end() : match.end() + 20])
    return named is not None and bool(TRAITS[fold(named[1])] & FREQUENT)


def _daughter(match: re.Match[str]) -> bool:
    """Whether "fille" is a relative and not the sex of a newborn."""
    ahead, behind = before(match, 24), after(match, 24)
    if re.search(
        r"\b(?:naissance|accouche\w*|nee?) (?:\w+ ){0,2}?(?:d'une |de )?$|sexe\W*$|jeune $|arcf, $",
        ahead,
    ):
        return False
    if re.match(r" (?:de )?(?:\d{3,4} ?g|pesant|vivante|eutrophe|\d,\d)", behind):
        return False
    return bool(_PERSON.search(ahead)) or _is_called(match)


def _child(match: re.Match[str]) -> bool:
    """Whether "enfant" is a child of somebody and not the patient."""
    if re.match(
        r" (?:a risque|unique|eveille|somnolent|de \d|d'un an|ne a|eutrophe)", after(match, 16)
    ):
        return False
    return bool(_OWN_CHILD.search(before(match, 16)))


ROWS: Final[tuple[Row, ...]] = (
    Row(
        "social.kinship",
        anchors(_KIN) - _FIRST_PARTS,
        rf"(?P<KINSHIP>{one_of(k for k in listed(_KIN) if k.isalpha())})\b(?!-)",
        "vit avec sa «KINSHIP:mère» à Paris",
        0.9,
        _kin,
        never=("une sage-femme, la langue maternelle",),
    ),
    Row(
        "social.kinship.compound",
        _FIRST_PARTS,
        rf"(?P<KINSHIP>{one_of(k for k in listed(_KIN) if not k.isalpha())})\b",
        "accompagné de sa «KINSHIP:belle-fille»",
        0.95,
        lambda match: not re.search(r"naissance (?:\w+ ){0,3}d'une $", before(match)),
        never=("Naissance d'une petite fille",),
    ),
    Row(
        "social.kinship.owned",
        anchors(_OWNED),
        rf"(?P<KINSHIP>{one_of(_OWNED)})\b",
        "confié à son «KINSHIP:aîné»",
        0.8,
        _owned,
        never=(
            "une situation partenaire",
            "douleur de l'aine",
            "les aînés du quartier",
            "vu avec Benjamin",
        ),
    ),
    Row(
        "social.kinship.daughters",
        words("filles"),
        r"(?P<KINSHIP>(?i:filles))\b(?! de sa)",
        "vit avec ses deux «KINSHIP:filles»",
        0.9,
        lambda match: bool(_PERSON.search(before(match, 12))),
        never=("l'école de filles",),
    ),
    Row(
        "social.kinship.daughter",
        words("fille"),
        r"(?P<KINSHIP>(?i:fille))\b",
        "accompagnée de sa «KINSHIP:fille» Anne ; PREVENIR «KINSHIP:FILLE» LUCIE",
        0.9,
        _daughter,
        never=("naissance d'une fille de 3200 g", "une jeune fille de 15 ans"),
    ),
    Row(
        "social.kinship.wife",
        words("femme"),
        r"(?P<KINSHIP>(?i:femme))\b",
        "vit avec sa «KINSHIP:femme»",
        0.9,
        _woman,
        never=("une femme de 35 ans", "femme au foyer"),
    ),
    Row(
        "social.kinship.child",
        words("enfant enfants"),
        r"(?P<KINSHIP>(?i:enfants?))\b",
        "divorcé, 2 «KINSHIP:enfants» dans la région",
        0.9,
        _child,
        never=("l'enfant Joseph est vu", "service enfants"),
    ),
)
