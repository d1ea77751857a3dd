"""Dates, times and ages, in every form that is met (`templates/times.txt`)."""

from __future__ import annotations

import datetime as dt
from typing import Final

from dpdeid.french.calendar import LATIN_MONTHS, MONTHS, SHORT_MONTHS, WEEKDAYS
from dpdeid.french.numerals import spell
from dpdeid.synth.dice import Dice
from dpdeid.synth.grammar import Form, Value

FULL: Final = ("dmy", "dmy", "dmy", "dmyy", "d_m_y", "dmy.", "weekday_d_m_y")


def form_of(dice: Dice, rule: str = "date.forms") -> str:
    """A form, as often as notes have it."""
    return Form(dice, {}).text(rule)


def written(day: dt.date, form: str, dice: Dice) -> str:
    """A date in a form; raises KeyError for an unknown one."""
    d, m, y = day.day, day.month, day.year
    month, short = MONTHS[m - 1], SHORT_MONTHS[m - 1]
    plain = dice.chance(15)
    values: dict[str, Value] = {
        "d": str(d),
        "m": str(m),
        "y": str(y),
        "02d": f"{d:02}",
        "02m": f"{m:02}",
        "dd": str(d) if plain else f"{d:02}",
        "mm": str(m) if plain else f"{m:02}",
        "yy": f"{y % 100:02}",
        "first": "1er" if d == 1 else str(d),
        "month": month,
        "mon": month[:3],
        "cut": short,
        "short": short if short == month else f"{short}.",
        "latin": LATIN_MONTHS[m - 1],
        "weekday": WEEKDAYS[day.weekday()],
        "wday": WEEKDAYS[day.weekday()][:3],
        "in_words": lambda: "premier" if d == 1 else spell(d),
        "year_in_words": lambda: spell(y),
    }
    return Form(dice, values).text(f"date.{form}")


def clock(dice: Dice, hour: int | None = None) -> str:
    """A time of day."""
    h = dice.between(0, 23) if hour is None else hour
    m = dice.choice((0, 0, 0, 15, 30, 30, 45, dice.between(1, 59), dice.between(1, 59)))
    values = {
        "h": str(h),
        "hh": f"{h:02}",
        "mm": f"{m:02}",
        "min": f"{m:02}" if m else "",
        "min.spaced": f" {m:02}" if m else "",
        "ss": f"{dice.between(0, 59):02}",
        "in_words": spell(h),
    }
    return Form(dice, values).text("clock")


def years_between(born: dt.date, day: dt.date) -> int:
    """Completed years."""
    return day.year - born.year - ((day.month, day.day) < (born.month, born.day))


def age(born: dt.date, day: dt.date, dice: Dice) -> str:
    """An age with its unit: days, months or years."""
    days, years = (day - born).days, years_between(born, day)
    if days < 45:
        return Form(dice, {"d": str(max(days, 1))}).text("age.days")
    months = max(days // 30, 1)
    if days < 730:
        return Form(dice, {"m": str(months), "in_words": spell(months)}).text("age.months")
    if years < 10 and dice.chance(30):
        more = (days - int(years * 365.25)) // 31
        half = f" et {more} mois" if more > 1 else Form(dice, {}).text("age.half")
        return f"{years} an{'s' * (years > 1)}{half}"
    return Form(dice, {"y": str(years), "in_words": spell(years)}).text("age.years")
