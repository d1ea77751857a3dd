"""Dates in words: 12 mars 2019, 1er août, mars 2019, fin mars, mardi 14, lundi de Pâques, Noël.

A month or weekday in full is nearly always a date; the exception is the surname (Mme Mars, Dr
Avril, M. Dimanche), so a bare one after a title, or a capitalised one without a preposition, is
left to the rows of people. Short weekdays ("mer", "ve") need a number beside them.
"""

from __future__ import annotations

import re
from typing import Final

from dpdeid.detect.patterns.table import Number, Row, Word, words
from dpdeid.detect.patterns.timewords import (
    DAY,
    FOREIGN_MONTH,
    FULL_MONTH,
    MONTH,
    MONTH_WORDS,
    NUMBER,
    SHORT_MONTH,
    SHORT_WEEKDAY,
    SHORT_WEEKDAY_WORDS,
    TINY_WEEKDAY,
    TINY_WEEKDAY_WORDS,
    UNIT,
    WEEKDAY,
    WEEKDAY_WORDS,
    YEAR,
    counted,
    glued,
    left,
    right,
)

_NO_UNIT: Final = rf"(?!\d|[.,:]\d|/| ?{UNIT})"
_YEAR_TAIL: Final = rf"(?:[\s,./-]{{0,2}}{YEAR}(?!\d)|[ ./-]?'?\d\d{_NO_UNIT})"
_YEAR_OF_MONTH: Final = rf"(?:\s{{0,2}}{YEAR}(?!\d)| '?\d\d{_NO_UNIT})"
_DAY_MONTH: Final = rf"{DAY}(?: ?er\b|°)?[\s./-]{{0,2}}(?=[adfjmnos]){MONTH}{_YEAR_TAIL}?"
_NUMERIC: Final = (
    rf"{DAY}\s?(?:/\s?\d{{1,2}}(?:\s?/\s?(?:\d{{4}}(?!\d|:)|\d\d(?=\D|\d\d[:h]|\Z)))?"
    r"|\.\s?\d{1,2}(?:\s?\.\s?(?:\d{4}|\d{2}))?|-\d{1,2}-(?:\d{4}|\d{2}))(?!\d\D|\d\Z)"
)
_SPOKEN: Final = rf"(?:premier|{NUMBER})\s{FULL_MONTH}(?![a-zà-ÿ])(?:\s(?:{YEAR}(?!\d)|{NUMBER}))?"
_LONE_DAY: Final = rf"{DAY}(?:er)?(?![a-zà-ÿ]){_NO_UNIT}"
_MOVABLE: Final = (
    r"(?:saint|gras|des cendres|des rameaux|des roses|de p[âa]ques|de (?:la )?pentec[ôo]te"
    r"|de l'ascension|de l'action de gr[âa]ce|du je[ûu]ne)"
)

_TITLE: Final = re.compile(
    r"(?i:\b(?:m|mr|mrs|mme|mlle|dr|drs?se|pr|docteur|professeur|monsieur|madame|mademoiselle|mmes"
    r"|drs"
    r"|me|ma[îi]tre|s(?:œ|oe)ur|fr[èe]re|p[èe]re|nom|pr[ée]nom|n[ée]e|[ée]p|[ée]pouse|patiente?"
    r"|famille"
    r"|veuve))[.,:]? {0,3}(?:[A-ZÉÈ][\w'-]{0,15}\.? ){0,2}\Z"
)
_PREPOSITION: Final = re.compile(
    r"(?:\b(?:en|de|fin|d[ée]but|mi|courant|d[èe]s|depuis|avant|apr[èe]s|vers|mois|jusqu'en"
    r"|jusqu'[àa]"
    r"|ou|et|[àa]|cet|ce|pour|le|un|entre|puis|janvier|f[ée]vrier|mars|avril|mai|juin|juillet"
    r"|ao[uû]t"
    r"|septembre|octobre|novembre|d[ée]cembre)[ /,-]{1,2}|[dl]')\Z"
)


_NEXT_MONTH: Final = re.compile(rf" ?[/-] ?{FULL_MONTH}")


def _raw(match: re.Match[str], width: int = 24) -> str:
    return match.string[max(0, match.start() - width) : match.start()]


def _lone_month(match: re.Match[str]) -> bool:
    before, word = left(match), match["DATE"]
    if _TITLE.search(_raw(match)) or re.match(r" [a-z]\.", right(match)):
        return False
    if before.endswith(" de ") and word[0].isupper():
        return (
            re.search(r"(?:mois|fin|d[ée]but|mi|rentr[ée]e|vacances|courant) de \Z", before)
            is not None
        )
    if _PREPOSITION.search(before) or _NEXT_MONTH.match(right(match)):
        return True
    if not word.islower():
        return False
    # At the margin in lower case it may be a surname ("janvier elise, 7 ans").
    margin = re.search(r"(?:\n|\A)[ -]*\Z", before) is not None
    return not margin or re.match(r" ?(?:[,;.:)\n?!-]|\Z)", right(match)) is not None


def _lone_short_month(match: re.Match[str]) -> bool:
    cued = re.search(r"\b(?:en|mi|fin|d[ée]but|depuis|avant|vers|pr[ée]vue?)[ -]\Z", left(match))
    return cued is not None and not match[0].isupper()


def _weekday(match: re.Match[str]) -> bool:
    word = match["DATE"]
    if any(map(str.isdigit, word)) or " " in word:
        return True
    behind = match.string[match.end() : match.end() + 4]
    if _TITLE.search(_raw(match)) or re.match(r" [A-Z]\.", behind):
        return False
    if word.islower() or word.isupper():
        return True
    return not re.match(r" [A-ZÉÈ][a-zé]", behind) or left(match, 1) in ("", "\n")


def _short_weekday(match: re.Match[str]) -> bool:
    return not re.search(r"[\w'-]\Z", left(match, 1))


def _tiny_weekday(match: re.Match[str]) -> bool:
    """Whether it stands alone, and "SA" counts no weeks of pregnancy: "38 SA 1/7"."""
    weeks = match[0][:2] in ("SA", "sa") and re.search(r"\d ?\Z", left(match, 2))
    return _short_weekday(match) and not weeks


def _days_in_order(match: re.Match[str]) -> bool:
    return int(match[2]) < int(match[3]) and not glued(match, "-/.,")


def _written(match: re.Match[str]) -> bool:
    return not glued(match, ".,")


def _cued_feast(match: re.Match[str]) -> bool:
    return _FEAST_CUE.search(left(match)) is not None and _feast(match)


def _feast(match: re.Match[str]) -> bool:
    if _TITLE.search(_raw(match)) or re.match(r" de no", right(match)):
        return False
    if match[0].isupper() and left(match).endswith((" de ", " la ")):
        return True
    return not re.match(r" [A-ZÉÈ]\w|-[A-ZÉÈ]", match.string[match.end() : match.end() + 3])


_FEAST_CUE: Final = re.compile(
    r"(?:\b(?:d[èe]s|depuis|avant|apr[èe]s|pour|pendant|veille|lendemain|soir|nuit|repas|f[êe]tes?"
    r"|cong[ée]s?|jour|vacances|pont|d[îi]ner|bilan|concert|joyeux|vers|entre|de|la|le|les|des|du"
    r"|au)"
    r"\s|\b[ld]' ?|\()\Z"
)
"""What stands before a feast whose name is also a surname, a first name or a place."""

_SAINTS: Final = (
    r"(?:sainte?|ste?)[ -](?:jean|martin|[ée]tienne|patrick|nicolas|sylvestre|valentin|joseph"
    r"|michel|blaise|catherine|barbe)"
)
_FEASTS: Final = (
    r"(?:no[ëe]l|toussaint|ascension|assomption|carnaval|r[ée]veillon|f[êe]te nationale"
    r"|f[êe]te-dieu|f[êe]te (?:de la musique|du travail|des voisins|de la science)"
    r"|f[êe]te des (?:(?:grands-)?m[èe]res|p[èe]res)|(?<=[ts] les )f[êe]tes(?! de)"
    r"|immacul[ée]e(?: conception)?"
    r"|je[ûu]ne (?:f[ée]d[ée]ral|genevois)|action de gr[âa]ce|halloween|rameaux"
    r"|(?<=jour des )rois|saint[ -](?:sylvestre|nicolas|valentin)"
    r"|a[ïi]d(?:[ -]el[ -]\w{3,8})?)"
)

ROWS: Final[tuple[Row, ...]] = (
    Row(
        "date.written.range",
        Number(r"\d{1,2}(?:\s[-–][\s0]|[-–](?:0|\s0))"),
        rf"(?i)(?P<DATE>({DAY})\s?[-–]\s?({DAY}) {MONTH}{_YEAR_TAIL}?)",
        "en congé «DATE:1–3 janvier», puis",
        check=_days_in_order,
        never=("entre 5-3 mars",),
    ),
    Row(
        "date.written",
        Number(r"\d{1,2}(?: ?er|°|[\s./-]{2}|[\s./-]?(?:ja|f[eé]|ma|av|ju|ao|se|oc|no|d[eé]))"),
        rf"(?i)(?=\d{{1,2}}+(?: ?er\b|°)?[\s./-]{{0,2}}+[adfjmnos])(?P<DATE>{_DAY_MONTH})",
        "revu le «DATE:12 mars 2019» par",
        check=_written,
        never=("45.2 mars", "12 maison", "3 marsupial", "2 décès", "12 octets"),
    ),
    Row(
        "date.foreign",
        Number(r"\d{1,2}(?:st|nd|rd|th|\.?[ -](?:ja|fe|m[aä]|ap|ju|au|se|oc|de|[adfjmos]\Z))"),
        rf"(?i)(?=\d{{1,2}}+[^\W\d_.]{{0,2}}\.?[ -][adfjmos])(?P<DATE>{DAY}(?:st|nd|rd|th"
        rf"|\.)?[ -]{FOREIGN_MONTH}[. -]{{1,2}}{YEAR})(?!\d)",
        "Gesendet: «DATE:9. Oktober 2017» 08:21",
        never=("6. mai zum Arzt",),
    ),
    Row(
        "date.foreign.weekday",
        words(
            "mon tue wed thu fri sat sun montag dienstag mittwoch donnerstag freitag samstag"
            " sonntag"
        ),
        rf"(?i)(?P<DATE>[a-z]{{3,10}},? {DAY}\.? (?:{FOREIGN_MONTH}|{MONTH})\.? {YEAR})(?!\d)",
        "Date : «DATE:Fri, 7 Apr 2017» 09:52",
        never=("mon 12 mars", "sun 3"),
    ),
    Row(
        "date.spoken",
        counted("ja|f[eé]|ma|av|ju|ao|se|oc|no|d[eé]", "premier"),
        rf"(?i)(?P<DATE>{_SPOKEN})",
        "Fait à Nice le «DATE:trois février deux mille vingt-trois»",
        never=("deux maisons",),
    ),
    Row(
        "date.part",
        Word(words("fin debut mi"), "(?i:[ -][ -]{0,2}[adfjmnos0]?)"),
        rf"(?i)(?P<DATE>(?:fin|d[ée]but|mi)(?: ?- ?| )(?:(?=[adfjmnos]){MONTH}{_YEAR_OF_MONTH}?"
        rf"|{YEAR}(?![\d/]|-\d)(?! ?{UNIT})))",
        "douleurs depuis «DATE:fin mars», IRM «DATE:mi-2019»",
        never=("en fin de mois", "mi-temps", "début 2000 UI", "fin janvière"),
    ),
    Row(
        "date.month",
        MONTH_WORDS,
        rf"(?i)(?P<DATE>{MONTH}{_YEAR_OF_MONTH})",
        "IRM en «DATE:mars 2019».",
        never=("nov 12 mg", "mai 14h"),
    ),
    Row(
        "date.month.lone",
        MONTH_WORDS,
        rf"(?i)(?P<DATE>{FULL_MONTH})(?![a-zà-ÿ])",
        "stable depuis «DATE:octobre».",
        score=0.8,
        check=_lone_month,
        never=("Mme Mars est venue", "Dr Claire AVRIL", "avril elise 7 ans"),
    ),
    Row(
        "date.month.lone.short",
        MONTH_WORDS,
        rf"(?i)(?P<DATE>{SHORT_MONTH}\.?)(?![\w'])",
        "revu en «DATE:sept.» dernier",
        check=_lone_short_month,
        never=("le 3 oct", "nov"),
    ),
    Row(
        "date.weekday",
        WEEKDAY_WORDS,
        rf"(?i)(?P<DATE>{WEEKDAY}s?(?:,? {{0,2}}(?:le )?(?:{_NUMERIC}|{_DAY_MONTH}|{_SPOKEN}"
        rf"|{_LONE_DAY})"
        rf"|\s{_MOVABLE}(?!\w)(?: {YEAR})?)?)",
        "opéré «DATE:jeudi 8 juin 2017» à 9 h",
        score=0.8,
        check=_weekday,
        never=("M. Dimanche est sorti", "Mme Alice LUNDI", "KERVELLA, MARDI C."),
    ),
    Row(
        "date.weekday.short",
        SHORT_WEEKDAY_WORDS,
        rf"(?i)(?P<DATE>{SHORT_WEEKDAY}(?:\. ?| )(?:p[âa]ques )?(?:{_NUMERIC}|{_DAY_MONTH}"
        rf"|{_LONE_DAY}))",
        "sortie «DATE:mer 12» si ok",
        check=_short_weekday,
        never=("mer 12 mg", "sam suffit", "lun 9h"),
    ),
    Row(
        "date.weekday.tiny",
        TINY_WEEKDAY_WORDS,
        rf"(?i)(?P<DATE>{TINY_WEEKDAY}\.? (?:{_NUMERIC}|{_DAY_MONTH}|{DAY}(?=,? \d{{1,2}}(?:h"
        rf"|[:.]\d\d))))",
        "retrait «DATE:ve 16.09» 8h00",
        score=0.7,
        check=_tiny_weekday,
        never=("sa 34+2", "je 3", "accouchée à 37 SA 2/7"),
    ),
    Row(
        "date.weekday.tiny.list",
        TINY_WEEKDAY_WORDS,
        rf"(?i)(?P<DATE>{TINY_WEEKDAY}\.? {DAY})(?:, |,? et )(?P<DATE_2>{TINY_WEEKDAY}\.? {DAY})"
        rf"(?:(?:, |,? et )(?P<DATE_3>{TINY_WEEKDAY}\.? (?:{_NUMERIC}|{_DAY_MONTH}|{DAY})))?"
        r"(?!\d|[/.]\d)",
        "refait «DATE:lu 14», «DATE:me 16» et «DATE:ve 18/04»",
        score=0.7,
        check=_tiny_weekday,
        never=("sa 34, me 3", "je 3 fois, ma 4"),
    ),
    Row(
        "date.weekday.list",
        SHORT_WEEKDAY_WORDS,
        r"(?i)(?P<DATE>lun|mar|mer|jeu|ven|sam)\.?(?: ?[-,/+] ?| et )"
        r"(?P<DATE_2>mar|mer|jeu|ven|sam|dim)\.?"
        r"(?:(?: ?[-,/+] ?| et )(?P<DATE_3>mer|jeu|ven|sam|dim)\.?)?(?![\w'])",
        "dialyse «DATE:lun»-«DATE:mer»-«DATE:ven»",
        score=0.7,
        check=_short_weekday,
        never=("mar-tin", "mer, montagne"),
    ),
    Row(
        "date.feast",
        words(
            "paques paque pentecote chandeleur epiphanie armistice ramadan halloween fete jour"
            " premier nouvel noel toussaint"
        ),
        r"(?i)(?P<DATE>(?:p[âa]ques?|pentec[ôo]te|chandeleur|[ée]piphanie|armistice|ramadan"
        r"|halloween|f[êe]te nationale|(?:jour|premier) de l'an"
        rf"|nouvel an)(?:\s{YEAR})?|(?:no[ëe]l|toussaint)\s{YEAR}|(?<=\bà )no[ëe]l)(?!\w)",
        "chute après «DATE:Pâques» à domicile",
        score=0.7,
        check=_feast,
        never=("M. Pâques est venu", "Noël est venu", "confié à Noël Dupuis"),
    ),
    Row(
        "date.feast.first",
        Number(r"1er "),
        r"(?i)(?P<DATE>1er de l'an)(?!\w)",
        "chute le «DATE:1er de l'an»",
        never=("1er de la liste",),
    ),
    Row(
        "date.feast.saint",
        words("sainte saint ste st"),
        rf"(?i)(?P<DATE>(?<=\bla ){_SAINTS}(?:\s{YEAR})?)(?!\w)",
        "venue vers la «DATE:Saint-Jean»",
        score=0.96,
        check=_feast,
        never=("clinique Saint-Jean", "la Sainte-Famille", "la Saint-Jean-Baptiste"),
    ),
    Row(
        "date.feast.cued",
        words(
            "noel toussaint ascension assomption carnaval reveillon fete fetes immaculee jeune"
            " action rameaux rois saint sainte st ste aid"
        ),
        rf"(?i)(?P<DATE>{_FEASTS}(?:\s{YEAR})?)(?!\w)",
        "depuis «DATE:Noël 2013», rien",
        score=0.7,
        check=_cued_feast,
        never=("Dr Noël", "chirurgie de Saint-Malo", "salle des fêtes", "à la Saint-Antoine"),
    ),
    Row(
        "date.season",
        words("ete automne hiver printemps annees"),
        rf"(?i)(?P<DATE>(?:[ée]t[ée]|automne|hiver|printemps)\s(?:{YEAR}(?:[-/](?:{YEAR}|\d\d))?"
        rf"|\d\d{_NO_UNIT})"
        r"|ann[ée]es (?:19)?\d0)(?!\d)",
        "relais à l'«DATE:été 2012».",
        never=("a été 3 fois", "a été 12 fois hospitalisé"),
    ),
)
