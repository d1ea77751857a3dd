"""The one way through: detect → merge → group → substitute → fit → rewrite → ledger.

A `Deidentifier` binds a policy to a key. It holds no other state: the same record gives the same
result in any process and any order. Whatever goes wrong inside a record fails the whole record,
with a message that repeats nothing of it and says which note was at fault; a strategy that fails
has its mentions redacted.
"""

from __future__ import annotations

import datetime as dt
import hashlib
import logging
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from fractions import Fraction
from itertools import chain
from operator import attrgetter, itemgetter
from pathlib import Path
from typing import Final, TypeVar

from dpdeid.cohort.cohort import DEFAULT_E0, Cohort
from dpdeid.detect.merge.published import said_by, voices
from dpdeid.document import (
    Deidentified,
    Document,
    Failure,
    Mention,
    Record,
    Span,
    Surrogate,
    rewrite,
)
from dpdeid.errors import InputError, UsageError
from dpdeid.labels import Label
from dpdeid.normalize import Clean, clean
from dpdeid.policy.policy import Policy, load_policy
from dpdeid.privacy.ledger import Allowance, Charge, Ledger, by_counts
from dpdeid.privacy.rng import Streams
from dpdeid.protocols import Context, Sharing, ask, asked_for
from dpdeid.spans import disjoint
from dpdeid.substitute.dates.date_parser import EARLIEST
from dpdeid.substitute.fit import fit

_log: Final = logging.getLogger(__name__)

T = TypeVar("T")

_charges: Final = attrgetter("charges")


@dataclass(frozen=True, slots=True)
class Finding:
    """What detection saw in one document. Offsets are those of the raw text.

    Args:
        spans: the merged spans, sorted and disjoint.
        proposals: everything the detectors proposed.
    """

    spans: tuple[Span, ...]
    proposals: tuple[Span, ...] = field(repr=False)


class Deidentifier:
    """De-identifies notes under a policy.

    Names, numbers and places of a patient follow from the key, in whatever calls the notes come;
    noised dates fit together only within one `record` or `pipe`.

    Args:
        policy: a `Policy`, the name of a built-in one ("dp", "aphp", …) or a path to a YAML file.
        key: the cohort's secret, at least 32 bytes. Without one a random key is used: the result is
            as safe, but no later run can give the same patient the same surrogates.
        e0: the cohort's public reference date; every note date lies on or before it. Default: the
            policy's, else `dpdeid.cohort.cohort.DEFAULT_E0`.
        ledger_key: under which units are tagged in ledgers, to add those of several cohorts.
        spent: what earlier releases of this cohort cost; it counts in the caps of the policy. The
            de-identifier does not add to it.

    Pickling it, which is how workers get it, is refused where they would draw otherwise.

    Raises:
        PolicyError: the policy is refused.
        SecretKeyError: a key is too short.

    >>> Deidentifier("redact")("Mme Durand, vue le 12/03/2021.").text
    'Mme [LAST_NAME], vue le [DATE].'
    """

    def __init__(
        self,
        policy: Policy | str | Path = "dp",
        *,
        key: bytes | None = None,
        e0: dt.date | None = None,
        ledger_key: bytes | None = None,
        spent: Ledger | None = None,
    ) -> None:
        self.policy = policy if isinstance(policy, Policy) else load_policy(policy)
        reference = e0 or self.policy.e0 or DEFAULT_E0
        cohort = Cohort.fresh(reference) if key is None else Cohort(key, reference)
        self.cohort = replace(cohort, ledger_key=ledger_key, randomness=self.policy.randomness)
        self._detectors = voices(self.policy.detectors)
        self._propagators = voices(self.policy.propagators)
        self._allowances = tuple(Allowance.of(s.guarantees()) for s in self.policy.strategies)
        self._serving = {
            label: at for at, s in enumerate(self.policy.strategies) for label in s.labels
        }
        self._spent: dict[str, list[Charge]] = defaultdict(list)
        for charge in spent.charges if spent else ():
            self._spent[charge.unit].append(charge)

    def __repr__(self) -> str:
        return f"Deidentifier({self.policy.name!r}, cohort={self.cohort.fingerprint})"

    def __getstate__(self) -> dict[str, object]:
        self.cohort.check_repeatable("a copy of a de-identifier")
        return self.__dict__

    def __call__(self, doc: Document | str) -> Deidentified:
        """One note, as a record of its own.

        Under a policy that noises dates its dates do not fit those of the patient's other notes:
        these must go through one `record` or `pipe`. Names, numbers and places fit, and under a
        shift dates do too.

        Raises:
            InputError: the note cannot be processed.
        """
        (result,) = self.record([_document(doc)])
        return result

    def record(self, docs: Sequence[Document | str]) -> tuple[Deidentified, ...]:
        """All notes of one privacy unit, in the order given. They succeed or fail together.

        Raises:
            InputError: the record cannot be processed.
        """
        try:
            return self._record(list(_documents(docs)))
        except _NoteError as fault:
            raise fault.error from None

    def pipe(self, docs: Iterable[Document | str]) -> Iterator[Deidentified | Failure]:
        """One result a document, in their order; what fails gives a `Failure`.

        Their order may tell what the texts hide: an export sorted by date gives the dates away.
        Whoever writes the results where others read them sorts them by released id first, as
        `dpdeid run` does. See `records` for when documents are read.

        Raises:
            InputError: `docs` is one note, or holds what is none.
            UsageError: nothing can be processed: a model or a list is missing or damaged.
        """
        results: dict[int, Deidentified | Failure] = {}
        done = 0
        for group, given in self.records(enumerate(_documents(docs)), itemgetter(1)):
            results.update(zip((number for number, _ in group), given, strict=True))
            while done in results:
                yield results.pop(done)
                done += 1

    def records(
        self, items: Iterable[T], note: Callable[[T], Document]
    ) -> Iterator[tuple[Sequence[T], Sequence[Deidentified | Failure]]]:
        """What carries notes, in records, each item with its result.

        Under a policy whose unit is the patient all items are read first, because a record is all
        notes of a patient; under the unit note they stream.

        Args:
            note: the note that an item carries.

        Raises:
            UsageError: nothing can be processed: a model or a list is missing or damaged.
        """
        if self.policy.unit == "note":
            yield from (((item,), self._guarded([note(item)])) for item in items)
            return
        groups: dict[object, list[T]] = defaultdict(list)
        for number, item in enumerate(items):
            patient = note(item).patient_id
            groups[number if patient is None else patient].append(item)
        for unit in list(groups):
            group = groups.pop(unit)  # what is done need not be held
            yield group, self._guarded([note(item) for item in group])

    def detect(self, doc: Document | str) -> Finding:
        """What is found in one note, without replacing anything.

        Raises:
            UsageError: a model or a list is missing or damaged.
        """
        return self._find([_document(doc)])[0]

    def _guarded(self, docs: Sequence[Document]) -> Sequence[Deidentified | Failure]:
        """The results of one record, or a failure for each of its notes. The only such place."""
        try:
            return self._record(docs)
        except UsageError:  # not this record's fault: nothing can be processed
            raise
        except _NoteError as fault:
            _log.error("a record of %d notes failed: %s", len(docs), type(fault.error).__name__)
            return [fault.failure(doc) for doc in docs]
        except Exception as error:
            _log.error("a record of %d notes failed: %s", len(docs), type(error).__name__)
            return [Failure.of(doc.id, error) for doc in docs]

    def _record(self, docs: Sequence[Document]) -> tuple[Deidentified, ...]:
        """`record`, but what can be laid to one note is a `_NoteError`."""
        if not docs:
            return ()
        order = sorted(range(len(docs)), key=lambda i: docs[i].id)  # never by their dates
        kind, name = self._unit(docs)
        streams = self.cohort.streams(kind, name)
        record = Record(streams.unit, tuple(docs[i] for i in order))
        results = dict(zip(order, self._release(record, streams), strict=True))
        return tuple(results[i] for i in range(len(docs)))

    def _unit(self, docs: Sequence[Document]) -> tuple[str, str]:
        """What the privacy unit of a record is, and the caller's id of it."""
        patients = {doc.patient_id for doc in docs}
        if len(docs) > 1 and (len(patients) > 1 or self.policy.unit == "note"):
            raise InputError("a record holds one note, or the notes of one patient")
        patient = docs[0].patient_id
        if self.policy.unit == "note" or patient is None:
            return "note", docs[0].id
        return "patient", patient

    def _find(self, docs: Sequence[Document]) -> tuple[Finding, ...]:
        """Detection on clean copies of the texts, with the offsets of the raw ones."""
        views = [clean(doc.text) for doc in docs]
        read = [
            doc if doc.text == view.text else replace(doc, text=view.text)
            for doc, view in zip(docs, views, strict=True)
        ]
        proposals = [self._proposals(doc) for doc in read]
        for name, propagator in self._propagators.items():
            found = [[span for spans in p.values() for span in spans] for p in proposals]
            for proposal, more in zip(proposals, propagator(read, found), strict=True):
                proposal[name] = tuple(said_by(name, more))
        findings = []
        for doc, view, proposal in zip(read, views, proposals, strict=True):
            with _blaming(doc):
                merged = self.policy.merge(doc, proposal)
                every = [span for spans in proposal.values() for span in spans]
                findings.append(Finding(disjoint(_raw(merged, view)), _raw(every, view)))
        return tuple(findings)

    def _proposals(self, doc: Document) -> dict[str, tuple[Span, ...]]:
        with _blaming(doc):
            return {name: tuple(said_by(name, d(doc))) for name, d in self._detectors.items()}

    def _release(self, record: Record, streams: Streams) -> tuple[Deidentified, ...]:
        for doc in record.documents:
            with _blaming(doc):
                self._check_day(doc.note_date)
        mentions = _mentions(record, self._find(record.documents))
        surrogates = self._substitute(mentions, record, streams)
        ledger = Ledger.of(charge for s in surrogates for charge in s.charges)
        of: list[list[Surrogate]] = [[] for _ in record.documents]
        for surrogate in surrogates:
            of[surrogate.mention.document].append(surrogate)
        released = []
        for doc, own in zip(record.documents, of, strict=True):
            with _blaming(doc):
                released.append(self._assemble(doc, own, ledger))
        return tuple(released)

    def _check_day(self, day: dt.date | None) -> None:
        """Refuses the date of a note that no surrogate can stand for."""
        e0 = self.cohort.e0
        if day is not None and day > e0:
            raise InputError(f"note_date lies after the cohort's reference date e0 = {e0}")
        if day is not None and day.year < EARLIEST:
            raise InputError(f"note_date lies before {EARLIEST}")

    def _substitute(
        self, mentions: Sequence[Mention], record: Record, streams: Streams
    ) -> tuple[Surrogate, ...]:
        asked: dict[int | None, list[Mention]] = defaultdict(list)
        for mention in mentions:
            asked[self._serving.get(mention.label)].append(mention)
        before: tuple[Surrogate, ...] = ()
        shares = self._shares(mentions)
        parts = zip(self.policy.strategies, self._allowances, strict=True)
        for at, (strategy, allowance) in enumerate(parts):
            if at not in asked:
                continue
            mine = asked[at]
            if strategy.name in shares and isinstance(strategy, Sharing):
                strategy = strategy.scaled(shares[strategy.name])
                allowance = Allowance.of(strategy.guarantees())
            given = ask(strategy, mine, record, Context(streams, self.cohort.e0, before))
            charges = chain.from_iterable(map(_charges, given))
            if allowance.admits(charges, self._spent.get(record.unit, ())):
                before += given
            else:
                _log.warning(
                    "strategy %s would exceed its budget; %d mentions are redacted",
                    strategy.name,
                    len(given),
                )
        answered = asked_for(before)
        rest = [m for m in mentions if id(m) not in answered]
        if not rest:
            return before
        redacted = ask(self.policy.default, rest, record, Context(streams, self.cohort.e0, before))
        if len(redacted) != len(rest):
            raise InputError("the default strategy did not answer for every mention")
        return (*before, *redacted)

    def _shares(self, mentions: Sequence[Mention]) -> Mapping[str, Fraction]:
        """The shares that follow from the counts of a record, under a policy that asks for it."""
        if not self.policy.by_counts:
            return {}
        values = {
            s.name: len({m.text for m in mentions if m.label in s.labels})
            for s in self.policy.strategies
            if s.name in self.policy.by_counts
        }
        return by_counts(values)

    def _assemble(
        self, doc: Document, surrogates: Sequence[Surrogate], ledger: Ledger
    ) -> Deidentified:
        default = self.policy.default.name
        in_text = fit(doc.text, (s for s in surrogates if s.mention.where == "text"))
        structured = (s for s in surrogates if s.mention.where == "note_date")
        dated = next((s.text for s in structured if s.strategy != default), None)
        return Deidentified(doc.id, rewrite(doc.text, in_text), dated, ledger, in_text)


class _NoteError(Exception):
    """A record fails, and one of its notes is why."""

    def __init__(self, id: str, error: Exception) -> None:  # noqa: A002 - the field's own name
        super().__init__()
        self.id, self.error = id, error

    def failure(self, doc: Document) -> Failure:
        """What may be said of a note of this record."""
        if doc.id == self.id:
            return Failure.of(doc.id, self.error)
        return Failure(doc.id, "another note of this patient failed", cause=self.id)


@contextmanager
def _blaming(doc: Document) -> Iterator[None]:
    """Lays what goes wrong inside to a note, but for what is nobody's fault."""
    try:
        yield
    except UsageError:
        raise
    except Exception as error:
        raise _NoteError(doc.id, error) from error


def _raw(spans: Sequence[Span], view: Clean) -> tuple[Span, ...]:
    """Spans of a clean text as spans of the raw one, where neighbours may share a cluster."""
    if view.offsets is None:
        return tuple(spans)
    raw = [(span, *view.to_raw(span.start, span.end)) for span in spans]
    return tuple(replace(span, start=start, end=end) for span, start, end in raw)


def _documents(docs: Iterable[Document | str]) -> Iterator[Document]:
    if isinstance(docs, str | bytes | Document):
        raise InputError("several notes are a list of Documents or texts, not one")
    return map(_document, docs)


def _document(doc: Document | str) -> Document:
    """A note; a bare text has an id of its own, or all such notes would be one unit."""
    if isinstance(doc, str):
        digest = hashlib.blake2b(doc.encode("utf-8", "surrogatepass"), digest_size=8)
        return Document(f"note-{digest.hexdigest()}", doc)
    if not isinstance(doc, Document):
        raise InputError(f"a note is a Document or a str, not {type(doc).__name__}")
    return doc


def _mentions(record: Record, findings: Sequence[Finding]) -> list[Mention]:
    mentions = []
    for index, (doc, finding) in enumerate(zip(record.documents, findings, strict=True)):
        if doc.note_date is not None:
            iso = doc.note_date.isoformat()
            span = Span(0, len(iso), Label.DATE, source="note_date")
            mentions.append(Mention(index, span, iso, "note_date"))
        mentions += (Mention(index, s, doc.text[s.start : s.end]) for s in finding.spans)
    return mentions
