"""What of the medical content a de-identification kept, by the codes of each note before and after:
the same notes, by id.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from dpdeid.document import Document
from dpdeid.errors import UsageError
from dpdeid.evaluate.coding.codes import Code, Terminology
from dpdeid.evaluate.counts import Counts, ratio
from dpdeid.formats.annotations import listed


def same_notes(
    before: Sequence[Document], after: Sequence[Document]
) -> list[tuple[Document, Document]]:
    """Each note before with the one of its id after.

    Raises:
        UsageError: an id stands on one side only or twice; names the ids.
    """
    old, new = (Counter(doc.id for doc in docs) for docs in (before, after))
    kinds = {
        "only in BEFORE": old.keys() - new,
        "only in AFTER": new.keys() - old,
        "twice in BEFORE": [name for name, times in old.items() if times > 1],
        "twice in AFTER": [name for name, times in new.items() if times > 1],
    }
    if any(kinds.values()):
        told = "; ".join(f"{what}: {listed(sorted(ids))}" for what, ids in kinds.items() if ids)
        raise UsageError(
            f"the notes before and after must have the same ids ({told}). "
            "`dpdeid run` keeps ids with --keep-ids"
        )
    by_id = {doc.id: doc for doc in after}
    return [(doc, by_id[doc.id]) for doc in before]


BINS: Final = 10


def classes_of(code: tuple[Terminology, str]) -> tuple[str, ...]:
    """The rows of the table that a code counts in; of ICD-10 also FASDIM's procedures (Z40–Z54),
    laboratory (R70–R89) and diagnoses (all other codes).
    """
    kind, value = code
    if kind is not Terminology.ICD10:
        return ("all", kind.value)
    block = value[:3]
    if "Z40" <= block <= "Z54":
        return ("all", kind.value, "icd10_procedures")
    if "R70" <= block <= "R89":
        return ("all", kind.value, "icd10_laboratory")
    return ("all", kind.value, "icd10_diagnoses")


@dataclass(frozen=True, slots=True)
class Comparison:
    """Codes before and after, over notes; `a + b` is both together.

    Args:
        counts: by class ("all", "icd10", …): in common, only after, only before.
        jaccard: of each note with a code, in their order.
        uncoded: notes without any code on both sides.
    """

    counts: Mapping[str, Counts] = field(default_factory=dict)
    jaccard: tuple[float, ...] = ()
    uncoded: int = 0

    def __add__(self, other: Comparison) -> Comparison:
        names = {**self.counts, **other.counts}
        zero = Counts()
        counts = {n: self.counts.get(n, zero) + other.counts.get(n, zero) for n in names}
        return Comparison(counts, self.jaccard + other.jaccard, self.uncoded + other.uncoded)

    @property
    def all(self) -> Counts:
        return self.counts.get("all", Counts())

    @property
    def equal(self) -> float:
        """The share of notes whose codes are the same before and after."""
        return ratio(sum(j == 1 for j in self.jaccard), len(self.jaccard))

    @property
    def mean(self) -> float:
        """The mean Jaccard index of the notes with a code."""
        return sum(self.jaccard) / len(self.jaccard) if self.jaccard else math.nan

    def kept(self) -> dict[str, float]:
        """The share kept, by class; "all", "icd10" and "atc" always, others where codes stood."""
        names = sorted({"all", "atc", "icd10", *self.counts})
        return {name: self.counts.get(name, Counts()).recall for name in names}

    def histogram(self) -> list[dict[str, float]]:
        """Bins of a tenth: {"from", "to", "notes", "share", "cumulative"}."""
        total = len(self.jaccard)
        bins = [0] * BINS
        for value in self.jaccard:
            # floor of the exact tenths: 0.3 must not fall below its own edge
            bins[min(BINS - 1, math.floor(round(value * BINS, 9)))] += 1
        return [
            {
                "from": round(at / BINS, 1),
                "to": round((at + 1) / BINS, 1),
                "notes": bins[at],
                "share": ratio(bins[at], total),
                "cumulative": ratio(sum(bins[at:]), total),
            }
            for at in range(BINS)
        ]

    def as_json(self) -> dict[str, Any]:
        """All figures as plain data; nan is None."""
        figures = {
            "notes": len(self.jaccard) + self.uncoded,
            "notes_without_codes": self.uncoded,
            "kept": self.kept(),
            "codes": {
                name: {"before": c.tp + c.fn, "after": c.tp + c.fp, "common": c.tp}
                for name, c in sorted(self.counts.items())
            },
            "precision": self.all.precision,
            "recall": self.all.recall,
            "f1": self.all.f1,
            "jaccard": {
                "equal": self.equal,
                "equal_notes": sum(j == 1 for j in self.jaccard),
                "mean": self.mean,
                "histogram": self.histogram(),
            },
        }
        return {name: _plain(value) for name, value in figures.items()}


def compare(before: Iterable[Code], after: Iterable[Code]) -> Comparison:
    """The codes of one note before and after."""
    old = {(c.terminology, c.value) for c in before}
    new = {(c.terminology, c.value) for c in after}
    if not old and not new:
        return Comparison(uncoded=1)
    counts: dict[str, Counts] = {}
    for code in old | new:
        one = Counts(code in old and code in new, code not in old, code not in new)
        for name in classes_of(code):
            counts[name] = counts.get(name, Counts()) + one
    return Comparison(counts, (len(old & new) / len(old | new),))


def paired(
    before: Sequence[Document], after: Sequence[Document]
) -> Iterator[tuple[Document, Document]]:
    """Each note before with the one of its id after, and of the structured facts what both have.

    Raises:
        UsageError: an id stands on one side only or twice; names the ids.
    """
    for old, new in same_notes(before, after):
        dated = old.note_date is not None and new.note_date is not None
        yield (
            Document(old.id, old.text, note_date=old.note_date if dated else None),
            Document(new.id, new.text, note_date=new.note_date if dated else None),
        )


def _plain(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _plain(item) for key, item in value.items()}
    if isinstance(value, list):
        return [_plain(item) for item in value]
    return None if isinstance(value, float) and math.isnan(value) else value
