"""Towns with their own postal codes, and streets, hospitals and companies that could be there."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache
from typing import Final

from dpdeid import gazetteers
from dpdeid.gazetteers import Place
from dpdeid.labels import Sex
from dpdeid.normalize import fold
from dpdeid.synth import names
from dpdeid.synth.dice import Dice, sums
from dpdeid.synth.grammar import Form, Value, lines

_CANADIAN: Final = re.compile(r"[A-Z]\d[A-Z] \d[A-Z]\d")


@dataclass(frozen=True, slots=True)
class Town:
    """A town, one of its postal codes, and where it is."""

    name: str
    zip: str
    country: str
    department: str
    code: str


def town(dice: Dice, where: str = "FR") -> Town:
    """A town of France ("FR"), of an overseas list ("974"), or of "CH", "BE", "LU", "CA"."""
    if where in ("CH", "BE", "LU", "CA"):
        return dice.choice(_abroad(where))
    if where == "FR" and dice.chance(35):
        return _of(dice.choice(_small()), dice)
    places, totals = _weighed(where)
    return _of(dice.weighted(places, totals), dice)


def _of(place: Place, dice: Dice) -> Town:
    return Town(place.name, dice.choice(place.zips), "FR", place.department, place.code)


@cache
def _weighed(where: str) -> tuple[tuple[Place, ...], list[int]]:
    lists = gazetteers.place_lists()
    places = tuple(p for p in lists[where] if p.zips and (where != "976" or p.department == "976"))
    return places, sums([int(p.population**0.6) + 1 for p in places])


@cache
def _small() -> tuple[Place, ...]:
    return tuple(
        p
        for p in gazetteers.places()
        if p.country == "FR" and len(p.department) == 2 and p.zips and p.precision == "place"
        and 150 < p.population < 5000 and "/" not in p.name and "(" not in p.name
    )  # fmt: skip


@cache
def _abroad(country: str) -> tuple[Town, ...]:
    return tuple(
        Town(name, code, country, area, "")
        for name, codes, area in [line.split("|") for line in lines(f"town.{country}")]
        for code in _CANADIAN.findall(codes) or codes.split()
    )


def birthplace(dice: Dice) -> tuple[str, str]:
    """A town abroad and its country, in French."""
    name, _, country = dice.choice(lines("birthtown")).partition("|")
    return name, country


def street(dice: Dice, country: str) -> str:
    """A house number and street, as one writes them in that country."""
    where = country if country in ("CH", "BE", "LU", "CA") and dice.chance(85) else "FR"
    values: dict[str, Value] = {
        "P": lambda: _somebody(dice),
        "Odonym": lambda: _capital(odonym(dice)),
        "rank": lambda: str(dice.by_rank(160) + 1),
    }
    return Form(dice, values).text(f"street.{where}")


def odonym(dice: Dice) -> str:
    """A street without number."""
    return Form(dice, {"P": lambda: _somebody(dice)}).text("odonym")


def _somebody(dice: Dice) -> str:
    sex = dice.choice((Sex.MALE, Sex.FEMALE))
    return f"{names.first_name(dice, sex, 1930)} {names.surname(dice)}"


def hospital(dice: Dice, near: Town) -> str:
    """A named place of care in or near a town."""
    return filled(f"hospital.{near.country}" if dice.chance(70) else "hospital.FR", dice, near)


def filled(rule: str, dice: Dice, near: Town) -> str:
    """A hospital, company, school, insurer … of a rule of places.txt, near a town."""
    other = town(dice, near.country)
    values: dict[str, Value] = {
        "T": near.name,
        "dT": of_place(near.name),
        "D": other.name,
        "dD": of_place(other.name),
        "L": lambda: names.surname(dice),
        "P": lambda: _somebody(dice),
        "A": lambda: dice.choice(names.listed("areas")),
        "N": near.department[:2],
    }
    return Form(dice, values).text(rule)


def of_place(name: str) -> str:
    """ "de Rennes", "d'Albi", "du Mans", "des Abymes", "de La Rochelle"."""
    if name.startswith("Le "):
        return f"du {name[3:]}"
    if name.startswith("Les "):
        return f"des {name[4:]}"
    return f"d'{name}" if fold(name)[0] in "aeiouh" else f"de {name}"


def _capital(text: str) -> str:
    return text[0].upper() + text[1:]


def slug(text: str) -> str:
    """A name as part of an address of mail or web."""
    return re.sub(r"[^a-z0-9]+", "-", fold(text)).strip("-")
