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
from dpdeid.synth.grammar import lines

_CANADIAN: Final = re.compile(r"[A-Z]\d[A-Z] \d[A-Z]\d")


@dataclass(frozen=True, slots=True)
class Town:
    """A town, one of its postal codes, and where it is."""

    name: str
    zip: str
    country: str
    department: str
    region: str
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
    return Town(
        place.name, dice.choice(place.zips), "FR", place.department, place.region, place.code
    )


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
    rows = [line.split("|") for line in lines(f"town.{country}")]
    return tuple(
        Town(name, code, country, area, area, "")
        for name, codes, area in rows
        for code in _CANADIAN.findall(codes) or codes.split()
    )


def birthplace(dice: Dice) -> tuple[str, str]:
    """A town abroad and its country, in French."""
    name, _, country = dice.choice(lines("birthtown")).partition("|")
    return name, country


def area(dice: Dice) -> str:
    """A French region, department or landscape."""
    return dice.choice(names.listed("areas"))


def street(dice: Dice, country: str) -> str:
    """A house number and street, as one writes them in that country."""
    kind = dice.randbelow(100)
    if country in ("CH", "BE", "LU") and kind < 85:
        number = f"{dice.between(1, 120)}{dice.choice(('', '', '', '', 'a', 'b', ' bis'))}"
        box = f", bte {dice.between(1, 30)}" if country == "BE" and dice.chance(20) else ""
        comma = ", " if country == "LU" or dice.chance(10) else " "
        road = odonym(dice, capital=True)
        return f"{number}, {road}" if country == "LU" else f"{road}{comma}{number}{box}"
    if country == "CA":
        return f"{dice.between(10, 9900)}{dice.choice((',', ''))} {odonym(dice)}"
    if kind < 6:
        return (
            f"lieu-dit {dice.choice(lines('hamlet'))}"
            if dice.chance(60)
            else dice.choice(lines("hamlet"))
        )
    if kind < 9:
        return odonym(dice)
    number = str(dice.by_rank(160) + 1)
    number += dice.choice(("",) * 14 + (" bis", " ter", "bis", "A", " B"))
    comma = dice.choice((" ", " ", " ", ", "))
    tail = (
        dice.choice(lines("flat")).replace("#", str(dice.between(1, 60))) if dice.chance(9) else ""
    )
    return f"{number}{comma}{odonym(dice)}{tail}"


def odonym(dice: Dice, capital: bool = False) -> str:
    """A street without number."""
    kind = dice.choice(lines("street.kind"))
    drawn = dice.randbelow(10)
    if drawn < 6:
        what = dice.choice(lines("street.what"))
    elif drawn < 8:
        what = dice.choice(lines("street.person"))
    else:
        sex = dice.choice((Sex.MALE, Sex.FEMALE))
        what = f"{names.first_name(dice, sex, 1930)} {names.surname(dice)}"
        if dice.chance(30):
            what = what.replace(" ", "-")
    road = f"{kind} {what}"
    return road[0].upper() + road[1:] if capital else road


def hospital(dice: Dice, near: Town, known: bool = False) -> str:
    """A named place of care in or near a town; `known` gives a name that stands without a noun."""
    if known:
        return dice.choice(lines("hospital.bare"))
    pattern = dice.choice(
        lines(f"hospital.{near.country}")
        if near.country != "FR" and dice.chance(70)
        else lines("hospital.pattern")
    )
    return filled(pattern, dice, near)


def organization(dice: Dice, near: Town, kind: str) -> str:
    """A company, school, insurer, laboratory …: a list `org.kind` of patterns."""
    return filled(dice.choice(lines(f"org.{kind}")), dice, near)


def filled(pattern: str, dice: Dice, near: Town) -> str:
    """A pattern of places.txt with its signs (#T, #L …) filled."""
    out = pattern
    if "#T" in out:
        out = out.replace("de #T", of_place(near.name)).replace("#T", near.name)
    if "#D" in out:
        other = town(dice, near.country)
        out = out.replace("de #D", of_place(other.name)).replace("#D", other.name)
    if "#S" in out:
        out = out.replace("#S", dice.choice(lines("saint")))
    if "#F" in out:
        out = out.replace("#F", dice.choice(lines("nature")))
    if "#L" in out:
        out = out.replace("#L", names.surname(dice))
    if "#P" in out:
        sex = dice.choice((Sex.MALE, Sex.FEMALE))
        out = out.replace("#P", f"{names.first_name(dice, sex, 1930)} {names.surname(dice)}")
    if "#A" in out:
        out = out.replace("#A", area(dice))
    return out.replace("#N", near.department[:2])


def of_place(name: str) -> str:
    """ "de Rennes", "d'Albi", "du Mans", "des Abymes", "de La Rochelle"."""
    if name.startswith("Le "):
        return f"du {name[3:]}"
    if name.startswith("Les "):
        return f"des {name[4:]}"
    return f"d'{name}" if fold(name)[0] in "aeiouh" else f"de {name}"


def at_place(name: str) -> str:
    """ "à ", "au " or "aux " and the name without its article, in two parts joined by "|"."""
    if name.startswith("Le "):
        return f"au |{name[3:]}"
    if name.startswith("Les "):
        return f"aux |{name[4:]}"
    return f"à |{name}"


def slug(text: str) -> str:
    """A name as part of an address of mail or web."""
    return re.sub(r"[^a-z0-9]+", "-", fold(text)).strip("-")
