"""The world of one note: who is in it, where and when; it fills the slots of the templates.

A slot is a function of the scene and of its arguments in the template ({d:next,full}) that gives a
text, or pieces. It is in `SLOTS` under its name, with the label of its text.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import Final

from dpdeid.french.numerals import spell
from dpdeid.labels import Label, Role, Sex
from dpdeid.synth import dates, names, numbers, people, places
from dpdeid.synth.dice import Dice
from dpdeid.synth.grammar import Form, Piece, laid, lines, rules, written
from dpdeid.synth.people import Home, Person


@dataclass(frozen=True, slots=True)
class Stay:
    """The days of a stay: in, out; the note is written on the day it ends or soon after."""

    begin: dt.date
    end: dt.date


class Scene:
    """One note's people, places and days. Not frozen: people come in as templates name them."""

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
        self.date_form = dates.form_of(dice)
        self.said: dict[str, set[int]] = {}
        self.facts: dict[str, str] = {}
        self.town = self.home.town if dice.chance(35) else places.town(dice, where)
        self.there = self.town
        self._met = 0
        self._people: dict[str, Person] = {"p": self.patient}

    def fill(self, slot: str, arguments: tuple[str, ...]) -> Iterator[Piece]:
        """The pieces of a slot.

        Raises:
            KeyError: there is no rule and no slot of that name.
        """
        who, _, form = slot.partition(".")
        if f"who.{form}" in rules():
            return iter(people.named(self.person(who), form, self.dice))
        label, make = SLOTS[slot]
        made = make(self, *arguments)
        return iter([Piece(made, label)] if isinstance(made, str) else made)

    def write(self, rule: str) -> list[Piece]:
        """The pieces of a rule."""
        return written(rule, self)

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
            sex = Sex.FEMALE if self.dice.chance(52) else Sex.MALE
            return people.patient(self.dice, self.where, self.day, (18, 97), sex)
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


_LONG_AGO: Final = ("past", "life")
_NEAR: Final = ("now", "in", "out", "soon", "next", "stay")
_WITHOUT_YEAR: Final = (
    "dm", "d_m", "dm.", "dm-", "weekday_d_m", "d_short", "short_weekday", "day",
)  # fmt: skip
_VAGUE: Final = ("y", "m_y", "my", "day")
_BULLETS: Final = ("- ", "- ", "-   ", "• ", "* ", "", "", "– ", "-", ". ")


def _day(scene: Scene, what: str) -> dt.date:
    """A day by its name (now, in, out, past, recent, next …) or its distance in days (-3, +30)."""
    dice, day, stay = scene.dice, scene.day, scene.stay
    days: dict[str, Callable[[], int]] = {
        "now": lambda: 0,
        "in": lambda: (stay.begin - day).days,
        "out": lambda: (stay.end - day).days,
        "stay": lambda: dice.between((stay.begin - day).days, (stay.end - day).days),
        "recent": lambda: -dice.between(1, 45),
        "past": lambda: -40 - dice.by_rank(7000),
        "next": lambda: dice.between(2, 120),
        "soon": lambda: dice.between(1, 9),
        "life": lambda: -dice.between(0, max((day - scene.patient.born).days, 2) - 1),
    }
    return day + dt.timedelta(days=days[what]() if what in days else int(what))


def _date(scene: Scene, when: str = "recent", form: str = "") -> str:
    """{d:when,form}: a date; the form is the note's own three times in five."""
    dice, day = scene.dice, _day(scene, when)
    if form == "full":
        form = dice.choice(dates.FULL)
    elif not form:
        form = scene.date_form if dice.chance(60) else dates.form_of(dice)
        if when in _LONG_AGO and form in _WITHOUT_YEAR:
            form = dice.choice(("y", "m_y", "my", "dmy", "y"))
        if when in _NEAR and form in _VAGUE:
            form = dice.choice(("dmy", "dm"))
    return dates.written(day, form, dice)


def _stay(scene: Scene) -> Iterator[Piece]:
    """{range}: the stay, "du 6 au 13 mars 2023", "du 28/02/2023 au 03/03/2023"."""
    begin, end, dice = scene.stay.begin, scene.stay.end, scene.dice
    form = first = dates.form_of(dice, "stay.forms")
    if begin.month == end.month and form in ("d_m_y", "dmy", "dm") and dice.chance(55):
        first = "day"
    elif form in ("dmy", "dmyy", "dmy.") and dice.chance(25):
        first = "dm." if form == "dmy." else "dm"
    yield Piece("du ")
    yield Piece(dates.written(begin, first, dice), Label.DATE)
    yield Piece(" au ")
    yield Piece(dates.written(end, form, dice), Label.DATE)


def _birth(scene: Scene, who: str = "p") -> str:
    """{dob} of the patient, {dobof:x} of somebody."""
    form = dates.form_of(scene.dice, "birth.forms")
    return dates.written(scene.person(who).born, form, scene.dice)


def _weekday(scene: Scene) -> str:
    day = scene.day + dt.timedelta(days=scene.dice.between(-6, 6))
    return dates.written(day, "weekday_day" if scene.dice.chance(25) else "weekday", scene.dice)


def _month(scene: Scene, when: str = "past") -> str:
    form = scene.dice.choice(("m_y", "m_y", "month", "my"))
    return dates.written(_day(scene, when), form, scene.dice)


def _some_age(scene: Scene, low: str = "8", high: str = "80") -> str:
    """{someage:low,high}: an age between two bounds, at an event of the patient's life."""
    years = scene.dice.between(int(low), int(high))
    return Form(scene.dice, {"y": str(years), "in_words": spell(years)}).text("age.some")


def _at(town: Callable[[Scene], places.Town]) -> Callable[[Scene, str], str]:
    """{home:street}, {place:TOWN}, {there:zip}: what a place has, in capitals if asked so."""

    def slot(scene: Scene, what: str) -> str:
        near, home, dice = town(scene), scene.home, scene.dice
        own = near is home.town
        made: dict[str, Callable[[], str]] = {
            "town": lambda: near.name,
            "zip": lambda: near.zip,
            "street": lambda: home.street if own else places.street(dice, near.country),
            "phone": lambda: home.phone if own else numbers.phone(dice, near),
            "mobile": lambda: home.mobile if own else numbers.phone(dice, near, mobile=True),
            "email": lambda: home.email,
            "hospital": lambda: places.hospital(dice, near),
        }
        make = made[what.lower()]
        noted = what.lower() == "hospital" and near is scene.town
        text = scene.fact("hospital", make) if noted else make()
        return text.upper() if what.isupper() else text

    return slot


def _meet(scene: Scene) -> str:
    """{meet}: another town, of the same country mostly, is the one of {there:…} from now on."""
    scene.there = places.town(scene.dice, scene.where if scene.dice.chance(70) else "FR")
    return ""


def _birthplace(scene: Scene) -> Iterator[Piece]:
    yield Piece(scene.home.birthplace, Label.CITY)
    if scene.home.birth_country:
        yield Piece(" (")
        yield Piece(scene.home.birth_country, Label.COUNTRY)
        yield Piece(")")


def _organization(scene: Scene, kind: str = "company") -> str:
    own = f"org.{kind}.{scene.home.town.country}"
    return places.filled(own if own in rules() else f"org.{kind}", scene.dice, scene.town)


def _unit(scene: Scene, other: str = "") -> str:
    """{unit}: the note's own unit; {unit:other} another one."""

    def drawn() -> str:
        return scene.dice.choice(lines("unit.name"))

    name = drawn() if other else scene.fact("unit", drawn)
    form = scene.dice.randbelow(12)
    return name.upper() if form < 1 else name.capitalize() if form < 4 else name


def _mail_of(scene: Scene, key: str) -> str:
    who = scene.person(key)
    return f"{numbers.mail(scene.dice, who.first, who.last, 'mail.staff')}@{_domain(scene)}"


def _domain(scene: Scene) -> str:
    return scene.fact("domain", lambda: numbers.domain(scene.dice, scene.town))


def _local(scene: Scene, rule: str) -> Iterator[Piece]:
    """{local:social}: the rule of the patient's country, of France if it has none."""
    own = f"{rule}.{scene.home.town.country}"
    return iter(scene.write(own if own in rules() else f"{rule}.FR"))


def _same(scene: Scene, rule: str) -> str:
    """{same:rule}: a text that stays the same within the note."""
    return scene.fact(rule, lambda: "".join(piece.text for piece in scene.write(rule)))


def _laid(make: Callable[[Scene], str], fact: str = "") -> Callable[[Scene, str], str]:
    """{rpps_id:## ### ### ###}: a number laid over a mask; of a fact it is always the same."""

    def slot(scene: Scene, mask: str) -> str:
        number = scene.fact(fact, lambda: make(scene)) if fact else make(scene)
        return laid(mask, scene.dice, number)

    return slot


def _repeated(scene: Scene, rule: str, low: str, high: str) -> Iterator[Piece]:
    """{rep:rule,2,5}: two to five times, a space between."""
    for number in range(scene.dice.between(int(low), int(high))):
        if number:
            yield Piece(" ")
        yield from scene.write(rule)


def _listed(scene: Scene, rule: str, low: str, high: str, *given: str) -> Iterator[Piece]:
    """{list:rule,2,5}: one a line, behind the bullet of the note or the one given."""
    bullet = given[0] if given else scene.fact("bullet", lambda: scene.dice.choice(_BULLETS))
    for number in range(scene.dice.between(int(low), int(high))):
        yield Piece("\n" * bool(number) + bullet)
        yield from scene.write(rule)


def _iban(scene: Scene) -> str:
    country = scene.home.town.country
    return numbers.iban(scene.dice, country if country in numbers.ACCOUNT else "FR")


def _finess(scene: Scene) -> str:
    return numbers.with_luhn(scene.dice, f"{numbers.two_digits(scene.town.department)}0", 5)


def _nir(scene: Scene) -> str:
    who = scene.patient
    return numbers.nir(scene.dice, who.sex, who.born, scene.home.insee)


Made = str | Iterator[Piece]
SLOTS: Final[dict[str, tuple[Label | None, Callable[..., Made]]]] = {
    "d": (Label.DATE, _date),
    "range": (None, _stay),
    "dob": (Label.BIRTH_DATE, _birth),
    "dobof": (Label.BIRTH_DATE, _birth),
    "weekday": (Label.DATE, _weekday),
    "year": (Label.DATE, lambda s, when="past": str(_day(s, when).year)),
    "month": (Label.DATE, _month),
    "time": (Label.TIME, lambda s, hour="": dates.clock(s.dice, int(hour) if hour else None)),
    "age": (Label.AGE, lambda s: dates.age(s.patient.born, s.day, s.dice)),
    "ageof": (Label.AGE, lambda s, who: dates.age(s.person(who).born, s.day, s.dice)),
    "someage": (Label.AGE, _some_age),
    "home": (None, _at(lambda s: s.home.town)),
    "place": (None, _at(lambda s: s.town)),
    "there": (None, _at(lambda s: s.there)),
    "meet": (None, _meet),
    "A": (None, lambda s: s.dice.choice(names.listed("areas"))),
    "road": (
        Label.STREET,
        lambda s, bare="": places.odonym(s.dice) if bare else places.street(s.dice, s.town.country),
    ),
    "birthplace": (None, _birthplace),
    "org": (Label.ORGANIZATION, _organization),
    "unit": (Label.UNIT, _unit),
    "mailof": (None, _mail_of),
    "domain": (None, _domain),
    "pair": (None, lambda s: numbers.spelled_pair(s.dice)),
    "hex": (None, lambda s: f"{s.dice.between(1, 65535):x}"),
    "yy": (None, lambda s: f"{s.day.year % 100:02}"),
    "birthday": (None, lambda s, form: f"{s.patient.born:{form}}"),
    "nir": (None, _laid(_nir, fact="ssn")),
    "avs": (None, _laid(lambda s: numbers.with_ean(s.dice, "756"), fact="ssn")),
    "niss": (None, _laid(lambda s: numbers.niss(s.dice, s.patient.born), fact="ssn")),
    "ramq": (None, _laid(lambda s: numbers.ramq(s.patient.born, s.patient.sex))),
    "rpps_id": (None, _laid(lambda s: numbers.with_luhn(s.dice, "10", 8))),
    "adeli": (None, _laid(lambda s: numbers.two_digits(s.town.department))),
    "gln": (None, _laid(lambda s: numbers.with_ean(s.dice, "760100"))),
    "finess_no": (None, _laid(_finess)),
    "iban_no": (None, _laid(_iban)),
    "same": (None, _same),
    "local": (None, _local),
    "rep": (None, _repeated),
    "list": (None, _listed),
}
"""Every slot by its name in the templates."""
