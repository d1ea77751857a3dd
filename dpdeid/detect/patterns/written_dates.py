"""Dates in words: 12 mars 2019, 1er août, mars 2019, mardi 14, lundi de Pâques, la Toussaint.

A month or weekday in full is nearly always a date; the exception is the surname (Mme Mars, Dr
Avril, M. Dimanche), so a bare one after a title, or a capitalised one without a preposition, is left
to the rows of people. Short weekdays ("mer", "ve") need a number beside them.
"""

from __future__ import annotations

import re
from typing import Final

from dpdeid.detect.patterns.table import DIGITS, Row, words
from dpdeid.detect.patterns.timewords import (
    DAY,
    FOREIGN_MONTH,
    FULL_MONTH,
    MONTH,
    MONTH_WORDS,
    NUMBER,
    NUMERALS,
    SHORT_WEEKDAY,
    SHORT_WEEKDAY_WORDS,
    TINY_WEEKDAY,
    TINY_WEEKDAY_WORDS,
    UNIT,
    WEEKDAY,
    WEEKDAY_WORDS,
    YEAR,
    after,
    before,
)

_NO_UNIT: Final = rf"(?!\d|[.,:/]\d|\s?{UNIT})"
_YY: Final = rf"'?\d\d{_NO_UNIT}"
_MONTH_END: Final = r"(?![a-zà-ÿ])"
_YEAR_TAIL: Final = rf"(?:[\s,./-]{{0,2}}{YEAR}(?!\d)|[ ./-]{_YY}|(?<=[a-zû]){_YY})"
_DAY_MONTH: Final = rf"{DAY}(?:er|ER)?[\s./-]{{0,2}}{MONTH}{_MONTH_END}(?:{_YEAR_TAIL}|\.{YEAR}|\.? {YEAR}|\.(?= ))?"
_NUMERIC: Final = (
    rf"{DAY}\s?(?:/\s?\d{{1,2}}(?:\s?/\s?(?:\d{{4}}|\d{{2}}))?"
    r"|\.\s?\d{1,2}(?:\s?\.\s?(?:\d{4}|\d{2}))?|-\d{1,2}-(?:\d{4}|\d{2}))(?!\d)"
)
_LONE_DAY: Final = rf"{DAY}(?:er)?(?![a-zà-ÿ]){_NO_UNIT}"

_TITLE: Final = re.compile(
    r"(?i:\b(?:m|mr|mrs|mme|mlle|dr|pr|docteur|professeur|monsieur|madame|mademoiselle|mmes|drs|me"
    r"|ma[îi]tre|s(?:œ|oe)ur|fr[èe]re|p[èe]re|nom|pr[ée]nom|n[ée]e|[ée]p|[ée]pouse|patiente?|famille"
    r"|veuve))[.,:]? {0,3}(?:[A-ZÉÈ][\w'-]{0,15}\.? ){0,2}$"
)
_PREPOSITION: Final = re.compile(
    r"(?i)(?:\b(?:en|d'|de|fin|d[ée]but|mi|courant|d[èe]s|depuis|avant|apr[èe]s|vers|mois|jusqu'en"
    r"|jusqu'[àa]|ou|et|[àa]|cet|ce|pour|le|un|entre|l'|puis|janvier|f[ée]vrier|mars|avril|mai|juin"
    r"|juillet|ao[uû]t|septembre|octobre|novembre|d[ée]cembre)(?:[ /,-]{1,2}|(?<=')))$"
)
_OPEN: Final = re.compile(r"(?:[(:;/–-] ?|\n|^)$")


def _lone_month(match: re.Match[str]) -> bool:
    left, word = before(match), match[0]
    if _TITLE.search(left):
        return False
    if re.search(r"(?:^|[^\w])(?i:de)[ ]$", left) and word[0].isupper():
        return (
            re.search(r"(?i)(?:mois|fin|d[ée]but|mi|rentr[ée]e|vacances|courant) de $", left)
            is not None
        )
    if _PREPOSITION.search(left):
        return True
    if not word.islower():
        return False
    return re.match(r" ?(?:[,;.:)\n?!-]|$|dernier|prochain|suivant)", after(match)) is not None


def _weekday(match: re.Match[str]) -> bool:
    word = match["DATE"]
    if any(map(str.isdigit, word)):
        return True
    left = before(match)
    if _TITLE.search(left):
        return False
    if word.islower() or (word.isupper() and len(word) > 1):
        return not re.match(r" [A-Z]\.", after(match))
    return not re.match(r" (?:[A-ZÉÈ][a-zé]|[A-Z]\.)", after(match)) or left[-1:] in ("", "\n")


def _short_weekday(match: re.Match[str]) -> bool:
    return not re.search(r"[\w']$", before(match))


def _feast(match: re.Match[str]) -> bool:
    left = before(match)
    return not _TITLE.search(left) and not re.search(r"(?i)(?:salle|comit[ée]) des $", left)


_FEAST_CUE: Final = (
    r"(?:(?:d[èe]s|depuis|avant|apr[èe]s|pour|pendant|veille|lendemain|soir|nuit|repas|f[êe]tes?|cong[ée]s?"
    r"|jour|vacances|pont|d[îi]ner|bilan|concert|joyeux|vers|entre|jusqu')\s(?:de\s|d'|[àa]\s|des\s|du\s)?"
    r"(?:la\s|le\s|l' ?|les\s)?|[àa]\s(?:la\s|l' ?)?|de\s(?:la\s|l' ?)|la\s|l' ?|d')"
)

ROWS: Final[tuple[Row, ...]] = (
    Row(
        "date.written",
        DIGITS,
        rf"(?i)(?P<DATE>{_DAY_MONTH})",
        "revu le «DATE:12 mars 2019» par",
        never=("12 maison", "3 mars-upial".replace("mars-", "marsu"), "2 décès"),
    ),
    Row(
        "date.foreign",
        DIGITS,
        rf"(?i)(?P<DATE>{DAY}(?:st|nd|rd|th|\.)?[ -]{FOREIGN_MONTH}[. -]{{1,2}}{YEAR})(?!\d)",
        "Gesendet: «DATE:6. Januar 2021» 17:03",
    ),
    Row(
        "date.spoken",
        NUMERALS | words("premier"),
        rf"(?i)(?P<DATE>(?:premier|{NUMBER})\s{FULL_MONTH}{_MONTH_END}"
        rf"(?:\s(?:{YEAR}(?!\d)|{NUMBER}))?)",
        "Fait à Nice le «DATE:trois février deux mille vingt-trois»",
        never=("deux maisons",),
    ),
    Row(
        "date.month",
        MONTH_WORDS,
        rf"(?i)(?P<DATE>{MONTH}(?:\.?\s{{0,2}}{YEAR}(?!\d)|\.? {_YY}))",
        "IRM en «DATE:mars 2019».",
        never=("nov 12 mg", "mai 14h"),
    ),
    Row(
        "date.month.lone",
        MONTH_WORDS,
        rf"(?i)(?P<DATE>{FULL_MONTH}){_MONTH_END}",
        "stable depuis «DATE:octobre».",
        score=0.8,
        check=_lone_month,
        never=("Mme Mars est venue", "Dr Claire AVRIL", "avril elise 7 ans"),
    ),
    Row(
        "date.month.lone.short",
        MONTH_WORDS,
        r"(?i)(?<=\b(?:en|mi|in|is)[ -])(?P<DATE>(?:janv|f[ée]vr?|avr|juil|sept|oct|nov|d[ée]c)\.?)"
        r"(?![\w'])",
        "revu en «DATE:sept.» dernier",
        never=("le 3 oct", "nov"),
    ),
    Row(
        "date.weekday",
        WEEKDAY_WORDS,
        rf"(?i)(?P<DATE>{WEEKDAY}s?(?:,?\s{{0,2}}(?:le )?(?:{_NUMERIC}|{_DAY_MONTH}"
        rf"|(?:premier|{NUMBER})\s{FULL_MONTH}{_MONTH_END}(?:\s(?:{YEAR}(?!\d)|{NUMBER}))?"
        rf"|{_LONE_DAY})|\s(?:saint|gras|des cendres|des rameaux|des roses|de p[âa]ques"
        rf"|de (?:la )?pentec[ôo]te|de l'ascension)(?!\w)(?: {YEAR})?)?)",
        "opéré «DATE:mardi 14 mars 2023» à 9 h",
        score=0.8,
        check=_weekday,
        never=("M. Dimanche est sorti", "Mme Alice LUNDI"),
    ),
    Row(
        "date.weekday.short",
        SHORT_WEEKDAY_WORDS,
        rf"(?i)(?P<DATE>{SHORT_WEEKDAY}(?:\.\s?|\s)(?:p[âa]ques )?(?:{_NUMERIC}|{_DAY_MONTH}|{_LONE_DAY}))",
        "sortie «DATE:mer 12» si ok",
        check=_short_weekday,
        never=("mer 12 mg", "sam suffit"),
    ),
    Row(
        "date.weekday.tiny",
        TINY_WEEKDAY_WORDS,
        rf"(?i)(?P<DATE>{TINY_WEEKDAY}\.?\s(?:{_NUMERIC}|{_DAY_MONTH}))",
        "pose «DATE:lu 21.11» 8h00",
        score=0.7,
        check=_short_weekday,
        never=("sa 34+2", "je 3"),
    ),
    Row(
        "date.weekday.list",
        SHORT_WEEKDAY_WORDS | TINY_WEEKDAY_WORDS,
        r"(?i)(?P<DATE>lun|mar|mer|jeu|ven|sam|lu|ma|me|je|ve)\.?(?: ?[-,/+] ?| et )"
        r"(?P<DATE_2>mar|mer|jeu|ven|sam|dim|ma|me|je|ve|sa|di)\.?"
        r"(?:(?: ?[-,/+] ?| et )(?P<DATE_3>mer|jeu|ven|sam|dim|me|je|ve|sa|di)\.?)?(?!\w|')",
        "dialyse «DATE:lun»-«DATE:mer»-«DATE:ven»",
        score=0.7,
        check=_short_weekday,
        never=("ma-gra",),
    ),
    Row(
        "date.feast",
        words("paques paque pentecote mardi chandeleur epiphanie armistice ramadan jour nouvel"),
        r"(?i)(?P<DATE>p[âa]ques?|pentec[ôo]te|chandeleur|[ée]piphanie|armistice|ramadan"
        rf"|jour de l'an|nouvel an)(?!\w)(?P<DATE_2>\s(?:{YEAR}|\d\d(?!\d|\s?[h:])))?".replace(
            "(?P<DATE_2>", "(?:"
        ),
        "chute après «DATE:Pâques» à domicile",
        score=0.7,
        check=_feast,
        never=("M. Pâques est venu",),
    ),
    Row(
        "date.feast.cued",
        words(
            "de a la l d avant apres des depuis pour jour veille lendemain nuit pendant joyeux vers"
            " entre fetes"
        ),
        rf"(?i){_FEAST_CUE}(?P<DATE>(?:no[ëe]l|toussaint|ascension|assomption|carnaval|r[ée]veillon"
        r"|f[êe]te nationale|f[êe]te des (?:m[èe]res|p[èe]res)|f[êe]tes(?= |[.,;)]|$)"
        r"|(?:saint|st|ste|sainte)[ -](?:sylvestre|nicolas|valentin|jean|martin|[ée]tienne|patrick)"
        rf"|a[ïi]d(?:[ -]el[ -]\w{{3,8}})?|rameaux)(?:\s{YEAR})?)(?!\w)",
        "depuis «DATE:Noël 2019», rien",
        score=0.7,
        check=_feast,
        never=("Dr Noël", "chirurgie de Saint-Malo"),
    ),
    Row(
        "date.season",
        words("ete automne hiver printemps annee annees rentree"),
        rf"(?i)(?P<DATE>(?:[ée]t[ée]|automne|hiver|printemps)\s(?:{YEAR}(?:[-/](?:{YEAR}|\d\d))?|\d\d{_NO_UNIT})"
        r"|ann[ée]es (?:19)?\d0)(?!\d)",
        "relais à l'«DATE:été 2020».",
        never=("a été 3 fois", "a été 12 fois hospitalisé"),
    ),
)
