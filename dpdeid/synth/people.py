"""The people of a note: the patient, relatives, staff, other patients."""

from __future__ import annotations

import datetime as dt
from dataclasses import dataclass, replace
from typing import Final

from dpdeid.french.titles import KIN
from dpdeid.labels import Label, Role, Sex
from dpdeid.synth import names, numbers, places
from dpdeid.synth.dice import Dice, sums
from dpdeid.synth.grammar import Form, Piece, Value, lines, written

WHERE: Final = ("FR", "CH", "BE", "LU", "CA", "971", "972", "973", "974", "988")
WHERE_SUMS: Final = sums([76, 8, 4, 1, 1, 2, 2, 1, 4, 1])


@dataclass(frozen=True, slots=True)
class Person:
    """Somebody; `kin` is the noun for a relative ("sœur") or empty, `key` tells people apart."""

    first: str
    last: str
    sex: Sex
    born: dt.date
    role: Role
    origin: str = ""
    maiden: str = ""
    kin: str = ""
    key: str = ""

    @property
    def female(self) -> bool:
        return self.sex is Sex.FEMALE


@dataclass(frozen=True, slots=True)
class Home:
    """Where somebody lives and was born, and how to reach them."""

    town: places.Town
    street: str
    birthplace: str
    birth_country: str
    insee: str
    phone: str
    mobile: str
    email: str


def person(dice: Dice, role: Role, sex: Sex, born: dt.date, origin: str = "") -> Person:
    """Somebody of that sex and birth date."""
    last = names.surname(dice, origin)
    drawn = dice.randbelow(100)
    if drawn < 5:
        last += dice.choice("-- ") + names.surname(dice, origin)
    elif drawn < 7:
        last = dice.choice(names.listed("part.noble"))
    maiden = ""
    if sex is Sex.FEMALE and role is Role.PATIENT and dice.chance(55):
        maiden = names.surname(dice, origin)
    first = names.first_name(dice, sex, born.year, origin)
    return Person(first, last, sex, born, role, origin, maiden)


def origin_of(dice: Dice, where: str) -> str:
    """The origin of somebody who lives there; mostly none in particular."""
    if where in ("CH", "BE", "LU"):
        home = "suisse" if where == "CH" else "belge"
        return home if dice.chance(45) else dice.choice(("", "", *names.ORIGINS[:5]))
    if where in ("971", "972", "973", "974", "988"):
        return "iles" if dice.chance(70) else ""
    return dice.choice(names.ORIGINS) if dice.chance(24) else ""


def patient(dice: Dice, where: str, day: dt.date, ages: tuple[int, int], sex: Sex) -> Person:
    """A patient who is of such an age, in years, on that day."""
    low, high = ages
    if high <= 3:
        born = day - dt.timedelta(days=dice.between(3, high * 365))
    else:
        years = (
            dice.between(low, high) if dice.chance(60) else dice.between((low + high) // 2, high)
        )
        born = day - dt.timedelta(days=int(years * 365.25) + dice.between(0, 364))
    return person(dice, Role.PATIENT, sex, born, origin_of(dice, where))


def home(dice: Dice, who: Person, where: str) -> Home:
    """A home in the town of a list, a birthplace that fits the origin, numbers."""
    town = places.town(dice, where)
    native = places.town(dice, where if town.country == "FR" else "FR")
    birth, country, insee = native.name, "", native.code
    if town.country != "FR":
        birth, insee = places.town(dice, where).name, f"99{dice.between(101, 399)}"
    foreign = who.origin in ("maghreb", "afrique", "asie", "est", "iberique")
    if (foreign and dice.chance(60)) or dice.chance(4):
        birth, country = places.birthplace(dice)
        insee = f"99{dice.between(101, 399)}"
    return Home(
        town,
        places.street(dice, town.country),
        birth,
        country,
        insee,
        numbers.phone(dice, town),
        numbers.phone(dice, town, mobile=True),
        f"{numbers.mail(dice, who.first, who.last)}@{dice.choice(lines('mail.private'))}",
    )


def relative(dice: Dice, who: Person, day: dt.date) -> Person:
    """A relative who can be: of age, not a child's daughter, spouses of either sex."""
    years = (day - who.born).days // 365
    while True:
        kin, sex, gap = dice.choice(KIN)
        age = years + gap
        if not 0 < age < 99 or ((gap == 0 or "ex-" in kin or kin == "gendre") and years < 18):
            continue
        if gap == 0 and sex is who.sex and not dice.chance(8):
            continue
        break
    born = dt.date(who.born.year - gap, 1, 1) + dt.timedelta(days=dice.randbelow(365))
    same = dice.chance(60) and (kin.startswith(("fils", "petit", "frère", "sœur")) or gap == 0)
    last = (
        who.last
        if same or (kin in ("mère", "père", "papa", "maman") and dice.chance(60))
        else names.surname(dice, who.origin)
    )
    first = names.first_name(dice, sex, born.year, who.origin)
    return Person(first, last, sex, born, Role.RELATIVE, who.origin, kin=kin)


def newborn(dice: Dice, mother: Person, day: dt.date) -> Person:
    """A child born on that day, with its mother's surname or another."""
    sex = dice.choice((Sex.FEMALE, Sex.MALE))
    first = names.first_name(dice, sex, day.year, mother.origin)
    last = mother.last if dice.chance(50) else names.surname(dice, mother.origin)
    return Person(first, last, sex, day, Role.RELATIVE, mother.origin)


def staff(dice: Dice, where: str, day: dt.date) -> Person:
    """A caregiver, 23 to 66 years old."""
    born = day - dt.timedelta(days=dice.between(23 * 365, 66 * 365))
    sex = Sex.FEMALE if dice.chance(58) else Sex.MALE
    return replace(person(dice, Role.STAFF, sex, born, origin_of(dice, where)), maiden="")


def named(who: Person, form: str, dice: Dice) -> list[Piece]:
    """Somebody in a form of people.txt ("full"), with the role and the key of the bearer.

    Raises:
        KeyError: there is no such form.
    """
    first, last, kin = who.first, who.last, who.kin
    initials = names.initials(first)
    vowel = kin[:1] in tuple("aeéiou")
    maiden = who.maiden or names.surname(dice, who.origin) if form == "maiden" else ""
    values: dict[str, Value] = {
        "first": first,
        "FIRST": first.upper(),
        "First": first.capitalize(),
        "first.low": first.lower(),
        "last": last,
        "LAST": last.upper(),
        "Last": last.capitalize(),
        "last.low": last.lower(),
        "initials": initials,
        "initials.bare": initials[:-1],
        "a": first[0],
        "b": last[0],
        "a.low": first[0].lower(),
        "b.low": last[0].lower(),
        "nick": lambda: names.nickname(dice, first),
        "typo": lambda: names.typo(last, dice),
        "maiden": maiden,
        "MAIDEN": maiden.upper(),
        "kin": kin,
        "his": "sa" if who.female and not vowel else "son",
        "the": "l'" if vowel else "la " if who.female else "le ",
    }
    return [
        piece._replace(
            role=who.role,
            who=f"{who.key}/{piece.text.lower()}" if form in ("maiden", "nick") else who.key,
        )
        if piece.label in (Label.FIRST_NAME, Label.LAST_NAME)
        else piece
        for piece in written(f"who.{form}", Form(dice, values, who.female))
    ]
