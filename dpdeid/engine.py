"""The one way through: detect → merge → group → substitute → fit → rewrite → ledger.

A `Deidentifier` binds a policy to a key and holds no other state: the same record gives the same
result in any process and any order. What goes wrong inside a record fails all of it, with a message
that repeats nothing and names the note at fault; a strategy that fails has its mentions redacted.
"""

from __future__ import annotations

import datetime as dt
import logging
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from functools import partial
from itertools import chain
from operator import attrgetter, itemgetter
from pathlib import Path
from typing import Final, TypeVar

from dpdeid.cohort.cohort import DEFAULT_E0, Cohort
from dpdeid.cohort.vault import OLD, OTHER, Vault
from dpdeid.detect.languages.paragraphs import stretches
from dpdeid.detect.merge.published import said_by, voices
from dpdeid.document import (
    Deidentified,
    Document,
    Failure,
    Finding,
    Mention,
    NoteError,
    Record,
    Span,
    Surrogate,
    Task,
    as_document,
    as_documents,
    each_note,
    mentions_of,
    rewrite,
)
from dpdeid.errors import CohortError, InputError, UsageError
from dpdeid.policy.policy import Policy, load_policy
from dpdeid.privacy.ledger import Allowance, Charge, Ledger, by_counts
from dpdeid.privacy.memory import Memory
from dpdeid.privacy.rng import Streams
from dpdeid.protocols import Context, Sharing, ask, asked_for
from dpdeid.spans import UNREAD, disjoint
from dpdeid.substitute.dates.written.parser import EARLIEST
from dpdeid.substitute.fit import fit
from dpdeid.substitute.widths import in_widths
from dpdeid.views.plain import reading_of
from dpdeid.views.reading import Reading
from dpdeid.views.written import written

_log: Final = logging.getLogger(__name__)
_OVER: Final = "strategy %s would exceed its budget; %d mentions are redacted"

T = TypeVar("T")

_charges: Final = attrgetter("charges")


class Deidentifier:
    """De-identifies notes under a policy.

    Names and numbers of a patient follow from the key, in whatever calls the notes come; noised
    dates and towns fit together within one `record` or `pipe`, and over all calls with a vault.
    Pickling it, which is how workers get it, is refused where they would draw otherwise.

    Args:
        policy: a `Policy`, the name of a built-in one ("dp", "aphp", …) or a path to a YAML file.
        key: the cohort's secret, at least 32 bytes that somebody drew. Without one a random key is
            used: the result is as safe, but no later run can give the same patient the same
            surrogates.
        e0: the cohort's public reference date; every note date lies on or before it. Default: the
            policy's, else `dpdeid.cohort.cohort.DEFAULT_E0`.
        ledger_key: under which units are tagged in ledgers, to add those of several cohorts.
        spent: what earlier releases of this cohort cost; it counts in the caps of the policy.
            Nothing is added to it.
        vault: what earlier releases of this cohort were: later ones fit. Each is added to it.

    Raises:
        PolicyError: the policy is refused.
        SecretKeyError: a key is no bytes, too short, or can be guessed.

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
        vault: Vault | None = None,
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
        self._vault = vault

    def __repr__(self) -> str:
        return f"Deidentifier({self.policy.name!r}, cohort={self.cohort.fingerprint})"

    def __getstate__(self) -> dict[str, object]:
        self.cohort.check_repeatable("a copy of a de-identifier")
        if self._vault is not None:
            raise UsageError("a de-identifier with a vault cannot be copied: one process has it")
        return self.__dict__

    def __call__(self, doc: Document | str) -> Deidentified:
        """One note, as a record of its own.

        Under a policy that noises dates they do not fit those of the patient's other notes, if
        these do not go through one `record` or `pipe` with it, and there is no vault.

        Raises:
            InputError: the note cannot be processed.
        """
        (result,) = self.record([as_document(doc)])
        return result

    def record(self, docs: Sequence[Document | str]) -> tuple[Deidentified, ...]:
        """All notes of one privacy unit, in the order given. They succeed or fail together.

        Raises:
            InputError: the record cannot be processed.
        """
        try:
            return self._record(list(as_documents(docs)))
        except NoteError as fault:
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
        for group, given in self.records(enumerate(as_documents(docs)), itemgetter(1)):
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
            yield from (((item,), self.results([note(item)])) for item in items)
            return
        groups: dict[object, list[T]] = defaultdict(list)
        for number, item in enumerate(items):
            patient = self._patient(note(item))
            groups[number if patient is None else patient].append(item)
        for unit in list(groups):
            group = groups.pop(unit)  # what is done need not be held
            yield group, self.results([note(item) for item in group])

    def detect(self, doc: Document | str) -> Finding:
        """What is found in one note, without replacing anything.

        Raises:
            UsageError: a model or a list is missing or damaged.
        """
        plain, (reading,) = _read([as_document(doc)])
        (found,) = self._find(plain, [reading])
        return Finding(disjoint(reading.raw_spans(found.spans)), reading.raw_spans(found.proposals))

    def results(self, docs: Sequence[Document]) -> Sequence[Deidentified | Failure]:
        """The results of one record, or a failure for each of its notes."""
        task = self.task(docs)
        if not isinstance(task, Task):
            return task
        results, memory = self.attempt(task)
        self.keep(task, memory)
        return results

    def task(self, docs: Sequence[Document]) -> Task | Sequence[Failure]:
        """What `attempt` needs to know of a record beside the key, or a failure for each note."""
        try:
            return self._task(docs)
        except UsageError:
            raise
        except Exception as error:
            return _failures(docs, error)

    def attempt(self, task: Task) -> tuple[Sequence[Deidentified | Failure], Memory | None]:
        """The results of a task, or a failure for each of its notes; and what is known of the unit
        from then on. Nothing beside the key and the task decides: any process may do it.
        """
        try:
            return self._release(task)
        except UsageError:  # not this record's fault: nothing can be processed
            raise
        except Exception as error:
            return _failures(task.documents, error), None

    def keep(self, task: Task, memory: Memory | None) -> None:
        """Puts what is known of the unit of a task into the vault, if there is one."""
        if self._vault and memory is not None:
            self._vault.keep(task.unit, memory)

    def _record(self, docs: Sequence[Document]) -> tuple[Deidentified, ...]:
        """`record`, but what can be laid to notes is a `NoteError`."""
        if docs:
            released, memory = self._release(task := self._task(docs))
            self.keep(task, memory)
        return released if docs else ()

    def _task(self, docs: Sequence[Document]) -> Task:
        unit = self.unit(docs)
        tag = self.cohort.unit(*unit)
        memory = self._recall(unit, tag)
        if self._vault and unit[0] == "note" and not memory.is_of(self.cohort.seal(docs[0].text)):
            raise InputError(OTHER)
        return Task(tuple(docs), unit, memory, tuple(self._spent.get(tag, ())))

    def unit(self, docs: Sequence[Document]) -> tuple[str, str]:
        """What the privacy unit of a record is, and the caller's id of it; InputError if none."""
        (patient, *others) = {self._patient(doc) for doc in docs}
        alone = self.policy.unit == "note" or patient is None
        if len(docs) > 1 and (others or alone):
            raise InputError("a record holds one note, or the notes of one patient")
        if len({doc.id for doc in docs}) < len(docs):
            raise InputError("two notes of a record have one id")
        return ("note", docs[0].id) if alone or patient is None else ("patient", patient)

    def _patient(self, doc: Document) -> str | None:
        """The id of the patient of a note, or the one with which it was merged."""
        if self._vault is None or doc.patient_id is None:
            return doc.patient_id
        return self._vault.patient(doc.patient_id)

    def _find(self, docs: Sequence[Document], readings: Sequence[Reading]) -> Sequence[Finding]:
        """What is found in the plain texts of the notes of a record."""
        proposals = each_note(docs, self._proposals)
        for name, propagator in self._propagators.items():
            found = [[span for spans in p.values() for span in spans] for p in proposals]
            for proposal, more in zip(proposals, propagator(docs, found), strict=True):
                proposal[name] = tuple(said_by(name, more))
        findings = each_note(docs, self._merged, proposals)
        return [
            replace(found, spans=reading.parted(found.spans))
            for found, reading in zip(findings, readings, strict=True)
        ]

    def _proposals(self, doc: Document) -> dict[str, tuple[Span, ...]]:
        return {name: tuple(said_by(name, d(doc))) for name, d in self._detectors.items()}

    def _merged(self, doc: Document, proposals: Mapping[str, tuple[Span, ...]]) -> Finding:
        every = tuple(span for spans in proposals.values() for span in spans)
        return Finding(self.policy.merge(doc, proposals), every)

    def _release(self, task: Task) -> tuple[tuple[Deidentified, ...], Memory]:
        """The results of a record, and what is known of the unit from now on."""
        docs = task.documents
        order = sorted(range(len(docs)), key=lambda i: docs[i].id)  # never by their dates
        streams = self.cohort.streams(*task.unit, docs[0].text if task.unit[0] == "note" else "")
        each_note(docs, self.check_day)
        plain, readings = _read([docs[i] for i in order])
        record = Record(streams.unit, tuple(plain))
        mentions = mentions_of(record, self._find(plain, readings))
        surrogates, memory = self._substitute(mentions, record, streams, task)
        ledger = Ledger.of(charge for s in surrogates for charge in s.charges)
        of: list[list[Surrogate]] = [[] for _ in docs]
        for surrogate in surrogates:
            of[surrogate.mention.document].append(surrogate)
        released = each_note(plain, partial(self._assemble, ledger), readings, of)
        results = dict(zip(order, released, strict=True))
        return tuple(results[i] for i in range(len(docs))), memory

    def _recall(self, unit: tuple[str, str], tag: str) -> Memory:
        """What was released of a unit before; its tag is that of the account.

        Raises:
            CohortError: the account knows the unit and the vault does not.
        """
        if self._vault is None:
            return Memory()
        if (found := self._vault.recall(unit)) is None and tag in self._spent:
            raise CohortError(OLD)
        return found or Memory()

    def check_day(self, doc: Document) -> None:
        """Refuses, with InputError, the date of a note that no surrogate can stand for."""
        day, e0 = doc.note_date, self.cohort.e0
        if day is not None and day > e0:
            raise InputError(f"note_date lies after the cohort's reference date e0 = {e0}")
        if day is not None and day.year < EARLIEST:
            raise InputError(f"note_date lies before {EARLIEST}")

    def _substitute(
        self, mentions: Sequence[Mention], record: Record, streams: Streams, task: Task
    ) -> tuple[tuple[Surrogate, ...], Memory]:
        """The surrogates, and what is known of the unit from now on."""
        asked: dict[int | None, list[Mention]] = defaultdict(list)
        for mention in mentions:
            server = self._serving.get(mention.label) if mention.span.source != UNREAD else None
            asked[server].append(mention)
        kept = frozenset(x for s in self.policy.strategies if s.name == "keep" for x in s.labels)
        context = Context(streams, self.cohort.e0, (), task.memory, mentions, kept)
        shares = self._shares(mentions)
        for at, strategy in enumerate(self.policy.strategies):
            if at not in asked:
                continue
            allowance = self._allowances[at]
            if strategy.name in shares and isinstance(strategy, Sharing):
                strategy = strategy.scaled(shares[strategy.name])
                allowance = Allowance.of(strategy.guarantees())
            trial = replace(context, memory=context.memory.copy())
            given = ask(strategy, asked[at], record, trial)
            charges = chain.from_iterable(map(_charges, given))
            if allowance.admits(charges, task.spent):
                context = replace(trial, before=(*context.before, *given))
            else:
                _log.warning(_OVER, strategy.name, len(given))
        answered = asked_for(context.before)
        if not (rest := [m for m in mentions if id(m) not in answered]):
            return context.before, context.memory
        redacted = ask(self.policy.default, rest, record, context)
        if len(redacted) != len(rest):
            raise InputError("the default strategy did not answer for every mention")
        return (*context.before, *redacted), context.memory

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
        self, ledger: Ledger, doc: Document, reading: Reading, surrogates: Sequence[Surrogate]
    ) -> Deidentified:
        given = (s for s in surrogates if s.mention.where == "text")
        in_text = tuple(in_widths(reading.raw, written(reading, *fit(doc.text, given))))
        read = (s for s in surrogates if s.strategy != self.policy.default.name)
        dated = next((s.text for s in read if s.mention.where == "note_date"), None)
        unread = sum(not part.read for part in stretches(doc))
        return Deidentified(doc.id, rewrite(reading.raw, in_text), dated, ledger, in_text, unread)


def _failures(docs: Sequence[Document], error: Exception) -> Sequence[Failure]:
    """What may be said of each note of a record that fails. The only such place."""
    fault = error.error if isinstance(error, NoteError) else error
    _log.error("a record of %d notes failed: %s", len(docs), type(fault).__name__)
    if isinstance(error, NoteError):
        return [error.failure(doc) for doc in docs]
    return [Failure.of(doc.id, error) for doc in docs]


def _read(docs: Sequence[Document]) -> tuple[list[Document], list[Reading]]:
    """The notes with their plain texts, and how these were read."""
    readings = [reading_of(doc.text) for doc in docs]
    plain = [
        doc if doc.text == reading.text else replace(doc, text=reading.text)
        for doc, reading in zip(docs, readings, strict=True)
    ]
    return plain, readings
