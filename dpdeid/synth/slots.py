"""The slots that are neither rules nor people: days, places, numbers, ages."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Final

from dpdeid.labels import Label
from dpdeid.synth import numbers, slots_contact, slots_place, slots_time
from dpdeid.synth.grammar import rules
from dpdeid.synth.pieces import Piece

if TYPE_CHECKING:
    from dpdeid.synth.scene import Scene

Slot = Callable[["Scene", tuple[str, ...]], Iterator[Piece]]


def _repeated(scene: Scene, given: tuple[str, ...]) -> Iterator[Piece]:
    """{rep:rule,2,5}: two to five times, a space between; {list:…}: one a line behind a bullet."""
    rule, low, high = rules()[given[0]], int(given[1]), int(given[2])
    for number in range(scene.dice.between(low, high)):
        if number:
            yield Piece(" ")
        out: list[Piece] = []
        rule.write(scene, out)
        yield from out


def _listed(scene: Scene, given: tuple[str, ...]) -> Iterator[Piece]:
    rule, low, high = rules()[given[0]], int(given[1]), int(given[2])
    bullet = (
        given[3]
        if len(given) > 3
        else scene.fact(
            "bullet",
            lambda: scene.dice.choice(("- ", "- ", "-   ", "• ", "* ", "", "", "– ", "-", ". ")),
        )
    )
    for number in range(scene.dice.between(low, high)):
        yield Piece("\n" * bool(number) + bullet)
        out: list[Piece] = []
        rule.write(scene, out)
        yield from out


def _integer(scene: Scene, given: tuple[str, ...]) -> Iterator[Piece]:
    """{n:low,high}: a whole number; {n:low,high,1}: with decimals behind a comma or a point."""
    low, high = int(given[0]), int(given[1])
    text = str(scene.dice.between(low, high))
    if len(given) > 2:
        text += scene.dice.choice(",,,.") + scene.dice.digits(int(given[2]))
    yield Piece(text)


SLOTS: Final[dict[str, Slot]] = {
    "d": slots_time.date,
    "range": slots_time.stay,
    "dob": slots_time.birth_date,
    "dobof": slots_time.their_birth_date,
    "weekday": slots_time.weekday,
    "holiday": slots_time.holiday,
    "year": slots_time.year,
    "month": slots_time.month,
    "time": slots_time.time,
    "age": slots_time.age,
    "ageof": slots_time.age,
    "someage": slots_time.some_age,
    "town": slots_place.town,
    "city": slots_place.home_town,
    "zip": slots_place.home_zip,
    "here": slots_place.here,
    "herezip": slots_place.here_zip,
    "area": slots_place.area,
    "street": slots_place.street,
    "road": slots_place.other_street,
    "address": slots_place.other_address,
    "birthplace": slots_place.word_of_birth,
    "hosp": slots_place.hospital,
    "org": slots_place.organization,
    "unit": slots_place.unit,
    "phone": slots_contact.phone,
    "mail": slots_contact.mail,
    "url": slots_contact.url,
    "ip": slots_contact.ip,
    "ssn": slots_contact.ssn,
    "ipp": slots_contact.number(
        Label.PATIENT_ID, "ipp", lambda s: numbers.patient_id(s.dice, s.town.country)
    ),
    "nda": slots_contact.number(
        Label.VISIT_ID, "nda", lambda s: numbers.visit_id(s.dice, s.day.year)
    ),
    "order": slots_contact.number(
        Label.ORDER_ID, "", lambda s: numbers.order_id(s.dice, s.day.year)
    ),
    "rpps": slots_contact.number(
        Label.PROVIDER_ID, "", lambda s: numbers.provider(s.dice, s.town.country, s.town.department)
    ),
    "finess": slots_contact.number(
        Label.PROVIDER_ID, "finess", lambda s: numbers.finess(s.dice, s.town.department)
    ),
    "iban": slots_contact.number(
        Label.OTHER_ID, "", lambda s: numbers.iban(s.dice, s.home.town.country)
    ),
    "plate": slots_contact.number(Label.OTHER_ID, "", lambda s: numbers.plate(s.dice)),
    "id": slots_contact.number(Label.OTHER_ID, "", lambda s: numbers.other_id(s.dice, s.day.year)),
    "rep": _repeated,
    "list": _listed,
    "n": _integer,
}
"""Every slot by its name in the templates."""
