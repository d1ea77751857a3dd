"""A contest of the size of the CHUV's: how its gold is cut in three, and what its t-tests see.

    python benchmarks/contest.py [--seeds N] [--json FILE]

Nothing is annotated; all of it is **simulated**, in the figures that Loftsson 2022 prints.

- split: 5,454 units, 64 % of them empty, 4,026 marks of 25 categories, one to eight annotators;
  gamma .86 on average where there is any. Marks are dealt out at random, half of those that stand
  together in notes (an address, a name with an age) together. What the three ways of `annotate
  split` make of it.
- tests: two teams of four and 150 units each, whose times and errors are those of table 4.3 (group
  1), or all alike. How often p is below .05, where persons are alike and where they differ
  (log-normal: .25 in speed, .5 in errors).
- precision: the second research question. One suggestion in five is missing; of the others some
  are wrong. A unit takes 6.1 seconds, 3.0 more for a mark made by hand and one more to take away a
  wrong one first; by hand .131 of the marks are wrong, and .034 of right suggestions end wrong
  (table 4.3, group 2). Assumed is how often a wrong suggestion is accepted. Both against no
  suggestions, in two teams of four.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections import Counter, defaultdict
from collections.abc import Callable, Mapping, Sequence
from itertools import accumulate
from pathlib import Path
from statistics import fmean
from typing import Any, Final

import numpy as np

from dpdeid.annotate.agreement.alignment import Aligned
from dpdeid.annotate.agreement.compared import MEASURES, compared, less
from dpdeid.annotate.agreement.reference import Voted, references
from dpdeid.annotate.agreement.split import WAYS, Sample, split
from dpdeid.annotate.units import Answer, Marked, Unit
from dpdeid.synth.dice import Dice

SUPPORT: Final = {
    "CHAMBRE": 10, "STRUCTURE": 178, "EMAIL": 7, "FAX": 11, "TÉLÉPHONE": 31, "URL": 1,
    "NATIONALITÉ": 7, "PROFESSION": 1, "ÂGE": 136, "ÉTAT_CIVIL": 3, "CANTON": 12,
    "CODE_POSTAL": 101, "LIEU": 172, "NUMÉRO": 94, "PAYS": 38, "RUE": 94, "IPP": 9, "BON": 33,
    "SÉJOUR": 116, "PATIENT": 417, "PERSONNEL": 133, "ORGANISATION": 144, "PARENTÉ": 153,
    "DATE": 1818, "TEMPS": 307,
}  # fmt: skip
"""Marks by category: table 4.1 of the thesis."""
TOGETHER: Final = (
    ("RUE", "NUMÉRO", "CODE_POSTAL", "LIEU", "PAYS"),
    ("RUE", "NUMÉRO", "CODE_POSTAL", "LIEU"),
    ("PATIENT", "ÂGE", "DATE"),
    ("TÉLÉPHONE", "STRUCTURE", "ORGANISATION", "PERSONNEL"),
    ("BON", "SÉJOUR", "DATE", "TEMPS"),
    ("DATE", "TEMPS"),
)
UNITS: Final = 5454
EMPTY: Final = 0.64
PEOPLE: Final = (50, 17, 8, 7, 6, 5, 4, 3)
"""Of 100 units, those by one annotator, by two … (the thesis has 1 to 8, and 14,000 answers)."""
TEAM, SHARED = 4, 150
SECONDS, ERRORS = (6.0, 9.2), (0.063, 0.090)
"""With suggestions and without."""
NOISE: Final = 0.8
SPREAD: Final = {"alike": (0.0, 0.0), "different": (0.25, 0.5)}
READ, MADE, AWAY, BY_HAND, LEFT, KEPT = 6.1, 3.0, 1.0, 0.131, 0.034, 0.8
PRECISIONS: Final = (0.2, 0.4, 0.6, 0.7, 0.8, 0.9, 1.0)
ACCEPTED: Final = (0.25, 0.5, 0.75)


def corpus(seed: int, size: int) -> list[Sample]:
    """Samples as `annotate gold` gives them, without text."""
    dice = Dice.of(seed, "corpus")
    full = range(round((1 - EMPTY) * size))
    left = Counter({label: round(n * size / UNITS) for label, n in SUPPORT.items()})
    groups: list[tuple[str, ...]] = []
    for labels in TOGETHER:
        times = min(left[label] for label in labels) // 2
        groups += [labels] * times
        left.subtract(dict.fromkeys(labels, times))
    groups = dice.shuffled([*groups, *((label,) for label in left.elements())])
    own: dict[int, Counter[str]] = defaultdict(Counter)
    for at, group in enumerate(groups):
        own[full[at] if at < len(full) else dice.choice(full)].update(group)
    sums = [*accumulate(PEOPLE)]
    found = []
    for at in range(size):
        people = dice.weighted(range(1, 9), sums)
        agreed = 1.0 if at not in own or dice.chance(50) else dice.between(44, 100) / 100
        found.append(Sample(str(at), (), own.get(at, {}), agreed if people > 1 else None, people))
    return found


def splits(seeds: int, size: int) -> dict[str, Any]:
    """Of each way and part the means over seeds, and the most categories off target."""
    told: dict[str, Any] = {}
    for way in WAYS:
        runs = [split(corpus(s, size), (0.15, 0.15), way, seed=s) for s in range(seeds)]
        told[way] = {
            parts[0].name: {
                "samples": fmean(len(part.samples) for part in parts),
                "gamma": fmean(part.gamma or 0 for part in parts),
                "annotators": fmean(part.annotators or 0 for part in parts),
                "off": fmean(len(part.off) for part in parts),
                "most off": max(len(part.off) for part in parts),
                "categories": len(parts[0].targets),
            }
            for parts in zip(*runs, strict=True)
        }
    return told


def tested(help_: bool, spread: tuple[float, float], seed: int) -> dict[str, float | None]:
    """The p of each measure, over values and over persons, of one simulated experiment."""
    draws = np.random.default_rng(seed)
    right = Marked(0, 4, "NOM")
    units = [Unit(str(at), str(at), "", 0, "Anne") for at in range(SHARED)]
    answers: list[Answer] = []
    marks: dict[str, list[tuple[Marked, ...]]] = {}
    for team, slow, wrong in zip(("with", "without"), SECONDS, ERRORS, strict=True):
        mean, rate = (slow, wrong) if help_ else (SECONDS[1], ERRORS[1])
        for number in range(TEAM):
            who = f"{team}{number}"
            own = mean * draws.lognormal(0, spread[0]) if spread[0] else mean
            errs = min(0.9, rate * draws.lognormal(0, spread[1])) if spread[1] else rate
            taken = own * draws.lognormal(-(NOISE**2) / 2, NOISE, SHARED)
            marks[who] = [() if miss else (right,) for miss in draws.random(SHARED) < errs]
            answers += [
                Answer(unit, who, team, mark, seconds=float(s))
                for unit, mark, s in zip(units, marks[who], taken, strict=True)
            ]
    voted = []
    for at, unit in enumerate(units):
        votes = {who: own[at] for who, own in marks.items()}
        column = {who: mark[0] if mark else None for who, mark in votes.items()}
        voted.append(Voted(unit, votes, Aligned((column,), None)))
    found = compared(answers, references(voted), ("with", "without"))
    return {
        f"{one.measure}, {kind}": p
        for one in found
        for kind, p in (("values", one.p), ("persons", one.p_people))
    }


def rates(seeds: int) -> dict[str, Any]:
    """How often p is below .05."""
    told: dict[str, Any] = {}
    for help_ in (False, True):
        for name, spread in SPREAD.items():
            runs = [tested(help_, spread, seed) for seed in range(seeds)]
            told[f"{'help' if help_ else 'no help'}, persons {name}"] = {
                key: fmean((run[key] or 1) < 0.05 for run in runs) for key in runs[0]
            }
    return told


def suggested(precision: float, accepted: float, seed: int) -> tuple[Any, Any, Any]:
    """Seconds and wrong marks (persons x units), one mark a unit; nan for no suggestions."""
    draws = np.random.default_rng(seed)
    shape = (TEAM, SHARED)
    shown = draws.random(shape) < (0 if np.isnan(precision) else KEPT)
    good = draws.random(shape) < precision
    taken = draws.random(shape) < accepted
    by_hand = ~shown | (~good & ~taken)
    seconds = READ + MADE * by_hand + AWAY * (shown & ~good & ~taken)
    wrong = draws.random(shape) < np.where(by_hand, BY_HAND, LEFT)
    wrong |= shown & ~good & taken
    slow = draws.lognormal(0, SPREAD["different"][0], (TEAM, 1))
    noise = draws.lognormal(-(NOISE**2) / 2, NOISE, shape)
    return seconds, seconds * slow * noise, wrong.astype(float)


def precision(seeds: int) -> dict[str, Any]:
    """Mean seconds and errors by precision, and how often they are told from no suggestions."""
    told: dict[str, Any] = {}
    bare = [suggested(float("nan"), 0, 10_000 + seed) for seed in range(seeds)]
    told["none"] = {"seconds": _mean(bare, 0), "wrong": _mean(bare, 2)}
    for accepted in ACCEPTED:
        for right in PRECISIONS:
            runs = [suggested(right, accepted, seed) for seed in range(seeds)]
            told[f"accepted {accepted}, precision {right}"] = {
                "seconds": _mean(runs, 0),
                "wrong": _mean(runs, 2),
                "fewer wrong": _seen(runs, bare),
                "more wrong": _seen(bare, runs),
            }
    return told


def _mean(runs: Sequence[tuple[Any, ...]], at: int) -> float:
    return fmean(float(run[at].mean()) for run in runs)


def _seen(one: Sequence[tuple[Any, ...]], other: Sequence[tuple[Any, ...]]) -> float:
    """How often the first are found to err less, over persons."""
    tests = ((a[2].mean(axis=1), b[2].mean(axis=1)) for a, b in zip(one, other, strict=True))
    return fmean((less(a.tolist(), b.tolist()) or 1) < 0.05 for a, b in tests)


def shown(title: str, told: Mapping[str, Mapping[str, Any]]) -> None:
    print(f"\n{title}")
    for name, row in told.items():
        cells = (f"{key} {value:.3f}" for key, value in row.items())
        print(f"  {name}: {', '.join(cells)}")


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--seeds", type=int, default=1000, help="of the tests; a fiftieth to split")
    parser.add_argument("--json", type=Path)
    parser.add_argument("--tiny", action="store_true")
    args = parser.parse_args()
    seeds, size = (4, 400) if args.tiny else (args.seeds, UNITS)
    print("all simulated")
    parts: dict[str, Callable[[], dict[str, Any]]] = {
        "split": lambda: splits(max(2, seeds // 50), size),
        "tests": lambda: rates(seeds),
        "precision": lambda: precision(seeds),
    }
    told = {name: part() for name, part in parts.items()}
    for way, own in told["split"].items():
        shown(f"split, {way}", own)
    shown(f"tests: how often p < .05 ({', '.join(MEASURES)})", told["tests"])
    shown("precision of suggestions", told["precision"])
    if args.json:
        args.json.write_text(json.dumps(told, indent=1), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
