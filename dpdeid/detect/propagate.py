"""A name found once on strong evidence, found everywhere in the notes of the record.

Also identifiers and phones in another format. Label and role are kept. A name that is also a word
is followed only where it is written as a name; nothing is proposed inside an eponym phrase, nor
where a span already stands. Not a guess at spelling: only what was found is searched again.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import ClassVar, Final, NamedTuple

from dpdeid import gazetteers
from dpdeid.detect import vocabulary as voc
from dpdeid.detect.search import Finder, Target, name_target, parts, squeeze
from dpdeid.detect.units import View, view_of
from dpdeid.document import Document, Span
from dpdeid.labels import Label, Role

_NAMES: Final = (Label.LAST_NAME, Label.FIRST_NAME)
_NUMBERS: Final = (
    Label.PHONE,
    Label.FAX,
    Label.SSN,
    Label.PATIENT_ID,
    Label.VISIT_ID,
    Label.ORDER_ID,
    Label.PROVIDER_ID,
    Label.OTHER_ID,
)
_FOLLOWED: Final = frozenset((*_NAMES, *_NUMBERS))
_STRONG: Final = 0.9
_SCORE: Final = 0.8
_MIN_NUMBER: Final = 6
_ARTICLES: Final = frozenset(("de", "d", "'", "un", "du", "le", "mauvais"))
"""Words before an eponym that stands for the disease, the sign or the device."""


class _Known(NamedTuple):
    label: Label
    role: Role


@dataclass(frozen=True, slots=True)
class Propagate:
    """Finds again, in all notes of a record, the names and numbers that were found for sure."""

    name: ClassVar[str] = "propagate"

    def __call__(
        self, documents: Sequence[Document], found: Sequence[Sequence[Span]]
    ) -> Sequence[Sequence[Span]]:
        targets = _targets(documents, found)
        if not targets:
            return tuple(() for _ in documents)
        finder = Finder(targets.values())
        return tuple(
            tuple(_again(doc, spans, finder)) for doc, spans in zip(documents, found, strict=True)
        )


def _place(span: Span) -> tuple[object, ...]:
    return (span.start, span.end, span.label, -span.score, span.source, span.role)


def _targets(
    documents: Sequence[Document], found: Sequence[Sequence[Span]]
) -> dict[str, Target[_Known]]:
    """What to search for, by key; the first strong finding of a key gives its label and role."""
    targets: dict[str, Target[_Known]] = {}
    seen: set[tuple[str, Label]] = set()
    for doc, spans in zip(documents, found, strict=True):
        strong = [s for s in spans if s.score >= _STRONG and s.label in _FOLLOWED]
        for span in sorted(strong, key=_place):
            text = doc.text[span.start : span.end]
            if (text, span.label) not in seen:
                seen.add((text, span.label))
                for target in _searched(text, span.label, span.role):
                    targets.setdefault(target.key, target)
    return targets


@lru_cache(maxsize=1 << 12)
def _searched(text: str, label: Label, role: Role) -> tuple[Target[_Known], ...]:
    """What to search for where this name or number was found."""
    if label in _NAMES:
        return tuple(_names(parts(text), label, role))
    key = squeeze(text)
    numeric = len(key) >= _MIN_NUMBER and sum(map(str.isdigit, key)) * 2 > len(key)
    return (Target(key, _Known(label, role)),) if numeric else ()


def _names(words: Sequence[str], label: Label, role: Role) -> Iterator[Target[_Known]]:
    whole = "".join(words)
    if len(whole) < 3 or (len(whole) == 3 and not voc.TRAITS[whole] & voc.SOLE):
        return
    yield name_target(words, _Known(label, role))
    if len(words) > 1:
        for word in words:
            if len(word) > 3 and word not in voc.PARTICLES and not voc.TRAITS[word] & voc.WORD:
                yield name_target((word,), _Known(label, role))


def _again(doc: Document, spans: Sequence[Span], finder: Finder[_Known]) -> Iterable[Span]:
    view = view_of(doc)
    standing = {(span.start, span.end) for span in spans}
    hits = [
        (place, first, stop, known)
        for first, stop, known in finder.find(view)
        if (place := (view.starts[first], view.ends[stop - 1])) not in standing
    ]
    if not hits:
        return
    covered, marks = bytearray(len(doc.text)), bytearray(b"\x01") * len(doc.text)
    for start, end in standing:
        covered[start:end] = marks[start:end]
    for (start, end), first, stop, known in hits:
        if covered.find(0, start, end) < 0:
            continue
        if known.label in _NAMES and not reads_as_name(view, first, stop):
            continue
        yield Span(start, end, known.label, _SCORE, "propagate", known.role)


def reads_as_name(view: View, first: int, stop: int) -> bool:
    """The run is written as a name is, and in no eponym phrase."""
    if first in view.guarded or view.folded[max(0, first - 2) : first] == ("saint", "-"):
        return False
    letters = [i for i in range(first, stop) if view.texts[i].isalpha()]
    text = view.texts[letters[0]]
    if len(letters) == 1 and (_of_eponym(view, first) or _among_words(view, first)):
        return False
    bits = 0
    for index in letters:
        bits |= view.bits[index]
    ordinary = all(view.bits[i] & (voc.WORD | voc.PARTICLE) for i in letters)
    if first and view.folded[first - 1] in ("a", "vers", "sur") and text[0].isupper():
        place = gazetteers.places_named(" ".join(view.folded[i] for i in letters))
        if ordinary or place:
            return False
    if not ordinary:
        return not bits & voc.EPONYM or len(letters) > 1
    if text.islower():
        return False
    if bits & voc.CLOSED:
        return False
    return len(letters) > 1 or not view.opens(first)


def _of_eponym(view: View, at: int) -> bool:
    """The word is an eponym where it stands: "pas de Horton", "Scarff-Bloom"."""
    if at > 1 and view.texts[at - 1] == "-" and view.glued(at) and view.glued(at - 1):
        return bool((view.bits[at] | view.bits[at - 2]) & voc.EPONYM)
    joined = at + 2 < view.size and view.texts[at + 1] == "-" and view.glued(at + 1)
    if joined and view.glued(at + 2) and view.bits[at + 2] & voc.EPONYM:
        return True
    before = view.folded[at - 1] if at else ""
    return bool(view.bits[at] & voc.EPONYM) and before in _ARTICLES


def _among_words(view: View, at: int) -> bool:
    """An ordinary word in a line that is all capitals, between ordinary words: "MOTIF : FIÈVRE"."""
    if not view.texts[at].isupper() or not view.bits[at] & voc.WORD:
        return False
    sides = [i for i in (at - 1, at + 1) if 0 <= i < view.size and at - 1 not in view.breaks]
    before = view.bits[at - 1] if at else 0
    if before & (voc.CALL | voc.LISTED) and not before & voc.WORD:
        return False
    return all(
        (view.texts[i].isupper() and view.bits[i] & (voc.WORD | voc.STOP)) or view.texts[i] in ":'"
        for i in sides
    )
