"""Dates, times and ages, in every form that is met."""

from __future__ import annotations

import datetime as dt
from typing import Final

from dpdeid.substitute.almanac import LATIN_MONTHS, MONTHS, SHORT_MONTHS, WEEKDAYS
from dpdeid.substitute.numerals import spell
from dpdeid.synth.dice import Dice, sums

_SHORT: Final = [
    short if short == month else f"{short}."
    for short, month in zip(SHORT_MONTHS, MONTHS, strict=True)
]

FORMS: Final = (
    ("dmy", 38), ("dm", 22), ("y", 5), ("dmyy", 9), ("d_m_y", 8), ("m_y", 4), ("d_m", 4),
    ("my", 2), ("weekday_d_m_y", 3), ("weekday_d_m", 3), ("dmy.", 4), ("dmy-", 2), ("dm.", 2),
    ("d_short_y", 2), ("d_short", 1), ("iso", 1), ("loose", 2), ("roman", 1), ("stuck", 2),
    ("words", 1), ("d8", 1), ("dm-", 1), ("short_weekday", 3), ("day", 2),
)  # fmt: skip
"""How often dates take which form (256,000 words of notes, rounded, and the odd ones added)."""
_NAMES: Final = [name for name, _ in FORMS]
_SUMS: Final = sums([weight for _, weight in FORMS])
FULL: Final = ("dmy", "dmy", "dmy", "dmyy", "d_m_y", "dmy.", "weekday_d_m_y")


def date_form(dice: Dice) -> str:
    """A form, as often as notes have it."""
    return dice.weighted(_NAMES, _SUMS)


def written(day: dt.date, form: str, dice: Dice) -> str:
    """A date in a form of `FORMS`."""
    d, m, y = day.day, day.month, day.year
    month, first = MONTHS[m - 1], "1er" if d == 1 else str(d)
    plain = dice.chance(15)
    dd, mm = (str(d), str(m)) if plain else (f"{d:02}", f"{m:02}")
    weekday = WEEKDAYS[day.weekday()]
    match form:
        case "dmy" | "dmy." | "dmy-":
            return _sign(form).join((dd, mm, str(y)))
        case "dmyy":
            return dice.choice("//./-").join((dd, mm, f"{y % 100:02}"))
        case "dm" | "dm." | "dm-":
            return _sign(form).join((dd, mm))
        case "y":
            return str(y)
        case "d_m_y":
            return f"{first} {month} {y}"
        case "m_y":
            return f"{month} {y}"
        case "d_m":
            return f"{first} {month}"
        case "my":
            return f"{m:02}/{y}"
        case "weekday_d_m_y":
            return f"{weekday} {first} {month} {y}"
        case "weekday_d_m":
            return dice.choice(
                (f"{weekday} {first} {month}", f"{weekday} {dd}/{mm}", f"{weekday} {d}")
            )
        case "d_short_y":
            return f"{first} {_SHORT[m - 1]} {y}"
        case "d_short":
            return f"{first} {_SHORT[m - 1]}"
        case "iso":
            return day.isoformat()
        case "loose":
            return dice.choice((f"{dd} / {mm} / {y}", f"{dd} {mm} {y}", f"{dd}/ {mm}/{y}"))
        case "roman":
            return f"{d}.{LATIN_MONTHS[m - 1]}.{y}"
        case "stuck":
            return dice.choice((f"{d}{month[:3]}", f"{d}{SHORT_MONTHS[m - 1]}{y % 100:02}"))
        case "words":
            return f"{'premier' if d == 1 else spell(d)} {month} {spell(y)}"
        case "weekday":
            return weekday
        case "month":
            return month
        case "day":
            return first
        case "short_weekday":
            short = weekday[:3] + dice.choice(("", "", "."))
            return dice.choice((f"{short} {dd}/{mm}", f"{short} {d}", f"{short} {d}/{m}", short))
        case "weekday_day":
            return f"{weekday} {d}"
        case "d8":
            return f"{d:02}{m:02}{y}"
    raise KeyError(form)


def _sign(form: str) -> str:
    return form[-1] if form[-1] in ".-" else "/"


def clock(dice: Dice, hour: int | None = None) -> str:
    """A time of day."""
    h = dice.between(0, 23) if hour is None else hour
    m = dice.choice((0, 0, 0, 15, 30, 30, 45, dice.between(1, 59), dice.between(1, 59)))
    form = dice.randbelow(20)
    if form < 8:
        return f"{h}h{m:02}" if m else f"{h}h"
    if form < 12:
        return f"{h:02}h{m:02}"
    if form < 15:
        return f"{h:02}:{m:02}"
    if form < 17:
        return f"{h} h {m:02}" if m else f"{h} h"
    if form < 18:
        return f"{h:02}:{m:02}:{dice.between(0, 59):02}"
    if form < 19:
        return dice.choice(("midi", "minuit", f"{spell(h)} heures", f"{h} heures"))
    return f"{h:02}.{m:02}"


def years_between(born: dt.date, day: dt.date) -> int:
    """Completed years."""
    return day.year - born.year - ((day.month, day.day) < (born.month, born.day))


def age(born: dt.date, day: dt.date, dice: Dice) -> str:
    """An age with its unit: days, months or years."""
    days = (day - born).days
    if days < 45:
        return dice.choice(
            (f"{max(days, 1)} jours", f"{max(days, 1)} j", f"J{max(days, 1)} de vie")
        )
    if days < 730:
        months = max(days // 30, 1)
        return dice.choice(
            (f"{months} mois", f"{months} mois", f"{months}mois", f"{spell(months)} mois")
        )
    years = years_between(born, day)
    form = dice.randbelow(20)
    if years < 10 and form < 6:
        months = (days - int(years * 365.25)) // 31
        more = f" et {months} mois" if months > 1 else dice.choice((" et demi", " 1/2"))
        return f"{years} an{'s' * (years > 1)}{more}"
    if form < 14:
        return f"{years} ans"
    if form < 16:
        return f"{years}ans"
    if form < 18:
        return dice.choice((f"{years} a", f"{years}a"))
    return f"{spell(years)} ans" if form < 19 else f"{years} ANS"
