"""Times of day: 14h05, 9 h 20, 16:47, à 11h, vers vingt-deux heures, minuit.

An hour with minutes is a time unless a word says that it lasts ("pendant 1h30"). A bare hour is
also how doses and delays are written (toutes les 6h, après 48h, 4g/8h), so it is refused after
those words, before "par" or "/", and above 23.
"""

from __future__ import annotations

import re
from typing import Final

from dpdeid.detect.patterns.table import DIGITS, Row, words
from dpdeid.detect.patterns.timewords import NUMBER, after, before

_LASTS: Final = re.compile(
    r"(?i)(?:\b(?:pendant|durant|depuis|il y a|y a|toutes? les|tous les|sur|dans|soit|dur[ée]e(?: de)?"
    r"|plus de|moins de|environ|pr[èe]s de|scope|stase|repos|max|maxi(?:mum)?|d[ée]lai de|premi[èe]res?"
    r"|les|des|ces|prochaines?|derni[èe]res?|x|×|hospitalisation(?: de)?|surveillance(?: de)?|quelques"
    r"|au bout de|rayon de|totale?|marche[rd]?|moyenne de|stop|proteinurie|protéinurie|chaque|arr[êe]t de"
    r"|aide m[ée]nag[èe]re|auxiliaire de vie|berge|cadran|maison|scolaire|avec|survenue|fait|classe|d'une?)"
    r"(?: (?:environ|plus de|moins de|pr[èe]s de|au moins|au plus|les|de))?\s?|[/+>≥<≤±x×*]\s?|\d\s?[àa] )$"
)
_DAYPART: Final = re.compile(r"(?i)\s?(?:du matin|du soir|de l'apr|pile|pr[ée]cise|environ|gmt)")
_LASTS_AFTER: Final = re.compile(
    r"(?i)\s?(?:/|par\b|de (?!l'apr)|d'(?!i|a)|apr[èe]s|avant|plus t|aupar|d[’']affil|si besoin|par jour)"
)
_AT: Final = re.compile(r"(?i)(?:\b(?:vers|d[èe]s|jusqu'[àa]|[àa] partir de|entre)|\b[àa])\s?$")


def _clock(match: re.Match[str]) -> bool:
    left = before(match)
    if _AT.search(left):
        return True
    return not _LASTS.search(left) and not re.match(
        r"(?i)\s?(?:/j|par jour|par semaine)", after(match)
    )


def _hour(match: re.Match[str]) -> bool:
    hour, left, right = int(match[2]), before(match), after(match)
    if hour > 23 or (match[3] == "H" and left[-1:].isalpha()):
        return False
    if _DAYPART.match(right):
        return not left.endswith("/")
    if _LASTS.search(left) or _LASTS_AFTER.match(right):
        return False
    if hour in (12, 1, 2) and re.search(r"(?i)\b(?:apr[èe]s|avant)\s$", left):
        return False
    return True


def _colon(match: re.Match[str]) -> bool:
    left = before(match)
    if re.search(r"[\d:.,]:?$", left[-1:]) or re.match(r"[:.]?\d", after(match)):
        return False
    return len(match[2]) == 2 or not re.search(
        r"(?i)(?:titre|dilution|ratio|i/e|i:e|aan|fan|taux)\W{0,6}$", left
    )


def _spoken(match: re.Match[str]) -> bool:
    return not re.match(r"(?i)\s?(?:/|par\b|de (?!l'apr)|plus)", after(match))


_SPACE: Final = r"(?: |&nbsp;)?"

ROWS: Final[tuple[Row, ...]] = (
    Row(
        "time.minutes",
        DIGITS,
        rf"(?i)(?P<TIME>(?:[01]?\d|2[0-4]){_SPACE}(?:h(?:eures?)?){_SPACE}[0-5]\d(?: ?min(?:utes?)?|mn)?)"
        r"(?![\dh]|[.,]\d| ?(?:mg|ml|%|g\b|/))",
        "admise à «TIME:11h52» pour",
        check=_clock,
        never=("pendant 1h30", "5h30/jour", "12h500"),
    ),
    Row(
        "time.colon",
        DIGITS,
        r"(?P<TIME>([01]?\d|2[0-3]):[0-5]\d(?::[0-5]\d)?Z?)",
        "arrivée [«TIME:20:00»]",
        check=_colon,
        never=("1:1000", "12:03:04:05", "titre 1:40"),
    ),
    Row(
        "time.hour",
        DIGITS,
        rf"(?P<TIME>(\d{{1,2}}){_SPACE}(h(?:eures?)?|H(?:EURES?)?))(?![\w+]|\s?\d{{1,2}}(?![\d/.])\s?min)",
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
        ),
    ),
    Row(
        "time.spoken",
        words("a vers des entre avant jusqu"),
        rf"(?i)(?:à|a|vers|dès|entre|avant|jusqu'à)\s(?P<TIME>{NUMBER}\sheures?"
        rf"(?:\s(?:et (?:demie?|quart)|{NUMBER}))?)(?!\w)",
        "vu vers «TIME:vingt-deux heures»",
        check=_spoken,
        never=("à deux heures de route",),
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
