"""The one way from a note to its facts."""

from __future__ import annotations

import bisect
import re
from collections.abc import Iterable
from dataclasses import replace

from dpdeid.detect.names.lookup import Lookup
from dpdeid.detect.places.lookup import LookupPlaces
from dpdeid.detect.rules import Patterns
from dpdeid.document import Document, Span
from dpdeid.evaluate.coherence.facts import At, Day, Event, Note, Person
from dpdeid.evaluate.coherence.reading import dates, layout, numbers, people, places, sexes
from dpdeid.evaluate.coherence.reading.flat import flat
from dpdeid.labels import Role
from dpdeid.normalize import Clean, clean
from dpdeid.spans import disjoint


def read_note(doc: Document, spans: Iterable[Span] | None = None) -> tuple[Note, Clean]:
    """The facts of a note, and the way back to its raw offsets.

    Args:
        spans: names and places in offsets of the raw text; None: those that rules and lists find.
    """
    plain = layout.lines(clean(doc.text))
    low = flat(plain.text)
    own = mentions(Document(doc.id, plain.text)) if spans is None else readable(spans, plain)
    told = dates.days(low, doc.note_date)
    heads = (Event.LETTER, Event.HEAD)
    letter = next((day for day in told if day.event in heads and day.year_told), None)
    if letter is None and doc.note_date is not None:
        letter = Day((0, 0), doc.note_date, doc.note_date)
    named = people.with_patient(people.people(plain.text, low, own), low)
    told = tuple(_birth_behind(day, low, named, letter) for day in told)
    note = Note(
        doc.id,
        plain.text,
        low,
        letter,
        told,
        dates.ages(low),
        dates.clocks(low),
        numbers.numbers(low),
        named,
        places.towns(plain.text, own),
        places.zips(plain.text),
        places.phones(plain.text),
        sexes.sexes(low, named),
    )
    return note, plain


def _birth_behind(day: Day, low: str, named: tuple[Person, ...], today: Day | None) -> Day:
    """A date right behind a name is a birth, if it lies long before the note."""
    if day.event is not Event.NONE or not (day.whole and day.year_told):
        return day
    old = day.first.year < (today.first.year - 1 if today else 2010)
    beside = any(
        one.role is not Role.STAFF
        and re.fullmatch(r" ?[(,|–-]{1,2} ?(?:[fm] ?[,|–-] ?)?", low[one.at[1] : day.at[0]])
        for one in named
        if one.at[1] <= day.at[0] < one.at[1] + 12
    )
    return replace(day, event=Event.BIRTH) if old and beside else day


def readable(spans: Iterable[Span], plain: Clean) -> tuple[Span, ...]:
    """Spans of the raw text in offsets of its readable copy, sorted."""
    if plain.starts is None or plain.ends is None:
        return tuple(sorted(spans))
    moved = []
    for span in sorted(spans):
        start = bisect.bisect_left(plain.starts, span.start)
        end = bisect.bisect_right(plain.ends, span.end)
        if start < end:
            moved.append(replace(span, start=start, end=end))
    return tuple(moved)


def raw(at: At, plain: Clean) -> At:
    """A stretch of the readable copy in offsets of the raw text."""
    if plain.starts is None or plain.ends is None:
        return at
    start, end = at
    return plain.starts[start], plain.ends[end - 1] if end > start else plain.starts[start]


def mentions(doc: Document) -> tuple[Span, ...]:
    """The spans of the rules profile: patterns and lists, united."""
    return disjoint([*Patterns()(doc), *Lookup()(doc), *LookupPlaces()(doc)])
