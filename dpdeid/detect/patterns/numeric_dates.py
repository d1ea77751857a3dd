"""Dates in digits: 12/03/2019, 3.4.21, 2021-05-01, 12-16/01/2021, 03/2019, 12/03, le 13, 2007.

A date with a four-digit year is covered even if no calendar has it (31/02/2021): a typing error is
still a date. The shorter a form, the more it must show that it is no measure, score or ratio: "d/m"
is refused after a blood pressure or a scale, "d.m", "d-m", "mm/yy" and a bare day need a word or a
mark of time beside them.
"""

from __future__ import annotations

import re
from typing import Final

from dpdeid.detect.patterns.table import DIGITS, Row, words
from dpdeid.detect.patterns.timewords import (
    DAY,
    FULL_MONTH,
    SHORT_MONTH,
    UNIT,
    YEAR,
    glued,
    left,
    right,
)

_LENGTHS: Final = (0, 31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31)

_CERTAIN: Final = re.compile(
    r"\b(?:le|du|au|dès|des|depuis|jusqu'au|dat[ée]e? du|entre le|et le|ou le|et du|et au"
    r"|lundi|mardi|mercredi|jeudi|vendredi|samedi|dimanche)[ \n]\Z"
)
_LIKELY: Final = re.compile(
    r"(?:\b(?:le|les|du|au|aux|et|ou|ce|d[èe]s|depuis|avant|apr[èe]s|vers|jusqu'au|en|fin|d[ée]but"
    r"|courant|date|prévue?|r[ée]cidive|pour|fait|faite|pos[ée]e?|dernier|derni[èe]re|lun|mar|mer|jeu"
    r"|ven|sam|dim|lu|ma|me|je|ve|di|matin|soir|cs|rdv|irm|tdm|scanner|tap|ecbu|eeg|ecg|bio|bilan|dxa"
    r"|tep|ddr|dpa|echo|pcr|covid|grippe|vaccin|visite|retour|audience|entr[ée]e|sortie|j\d{1,3}"
    r"|s\d{1,2}|c\d|p[ée]r\.?|p[ée]remption|p[ée]rim[ée]e?)[ .:]{1,3}|[→|][ ]{0,2}|[(•]|\n[-–•* ]{0,3}|\A)\Z"
)
_SCORE: Final = re.compile(
    r"(?:\b(?:ta|t\.a|pa|pas|pad|bp|tension|pression|param[èe]tres|constantes|eva|en|evn|evs|ens|ph"
    r"|mmse?|moca|bref|gds|i?adl|scores?|apgar|boston|glasgow|gcs|rass|tof|kapandji|borg|acuit[ée]"
    r"|vision|parinaud|od|og|odg|ishihara|force|cot[ée]e?s?|cotation|mrc|testing|pages?|piste"
    r"|lexomil|pr[ée]viscan|souffle|stop bang|columbia|beck|waddell|rudas|hads?|audit|karasek|raven"
    r"|katz|lawton|icrs|matutes|nihss|edss|rankin|fil|surjet|vaccin[ée]e|pupilles|dilution|clone"
    r"|couch[ée]e?|debout|refaite?|4at|hit|im|ia|it|cd|opacit[ée]|schulman|budapest|h[ée]mocultures?"
    r"|stade|grade|bipap|asa|bdae|douleurs?|effort|repos|dubois|pcl-r|midas|mini-gds|schober|n°)\b"
    r"[^\n\d;,.()]{0,16}|(?:\b[a-z]\d?|[/×x<>=+~*]) ?)\Z"
)
"""What stands before a score, a blood pressure or a fraction."""

_MEASURE: Final = re.compile(
    rf" ?(?:{UNIT}|['\"’′]|\.?\d| ?,\d|e?me\b|[èe]me\b|moyens?\b|sup\b|inf\b|sup[ée]rieur"
    r"|inf[ée]rieur|couch|debout|droit|gauche|bilat|r[ée]activ|fc\b|pouls\b|sat|spo2"
    r"|[,;]? ?\d{2,3} ?(?:bpm|/min))"
)
_UNIT: Final = re.compile(rf" ?{UNIT}")
_CLOCK: Final = re.compile(
    r"(?: ?(?:[àa] )?\d{1,2} ?h|, \d{1,2} ?h| [àa] \d{1,2}[:.]\d\d| \d{1,2}:\d\d)"
)


def _real(day: int, month: int) -> bool:
    return 1 <= month <= 12 and 1 <= day <= _LENGTHS[month]


def _full(match: re.Match[str]) -> bool:
    day, separator, month, year = match.group(2, 3, 4, 5)
    if glued(match, separator + ",."):
        return False
    d, m, y = int(day), int(month), int(year)
    if len(year) == 4:
        # A long year leaves no doubt that a date is meant, so a wrong day or month is covered too.
        return 1850 <= y <= 2100 and (len(match[1]) <= 10 or _real(d, m))
    if _SCORE.search(left(match)) and not _CERTAIN.search(left(match)):
        return False
    if separator == "/":
        return d * m > 0 and (d <= 31 and m <= 12 or (d <= 12 and m <= 31 and len(year) == 2))
    if not _real(d, m) or len(year) != 2 or " " in match[1] or _UNIT.match(right(match)):
        return False
    heading = separator == "." and len(day) == len(month) == 1 and left(match, 1) in ("", "\n")
    return not heading


def _spaced(match: re.Match[str]) -> bool:
    return _real(int(match[2]), int(match[3])) and not re.search(r"\d ?\Z", left(match, 2))


def _iso(match: re.Match[str]) -> bool:
    return _real(int(match[4]), int(match[3])) and not glued(match, "-/.")


def _compact(match: re.Match[str]) -> bool:
    return _real(int(match[4]), int(match[3])) and not glued(match, ".,/-")


def _month_year(match: re.Match[str]) -> bool:
    month, separator, year = match.group(2, 3, 4)
    if glued(match, "/.-"):
        return False
    if not 1 <= int(month) <= 12:
        # "au 14/2025": the month was left out, the words around it still say that it is a date.
        return separator == "/" and _CERTAIN.search(left(match)) is not None
    if len(month) == 1 and (separator != "/" or year.endswith("000")):
        return False
    return not _UNIT.match(right(match))


def _day_month(match: re.Match[str]) -> bool:
    day, separator, month = match.group(2, 3, 4)
    d, m = int(day), int(month)
    if not _real(d, m) or glued(match, "/.-,"):
        return False
    before, behind = left(match), right(match)
    if _CLOCK.match(behind) and not _SCORE.search(before):
        return True
    certain = _CERTAIN.search(before) is not None
    if separator == "/":
        if certain:
            return not _UNIT.match(behind) or behind.startswith("/")
        if _MEASURE.match(behind) or _SCORE.search(before):
            return False
        if (m == 10 and d <= 10) or " " in match[1] and len(day + month) < 4:
            return False
        if len(day) == len(month) == 2 or d > 20:
            return True
        return (_LIKELY.search(before) is not None and before[-1:] not in "(|" and m != 10) or (
            re.match(r" ?[:→]", behind) is not None and before[-1:] in ("", "\n", " ")
        )
    if " " in match[1] or _MEASURE.match(behind) or _SCORE.search(before):
        return False
    if certain:
        return True
    return len(day) == len(month) == 2 and (
        _LIKELY.search(before) is not None
        or (before[-1:] == "(" and behind[:1] == ")")
        or re.search(r"\d\d\.\d\d\.?,? (?:et )?\Z", before) is not None
    )


def _short_month_year(match: re.Match[str]) -> bool:
    before = left(match)
    if glued(match, "/.-,") or _SCORE.search(before) or _MEASURE.match(right(match)):
        return False
    return _LIKELY.search(before) is not None


def _range(match: re.Match[str]) -> bool:
    first, last, month = int(match[2]), int(match[3]), int(match[5])
    return 0 < first < last <= 31 and 1 <= month <= 12 and not glued(match, "-/.")


def _short_range(match: re.Match[str]) -> bool:
    first, last, month = int(match[1]), int(match[3]), int(match[4])
    return (
        0 < first < last <= 31
        and _real(last, month)
        and not glued(match, "-/.,")
        and not _SCORE.search(left(match))
        and not _MEASURE.match(right(match))
    )


_CALENDAR: Final = re.compile(
    rf"(?:er)?(?:\s?[/.-]\s?\d|\s{{1,2}}(?:{FULL_MONTH}|{SHORT_MONTH}\b))"
)


def _days(match: re.Match[str]) -> bool:
    behind = right(match)
    if _CALENDAR.match(behind):
        return True
    return match[0][:2].lower() == "du" and not _MEASURE.match(behind)


_DAY_END: Final = re.compile(
    r"(?:er)?(?: ?(?:[,;:.)(»\"\n!?]|\Z|[-–—→=](?!\d)|[àa] (?=\d)|[àa] [a-z]|au\b|et\b|ou\b|puis\b|par\b|pour\b"
    r"|chez\b|vers\b|dans\b|en\b|avec\b|sans\b|devant\b|mais\b|dont\b|midi\b|matin\b|soir\b|nuit\b"
    r"|dernier\b|prochain\b|normal|avant\b|apr[èe]s\b|qui\b|o[ùu]\b|lot\b|n°|appeler\b|au soir|car\b"
    r"|\d{1,2} ?h\b|\d{1,2}h\d)| {2})"
)
_EMERGENCY: Final = re.compile(
    r"(?:appel\w{0,4}|faire|compos\w{1,4}|joindre|r[ée]gul\w{0,6}|contact\w{0,4}) le \Z"
)
_NO_DAY: Final = re.compile(
    r"(?:grade|stade|type|niveau|score|[ée]tage|lit|box|chambre|salle|num[ée]ro|n°|substituer|dose|facteur"
    r"|chromosome|de|passage|article|bras|p[ôo]le|tous|toutes|pouls|poids|inr|sat|spo2|fc|t°|passe|remonte|augment\w{1,4}"
    r"|baiss\w{1,3}|joindre|joignable|appel\w{0,4}|t[ée]l|rappeler|domicili[ée]e?|habite|demeurant)"
    r"(?: [a-z]{1,4})? (?:le|au|du) \Z"
)


def _day(match: re.Match[str]) -> bool:
    day, behind = match[1], right(match)
    start = match.start(1)
    before = match.string[max(0, start - 28) : start].lower()
    if _EMERGENCY.search(before) and day in ("15", "17", "18"):
        return False
    if re.search(r"(?:semaine|week-end|nuit|matin|soir|journ[ée]e|visite|rdv|cs) du \Z", before):
        return not _UNIT.match(behind)
    if not _DAY_END.match(behind) or _NO_DAY.search(before) or re.match(r"[.,:]\d| ?h\b", behind):
        return False
    if before.endswith("au ") and re.match(r" (?:\d|[a-z]{2,})", behind):
        return re.match(r" (?:et|ou|matin|soir|midi|pour|avec|par)\b", behind) is not None
    return not re.match(r"(?: et|,) \d{1,3} ?(?:mg|mm|cm|%|ans)", behind)


_CLASSIFICATION: Final = re.compile(
    r"\b(?:figo|tnm|oms|who|eln|esc|uicc|ajcc|banff|ckd-?epi|mdrd|mcdonald|paris|graall|esmo|has"
    r"|kdigo|gina|gold|acr|eular|asas|caspar|ilae|ichd|dsm|cim|bethesda|lugano|chicago|rome|atlanta"
    r"|tokyo|baveno|fukuoka|berlin|icc|ipss|imwg|iwg|sfar|srlf|splf|ish|esh|eras|cngof|afu|eau|nccn"
    r"|[ée]ditions?|[ée]d\.?|classifications?|crit[èe]res?|recommandations?|protocole|version"
    r"|r[ée]f[ée]rentiel|norme|loi|d[ée]cret|score|iso|cs|bp|n°|lot|s[ée]rie|box|tsa|dossier|mission"
    r"|s[ée]j|r[ée]f\.?|nt-?probnp|bnp|ref|ch|chambre|poste)\b[ :,(]{0,3}(?:ao[uû]t|mars)?"
    r"[^\n.;0-9]{0,3}(?:\d{1,2}(?:e|[èe]me)?\W{0,2})?(?:[ée]d(?:ition|\.)? ?)?\Z"
)
_NO_YEAR_AFTER: Final = re.compile(
    rf"[.,]\d|[/-](?!{YEAR}(?!\d)|\d\d(?![\d/-]))[a-z\d]| ?{UNIT}|[a-z]|kcal"
)
_ZIP_BEFORE: Final = re.compile(r"(?:, | [|·–-] |\b[clbf][hu]?-)\Z")


def _year(match: re.Match[str]) -> bool:
    before, behind = left(match, 32), right(match)
    if re.search(r"(?:\d[.,_]|(?:\d\d[ .]){2}|[a-z]-|\d{2}-|_)\Z", before) or _NO_YEAR_AFTER.match(
        behind
    ):
        return re.search(rf"(?<!\d){YEAR}[-/]\Z", before) is not None and not re.match(
            r"\d|-", behind
        )
    if _ZIP_BEFORE.search(before) and re.match(r" [A-ZÉ][a-zé]", match.string[match.end() :][:3]):
        return False
    return not _CLASSIFICATION.search(before)


_YEARS: Final = r"(?:19\d\d|20[0-4]\d|2050)"

ROWS: Final[tuple[Row, ...]] = (
    Row(
        "date.full",
        DIGITS,
        r"(?P<DATE>(\d{1,2})(?:er)?\s{0,2}([/.#_-])\s{0,2}(\d{1,2})\s{0,2}\3\s{0,2}"
        r"(\d{4}(?!\d|:)|\d{2,3}(?!\d)|\d\d(?=\d\d[:h]\d\d)))(?!\3\d)",
        "Vu le «DATE:03/02/2019».",
        check=_full,
        never=(
            "IP 192.168.1.12",
            "tél 02.12.05.21.33",
            "756.4411.8809.27",
            "1.2.12 Sommeil",
            "Apgar 9/10/10",
            "Humalog 6-10-10 UI",
        ),
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
        never=("nerfs 3-IV-6 mm",),
    ),
    Row(
        "date.month_year",
        DIGITS,
        rf"(?P<DATE>(\d{{1,2}})\s{{0,2}}([/.-])\s{{0,2}}({YEAR}))(?!\d|[./-]\d)",
        "électrophorèse «DATE:11/2017» normale",
        check=_month_year,
        never=("1/6717", "dilution 1/2000", "TSH 12.2011 mg", "réf 45/2019"),
    ),
    Row(
        "date.month_year.short",
        DIGITS,
        r"(?P<DATE>(0[1-9]|1[0-2])([/.])(\d\d))(?!\d|[./]\d)",
        "péremption «DATE:03/24», COVID",
        score=0.7,
        check=_short_month_year,
        never=("MMSE 12/30", "TA 12/80", "facture 11.50 euros"),
    ),
    Row(
        "date.day_month",
        DIGITS,
        r"(?P<DATE>(\d{1,2})(?:er)? ?([/.-]) ?(\d{1,2}))(?!\d|[/.,-]\d)",
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
            "1.1 Diagnostics",
            "pH 7.08",
        ),
    ),
    Row(
        "date.range",
        DIGITS,
        r"(?P<DATE>(\d{1,2})\s?[-–]\s?(\d{1,2})([/.])(\d{1,2})\4(?:\d{4}|\d{2}))(?!\d|\4\d)",
        "hospit. «DATE:12-16/01/2021»",
        check=_range,
        never=("entre 10-5/12/2021",),
    ),
    Row(
        "date.range.short",
        DIGITS,
        r"(?P<DATE>\d{1,2})\s?[-–]\s?(?P<DATE_2>(\d{1,2})/(\d{1,2}))(?!\d|[/.,]\d)",
        "Vidaza du «DATE:06»-«DATE:14/10».",
        check=_short_range,
        never=("TA 10-12/7", "2-3/10 mm"),
    ),
    Row(
        "date.days",
        words("du les le entre des"),
        rf"(?i)(?:du|les|le|entre le|des)\s(?P<DATE>{DAY})(?:er)?(?:, ?(?P<DATE_2>{DAY}))?"
        rf"(?:, ?(?P<DATE_3>{DAY}))?\s?(?:au|et le|ou le|et au|et|ou|à|a|,|-|–)\s{{0,2}}"
        rf"(?P<DATE_4>{DAY})(?!\d)",
        "hospitalisée du «DATE:3» au «DATE:7» mai 2021",
        score=0.8,
        check=_days,
        never=("les 3 et 4 mg", "du 3 au 5 %", "le 3 et 4 membres"),
    ),
    Row(
        "date.day",
        words("le du au des"),
        rf"(?i)(?:le|du|au|dès le)\s(?P<DATE>{DAY})(?!\d)",
        "agrafes ôtées le «DATE:19», marche",
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
    Row(
        "date.glued",
        words("le du au ne nee naissance entree sortie date"),
        r"(?i)(?:le|du|au|n[ée]e?|naissance|entr[ée]e|sortie|date)"
        r"(?P<DATE>\d{1,2}[/.-]\d{1,2}(?:[/.-](?:\d{4}|\d{2}))?)(?!\d)",
        "né le«DATE:03/02» à Brest",
        never=("du112.5",),
    ),
    Row(
        "date.misread",
        words("o l i"),
        r"(?P<DATE>[OolI]\d/(?:0[1-9]|1[0-2])(?:/(?:\d{4}|\d{2}))?)(?![\d/])",
        "RCP du «DATE:O7/08» : traitement",
        score=0.6,
        never=("l2/13",),
    ),
    Row(
        "date.year",
        DIGITS,
        rf"(?P<DATE>{_YEARS}(?:/\d\d(?![\d/-]))?)(?!\d)",
        "opéré en «DATE:2007»",
        score=0.6,
        check=_year,
        never=(
            "FIGO 2018",
            "TNM 8e éd. 2017",
            "2000 UI",
            "PN 2010 g",
            "2010g",
            "n° 22-2003",
            "dossier 2021-NC-0071",
            "rue Basse 3, 2000 Neuchâtel",
        ),
    ),
)
