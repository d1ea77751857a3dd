"""The contracts of the parts that others may add: detectors, merges and strategies.

Each is satisfied by one frozen dataclass whose fields are its options in a policy file: a policy
rule is its constructor call. Nothing here knows which parts exist; `dpdeid.policy` has the names.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import ClassVar, Protocol, runtime_checkable

from dpdeid.document import Document, Mention, Record, Span, Surrogate
from dpdeid.labels import Label
from dpdeid.privacy.losses import Loss
from dpdeid.privacy.rng import Streams


@runtime_checkable
class Detector(Protocol):
    """Finds spans in one document. Spans may overlap; each names its source and its score."""

    name: ClassVar[str]

    def __call__(self, doc: Document) -> Iterable[Span]: ...


@runtime_checkable
class Learned(Protocol):
    """A detector with a trained model."""

    name: ClassVar[str]

    def model_files(self) -> Mapping[str, str]:
        """File of the model → its SHA-256 (hex); other files find other spans.

        Raises:
            ModelError: there is no such model, or its card is damaged.
        """


@runtime_checkable
class Propagator(Protocol):
    """Finds more spans in the notes of a record, from what the detectors found in all of them."""

    name: ClassVar[str]

    def __call__(
        self, documents: Sequence[Document], found: Sequence[Sequence[Span]]
    ) -> Sequence[Sequence[Span]]: ...


@runtime_checkable
class Merge(Protocol):
    """Decides between the proposals of several detectors.

    Returns spans that are sorted, disjoint and independent of the order of the proposals. They
    cover every character that any of them covered (white space at the ends apart), but for what
    the rule says it drops.
    """

    def __call__(
        self, doc: Document, proposals: Mapping[str, Sequence[Span]]
    ) -> tuple[Span, ...]: ...

    def reason(self, span: Span, proposals: Sequence[Span]) -> str:
        """In a few words, why `span` came out of the proposals that overlap it."""


@dataclass(frozen=True, slots=True)
class Context:
    """What a strategy may use beside the mentions and the record.

    Args:
        streams: keyed randomness, already bound to the unit of the record.
        e0: the public reference date of the cohort; nothing before its anchor is released after it.
        before: the surrogates of the strategies that ran earlier, in their order.
    """

    streams: Streams
    e0: dt.date
    before: tuple[Surrogate, ...] = field(default=(), repr=False)

    def values(self, *labels: Label) -> tuple[tuple[Mention, object], ...]:
        """Mentions of these labels with a surrogate in normal form, and that form."""
        return tuple(
            [
                (mention, value)
                for mention, _, _, _, value in self.before
                if value is not None and mention.span.label in labels
            ]
        )


@dataclass(frozen=True, slots=True)
class Guarantee:
    """What `check` prints for one mechanism of a strategy, before any note is seen.

    Args:
        labels: the labels it serves.
        mechanism: its name and parameters.
        loss: what one draw costs.
        cap: at most how many draws a unit makes, None where there is no cap, 0 where they count in
            the cap of the entry before.
        note: one more sentence for the reader, or "".
    """

    labels: tuple[Label, ...]
    mechanism: str
    loss: Loss
    cap: int | None = None
    note: str = ""


@runtime_checkable
class Strategy(Protocol):
    """Replaces all mentions of its labels in one record.

    It gets the mentions of the whole record at once, because dates share a timeline and names a
    person. A surrogate carries the mention it was asked for, the same object. A mention it gives no
    surrogate for is redacted by the engine, and so are all of its mentions if it raises; the
    original is never the fallback. `needs` names the strategies that must stand before it in a
    policy that has them.
    """

    name: ClassVar[str]
    needs: ClassVar[tuple[str, ...]]

    @property
    def labels(self) -> tuple[Label, ...]: ...

    def substitute(
        self, mentions: Sequence[Mention], record: Record, context: Context
    ) -> Iterable[Surrogate]: ...

    def guarantees(self) -> tuple[Guarantee, ...]:
        """One entry for each mechanism it draws from; none for plain redaction."""


@runtime_checkable
class Sharing(Strategy, Protocol):
    """A strategy whose ε can be a share of a total that depends on the note."""

    def scaled(self, share: Fraction) -> Strategy:
        """The same with its ε times a share in (0, 1]."""
