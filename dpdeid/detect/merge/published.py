"""Decision rules between detectors, one in every policy; `decision` and `by_category` are others.

- `Union` is AP-HP's: all proposals are united, the largest wins, a learned tagger wins a perfect
  tie, the loser keeps its remainder (Tannier et al. 2024).
- `Tags` is HNFC's: token by token, equal tags stand, a tag beats no tag, and where both differ the
  configured winner decides; then the BIO sequence is repaired (Tchouka et al. 2022).
- `Route` is CHUV's: a table says which detector owns which label; the rest is dropped, the owners'
  spans are united (Loftsson 2022).

All give sorted, disjoint spans that cover every letter and digit of the proposals they admit, and
do not depend on the order of the proposals. Detectors of one kind are told apart by their names,
"crf", then "crf#2"; options name kinds and hold for each detector of the kind: `Route` takes a
label from all of them, and `Tags` hears the one first that stands first in the policy.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import chain, groupby
from typing import ClassVar, Final, Protocol, TypeVar

from dpdeid.detect.grids import days
from dpdeid.detect.lengths import is_length
from dpdeid.detect.measurements import measured
from dpdeid.detect.merge.no_names import without_specialty
from dpdeid.detect.places.area_codes import with_areas
from dpdeid.document import Document, Span
from dpdeid.labels import CATEGORIES, Label, Role
from dpdeid.spans import OUTSIDE, Overlaps, by_size, decode, disjoint, encode, repair, trim


class Named(Protocol):
    """A detector or a propagator."""

    name: ClassVar[str]


T = TypeVar("T", bound=Named)


def voices(parts: Iterable[T]) -> dict[str, T]:
    """Each part under its own name: the name of its kind, from the second on with a number."""
    own: dict[str, T] = {}
    for part in parts:
        name, number = part.name, 1
        while name in own:
            number += 1
            name = f"{part.name}#{number}"
        own[name] = part
    return own


def kind_of(name: str) -> str:
    """The kind of the detector with such a name.

    >>> kind_of("site#2"), kind_of("site")
    ('site', 'site')
    """
    return name.partition("#")[0]


def place_of(name: str) -> tuple[str, int]:
    """A key that sorts names by kind, then in the order of the policy.

    >>> sorted(["site#10", "crf", "site#2", "site"], key=place_of)
    ['crf', 'site', 'site#2', 'site#10']
    """
    kind, _, number = name.partition("#")
    return kind, int(number or 1)


def said_by(name: str, spans: Iterable[Span]) -> Iterator[Span]:
    """What a detector proposes, with its name in the source: "site#2/staff" of a second "site"."""
    if kind_of(name) == name:
        yield from spans
        return
    for span in spans:
        _, slash, row = span.source.partition("/")
        yield replace(span, source=f"{name}{slash}{row}")


LEARNED = ("transformer", "crf", "flair")
"""Kinds of the detectors that are trained."""
_UNKNOWN: Final = Role.UNKNOWN


def detector_of(span: Span) -> str:
    """The detector that proposed a span ("crf#2"); its source is "detector" or "detector/row"."""
    return span.source.partition("/")[0]


def finish(doc: Document, spans: Iterable[Span], proposals: Iterable[Span]) -> tuple[Span, ...]:
    """Trimmed spans that hold a letter or digit and are no measurement, and the codes of areas
    beside them; an age or hour that is a length is one; a role no winner knew comes from who
    agreed.
    """
    roles: dict[tuple[Label, int], Role] = {}
    for span in proposals:
        if (role := span.role) is not _UNKNOWN:
            ended = (span.label, span.end)
            roles[ended] = max(roles.get(ended, role), role)
    kept = []
    grids = measured(doc)
    opening = frozenset(at for day in days(doc.text) for at in doc.tokens.over(*day))
    for inside in chain.from_iterable(_unmeasured(doc, span, grids, opening) for span in spans):
        if inside.role is _UNKNOWN and (told := roles.get((inside.label, inside.end))):
            inside = replace(inside, role=told)
        kept.append(inside)
    return with_areas(doc, kept)


def _unmeasured(
    doc: Document, span: Span, grids: frozenset[int], opening: frozenset[int]
) -> Iterator[Span]:
    """The trimmed span if it holds a letter or digit and is no measurement; of one that tells a
    number or a date what digits are left beside measurements, and the days of rows as dates.
    """
    named = without_specialty(doc, span)
    inside = named and trim(named, doc.text)
    if inside is None or not any(map(str.isalnum, doc.text[inside.start : inside.end])):
        return
    own = doc.tokens.over(inside.start, inside.end)
    if is_length(inside, doc.text):
        inside = replace(inside, label=Label.DURATION)
    if grids.isdisjoint(own) and opening.isdisjoint(own):
        yield inside
        return
    if opening.issuperset(own):
        yield replace(inside, label=Label.DATE)
        return
    if inside.label not in _OF_DIGITS:
        if not grids.issuperset(at for at in own if doc.tokens.texts[at].isalnum()):
            yield inside
        return
    for (is_measured, opens), run in groupby(own, lambda at: (at in grids, at in opening)):
        left = [*run]
        start = max(inside.start, doc.tokens.starts[left[0]])
        end = min(inside.end, doc.tokens.ends[left[-1]])
        label = Label.DATE if opens else inside.label
        rest = trim(replace(inside, start=start, end=end, label=label), doc.text)
        beside = inside.label is Label.DATE and not opens and not opening.isdisjoint(own)
        if is_measured or beside or rest is None:
            continue
        digits = sum(map(str.isdigit, doc.text[rest.start : rest.end]))
        if digits >= (1 if rest.label in _OF_DAYS or len(left) == len(own) else _FEW):
            yield rest


_FEW: Final = 3
"""Digits of what is left of a number beside measurements."""
_OF_DAYS: Final = frozenset((Label.DATE, Label.BIRTH_DATE, Label.TIME, Label.AGE))
_OF_DIGITS: Final = (
    frozenset(label for label in Label if label.endswith("_ID") or CATEGORIES[label] == "CONTACT")
    | _OF_DAYS
    | {Label.ZIP, Label.SSN}
)
"""Labels that measurements are taken for, and whose values hold digits."""


def sign(span: Span, proposals: Overlaps) -> Span:
    """A decided span with the source, score and role of the best proposal of its label behind it;
    with its own if there is none.
    """
    behind = [p for p in proposals.over(span.start, span.end) if p.label == span.label] or [span]
    best = max(behind, key=lambda p: (p.score, p.role is not Role.UNKNOWN, p.source, p.role))
    return replace(span, source=best.source, score=best.score, role=best.role)


def verdict(span: Span, proposals: Sequence[Span], conflict: str) -> str:
    """Why a span came out, if the proposals agree; else the name of what decided the conflict."""
    rivals = {s.label for s in proposals}
    if len({detector_of(s) for s in proposals}) <= 1 and len(rivals) <= 1:
        return "only proposal"
    return "all agree" if rivals == {span.label} else conflict


@dataclass(frozen=True, slots=True)
class Union:
    """AP-HP's rule.

    Args:
        learned: detectors that win a perfect tie of extent.
    """

    name: ClassVar[str] = "union"
    needs: ClassVar[tuple[str, ...]] = ()
    learned: tuple[str, ...] = LEARNED

    def __call__(self, doc: Document, proposals: Mapping[str, Sequence[Span]]) -> tuple[Span, ...]:
        every = [span for spans in proposals.values() for span in spans]

        def rank(span: Span) -> tuple[object, ...]:
            size, *rest = by_size(span)
            return (size, kind_of(detector_of(span)) not in self.learned, *rest)

        # where nothing learned proposes there is no tie to break, and the plain order is quicker
        sources = {span.source for span in every}
        learned = any(kind_of(source.partition("/")[0]) in self.learned for source in sources)
        return finish(doc, disjoint(every, rank if learned else by_size), every)

    def reason(self, span: Span, proposals: Sequence[Span]) -> str:
        """Why `span` came out of the proposals that overlap it."""
        if all(span.start > p.start or span.end < p.end for p in proposals):
            return "remainder beside a larger span"
        tie = [p for p in proposals if (p.start, p.end) == (span.start, span.end)]
        if len({p.label for p in tie}) > 1:
            learned = kind_of(detector_of(span)) in self.learned
            return "tie: the learned tagger" if learned else "tie: the better score"
        return verdict(span, proposals, "the largest wins")


@dataclass(frozen=True, slots=True)
class Tags:
    """HNFC's rule.

    Args:
        winners: detectors in the order in which they decide where tags differ; those not named come
            last, in alphabetical order.
    """

    name: ClassVar[str] = "tags"
    needs: ClassVar[tuple[str, ...]] = ()
    winners: tuple[str, ...] = LEARNED

    def _order(self, names: Iterable[str]) -> list[str]:
        rank = {name: place for place, name in enumerate(self.winners)}
        return sorted(names, key=lambda n: (rank.get(kind_of(n), len(rank)), place_of(n)))

    def __call__(self, doc: Document, proposals: Mapping[str, Sequence[Span]]) -> tuple[Span, ...]:
        order = self._order(proposals)
        rows = {name: encode(disjoint(proposals[name]), doc.tokens) for name in order}
        decided = self.decide(rows)
        every = [span for name in order for span in proposals[name]]
        overlaps = Overlaps(every)
        spans = (sign(span, overlaps) for span in decode(decided, doc.tokens, source=self.name))
        return finish(doc, spans, every)

    def decide(self, rows: Mapping[str, Sequence[str]]) -> tuple[str, ...]:
        """One repaired BIO tag a token, from one row of tags a detector (equal lengths)."""
        columns = zip(*(rows[name] for name in self._order(rows)), strict=True)
        return repair([next((t for t in column if t != OUTSIDE), OUTSIDE) for column in columns])

    def reason(self, span: Span, proposals: Sequence[Span]) -> str:
        """Why `span` came out of the proposals that overlap it."""
        return verdict(span, proposals, "tags differ: the configured winner")


@dataclass(frozen=True, slots=True)
class Route:
    """CHUV's rule.

    Args:
        owners: label → the detector whose spans of that label are taken. A label not in the table
            is taken from every detector.
    """

    name: ClassVar[str] = "route"
    owners: Mapping[Label, str] = field(default_factory=dict, hash=False)

    @property
    def needs(self) -> tuple[str, ...]:
        """The owners."""
        return tuple(sorted(set(self.owners.values())))

    def __call__(self, doc: Document, proposals: Mapping[str, Sequence[Span]]) -> tuple[Span, ...]:
        admitted = [
            span
            for name, spans in proposals.items()
            for span in spans
            if self.owners.get(span.label, kind_of(name)) == kind_of(name)
        ]
        return finish(doc, disjoint(admitted), admitted)

    def reason(self, span: Span, proposals: Sequence[Span]) -> str:
        """Why `span` came out of the proposals that overlap it."""
        owner = self.owners.get(span.label)
        if owner is not None:
            return f"{owner} owns {span.label}"
        return verdict(span, proposals, "the largest wins")
