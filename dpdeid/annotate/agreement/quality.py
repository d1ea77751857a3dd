"""How good each annotator is, and the scoreboard (Loftsson 2022, section 3.2.3).

The quality index is the share of votes that agree with the reference, counted apart for segments
and categories and averaged. A vote on what has no reference counts for nothing; one that differs is
one penalty. Rates are of the answers whose duration counts (see `dpdeid.annotate.answers`).
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Final

from dpdeid.annotate.agreement.pairs import mean
from dpdeid.annotate.agreement.reference import Reference
from dpdeid.annotate.units import Answer

SHARES: Final = {"tasks": 0.2, "marks": 0.2, "rate": 0.2, "index": 0.4}
"""What counts for the rank, and how much."""


@dataclass(frozen=True, slots=True)
class Quality:
    """What one annotator did.

    Args:
        tasks: units answered, passed-over ones apart; `marks` in them.
        rate: units a minute, None without durations.
        segments, categories: votes that agree with the reference, and all that have one.
        rank: from 1; equal scores share a rank.
    """

    annotator: str
    team: str
    tasks: int
    marks: int
    rate: float | None
    segments: tuple[int, int]
    categories: tuple[int, int]
    score: float = 0.0
    rank: int = 0

    @property
    def index(self) -> float | None:
        """The quality index, None without any reference."""
        return mean([_share(self.segments), _share(self.categories)])

    @property
    def penalties(self) -> tuple[float | None, float | None]:
        """The share of votes that differ, of segments and of categories."""
        shares = (_share(self.segments), _share(self.categories))
        segment, category = (None if share is None else 1 - share for share in shares)
        return segment, category


def _share(votes: tuple[int, int]) -> float | None:
    return votes[0] / votes[1] if votes[1] else None


def scoreboard(answers: Iterable[Answer], known: Sequence[Reference]) -> list[Quality]:
    """Annotators by rank: 20 % tasks, 20 % marks, 20 % rate and 40 % quality, each as the share of
    annotators that one is not behind.
    """
    segments: dict[str, list[bool]] = defaultdict(list)
    categories: dict[str, list[bool]] = defaultdict(list)
    for reference in known:
        for judged in reference.columns:
            for who in judged.column:
                segment, category = judged.right(who)
                segments[who] += () if segment is None else (segment,)
                categories[who] += () if category is None else (category,)
    said: dict[str, list[Answer]] = defaultdict(list)
    for one in answers:
        if not one.ignored and not one.corrects:
            said[one.annotator].append(one)
    found = []
    for who, own in said.items():
        units = {one.unit.id: one for one in own}
        seconds = [one.seconds for one in own if one.seconds is not None]
        found.append(
            Quality(
                who,
                next((one.team for one in reversed(own) if one.team), ""),
                len(units),
                sum(len(one.marked) for one in units.values()),
                60 * len(seconds) / sum(seconds) if sum(seconds) else None,
                (sum(segments[who]), len(segments[who])),
                (sum(categories[who]), len(categories[who])),
            )
        )
    return _ranked(found)


def _ranked(found: Sequence[Quality]) -> list[Quality]:
    figures: dict[str, Callable[[Quality], float]] = {
        "tasks": lambda one: one.tasks,
        "marks": lambda one: one.marks,
        "rate": lambda one: one.rate or 0.0,
        "index": lambda one: one.index or 0.0,
    }

    def score(one: Quality) -> float:
        def ahead(figure: Callable[[Quality], float]) -> float:
            return sum(figure(one) >= figure(other) for other in found) / len(found)

        return sum(share * ahead(figures[name]) for name, share in SHARES.items())

    scores = {one.annotator: round(score(one), 9) for one in found}
    ranked = [
        replace(one, score=own, rank=1 + sum(other > own for other in scores.values()))
        for one in found
        for own in [scores[one.annotator]]
    ]
    return sorted(ranked, key=lambda one: (one.rank, one.annotator))
