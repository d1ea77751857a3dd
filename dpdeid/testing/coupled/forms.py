"""The forms in which values are printed: the format classes of a skeleton.

Two values written in one form differ in nothing but the value: the form says which fields are
printed, in which words, case and separators; what French lets follow from the value (the weekday,
"1er", the dot of "janv.", the plural of "ans", "d'" before a vowel) follows from it.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Final, Literal

from dpdeid.gazetteers import Place
from dpdeid.normalize import fold
from dpdeid.substitute.almanac import LATIN_MONTHS, MONTHS, SHORT_MONTHS, WEEKDAYS
from dpdeid.substitute.numerals import spell

Precision = Literal["day", "part", "month", "season", "part of year", "year", "decade"]
Lacks = Literal["nothing", "century", "year", "week", "month"]


@dataclass(frozen=True, slots=True)
class DateForm:
    """One form of a date.

    Args:
        precision: which stretch of time it names.
        lacks: what a reader must take from elsewhere: the century, the year, the week (a weekday
            alone) or the month (a day alone).
        write: the text of the date that begins on a day.
    """

    precision: Precision
    lacks: Lacks
    write: Callable[[dt.date], str]


def _first(day: dt.date) -> str:
    return "1er" if day.day == 1 else str(day.day)


def _month(day: dt.date) -> str:
    return MONTHS[day.month - 1]


def _short(day: dt.date) -> str:
    name = SHORT_MONTHS[day.month - 1]
    return name if name == _month(day) else f"{name}."


def _weekday(day: dt.date) -> str:
    return WEEKDAYS[day.weekday()]


def _season(day: dt.date) -> str:
    return ("hiver", "printemps", "été", "automne")[(day.month - 1) // 3]


def _portion(day: dt.date) -> str:
    return {1: "début ", 11: "mi-", 21: "fin "}[day.day]


def _third(day: dt.date) -> str:
    return {1: "début ", 5: "mi-", 9: "fin "}[day.month]


def _bare(text: str) -> str:
    """Without accents, as typed on a machine that has none; small letters."""
    return fold(text)


DATES: Final[Mapping[str, DateForm]] = {
    "12/03/2024": DateForm("day", "nothing", lambda d: f"{d:%d/%m/%Y}"),
    "12.03.2024": DateForm("day", "nothing", lambda d: f"{d:%d.%m.%Y}"),
    "12-03-2024": DateForm("day", "nothing", lambda d: f"{d:%d-%m-%Y}"),
    "3/5/2024": DateForm("day", "nothing", lambda d: f"{d.day}/{d.month}/{d.year}"),
    "12 / 03 / 2024": DateForm("day", "nothing", lambda d: f"{d:%d / %m / %Y}"),
    "12032024": DateForm("day", "nothing", lambda d: f"{d:%d%m%Y}"),
    "2024-03-12": DateForm("day", "nothing", lambda d: d.isoformat()),
    "12 mars 2024": DateForm("day", "nothing", lambda d: f"{_first(d)} {_month(d)} {d.year}"),
    "12 Mars 2024": DateForm(
        "day", "nothing", lambda d: f"{_first(d)} {_month(d).capitalize()} {d.year}"
    ),
    "12 MARS 2024": DateForm(
        "day", "nothing", lambda d: f"{_first(d)} {_month(d)} {d.year}".upper()
    ),
    "12 fevrier 2024": DateForm(
        "day", "nothing", lambda d: f"{_first(d)} {_bare(_month(d))} {d.year}"
    ),
    "12 janv. 2024": DateForm("day", "nothing", lambda d: f"{_first(d)} {_short(d)} {d.year}"),
    "12.III.2024": DateForm(
        "day", "nothing", lambda d: f"{d.day}.{LATIN_MONTHS[d.month - 1]}.{d.year}"
    ),
    "mardi 12 mars 2024": DateForm(
        "day", "nothing", lambda d: f"{_weekday(d)} {_first(d)} {_month(d)} {d.year}"
    ),
    "mardi 12/03/2024": DateForm("day", "nothing", lambda d: f"{_weekday(d)} {d:%d/%m/%Y}"),
    "douze mars deux mille": DateForm(
        "day",
        "nothing",
        lambda d: f"{'premier' if d.day == 1 else spell(d.day)} {_month(d)} {spell(d.year)}",
    ),
    "12/03/24": DateForm("day", "century", lambda d: f"{d:%d/%m/%y}"),
    "12.03.24": DateForm("day", "century", lambda d: f"{d:%d.%m.%y}"),
    "3/5/24": DateForm("day", "century", lambda d: f"{d.day}/{d.month}/{d:%y}"),
    "12/03": DateForm("day", "year", lambda d: f"{d:%d/%m}"),
    "12.03": DateForm("day", "year", lambda d: f"{d:%d.%m}"),
    "3/5": DateForm("day", "year", lambda d: f"{d.day}/{d.month}"),
    "12 mars": DateForm("day", "year", lambda d: f"{_first(d)} {_month(d)}"),
    "12 janv.": DateForm("day", "year", lambda d: f"{_first(d)} {_short(d)}"),
    "mardi 12 mars": DateForm("day", "year", lambda d: f"{_weekday(d)} {_first(d)} {_month(d)}"),
    "mar. 12/03": DateForm("day", "year", lambda d: f"{_weekday(d)[:3]}. {d:%d/%m}"),
    "mardi": DateForm("day", "week", _weekday),
    "12": DateForm("day", "month", _first),
    "début mars 2024": DateForm(
        "part", "nothing", lambda d: f"{_portion(d)}{_month(d)} {d.year}"
    ),
    "mi-mars": DateForm("part", "year", lambda d: f"{_portion(d)}{_month(d)}"),
    "mars 2024": DateForm("month", "nothing", lambda d: f"{_month(d)} {d.year}"),
    "MARS 2024": DateForm("month", "nothing", lambda d: f"{_month(d)} {d.year}".upper()),
    "fevrier 2024": DateForm("month", "nothing", lambda d: f"{_bare(_month(d))} {d.year}"),
    "janv. 2024": DateForm("month", "nothing", lambda d: f"{_short(d)} {d.year}"),
    "03/2024": DateForm("month", "nothing", lambda d: f"{d:%m/%Y}"),
    "mars": DateForm("month", "year", _month),
    "été 2024": DateForm("season", "nothing", lambda d: f"{_season(d)} {d.year}"),
    "été": DateForm("season", "year", _season),
    "début 2024": DateForm("part of year", "nothing", lambda d: f"{_third(d)}{d.year}"),
    "2024": DateForm("year", "nothing", lambda d: f"{d.year}"),
    "années 1990": DateForm("decade", "nothing", lambda d: f"années {d.year}"),
    "années 90": DateForm("decade", "century", lambda d: f"années {d:%y}"),
}  # fmt: skip
"""An example → the form it is of."""

BIRTHS: Final = (
    "12/03/2024",
    "3/5/2024",
    "12.03.2024",
    "12 mars 2024",
    "12 MARS 2024",
    "12 janv. 2024",
    "12/03/24",
    "mars 2024",
    "2024",
)
"""Forms of births; those of a month or a year stand for the whole of it."""


def span_of(precision: Precision, first: dt.date) -> tuple[dt.date, dt.date]:
    """The first and last day of the stretch of time that a form names."""
    months = {"month": 1, "season": 3, "part of year": 4, "year": 12, "decade": 120}
    if precision == "day":
        return first, first
    if precision == "part" and first.day < 21:
        return first, first.replace(day=first.day + 9)
    at = first.year * 12 + first.month - 1 + months.get(precision, 1)
    return first, dt.date(at // 12, at % 12 + 1, 1) - dt.timedelta(1)


def begins(precision: Precision, day: dt.date) -> dt.date:
    """The first day of the stretch of this precision that holds a day."""
    match precision:
        case "part":
            return day.replace(day=1 if day.day <= 10 else 11 if day.day <= 20 else 21)
        case "month":
            return day.replace(day=1)
        case "season":
            return day.replace(month=(day.month - 1) // 3 * 3 + 1, day=1)
        case "part of year":
            return day.replace(month=(day.month - 1) // 4 * 4 + 1, day=1)
        case "year":
            return day.replace(month=1, day=1)
        case "decade":
            return day.replace(year=day.year - day.year % 10, month=1, day=1)
    return day


AgeUnit = Literal["years", "months", "weeks", "days", "years and months"]


@dataclass(frozen=True, slots=True)
class AgeForm:
    """One form of an age: what it counts, and its text for a number of whole units and months."""

    unit: AgeUnit
    write: Callable[[int, int], str]


def _plural(word: str, amount: int) -> str:
    return word + "s" * (amount > 1)


AGES: Final[Mapping[str, AgeForm]] = {
    "63 ans": AgeForm("years", lambda n, _: f"{n} {_plural('an', n)}"),
    "63ans": AgeForm("years", lambda n, _: f"{n}{_plural('an', n)}"),
    "63 ANS": AgeForm("years", lambda n, _: f"{n} {_plural('AN', n).upper()}"),
    "63 a": AgeForm("years", lambda n, _: f"{n} a"),
    "soixante ans": AgeForm("years", lambda n, _: f"{spell(n)} {_plural('an', n)}"),
    "2 ans et 3 mois": AgeForm(
        "years and months", lambda n, m: f"{n} {_plural('an', n)} et {m} mois"
    ),
    "18 mois": AgeForm("months", lambda n, _: f"{n} mois"),
    "3 semaines": AgeForm("weeks", lambda n, _: f"{n} {_plural('semaine', n)}"),
    "12 jours": AgeForm("days", lambda n, _: f"{n} {_plural('jour', n)}"),
}
"""An example → the form it is of."""


TOWNS: Final[Mapping[str, Callable[[str], str]]] = {
    "Saint-Étienne": lambda name: name,
    "SAINT-ÉTIENNE": str.upper,
    "SAINT ETIENNE": lambda name: fold(name).replace("-", " ").replace("'", " ").upper(),
    "saint-étienne": str.lower,
    "St-Étienne": lambda name: name.replace("Saint-", "St-").replace("Sainte-", "Ste-"),
}
"""An example → the form of a name it is of."""

_VOWELS: Final = frozenset("aeiouhy")
Lead = Literal["", "à", "de", "en", "d"]


def led(lead: Lead, name: str) -> tuple[str, str]:
    """What French puts before a name, and what is left of the name: "au ", "Mans".

    Args:
        lead: "à" and "de" before a town, "en" before a season, "d" before a month.
    """
    article = name[: name.find(" ") + 1].lower()
    first = fold(name[:1])
    if lead == "en":
        return ("au " if name.lower().startswith("print") else "en "), name
    if lead == "d":
        return ("d'" if first in "ao" else "de "), name
    if lead and article in ("le ", "les "):
        word = {"à": {"le ": "au ", "les ": "aux "}, "de": {"le ": "du ", "les ": "des "}}
        return word[lead][article], name[len(article) :]
    if lead == "de":
        return ("d'" if first in _VOWELS else "de "), name
    return ("à " if lead else ""), name


def zip_text(place: Place) -> str:
    """The first postal code of a place."""
    return place.zips[0]
