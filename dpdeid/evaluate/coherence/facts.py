"""What a note states, as far as contradictions can be told from it: values without a judgement.

Offsets count code points of the readable copy (`dpdeid.normalize.clean`), half-open.
"""

from __future__ import annotations

import datetime as dt
import re
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Final, Protocol

from dpdeid.evaluate.coherence.cues import cue
from dpdeid.gazetteers import Place
from dpdeid.labels import Role, Sex

At = tuple[int, int]
"""A stretch of the text."""


class Kind(StrEnum):
    """What contradicts what."""

    WEEKDAY_DATE = "weekday_date"
    FEAST_DATE = "feast_date"
    AGE_BIRTH = "age_birth"
    ID_BIRTH = "id_birth"
    ID_SEX = "id_sex"
    ID_DEPARTMENT = "id_department"
    ID_CHECK = "id_check"
    ZIP_TOWN = "zip_town"
    PHONE_TOWN = "phone_town"
    INSTITUTION_TOWN = "institution_town"
    DEPARTMENT_TOWN = "department_town"
    EVENT_ORDER = "event_order"
    TITLE_NAME = "title_name"
    AGREEMENT = "agreement"
    TWO_NAMES = "two_names"
    INITIALS_NAME = "initials_name"
    EMAIL_NAME = "email_name"
    FAMILY_NAME = "family_name"
    CLOCK_DELAY = "clock_delay"
    HISTORY_BEFORE_BIRTH = "history_before_birth"
    AGO_DATE = "ago_date"


class Event(StrEnum):
    """What happened on a day, as the words before it tell."""

    BIRTH = "birth"
    LETTER = "letter"
    HEAD = "head"
    ENTRY = "entry"
    ACT = "act"
    SEEN = "seen"
    LEAVE = "leave"
    DEATH = "death"
    TAKEN = "taken"
    RESULT = "result"
    NONE = ""


class Placed(Protocol):
    """What stands somewhere in the text."""

    @property
    def at(self) -> At: ...


@dataclass(frozen=True, slots=True)
class Day:
    """A date, or the month or year that is told of it.

    Args:
        first, last: the days that it may be; the year of a day without one is that which brings it
            nearest to the day of the note.
        year_told: whether the text has the year.
        past: whether the words before it say that it is over ("sorti le", not "sortie prévue le").
    """

    at: At
    first: dt.date
    last: dt.date
    year_told: bool = True
    event: Event = Event.NONE
    past: bool = True

    @property
    def whole(self) -> bool:
        """Whether it is one day."""
        return self.first == self.last


@dataclass(frozen=True, slots=True)
class Years:
    """An age in whole years (months and days of infants count as 0)."""

    at: At
    years: int


@dataclass(frozen=True, slots=True)
class Clock:
    """A time of day in minutes from midnight."""

    at: At
    minutes: int


@dataclass(frozen=True, slots=True)
class Number:
    """A national number: "nir", "niss", "avs", "ahv" or "matricule"; bare characters."""

    at: At
    kind: str
    digits: str = field(repr=False)


@dataclass(frozen=True, slots=True)
class Person:
    """A name where it stands.

    Args:
        at: title and name.
        title: the folded civility or degree, "" without one.
        sex: what the title tells.
        words: the folded words of the name, in their order.
        given, family: those that are given names and surnames; a word that may be either is in
            both.
        born: the surname at birth, if the text tells another one.
        kin: the folded noun for a relative that stands beside it.
    """

    at: At
    title: str
    sex: Sex
    words: tuple[str, ...] = field(repr=False)
    given: tuple[str, ...] = field(repr=False)
    family: tuple[str, ...] = field(repr=False)
    born: tuple[str, ...] = field(default=(), repr=False)
    role: Role = Role.UNKNOWN
    kin: str = ""


@dataclass(frozen=True, slots=True)
class Town:
    """A place of the gazetteer, with all of that name."""

    at: At
    places: tuple[Place, ...]


@dataclass(frozen=True, slots=True)
class Zip:
    """A postal code that a town stands beside.

    Args:
        country: "FR", "CH", "BE" or "LU", "" if the text does not say it.
    """

    at: At
    code: str
    town: Town
    cedex: bool = False
    country: str = ""


@dataclass(frozen=True, slots=True)
class Phone:
    """A number of a fixed line.

    Args:
        plan: as in `dpdeid.french.phones`.
        prefix: the first digits, with the 0 of home.
    """

    at: At
    plan: str
    prefix: str


@dataclass(frozen=True, slots=True)
class Note:
    """All facts of a note, each kind in the order of the text.

    Args:
        text: the readable copy.
        flat: `text` in small letters without accents, of the same length.
        today: the day of the note as its own text says, else as its row does.
        sexes: what the text says of the patient's sex, with where.
    """

    id: str
    text: str = field(repr=False)
    flat: str = field(repr=False)
    today: Day | None
    days: tuple[Day, ...] = ()
    ages: tuple[Years, ...] = ()
    clocks: tuple[Clock, ...] = ()
    numbers: tuple[Number, ...] = ()
    people: tuple[Person, ...] = ()
    towns: tuple[Town, ...] = ()
    zips: tuple[Zip, ...] = ()
    phones: tuple[Phone, ...] = ()
    sexes: tuple[tuple[At, Sex], ...] = ()

    def before(self, at: int, reach: int) -> str:
        """So many characters before an offset."""
        return self.flat[max(0, at - reach) : at]

    def between(self, one: Placed, other: Placed) -> str:
        """What stands between two facts."""
        return self.flat[one.at[1] : other.at[0]]

    def births(self) -> tuple[Day, ...]:
        """The patient's births, as the text calls them, with their year."""
        births = (day for day in self.days if day.event is Event.BIRTH and day.year_told)
        grown = any(one.title for one in self.people if one.role is not Role.STAFF)
        others = _SOMEBODY if grown else _RELATIVE
        return tuple(day for day in births if not others.search(self.before(day.at[0], 70)))

    def birth(self) -> Day | None:
        """The one birth of the patient, if the text tells no second one."""
        births = self.births()
        return births[0] if len({day.first for day in births}) == 1 else None

    def patient(self) -> Person | None:
        """The first name that the text calls the patient's."""
        return next((one for one in self.people if one.role is Role.PATIENT), None)


@dataclass(frozen=True, slots=True, order=True)
class Finding:
    """A contradiction between two places of a note, offsets of its raw text.

    Args:
        other_note: the note of the second place, if that is another one of the patient.
    """

    note: str
    kind: Kind
    first: At
    second: At
    other_note: str = ""


_ON: Final = r"(?:[^.;\n]|(?<=\bm)\.|(?<=\bdr)\.|(?<=\bmr)\.){0,45}$"
_RELATIVE: Final = re.compile(rf"\b(?:{cue('kin')})\b{_ON}")
_SOMEBODY: Final = re.compile(rf"\b(?:{cue('kin')}|{cue('child')})\b{_ON}")
"""Words before a birth that make it somebody else's."""

Clash = tuple[Kind, At, At]
"""What a function of a kind gives for one note."""
