"""The words of French dates: months, weekdays, seasons, holidays, and when Easter is.

Keys are folded words (see `dpdeid.normalize.fold`); a Latin month number counts as a month word.
Weekdays are numbered from Monday = 0, months from 1.
"""

from __future__ import annotations

import datetime as dt
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from dpdeid.normalize import fold

_MONTHS: Final = (
    ("janvier", "janv", "jan", "I"),
    ("février", "févr", "fév", "II"),
    ("mars", "mars", "mar", "III"),
    ("avril", "avr", "avr", "IV"),
    ("mai", "mai", "mai", "V"),
    ("juin", "juin", "jun", "VI"),
    ("juillet", "juil", "jul", "VII"),
    ("août", "août", "aoû", "VIII"),
    ("septembre", "sept", "sep", "IX"),
    ("octobre", "oct", "oct", "X"),
    ("novembre", "nov", "nov", "XI"),
    ("décembre", "déc", "déc", "XII"),
)
MONTHS: Final = tuple(row[0] for row in _MONTHS)
SHORT_MONTHS: Final = tuple(row[1] for row in _MONTHS)
BRIEF_MONTHS: Final = tuple(row[2] for row in _MONTHS)
LATIN_MONTHS: Final = tuple(row[3] for row in _MONTHS)
WEEKDAYS: Final = ["lundi", "mardi", "mercredi", "jeudi", "vendredi", "samedi", "dimanche"]
SEASONS: Final = {"hiver": 2, "printemps": 5, "ete": 8, "automne": 11}
"""Season to the middle month of the quarter of a year it is taken for, so that it has one year."""
SEASON_NAMES: Final = {2: "hiver", 5: "printemps", 8: "été", 11: "automne"}
PARTS: Final = {"debut": 5, "mi": 15, "fin": 25}
"""Part of a month to the day that stands for it."""
PARTS_OF_YEAR: Final = {"debut": (2, 15), "mi": (7, 1), "fin": (11, 15)}
"""Part of a year to the month and day that stand for it."""

MONTH_OF: Final = {
    **{fold(word): i for i, word in enumerate(BRIEF_MONTHS, 1)},
    **{fold(word): i for i, word in enumerate(SHORT_MONTHS, 1)},
    **{fold(word): i for i, word in enumerate(MONTHS, 1)},
    **{"fev": 2, "fevr": 2, "juill": 7, "jui": 7, "aout": 8, "septem": 9, "octo": 10, "decem": 12},
}
LATIN_OF: Final = {word: i for i, word in enumerate(LATIN_MONTHS, 1)}
WEEKDAY_OF: Final = {
    name[:size]: i for i, name in enumerate(WEEKDAYS) for size in (2, 3, 4, 5, len(name))
} | {name + "s": i for i, name in enumerate(WEEKDAYS)}


@dataclass(frozen=True, slots=True)
class Holiday:
    """A yearly day: a month and a day, or an offset in days from Easter Sunday."""

    month: int = 0
    day: int = 0
    easter: int | None = None

    def on(self, year: int) -> dt.date:
        """Its date in a year."""
        if self.easter is None:
            return dt.date(year, self.month, self.day)
        return easter(year) + dt.timedelta(days=self.easter)


HOLIDAYS: Final = {
    "noel": Holiday(12, 25),
    "reveillon noel": Holiday(12, 24),
    "saint etienne": Holiday(12, 26),
    "saint sylvestre": Holiday(12, 31),
    "reveillon": Holiday(12, 31),
    "jour an": Holiday(1, 1),
    "premier an": Holiday(1, 1),
    "nouvel an": Holiday(1, 1),
    "epiphanie": Holiday(1, 6),
    "rois": Holiday(1, 6),
    "chandeleur": Holiday(2, 2),
    "saint blaise": Holiday(2, 3),
    "saint valentin": Holiday(2, 14),
    "saint joseph": Holiday(3, 19),
    "fete travail": Holiday(5, 1),
    "saint jean": Holiday(6, 24),
    "fete musique": Holiday(6, 21),
    "fete nationale": Holiday(7, 14),
    "assomption": Holiday(8, 15),
    "halloween": Holiday(10, 31),
    "toussaint": Holiday(11, 1),
    "armistice": Holiday(11, 11),
    "saint martin": Holiday(11, 11),
    "saint nicolas": Holiday(12, 6),
    "immaculee conception": Holiday(12, 8),
    "carnaval": Holiday(easter=-47),
    "jeudi gras": Holiday(easter=-52),
    "lundi gras": Holiday(easter=-48),
    "lundi roses": Holiday(easter=-48),
    "mardi gras": Holiday(easter=-47),
    "mercredi cendres": Holiday(easter=-46),
    "cendres": Holiday(easter=-46),
    "mi careme": Holiday(easter=-24),
    "rameaux": Holiday(easter=-7),
    "dimanche rameaux": Holiday(easter=-7),
    "jeudi saint": Holiday(easter=-3),
    "vendredi saint": Holiday(easter=-2),
    "samedi saint": Holiday(easter=-1),
    "paques": Holiday(easter=0),
    "dimanche paques": Holiday(easter=0),
    "lundi paques": Holiday(easter=1),
    "ascension": Holiday(easter=39),
    "jeudi ascension": Holiday(easter=39),
    "pentecote": Holiday(easter=49),
    "dimanche pentecote": Holiday(easter=49),
    "lundi pentecote": Holiday(easter=50),
    "fete dieu": Holiday(easter=60),
}
"""Holidays by their folded words, without articles; "st" is read as "saint"."""


@lru_cache(maxsize=512)
def easter(year: int) -> dt.date:
    """Easter Sunday of a Gregorian year (Meeus, Jones and Butcher)."""
    century, rest = divmod(year, 100)
    golden = year % 19
    moon = (19 * golden + century - century // 4 - (8 * century + 13) // 25 + 15) % 30
    sunday = (32 + 2 * (century % 4) + 2 * (rest // 4) - moon - rest % 4) % 7
    late = (golden + 11 * moon + 22 * sunday) // 451
    month, day = divmod(moon + sunday - 7 * late + 114, 31)
    return dt.date(year, month, day + 1)
