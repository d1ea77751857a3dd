"""Random templates with two fillings of one skeleton.

By construction: both fillings are laid out in one order, towns come from one list, and a form is
taken only if both fillings are read back from it. `skeleton` then decides; what it refuses is
counted, and nothing of the engine has a say in it.
"""

from __future__ import annotations

from collections.abc import Sequence, Set
from dataclasses import dataclass, field, replace
from datetime import date, time, timedelta
from hashlib import blake2b
from typing import Final

from dpdeid.gazetteers import Place
from dpdeid.labels import Label, Role
from dpdeid.privacy.rng import Stream
from dpdeid.testing.coupled import forms
from dpdeid.testing.coupled.forms import UNKNOWN, Precision, some_town
from dpdeid.testing.coupled.skeleton import Pair, is_sound
from dpdeid.testing.coupled.template import (
    E0,
    FORMS,
    AgeSlot,
    AreaSlot,
    DateSlot,
    Fixed,
    InstitutionSlot,
    Note,
    NumberSlot,
    Phrase,
    RangeSlot,
    Template,
    TimeSlot,
    TownSlot,
    Value,
    ZipSlot,
    day_of,
)
from dpdeid.testing.coupled.variation import Node, forms_of, laid_out, reworded

TRIES: Final = 12
_PRECISIONS: Final[tuple[Precision, ...]] = (
    *("day",) * 12,
    *("month", "month", "year", "year"),
    *("part", "week", "season", "part of year", "decade"),
)
_LONGER: Final = ("day", "week", "part", "month", "season", "part of year", "year", "decade")
_LONGEST: Final = frozenset({"season", "part of year", "year", "decade"})
"""Days that lie in one may be too far from one another to be told without their year."""
_LISTS: Final = (*("FR",) * 8, "20", "CH", "CH-DE", "BE", "BE-NL", "974", None)
_ANY: Final = "any"
"""The list of a town that nothing but the number of an institution tells."""
_BORN: Final = ("FR", "974", "BE")
_OLD: Final = {
    "years": (400, 33_000),
    "years and months": (800, 3_500),
    "months": (40, 1_060),
    "weeks": (8, 720),
    "days": (1, 88),
}
"""How many days before the notes somebody was born whose age is told in a unit."""
_SMALL: Final = frozenset({"months", "weeks", "days"})


def pairs(seed: int, index: int) -> Pair | None:
    """The pair of this number; None if no two fillings of one skeleton were found."""
    dice = Stream(blake2b(f"coupled/{seed}/{index}".encode()).digest())
    plan = _plan(dice)
    for _ in range(TRIES):
        one, other = _filling(plan, dice), _filling(plan, dice)
        template = plan.template
        if not all(map(template.reads_back, (one, other))):
            template = template.as_plain()
        pair = Pair(template, one, other, index, index)
        if is_sound(pair):
            return reworded(pair, dice)
    return None


_WRITTEN: Final = (*("plain",) * 5, *FORMS)


@dataclass(slots=True)
class _Plan:
    """A template that is being made, and what its variables are. Not frozen: it grows."""

    notes: list[str | None]
    yearless: bool
    """No date tells the year of its day or month: all lie near e0 and one another."""
    template: Template = field(default_factory=lambda: Template(()))
    nodes: list[Node] = field(default_factory=list)
    bits: int = 12
    births: dict[str, str] = field(default_factory=dict)
    """Variable → the unit in which ages of this person are told."""
    lives: list[str] = field(default_factory=list)
    """Variables of days on which the patient had an age of the past, in their order."""
    towns: dict[str, str | None] = field(default_factory=dict)
    """Variable → its list."""
    coded: set[str] = field(default_factory=set)
    """Variables of towns whose postal code is told."""
    times: list[str] = field(default_factory=list)
    """Variables of clock times."""
    shared: str = ""
    """The list of all towns, where their names may stand in other lists, too; "" if none may."""


def _plan(dice: Stream) -> _Plan:
    sizes = dice.choice((1, 1, 1, 2, 2, 3))
    yearless = dice.randbelow(12) == 0
    dated = [not yearless and dice.randbelow(3) > 0 for _ in range(sizes)]
    plan = _Plan([f"note{at}" if own else None for at, own in enumerate(dated)], yearless)
    plan.bits = dice.choice((3, 4)) if yearless else dice.choice((3, 5, 7, 12))
    aged = _births(plan, dice)
    said = [*_times(plan, dice), *aged, *_places(plan, dice), *_clock(plan, dice), *_fixed(dice)]
    said += _numbers(plan, dice, set() if any(dated) else _aged(aged))
    texts: list[list[Phrase]] = [[] for _ in plan.notes]
    for phrase in dice.shuffled(said):
        told = [at for at in range(sizes) if dated[at] or not any(dated)]
        at = dice.choice(told if isinstance(phrase[1], AgeSlot) else range(sizes))
        texts[at].append(phrase)
    for text in texts:
        if dice.randbelow(4) == 0:
            text.append((dice.choice(forms.PHRASES["neutral"]),))
    is_known = "patient" in plan.births and any(dated) and dice.randbelow(4) == 0
    known = "patient" if is_known else None
    written = [dice.choice(_WRITTEN) for _ in texts]
    plan.template = Template(
        tuple(
            Note(own, tuple(text), known, form)
            for own, text, form in zip(plan.notes, texts, written, strict=True)
        )
    )
    return plan


def _times(plan: _Plan, dice: Stream) -> list[Phrase]:
    """Phrases with dates; the nodes of the plan become their layout."""
    number = dice.choice((0, 1, 1, 2, 2, 3, 3, 4, 6, 9)) if dice.randbelow(25) else 24
    short = bool(_SMALL & set(plan.births.values()))
    plan.bits = min(plan.bits, 3) if short else plan.bits
    said: list[Phrase] = []
    nodes = [Node((name,)) for name in plan.notes if name is not None]
    for at in range(number):
        name = f"date{at}"
        if dice.randbelow(10) < 2:
            nodes.append(Node((name, f"{name}b")))
            said.append(_two(name, f"{name}b", dice, yearless=plan.yearless))
            continue
        precision = "day" if short else dice.choice(_PRECISIONS)
        nodes.append(Node((name,), precision))
        said += [_one(plan, name, precision, dice, yearless=plan.yearless)] * (
            1 + (dice.randbelow(5) == 0)
        )
    apart = [node for node in nodes if plan.yearless and node.precision in _LONGEST]
    within = [node for node in nodes if node not in apart]
    plan.nodes = [*dice.shuffled(apart), *_nested(dice.shuffled(within), dice)]
    return said


def _clock(plan: _Plan, dice: Stream) -> list[Phrase]:
    """Phrases with clock times, in every second template."""
    said: list[Phrase] = []
    for at in range(dice.choice((0, 0, 0, 0, 1, 2, 3, 5))):
        plan.times.append(f"time{at}")
        before, after = dice.choice(forms.PHRASES["timed"])
        slot = TimeSlot(plan.times[-1], dice.choice(tuple(forms.TIMES)))
        said += [(before, slot, after)] * (1 + (dice.randbelow(5) == 0))
    return said


def _nested(nodes: Sequence[Node], dice: Stream) -> list[Node]:
    left = sorted(nodes, key=lambda node: _LONGER.index(node.precision))
    out: list[Node] = []
    while left:
        node = left.pop()
        rank = _LONGER.index(node.precision)
        if rank and dice.randbelow(3):
            fitting = [n for n in left if _LONGER.index(n.precision) < min(rank, 3)]
            inside = dice.shuffled(fitting)[: 1 + dice.randbelow(2)]
            left = [n for n in left if n not in inside]
            node = replace(node, inside=tuple(inside))
        out.append(node)
    return dice.shuffled(out)


def _one(plan: _Plan, name: str, precision: Precision, dice: Stream, *, yearless: bool) -> Phrase:
    before, lead, after = dice.choice(forms.PHRASES["dated"][precision])
    timed = precision == "day" and not yearless and dice.randbelow(6) == 0
    if timed:
        plan.times.append(f"{name} time")
    lacks = "year" if yearless and precision in ("day", "month") else "nothing"
    slot = DateSlot(name, dice.choice(forms_of(precision, lacks)), lead=lead)
    if timed:
        return before, slot, " à ", TimeSlot(plan.times[-1], dice.choice(tuple(forms.TIMES))), after
    return before, slot, after


def _two(first: str, last: str, dice: Stream, *, yearless: bool) -> Phrase:
    """Two dates that stand together, the first before the last."""
    if yearless:
        before, between, after = dice.choice(forms.PHRASES["ranges"])
        return before, DateSlot(first, "12/03"), between, DateSlot(last, "12/03"), after
    kind = dice.randbelow(4)
    if kind == 0:
        slot = RangeSlot(first, last, ("12/03/2024", "12/03/2024"), " au ")
        return "Cure faite (", slot, ") en ville. "
    before, between, after = dice.choice(forms.PHRASES["ranges" if kind < 3 else "sequences"])
    return before, DateSlot(first, "12/03/2024"), between, DateSlot(last, "12/03/2024"), after


def _births(plan: _Plan, dice: Stream) -> list[Phrase]:
    """Phrases with births and ages, of the patient and of a relative."""
    said: list[Phrase] = []
    if dice.randbelow(2):
        told = any(plan.notes)
        form = dice.choice(tuple(forms.AGES)[: None if dice.randbelow(2) else 5])
        unit = plan.births["patient"] = forms.AGES[form].unit
        births = 0 if plan.yearless else dice.randbelow(3) if told else dice.randbelow(3) * 2 // 3
        for _ in range(births):
            before, after = dice.choice(forms.PHRASES["births"])
            slot = _born("patient", dice)
            # an age in small units tells a birth more exactly than its year
            slot = slot if unit == "years" else replace(slot, form="12/03/2024")
            said.append((before, slot, after))
        for _ in range(dice.randbelow(3) if told else int(births == 0)):
            before, after = dice.choice(forms.PHRASES["ages"])
            said.append((before, AgeSlot("patient", form), after))
        if said and unit == "years" and any(plan.notes) and dice.randbelow(2):
            for at in range(1 + dice.randbelow(3)):
                plan.lives.append(f"life{at}")
                before, after = dice.choice(forms.PHRASES["past_ages"])
                said.append((before, AgeSlot("patient", form, then=plan.lives[-1]), after))
    if dice.randbelow(5) == 0:
        plan.births["mother"] = "years"
        if dice.randbelow(2):
            before, after = dice.choice(forms.PHRASES["relatives"])
            said.append((before, _born("mother", dice, Role.RELATIVE), after))
        else:
            before, after = dice.choice(forms.PHRASES["relative_ages"])
            said.append((before, AgeSlot("mother", "63 ans", role=Role.RELATIVE), after))
    return said


def _aged(said: Sequence[Phrase]) -> set[str]:
    return {piece.var for phrase in said for piece in phrase if isinstance(piece, AgeSlot)}


def _born(name: str, dice: Stream, role: Role = Role.UNKNOWN) -> DateSlot:
    return DateSlot(name, dice.choice(forms.BIRTHS), label=Label.BIRTH_DATE, role=role)


def _places(plan: _Plan, dice: Stream) -> list[Phrase]:
    said: list[Phrase] = []
    if dice.randbelow(4) == 0:
        plan.shared = dice.choice(tuple(forms.PHRASES["told"]))
        if dice.randbelow(3) == 0:
            number = Fixed(forms.PHRASES["phoned"][plan.shared], Label.PHONE)
            said.append(("Joignable au ", number, " le soir. "))
    for at in range(dice.choice((1, 2, 3)) if plan.shared else dice.choice((0, 0, 1, 1, 2, 3, 6))):
        name = f"town{at}"
        listed = plan.towns[name] = plan.shared or dice.choice(_LISTS)
        form = dice.choice(tuple(forms.TOWNS))
        if plan.shared and dice.randbelow(3) == 0:
            before, lead, after = dice.choice(forms.PHRASES["told"][plan.shared])
            said.append((before, TownSlot(name, form, lead), after))
            continue
        if listed in ("CH", "CH-DE", "BE", "BE-NL", None) or (kind := dice.randbelow(6)) < 3:
            if dice.randbelow(8) == 0:
                before, lead, joint, land, label, after = dice.choice(forms.PHRASES["abroad"])
                abroad = Fixed(land, Label(label))
                said.append((before, TownSlot(name, form, lead), joint, abroad, after))
                continue
            before, lead, after = dice.choice(forms.PHRASES["towns"])
            said += [(before, TownSlot(name, form, lead), after)] * (1 + (dice.randbelow(5) == 0))
            if dice.randbelow(3) == 0:
                before, head, label, after = dice.choice(forms.PHRASES["institutions"])
                form = dice.choice(tuple(forms.TOWNS))
                said.append((before, InstitutionSlot(name, form, head, Label(label)), after))
        elif kind == 3:
            before, between, after = dice.choice(forms.PHRASES["addresses"])
            plan.coded.add(name)
            town = TownSlot(name, form, cedex=form.isupper())
            said.append((before, ZipSlot(name), between, town, after))
        elif kind == 4:
            before, lead, joint, after = dice.choice(forms.PHRASES["in_areas"])
            said.append((before, TownSlot(name, form, lead), joint, AreaSlot(name), after))
        else:
            before, after = dice.choice(forms.PHRASES["codes"])
            plan.coded.add(name)
            said.append((before, ZipSlot(name, dice.choice(("69003", "69 003"))), after))
    return said


def _numbers(plan: _Plan, dice: Stream, aged: Set[str]) -> list[Phrase]:
    """Phrases with numbers that tell a birth or a town, in every fourth template; of both perhaps
    nothing else is told.

    Args:
        aged: who has an age that is read only if nothing else tells of their birth.
    """
    said: list[Phrase] = []
    bearers = [person for person in ("patient", "mother") if person not in aged]
    for at in range(dice.choice((0, 0, 0, 0, 0, 0, 1, 2)) if bearers else 0):
        bearer = dice.choice(bearers)
        plan.births.setdefault(bearer, "years")
        towns = [name for name, listed in plan.towns.items() if listed in ("FR", "974")]
        town = dice.choice((*towns, f"origin{at}"))
        form = dice.choice(tuple(forms.NUMBERS))
        listed = dice.choice(_BORN) if forms.NUMBERS[form].is_nir else _ANY
        plan.towns.setdefault(town, "FR" if at else listed)
        told = forms.NUMBERS[form].label is Label.SSN
        before, after = dice.choice(forms.PHRASES["numbers" if told else "institution_numbers"])
        said.append((before, NumberSlot(bearer, town, form), after))
    return said


def _fixed(dice: Stream) -> list[Phrase]:
    """Phrases with identifiers and kept values, in every third template."""
    told = dice.shuffled(forms.PHRASES["fixed"])[: dice.choice((0, 0, 0, 0, 1, 3))]
    return [(before, Fixed(text, Label(label)), after) for before, text, label, after in told]


def _filling(plan: _Plan, dice: Stream) -> dict[str, Value]:
    notes = [name for name in plan.notes if name is not None]
    found: dict[str, Value] = {}
    if plan.nodes:
        found.update(laid_out(plan.nodes, notes, dice, most_bits=plan.bits, recent=plan.yearless))
    days = [day_of(found, name) for name in found] or [E0]
    told = [day_of(found, name) for name in notes] or [E0]
    for person, unit in plan.births.items():
        found[person] = _birth(unit, told, min(days), dice)
    if plan.lives:
        found["patient"] = min(day_of(found, "patient"), min(days) - timedelta(9_000))
        found.update(_lives(plan.lives, day_of(found, "patient"), min(told), dice))
    found.update(_clock_times(plan.times, dice))
    taken: set[str] = set()
    for name, listed in plan.towns.items():
        listed = dice.choice(_BORN) if listed == _ANY else listed
        shared = listed == plan.shared and name.startswith("town")
        coded = name in plan.coded
        found[name] = another_town(listed, dice, taken, coded=coded, shared=shared)
    return found


def _lives(names: Sequence[str], born: date, now: date, dice: Stream) -> dict[str, date]:
    """A day of each year of life, ascending, some years before now."""
    years = range(1 + dice.randbelow(3), max((now - born).days // 366 - 3, 5), 4)
    ages = sorted(dice.shuffled(years)[: len(names)])
    ages += [ages[-1]] * (len(names) - len(ages))
    return {
        name: born + timedelta(age * 365 + age // 4 + 2 + dice.randbelow(350))
        for name, age in zip(names, ages, strict=True)
    }


def _clock_times(names: Sequence[str], dice: Stream) -> dict[str, time]:
    """A time for each variable, ascending within half a day, or a night; every third on a mark."""
    found: dict[str, time] = {}
    at, room = dice.randbelow(1_440), 700 // max(len(names), 1)
    for number, name in enumerate(names):
        at += 6 + dice.randbelow(1 << dice.randbelow(max(room - 11, 1).bit_length()))
        minute = at - at % 5 + (0 if number % 3 == 0 else 1 + dice.randbelow(4))
        found[name] = time(*divmod(minute % 1_440, 60))
    return found


def _birth(unit: str, notes: Sequence[date], first: date, dice: Stream) -> date:
    """A birth before all dates, or for small units as near before the notes as its age asks."""
    low, high = _OLD[unit]
    spread = (max(notes) - min(notes)).days
    born = min(notes) - timedelta(low + dice.randbelow(max(high - low - spread, 1)))
    if unit == "years" and born >= first:
        born = first - timedelta(400 + dice.randbelow(4_000))
    if unit == "years" and dice.randbelow(3) == 0:
        return date(born.year, *dice.choice(((1, 1), (7, 1), (12, 31), (3, 15))))
    return born


def another_town(
    listed: str | None, dice: Stream, taken: set[str], *, coded: bool, shared: bool = False
) -> Place | str:
    """A town, of a department that was not taken before if one of a few draws is.

    Args:
        shared: whether its name may stand in another list, too.
    """
    for _ in range(TRIES + 1):
        town: Place | str = dice.choice(UNKNOWN)
        if listed:
            town = some_town(listed, dice, coded=coded, shared=shared)
        told = f"{town.country} {town.department}" if isinstance(town, Place) else town
        if told not in taken:
            break
    taken.add(told)
    return town
