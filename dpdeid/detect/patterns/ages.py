"""Ages and spans of time: 63 ans, 38A, treize mois, 3 et 5 ans; depuis 15 ans, il y a 3 jours, J+3.

"N ans" is an age unless a word before it makes it a duration; "N mois" is a duration unless a word
before it makes it an age. Gestational age ("36 SA + 5 j") is neither.
"""

from __future__ import annotations

import re
from typing import Final

from dpdeid.detect.patterns.table import Number, Row, Word, words
from dpdeid.detect.patterns.timewords import NUMBER, UNIT, counted, glued, left, right

_LASTS: Final = re.compile(
    r"(?:\b(?:depuis|dans|pendant|durant|il y a|y a|il y|voici|voil[àa]|toutes les|tous les|sur|en"
    r"|d'ici"
    r"|dur[ée]e|d[ée]lai|suivi|suivie?s?|r[ée]sidence|survie|contr[ôo]le|pour|apr[èe]s|recul|chaque"
    r"|sevrage|sevr[ée]e?|condamn[ée]e?|peine|garantie|valable|cdd|renouvel\w{1,6}|pr[ée]vu)"
    r"(?: (?:de|d'|[àa]|environ|pr[èe]s de|plus de|moins de|au moins|au plus|quelques|maintenant"
    r"|bient[ôo]t|d[ée]j[àa]|les|une?|dans|comprise?s?|entre|:|≈|~)){0,3}[ :]{1,2}"
    r"|\d ?[x×/*] ?|\bx ?|(?:qsp|p[ée]riode de)[ :]{1,3})\Z"
)
_SURVIVAL: Final = re.compile(
    r"(?:%|risque|score|survie|pronostic|contr[ôo]le|suivi|r[ée]sultat)[^\n]{0,20}\Z"
)
_LASTS_AFTER: Final = re.compile(
    r" ?(?:plus t[ôo]t|plus tard|auparavant|apr[èe]s (?:l[ae']|son|une?)|avant (?:l[ae']|son|une?)"
    r"|de (?:suivi|tabac"
    r"|traitement|recul|mariage|m[ée]tier|carri[èe]re|vie commune|service|prison|r[ée]mission"
    r"|sevrage"
    r"|profession|travail|maladie)|d'(?:anciennet|[ée]volution|exp|instillation|hormono|ancien)"
    r"|si aucun|ferme)"
)
_YOUNG: Final = re.compile(
    r"(?:\b(?:[âa]g[ée]e?s?|[âa]ge|nourrissons?|b[ée]b[ée]s?|enfants?|filles?|fils|gar[çc]ons?"
    r"|fillette|fr[èe]res?"
    r"|s(?:œ|oe)urs?|jumeaux|jumelles?|petit-fils|petite-fille|nouveau-n[ée]|vaccins?|avait|avaient"
    r"|neveu|ni[èe]ce|cousine?|marche acquise)(?: [\w'-]{2,15})?(?:,? ?[(:]? ?(?:de |d'|[àa] "
    r"|vers )?| aussi, )|, marche [àa] )\Z"
)
_CHILD_AFTER: Final = re.compile(
    r",? (?:n[ée]e?\b|vaccins?\b|garçon|fille\b|amen[ée]e?|allait|nourrisson)"
)
_ADULT: Final = re.compile(
    r"\b(?:[âa]g[ée]e?s?|patiente?s?|hommes?|femmes?|sujets?|personnes?|dames?|messieurs|m[èe]re"
    r"|p[èe]re|identit[ée])\b[^.;\d\n]{0,16}\Z"
)
_FIRST: Final = re.compile(r"\d{1,3},? (?:(?:([àa])|et|ou) )?\Z")
"""The first number of two: "2 à" before "3 ans"."""
_GIVEN: Final = re.compile(r"\b[A-ZÉÈÎ][a-zéèêëïîôöüç'-]{2,15}, \Z")


def _years(match: re.Match[str]) -> bool:
    if int(match[2]) > 120:
        return False
    before, behind = left(match, 40), right(match)
    if glued(match, ".,:-"):
        return False
    if (first := _FIRST.search(before)) is not None:
        before = before[: first.start()]
        if first[1] and not _whose(before):
            return False
    if _LASTS_AFTER.match(behind) or _LASTS.search(before):
        return False
    event = before.endswith(("à ", "a ")) and not before[-3:-2].isalnum()
    if event and _SURVIVAL.search(before):
        return False
    return int(match[2]) > 1 or re.search(r"(?:\b(?:de|ses|à|a|vers)|[,(]) ?\Z", before) is not None


def _months(match: re.Match[str]) -> bool:
    before, behind = left(match, 40), right(match)
    months = match[0].endswith(("mois", "demi"))
    if not (months or before.endswith("de ")):
        return False
    if _LASTS.search(before) or _LASTS_AFTER.match(behind):
        return False
    if not months:
        return _YOUNG.search(before) is not None
    if _CHILD_AFTER.match(behind):
        return True
    if re.search(r"\b[àa] \Z", before):
        return (
            re.search(
                r"(?:ite|marche|assise?|sourire|arriv[ée]e?|\) le [^\n]{1,16}) [àa] \Z", before
            )
            is not None
        )
    if _YOUNG.search(before):
        return True
    given = match.string[max(0, match.start() - 24) : match.start()]
    return (
        _GIVEN.search(given) is not None and re.match(r" ?(?:[,;.)\n/–-]|\Z)", behind) is not None
    )


_OF_DEPARTMENT: Final = re.compile(
    r"\b(?:crra|samu|smur|sdis|codis|cta|ars|mdph|udaf|cpam|carsat|score|stade|grade|type) \Z"
)
"""What a number with a letter tells the place or the degree of: "CRRA 64A"."""


_CHILD: Final = re.compile(
    r"\b(?:enfants?|fillette|fille|fils|gar[çc]on(?:net)?|b[ée]b[ée]|bb|fr[èe]re|s(?:œ|oe)ur)"
    r" (?:de )?\Z"
)


def _short_years(match: re.Match[str]) -> bool:
    number = match[2]
    if int(number) > 110 or re.search(r"[\w.,/-] ?\Z", left(match, 1)):
        return False
    if _OF_DEPARTMENT.search(left(match)):
        return False
    return (
        len(number) > 1
        or not match[1].lower().endswith(number + "a")
        or _CHILD.search(left(match)) is not None
    )


def _whose(before: str) -> bool:
    """Whether the text on the left speaks of somebody whose age is to follow."""
    return _YOUNG.search(before) is not None or _ADULT.search(before) is not None


def _lasts(match: re.Match[str]) -> bool:
    """Whether a number that follows no other is a span of time by the words before it."""
    return glued(match, "./-,:") or _LASTS.search(left(match, 40)) is not None


def _listed(match: re.Match[str]) -> bool:
    before = left(match, 40)
    if _lasts(match) or (before.endswith(" à ") and _SURVIVAL.search(before)):
        return False
    ranged = (match[4] or "").lower() in ("à", "a")
    return (not ranged and match[6].lower() == "ans") or _whose(before)


def _since(match: re.Match[str]) -> bool:
    hours = re.search(r"(\d+)\s?h", match[0])
    return hours is None or not 13 <= int(hours[1]) <= 23


def _adult(match: re.Match[str]) -> bool:
    return 1 < int(match["AGE"]) <= 115


def _spoken(match: re.Match[str]) -> bool:
    before = left(match, 40)
    inside = re.search(r"(?:\w-|vingts?[ -]|trente |quarante |cinquante |soixante |et )\Z", before)
    return inside is None and not _lasts(match)


def _spoken_months(match: re.Match[str]) -> bool:
    before = left(match)
    return _spoken(match) and (
        re.search(r"\bjusqu'[àa] \Z", before) is not None
        or _YOUNG.search(before) is not None
        or _CHILD_AFTER.match(right(match)) is not None
    )


_SPACE: Final = r"(?: {1,2}|\n|&nbsp;)?"
_SPAN: Final = r"(?:jours?|j|semaines?|sem|mois|ans?|ann[ée]es?|heures?|h|minutes?|min)(?![\wé])"
_AMOUNT: Final = (
    r"(?:(?:environ|pr[èe]s de|plus de|moins de|au moins|maintenant|bient[ôo]t|d[ée]j[àa])\s){0,2}"
    rf"(?:\d{{1,3}}(?:\s?(?:[àa]|ou|-)\s?\d{{1,3}})?|{NUMBER}){_SPACE}{_SPAN}"
)

ROWS: Final[tuple[Row, ...]] = (
    Row(
        "age.years",
        Number(r"\d{1,3}(?:  a|&n|[ \n]?an)"),
        rf"(?i)(?P<AGE>(\d{{1,3}}+){_SPACE}ans?(?![\wéè'])"
        rf"(?:\set\sdemie?|{_SPACE}(?:et\s)?\d{{1,2}}{_SPACE}mois(?!\w))?)",
        "patiente de «AGE:75 ans», institutrice",
        check=_years,
        never=(
            "depuis 15 ans",
            "il y a 3 ans",
            "dans 2 ans",
            "tous les 3 ans",
            "sevré depuis plus de 20 ans",
            "10 ans de tabac",
            "survie à 5 ans",
        ),
    ),
    Row(
        "age.months",
        Number(r"\d{1,2}(?:  [msj]|&n|[ \n]?(?:mo|se|jo))"),
        rf"(?i)(?P<AGE>(\d{{1,2}}+){_SPACE}(?:mois|semaines|jours)(?:\set\sdemie?)?)(?!\w)",
        "nourrisson de «AGE:3 mois»",
        score=0.8,
        check=_months,
        never=(
            "pendant 3 mois",
            "contrôle à 6 mois",
            "dans 2 mois",
            "Kardégic 12 mois",
            "QSP : 6 mois",
        ),
    ),
    Row(
        "age.short",
        Number(r"\d{1,3}(?:  | ?[aA](?!\w))"),
        r"(?P<AGE>(\d{1,3}+)(?:[aA](?![\w'])| {1,2}[aA](?:\.(?=\))|(?=\.| {2}|\)|,|;| ?[-/|–\n]"
        r"|$))))(?! ?\d{1,2}h)",
        "M. Ferrand «AGE:79a» stable, fillette «AGE:5a» fébrile",
        score=0.7,
        check=_short_years,
        never=("le 15 a consulté", "chambre 112b", "de 3 a 5", "curage 2A-4", "SAMU 64A"),
    ),
    Row(
        "age.list",
        Number(r"\d{1,2}(?:,0|, [0eo]| et| ou| [aàAÀ] |[/–-]0[0 amAM\n&])"),
        rf"(?i)(?P<AGE>\d{{1,2}}+)(?:, ?(?P<AGE_2>\d{{1,2}}))?(?:, ?(?P<AGE_3>\d{{1,2}}))?"
        rf"(?:,? (et|ou|à|a) |(?:/|-|–|, ))(?P<AGE_4>\d{{1,2}}{_SPACE}(ans|mois))"
        r"(?!\w)",
        "enfants de «AGE:3», «AGE:7» et «AGE:9 ans», nourrisson de «AGE:16»-«AGE:18 mois»",
        score=0.8,
        check=_listed,
        never=(
            "depuis 2 ou 3 ans",
            "dans 5-10 ans",
            "durée comprise entre 2 et 3 ans",
            "récidive de 50 % à 5 et 10 ans",
            "traitement de 2 à 3 ans",
            "pendant 16-18 mois",
            "contrôle à 3, 6 et 12 mois",
        ),
    ),
    Row(
        "age.named",
        words("age agee ages agees"),
        r"(?i)[âa]g(?:e|[ée]e?s?)\s{0,3}(?:de|:|=)?\s{0,3}(?P<AGE>\d{1,3}(?: ?(?:ans|jours?))?)"
        r"(?!\d|[.,]\d|\s?(?:SA\b|sem|h\b|j\b|jours?\b|%|\+|mois))",
        "Âge : «AGE:45» Sexe : F, âge : «AGE:12 jours»",
        check=lambda match: int(re.sub(r"\D", "", match["AGE"])) <= 120,
        never=("âge gestationnel 38 SA", "âge 38 SA", "âge 8 mois"),
    ),
    Row(
        "age.bare",
        words("patient patiente homme femme dame"),
        rf"(?i)(?:patiente?|homme|femme|dame) (?:[âa]g[ée]e? )?de (?P<AGE>\d{{2,3}})(?![\d.,/]"
        rf"| ?{UNIT}| ?an)",
        "Patient de «AGE:24» hospitalisé",
        score=0.7,
        check=_adult,
        never=("patiente de 65 kg", "homme de 24 ans"),
    ),
    Row(
        "age.spoken",
        counted("an"),
        rf"(?i)(?P<AGE>{NUMBER}\sans(?:\set\sdemie?)?)(?!\w)",
        "un homme de «AGE:soixante-trois ans»",
        check=_spoken,
        never=("depuis trois ans", "il y a vingt-deux ans"),
    ),
    Row(
        "age.spoken.months",
        counted("mo"),
        rf"(?i)(?P<AGE>{NUMBER}\smois)(?!\w)",
        "âgée de «AGE:treize mois»",
        check=_spoken_months,
        never=("dans six mois",),
    ),
    Row(
        "duration.since",
        words("il depuis dans voici voila"),
        rf"(?i)(?P<DURATION>(?:il y a|depuis|dans|voici|voil[àa])\s{_AMOUNT})",
        "toux «DURATION:depuis 3 jours»",
        check=_since,
        never=("depuis 2014", "depuis 17h", "dans le service"),
    ),
    Row(
        "duration.later",
        Number(r"\d{1,3}(?:  |&n|[ \n]?(?:an|he|jo|mi|mo|se|[hj](?!\w)))"),
        rf"(?i)(?P<DURATION>\d{{1,3}}+{_SPACE}{_SPAN}\s(?:plus t[ôo]t|plus tard|auparavant))",
        "revue «DURATION:3 mois plus tard»",
        never=("3 mois plus",),
    ),
    Row(
        "duration.day",
        Word(words("j"), " [-+]|[-+][ 0]"),
        r"(?P<DURATION>[Jj] ?[-+] ?\d{1,3})(?!\d|[.,]\d)",
        "drain retiré à «DURATION:J+3».",
        never=("2 cp/j", "J3"),
    ),
)
