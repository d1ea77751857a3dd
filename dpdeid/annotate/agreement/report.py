"""All that is measured of a corpus that several people annotated; figures only, no text."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from dpdeid.annotate.agreement.pairs import Pair, mean, pairs
from dpdeid.annotate.agreement.quality import Quality, scoreboard
from dpdeid.annotate.agreement.reference import Reference, Voted, references
from dpdeid.annotate.units import Answer, Marked


@dataclass(frozen=True, slots=True)
class Report:
    """What `dpdeid annotate report` tells.

    Args:
        units: how many were answered; of these `several` by two people or more, `empty` with no
            mark by anybody, `corrected` by a manager.
        gamma: the mean over units with a mark and two annotators or more; `gamma_with_empty` takes
            those that two or more left empty as 1.
        decided, undecided: columns with a reference, and without.
    """

    units: int
    several: int
    empty: int
    corrected: int
    gamma: float | None
    gamma_with_empty: float | None
    decided: int
    undecided: int
    pairs: tuple[Pair, ...]
    people: tuple[Quality, ...]

    @property
    def index(self) -> float | None:
        """The mean quality index."""
        return mean([one.index for one in self.people])

    def row(self) -> dict[str, Any]:
        """For JSON."""
        told = asdict(self)
        told["index"] = self.index
        for one, quality in zip(told["people"], self.people, strict=True):
            one["index"] = quality.index
            one["segment_penalties"], one["category_penalties"] = quality.penalties
        return told


def report(answers: Sequence[Answer], voted: Sequence[Voted]) -> Report:
    """The figures; `voted` are the votes of `answers`."""
    known = references(voted)
    several = [one for one in voted if len(one.votes) > 1]
    empty = [one for one in several if not any(one.votes.values())]
    gammas = [one.aligned.gamma for one in several if one.aligned.gamma is not None]
    columns = [judged for one in known for judged in one.columns]
    undecided = sum(one.undecided for one in known)
    return Report(
        len(voted),
        len(several),
        sum(not any(one.votes.values()) for one in voted),
        sum(bool(one.corrected) for one in known),
        mean(gammas),
        mean([*gammas, *(1.0 for _ in empty)]),
        len(columns) - undecided,
        undecided,
        tuple(pairs(voted)),
        tuple(scoreboard(answers, known)),
    )


def disagreements(known: Iterable[Reference]) -> Iterator[dict[str, Any]]:
    """Each column on which somebody differs from the reference or there is none: who marked what,
    **with its text**, for a private file.
    """
    for one in known:
        for judged in one.columns:
            marks = set(judged.column.values())
            decided = judged.segment.decided and judged.category.decided
            if decided and marks == {judged.gold}:
                continue
            yield {
                "unit": one.unit.id,
                "reference": _told(judged.gold, one.unit.text) if decided else "undecided",
                "marks": {who: _told(m, one.unit.text) for who, m in judged.column.items()},
            }


def _told(mark: Marked | None, text: str) -> dict[str, Any] | None:
    if mark is None:
        return None
    return {**mark._asdict(), "text": text[mark.start : mark.end]}


def gold_row(one: Reference) -> dict[str, Any]:
    """The reference of a unit as an annotated note."""
    return {
        "id": one.unit.id,
        "document": one.unit.document,
        "doc_type": one.unit.doc_type,
        "text": one.unit.text,
        "entities": [{"start": m.start, "end": m.end, "label": m.category} for m in one.gold],
        "gamma": one.gamma,
        "annotators": len(one.people),
        "corrected": bool(one.corrected),
        "undecided": one.undecided,
    }
