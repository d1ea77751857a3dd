"""Times of day: 14h05, 9 h 20, 16:47, à 11h, vers vingt-deux heures, minuit.

An hour with minutes is a time unless a word says that it lasts ("pendant 1h30"). A bare hour is
also how doses, delays and places on a clock face are written (toutes les 6h, après 48h, 4g/8h,
fissure à 6h), so it is refused after those words, before "par" or "/", and above 23.
"""

from __future__ import annotations

import re
from typing import Final

from dpdeid.detect.patterns.table import Number, Row, words
from dpdeid.detect.patterns.timewords import NUMBER, counted, left, right

_LASTS: Final = re.compile(
    r"(?:\b(?:pendant|durant|il y a|y a|toutes? les|tous les|sur|dans|soit|plus de|moins de|environ"
    r"|pr[èe]s de|scope|stase|max|maxi(?:mum)?|minimum|premi[èe]res?|les|des|ces|prochaines?"
    r"|derni[èe]res?"
    r"|quelques|au bout de|totale?|moyenne de|stop|prot[ée]inurie|chaque|avec|survenue|classe"
    r"|d'une?|en|limit[ée]e? [àa]"
    r"|sup[ée]rieure?s? [àa]|inf[ée]rieure?s? [àa]|estim[ée]e? [àa]|d[ue]r[ée]+e?|d[ée]lai"
    r"|dor[st]?|dormi|sommeil|marche[rd]?"
    r"|hospitalisation|gard[ée]e?|prolong[ée]e?|surveillance|repos|arr[êe]t)(?: (?:de|d'|environ"
    r"|plus de|moins de"
    r"|pr[èe]s de|au moins|au plus|les))?"
    r" ?|[a-z]/|[+≥<≤±*]|\d ?x ?|(?:[ (])>)\Z"
)
_LASTS_LOOSE: Final = re.compile(
    r"\b(?:temps|dur[ée]e?|sommeil|enregistrement|d[ée]lai|aide[- ]m[ée]nag[èe]re|auxiliaire de vie"
    r"|analysable|interpr[ée]table|valide|pousse)\b[^\n\d.;:]{0,36}\Z"
)
_SPELL: Final = re.compile(
    r"\b(?:p[ée]riodes?|tranches?|cycles?|intervalles?|s[ée]ances|perfusions?|trajet|transport"
    r"|attente|je[ûu]ne|s[ée]quences?) d[e'] ?\Z"
)
"""Nouns that a number of hours measures: "par période de 12 heures"."""
_UNTIL: Final = re.compile(r" ?(?:[àa–-]|et) ?\d")
_BROUGHT: Final = re.compile(r"\b(?:r[ée]dui|ramen|limit|prolong|rallong|raccourc)\w{1,5} [àa] \Z")
"""Verbs that bring a length to a number of hours: "sommeil réduit à trois heures"."""
_SINCE: Final = re.compile(r"\bdepuis \Z")
_FACE: Final = re.compile(
    r"\b(?:berges?|cadran|fissure|rayon|l[ée]sions?|biopsie dirig[ée]e|fils?|sein|mamelon"
    r"|quadrants?"
    r"|h[ée]morro[ïi]des?|marge|lithotomie|celui)\b[^\n.;\d]{0,30}(?:[àa]|de) \Z"
)
_BUILDING: Final = re.compile(r"\b(?:b[âa]t(?:iment)?|hall|aile|porte)\.? ?(?:n° ?)?\Z")
_DAYPART: Final = re.compile(r" ?(?:du matin|du soir|de l'apr|pile|pr[ée]cise)")
_LASTS_AFTER: Final = re.compile(
    r" ?(?:/[jsn\d]|en (?:surv|obs)|par (?:jour|nuit|semaine|mois)|de (?!l'apr|la journ)|d'(?!i|a)"
    r"|plus t|aupar"
    r"|d'affil|si besoin|du post|post[- ]|avant\b|apr[èe]s (?:l|s|un|[a-z]{4}))"
)


def _lasts(match: re.Match[str]) -> bool:
    before = left(match, 48)
    return (
        _LASTS.search(before) is not None
        or _LASTS_LOOSE.search(before) is not None
        or _LASTS_AFTER.match(right(match)) is not None
    )


def _clock(match: re.Match[str]) -> bool:
    announced = re.search(r"(?:\b(?:[àa]|vers|d[èe]s) |apr[èe]s )\Z", left(match))
    if announced and not re.search(
        r"(?:estim|limit|[ée]val|inf[ée]ri|sup[ée]ri)\w{1,5} [àa] \Z", left(match)
    ):
        return not re.match(r" (?:de |à dilat)", right(match))
    return not _lasts(match)


def _hour(match: re.Match[str]) -> bool:
    hour, before, behind = int(match[2]), left(match, 48), right(match)
    if hour > 23:
        return False
    if _DAYPART.match(behind):
        return not before.endswith("/")
    if _lasts(match) or _FACE.search(before) or re.search(r"/ ?\Z|[ (]> ?\Z", before):
        return False
    if _SPELL.search(before) and not _UNTIL.match(behind):
        return False
    if _BROUGHT.search(before) or _BUILDING.search(before):
        return False
    if _SINCE.search(before):
        return hour >= 13
    if re.search(r"\bapr[èe]s \Z", before):
        return hour not in (1, 2, 3, 4, 6, 12) and not re.match(r" (?:aux?|d)", behind)
    return not before.endswith("avant ") or hour > 4


_LENGTH: Final = re.compile(
    r"\b(?:dur[ée]e|temps)(?: (?:totale?|cumul[ée]e?|de (?!fin|d[ée]but)[a-zà-ÿ]{3,12}))?"
    r" ?[:=]? ?\Z"
)


def _colon(match: re.Match[str]) -> bool:
    before = left(match)
    if re.search(r"[\d*]:?\Z", before) or re.match(r"[:.]?\d", right(match)):
        return False
    if _LENGTH.search(before):
        return False
    return len(match[2]) == 2 or not re.search(
        r"(?:titre|dilution|ratio|i/e|i:e|aan|fan|taux|inaudible)\W{0,6}\Z", before
    )


_DATED: Final = re.compile(
    r"(?:(?:19|20)\d\d|\d\d[./]\d\d(?:[./]\d\d)?|\b(?:lu|ma|me|je|ve|sa|di|lun|mar|mer|jeu|ven|sam"
    r"|dim|lundi|mardi"
    r"|mercredi|jeudi|vendredi|samedi|dimanche) \d{1,2}|mars|avril|mai|juin|juillet|ao[uû]t"
    r"|[a-z]{3,5}bre"
    r"|janvier|f[ée]vrier|dès|vers|de \d\d\.\d\d à) [(]?(?:à )?\Z"
)


def _dotted(match: re.Match[str]) -> bool:
    return _DATED.search(left(match)) is not None


_SPOKEN_CUE: Final = re.compile(r"\b(?:à|a|vers|dès|entre|avant|jusqu'à|et)\s\Z")


def _spoken(match: re.Match[str]) -> bool:
    before = left(match)
    return (
        _SPOKEN_CUE.search(before) is not None
        and not _BROUGHT.search(before)
        and not re.match(r" ?(?:/|par\b|de (?!l'apr)|plus)", right(match))
    )


_SPACE: Final = r"(?: |&nbsp;)?"

ROWS: Final[tuple[Row, ...]] = (
    Row(
        "time.minutes",
        Number(r"\d{1,2}(?: ?h|&n)"),
        rf"(?i)(?=\d{{1,2}}+[ &h])(?P<TIME>(?:[01]?\d"
        rf"|2[0-4]){_SPACE}h(?:eures?)?{_SPACE}[0-5]\d(?: ?min(?:utes?)?|mn)?)"
        r"(?![\dh]|[.,/]\d| ?(?:mg|ml|%|g\b))",
        "admise à «TIME:10h37» pour",
        check=_clock,
        never=(
            "pendant 1h30",
            "5h30 par nuit",
            "12h500",
            "temps de garrot 1h20",
            "délai inférieur à 4h30",
        ),
    ),
    Row(
        "time.colon",
        Number(r"\d{1,2}:00"),
        r"(?=\d{1,2}+:)(?P<TIME>([01]?\d|2[0-3]):[0-5]\d(?::[0-5]\d)?Z?)",
        "arrivée [«TIME:20:00»]",
        check=_colon,
        never=("1:1000", "12:03:04:05", "titre 1:40", "HLA-B*15:02", "durée : 01:45"),
    ),
    Row(
        "time.hour",
        Number(r"\d{1,2}(?: ?[hH]|&n)"),
        rf"(?P<TIME>(\d{{1,2}}+){_SPACE}(?:h(?:eures?)?|H(?:EURES?)?))(?![\w+]"
        rf"|\s?\d{{1,2}}(?![\d/.])\s?min)",
        "apyrétique à «TIME:18h».",
        score=0.8,
        check=_hour,
        never=(
            "toutes les 6h",
            "après 48h",
            "4g/8h",
            "1L/24h",
            "pendant 4 h",
            "depuis 24h",
            "il y a 2h",
            "5 h de sommeil",
            "2h/j",
            "2h par semaine",
            "fissure anale à 6h",
            "par période de 12 heures",
            "nuits limitées à 4 heures",
            "Bât. 2H",
        ),
    ),
    Row(
        "time.dotted",
        Number(r"\d0\.00"),
        r"(?P<TIME>(?:[01]\d|2[0-3])\.[0-5]\d)(?![\d.,]| ?[a-zµ%]{1,2}\b)",
        "Entretien du 09.11.2020 («TIME:15.40»)",
        score=0.7,
        check=_dotted,
        never=("Hb 12.30", "le 12.03", "mars 12.30 g"),
    ),
    Row(
        "time.spoken",
        counted("he"),
        rf"(?i)(?P<TIME>{NUMBER}\sheures?"
        rf"(?:\s(?:et (?:demie?|quart)|{NUMBER}))?)(?!\w)",
        "vu vers «TIME:vingt-deux heures»",
        check=_spoken,
        never=("à deux heures de route", "sommeil réduit à trois heures"),
    ),
    Row(
        "time.noon.called",
        words(
            "convoque convoquee rdv rendez attendu attendue prevu prevue arrive arrivee venir"
            " sorti sortie admis admise appele appelee"
        ),
        r"(?i)[a-zéè]{2,12}(?:-vous)?(?: \w{2,10}){0,2} (?:à|a) (?P<TIME>midi|minuit)(?!\w)",
        "convoqué à «TIME:midi» au secrétariat",
        score=0.8,
        never=("1 cp à midi", "prévu matin et midi"),
    ),
    Row(
        "time.noon",
        words("minuit midi"),
        rf"(?i)(?P<TIME>minuit|midi (?:et (?:demie?|quart)|{NUMBER})|(?<=avant )midi)(?!\w)",
        "vomit à «TIME:minuit».",
        score=0.7,
        never=("matin midi et soir", "après-midi", "le midi 1 cp"),
    ),
)
