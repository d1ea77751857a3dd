"""What the playground asks of a worker: a note before and after, with all that explains it.

What is found in a shipped note is kept, so that another ε only replaces anew. Of a pasted note
nothing is: it is read, released under a key that is thrown away, and forgotten.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache
from typing import Any

from dpdeid.assurance.explain import reasons
from dpdeid.document import Deidentified, Document, Finding, Mention, Record
from dpdeid.engine import Deidentifier
from dpdeid.evaluate.attacks.names import planted
from dpdeid.evaluate.coding.coders import LightCoder
from dpdeid.evaluate.coherence.reading.places import km
from dpdeid.gazetteers import Place
from dpdeid.labels import Label
from dpdeid.policy.policy import Policy
from dpdeid.privacy.losses import Loss
from dpdeid.serve.scaled import FACTORS, OWN, scaled
from dpdeid.serve.work import engine, policy_of
from dpdeid.substitute.dates.reading import read_dates
from dpdeid.substitute.places.localities import read_localities
from dpdeid.testing import notes


@dataclass(frozen=True, slots=True)
class Day:
    """A date of a note, and the one in its place."""

    before: str
    after: str
    true: dt.date
    given: dt.date


@dataclass(frozen=True, slots=True)
class Move:
    """A town of a note, and the one in its place."""

    true: Place
    given: Place

    @property
    def km(self) -> float:
        return km(self.true, self.given)


@dataclass(frozen=True, slots=True)
class Tried:
    """A note before and after.

    Args:
        spans, let_go: as `explain` has them.
        noted: the surrogate of its own date.
        losses: what its record has spent.
        days: of its dates those that were replaced by others, equal ones once; its own first.
        codes: (terminology, code, words) → whether it stands before, and after.
    """

    before: str = field(repr=False)
    after: str = field(repr=False)
    noted: str | None = field(repr=False)
    spans: list[dict[str, Any]] = field(repr=False)
    let_go: list[dict[str, Any]] = field(repr=False)
    losses: tuple[Loss, ...] = field(repr=False)
    days: tuple[Day, ...] = field(repr=False)
    moves: tuple[Move, ...] = field(repr=False)
    codes: Mapping[tuple[str, str, str], tuple[bool, bool]] = field(repr=False)

    def pieces(self) -> Iterator[tuple[str, int | None]]:
        """The text in order: what stays, and the number of the span behind it."""
        done = 0
        for at, span in enumerate(self.spans):
            yield self.before[done : span["start"]], at
            done = span["end"]
        yield self.before[done:], None


def shipped(at: int, policy: str, step: int = OWN) -> Tried:
    """A shipped note under a policy, at one of the factors of its ε."""
    doc, finding = notes()[at][0], _found(at, policy)
    own = planted(stepped(policy, step), {doc.text: finding.spans})
    done = Deidentifier(own)(doc)
    return _tried(doc, finding, done, engine(policy))


def pasted(doc: Document, policy: str) -> Tried:
    """Any note under a policy."""
    own = engine(policy)
    return _tried(doc, own.detect(doc), own(doc), own)


@cache
def stepped(policy: str, step: int) -> Policy:
    """A policy at one of the factors of its ε."""
    return scaled(policy_of(policy), FACTORS[step])


@cache
def _found(at: int, policy: str) -> Finding:
    return engine(policy).detect(notes()[at][0])


def _tried(doc: Document, finding: Finding, done: Deidentified, own: Deidentifier) -> Tried:
    ledger = done.ledger
    return Tried(
        doc.text,
        done.text,
        done.note_date,
        losses=tuple(loss for unit in ledger.units for loss in ledger.total(unit)),
        days=tuple(
            {(day.true, day.given): day for day in _days(doc, done, own.cohort.e0)}.values()
        ),
        moves=tuple(dict.fromkeys(_moves(doc, done))),
        codes=_codes(doc, done),
        **reasons(doc, finding, done, own, shown=True),
    )


def _days(doc: Document, done: Deidentified, e0: dt.date) -> Iterator[Day]:
    if doc.note_date is not None and done.note_date is not None and len(done.note_date) == _ISO:
        given = dt.date.fromisoformat(done.note_date)
        yield Day(doc.note_date.isoformat(), done.note_date, doc.note_date, given)
    dated = [s for s in done.surrogates if s.mention.label in (Label.DATE, Label.BIRTH_DATE)]
    reads, _ = read_dates([s.mention for s in dated], Record("", (doc,)), e0)
    true = {read.mention: read.days[0] for read in reads}
    for surrogate in dated:
        if isinstance(surrogate.value, dt.date) and surrogate.mention in true:
            day = true[surrogate.mention]
            yield Day(surrogate.mention.text, surrogate.text, day, surrogate.value)


_ISO = len("2021-03-12")


def _moves(doc: Document, done: Deidentified) -> Iterator[Move]:
    towns = [s for s in done.surrogates if s.mention.label is Label.CITY]
    mentions: list[Mention] = [s.mention for s in towns]
    for surrogate, read in zip(towns, read_localities(mentions, (doc,)), strict=True):
        if isinstance(surrogate.value, Place) and read.place is not None:
            yield Move(read.place, surrogate.value)


@cache
def _coder() -> LightCoder:
    return LightCoder({})


def _codes(doc: Document, done: Deidentified) -> Mapping[tuple[str, str, str], tuple[bool, bool]]:
    before, after = (
        {(code.terminology.value, code.value): text[code.start : code.end] for code in codes}
        for text, codes in (
            (doc.text, _coder()(doc)),
            (done.text, _coder()(Document(doc.id, done.text))),
        )
    )
    every = before | after
    return {(*key, every[key]): (key in before, key in after) for key in sorted(every)}
