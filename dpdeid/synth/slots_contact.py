"""Slots for telephones, addresses of the net, and numbers."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

from dpdeid.labels import Label
from dpdeid.synth import numbers, phones, places
from dpdeid.synth.pieces import Piece

if TYPE_CHECKING:
    from dpdeid.synth.scene import Scene


def phone(scene: Scene, given: tuple[str, ...]) -> Iterator[Piece]:
    """{phone} of the place; home, mobile: the patient's; any: somebody's; ext: an extension."""
    kind = given[0] if given else "place"
    town, dice = scene.town, scene.dice
    if kind == "home":
        text = scene.home.phone
    elif kind == "mobile":
        text = scene.home.mobile
    elif kind == "words":
        text = phones.in_words(dice)
    elif kind == "ext":
        text = phones.extension(dice)
    else:
        mobile = kind == "any" and dice.chance(75)
        text = phones.phone(dice, town.country, town.department, town.region, mobile)
    yield Piece(text, Label.FAX if kind == "fax" else Label.PHONE)


def mail(scene: Scene, given: tuple[str, ...]) -> Iterator[Piece]:
    """{mail}: the patient's; {mail:s1}: of a caregiver; {mail:desk}: of a secretary's office."""
    dice = scene.dice
    if not given:
        text = scene.home.email
    else:
        base = scene.fact("domain", lambda: _domain(scene))
        if given[0] == "desk":
            what = dice.choice(
                (
                    "secretariat",
                    "sec.cardio",
                    "accueil",
                    "rdv",
                    "bloc",
                    "avis.neuro",
                    "laboratoire",
                    "sec-onco",
                    "contact",
                    "imagerie",
                    "admissions",
                    "secretariat.chir",
                    "ssr.accueil",
                )
            )
            text = f"{what}@{base}"
        else:
            who = scene.person(given[0])
            first, last = places.slug(who.first), places.slug(who.last)
            short = f"{first[0]}{dice.choice('.-_')}{last}"
            text = f"{first}.{last}@{base}" if dice.chance(60) else f"{short}@{base}"
    yield Piece(text, Label.EMAIL)


def _domain(scene: Scene) -> str:
    dice, town = scene.dice, places.slug(scene.town.name)
    end = {"CH": "ch", "BE": "be", "LU": "lu", "CA": "ca"}.get(scene.town.country, "fr")
    head = dice.choice(("ch", "chu", "clinique", "hopital", "cabinet", "medecins", "ehpad"))
    return dice.choice(
        (
            f"{head}-{town}.{end}",
            f"{head}-{town}.example.{end}",
            f"{town}.mssante.{end}",
            f"{head}{town}.{end}",
            f"{town}.apicrypt.org",
            f"{head}-{town}.example",
        )
    )


def url(scene: Scene, given: tuple[str, ...]) -> Iterator[Piece]:
    dice = scene.dice
    base = scene.fact("domain", lambda: _domain(scene))
    path = dice.choice(
        (
            "",
            "",
            "/rdv",
            "/resultats",
            f"/dossier/{dice.digits(5)}",
            f"/r?id={dice.digits(6)}",
            "/patients/",
            "/imagerie",
        )
    )
    yield Piece(
        dice.choice(("www.", "http://", "https://", "https://www.", "https://portail.", ""))
        + base
        + path,
        Label.URL,
    )


def ip(scene: Scene, given: tuple[str, ...]) -> Iterator[Piece]:
    dice = scene.dice
    head = dice.choice(
        ("10", "192.168", "172.16", f"{dice.between(11, 223)}.{dice.between(0, 255)}")
    )
    parts = [head, *(str(dice.between(0, 255)) for _ in range(3 - head.count(".")))]
    text = (
        ".".join(parts)
        if dice.chance(92)
        else ":".join(f"{dice.between(1, 65535):x}" for _ in range(8))
    )
    yield Piece(text, Label.IP)


def ssn(scene: Scene, given: tuple[str, ...]) -> Iterator[Piece]:
    yield Piece(_ssn_of(scene), Label.SSN)


def _ssn_of(scene: Scene) -> str:
    who, dice = scene.patient, scene.dice
    country = scene.home.town.country
    if country != "FR":
        return scene.fact("ssn", lambda: numbers.foreign_ssn(dice, country, who.born, who.sex))
    number = scene.fact("ssn", lambda: numbers.nir(dice, who.sex, who.born, scene.home.insee))
    return numbers.spaced_nir(dice, number)


def number(
    label: Label, key: str, make: Callable[[Scene], str]
) -> Callable[[Scene, tuple[str, ...]], Iterator[Piece]]:
    """A number that stays the same within the note, or is new each time if `key` is empty."""

    def slot(scene: Scene, given: tuple[str, ...]) -> Iterator[Piece]:
        new = not key or bool(given)
        yield Piece(make(scene) if new else scene.fact(key, lambda: make(scene)), label)

    return slot
