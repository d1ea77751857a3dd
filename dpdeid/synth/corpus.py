"""Notes by number: which type, place and noise, and the row that comes out.

Note i of seed s depends on (s, i) and the chosen types alone, so a longer corpus begins with the
shorter one and any note can be made by itself.
"""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Final, NamedTuple

from dpdeid.errors import UsageError
from dpdeid.labels import Label, Sex
from dpdeid.synth import noise, people
from dpdeid.synth.dice import Dice, sums
from dpdeid.synth.grammar import Piece, join, table
from dpdeid.synth.scene import Scene


class Type(NamedTuple):
    """A document type: how often it comes, for whom, typed how, and where.

    Args:
        weight: its share.
        ages: years of the patient on the day of the note.
        women: percent of the patients.
        profiles: of noise, each as often as it comes; one is drawn.
        countries: the only places it is met in, all if empty.
    """

    weight: int
    ages: tuple[int, int]
    women: int
    profiles: tuple[str, ...]
    countries: tuple[str, ...]


def _type(share: str, ages: str, women: str, profiles: str, countries: str) -> Type:
    low, high = ages.split("-")
    weighed = [one.split("*") for one in profiles.split()]
    often = tuple(name for times, name in weighed for _ in range(int(times)))
    return Type(int(share), (int(low), int(high)), int(women), often, tuple(countries.split()))


TYPES: Final = {name: _type(*row) for name, *row in table("note_types")}
_PRINTED: Final = ("printed", "scan")
"""Profiles of notes that have the header of a page in the middle."""
_FIRST_DAY: Final = dt.date(2012, 1, 1)
_DAYS: Final = 5200
_ELIDED: Final = ("de ", "que ", "le ", "la ", "De ", "Le ", "La ")
_ARTICLE: Final = re.compile(r"\b([dDlL]|[qQ]u)[ea] $")
_TOWN: Final = re.compile(r"(Les?|LES?) (?=[A-ZÉ])")
_TO: Final = re.compile(r"(?i)\b(à|de) $")
_CONTRACTED: Final = {
    ("à", "Le"): "au ",
    ("à", "Les"): "aux ",
    ("de", "Le"): "du ",
    ("de", "Les"): "des ",
}
_VOWEL: Final = re.compile(r"(?i)[aeiouâàéèêëîïôöœæ]|h[éyôi]|y[^aeiou]")


@dataclass(frozen=True, slots=True)
class Note:
    """A note in the making: its scene, its pieces as drawn and as they are after the noise."""

    number: int
    type: str
    scene: Scene
    clean: tuple[Piece, ...]
    pieces: tuple[Piece, ...]


def chosen(types: Sequence[str]) -> tuple[str, ...]:
    """The names of document types, all if none is given.

    Raises:
        UsageError: one is unknown; the message lists the known ones.
    """
    for name in types:
        if name not in TYPES:
            raise UsageError(f"no document type {name}; there are {', '.join(TYPES)}")
    return tuple(types) or tuple(TYPES)


def note(seed: int, number: int, types: tuple[str, ...] = tuple(TYPES)) -> Note:
    """The note of that number."""
    dice = Dice.of(seed, "note", str(number))
    name = dice.weighted(types, sums([TYPES[t].weight for t in types]))
    kind = TYPES[name]
    where = (
        dice.choice(kind.countries)
        if kind.countries
        else dice.weighted(people.WHERE, people.WHERE_SUMS)
    )
    day = _FIRST_DAY + dt.timedelta(days=dice.randbelow(_DAYS))
    sex = Sex.FEMALE if dice.chance(kind.women) else Sex.MALE
    scene = Scene(dice, where, day, people.patient(dice, where, day, kind.ages, sex))
    clean = _joined(scene.write(f"doc.{name}"))
    profile = dice.choice(kind.profiles)
    pieces = list(clean)
    if profile in _PRINTED:
        for _ in range(dice.between(1, 2)):
            pieces = noise.layout(pieces, scene.write("page"), dice)
    pieces = noise.noisy(pieces, profile, dice)
    return Note(number, name, scene, clean, tuple(pieces))


def _joined(drawn: list[Piece]) -> tuple[Piece, ...]:
    """The pieces that hold text; articles contracted ("au Mans") and elided ("d'Albi")."""
    pieces = [piece for piece in drawn if piece.text]
    for at in range(1, len(pieces)):
        before, here = pieces[at - 1], pieces[at]
        if before.label:
            continue
        if (
            here.label is Label.CITY
            and (article := _TOWN.match(here.text))
            and (end := _TO.search(before.text))
        ):
            word = _CONTRACTED[end[1].lower(), article[1].capitalize()]
            pieces[at - 1] = before._replace(text=before.text[: end.start()] + word)
            pieces[at] = here._replace(text=here.text[article.end() :])
        elif before.text.endswith(_ELIDED) and _VOWEL.match(here.text):
            pieces[at - 1] = before._replace(text=_ARTICLE.sub(r"\1'", before.text))
    return tuple(pieces)


def row(made: Note, seed: int) -> dict[str, Any]:
    """The note as a row of JSON: what `dpdeid detect` reads, with its spans."""
    text, entities = join(made.pieces)
    scene = made.scene
    return {
        "id": f"synth-{seed}-{made.number}",
        "doc_type": made.type,
        "country": scene.home.town.country,
        "patient_id": f"synth-{seed}-{made.number}",
        "note_date": scene.day.isoformat(),
        "patient": _known(scene),
        "text": text,
        "entities": [entity.to_json() for entity in entities],
    }


def _known(scene: Scene) -> dict[str, str] | None:
    """What the hospital's own file says: everything, a part of it, or nothing."""
    who, home, dice = scene.patient, scene.home, scene.dice
    drawn = dice.randbelow(10)
    if drawn < 3:
        return None
    every = {
        "first_name": who.first,
        "last_name": who.last,
        "birth_name": who.maiden,
        "birth_date": who.born.isoformat(),
        "sex": who.sex.value,
        "address": home.street,
        "city": home.town.name,
        "zip": home.town.zip,
        "phone": home.mobile,
        "email": home.email,
        "ipp": scene.facts.get("ipp_id", ""),
        "nda": scene.facts.get("visit_id", ""),
        "ssn": scene.facts.get("ssn", ""),
    }
    kept = {"first_name", "last_name", "birth_date", "sex"}
    return {k: v for k, v in every.items() if v and (k in kept or drawn > 6 or dice.chance(50))}


def notes(count: int, seed: int, types: Sequence[str] = ()) -> Iterator[dict[str, Any]]:
    """The rows of the first `count` notes of a seed."""
    names = chosen(types)
    yield from (row(note(seed, number, names), seed) for number in range(count))
