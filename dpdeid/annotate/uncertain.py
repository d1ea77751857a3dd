"""The units in which detection most likely left something, so that these are annotated first.

Active learning, the outlook of Loftsson (CHUV 2022, chapter 7). A unit is worth the expected number
of identifying words that detection left in it: the sum of the calibrated risks by which
`dpdeid review` orders words. docs/annotate.md has what that finds.
"""

from __future__ import annotations

from bisect import bisect_right
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence

from dpdeid.annotate.units import Unit
from dpdeid.document import Document
from dpdeid.fasdim.reading.places import Detect, left


def expected(
    units: Iterable[Unit], documents: Mapping[str, Document], detect: Detect
) -> dict[str, float]:
    """Of each unit's id how many words that are part of a direct identifier stay in it."""
    by_note: dict[str, list[Unit]] = defaultdict(list)
    for unit in units:
        by_note[unit.document].append(unit)
    found: dict[str, float] = {}
    for name, own in by_note.items():
        own.sort(key=lambda unit: unit.start)
        starts = [unit.start for unit in own]
        found |= dict.fromkeys((unit.id for unit in own), 0.0)
        for place in left(documents[name], detect).places:
            at = bisect_right(starts, place.start) - 1
            if at >= 0:
                found[own[at].id] += place.risk
    return found


def most(units: Sequence[Unit], worth: Mapping[str, float], share: float) -> list[Unit]:
    """The share of the units that is worth most, at least one, in the order that they have."""
    order = sorted(units, key=lambda unit: (-worth[unit.id], unit.id))
    chosen = {unit.id for unit in order[: max(1, round(share * len(order)))]}
    return [unit for unit in units if unit.id in chosen]
