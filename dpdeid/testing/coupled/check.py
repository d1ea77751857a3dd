"""Releases both fillings of a template from a blind engine and compares all that is released."""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from hashlib import blake2b
from typing import ClassVar, Final

from dpdeid.document import Deidentified, Document, Span
from dpdeid.engine import Deidentifier
from dpdeid.policy import Policy, load_policy, names
from dpdeid.privacy.losses import NoGuarantee
from dpdeid.protocols import Detector
from dpdeid.spans import disjoint
from dpdeid.testing.coupled.blind import BlindCohort
from dpdeid.testing.coupled.pair import Pair
from dpdeid.testing.coupled.template import E0, Filling, Template

_SERVED: Final = frozenset({"dates", "places"})


def stated_policies() -> tuple[Policy, ...]:
    """The built-in policies that state a loss for all that they draw for dates and places."""
    return tuple(policy for policy in map(load_policy, names()) if is_stated(policy))


def is_stated(policy: Policy) -> bool:
    """Whether a policy has dates or places, and a loss for every draw of theirs."""
    drawn = [g for s in policy.strategies if s.name in _SERVED for g in s.guarantees()]
    return bool(drawn) and not any(isinstance(one.loss, NoGuarantee) for one in drawn)


def keeps_order(policy: Policy) -> bool:
    """Whether the order of dates is part of the policy's skeleton."""
    timelines = (getattr(strategy, "timeline", None) for strategy in policy.strategies)
    return all(getattr(timeline, "ordered", True) for timeline in timelines)


@dataclass(frozen=True, slots=True)
class Planted:
    """A detector that finds the spans of a filled template, whatever its text."""

    spans: Mapping[str, tuple[Span, ...]] = field(repr=False)
    name: ClassVar[str] = "planted"

    def __call__(self, doc: Document) -> tuple[Span, ...]:
        return self.spans[doc.id]


@dataclass(frozen=True, slots=True)
class _AsPlanted:
    """A merge that takes the planted spans as they are."""

    def __call__(self, doc: Document, proposals: Mapping[str, Sequence[Span]]) -> tuple[Span, ...]:
        return disjoint([span for spans in proposals.values() for span in spans])

    def reason(self, span: Span, proposals: Sequence[Span]) -> str:
        return "planted"


def release(policy: Policy, template: Template, filling: Filling, seed: int) -> Hashable:
    """All that is released of a filling: of each note the text, its date, and what was charged.

    To be called while mechanisms are `blinded`.
    """
    filled = template.fill(filling)
    detector: Detector = Planted({doc.id: spans for doc, spans in filled})
    bare = replace(policy, detectors=(detector,), propagators=(), merge=_AsPlanted())
    key = blake2b(f"coupled {seed}".encode(), digest_size=32).digest()
    deidentifier = Deidentifier(bare, key=key, e0=E0)
    deidentifier.cohort = BlindCohort(key, E0)
    return tuple(map(_shown, deidentifier.record([doc for doc, _ in filled])))


def _shown(note: Deidentified) -> tuple[Hashable, ...]:
    labels = tuple((s.mention.span.label, s.strategy) for s in note.surrogates)
    charges = sorted((charge.mechanism, str(charge.loss)) for charge in note.ledger.charges)
    return note.text, note.note_date, labels, tuple(charges)


@dataclass(frozen=True, slots=True)
class Violation:
    """Two records of one skeleton whose releases differ though no mechanism saw a value.

    Args:
        pair: fictitious.
        released: what came out of either filling.
    """

    policy: str
    pair: Pair
    released: tuple[Hashable, Hashable]

    def lines(self) -> Iterator[str]:
        """The two records and the two releases, each on a line."""
        template = self.pair.template
        for filling, out in zip((self.pair.one, self.pair.other), self.released, strict=True):
            docs = [doc for doc, _ in template.fill(filling)]
            yield "in:  " + " | ".join(f"[{doc.note_date}] {doc.text!r}" for doc in docs)
            assert isinstance(out, tuple)
            yield "out: " + " | ".join(f"[{date}] {text!r}" for text, date, _, _ in out)

    def __str__(self) -> str:
        return "\n".join([f"{self.policy}, template {self.pair.number}:", *self.lines()])


def compared(policy: Policy, pair: Pair) -> Violation | None:
    """The violation that a pair shows, None if it shows none. Needs `blinded`."""
    released = tuple(
        release(policy, pair.template, filling, pair.seed) for filling in (pair.one, pair.other)
    )
    one, other = released
    return None if one == other else Violation(policy.name, pair, (one, other))
