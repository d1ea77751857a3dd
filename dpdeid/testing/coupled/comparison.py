"""Releases of both fillings of a template that differ, though no mechanism saw a value.

The engine that releases is blind, so that both see the same randomness:

- `randomise` of every mechanism draws from its own distribution as ever, but at an input that the
  position of the draw decides, not at the true one;
- the names of random streams: the n-th name that a strategy asks for is "n", and an equal name has
  the same number, so equalities stay what they are and no value names a draw.

All else runs as shipped: reading of dates and towns, which dates are equal, what anchors a note,
sides, caps and budgets, the choice of a mechanism and of its domain, what is over a cap, order,
decoding, clamps, ranges, rendering, articles, the ledger. So whatever two releases still differ in
went around the mechanisms. What is the same for both fillings, a draw that notes share which are
released one by one without a vault, is told by its name: notes with no value in common share none.

`fuzz` tries many templates under one policy, and makes each difference as small as it still shows,
so that it can be read at a glance.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence, Set
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from hashlib import blake2b
from typing import Any, ClassVar, Final

from dpdeid.cohort.cohort import Cohort
from dpdeid.cohort.vault import Vault
from dpdeid.document import Deidentified, Document, Span
from dpdeid.engine import Deidentifier
from dpdeid.policy.policy import Policy, load_policy, names
from dpdeid.privacy.losses import NoGuarantee
from dpdeid.privacy.mechanisms.falling import BoundedLaplace, ClampedGeometric
from dpdeid.privacy.mechanisms.proportional import ProportionalNoise
from dpdeid.privacy.mechanisms.window import PriorWindow, Window
from dpdeid.privacy.places.planar import PlanarLaplace
from dpdeid.privacy.places.weighted import WeighedPlaces
from dpdeid.privacy.rng import Source, Stream, Streams
from dpdeid.protocols import Detector
from dpdeid.spans import disjoint
from dpdeid.testing.coupled.generate import pairs
from dpdeid.testing.coupled.skeleton import Pair, is_sound
from dpdeid.testing.coupled.template import E0, Filling, Note, Template

OF_INTEGERS: Final = (BoundedLaplace, ClampedGeometric, PriorWindow, ProportionalNoise, Window)
OF_PLACES: Final = (PlanarLaplace, WeighedPlaces)


@contextmanager
def blinded() -> Iterator[None]:
    """Within it every mechanism of this process is blind; not for several threads."""
    seeing = {cls: cls.randomise for cls in (*OF_INTEGERS, *OF_PLACES)}
    try:
        for cls, randomise in seeing.items():
            type.__setattr__(cls, "randomise", _blind(randomise))
        yield
    finally:
        for cls, randomise in seeing.items():
            type.__setattr__(cls, "randomise", randomise)


def _blind(randomise: Callable[..., int]) -> Callable[..., int]:
    def blind(mechanism: Any, *given: Any) -> int:
        source = given[-1]
        return randomise(mechanism, *_somewhere(mechanism, source), source)

    return blind


def _somewhere(mechanism: Any, source: Source) -> tuple[float, ...]:
    """An input of the domain: of a list or prior, where there is one, else of any magnitude."""
    if isinstance(mechanism, OF_PLACES):
        return mechanism.places.positions[source.randbelow(len(mechanism.places.positions))]
    if isinstance(mechanism, PriorWindow):
        return (mechanism.table[source.randbelow(len(mechanism.table))],)
    domain: range = mechanism.domain
    away = source.randbelow(1 << source.randbelow(len(domain).bit_length()))
    near = 0 if 0 in domain else domain[0]
    return (near + (away if source.randbelow(2) or near - away not in domain else -away),)


class BlindStreams(Streams):
    """Streams that are named by the order in which they are first asked for, purpose by purpose."""

    def __init__(self, streams: Streams) -> None:
        super().__init__(streams.key, streams.unit, streams.scope)
        object.__setattr__(self, "_numbers", {})

    def named(self, *name: str) -> tuple[Stream, str]:
        return super().named(*self._position(name))

    def event(self, *name: str) -> str:
        return super().event(*self._position(name))

    def _position(self, name: tuple[str, ...]) -> tuple[str, str]:
        numbers: dict[str, dict[tuple[str, ...], int]] = getattr(self, "_numbers")  # noqa: B009
        known = numbers.setdefault(name[0], {})
        return name[0], str(known.setdefault(name, len(known)))

    def asked(self) -> frozenset[tuple[str, ...]]:
        """The true names of all streams that were asked for."""
        return frozenset(name for known in getattr(self, "_numbers").values() for name in known)  # noqa: B009


@dataclass(frozen=True)
class BlindCohort(Cohort):
    """A cohort whose units have blind streams.

    Args:
        made: those that were asked for, in their order.
    """

    made: list[BlindStreams] = field(default_factory=list, repr=False, compare=False)

    def streams(self, kind: str, id: str, text: str = "") -> Streams:  # noqa: A002 - as above it
        self.made.append(BlindStreams(Cohort.streams(self, kind, id, text)))
        return self.made[-1]


_SERVED: Final = frozenset({"dates", "places"})


def stated_policies() -> tuple[Policy, ...]:
    """The built-in policies that state a loss for all that they draw for dates and places."""
    return tuple(policy for policy in map(load_policy, names()) if is_stated(policy))


def is_stated(policy: Policy) -> bool:
    """Whether a policy has dates or places, and a loss for every draw of theirs."""
    drawn = [g for s in policy.strategies if s.name in _SERVED for g in s.guarantees()]
    return bool(drawn) and not any(isinstance(one.loss, NoGuarantee) for one in drawn)


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

    needs: ClassVar[tuple[str, ...]] = ()

    def __call__(self, doc: Document, proposals: Mapping[str, Sequence[Span]]) -> tuple[Span, ...]:
        return disjoint([span for spans in proposals.values() for span in spans])

    def reason(self, span: Span, proposals: Sequence[Span]) -> str:
        return "planted"


Shown = tuple[str, str | None, Hashable, Hashable]
"""What is released of a note: the text, its date, what was replaced how, and what was charged."""


def release(policy: Policy, template: Template, filling: Filling, seed: int) -> tuple[Shown, ...]:
    """All that is released of a filling, note by note; several notes also as they come one by one,
    with a vault.

    To be called while mechanisms are `blinded`.
    """
    filled = template.fill(filling)
    docs = [doc for doc, _ in filled]
    together = _engine(policy, filled, seed).record(docs)
    vault = Vault(None, _key(seed)) if template.can_come_apart else None
    apart = map(_engine(policy, filled, seed, vault), docs) if template.can_come_apart else ()
    return tuple(map(_shown, (*together, *apart)))


def _tells(name: tuple[str, ...]) -> bool:
    """Whether a value names a draw: no released town (of a postal code), and no list alone."""
    head, own = name[:2], {*name[2:]}
    return head != ("places", "zip") and (head != ("places", "gravity") or len(own) > 1)


def drawn_twice(policy: Policy, template: Template, filling: Filling, seed: int) -> tuple[str, ...]:
    """The purposes of draws that two notes share though they have no value in common: each is
    released alone under one key, without a vault. Needs `blinded`.
    """
    filled, plain = template.fill(filling), template.as_plain().fill(filling)
    found: set[str] = set()
    before: list[tuple[Set[str], Set[tuple[str, ...]]]] = []
    for at, (doc, spans) in enumerate(plain):
        engine = _engine(policy, filled, seed)
        engine(filled[at][0])
        names = {name for one in engine.cohort.made for name in one.asked() if _tells(name)}
        said = template.variables_of(at) | {doc.text[s.start : s.end] for s in spans}
        for other, drawn in before:
            found |= {name[0] for name in names & drawn if not said & other}
        before.append((said, names))
    return tuple(sorted(found))


def _key(seed: int) -> bytes:
    return blake2b(f"coupled {seed}".encode(), digest_size=32).digest()


class _Blind(Deidentifier):
    """One whose cohort is blind."""

    cohort: BlindCohort


def _engine(
    policy: Policy,
    filled: Sequence[tuple[Document, Sequence[Span]]],
    seed: int,
    vault: Vault | None = None,
) -> _Blind:
    detector: Detector = Planted({doc.id: tuple(spans) for doc, spans in filled})
    bare = replace(policy.found_by(detector, merge=_AsPlanted()), propagators=())
    made = _Blind(bare, key=_key(seed), e0=E0, vault=vault)
    made.cohort = BlindCohort(_key(seed), E0)
    return made


def _shown(note: Deidentified) -> Shown:
    labels = tuple((s.mention.span.label, s.strategy) for s in note.surrogates)
    charges = sorted((charge.mechanism, str(charge.loss)) for charge in note.ledger.charges)
    return note.text, note.note_date, labels, tuple(charges)


@dataclass(frozen=True, slots=True)
class Violation:
    """Two records of one skeleton whose releases differ though no mechanism saw a value.

    Args:
        pair: fictitious.
        released: what came out of either filling.
        shared: the purposes of draws that notes share which have no value in common.
    """

    policy: str
    pair: Pair
    released: tuple[tuple[Shown, ...], tuple[Shown, ...]] = field(repr=False)
    shared: tuple[str, ...] = ()

    def lines(self) -> Iterator[str]:
        """The two records and the two releases, each on a line."""
        template = self.pair.template
        for filling, out in zip((self.pair.one, self.pair.other), self.released, strict=True):
            docs = [doc for doc, _ in template.fill(filling)]
            yield "in:  " + " | ".join(f"[{doc.note_date}] {doc.text!r}" for doc in docs)
            yield "out: " + " | ".join(f"[{date}] {text!r}" for text, date, _, _ in out)
        if self.shared:
            yield f"one by one, notes share draws of {', '.join(self.shared)}"

    def __str__(self) -> str:
        return "\n".join([f"{self.policy}, template {self.pair.number}:", *self.lines()])


def compared(policy: Policy, pair: Pair) -> Violation | None:
    """The violation that a pair shows, None if it shows none. Needs `blinded`."""
    one, other = (release(policy, pair.template, x, pair.seed) for x in (pair.one, pair.other))
    shared: tuple[str, ...] = ()
    if pair.template.can_come_apart:
        shared = drawn_twice(policy, pair.template, pair.one, pair.seed)
    if one == other and not shared:
        return None
    return Violation(policy.name, pair, (one, other), shared)


_SEEDS: Final = range(12)


def shrunk(policy: Policy, violation: Violation) -> Violation:
    """The violation, greedily, without what it does not need, under another key if need be."""
    found = violation
    while True:
        for pair in _smaller(found.pair):
            if not is_sound(pair):
                continue
            again = (compared(policy, replace(pair, seed=seed)) for seed in (pair.seed, *_SEEDS))
            if (less := next(filter(None, again), None)) is not None:
                found = less
                break
        else:
            return found


def _smaller(pair: Pair) -> Iterator[Pair]:
    """Pairs with one note, one phrase, one date of a note or one difference less."""
    template = pair.template
    for at, note in enumerate(template.notes):
        if len(template.notes) > 1:
            yield replace(pair, template=template.with_notes(at))
        for which in range(len(note.phrases)):
            yield replace(pair, template=template.with_phrases(at, which))
        if note.date is not None:
            yield replace(pair, template=template.with_notes(at, Note(None, note.phrases)))
    for var in sorted(template.variables()):
        if pair.one[var] != pair.other[var]:
            yield replace(pair, other={**pair.other, var: pair.one[var]})
            yield replace(pair, one={**pair.one, var: pair.other[var]})


@dataclass(frozen=True, slots=True)
class Fuzzed:
    """Args:
    templates: how many were made.
    discarded: for how many no two fillings of one skeleton were found.
    violations: shrunken, in the order in which they were found.
    """

    policy: str
    templates: int
    discarded: int
    violations: tuple[Violation, ...]

    def __str__(self) -> str:
        return (
            f"{self.policy}: {self.templates} templates, {self.discarded} discarded, "
            f"{len(self.violations)} that differ"
        )


def fuzz(policy: Policy, templates: int, *, seed: int = 0, most: int = 3) -> Fuzzed:
    """Compares the releases of random pairs, until `most` violations are found."""
    discarded, found, made = 0, [], 0
    with blinded():
        for made in range(1, templates + 1):
            pair = pairs(seed, made)
            if pair is None:
                discarded += 1
            elif (violation := compared(policy, pair)) is not None:
                found.append(shrunk(policy, violation))
                if len(found) == most:
                    break
    return Fuzzed(policy.name, made, discarded, tuple(found))
