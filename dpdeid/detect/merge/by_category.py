"""CHUV's hybrid: a category is either the tagger's or the rules' (Loftsson 2022, chapter 5).

There the rules had each category whose F1 of rules was over .90 (but TEMPS), and the bi-LSTM the
others; categories with fewer than 20 examples in the whole corpus were left out. Here they are the
rules', since a tagger that was not taught a category cannot find it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar, Final

from dpdeid.detect.merge.published import LEARNED, detector_of, finish, kind_of, verdict
from dpdeid.document import Document, Span
from dpdeid.labels import Label, Role, chuv_name
from dpdeid.spans import Overlaps, disjoint

CATEGORIES: Final = frozenset(chuv_name(label, role) for label in Label for role in Role)
"""CHUV's, and our labels that it does not have, under their own names."""


@dataclass(frozen=True, slots=True)
class ByCategory:
    """Each category from the tagger or from the rules, which are all other detectors together.

    A name whose role nobody knows is PATIENT_E. Within what is admitted the longest span wins, and
    remainders stay.

    Args:
        categories: those that the tagger has (see `dpdeid.labels.chuv_name`); what it says of all
            others is dropped.
        tagger: which kind of detector it is.
        backing: what the rules find of a category of the tagger stands where the tagger marks
            nothing. At CHUV it was dropped: false, and less is redacted.

    Raises:
        ValueError: a category that there is not, one that stands twice, or no kind of tagger.
    """

    name: ClassVar[str] = "by_category"
    categories: tuple[str, ...] = ()
    tagger: str = "flair"
    backing: bool = True

    def __post_init__(self) -> None:
        if self.tagger not in LEARNED:
            raise ValueError(f"tagger must be one of {', '.join(LEARNED)}")
        if unknown := sorted(set(self.categories) - CATEGORIES):
            allowed = ", ".join(sorted(CATEGORIES))
            raise ValueError(f"no category {unknown[0]!r}; allowed: {allowed}")
        if len(set(self.categories)) < len(self.categories):
            raise ValueError("a category stands twice")

    @property
    def needs(self) -> tuple[str, ...]:
        """Kinds of detectors that a policy with it must have."""
        return (self.tagger,)

    def __call__(self, doc: Document, proposals: Mapping[str, Sequence[Span]]) -> tuple[Span, ...]:
        said = [
            span
            for name, spans in proposals.items()
            if kind_of(name) == self.tagger
            for span in spans
            if self._is_taught(span)
        ]
        marked = Overlaps(said)
        for name, spans in proposals.items():
            if kind_of(name) == self.tagger:
                continue
            for span in spans:
                alone = self.backing and not any(marked.over(span.start, span.end))
                if alone or not self._is_taught(span):
                    said.append(span)
        return finish(doc, disjoint(said), said)

    def reason(self, span: Span, proposals: Sequence[Span]) -> str:
        """Why `span` came out of the proposals that overlap it."""
        if not self._is_taught(span):
            return f"the rules own {chuv_name(span.label, span.role)}"
        if kind_of(detector_of(span)) == self.tagger:
            return f"{self.tagger} owns {chuv_name(span.label, span.role)}"
        return verdict(span, proposals, f"{self.tagger} marks nothing here")

    def _is_taught(self, span: Span) -> bool:
        return chuv_name(span.label, span.role) in self.categories
