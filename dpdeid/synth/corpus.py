"""Notes by number: which type, place, hand and noise, and the row that comes out.

Note i of seed s depends on (s, i) and the chosen types alone, so a longer corpus begins with the
shorter one and any note can be made by itself.
"""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Final

from dpdeid.errors import UsageError
from dpdeid.labels import Label, Sex
from dpdeid.synth import hands, noise, people
from dpdeid.synth.dice import Dice, sums
from dpdeid.synth.pieces import Piece, join
from dpdeid.synth.scene import Scene


@dataclass(frozen=True, slots=True)
class Type:
    """A document type: how often it comes, for whom, in which hands, with how much noise.

    Args:
        weight: its share.
        ages: years of the patient on the day of the note.
        women: percent of the patients.
        hands: names in `hands.HANDS`; one is drawn.
        countries: the only places it is met in, all if empty.
    """

    weight: int
    ages: tuple[int, int] = (18, 97)
    women: int = 52
    hands: tuple[str, ...] = hands.LETTER
    countries: tuple[str, ...] = ()


TYPES: Final = {
    "crh": Type(10),
    "rapport": Type(8, (1, 97)),
    "dossier": Type(2),
    "consultation": Type(9),
    "urgences": Type(6, (1, 97)),
    "cro": Type(5, hands=hands.THEATRE),
    "transmissions": Type(9, hands=hands.NURSE),
    "rcp": Type(4, (30, 90)),
    "imagerie": Type(5, (3, 95), hands=hands.THEATRE),
    "anapath": Type(3, hands=hands.FORM),
    "biologie": Type(3, (1, 97), hands=hands.FORM),
    "ordonnance": Type(4, (1, 97), hands=hands.FORM),
    "admission": Type(5, (1, 97), hands=hands.FORM),
    "social": Type(4, (16, 95)),
    "psychiatrie": Type(4, (14, 85)),
    "pediatrie": Type(3, (0, 3)),
    "enfant": Type(3, (4, 17)),
    "maternite": Type(3, (17, 44), women=100),
    "palliatif": Type(2, (35, 97)),
    "transfert": Type(3, (1, 97)),
    "courriel": Type(6, hands=hands.MAIL),
    "certificat": Type(2, (4, 95)),
    "ambulance": Type(3, (4, 97), hands=hands.NURSE),
    "reeducation": Type(2),
    "garde": Type(4, hands=hands.NURSE),
    "ehpad": Type(3, (72, 99), women=70, hands=hands.NURSE),
    "liste": Type(2, hands=hands.FORM),
    "suisse": Type(3, countries=("CH",)),
    "belge": Type(2, countries=("BE",)),
    "quebec": Type(1, countries=("CA",)),
    "outremer": Type(2, countries=("971", "972", "973", "974", "988")),
    "dictee": Type(2, hands=hands.DICTATED),
    "essai": Type(1, (20, 80), hands=hands.FORM),
}
_FIRST_DAY: Final = dt.date(2012, 1, 1)
_DAYS: Final = 5200
_ELIDED: Final = ("de ", "que ", "le ", "la ", "De ", "Le ", "La ")
_ARTICLE: Final = re.compile(r"\b([dDlL]|[qQ]u)[ea] $")
_TOWN: Final = re.compile(r"(Les?) (?=[A-ZÉ])")
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
    hand = dice.choice(kind.hands)
    pieces = list(clean)
    if hand in hands.PRINTED:
        for _ in range(dice.between(1, 2)):
            pieces = noise.layout(pieces, scene.write("page"), dice)
    pieces = hands.noisy(pieces, hand, dice)
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
            word = _CONTRACTED[end[1].lower(), article[1]]
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
        "entities": [
            {"start": e.start, "end": e.end, "label": e.label.value, "role": e.role.value}
            for e in entities
        ],
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
        "ipp": scene.facts.get("ipp", ""),
        "nda": scene.facts.get("nda", ""),
        "ssn": scene.facts.get("ssn", ""),
    }
    kept = {"first_name", "last_name", "birth_date", "sex"}
    return {k: v for k, v in every.items() if v and (k in kept or drawn > 6 or dice.chance(50))}


def notes(count: int, seed: int, types: Sequence[str] = ()) -> Iterator[dict[str, Any]]:
    """The rows of the first `count` notes of a seed."""
    names = chosen(types)
    for number in range(count):
        yield row(note(seed, number, names), seed)
