"""Dates in digits with a year: 12/03/2019, 3.4.21, 2021-05-01, 12-16/01/2021, 03/2019, 2007.

A date with a four-digit year is covered even if no calendar has it (31/02/2021): a typing error is
still a date. A bare year is refused beside a unit, inside a number, and after the name of a
classification or guideline (FIGO 2018).
"""

from __future__ import annotations

import re
from typing import Final

from dpdeid.detect.patterns.table import Number, Row, Word, words
from dpdeid.detect.patterns.timewords import (
    ANNOUNCED,
    UNIT,
    YEAR,
    glued,
    left,
    real_day,
    right,
)

_SCORE: Final = re.compile(r"\b(?:apgar|asa|glasgow|score|cot[ée]s?)\b[^\n\d]{0,12}\Z")
_UNIT: Final = re.compile(rf"/| ?{UNIT}")


def _full(match: re.Match[str]) -> bool:
    day, separator, month, again, year = match.group(2, 3, 4, 5, 6)
    if separator != again or glued(match, separator + ",."):
        return False
    d, m, y = int(day), int(month), int(year)
    if len(year) == 4:
        # A long year leaves no doubt that a date is meant, so a wrong day or month is covered too.
        return 1850 <= y <= 2100 and (len(match[1]) <= 10 or real_day(d, m))
    if _SCORE.search(left(match)) and not ANNOUNCED.search(left(match)):
        return False
    if separator == "/":
        if re.match(r" ?(?:mm|cm|fr|ch|g)\b", right(match)):
            return False
        return d * m > 0 and ((d <= 31 and m <= 12) or (d <= 12 and m <= 31 and len(year) == 2))
    if not real_day(d, m) or len(year) != 2 or " " in match[1] or _UNIT.match(right(match)):
        return False
    heading = separator == "." and len(day) == len(month) == 1 and left(match, 1) in ("", "\n")
    return not heading


def _spaced(match: re.Match[str]) -> bool:
    short = len(match[4]) == 2
    if short and (
        "/" in match[1] or _UNIT.match(right(match)) or not ANNOUNCED.search(left(match))
    ):
        return False
    return real_day(int(match[2]), int(match[3])) and not re.search(r"\d ?\Z", left(match, 2))


def _iso(match: re.Match[str]) -> bool:
    return real_day(int(match[4]), int(match[3])) and not glued(match, "-/.")


def _compact(match: re.Match[str]) -> bool:
    return real_day(int(match[4]), int(match[3])) and not glued(match, ".,/-")


def _month_year(match: re.Match[str]) -> bool:
    month, separator, year = match.group(2, 3, 4)
    if glued(match, "/.-"):
        return False
    if not 1 <= int(month) <= 12:
        # "au 14/2025": the month was left out, the words around it still say that it is a date.
        return separator == "/" and ANNOUNCED.search(left(match)) is not None
    if len(month) == 1 and (separator != "/" or year.endswith("000")):
        return False
    return not _UNIT.match(right(match))


def _range(match: re.Match[str]) -> bool:
    first, last, month = int(match[2]), int(match[3]), int(match[5])
    return 0 < first < last <= 31 and 1 <= month <= 12 and not glued(match, "-/.")


_CLASSIFICATION: Final = re.compile(
    r"\b(?:figo|tnm|oms|who|eln|esc|uicc|ajcc|banff|ckd-?epi|mdrd|mcdonald|paris|graall|esmo|has"
    r"|kdigo|gina|gold|acr|eular|asas|caspar|ilae|ichd|dsm|cim|bethesda|lugano|chicago|rome|atlanta"
    r"|tokyo|baveno|fukuoka|berlin|icc|ipss|imwg|iwg|sfar|srlf|splf|ish|esh|eras|cngof|afu|eau|nccn"
    r"|[ée]ditions?|[ée]d\.?|classifications?|crit[èe]res?|recommandations?|protocole|version"
    r"|r[ée]f[ée]rentiel|norme|loi|d[ée]cret|score|iso|cs|bp|n°|lot|s[ée]rie|box|tsa|dossier"
    r"|mission"
    r"|s[ée]j|r[ée]f\.?|nt-?probnp|bnp|ref|ch|chambre|poste)\b[ :,(]{0,3}(?:ao[uû]t|mars)?"
    r"[^\n.;0-9]{0,3}(?:\d{1,2}(?:e|[èe]me)?\W{0,2})?(?:[ée]d(?:ition|\.)? ?)?\Z"
)
_NO_YEAR_AFTER: Final = re.compile(
    r" (?:plaquettes|leuco|globules|neutro|lympho|[ée]osino|h[ée]maties|[ée]l[ée]ments|cellules"
    r"|copies|pas\b|patients|calories|grammes|m[eè]tres|unit[ée]s)"
    rf"|[.,]\d|[/-](?!{YEAR}(?!\d)|\d\d(?![\d/-]))[a-z\d]| ?{UNIT}|[a-z]|kcal"
)
_NO_YEAR_BEFORE: Final = re.compile(r"(?:\d[.,_]|\d{3}/|(?:\d\d[ .]){2}|[a-z]-|\d{2}-|_)\Z")
_YEAR_BEFORE: Final = re.compile(rf"(?<!\d){YEAR}[-/]\Z")
_ZIP_BEFORE: Final = re.compile(r"(?:[,;] | [|·–-] |\b[clbf][hu]?-)\Z")


def _year(match: re.Match[str]) -> bool:
    before, behind = left(match, 32), right(match)
    if glued(match, "/.") and not (before.endswith("/") and _YEAR_BEFORE.search(before)):
        return False
    if _NO_YEAR_BEFORE.search(before) or _NO_YEAR_AFTER.match(behind):
        return _YEAR_BEFORE.search(before) is not None and not re.match(r"\d|-", behind)
    if _ZIP_BEFORE.search(before) and re.match(r" [A-ZÉ][a-zé]", match.string[match.end() :][:3]):
        return False
    return not _CLASSIFICATION.search(before)


_YEARS: Final = r"(?:19\d\d|20[0-4]\d|2050)"


def _two_digits(match: re.Match[str]) -> bool:
    behind = right(match)
    if re.match(rf"[.,:/%-]\d| ?(?:{UNIT}|cas\b|patients|cycles|[àa] \d|et \d)", behind):
        return False
    return match["DATE"] > "39" or re.match(r" ?(?:[,;.)\n:]|\Z)", behind) is not None


ROWS: Final[tuple[Row, ...]] = (
    Row(
        "date.year.short",
        Word(words("en depuis vers"), " ['0]"),
        r"(?i)(?:en|depuis|vers) '?(?P<DATE>\d\d)(?![\dh%°])",
        "opérée du genou en «DATE:98» par le Dr",
        score=0.6,
        check=_two_digits,
        never=("en 45 minutes", "depuis 48 heures", "vers 12 h", "en 12 jours", "vers 38,5"),
    ),
    Row(
        "date.full",
        Number(r"\d{1,2}(?:er[\s/.#_-]|\s(?:\s|[/.#_-][\s0])|[/.#_-](?:0|\s[\s0]))"),
        r"(?P<DATE>(\d{1,2}+)(?:er)?\s{0,2}+([/.#_-])\s{0,2}(\d{1,2})\s{0,2}([/.#_-])\s{0,2}"
        r"(\d{4}(?!\d|:\d)|\d{2,3}(?!\d)|\d\d(?=\d\d[:h]\d\d)))(?![/.#_]\d|-\d{3})",
        "Vu le «DATE:03/02/2019».",
        check=_full,
        never=(
            "IP 192.168.1.12",
            "tél 02.12.05.21.33",
            "756.1234.5678.97",
            "1.2.12 Sommeil",
            "Apgar 9/10/10",
            "Insuline 4-8-12 UI",
        ),
    ),
    Row(
        "date.full.spaced",
        Number(r"\d{1,2}[ /]0[ 0]"),
        rf"(?P<DATE>(\d{{1,2}}+)[ /](\d{{1,2}}) ({YEAR}|\d\d))(?!\d|[ /]\d)",
        "biopsie du «DATE:22/06 2017», lue",
        score=0.8,
        check=_spaced,
        never=("tél 02 12 2005 21 33", "40 12 2001"),
    ),
    Row(
        "date.iso",
        Number(r"10{3}[-/.]0"),
        rf"(?=\d{{4}}[-/.])(?P<DATE>({YEAR})[-/.](\d{{1,2}})[-/.](\d{{1,2}}))"
        r"(?:[T_ ]?(?P<TIME>[0-2]\d:[0-5]\d(?::[0-5]\d(?:\.\d{1,6})?)?(?:Z"
        r"|[+-]\d\d:?\d\d)?))?(?!\d)",
        "reçu «DATE:2016-09-27»T«TIME:07:45:31Z»",
        check=_iso,
        never=("2023-15-01", "2021-44-99"),
    ),
    Row(
        "date.compact",
        Number(r"10{7}(?!0)"),
        r"(?=\d{8})(?P<DATE>(19\d\d|20[0-4]\d)(0[1-9]|1[0-2])([0-2]\d|3[01]))(?!\d|[.,/-]\d)",
        "date «DATE:19471123» F",
        score=0.5,
        check=_compact,
        never=("n 20231545",),
    ),
    Row(
        "date.roman",
        Number(r"\d{1,2}\s?[./-](?:[IVX]|\s(?:[IVX]|\Z))"),
        r"(?P<DATE>\d{1,2}+\s?[./-]\s?(?:I{1,3}|IV|VI{0,3}|IX|XI{0,2})\s?[./-]\s?(?:\d{4}"
        r"|\d{2}))(?!\d)",
        "Dole, «DATE:23.IV.2014»",
        never=("nerfs 3-IV-6 mm",),
    ),
    Row(
        "date.month_year",
        Number(r"\d{1,2}(?:\s(?:\s|[/.-][\s0])|[/.-](?:00|\s[\s0]))"),
        rf"(?P<DATE>(\d{{1,2}}+)\s{{0,2}}+([/.-])\s{{0,2}}({YEAR}))(?!\d|[./-]\d)",
        "frottis «DATE:10/2013» normal",
        check=_month_year,
        never=("1/6717", "dilution 1/2000", "TSH 12.2011 mg", "réf 45/2019"),
    ),
    Row(
        "date.range",
        Number(r"\d{1,2}(?:\s[-–][\s0]|[-–](?:0|\s0))"),
        r"(?P<DATE>(\d{1,2}+)\s?[-–]\s?(\d{1,2})([/.])(\d{1,2})[/.](?:\d{4}|\d{2}))(?!\d|[/.]\d)",
        "congé «DATE:17-21/08/2015»",
        check=_range,
        never=("entre 10-5/12/2021",),
    ),
    Row(
        "date.glued",
        Word(words("le du au ne nee naissance entree sortie date"), "0"),
        r"(?i)(?:le|du|au|n[ée]e?|naissance|entr[ée]e|sortie|date)"
        r"(?P<DATE>\d{1,2}[/.-]\d{1,2}(?:[/.-](?:\d{4}|\d{2}))?)(?!\d)",
        "né le«DATE:03/02» à Brest",
        never=("du112.5",),
    ),
    Row(
        "date.misread",
        Word(words("o l i"), "0/"),
        r"(?P<DATE>[OolI]\d/(?:[0Oo][1-9]|[1lI][0-2Oo])(?:/(?:[12][\dOo]{3}|\d{2}))?)(?![\w/])",
        "visite du «DATE:O9/06» : calme, puis «DATE:l2/O4/2023»",
        score=0.6,
        never=("l2/13",),
    ),
    Row(
        "date.compact.named",
        Word(words("date du le"), " d|[ :=|][ :=|0]"),
        r"(?i:date|du|le)(?: d[eu' ]{1,3}[a-zé]{3,14})?[ :=|]{1,5}"
        r"(?P<DATE>((?:19\d\d|20[0-4]\d))(0[1-9]|1[0-2])([0-2]\d|3[01]))(?![\w]|[.,/-]\d)",
        "Date d'examen : «DATE:20240115»",
        0.97,
        lambda match: real_day(int(match[4]), int(match[3])),
        never=("le 20241545", "date : 2024"),
    ),
    Row(
        "date.year",
        Number(r"10{3}(?!0)"),
        rf"(?P<DATE>{_YEARS}(?:[/-]\d\d(?![\d/-]))?)(?!\d)",
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
            "rue Basse 3, 1950 Sierre",
        ),
    ),
)
