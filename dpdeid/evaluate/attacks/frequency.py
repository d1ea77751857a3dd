"""Names by how often they come: the attacker knows how many patients bear each name.

Where a name has one surrogate for everybody, the most frequent surrogate is the most frequent name,
and who knows one patient reads the same name of all others. Where each patient has a surrogate of
their own, both fail. The attacker matches names and surrogates by rank.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from dpdeid.evaluate.attacks.rates import Rate


@dataclass(frozen=True, slots=True)
class Naming:
    """A name of a record and what replaced it, both folded."""

    record: str = field(repr=False)
    original: str = field(repr=False)
    surrogate: str = field(repr=False)


@dataclass(frozen=True, slots=True)
class Frequency:
    """What ranks tell.

    Args:
        names: different originals.
        surrogates: different surrogates.
        matched: surrogates whose name the ranks give; one trial a surrogate.
        blind: how many of these a random match gives on average, as a share.
        shared: pairs of records with a common name whose surrogates are equal too; each name is
            looked at in the first record that has it and every other.
    """

    names: int
    surrogates: int
    matched: Rate
    blind: float
    shared: Rate

    def to_json(self) -> dict[str, Any]:
        return {
            "names": self.names,
            "surrogates": self.surrogates,
            "matched": self.matched.to_json(),
            "blind": self.blind,
            "shared": self.shared.to_json(),
        }


def frequency(namings: Iterable[Naming]) -> Frequency:
    """The attack on all names of a release."""
    distinct = {(n.record, n.original, n.surrogate) for n in namings}
    originals = Counter(name for name, _ in {(o, r) for r, o, _ in distinct})
    surrogates = Counter(name for name, _ in {(s, r) for r, _, s in distinct})
    true: dict[str, set[str]] = defaultdict(set)
    for _, original, surrogate in distinct:
        true[surrogate].add(original)
    guesses = zip(_ranked(surrogates), _ranked(originals), strict=False)
    right = sum(original in true[surrogate] for surrogate, original in guesses)
    blind = sum(len(names) / len(originals) for names in true.values())
    return Frequency(
        len(originals),
        len(surrogates),
        Rate(right, len(surrogates)),
        blind / len(surrogates) if surrogates else 0.0,
        _shared(distinct),
    )


def _ranked(counts: Mapping[str, int]) -> list[str]:
    """The most frequent first; equal counts by name, which tells nothing."""
    return sorted(counts, key=lambda name: (-counts[name], name))


def _shared(distinct: Iterable[tuple[str, str, str]]) -> Rate:
    borne: dict[str, dict[str, set[str]]] = defaultdict(lambda: defaultdict(set))
    for record, original, surrogate in sorted(distinct):
        borne[original][record].add(surrogate)
    outcomes = []
    for records in borne.values():
        first, *others = records.values()
        outcomes += [not first.isdisjoint(other) for other in others]
    return Rate.of(outcomes)
