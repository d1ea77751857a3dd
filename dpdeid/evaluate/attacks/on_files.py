"""The attacks on a release and its originals, whatever tool made it.

Reads the originals with what identifies in them, pairs them with one release or several, and runs
what can be run on texts: uniqueness, linkage, what is left, frequency of names; averaging where
there are several releases. Dates are those written with day, month and year.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache
from pathlib import Path
from statistics import median
from typing import Any

from dpdeid.cohort.cohort import DEFAULT_E0
from dpdeid.document import Document, Mention, Span
from dpdeid.engine import Deidentifier
from dpdeid.evaluate.attacks import linkage as links
from dpdeid.evaluate.attacks.names import Naming, frequency
from dpdeid.evaluate.attacks.patients import made
from dpdeid.evaluate.attacks.residual import Pair, Replaced, left, paired, suspects
from dpdeid.evaluate.attacks.traces import Event, Position, Trace, compared, known_of
from dpdeid.formats.annotations import read_annotations
from dpdeid.formats.rows import Row
from dpdeid.formats.sources import read_whole
from dpdeid.labels import Label
from dpdeid.normalize import fold
from dpdeid.policy.policy import Policy
from dpdeid.substitute.dates.written.completing import complete
from dpdeid.substitute.dates.written.parser import PartialDate, Precision, parse
from dpdeid.substitute.places.localities import read_localities

Json = dict[str, Any]
Spans = Mapping[str, Sequence[Span]]


def documents(rows: Iterable[Row]) -> dict[str, Document]:
    """The notes of rows, by id."""
    return {row.document.id: row.document for row in rows if row.document}


def identifying(path: Path, rows: Sequence[Row], policy: Policy, spans: Spans | None) -> Spans:
    """What identifies in the notes before: their own "entities", else `spans`, else what the
    detectors of the policy find.

    Args:
        rows: those of `path`, each with its note.

    Raises:
        AnnotationError: entities that cannot be read.
    """
    docs = documents(rows)
    if any("entities" in row.extra for row in rows):
        return spans_of(path, docs)
    if spans is not None:
        return spans
    engine = Deidentifier(policy)
    return {name: engine.detect(doc).spans for name, doc in docs.items()}


def spans_of(path: Path, docs: Mapping[str, Document]) -> Spans:
    """The spans that a file has for these notes, all of them.

    Raises:
        AnnotationError: a note is missing, or a span is none of its text.
    """
    texts = {name: doc.text for name, doc in docs.items()}
    return {note.id: note.spans for note in read_annotations(path, "jsonl", texts=texts).notes}


def attack_files(
    before: Path, after: Sequence[Path], *, policy: Policy, spans: Path | None, known: Sequence[int]
) -> Json:
    """All attacks on these files, as docs/attacks.md has them.

    Args:
        after: one release, or several of the same notes.
        policy: finds what identifies where no file says it.
        spans: what was replaced in the first release, as `run --spans` writes it.
        known: how many dates of a patient somebody knows.

    Raises:
        UsageError: a file is refused, or the ids of two files differ.
    """
    rows = read_whole(str(before), str(before))
    docs = documents(rows)
    given = None if spans is None else spans_of(spans, docs)
    truth = identifying(before, rows, policy, given)
    released = (documents(read_whole(str(path), str(path))) for path in after)
    releases = [paired([*docs.values()], [*one.values()], truth) for one in released]
    pairs = releases[0]
    names = list(dict.fromkeys(pair.record for pair in pairs))
    events, traces = _events(pairs), _traces(pairs)
    own = [events.get(name, []) for name in names]
    days = [tuple(event.day for event in some) for some in own]
    report: Json = {
        "notes": len(pairs),
        "records": len(names),
        "uniqueness": compared(days, [traces[name].days for name in names]),
        "linkage": [
            one.to_json()
            for towns in (False, True)
            for count in known
            for one in _linked(own, [traces[n] for n in names], count, towns=towns)
        ],
        "residual": {
            "labels": {label.value: one.to_json() for label, one in left(pairs).items()},
            "suspects": None if given is None else suspects(pairs, given).to_json(),
        },
        "frequency": frequency(_namings(pairs)).to_json(),
    }
    if len(releases) > 1:
        report["averaging"] = _averaged(releases)
    return report


def _linked(
    events: Sequence[Sequence[Event]], traces: Sequence[Trace], known: int, *, towns: bool
) -> Iterator[links.Linkage]:
    """Who has fewer dates, or no town where towns are to be known, is no target."""
    stream = made(f"targets {known}")
    targets = [
        (at, trace if towns else Trace(trace.days))
        for at, trace in [(at, known_of(own, known, stream)) for at, own in enumerate(events)]
        if len(trace.days) == known and (trace.towns or not towns)
    ]
    if targets:
        tried = links.attackers(per_km=links.PER_KM if towns else 0.0)
        yield links.linkage(traces, stream.shuffled(targets), known, stream, tried=tried)


def full_day(text: str) -> int | None:
    """The ordinal of a date that is written with day, month and year."""
    written = parse(text)
    if not isinstance(written, PartialDate) or written.precision is not Precision.DAY:
        return None
    day = None if written.year is None else complete(written, DEFAULT_E0)
    return None if day is None else day.toordinal()


@cache
def position(town: str) -> Position | None:
    """Where a town of that name lies, the largest of them."""
    mention = Mention(0, Span(0, len(town), Label.CITY), town)
    (found,) = read_localities([mention], [Document("", town)])
    return None if found.place is None else (found.place.latitude, found.place.longitude)


def _dated(pair: Pair) -> Iterator[tuple[Replaced, int]]:
    """The dates of an original with their days. Births are left out: a shift moves them apart."""
    for one in pair.replaced:
        if one.span.label is Label.DATE and (day := full_day(pair.original(one))) is not None:
            yield one, day


def _events(pairs: Iterable[Pair]) -> dict[str, list[Event]]:
    """The true dates of each record, each day once, with the town nearest to it in its note."""
    found: dict[str, dict[int, Event]] = defaultdict(dict)
    for pair in pairs:
        own = found[pair.record]
        towns = [s.start for s in pair.truth if s.label is Label.CITY]
        names = {s.start: pair.before.text[s.start : s.end] for s in pair.truth}
        for one, day in _dated(pair):
            near = min(towns, key=lambda at: abs(at - one.span.start), default=None)
            own.setdefault(day, Event(day, None if near is None else position(names[near])))
    return {name: list(own.values()) for name, own in found.items()}


def _traces(pairs: Iterable[Pair]) -> dict[str, Trace]:
    """What the release shows of each record, in the places of its dates and towns."""
    days: dict[str, set[int]] = defaultdict(set)
    towns: dict[str, dict[Position, None]] = defaultdict(dict)
    for pair in pairs:
        for one in pair.replaced:
            text = pair.surrogate(one)
            if one.span.label is Label.DATE and (day := full_day(text)) is not None:
                days[pair.record].add(day)
            elif one.span.label is Label.CITY and text and (at := position(text)) is not None:
                towns[pair.record][at] = None
    names = dict.fromkeys(pair.record for pair in pairs)
    return {name: Trace(tuple(sorted(days[name])), tuple(towns[name])) for name in names}


def _namings(pairs: Iterable[Pair]) -> Iterator[Naming]:
    for pair in pairs:
        for one in pair.replaced:
            if one.span.label is Label.LAST_NAME and (surrogate := pair.surrogate(one)):
                yield Naming(pair.record, fold(pair.original(one)), fold(surrogate))


def _averaged(releases: Sequence[Sequence[Pair]]) -> list[Json]:
    """By how many days the middle of the first releases misses a date, in the median."""
    drawn: list[tuple[int, list[int | None]]] = []
    for notes in zip(*releases, strict=True):
        for at, one in enumerate(notes[0].replaced):
            true = full_day(notes[0].original(one)) if one.span.label is Label.DATE else None
            if true is not None:
                days = [full_day(note.surrogate(note.replaced[at])) for note in notes]
                drawn.append((true, days))
    report = []
    for count in range(1, len(releases) + 1):
        missed = [
            abs(median(some) - true)
            for true, days in drawn
            if (some := [day for day in days[:count] if day is not None])
        ]
        error = float(median(missed)) if missed else None
        exact = sum(by == 0 for by in missed) / len(missed) if missed else None
        report.append(
            {"releases": count, "dates": len(missed), "day_error": error, "exact_days": exact}
        )
    return report
