"""What slots are filled with: forms of dates, births, ages and towns, and towns to choose from.

Forms are the format classes of a skeleton. Two values written in one form differ in nothing but the
value: the form says which fields are printed, in which words, case and separators; what French lets
follow from the value (the weekday, "1er", the dot of "janv.", the plural of "ans", "d'" before a
vowel) follows from it. Towns are such as their name alone names, list by list, and such as the
words around them do.
"""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any, Final, Literal

import yaml

from dpdeid import gazetteers
from dpdeid.french.calendar import LATIN_MONTHS, MONTHS, SHORT_MONTHS, WEEKDAYS
from dpdeid.french.check_digits import luhn_digit, nir_key, niss_key
from dpdeid.french.numerals import spell
from dpdeid.french.tables import rows
from dpdeid.gazetteers import Place, place_key, place_list_name
from dpdeid.labels import Label
from dpdeid.normalize import fold
from dpdeid.privacy.rng import Stream

_BRACES: Final = re.compile(r"\{(\w+)\}")
_HERE: Final = files("dpdeid.testing.coupled")

Precision = Literal["day", "part", "week", "month", "season", "part of year", "year", "decade"]
Lacks = Literal["nothing", "century", "year", "week", "month"]


def _first(day: dt.date) -> str:
    return "1er" if day.day == 1 else str(day.day)


def _month(day: dt.date) -> str:
    return MONTHS[day.month - 1]


_FIELDS: Final[Mapping[str, Callable[[dt.date], str]]] = {
    "day": lambda d: str(d.day),
    "number": lambda d: str(d.month),
    "first": _first,
    "FIRST": lambda d: _first(d).upper(),
    "spelt": lambda d: "premier" if d.day == 1 else spell(d.day),
    "spelt_year": lambda d: spell(d.year),
    "month": _month,
    "Month": lambda d: _month(d).capitalize(),
    "MONTH": lambda d: _month(d).upper(),
    "bare": lambda d: fold(_month(d)),
    "short": lambda d: SHORT_MONTHS[d.month - 1] + "." * (SHORT_MONTHS[d.month - 1] != _month(d)),
    "latin": lambda d: LATIN_MONTHS[d.month - 1],
    "weekday": lambda d: WEEKDAYS[d.weekday()],
    "week": lambda d: str(d.isocalendar().week),
    "weekd": lambda d: WEEKDAYS[d.weekday()][:3],
    "season": lambda d: ("hiver", "printemps", "été", "automne")[(d.month - 1) // 3],
    "portion": lambda d: {1: "début ", 11: "mi-", 21: "fin "}[d.day],
    "third": lambda d: {1: "début ", 5: "mi-", 9: "fin "}[d.month],
}
"""What stands in braces in a form, beside the fields of `strftime`; "bare" is without accents."""


@dataclass(frozen=True, slots=True)
class DateForm:
    """One form of a date.

    Args:
        precision: which stretch of time it names.
        lacks: what a reader must take from elsewhere: the century, the year, the week (a weekday
            alone) or the month (a day alone).
        written: the text, with fields.
    """

    precision: Precision
    lacks: Lacks
    written: str

    def write(self, day: dt.date) -> str:
        """The text of the date that begins on a day."""
        return day.strftime(_BRACES.sub(lambda field: _FIELDS[field[1]](day), self.written))


_LINES: Final = (_HERE / "forms.tsv").read_text(encoding="utf-8").splitlines()[1:]
DATES: Final[Mapping[str, DateForm]] = {
    example: DateForm(*form)  # type: ignore[arg-type]
    for example, *form in (line.split("\t") for line in _LINES)
}
"""An example → the form it is of."""

_MONTHS: Final[Mapping[Precision, int]] = {
    "month": 1,
    "season": 3,
    "part of year": 4,
    "year": 12,
    "decade": 120,
}


def span_of(precision: Precision, first: dt.date) -> tuple[dt.date, dt.date]:
    """The first and last day of the stretch of time that a form names."""
    if precision == "day":
        return first, first
    if precision == "week":
        return first, first + dt.timedelta(6)
    if precision == "part" and first.day < 21:
        return first, first.replace(day=first.day + 9)
    at = first.year * 12 + first.month - 1 + _MONTHS.get(precision, 1)
    return first, dt.date(at // 12, at % 12 + 1, 1) - dt.timedelta(1)


def begins(precision: Precision, day: dt.date) -> dt.date:
    """The first day of the stretch of this precision that holds a day."""
    if precision == "day":
        return day
    if precision == "week":
        return day - dt.timedelta(day.weekday())
    if precision == "part":
        return day.replace(day=1 if day.day <= 10 else 11 if day.day <= 20 else 21)
    months = _MONTHS[precision]
    at = (day.year * 12 + day.month - 1) // months * months
    return dt.date(at // 12, at % 12 + 1, 1)


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


@dataclass(frozen=True, slots=True)
class NumberForm:
    """One form of a number that tells a birth or a town: its label, its text for them, and whether
    the town is one of birth (a NIR).
    """

    label: Label
    write: Callable[[dt.date, Place], str]
    is_nir: bool = False


def _nir(day: dt.date, town: Place) -> str:
    """13 characters, of a woman."""
    commune = town.code if town.country == "FR" else "99131"
    return f"2{day:%y%m}{commune}084"


def _finess(town: Place) -> str:
    code = town.code if town.country == "FR" else "98000"
    number = code.replace("2A", "20").replace("2B", "21") + "078"
    return number + luhn_digit(number)


_SPACED: Final = re.compile("(.)(..)(..)(..)(...)(...)")
NUMBERS: Final[Mapping[str, NumberForm]] = {
    "2850578006084": NumberForm(Label.SSN, _nir, is_nir=True),
    "285057800608491": NumberForm(
        Label.SSN, lambda d, t: _nir(d, t) + nir_key(_nir(d, t)), is_nir=True
    ),
    "2 85 05 78 006 084 clé 91": NumberForm(
        Label.SSN,
        lambda d, t: _SPACED.sub(r"\1 \2 \3 \4 \5 \6", _nir(d, t)) + f" clé {nir_key(_nir(d, t))}",
        is_nir=True,
    ),
    "85.05.29-084.77": NumberForm(
        Label.SSN,
        lambda d, _: f"{d:%y.%m.%d}-084.{niss_key(f'{d:%y%m%d}084', d.year >= 2000)}",
    ),
    "690781810": NumberForm(Label.PROVIDER_ID, lambda _, town: _finess(town)),
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


TIMES: Final[Mapping[str, Callable[[dt.time], str]]] = {
    "08h54": lambda time: f"{time:%Hh%M}",
    "08:54": lambda time: f"{time:%H:%M}",
    "08:54:00": lambda time: f"{time:%H:%M}:00",
    "8 h 54": lambda time: f"{time.hour} h {time:%M}",
    "08h": lambda time: f"{time:%Hh}",
}
"""Clock times; the last tells no minutes."""


PHRASES: Final[Mapping[str, Any]] = yaml.safe_load(
    (_HERE / "phrases.yaml").read_text(encoding="utf-8")
)
"""The words around slots, by what the slots are."""
BESIDE: Final = 10
"""Dates with no more characters between them lend one another the year and the month."""


_ARTICLE: Final = re.compile(r"^(?:l|la|les?) ")
_ODD: Final = ("h", "y", "l'", "le ", "les ", "la ", "saint-", "sainte-", "aix", "d'")
"""How names begin that articles, elision and abbreviation treat apart."""
NAMED: Final = ("Rennes",)
"""Towns that a hospital of a template is named after: whether it is that of a slot is part of S."""
BIRTHS: Final[tuple[str, ...]] = tuple(PHRASES["birth_forms"])
"""Forms of births; those of a month or a year stand for the whole of it."""
UNKNOWN: Final[tuple[str, ...]] = tuple(PHRASES["unknown_towns"])
"""Names of towns that no list knows."""


@cache
def known(name: str) -> tuple[tuple[Place, ...], tuple[Place, ...]]:
    """The places of a list that are what their name is read as, and the oddly named among them."""
    found = [place for place, lists in _listed(name) if lists == {name}]
    odd = [p for p in found if fold(p.name).startswith(_ODD) or len(p.name) < 3]
    return tuple(found), tuple(odd)


@cache
def homonyms(name: str) -> tuple[Place, ...]:
    """The places of a list whose name stands in another list, too, and that are the first of that
    name in their own: which list is meant the words around them tell.
    """
    return tuple([place for place, lists in _listed(name) if len(lists) > 1])


def lists_named(place: Place) -> dict[str, Place]:
    """The lists in which the name of a place stands → the first of that name, the largest first."""
    found: dict[str, Place] = {}
    for one in gazetteers.places_named(place_key(place.name)):
        found.setdefault(place_list_name(one), one)
    return found


def _listed(name: str) -> Iterator[tuple[Place, set[str]]]:
    """The places of a list that are the first of their name in it, with all lists of that name."""
    areas = gazetteers.departments().keys() | gazetteers.regions().keys()
    codes = frozenset(gazetteers.departments().values())
    for place in gazetteers.places():
        key = place_key(place.name)
        if place_list_name(place) != name or "(" in place.name or place.name in NAMED:
            continue
        if {key, _ARTICLE.sub("", key)} & areas or place.name.upper() in codes:
            continue  # "au Vaud" is the canton, and so is "UR"
        if key in _WELL_KNOWN:
            continue  # abroad
        lists = lists_named(place)
        if lists.get(name) == place:
            yield place, {*lists}


_WELL_KNOWN: Final = frozenset(
    place_key(town) for _, *towns in rows("foreign_towns") for town in towns
)


def some_town(name: str, dice: Stream, *, coded: bool = False, shared: bool = False) -> Place:
    """A town of a list, with a postal code if asked: one in three a large one, one oddly named.

    Args:
        shared: whether it may be of a name that stands in another list, too.
    """
    every, odd = known(name)
    both = homonyms(name) if shared else ()
    while True:
        match dice.randbelow(5 if both else 3):
            case 0:
                place = every[dice.randbelow(min(len(every), 900))]
            case 1 if odd:
                place = dice.choice(odd)
            case 3 | 4:
                place = dice.choice(both)
            case _:
                place = dice.choice(every)
        if place.zips or not coded:
            return place
