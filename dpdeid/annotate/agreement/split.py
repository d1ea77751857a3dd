"""Gold in three parts: alike in their categories, the best of it to test (Loftsson 2022, 5.1).

Quality is gamma in steps of .05, then the number of annotators; whom chance left equal a seed puts
in order. What is alone, or was aligned with nobody, comes last. Three ways:

- `published`: from the best sample on, each that takes no category beyond its target; then samples
  without a counted category until there are as many as expected.
- `rarest`: the same, for one category after the other, the rarest first, as the thesis proposes
  after Sechidis et al. 2011: what a frequent category takes too early a rare one cannot get back.
  Then samples are exchanged as long as that brings categories within a tenth of their targets:
  whole notes hold so many marks that few fit.
- `random`: as many samples as expected, to compare with.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from dpdeid.annotate.agreement.pairs import mean
from dpdeid.errors import AnnotationError
from dpdeid.formats.json_lines import rows
from dpdeid.synth.dice import Dice

PARTS: Final = ("test", "validation", "train")
LEAST: Final = 20
"""Marks of a category below which it is not counted, as in the thesis."""
BIN: Final = 0.05
FAR: Final = 0.1
"""How far off its target a category may be, as a share of it."""


@dataclass(frozen=True, slots=True)
class Sample:
    """What is never parted: a unit, or all units of one note.

    Args:
        rows: of the gold, as they were read.
        gamma: the mean of its units, None where none has one; what several left empty has 1.
    """

    id: str
    rows: tuple[Mapping[str, Any], ...] = field(repr=False)
    counts: Mapping[str, int]
    gamma: float | None
    annotators: float


@dataclass(frozen=True, slots=True)
class Part:
    """One part, by what it should have and what it got.

    Args:
        expected: samples; `targets` marks of each category that is counted.
        reached: marks of each category.
    """

    name: str
    samples: tuple[Sample, ...] = field(repr=False)
    expected: int
    targets: Mapping[str, int]
    reached: Mapping[str, int]

    @property
    def gamma(self) -> float | None:
        """The mean over samples that have one."""
        return mean([one.gamma for one in self.samples])

    @property
    def annotators(self) -> float | None:
        """The mean over samples."""
        return mean([one.annotators for one in self.samples])

    @property
    def off(self) -> tuple[str, ...]:
        """Categories that are more than a tenth off their target."""
        return tuple(
            label
            for label, target in self.targets.items()
            if abs(self.reached[label] - target) > FAR * target
        )

    def row(self) -> dict[str, Any]:
        """For JSON."""
        return {
            "samples": len(self.samples),
            "expected": self.expected,
            "gamma": self.gamma,
            "annotators": self.annotators,
            "labels": {
                label: {"target": target, "reached": self.reached[label]}
                for label, target in self.targets.items()
            },
            "off": list(self.off),
        }


def read_gold(paths: Iterable[Path], *, whole: bool = False) -> list[Sample]:
    """The samples of what `dpdeid annotate gold` wrote.

    Args:
        whole: a sample is a note and not a unit.

    Raises:
        AnnotationError: a row that cannot be read, an id twice, or gold that was made without
            gamma; names the row.
    """
    found: dict[str, list[tuple[Mapping[str, Any], float | None]]] = defaultdict(list)
    seen = set()
    for path in paths:
        for number, row in rows(path, AnnotationError):
            where = f"{path}: line {number}"
            for key, kind in _KINDS.items():
                if key not in row or isinstance(row[key], bool) or not isinstance(row[key], kind):
                    raise AnnotationError(f"{where}: {key} is missing or not of its kind")
            if not all(
                isinstance(e, dict) and type(e.get("label")) is str for e in row["entities"]
            ):
                raise AnnotationError(f"{where}: entities holds one without a label")
            if row["id"] in seen:
                raise AnnotationError(f"{where}: {row['id']} a second time")
            seen.add(row["id"])
            name = row["document"] if whole else row["id"]
            found[name].append((row, _gamma(row, where)))
    return [
        Sample(
            name,
            tuple(row for row, _ in own),
            Counter(e["label"] for row, _ in own for e in row["entities"]),
            mean([gamma for _, gamma in own]),
            sum(row["annotators"] for row, _ in own) / len(own),
        )
        for name, own in found.items()
    ]


_KINDS: Final[Mapping[str, Any]] = {
    "id": str, "document": str, "entities": list, "gamma": int | float | None, "annotators": int,
}  # fmt: skip


def _gamma(row: Mapping[str, Any], where: str) -> float | None:
    if row["gamma"] is None and row["annotators"] > 1:
        if (row["entities"] or row.get("undecided")) and not row.get("corrected"):
            raise AnnotationError(f"{where}: no gamma; make the gold with --samples above 0")
        return 1.0
    return None if row["gamma"] is None else float(row["gamma"])


Take = Callable[[Sequence[Sample], Mapping[str, int]], Iterator[Sample]]


def split(
    samples: Sequence[Sample],
    shares: tuple[float, float],
    way: str = "rarest",
    *,
    least: int = LEAST,
    seed: int = 0,
) -> list[Part]:
    """The parts, in the order of `PARTS`; every sample is in one.

    Args:
        shares: of the test and of the validation part.
        way: of `WAYS`.
        least: marks of a category below which it is not counted.

    Raises:
        AnnotationError: the shares leave nothing to train.
    """
    if min(shares) < 0 or sum(shares) >= 1:
        raise AnnotationError("the shares of test and validation leave nothing to train")
    totals = Counter[str]()
    for one in samples:
        totals.update(one.counts)
    counted = sorted((n, label) for label, n in totals.items() if n >= least)
    targets = [{label: round(share * n) for n, label in counted} for share in shares]
    expected = [round(share * len(samples)) for share in shares]
    left = Dice.of(seed, "split").shuffled(sorted(samples, key=lambda one: one.id))
    if way != "random":
        left.sort(key=_quality, reverse=True)
    parts = []
    for name, wanted, target in zip(PARTS, expected, targets, strict=False):
        taken = list(WAYS[way](left, target))
        if way != "random":
            empty = (one for one in left if not any(label in target for label in one.counts))
            taken += [one for one, _ in zip(empty, range(wanted - len(taken)), strict=False)]
        else:
            taken = left[:wanted]
        known = {one.id for one in taken}
        left = [one for one in left if one.id not in known]
        parts.append(_part(name, taken, wanted, target))
    rest = {label: n - sum(one[label] for one in targets) for n, label in counted}
    return [*parts, _part(PARTS[-1], left, len(samples) - sum(expected), rest)]


def _quality(one: Sample) -> tuple[float, float]:
    return (float("-inf") if one.gamma is None else round(one.gamma / BIN), one.annotators)


def _part(name: str, samples: Sequence[Sample], expected: int, targets: Mapping[str, int]) -> Part:
    reached = Counter[str]()
    for one in samples:
        reached.update(one.counts)
    return Part(name, tuple(samples), expected, targets, reached)


def _best_first(pool: Sequence[Sample], targets: Mapping[str, int]) -> Iterator[Sample]:
    """Step 6 c of the thesis; samples without a counted category are left for later."""
    reached = Counter[str]()
    for one in pool:
        if any(label in targets for label in one.counts) and _fits(one, reached, targets):
            reached.update(one.counts)
            yield one


def _rarest_first(pool: Sequence[Sample], targets: Mapping[str, int]) -> Iterator[Sample]:
    reached = Counter[str]()
    taken = set()
    for label, target in targets.items():
        for at, one in enumerate(pool):
            if reached[label] >= target:
                break
            if one.counts.get(label) and at not in taken and _fits(one, reached, targets):
                reached.update(one.counts)
                taken.add(at)
    return (pool[at] for at in _mended(pool, taken, targets))


def _mended(pool: Sequence[Sample], taken: set[int], targets: Mapping[str, int]) -> list[int]:
    """The places of what is taken, after all steps that bring it nearer: in each a sample comes or
    goes, or both, whichever leaves least outside a tenth of the targets, of equals the best.

    Samples with the same counts are one kind: the best outside comes, the worst inside goes.
    """
    import numpy as np

    target = np.array([*targets.values()], dtype=np.float64)
    counts = [[one.counts.get(label, 0) for label in targets] for one in pool]
    vectors = np.array([*counts, [0] * len(targets)], dtype=np.float64)  # the last one is nothing
    kinds, nothing = [vector.tobytes() for vector in vectors], len(pool)
    full = [at for at in range(nothing) if any(counts[at])]

    def outside(sums: Any) -> Any:
        """How far sums of marks lie outside, in targets, over all categories."""
        off = np.abs(sums - target) - FAR * target
        return (np.maximum(off, 0) / np.maximum(target, 1)).sum(axis=-1).round(9)

    inside = set(taken)
    while True:
        sums = vectors[sorted(inside)].sum(axis=0)
        comes = {kinds[at]: at for at in reversed(full) if at not in inside}
        goes = {kinds[at]: at for at in sorted(inside)}
        coming = [*comes.values(), nothing]
        steps = []
        for gone in (*goes.values(), nothing):
            far = outside(sums - vectors[gone] + vectors[coming]).tolist()
            steps.append((*min(zip(far, coming, strict=True)), -gone))
        least, enters, leaves = min(steps)
        if least >= float(outside(sums)):
            return sorted(inside)
        inside = (inside | {enters}) - {-leaves, nothing}


def _fits(one: Sample, reached: Mapping[str, int], targets: Mapping[str, int]) -> bool:
    return all(reached[k] + n <= targets[k] for k, n in one.counts.items() if k in targets)


WAYS: Final[Mapping[str, Take]] = {
    "rarest": _rarest_first,
    "published": _best_first,
    "random": lambda pool, targets: iter(()),
}
