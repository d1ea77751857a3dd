"""Dates in digits: 12/03/2019, 3.4.21, 2021-05-01, 12-16/01/2021, 03/2019, 12/03, 2007.

A date with a four-digit year is covered even if no calendar has it (31/02/2021): a typing error is
still a date. The shorter a form, the more it must show that it is no measure, score or ratio: "d/m"
is refused after a blood pressure or a scale, "d.m", "d-m" and "mm/yy" need a word or a mark of time
beside them.
"""

from __future__ import annotations

import re
from typing import Final

from dpdeid.detect.patterns.table import DIGITS, Row, words
from dpdeid.detect.patterns.timewords import DAY, UNIT, YEAR, after, before, glued

_LENGTHS: Final = (0, 31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31)

_CUE: Final = re.compile(
    r"(?i)(?:\b(?:le|du|au|aux|et|ou|ce|d[èe]s|depuis|avant|apr[èe]s|apres|vers|jusqu'au|jusque|en"
    r"|fin|d[ée]but|mi|courant|de|date|dat[ée]e?|prévue?|r[ée]cidive|pour|fait|faite|pos[ée]e?"
    r"|lundi|mardi|mercredi|jeudi|vendredi|samedi|dimanche|lun|mar|mer|jeu|ven|sam|dim|lu|ma|me|je"
    r"|ve|sa|di|nuit|matin|soir|cs|rdv|irm|tdm|scanner|ecbu|eeg|ecg|bio|bilan|dxa|pet|tep|ddr|dpa"
    r"|j\d{1,3}|s\d{1,2}|p[ée]r(?:emption|im[ée]e?)?)[ .:]{0,3}|[(→\n|–]\s{0,2}|^)$"
)
"""What stands before a short date."""

_SCORE: Final = re.compile(
    r"(?i)(?:\b(?:ta|t\.a|pa|pas|pad|bp|tension|pression|param[èe]tres|constantes|eva|en|evn|evs|ens"
    r"|mmse?|moca|bref|gds|i?adl|scores?|apgar|boston|glasgow|gcs|rass|tof|kapandji|borg|acuit[ée]"
    r"|vision|parinaud|od|og|odg|ishihara|force|cot[ée]e?s?|cotation|mrc|testing|pages?|piste"
    r"|lexomil|pr[ée]viscan|souffle|stop bang|columbia|beck|waddell|rudas|hads?|audit|karasek|raven"
    r"|katz|lawton|icrs|matutes|nihss|edss|rankin|fil|surjet|vaccin[ée]e?|pupilles|dilution|clone"
    r"|couch[ée]e?|debout|refaite?|4at|hit|im|ia|it|cd|opacit[ée]|schulman|budapest|h[ée]mocultures?"
    r"|stade|grade|bipap|asa|bdae|douleurs?|effort|repos|dubois|pcl-r|midas|mini-gds|n°)\b"
    r"[^\n\d;,.()]{0,16}|[/×x<>=+~*]\s?)$"
)
"""What stands before a score, a blood pressure or a fraction."""

_NOT_AFTER: Final = re.compile(
    rf"(?i)\s?(?:{UNIT}|['\"’′]|\.?\d|,\d|de corde|e?me\b|[èe]me\b|moyens?\b|sup\b|inf\b|sup[ée]rieur"
    r"|inf[ée]rieur|couch|debout|droit|gauche|bilat|r[ée]activ|cmhg|dose|fc\b|pouls\b|sat|spo2"
    r"|[,;]? ?\d{2,3} ?(?:bpm|/min))"
)


def _real(day: int, month: int) -> bool:
    return 1 <= month <= 12 and 1 <= day <= _LENGTHS[month]


def _full(match: re.Match[str]) -> bool:
    day, separator, month, year = match.group(2, 3, 4, 5)
    if glued(match, separator):
        return False
    d, m, y = int(day), int(month), int(year)
    if len(year) == 4:
        # A long year leaves no doubt that a date is meant, so a wrong day or month is covered too.
        return 1850 <= y <= 2100 and (len(match[1]) <= 10 or _real(d, m))
    if separator == "/":
        return (
            _real(d, m) or (_real(m, d) and len(year) == 2) or (d <= 31 and m <= 12 and d * m > 0)
        )
    if not _real(d, m) or len(year) != 2:
        return False
    heading = separator == "." and len(day) == len(month) == 1 and before(match, 1) in ("", "\n")
    return not heading


def _spaced(match: re.Match[str]) -> bool:
    return _real(int(match[2]), int(match[3])) and not re.search(r"\d ?$", before(match, 2))


def _iso(match: re.Match[str]) -> bool:
    return _real(int(match[4]), int(match[3])) and not glued(match, "-/.")


def _compact(match: re.Match[str]) -> bool:
    return _real(int(match[4]), int(match[3])) and not re.search(r"[\d.,/-]$", before(match, 1))


def _month_year(match: re.Match[str]) -> bool:
    month, separator, year = match.group(2, 3, 4)
    if glued(match, "/.-") or not 1 <= int(month) <= 12:
        return False
    if len(month) == 1 and (separator != "/" or year.endswith("000")):
        return False
    return not re.match(rf"(?i)\s?{UNIT}", after(match))


def _day_month(match: re.Match[str]) -> bool:
    day, separator, month = match.group(2, 3, 4)
    if not _real(int(day), int(month)) or glued(match, "/.-,"):
        return False
    left = before(match)
    if re.match(r"(?i)(?:er)?\s?(?:h\b|h\d|[àa] \d{1,2}\s?h)", after(match)):
        return True
    if separator == "/":
        cued = _CUE.search(left) is not None
        if re.search(
            r"(?i)\b(?:le|du|au|lundi|mardi|mercredi|jeudi|vendredi|samedi|dimanche) $", left
        ):
            return True
        if _NOT_AFTER.match(after(match)) or _SCORE.search(left):
            return False
        plain = len(day) == len(month) == 2 and month != "10"
        return cued or plain or re.match(r" ?[:;)→=-]", after(match)) is not None
    return _CUE.search(left) is not None and not _NOT_AFTER.match(after(match))


def _short_month_year(match: re.Match[str]) -> bool:
    if glued(match, "/.-,") or _SCORE.search(before(match)):
        return False
    return _CUE.search(before(match)) is not None and not _NOT_AFTER.match(after(match))


def _range(match: re.Match[str]) -> bool:
    first, last, month = int(match[2]), int(match[3]), int(match[5])
    return 0 < first < last <= 31 and 1 <= month <= 12 and not glued(match, "-/.")


def _pair(match: re.Match[str]) -> bool:
    return not _NOT_AFTER.match(after(match))


_CLASSIFICATION: Final = re.compile(
    r"(?i:\b(?:figo|tnm|oms|who|eln|esc|uicc|ajcc|banff|ckd-?epi|mdrd|mcdonald|paris|graall|esmo|has"
    r"|kdigo|gina|gold|acr|eular|asas|caspar|ilae|ichd|dsm|cim|bethesda|lugano|chicago|rome|atlanta"
    r"|tokyo|baveno|fukuoka|berlin|icc|ipss|imwg|iwg|sfar|srlf|splf|ish|esh|eras|cngof|afu|eau|nccn"
    r"|[ée]ditions?|[ée]d\.?|classifications?|crit[èe]res?|recommandations?|protocole|version"
    r"|r[ée]f[ée]rentiel|norme|loi|d[ée]cret|score|iso|cs|bp|n°|lot|s[ée]rie|box|tsa)\b"
    r"[^\n.;0-9]{0,14}(?:\d{1,2}e?(?:[èe]me)?\W{0,2})?(?:[ée]d(?:ition|\.)? ?)?)$"
)
_YEAR_UNIT: Final = re.compile(
    rf"(?i)\d|[.,/-]\d(?!\d{{0,3}}[)\s])|\s?(?:{UNIT})|\s?(?:leuco|plaq|gb\b|elements|él[ée]ments)|[a-z]"
)
_YEAR_CUE: Final = re.compile(
    r"(?i)\b(?:en|depuis|ann[ée]es?|fin|d[ée]but|courant|vers|avant|apr[èe]s|jusqu'en|de|d[èe]s|et"
    r"|mi|printemps|[ée]t[ée]|automne|hiver|no[ëe]l|entre) ?$|[(]$"
)


def _year(match: re.Match[str]) -> bool:
    if glued(match, "/.,-_ "):
        previous = before(match, 6)
        if not re.search(rf"(?<!\d){YEAR}[/-]$|\d\d[/ ]$|\d h?[ -]$", previous):
            return False
        if re.search(r"\d{1,3} $", previous) and not re.search(r"/\d{1,2} $", previous):
            return False
    left = before(match, 32)
    if _CLASSIFICATION.search(left):
        return False
    if re.search(r"[=<>+×#:]\s?$|n°\s?$", left) and re.match(r"(?i)\s?[a-zµ/]", after(match, 2)):
        return False
    return not _YEAR_UNIT.match(after(match)) or False


_END: Final = r"(?!\d|[./]\d)"

ROWS: Final[tuple[Row, ...]] = (
    Row(
        "date.full",
        DIGITS,
        r"(?P<DATE>(\d{1,2})(?:er)?\s{0,2}([/.#_-])\s{0,2}(\d{1,2})\s{0,2}\3\s{0,2}(\d{4}|\d{2,3}))"
        r"(?!\d|\3\d)",
        "Vu le «DATE:03/02/2019».",
        check=_full,
        never=("IP 192.168.1.12", "tél 02.12.05.21.33", "756.4411.8809.27", "1.2.12 Sommeil"),
    ),
    Row(
        "date.full.spaced",
        DIGITS,
        rf"(?P<DATE>(\d{{1,2}})[ /](\d{{1,2}}) {YEAR})(?!\d| \d)",
        "biopsie du «DATE:14/11 2025» : envoi",
        score=0.8,
        check=_spaced,
        never=("tél 02 12 2005 21 33", "40 12 2001"),
    ),
    Row(
        "date.iso",
        DIGITS,
        rf"(?P<DATE>({YEAR})[-/.](\d{{1,2}})[-/.](\d{{1,2}}))"
        r"(?:[T_ ]?(?P<TIME>[0-2]\d:[0-5]\d(?::[0-5]\d(?:\.\d{1,6})?)?(?:Z|[+-]\d\d:?\d\d)?))?(?!\d)",
        "reçu «DATE:2023-05-01»T«TIME:20:14:03Z»",
        check=_iso,
        never=("2023-15-01", "2021-44-99"),
    ),
    Row(
        "date.compact",
        DIGITS,
        r"(?P<DATE>(19\d\d|20[0-4]\d)(0[1-9]|1[0-2])([0-2]\d|3[01]))(?!\d|[.,/-]\d)",
        "date «DATE:19360501» F",
        score=0.5,
        check=_compact,
        never=("n 20231545",),
    ),
    Row(
        "date.roman",
        DIGITS,
        r"(?P<DATE>\d{1,2}\s?([./-])\s?(?:I{1,3}|IV|VI{0,3}|IX|XI{0,2})\s?\2\s?(?:\d{4}|\d{2}))(?!\d)",
        "Rennes, «DATE:17.IX.2019»",
    ),
    Row(
        "date.month_year",
        DIGITS,
        rf"(?P<DATE>(\d{{1,2}})\s{{0,2}}([/.-])\s{{0,2}}({YEAR})){_END}",
        "électrophorèse «DATE:11/2017» normale",
        check=_month_year,
        never=("1/6717", "dilution 1/2000", "TSH 12.2011 mg"),
    ),
    Row(
        "date.month_year.short",
        DIGITS,
        rf"(?P<DATE>(0[1-9]|1[0-2])([/.])(\d\d)){_END}",
        "péremption «DATE:03/24», COVID",
        score=0.7,
        check=_short_month_year,
        never=("MMSE 12/30", "TA 12/80", "facture 11.50 euros"),
    ),
    Row(
        "date.day_month",
        DIGITS,
        r"(?P<DATE>(\d{1,2})(?:er)? ?([/.-]) ?(\d{1,2}))(?!\d|\3\d|[.,]\d)",
        "«DATE:13/11» : ponction",
        check=_day_month,
        never=(
            "TA 12/7",
            "tension à 13/7",
            "EVA 5/10",
            "22/108",
            "acuité 10/10",
            "Hb 12.03 g/dL",
            "lésion de 12.03 mm",
            "7j/7",
            "1/2 cp le soir",
            "12-10 mmHg",
            "L4-L5",
            "page 1/3",
            "24/24",
        ),
    ),
    Row(
        "date.range",
        DIGITS,
        r"(?P<DATE>(\d{1,2})\s?[-–]\s?(\d{1,2})([/.])(\d{1,2})(?:\4(?:\d{4}|\d{2}))?)(?!\d|\4\d)",
        "hospit. «DATE:12-16/01/2021»",
        check=_range,
        never=("entre 10-5/12/2021",),
    ),
    Row(
        "date.days",
        words("du les le entre des"),
        rf"(?i)(?:du|les|le|entre le|des)\s(?P<DATE>{DAY})(?:, ?(?P<DATE_2>{DAY}))?"
        rf"(?:, ?(?P<DATE_3>{DAY}))?\s?(?:au|et|ou|et le|ou le|et au|à|a|,|-|–)\s?"
        rf"(?={DAY}(?:er)?\s?(?:[/.-]\d|[a-zéû]{{3,4}})|{DAY}(?!\d))(?P<DATE_4>{DAY})(?:er)?(?![\d%])",
        "hospitalisée du «DATE:3» au «DATE_4:7» mai 2021".replace("DATE_4", "DATE"),
        score=0.8,
        check=_pair,
        never=("les 3 et 4 mg", "du 3 au 5 %"),
    ),
    Row(
        "date.glued",
        words("le du au ne nee"),
        r"(?i)(?:le|du|au|n[ée]e?)(?P<DATE>\d{1,2}[/.-]\d{1,2}(?:[/.-](?:\d{4}|\d{2}))?)(?!\d)",
        "né le«DATE:03/02» à Brest",
        never=("du112.5",),
    ),
    Row(
        "date.year",
        DIGITS,
        rf"(?P<DATE>{YEAR})(?!\d)",
        "opéré en «DATE:2007»",
        score=0.6,
        check=_year,
        never=("FIGO 2018", "TNM 8e éd. 2017", "2000 UI", "PN 2010 g", "2010g", "n° 22-2003"),
    ),
)
