"""What a policy does and guarantees, before any note: parts 3 to 5 of an annex."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from typing import Final

from dpdeid.assurance.forecast import NEARLY_ALL, SURE, found_by_intervals, namings, timeline_of
from dpdeid.assurance.leakage import leakages
from dpdeid.dossier.texts import (
    by_draws,
    columns,
    decimal,
    items,
    listed,
    loss_text,
    losses_text,
    of_section,
)
from dpdeid.dossier.tree import Block, Grid, Head, Listed, Said
from dpdeid.evaluate.report import attacked
from dpdeid.evaluate.report.inputs import Data
from dpdeid.evaluate.report.page import Words
from dpdeid.labels import Label
from dpdeid.policy.policy import Policy
from dpdeid.privacy.leakage import RECORDS
from dpdeid.privacy.ledger import Allowance
from dpdeid.privacy.losses import Amount, Epsilon, EpsilonPerKm, rounded_up
from dpdeid.privacy.mechanisms.proportional import STEPS
from dpdeid.privacy.skeleton import ALWAYS, Shown
from dpdeid.privacy.timeline.chain import Role
from dpdeid.privacy.timeline.modes import Metric, Paper, Shift, Strict
from dpdeid.protocols import Bounding, Guarantee, Stating, Strategy

_REMOVING: Final = frozenset({"redact", "words"})
_BY_KEY: Final = frozenset({"people", "identifiers", "addresses", "contacts", "places"})
_PAIRS: Final = (
    (Role.STAY, 3, 4),
    (Role.STAY, 3, 21),
    (Role.BEFORE, 365, 730),
    (Role.BIRTH, 18_262, 18_628),
    (Role.BIRTH, 3, 30),
)
"""Days between two events that somebody cannot decide between."""
_KM: Final = (10, 40, 100)
"""Kilometres between two towns that somebody cannot decide between."""
_HEADS: Final = ("pair", "pair_loss", "pair_odds", "pair_alone")
_TIMELINES: Final = {Metric: "metric", Strict: "strict", Shift: "shift", Paper: "paper"}


def fate(policy: Policy, label: Label) -> str:
    """Whether what has a label is "kept", "replaced" or "removed"."""
    name = policy.strategy_for(label).name
    return "kept" if name == "keep" else "removed" if name in _REMOVING else "replaced"


def proved(policy: Policy) -> tuple[Guarantee, ...]:
    """The guarantees with a bound that this package proves."""
    own = (s for s in policy.strategies if not policy.origin(s))
    return tuple(g for s in own for g in s.guarantees() if isinstance(g.loss, Amount))


def proved_labels(policy: Policy) -> tuple[Label, ...]:
    """The labels whose values have a proved bound."""
    known = {label for guarantee in proved(policy) for label in guarantee.labels}
    return tuple(label for label in Label if label in known)


def what_it_does(policy: Policy, utility: Mapping[str, Data], said: Words) -> Iterator[Block]:
    """Each label: kept, replaced or removed, and how; whether a file tells what changed wrongly."""
    names = [*(d.name for d in policy.detectors), *(p.name for p in policy.propagators)]
    finders = dict.fromkeys(said.said(f"finder {name}", name) for name in names)
    record = said(f"record {policy.unit}")
    is_known = any("changed" in data for data in utility.values())
    wrongly = said("wrongly measured" if is_known else "wrongly unmeasured")
    yield Said(said("policy said", finders=", ".join(finders), record=record, wrongly=wrongly))
    served = [(s, [label for label in Label if label in s.labels]) for s in policy.strategies]
    taken = {label for _, labels in served for label in labels}
    served.append((policy.default, [label for label in Label if label not in taken]))
    rows = tuple(
        (listed(labels, said), said(f"fate {fate(policy, labels[0])}"), _how(policy, s, said))
        for s, labels in served
        if labels
    )
    yield Grid(columns(said, "values_of", "fate", "how"), rows)


def _how(policy: Policy, strategy: Strategy, said: Words) -> str:
    if origin := policy.origin(strategy):
        return said("how other", name=strategy.name, origin=origin)
    if strategy.name == "dates":
        return said(f"how {_TIMELINES[type(getattr(strategy, 'timeline'))]}")  # noqa: B009
    if strategy.name == "places" and _is_bounded(strategy):
        return said("how noisy places")
    if strategy.name == "people" and getattr(strategy, "scope", "") == "document":
        return by_draws(said, "how people document", policy)
    if strategy.name == "redact" and getattr(strategy, "form", "") == "mask":
        return said("how mask")
    return by_draws(said, f"how {strategy.name}", policy)


def _is_bounded(strategy: Strategy) -> bool:
    return any(isinstance(guarantee.loss, Amount) for guarantee in strategy.guarantees())


def what_is_guaranteed(policy: Policy, said: Words) -> Iterator[Block]:
    """Proved, measured and hoped apart; then what is not guaranteed."""
    yield Said(said("guarantee said", unit=said(f"unit {policy.unit}")))
    yield Head(said("proved title"))
    nothing = by_draws(said, "proved nothing", policy)
    yield from _proved(policy, said) if proved(policy) else [Said(nothing)]
    yield Head(said("measured title"))
    yield Said(said("measured said"))
    if (found := found_by_intervals(policy)) is not None:
        yield Said(
            said(
                "measured shift",
                patients=said.count(found["patients"]),
                known=found["known"],
                share=said.share(found["shift_alone"]),
            )
        )
    yield Head(said("hoped title"))
    hoped = by_draws(said, "hoped key", policy), *items(said, "hoped said")
    yield Listed((*hoped, *_brought(policy, said)))
    yield Head(said("never title"))
    yield Listed(tuple(_never(policy, said)))
    yield Said(said("never shown"))
    yield Listed(tuple(said(f"shown {part.name}") for part in _shown(policy)))


def _proved(policy: Policy, said: Words) -> Iterator[Block]:
    """The bound, its losses and how far it goes."""
    guarantees = proved(policy)
    values = listed(proved_labels(policy), said)
    yield Said(by_draws(said, "proved against", policy, values=values))
    if any(one.share > NEARLY_ALL for one in namings(policy)):
        yield Said(said("proved first named"))
    yield Said(said("proved plainly"))
    yield Said(said("proved until"))
    if isinstance(timeline_of(policy), Metric):
        yield Said(said("proved step", steps=STEPS))
    rows = (
        (
            listed(one.labels, said),
            loss_text(one.loss, said),
            said("no cap") if one.cap is None else said.count(one.cap),
        )
        for one in guarantees
        if one.cap != 0 and isinstance(one.loss, Amount)
    )
    yield Grid(
        columns(said, "values_of", "loss_at_most", "draws_at_most"), tuple(dict.fromkeys(rows))
    )
    match timeline_of(policy):
        case Metric(shift_days=days) as mode:
            yield Said(said("proved metric"))
            yield Grid(columns(said, *_HEADS), tuple(_pairs(mode, said)), True)
            if days:
                yield Said(said("proved shift", days=said.count(days), over=said.count(days + 1)))
        case Strict(epsilon=each, birth_epsilon=birth, cap=cap):
            total = decimal(rounded_up(each * cap + birth), said)
            yield Said(said("proved strict", total=total))
    if towns := tuple(_towns(guarantees, said)):
        yield Said(said("proved places"))
        yield Grid(columns(said, *_HEADS), towns, True)
    if policy.by_counts:
        yield Said(said("proved by counts"))
    worst = [one for one in Allowance.of(guarantees).worst if isinstance(one, Amount)]
    if worst:
        yield Said(said("proved worst", worst=losses_text(worst, said)))
    for one in namings(policy):
        distance, unit = one.off
        named = said("nearly all") if one.share > NEARLY_ALL else said.share(one.share, "high")
        loss = said(
            f"named at {unit or 1}", total=decimal(rounded_up(one.total), said), distance=distance
        )
        yield Said(said("proved named", share=named, records=said.count(RECORDS), loss=loss))


def _pairs(mode: Metric, said: Words) -> Iterator[tuple[str, ...]]:
    """How surely two lengths of one kind may be told apart."""
    for role, one, other in _PAIRS:
        yield _pair(
            said(f"pair {role.name} {one} {other}"), mode.noise(role).loss(one, other), said
        )


def _towns(guarantees: Iterable[Guarantee], said: Words) -> Iterator[tuple[str, ...]]:
    """How surely two towns may be told apart, by one draw."""
    own = [one for one in guarantees if Label.CITY in one.labels]
    per_km = sum((one.loss.amount for one in own if isinstance(one.loss, EpsilonPerKm)), Fraction())
    fixed = sum((one.loss.amount for one in own if isinstance(one.loss, Epsilon)), Fraction())
    for km in _KM if per_km else ():
        yield _pair(said("pair towns", km=km), fixed + km * per_km, said)


def _pair(what: str, loss: Fraction, said: Words) -> tuple[str, ...]:
    """What is told apart, the loss and the odds at most, rounded up; whether they leave a doubt."""
    odds = decimal(rounded_up(Fraction(math.exp(loss)), 1), said)
    alone = said("alone yes" if math.exp(loss) < SURE / (1 - SURE) else "alone no")
    return what, decimal(rounded_up(loss, 1), said), odds, alone


def _brought(policy: Policy, said: Words) -> Iterator[str]:
    """What strategies of other packages state."""
    for strategy in policy.strategies:
        if origin := policy.origin(strategy):
            yield said("hoped plugin", name=strategy.name, origin=origin)


def _never(policy: Policy, said: Words) -> Iterator[str]:
    bounded = set(proved_labels(policy))
    free: dict[str, list[Label]] = {"pseudonyms": [], "dates": [], "kept": []}
    for strategy in policy.strategies:
        kind = {"dates": "dates", "keep": "kept"}.get(strategy.name, "")
        kind = "pseudonyms" if strategy.name in _BY_KEY else kind
        if kind:
            free[kind] += [label for label in Label if label in set(strategy.labels) - bounded]
    if free["pseudonyms"]:
        values = listed(free["pseudonyms"], said)
        yield by_draws(said, "never pseudonyms", policy, values=values)
    if free["dates"]:
        yield said("never dates")
    kept = free["kept"]
    yield said("never kept", values=listed(kept, said)) if kept else said("never kept none")
    yield said("never missed")


def _shown(policy: Policy) -> Sequence[Shown]:
    wordings = (s.wording() for s in policy.strategies if isinstance(s, Stating))
    shown = {*ALWAYS, *(part for wording in wordings for part in wording.shows)}
    return [part for part in Shown if part in shown]


def what_leaks(policy: Policy, said: Words) -> Iterator[Block]:
    """Bits of each draw, and where they say something."""
    section = attacked.leakage([policy], said)
    if section is None:
        yield Said(said("bits nothing"))
        return
    for block in of_section(section, said)[1:]:
        if isinstance(block, Grid):
            block = replace(block, columns=(*block.columns[:-1], said("column bits_at_most")))
        yield block
    yield Said(said("bits meaning"))
    own = (s for s in policy.strategies if isinstance(s, Bounding) and s.leakage() is not None)
    told = {label for strategy in own for label in strategy.labels}
    rest = [label for label in Label if label not in told and fate(policy, label) == "replaced"]
    if rest:
        yield Said(said("bits without", values=listed(rest, said)))


def most_bits(policy: Policy) -> dict[str, float]:
    """Kind of draw → the bits that it tells at most."""
    return {what: bits for leakage in leakages(policy) for what, bits in leakage.draws.items()}
