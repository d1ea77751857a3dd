"""What of the skeleton the dates, births and ages of a record show: numbers, roles and forms.

Dates and births are numbered in release order. All is told from a `Skeleton` and from forms: no
day, month or year of the record is looked at.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterator, Sequence
from itertools import count

from dpdeid.document import Mention, Record
from dpdeid.labels import Label
from dpdeid.privacy.timeline.chain import Role, Skeleton, chain
from dpdeid.privacy.timeline.points import Past
from dpdeid.substitute.dates.ages import parts_of, read_ages
from dpdeid.substitute.dates.births import read_births
from dpdeid.substitute.dates.reading import read_dates
from dpdeid.substitute.dates.timeline_points import read_points
from dpdeid.substitute.dates.told import read_told
from dpdeid.substitute.dates.written.parser import Part, PartialDate
from dpdeid.substitute.hidden import compact


def shown(
    mentions: Sequence[Mention], record: Record, e0: dt.date, *, chained: bool
) -> Iterator[tuple[Mention, str]]:
    """A line for each mention that was read.

    Args:
        chained: whether gaps of a chain are noised; else nothing is counted from anything.
    """
    parts = {mention: parts_of(mention) for mention in mentions}
    own = [part for each in parts.values() for part in each]
    record, seen, _ = compact(record, own, ())
    reads, against = read_dates([m for m in seen if m.label is not Label.AGE], record, e0)
    ages = read_ages([m for m in seen if m.label is Label.AGE], record)
    births = read_births(record, reads, ages, against)
    told_apart = read_told(record, reads, births, against, seen) if chained else {}
    told_apart = {**births.tied, **told_apart}
    made = chain(read_points(record, reads, births, against, told_apart), Past(), 0)
    numbers = {"date": count(1), "birth": count(1)}
    named = {p.key: f"{p.family} {next(numbers[p.family])}" for p in made.points}
    names = [named[point.key] for point in made.points]
    counted = {
        name: f"{name}: {_counted(made.skeleton, at, names)}" if chained else name
        for at, name in enumerate(names)
    }
    lines: dict[Mention, str] = {}
    for read in reads:
        days = [("date", name) for name in dict.fromkeys(read.names)]
        if births.is_birth(read):
            days = [("birth", name) for name in filter(None, [births.named.get(read.mention)])]
        if told := [counted[named[day]] for day in days]:
            forms = " to ".join(_form(date) for date in read.written.dates)
            lines[read.mention] = f"{'; '.join(told)}; printed as {forms}"
    for mention, age, _, _ in ages:
        if (birth := births.named.get(mention)) is not None:
            then = births.then.get(mention, against[mention.document].name) or ""
            at = named.get(("date", then), "e0")
            born = named["birth", birth]
            lines[mention] = f"age of {counted[born]}; at {at}, in {age.unit.value}"
    of = {part: lines[moved] for part, moved in zip(own, seen, strict=True) if moved in lines}
    for mention, each in parts.items():
        if found := [of[part] for part in each if part in of]:
            yield mention, "; ".join(found)


def _counted(skeleton: Skeleton, at: int, names: Sequence[str]) -> str:
    """What a gap is counted from, in which direction where that is known, and its role."""
    link = skeleton.links[at]
    base = "e0" if link.base is None else names[link.base]
    way = "on " if link.side > 0 else "back "
    if link.role is Role.ROUGH and link.base not in (*link.after, *link.until):
        way = ""
    if link.told:
        return f"{link.told[0]} to {link.told[1]} days from {base}, as the text says"
    return f"counted {way}from {base}, role {link.role.value}"


def _form(date: PartialDate) -> str:
    parts = [piece.part.value for piece in date.shape if piece.part is not Part.TEXT]
    return "feast" if date.holiday is not None else "/".join(parts)
