"""Slots for days, times and ages."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterator
from typing import TYPE_CHECKING, Final

from dpdeid.labels import Label
from dpdeid.substitute.almanac import WEEKDAYS
from dpdeid.substitute.numerals import spell
from dpdeid.synth import dates
from dpdeid.synth.pieces import Piece

if TYPE_CHECKING:
    from dpdeid.synth.scene import Scene

_HOLIDAYS: Final = (
    "Noël", "Pâques", "la Toussaint", "Pentecôte", "l'Ascension", "Assomption", "Noël dernier",
    "jour de l'an", "14 juillet", "11 novembre", "1er mai", "8 mai", "l'Aïd", "ramadan",
    "Mardi gras",
    "lundi de Pâques", "lundi de Pentecôte", "la Saint-Sylvestre", "la Saint-Jean", "Épiphanie",
    "Jeûne fédéral", "la fête nationale", "Chandeleur", "Yom Kippour", "Rameaux",
)  # fmt: skip


_LONG_AGO: Final = ("past", "life")
_NEAR: Final = ("now", "in", "out", "soon", "next", "stay")
_WITHOUT_YEAR: Final = (
    "dm", "d_m", "dm.", "dm-", "weekday_d_m", "d_short", "short_weekday", "day",
)  # fmt: skip
_VAGUE: Final = ("y", "m_y", "my", "day")


def _day(scene: Scene, given: tuple[str, ...]) -> dt.date:
    """A day by its name (now, in, out, past, recent, next …) or its distance in days (-3, +30)."""
    dice = scene.dice
    what = given[0] if given else "recent"
    match what:
        case "now":
            return scene.day
        case "in":
            return scene.stay.begin
        case "out":
            return scene.stay.end
        case "stay":
            span = (scene.stay.end - scene.stay.begin).days
            return scene.stay.begin + dt.timedelta(days=dice.between(0, span))
        case "recent":
            return scene.day - dt.timedelta(days=dice.between(1, 45))
        case "past":
            return scene.day - dt.timedelta(days=40 + dice.by_rank(7000))
        case "next":
            return scene.day + dt.timedelta(days=dice.between(2, 120))
        case "soon":
            return scene.day + dt.timedelta(days=dice.between(1, 9))
        case "life":
            lived = max((scene.day - scene.patient.born).days, 2)
            return scene.patient.born + dt.timedelta(days=dice.between(1, lived))
    return scene.day + dt.timedelta(days=int(what))


def date(scene: Scene, given: tuple[str, ...]) -> Iterator[Piece]:
    """{d:when,form}: a date; the form is the note's own three times in five."""
    day = _day(scene, given)
    if len(given) > 1:
        form = given[1]
        if form == "full":
            form = scene.dice.choice(dates.FULL)
    else:
        form = scene.date_form if scene.dice.chance(60) else dates.date_form(scene.dice)
        when = given[0] if given else ""
        if when in _LONG_AGO and form in _WITHOUT_YEAR:
            form = scene.dice.choice(("y", "m_y", "my", "dmy", "y"))
        if when in _NEAR and form in _VAGUE:
            form = scene.dice.choice(("dmy", "dm"))
    yield Piece(dates.written(day, form, scene.dice), Label.DATE)


def stay(scene: Scene, given: tuple[str, ...]) -> Iterator[Piece]:
    """The stay: "du 6 au 13 mars 2023", "du 28/02/2023 au 03/03/2023"."""
    begin, end = scene.stay.begin, scene.stay.end
    dice = scene.dice
    form = dice.choice(
        ("dmy", "dmy", "dmy", "dmyy", "d_m_y", "d_m_y", "dm", "dmy.", "weekday_d_m_y")
    )
    first = form
    if begin.month == end.month and form in ("d_m_y", "dmy", "dm") and dice.chance(55):
        first = "day"
    elif form in ("dmy", "dmyy", "dmy.") and dice.chance(25):
        first = "dm." if form == "dmy." else "dm"
    yield Piece("du ")
    yield Piece(dates.written(begin, first, dice), Label.DATE)
    yield Piece(" au ")
    yield Piece(dates.written(end, form, dice), Label.DATE)


def birth_date(scene: Scene, given: tuple[str, ...]) -> Iterator[Piece]:
    form = (
        given[0]
        if given
        else scene.dice.choice(
            ("dmy",) * 12
            + (
                "d_m_y",
                "d_m_y",
                "dmyy",
                "dmy.",
                "dmy.",
                "dmy-",
                "d_short_y",
                "loose",
                "d8",
                "iso",
                "words",
                "dmy.",
            )
        )
    )
    yield Piece(dates.written(scene.patient.born, form, scene.dice), Label.BIRTH_DATE)


def their_birth_date(scene: Scene, given: tuple[str, ...]) -> Iterator[Piece]:
    form = scene.dice.choice(("dmy", "dmy", "dmy", "dmyy", "dmy.", "d_m_y"))
    yield Piece(dates.written(scene.person(given[0]).born, form, scene.dice), Label.BIRTH_DATE)


def weekday(scene: Scene, given: tuple[str, ...]) -> Iterator[Piece]:
    day = scene.day + dt.timedelta(days=scene.dice.between(-6, 6))
    text = WEEKDAYS[day.weekday()]
    if scene.dice.chance(25):
        text += f" {day.day}"
    yield Piece(text, Label.DATE)


def holiday(scene: Scene, given: tuple[str, ...]) -> Iterator[Piece]:
    text = scene.dice.choice(_HOLIDAYS)
    if text.startswith(("la ", "l'")):
        cut = 3 if text.startswith("la ") else 2
        yield Piece(text[:cut])
        text = text[cut:]
    yield Piece(text, Label.DATE)


def year(scene: Scene, given: tuple[str, ...]) -> Iterator[Piece]:
    yield Piece(str(_day(scene, given or ("past",)).year), Label.DATE)


def month(scene: Scene, given: tuple[str, ...]) -> Iterator[Piece]:
    day = _day(scene, given or ("past",))
    yield Piece(
        dates.written(day, scene.dice.choice(("m_y", "m_y", "month", "my")), scene.dice), Label.DATE
    )


def time(scene: Scene, given: tuple[str, ...]) -> Iterator[Piece]:
    hour = int(given[0]) if given else None
    yield Piece(dates.clock(scene.dice, hour), Label.TIME)


def age(scene: Scene, given: tuple[str, ...]) -> Iterator[Piece]:
    who = scene.person(given[0]) if given else scene.patient
    yield Piece(dates.age(who.born, scene.day, scene.dice), Label.AGE)


def some_age(scene: Scene, given: tuple[str, ...]) -> Iterator[Piece]:
    """An age between two bounds, or at an event of the patient's life."""
    low, high = (int(given[0]), int(given[1])) if given else (8, 80)
    years = scene.dice.between(low, high)
    yield Piece(
        scene.dice.choice((f"{years} ans",) * 8 + (f"{years}ans", f"{spell(years)} ans")),
        Label.AGE,
    )
