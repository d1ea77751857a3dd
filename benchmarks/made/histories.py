"""Made-up notes that tell a history in dates, ages and distances, with the days that are true.

`told_histories.txt` has templates by family (`told_again.txt` others, which nobody mended by):
"= family", then for each one a line that begins with ":" and its text. That line draws days and
says what the words of the text tell of them:

    note 2012..2024          a day of these years, with "jan" the first one of one of them
    born note -80..-40 y     a day, counted from another one in days, weeks, months or years
    b a +2..+6 W             so many whole weeks; M and Y are about so many whole months and years
    t 23:05..23:55           a clock time
    a < b < note             the order of days; they are drawn until it holds
    b a +0..+22 N            nights: most stays are short
    b - a: 280..287          the words tell so many days, "le lendemain" 1!: not one more or less
    b - a: nights            what a clinician asks of two days: nights, back, taken or aged

A field is {day|form}, {day|form|from} or a habit, {=les lundis}. Forms of dates are of the letters
d, j (no zero), m, n (no zero), y, Y, M (the name of the month) and W (that of the day); behind a
form "<" says that it is read from the date behind it, "-" back from the date before it.
"""

from __future__ import annotations

import datetime as dt
import random
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import Final

from dpdeid.labels import Label

MONTHS: Final = (
    "janvier", "février", "mars", "avril", "mai", "juin", "juillet", "août", "septembre",
    "octobre", "novembre", "décembre",
)  # fmt: skip
WEEKDAYS: Final = ("lundi", "mardi", "mercredi", "jeudi", "vendredi", "samedi", "dimanche")
UNITS: Final = {"d": 1.0, "w": 7.0, "m": 30.4375, "y": 365.25}
AGES: Final = {
    "ans": ("an", "ans", 365.25),
    "n": ("", "", 365.25),
    "mois": ("mois", "mois", 30.4375),
    "sem": ("semaine", "semaines", 7.0),
    "jours": ("jour", "jours", 1.0),
}
"""Form of an age → its unit, one and many, and its days; "n" has the unit of a later one."""
TELLS: Final = {
    "+jours": ("{} jours", 1.0), "+sem": ("{} semaines", 7.0), "+mois": ("{} mois", 30.4375),
    "+ans": ("{} ans", 365.25), "J+": ("J+{}", 1.0), "J-": ("J-{}", 1.0), "J": ("J{}", 1.0),
    "M": ("M{}", 30.4375), "H": ("H{}", 1 / 24), "h": ("{} h", 1 / 24),
    "corr": ("{} mois", 30.4375),
}  # fmt: skip
"""Form of a told distance → its words, and the days of its unit."""
WEEKS: Final = {"sa": "{} SA + {}", "sa j": "{} SA + {} jours", "+sa": "{}+{} SA", "SA": "{} SA"}
_FIELD: Final = re.compile(r"\{([^{}]+)\}")
_DRAWN: Final = re.compile(r"(\w+) (\w+) ([+-]\d+)\.\.([+-]\d+) ([dwmyWMYN])")
_YEARS: Final = re.compile(r"(\w+) (\d{4})\.\.(\d{4})( jan)?")
_CLOCK: Final = re.compile(r"(\w+) (\d+):(\d\d)\.\.(\d+):(\d\d)")
_TOLD: Final = re.compile(r"(\w+) - (\w+): (-?\d+)(?:\.\.(-?\d+))?(!?)")
_ASKED: Final = re.compile(r"(\w+) - (\w+): ([a-z]+)")
_TRIES: Final = 2_000


@dataclass(frozen=True, slots=True)
class Field:
    """A stretch of a text: which day, how it is written, and from where it is counted."""

    day: str
    form: str
    base: str = ""
    read: str = ""
    """"<": from the date behind; "-": back from the date before."""

    @property
    def kind(self) -> str:
        if self.day == "=":
            return "habit"
        if self.form == "clock":
            return "clock"
        if self.form in AGES:
            return "age"
        return "told" if self.form in TELLS or self.form in WEEKS else "date"

    @property
    def label(self) -> Label | None:
        """What an annotator makes of it; None is left to the rules."""
        date = Label.BIRTH_DATE if self.day == "born" else Label.DATE
        return {"age": Label.AGE, "clock": Label.TIME, "date": date}.get(self.kind)


@dataclass(frozen=True, slots=True)
class Said:
    """Words of a text tell so many days from one day to another."""

    day: str
    base: str
    least: float
    most: float
    exact: bool


@dataclass(frozen=True, slots=True)
class Template:
    """A text in parts: literal ones at even places, fields at odd ones."""

    family: str
    number: int
    head: str
    parts: tuple[str | Field, ...]
    said: tuple[Said, ...]
    asked: tuple[tuple[str, str, str], ...] = ()
    """Two days, and what is asked of the first one from the second on."""

    @property
    def fields(self) -> tuple[Field, ...]:
        return tuple(part for part in self.parts if isinstance(part, Field))


@dataclass(frozen=True, slots=True)
class History:
    """A note: its text, where its fields stand in it, and the true days (clocks in minutes)."""

    template: Template
    text: str
    places: tuple[tuple[int, int], ...]
    days: Mapping[str, int]


@cache
def templates(name: str = "told_histories") -> Mapping[str, tuple[Template, ...]]:
    """Family → its templates."""
    found: dict[str, list[Template]] = {}
    lines = (Path(__file__).parent / f"{name}.txt").read_text(encoding="utf-8")
    for family in re.split(r"(?m)^= ", lines)[1:]:
        name, _, rest = family.partition("\n")
        found[name] = []
        for block in re.split(r"(?m)^: ", rest)[1:]:
            head, _, text = block.partition("\n")
            found[name].append(template(name, len(found[name]), head, text.strip("\n")))
    return {name: tuple(each) for name, each in found.items()}


def template(family: str, number: int, head: str, text: str) -> Template:
    pieces = _FIELD.split(text)
    parts = tuple(_field(piece) if at % 2 else piece for at, piece in enumerate(pieces))
    said = tuple(
        Said(told[1], told[2], float(told[3]), float(told[4] or told[3]), bool(told[5]))
        for told in map(_TOLD.fullmatch, head.split("; "))
        if told
    )
    asked = tuple((a[1], a[2], a[3]) for a in map(_ASKED.fullmatch, head.split("; ")) if a)
    return Template(family, number, head, parts, said, asked)


def _field(text: str) -> Field:
    if text.startswith("="):
        return Field("=", text[1:])
    day, form, *rest = text.split("|")
    read = rest[0] if rest and rest[0] in ("<", "-") else ""
    return Field(day, form, "" if read or not rest else rest[0], read)


def histories(
    family: str, count: int, seed: int = 0, name: str = "told_histories"
) -> Iterator[History]:
    """So many notes of a family, its templates in turn; the same for the same seed."""
    every = templates(name)[family]
    for number in range(count):
        yield history(every[number % len(every)], random.Random(f"{seed} {family} {number}"))


def history(one: Template, dice: random.Random) -> History:
    """
    Raises:
        ValueError: a line draws what cannot be, or in no order that holds.
    """
    for _ in range(_TRIES):
        days = _drawn(one.head, dice)
        orders = (item.split(" < ") for item in one.head.split("; ") if " < " in item)
        if all(days[a] < days[b] for row in orders for a, b in pairwise(row)):
            break
    else:
        raise ValueError(f"template {one.family} {one.number}: no such order was drawn")
    text, places = "", []
    for part in one.parts:
        told = part if isinstance(part, str) else written(part, days)
        if isinstance(part, Field):
            places.append((len(text), len(text) + len(told)))
        text += told
    return History(one, text, tuple(places), days)


def _drawn(head: str, dice: random.Random) -> dict[str, int]:
    days: dict[str, int] = {}
    for item in head.split("; "):
        if drawn := _DRAWN.fullmatch(item):
            low, high, unit = int(drawn[3]), int(drawn[4]), drawn[5]
            size = UNITS.get(unit.lower(), 1.0)
            if unit == "N":
                step = low + int((high - low + 1) * dice.random() ** 3)
            elif unit.isupper():
                slack = 0.05 * size if unit in "MY" else 0.0
                step = round(dice.randint(low, high) * size + dice.uniform(-slack, slack))
            else:
                step = dice.randint(*sorted((round(low * size), round(high * size))))
            days[drawn[1]] = days[drawn[2]] + step
        elif years := _YEARS.fullmatch(item):
            first = dt.date(dice.randint(int(years[2]), int(years[3])), 1, 1).toordinal()
            days[years[1]] = first + (0 if years[4] else dice.randint(0, 364))
        elif clock := _CLOCK.fullmatch(item):
            low, high = (60 * int(clock[at]) + int(clock[at + 1]) for at in (2, 4))
            days[clock[1]] = dice.randint(low, high)
        elif not (" < " in item or _TOLD.fullmatch(item) or _ASKED.fullmatch(item)):
            raise ValueError(f"no draw, order or distance: {item}")
    return days


def written(field: Field, days: Mapping[str, int]) -> str:
    if field.kind == "habit":
        return field.form
    day = days[field.day]
    if field.kind == "clock":
        return f"{day // 60 % 24}h{day % 60:02d}"
    if field.kind == "date":
        return _date(dt.date.fromordinal(day), field.form)
    gap = day - days[field.base]
    if field.kind == "age":
        number = age_in(field.form, days[field.base], day)
        one, many, _ = AGES[field.form]
        return f"{number} {one if number < 2 else many}".rstrip()
    if field.form in WEEKS:
        return _one(WEEKS[field.form].format(*divmod(gap, 7)))
    words, size = TELLS[field.form]
    number = int(gap / size) if field.form == "corr" else round(abs(gap) / size)
    return _one(words.format(number))


def _one(words: str) -> str:
    return re.sub(r"\b1 (an|jour|semaine)s$", r"1 \1", words)


def age_in(form: str, born: int, day: int) -> int:
    """Whole units of an age: years by the calendar, others by their mean length."""
    if form not in ("ans", "n"):
        return int((day - born) / AGES[form][2])
    one, other = dt.date.fromordinal(born), dt.date.fromordinal(day)
    return other.year - one.year - ((other.month, other.day) < (one.month, one.day))


def _date(day: dt.date, form: str) -> str:
    first = "1er" if day.day == 1 and not {*"mn"} & {*form} else str(day.day)
    letters = {
        "d": f"{day:%d}", "j": first, "m": f"{day:%m}", "n": str(day.month), "y": f"{day:%y}",
        "Y": f"{day.year}", "M": MONTHS[day.month - 1], "W": WEEKDAYS[day.weekday()],
    }  # fmt: skip
    return "".join(letters.get(letter, letter) for letter in form)
