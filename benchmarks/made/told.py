"""Of which origin a surname is, told by its letters: true names and surrogates alike.

The usual surnames of an origin (`surnames_by_origin.tsv`) are of it; of any other name, the runs of
two to four letters, beginning and end with them, say which origin has such ones most often (naive
Bayes; names of no list, `names_by_origin.tsv`, teach too). It errs: half the names of France could
be of two origins. So figures are told of the usual names by themselves as well.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping
from functools import cache
from math import log
from pathlib import Path
from typing import Final

import numpy as np
import numpy.typing as npt

from dpdeid import gazetteers
from dpdeid.labels import Label
from dpdeid.normalize import fold
from made import origins

_SIZES: Final = (2, 3, 4)
HOME: Final = "france"
_NATIVE: Final = 8_000
"""The most frequent surnames, the usual ones of other origins left out, teach what France has."""
_PRIOR: Final = log(0.85 / 0.0125)
"""For France, of which so many people are, against each other origin."""
_SMOOTH: Final = 0.5
"""Counted for a run that no name of an origin has."""


@cache
def usual() -> Mapping[str, str]:
    """Folded usual surname → its origin, the first that has it."""
    found: dict[str, str] = {}
    path = Path(__file__).parent / "surnames_by_origin.tsv"
    for line in path.read_text(encoding="utf-8").splitlines():
        if not line.startswith("#"):
            origin, *names = line.split("\t")
            for name in names:
                found.setdefault(fold(name), origin)
    return found


def origin_of(name: str) -> str:
    """The origin of a folded surname.

    >>> [origin_of(name) for name in ("kervella", "benyekkou", "rakotovololona", "yildizoglu")]
    ['regional', 'maghreb', 'east_africa', 'turkey']
    """
    if name in usual():
        return usual()[name]
    every, counts = _counts()
    found = [counts[run] for run in _runs(name) if run in counts]
    prior = np.where(np.array(every) == HOME, _PRIOR, 0.0)
    return every[int(np.argmax(sum(found, start=prior)))]


@cache
def _counts() -> tuple[tuple[str, ...], dict[str, npt.NDArray[np.float64]]]:
    """The origins, and each run with the logarithm of how often the names of each have it."""
    seen: dict[str, Counter[str]] = defaultdict(Counter)
    for name, origin in usual().items():
        seen[origin].update(_runs(name))
    for origin, names in origins.origins().items():
        for name in names[Label.LAST_NAME]:
            seen[origin].update(_runs(fold(name)))
    for name, rank in gazetteers.surnames().items():
        if rank < _NATIVE and name not in usual():
            seen[HOME].update(_runs(name))
    runs, every = set().union(*seen.values()), tuple(seen)
    sums = np.array([seen[one].total() for one in every]) + _SMOOTH * len(runs)
    return every, {
        run: np.log((np.array([seen[one][run] for one in every]) + _SMOOTH) / sums) for run in runs
    }


def _runs(name: str) -> Iterator[str]:
    marked = f"^{name}$"
    for size in _SIZES:
        yield from (marked[at : at + size] for at in range(len(marked) - size + 1))
