"""Slots for towns, addresses, hospitals, units and companies."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING, Final

from dpdeid.labels import Label
from dpdeid.synth import places
from dpdeid.synth.grammar import rules
from dpdeid.synth.pieces import Piece

_ARTICLE: Final = re.compile(r"l[ea] |l'")

if TYPE_CHECKING:
    from dpdeid.synth.scene import Scene


def town(scene: Scene, given: tuple[str, ...]) -> Iterator[Piece]:
    """Some town; {town:at} puts "à", "au" or "aux" before it, {town:from} "de", "d'", "du"."""
    name = scene.another_town().name
    if given and given[0] == "at":
        before, _, name = places.at_place(name).partition("|")
        yield Piece(before)
    elif given:
        whole = places.of_place(name)
        kept = name.removeprefix("Le ").removeprefix("Les ")
        yield Piece(whole.removesuffix(kept))
        name = kept
    yield Piece(_cased(scene, name), Label.CITY)


def home_town(scene: Scene, given: tuple[str, ...]) -> Iterator[Piece]:
    name = scene.home.town.name
    if given and given[0] == "at":
        before, _, name = places.at_place(name).partition("|")
        yield Piece(before)
    yield Piece(name.upper() if given and given[0] == "up" else name, Label.CITY)


def _cased(scene: Scene, name: str) -> str:
    return name.upper() if scene.dice.chance(8) else name


def here(scene: Scene, given: tuple[str, ...]) -> Iterator[Piece]:
    yield Piece(scene.town.name, Label.CITY)


def here_zip(scene: Scene, given: tuple[str, ...]) -> Iterator[Piece]:
    yield Piece(scene.town.zip, Label.ZIP)


def home_zip(scene: Scene, given: tuple[str, ...]) -> Iterator[Piece]:
    yield Piece(scene.home.town.zip, Label.ZIP)


def other_address(scene: Scene, given: tuple[str, ...]) -> Iterator[Piece]:
    """Street, postal code and town of somebody else."""
    town, dice = scene.another_town(), scene.dice
    yield Piece(places.street(dice, town.country), Label.STREET)
    yield Piece(dice.choice((", ", " ", " - ", ", à ")))
    yield Piece(town.zip, Label.ZIP)
    yield Piece(" ")
    yield Piece(town.name.upper() if dice.chance(50) else town.name, Label.CITY)
    if dice.chance(6):
        yield Piece(
            dice.choice(
                (
                    " Cedex",
                    " CEDEX",
                    f" Cedex {dice.between(1, 20)}",
                    f" CEDEX 0{dice.between(1, 9)}",
                )
            )
        )


def street(scene: Scene, given: tuple[str, ...]) -> Iterator[Piece]:
    yield Piece(scene.home.street, Label.STREET)


def other_street(scene: Scene, given: tuple[str, ...]) -> Iterator[Piece]:
    number = not (given and given[0] == "bare")
    text = places.street(scene.dice, scene.town.country) if number else places.odonym(scene.dice)
    yield Piece(text, Label.STREET)


def hospital(scene: Scene, given: tuple[str, ...]) -> Iterator[Piece]:
    """{hosp}: the note's own; {hosp:other} another one; {hosp:bare} a name without a noun."""
    kind = given[0] if given else "own"
    dice = scene.dice
    if kind == "own":
        name = scene.fact("hospital", lambda: places.hospital(dice, scene.town))
    elif kind == "up":
        name = scene.fact("hospital", lambda: places.hospital(dice, scene.town)).upper()
    elif kind == "bare":
        name = places.hospital(dice, scene.town, known=True)
        if article := _ARTICLE.match(name):
            yield Piece(article[0])
            name = name[article.end() :]
    else:
        name = places.hospital(dice, scene.another_town())
    yield Piece(name, Label.HOSPITAL)


def organization(scene: Scene, given: tuple[str, ...]) -> Iterator[Piece]:
    kind = given[0] if given else "company"
    if kind == "insurer" and scene.home.town.country in ("CH", "BE"):
        kind += f".{scene.home.town.country}"
    yield Piece(places.organization(scene.dice, scene.town, kind), Label.ORGANIZATION)


def unit(scene: Scene, given: tuple[str, ...]) -> Iterator[Piece]:
    """{unit}: the note's own unit; {unit:other} another one."""
    dice = scene.dice
    if given:
        name = dice.choice(rules()["unit.name"].lines)
    else:
        name = scene.fact("unit", lambda: dice.choice(rules()["unit.name"].lines))
    form = dice.randbelow(12)
    text = name.upper() if form < 1 else name.capitalize() if form < 4 else name
    yield Piece(text, Label.UNIT)


def area(scene: Scene, given: tuple[str, ...]) -> Iterator[Piece]:
    yield Piece(places.area(scene.dice), Label.CITY)


def word_of_birth(scene: Scene, given: tuple[str, ...]) -> Iterator[Piece]:
    """The birthplace, and its country in brackets if abroad."""
    yield Piece(scene.home.birthplace, Label.CITY)
    if scene.home.birth_country:
        yield Piece(" (")
        yield Piece(scene.home.birth_country, Label.COUNTRY)
        yield Piece(")")
