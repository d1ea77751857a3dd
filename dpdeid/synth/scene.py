"""The world of one note: who is in it, where and when; it fills the slots of the templates."""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace

from dpdeid.labels import Role
from dpdeid.synth import dates, people, places
from dpdeid.synth.dice import Dice
from dpdeid.synth.grammar import rules
from dpdeid.synth.naming import FORMS
from dpdeid.synth.people import Home, Person
from dpdeid.synth.pieces import Piece
from dpdeid.synth.slots import SLOTS


@dataclass(frozen=True, slots=True)
class Stay:
    """The days of a stay: in, out; the note is written on the day it ends or soon after."""

    begin: dt.date
    end: dt.date


class Scene:
    """One note's people, places and days. Not frozen: people come in as templates name them."""

    dice: Dice
    where: str
    day: dt.date
    patient: Person
    female: bool
    said: dict[str, set[int]]
    facts: dict[str, str]
    town: places.Town

    def __init__(self, dice: Dice, where: str, day: dt.date, patient: Person) -> None:
        self.dice = dice
        self.where = where
        self.day = day
        self.patient = replace(patient, key="p")
        self.female = patient.female
        self.home: Home = people.home(dice, patient, where)
        length = dice.by_rank(40) + 1
        end = day - dt.timedelta(days=dice.by_rank(6))
        self.stay = Stay(end - dt.timedelta(days=length), end)
        self.date_form = dates.date_form(dice)
        self.said = {}
        self.facts = {}
        self.town = self.home.town if dice.chance(35) else places.town(dice, where)
        self._met = 0
        self._people: dict[str, Person] = {"p": self.patient}

    def fill(self, slot: str, arguments: tuple[str, ...]) -> Iterator[Piece]:
        """The pieces of a slot.

        Raises:
            KeyError: there is no rule and no slot of that name.
        """
        who, dot, form = slot.partition(".")
        if dot and form in FORMS:
            return FORMS[form](self.person(who), self.dice)
        if slot in SLOTS:
            return SLOTS[slot](self, arguments)
        raise KeyError(slot)

    def write(self, rule: str) -> list[Piece]:
        """The pieces of a rule."""
        out: list[Piece] = []
        rules()[rule].write(self, out)
        return out

    def person(self, key: str) -> Person:
        """The person that templates call so; "+" before the key makes a new one.

        p is the patient, r1 … relatives, b a newborn, x another patient, o1 … neighbours and
        friends, s1 … physicians and n1 … other staff.
        """
        new = key.startswith("+")
        name = key[1:] if new else key
        if new or name not in self._people:
            self._met += 1
            self._people[name] = replace(self._made(name[0]), key=f"{name}#{self._met}")
        return self._people[name]

    def _made(self, kind: str) -> Person:
        if kind == "r":
            return people.relative(self.dice, self.patient, self.day)
        if kind == "x":
            return people.other_patient(self.dice, self.where, self.day)
        if kind == "b":
            return people.newborn(self.dice, self.patient, self.day)
        if kind == "o":
            return replace(people.staff(self.dice, self.where, self.day), role=Role.UNKNOWN)
        return people.staff(self.dice, self.where, self.day)

    def fact(self, key: str, make: Callable[[], str]) -> str:
        """A value that stays the same within the note."""
        if key not in self.facts:
            self.facts[key] = make()
        return self.facts[key]

    def another_town(self) -> places.Town:
        """Some town: of the same country mostly."""
        where = self.where if self.dice.chance(70) else "FR"
        return places.town(self.dice, where)
