"""The contracts of the parts that others may add: detectors, merges and strategies.

Each is satisfied by one frozen dataclass whose fields are its options in a policy file: a policy
rule is its constructor call. Nothing here knows which parts exist; `dpdeid.policy.policy` has
the names. `ask` looks through what a strategy gives before anything is replaced by it.
"""

from __future__ import annotations

import datetime as dt
import logging
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from operator import attrgetter
from typing import ClassVar, Final, Literal, Protocol, runtime_checkable

from dpdeid.document import Document, Mention, Record, Span, Surrogate, rewrite
from dpdeid.labels import Label
from dpdeid.privacy.leakage import Leakage
from dpdeid.privacy.ledger import Forecast, Wording
from dpdeid.privacy.losses import Loss
from dpdeid.privacy.memory import Memory
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

    @property
    def needs(self) -> tuple[str, ...]:
        """Kinds of detectors without which labels would be lost."""

    def __call__(
        self, doc: Document, proposals: Mapping[str, Sequence[Span]]
    ) -> tuple[Span, ...]: ...

    def reason(self, span: Span, proposals: Sequence[Span]) -> str:
        """In a few words, why `span` came out of the proposals that overlap it."""


HIDDEN: Final = "\ufffc"
"""Stands for a value, or a character of one, that is not looked at."""


@dataclass(frozen=True, slots=True)
class Context:
    """What a strategy may use beside the mentions and the record.

    Args:
        streams: keyed randomness, already bound to the unit of the record.
        e0: the public reference date of the cohort; nothing before its anchor is released after it.
        before: the surrogates of the strategies that ran earlier, in their order.
        memory: what earlier releases of the unit were; a strategy adds what it releases.
        mentions: all mentions of the record, of every label, in their order.
        kept: the labels whose values stay.
    """

    streams: Streams
    e0: dt.date
    before: tuple[Surrogate, ...] = field(default=(), repr=False)
    memory: Memory = field(default_factory=Memory, repr=False)
    mentions: Sequence[Mention] = field(default=(), repr=False)
    kept: frozenset[Label] = frozenset()

    @property
    def replaced(self) -> tuple[Mention, ...]:
        """The mentions whose values do not stay."""
        return tuple([mention for mention in self.mentions if mention.label not in self.kept])

    def public(
        self, documents: Sequence[Document], shown: Callable[[Mention], bool] = lambda _: False
    ) -> list[Document]:
        """The notes with `HIDDEN` for each character whose value does not stay, but of what is
        `shown`: what is decided by the words of these follows no other value.
        """
        own = defaultdict[int, list[Surrogate]](list)
        for one in self.replaced:
            if one.where == "text" and not shown(one):
                own[one.document].append(Surrogate(one, HIDDEN * len(one.span), ""))
        texts = (rewrite(doc.text, own[at]) for at, doc in enumerate(documents))
        return [replace(doc, text=text) for doc, text in zip(documents, texts, strict=True)]

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
        """The same with its ε times a share: of a total in (0, 1], larger to see what that buys."""


Unit = Literal["note", "patient"]


@runtime_checkable
class Stating(Protocol):
    """A strategy that words its own part of a policy's statement."""

    def wording(self) -> Wording: ...


@runtime_checkable
class Forecasting(Protocol):
    """A strategy that tells what its surrogates will be worth, before any note is seen."""

    def forecast(self, unit: Unit) -> Forecast: ...


@runtime_checkable
class Leaking(Protocol):
    """A strategy that tells where it protects less than it seems to, beside what losses tell."""

    def leaks(self) -> Iterable[str]: ...


@runtime_checkable
class Bounding(Protocol):
    """A strategy that bounds in bits what its draws tell; None where nothing is proved."""

    def leakage(self) -> Leakage | None: ...


@runtime_checkable
class Showing(Protocol):
    """A strategy that says what of the skeleton each of its mentions shows, no original in it."""

    def shows(
        self, mentions: Sequence[Mention], record: Record, e0: dt.date
    ) -> Iterable[tuple[Mention, str]]: ...


_log: Final = logging.getLogger(__name__)

_mention: Final = attrgetter("mention")


def asked_for(given: Iterable[Surrogate]) -> set[int]:
    """The mentions that surrogates answer for."""
    return set(map(id, map(_mention, given)))


def ask(
    strategy: Strategy, mentions: Sequence[Mention], record: Record, context: Context
) -> tuple[Surrogate, ...]:
    """What a strategy gives for its mentions; nothing at all if it fails or answers wrongly.

    It answers with the mentions themselves, so that nobody else's text can be replaced.
    """
    try:
        given = tuple(strategy.substitute(mentions, record, context))
    except Exception as error:  # a strategy may be anybody's; the engine redacts instead
        _log.warning(
            "strategy %s failed (%s); %d mentions are redacted",
            strategy.name,
            type(error).__name__,
            len(mentions),
        )
        return ()
    answered = asked_for(given)
    if len(answered) != len(given) or not answered.issubset(map(id, mentions)):
        _log.warning("strategy %s answered for what it was not asked; redacted", strategy.name)
        return ()
    return given
