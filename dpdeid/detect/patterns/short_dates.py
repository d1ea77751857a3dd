"""Dates in digits without a year: 12/03, 18.06, du 3 au 7 mai, 06-14/10, le 13; and 03/24.

These are the forms that a blood pressure, a score, a fraction or a measure also takes, so the words
on both sides decide. Two digits, a slash and two digits are a date unless a scale or a unit stands
beside them; every other form needs a word that announces it.
"""

from __future__ import annotations

import re
from typing import Final

from dpdeid.detect.patterns.table import Number, Row, Word, words
from dpdeid.detect.patterns.timewords import (
    ANNOUNCED,
    DAY,
    FULL_MONTH,
    SHORT_MONTH,
    UNIT,
    glued,
    left,
    real_day,
    right,
)

_LIKELY: Final = re.compile(
    r"(?:\b(?:le|les|du|au|aux|et|ou|ce|d[èe]s|depuis|avant|apr[èe]s|vers|jusqu'au|en|fin|d[ée]but"
    r"|ce jour|hier|demain|veille|lendemain"
    r"|courant|date|terme|pr[ée]vue?|n[ée]g|r[ée]cidive|pour|fait|faite|pos[ée]e?|dernier"
    r"|derni[èe]re"
    r"|lun|mar|mer|jeu|ven|sam|dim|lu|ma|me|je|ve|di|matin|soir|cs|rdv|irm|tdm|scanner|tap|ecbu|eeg"
    r"|ecg|bio|bilan|dxa|tep|ddr|dpa|echo|pcr|covid|grippe|vaccin|visite|retour|audience|entr[ée]e"
    r"|sortie|revue?|vue?|contr[ôo]le|op[ée]r[ée]e?|avt|pr[ée]l[èe]v[ée]e?|re[çc]u|revoir|valid[ée]"
    r"|dict[ée]e?|report[ée]e?|d[ée]cal[ée]e?|anesth|staff|rcp|pose|ablation|arr[êe]t|stop|chute"
    r"|d[ée]c[èe]s"
    r"|garde|hospi|rx|radio|j\d{1,3}|s\d{1,2}|c\d|p[ée]r\.?|p[ée]remption|p[ée]rim[ée]e?)[ .:]{1,3}"
    r"|\d/\d\d [àa] |[→|][ ]{0,2}|[(•]|\n[-–•* ]{0,4}|\A)\Z"
)
"""What often stands before a short date."""

_SHOT: Final = re.compile(
    r"\b(?:prevenar|pneumovax|vaxneuvance|capvaxive|gardasil|repevax|boostrix|revaxis|infanrix|hexyon"
    r"|vaxelis|priorix|ror|dtp?c?p?|bcg|menveo|nimenrix|menquadfi|bexsero|shingrix|zostavax|engerix"
    r"|havrix|twinrix|typhim|stamaril|efluelda|vaxigrip|influvac|fluarix|comirnaty|spikevax|arexvy"
    r"|abrysvo|ticovac|encepur|rabipur|varivax|t[ée]tanos|coqueluche|m[ée]ningo|pneumocoque|zona"
    r"|rappel|h[ée]patite [ab]|vh[ab])[ :]{1,3}\Z"
)
"""What stands before the month in which a vaccine was given: "Boostrix 04/19"."""
_SCORE: Final = re.compile(
    r"(?:\b(?:ta|t\.a|pa|pas|pad|bp|tension|pression|param[èe]tres|constantes|eva|evn|evs|ens|ph"
    r"|mmse?|moca|bref|gds|i?adl|scores?|apgar|boston|glasgow|gcs|rass|tof|kapandji|borg|acuit[ée]"
    r"|vision|parinaud|od|og|odg|ishihara|force|cot[ée]e?s?|cotation|mrc|testing|pages?|piste"
    r"|lexomil|pr[ée]viscan|souffle|stop bang|columbia|beck|waddell|rudas|hads?|audit|karasek|raven"
    r"|katz|lawton|icrs|matutes|nihss|edss|rankin|fil|surjet|vaccin[ée]e|pupilles|dilution|clone"
    r"|couch[ée]e?|debout|refaite?|4at|hit|im|ia|it|cd|opacit[ée]|schulman|budapest"
    r"|h[ée]mocultures?"
    r"|stade|grade|fio2|chambre|lit|box|bipap|asa|bdae|douleurs?|effort|repos|dubois|pcl-r|midas"
    r"|mini-gds|schober|n°)\b"
    r"[^\n\d;,.()]{0,16}|\b[a-z]\d?|[/.]|(?:[×<>=+~*]|(?<![a-zà-ÿ])x) ?)\Z"
)
"""What stands before a score, a blood pressure or a fraction."""

_NUMERIC_SCALE: Final = re.compile(r"\bEN ?[:=]? ?(?:à )?\Z")
_MEASURE: Final = re.compile(
    rf"/| ?(?:{UNIT}|['\"’′]|,\d|e?me\b|[èe]me\b|moyens?\b|sup\b|inf\b|sup[ée]rieur|inf[ée]rieur"
    rf"|couch"
    r"|debout|droit|gauche|bilat|r[ée]activ|fc\b|pouls\b|sat|spo2|= ?[a-z]"
    r"|[,;]? ?\d{2,3} ?(?:bpm|/min))"
)
_UNIT: Final = re.compile(rf"/| ?{UNIT}")
_THIRD: Final = re.compile(r" (?:corde|moyen|sup|inf|ext|int|dist|prox|post|ant|lat|m[ée]d|de l)")
_CLOCK: Final = re.compile(
    r"[,)]? {0,3}(?:(?:[àa]|vers) )?(?:\d{1,2} ?h|\d{1,2}[:]\d\d| lot\b)| lot\b"
)
_FROM_MARGIN: Final = re.compile(r"(?:\n[-–•* ]{0,4}|\A)\Z")


def _scored(match: re.Match[str]) -> bool:
    before = left(match)
    if _SCORE.search(before) is not None:
        return True
    return (
        "en " in before
        and _NUMERIC_SCALE.search(match.string, match.start() - 8, match.start()) is not None
    )


def _day_month(match: re.Match[str]) -> bool:
    day, separator, month = match.group(2, 3, 4)
    d, m = int(day), int(month)
    if not real_day(d, m) or glued(match, "/.-,"):
        return False
    before, behind = left(match), right(match)
    if ANNOUNCED.search(before) is not None:
        third = m == 3 and d < 3 and _THIRD.match(behind) is not None
        return not third and (not _UNIT.match(behind) or behind.startswith("/"))
    if _scored(match):
        return False
    if _CLOCK.match(behind) and (separator != "." or len(day) == 2):
        return True
    if _MEASURE.match(behind):
        return False
    return _slashed(match, before, behind) if separator == "/" else _dotted(match, before, behind)


def _slashed(match: re.Match[str], before: str, behind: str) -> bool:
    day, month = match.group(2, 4)
    both = len(day) == len(month) == 2
    if month == "10" and int(day) <= 10:
        return both and _FROM_MARGIN.search(before) is not None
    if both:
        return True
    if " " in match[1]:
        return False
    if int(day) > 20:
        return True
    if _FROM_MARGIN.search(before) is not None:
        return re.match(r" {0,12}[:;|→–-]| [a-zé]", behind) is not None
    if re.search(r"[;,.] ?\Z", before) and re.match(r" ?: ", behind):
        return True
    return _LIKELY.search(before) is not None and before[-1:] not in "(|"


def _dotted(match: re.Match[str], before: str, behind: str) -> bool:
    if " " in match[1] or not len(match[2]) == len(match[4]) == 2:
        return False
    return (
        _LIKELY.search(before) is not None
        or (before[-1:] == "(" and behind[:1] == ")")
        or re.search(r"\d\d\.\d\d\.?,? (?:et )?\Z", before) is not None
    )


def _month_year(match: re.Match[str]) -> bool:
    if glued(match, "/.-,") or _scored(match) or _MEASURE.match(right(match)):
        return False
    before = left(match)
    return (_LIKELY.search(before) or _SHOT.search(before)) is not None


def _range(match: re.Match[str]) -> bool:
    first, last, month = int(match[1]), int(match[3]), int(match[4])
    return (
        0 < first < last
        and real_day(last, month)
        and not glued(match, "-/.,")
        and not _scored(match)
        and not _MEASURE.match(right(match))
    )


_MORE_DAYS: Final = "".join(rf"(?:, (?P<DATE_{at}>{DAY}))?" for at in range(2, 8))
"""The further days of a list, but the last: nobody counts up more than eight."""
_MONTH_NAME: Final = re.compile(rf"\s{{1,2}}(?:{FULL_MONTH}|{SHORT_MONTH}\b)|/(?:0\d|1[0-2])\b")
_CALENDAR: Final = re.compile(rf"\s?[/.-]\s?\d|\s{{1,2}}(?:{FULL_MONTH}|{SHORT_MONTH}\b)")
_ALL_SAID: Final = re.compile(
    r" ?(?:[;:)»\n!?]|\Z|[,.](?!\d))"
    r"| (?:et|ou|avec|sans|puis|par|pour|chez|matin|soir|midi|au|aux|à|en|du|dernier|prochain"
    r"|courant|sous|mais|bien|dans|afin|avant|après)\b(?! \d{1,3} ?(?:doigt|orteil|dent))"
)
"""What stands behind days that say no month: nothing that they could count or number."""
_NUMBERED: Final = re.compile(
    r"\btou(?:te)?s les \Z|\b(?:dents?|dentaires?|avulsions?|caries?|couronnes?|implants?|bridges?"
    r"|molaires?|doigts?|orteils?|rayons|m[ée]ta(?:carp|tars)\w+|c[ôo]tes?|segments?|items?"
    r"|questions?|points|grades?|stades?|niveaux|lits?|chambres?|box|num[ée]ros?|axes|chapitres?"
    r"|tubes|flacons?|tailles)\b[^.;\n]{0,36}\Z"
)
"""Words before numbers of teeth, fingers, beds and the like."""


def _days(match: re.Match[str]) -> bool:
    before, behind = left(match, 48), right(match)
    opening = re.search(r"\b(?:du|les?|des)\s\Z", before)
    if _CALENDAR.match(behind) and (opening is not None or _MONTH_NAME.match(behind)):
        return True
    if opening is None or _MEASURE.match(behind):
        return False
    if opening[0][:2] == "du":
        return True
    return opening[0][:3] == "les" and _counts_up(match[0]) and _alone(before, behind)


def _counts_up(days: str) -> bool:
    """Whether these are days of one month, as far as they tell: "10, 12 et 14"."""
    numbers = [int(number) for number in re.findall(r"\d+", days)]
    return numbers == sorted(set(numbers)) and re.search(r"[,eo]", days) is not None


def _alone(before: str, behind: str) -> bool:
    return _ALL_SAID.match(behind) is not None and _NUMBERED.search(before) is None


_AFTER_AU: Final = re.compile(
    r" ?(?:[,;:.)(»\"\n!?]|\Z|[-–—→=](?!\d)|(?:et|ou|matin|soir|midi|pour|avec|par)\b)| {2}"
)
_NO_DAY_AFTER: Final = re.compile(
    rf"[.,:/'’]\d| \d(?!\d? ?h)| ?(?:{UNIT}|e\b|[èe]me)| (?:fu\b|roues|pi[èe]ces|premi|derniers"
    r"|autres?\b|membres|jambes|bras\b|c[ôo]t[ée]s|points|rue|avenue|boulevard|place|chemin|route"
    r"|impasse|all[ée]e|quai|cours|bis\b|ter\b|sur \d)"
)
_EMERGENCY: Final = re.compile(
    r"(?:appel\w{0,4}|faire|compos\w{1,4}|joindre|r[ée]gul\w{0,6}|contact\w{0,4}) le \Z"
)
_CALLED: Final = re.compile(r" (?:est|a [ée]t[ée]) appel|[ ,(]{1,2}(?:samu|smur)")
_NO_DAY: Final = re.compile(
    r"\b(?:substituer|passe|remonte|augment\w{1,4}|baiss\w{1,3}|joindre|joignable|appel\w{0,4}"
    r"|t[ée]l"
    r"|rappeler|domicili[ée]e?|habite|demeurant|score|pouls|poids|inr|sat|spo2|fc|t°)"
    r"(?: [a-z]{1,4})? (?:le|au|du) \Z"
)
_MORE_UNITS: Final = re.compile(rf" (?:et|ou|au) \d{{1,3}} ?{UNIT}")


def _day(match: re.Match[str]) -> bool:
    day, behind = match["DATE"], right(match)
    before = left(match) + match[0].lower().removesuffix(day.lower())
    if _NO_DAY_AFTER.match(behind) or _NO_DAY.search(before):
        return False
    if day in ("15", "17", "18") and (_EMERGENCY.search(before) or _CALLED.match(behind)):
        return False
    strict = match[0][:2].lower() == "au" or day.endswith("r")
    if strict and not _AFTER_AU.match(behind):
        return False
    return not _MORE_UNITS.match(behind)


ROWS: Final[tuple[Row, ...]] = (
    Row(
        "date.day_month",
        Number(r"\d{1,2}(?:er[ /.-]| [/.-][ 0]|[/.-] ?0)"),
        r"(?P<DATE>(\d{1,2}+)(?:er)? ?([/.-]) ?(\d{1,2}))(?!\d|[/.,-]\d)",
        "«DATE:13/11» : ponction",
        check=_day_month,
        never=(
            "TA 12/7",
            "tension à 13/7",
            "EVA 5/10",
            "douleur EN 5/10",
            "22/108",
            "acuité 10/10",
            "Hb 11.04 g/dL",
            "lésion de 11.04 mm",
            "7j/7",
            "1/2 cp le soir",
            "12-10 mmHg",
            "L4-L5",
            "page 1/3",
            "24/24",
            "1.1 Diagnostics",
            "pH 7.08",
            "sur le 1/3 moyen",
        ),
    ),
    Row(
        "date.month_year.short",
        Number(r"\d0[/.]00"),
        r"(?P<DATE>(0[1-9]|1[0-2])([/.])(\d\d))(?!\d|[./]\d)",
        "lot périmé «DATE:07/23», rappel Boostrix «DATE:11/24»",
        score=0.7,
        check=_month_year,
        never=("MMSE 12/30", "TA 12/80", "facture 11.50 euros"),
    ),
    Row(
        "date.range.short",
        Number(r"\d{1,2}(?:\s[-–][\s0]|[-–](?:0|\s0))"),
        r"(?P<DATE>\d{1,2}+)\s?[-–]\s?(?P<DATE_2>(\d{1,2})/(\d{1,2}))(?!\d|[/.,]\d)",
        "séjour du «DATE:08»-«DATE:19/11».",
        check=_range,
        never=("TA 10-12/7", "2-3/10 mm"),
    ),
    Row(
        "date.days",
        Number(r"\d{1,2}(?:er|\s?(?:[aà][\su0]|et|ou|, |[–-][\s0]))"),
        rf"(?i)(?P<DATE>{DAY}(?:er)?){_MORE_DAYS}\s?(?:au|et le|ou le|et au|et|ou|à|a|,(?= )|-|–)"
        rf"\s{{0,2}}(?P<DATE_8>{DAY})(?!\d)",
        "hospitalisée du «DATE:6» au «DATE:9» mai 2018",
        score=0.8,
        check=_days,
        never=(
            "les 3 et 4 mg",
            "du 3 au 5 %",
            "le 3 et 4 membres",
            "les 3 et 4 membres",
            "toutes les 2 et 4 heures",
            "carie des dents 14 et 15, puis les 16 et 17.",
            "les 12 et 3.",
            "sur les 5, 6 et 7,5",
        ),
    ),
    Row(
        "date.day",
        Word(words("le du au demain"), r"\s?0"),
        rf"(?i)[^\W\d_]{{2,6}}[ \n]?(?P<DATE>{DAY}(?:er)?)(?![\da-zà-ÿᵉᵒ/-])",
        "agrafes ôtées le «DATE:19», revu le«DATE:23» matin",
        score=0.6,
        check=_day,
        never=(
            "appeler le 15",
            "domicilié au 3 place",
            "le 5 mg",
            "joindre au 06 39",
            "substituer le 2 (MTE)",
            "le 4ème jour",
        ),
    ),
)
