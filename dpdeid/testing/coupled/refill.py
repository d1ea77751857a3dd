"""One's own notes under a policy: other values in their words, and whether releases differ.

The values of a record are moved at random, and each move is kept if its skeleton stays: two such
fillings are a pair, as those of a random template are. No text of a note is in what comes out: only
rows, labels and positions.
"""

from __future__ import annotations

import datetime as dt
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from hashlib import blake2b
from typing import Final

from dpdeid.document import Document, Failure
from dpdeid.engine import Deidentifier
from dpdeid.errors import UsageError
from dpdeid.gazetteers import Place, departments, place_key, place_list_name
from dpdeid.policy.policy import Policy
from dpdeid.privacy.rng import Stream
from dpdeid.testing.coupled.comparison import Violation, blinded, compared
from dpdeid.testing.coupled.forms import Precision, begins
from dpdeid.testing.coupled.generate import TRIES, another_town
from dpdeid.testing.coupled.own import Own, own_template
from dpdeid.testing.coupled.skeleton import Pair, is_sound, skeleton, stretches_of
from dpdeid.testing.coupled.template import (
    E0,
    AreaSlot,
    Filling,
    Fixed,
    RangeSlot,
    Template,
    Value,
    ZipSlot,
    day_of,
)
from dpdeid.views.plain import reading_of

MOST_NOTES: Final = 200
"""So many of one's notes are taken, the first ones …"""
MOST_CHARACTERS: Final = 4_000
"""… and so much of each, its beginning."""
_PAIRS: Final = 4
"""Of each record, under as many keys."""
_MOVES: Final = 40
_KINDS: Final = ("text", "note date", "what is replaced", "charges")


@dataclass(frozen=True, slots=True)
class Refilled:
    """Args:
    notes, records: how many were taken.
    slots, left: how many spans became slots, and how many did not.
    discarded: for how many records no two fillings of one skeleton were found.
    differences: one line each, with no text of a note.
    """

    notes: int
    records: int
    slots: int
    left: int
    discarded: int
    differences: tuple[str, ...]

    def __str__(self) -> str:
        return (
            f"{self.notes} notes, {self.records} records, {self.slots} slots, {self.left} spans "
            f"as they stand, {self.discarded} records discarded"
        )


def refill(policy: Policy, notes: Sequence[tuple[str, Document]]) -> Refilled:
    """Compares releases of notes, each with the name of its row, with other values in them.

    Args:
        notes: all are taken.

    Raises:
        UsageError: nothing can be processed: a model or a list is missing or damaged.
    """
    engine = Deidentifier(policy)
    groups: dict[object, list[tuple[str, Document]]] = defaultdict(list)
    for number, (row, doc) in enumerate(notes):
        alone = policy.unit == "note" or doc.patient_id is None
        doc = replace(doc, text=reading_of(doc.text).text[:MOST_CHARACTERS])
        groups[number if alone else doc.patient_id].append((row, doc))
    slots = left = discarded = 0
    differences: list[str] = []
    with blinded():
        for number, group in enumerate(groups.values()):
            rows, docs = zip(*group, strict=True)
            try:
                own = own_template(docs, [engine.detect(doc) for doc in docs])
                slots += sum(not isinstance(slot, Fixed) for _, slot in own.template.slots)
                left += own.left
                pairs = [*_pairs(own, number)]
                discarded += not pairs
                found = next(filter(None, (compared(policy, pair) for pair in pairs)), None)
                if found is not None:
                    differences.append(_told(policy, found, own, rows))
            except UsageError:
                raise
            except Exception as error:  # whatever it says may be of the note
                differences.append(f"{rows[0]}: {Failure.of('', error).error}")
    return Refilled(len(notes), len(groups), slots, left, discarded, tuple(differences))


def _pairs(own: Own, number: int) -> Iterator[Pair]:
    """Pairs of a record that differ in something."""
    for turn in range(_PAIRS):
        dice = Stream(blake2b(f"own {number} {turn}".encode()).digest())
        one, other = (varied(own.template, own.filling, dice) for _ in range(2))
        if one and other and one != other:
            pair = Pair(own.template, one, other, number, turn)
            if is_sound(pair):
                yield pair


def varied(template: Template, own: Filling, dice: Stream) -> Filling | None:
    """A filling with other towns, and of the skeleton of the own one with other dates: one of them,
    or all before or behind it, and births; None if the own one has no skeleton.
    """
    filling = _with_towns(template, {name: own[name] for name in template.variables()}, dice)
    stretches = {name: p for name, (p, _) in stretches_of(template, filling).items()}
    births = {k for k, v in filling.items() if isinstance(v, dt.date)} - stretches.keys()
    notes = [day_of(filling, note.date) for note in template.notes if note.date is not None]
    late = max([E0, *notes]) - E0
    filling = _moved(filling, {*stretches, *births}, -late, stretches)
    shape = skeleton(template, filling)
    for _ in range(_MOVES + 2 * len(stretches)) if shape is not None else ():
        ordered = sorted(stretches, key=lambda name: day_of(filling, name))
        at = dice.randbelow(len(ordered) + 1)
        which = dice.choice((ordered[at : at + 1], ordered[at:], ordered[:at], births))
        days = dt.timedelta((1 + dice.randbelow(1 << dice.randbelow(13))) * dice.choice((1, -1)))
        trial = _moved(filling, which, days, stretches)
        first = min((day_of(trial, name) for name in stretches), default=E0)
        born = all(day_of(trial, name) < first for name in births)
        if born and skeleton(template, trial) == shape:
            filling = trial
    return None if shape is None else filling


def _moved(
    filling: Filling, which: Iterable[str], days: dt.timedelta, stretches: Mapping[str, Precision]
) -> Filling:
    return {
        **filling,
        **{n: begins(stretches.get(n, "day"), day_of(filling, n) + days) for n in which},
    }


def _with_towns(template: Template, filling: Filling, dice: Stream) -> Filling:
    """The filling with other towns, of the same lists, after which nothing fixed is named, nor
    after their department where the template tells it.
    """
    fixed = [slot.written for _, slot in template.slots if isinstance(slot, Fixed)]
    said = " | ".join(["", *map(place_key, fixed), ""])
    coded = {slot.var for _, slot in template.slots if isinstance(slot, ZipSlot)}
    areas = {slot.var for _, slot in template.slots if isinstance(slot, AreaSlot)}
    found: dict[str, Value] = dict(filling)
    taken: set[str] = set()
    for name in sorted(filling):
        if isinstance(old := filling[name], dt.date):
            continue
        listed = place_list_name(old) if isinstance(old, Place) else None
        for _ in range(TRIES):
            town = another_town(listed, dice, taken, coded=name in coded)
            keys = {place_key(town.name if isinstance(town, Place) else town)}
            if name in areas and isinstance(town, Place):
                codes = departments().items()
                keys |= {
                    place_key(key) for pair in codes if pair[1] == town.department for key in pair
                }
            if not any(f" {key} " in said for key in keys):
                break
        found[name] = town
    return found


def _told(policy: Policy, found: Violation, own: Own, rows: Sequence[str]) -> str:
    """Where a violation shows, and which values it hangs on, as few as can be."""
    pair = found.pair
    names = sorted(pair.template.variables())
    days = [name for name in names if isinstance(pair.one[name], dt.date)]
    for some in (days, *([name] for name in names), *([name] for name in names)):
        less = replace(pair, other={**pair.other, **{name: pair.one[name] for name in some}})
        if less != pair and is_sound(less) and (again := compared(policy, less)) is not None:
            pair, found = less, again
    each = [zip(_KINDS, *notes, strict=True) for notes in zip(*found.released, strict=True)]
    shows = [
        f"{rows[at % len(rows)]} {kind}"
        for at, kinds in enumerate(each)
        for kind, one, other in kinds
        if one != other
    ]
    shows += ["draws of two notes"] * bool(found.shared)
    hangs = [*_places(own, {n for n in names if pair.one[n] != pair.other[n]}, rows)]
    return f"{', '.join(dict.fromkeys(shows))}: by {', '.join(hangs)}"


def _places(own: Own, names: Collection[str], rows: Sequence[str]) -> Iterator[str]:
    """Where values of these variables stand in the notes."""
    for row, note in zip(rows, own.template.notes, strict=True):
        if note.date in names:
            yield f"{row} note_date"
        if note.known in names:
            yield f"{row} birth_date of patient"
    spans = [span for _, found in own.template.fill(own.filling) for span in found]
    for (at, slot), span in zip(own.template.slots, spans, strict=True):
        if slot.var in names or (isinstance(slot, RangeSlot) and slot.last in names):
            yield f"{rows[at]} {slot.label} at {span.start}"
