"""Finds given strings in a note in one pass over the tokens, and in a record what was found once.

A target is folded letters and digits without separators ("legoff", "0612345678"); a hit is a run of
tokens that spells it exactly, with only the separators of its kind between them. So "LE GOFF",
"Le-Goff" and "LeGoff" are one target, and the cost does not grow with their number.

`Propagate` searches again the names, identifiers and phones found on strong evidence, and towns in
small letters; label and role are kept. A name that is also a word is followed only where it is
written as a name, and nothing is proposed inside an eponym phrase, nor where a span already stands.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import accumulate, compress
from typing import ClassVar, Final, Generic, NamedTuple, TypeVar

from dpdeid import gazetteers
from dpdeid.detect.known_facts.told_words import told_words
from dpdeid.detect.names import vocabulary as voc
from dpdeid.detect.names.name_tokens import View, view_of
from dpdeid.document import Document, Span
from dpdeid.labels import NAMES, Label, Role
from dpdeid.normalize import fold
from dpdeid.spans import covered

T = TypeVar("T")

NAME_GAPS: Final = frozenset(" -'\n\r\t")
NUMBER_GAPS: Final = frozenset(" -'\n\r\t./_()[]·,:#*+")
_WORD: Final = re.compile(r"[^\W_]+").findall
_MAX_GAP: Final = 4
MAX_TARGET: Final = 80


@dataclass(frozen=True, slots=True)
class Target(Generic[T]):
    """What to find: `key` as folded letters and digits, and how it may be parted.

    Args:
        fact: what a hit is reported with.
        cuts: offsets in `key` where it may be parted; None for anywhere.
        gaps: the marks that may stand at a cut.
        broken: whether a word may also be broken by a hyphen at the end of a line.
    """

    key: str = field(repr=False)
    fact: T = field(repr=False)
    cuts: frozenset[int] | None = None
    gaps: frozenset[str] = NUMBER_GAPS
    broken: bool = False


def squeeze(text: str) -> str:
    """The folded letters and digits of a text, nothing else."""
    return "".join(_WORD(fold(text)))


def parts(text: str) -> tuple[str, ...]:
    """The folded words of a text."""
    return tuple(_WORD(fold(text)))


def name_target(
    words: Iterable[str], fact: T, gaps: frozenset[str] = NAME_GAPS, *, broken: bool = False
) -> Target[T]:
    """A target that may be parted between its words only, or glued."""
    cuts, key = set(), ""
    for word in words:
        key += word
        cuts.add(len(key))
    return Target(key, fact, frozenset(cuts), gaps, broken)


class Finder(Generic[T]):
    """An index of targets: the strings that begin one, and those that are one."""

    __slots__ = ("_begins", "_kinds")

    def __init__(self, targets: Iterable[Target[T]]) -> None:
        self._kinds: dict[frozenset[str], _Kind[T]] = {}
        for target in targets:
            kind = self._kinds.setdefault(target.gaps, _Kind({}, {}))
            key = target.key[:MAX_TARGET]
            kind.whole.setdefault(key, []).append(target.fact)
            if target.cuts is None:
                kind.heads.update(dict.fromkeys(accumulate(key[:-1]), True))
                continue
            kind.heads.update((key[:end], True) for end in target.cuts if end < len(key))
            if target.broken:
                for end in range(1, len(key)):
                    kind.heads.setdefault(key[:end], False)
        self._begins = frozenset[str]().union(
            *(words for kind in self._kinds.values() for words in (kind.heads, kind.whole))
        )

    def find(self, view: View) -> Iterator[tuple[int, int, T]]:
        """Runs of tokens as (first, stop, fact)."""
        places = tuple(compress(range(view.size), map(self._begins.__contains__, view.folded)))
        for gaps, kind in self._kinds.items():
            for index in places:
                for stop, facts in _spell(view, index, kind, gaps):
                    yield from ((index, stop, fact) for fact in facts)


class _Kind(NamedTuple, Generic[T]):
    """Targets that share gaps; a head is False where only a hyphen at a line's end may part it."""

    heads: dict[str, bool]
    whole: dict[str, list[T]]


def _spell(
    view: View, at: int, kind: _Kind[T], gaps: frozenset[str]
) -> Iterator[tuple[int, list[T]]]:
    """What the tokens from `at` on spell, as (token after it, facts)."""
    spelt, index = view.folded[at], at + 1
    while True:
        if (facts := kind.whole.get(spelt)) is not None:
            yield index, facts
        if (parted := kind.heads.get(spelt)) is None:
            return
        before = index - 1
        while index < view.size and view.texts[index] in gaps and index - before <= _MAX_GAP:
            index += 1
        if index >= view.size or not view.texts[index].isalnum():
            return
        gap = view.text[view.ends[before] : view.starts[index]]
        if (len(gap) > _MAX_GAP and gap.strip(" ") not in ("", "\n")) or (
            not parted and "-\n" not in gap
        ):
            return
        spelt += view.folded[index]
        index += 1


_NUMBERS: Final = {label for label in Label if label.endswith("_ID")}
_FOLLOWED: Final = NAMES | _NUMBERS | {Label.PHONE, Label.FAX, Label.SSN, Label.CITY}
_STRONG: Final = 0.9
_SCORE: Final = 0.8
_MIN_NUMBER: Final = 6
_SHORT_TOWN: Final = 4
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
        followed = [s for s in spans if s.label in _FOLLOWED]
        strong = [s for s in followed if s.score >= _STRONG or _is_unlisted(doc, s)]
        for span in sorted(strong, key=_place):
            text = doc.text[span.start : span.end]
            if (text, span.label) not in seen:
                seen.add((text, span.label))
                for target in _searched(text, span.label, span.role):
                    targets.setdefault(target.key, target)
    return targets


def _is_unlisted(doc: Document, span: Span) -> bool:
    """A name whose words no list has means nothing else, however unsure it was found."""
    if span.label not in NAMES:
        return False
    words = [word for word in parts(doc.text[span.start : span.end]) if len(word) > 3]
    return bool(words) and all(map(voc.UNLISTED.__getitem__, words))


@lru_cache(maxsize=1 << 12)
def _searched(text: str, label: Label, role: Role) -> tuple[Target[_Known], ...]:
    if label in NAMES:
        return tuple(_names(parts(text), label, role))
    if label is Label.CITY:
        own, known = parts(text), gazetteers.places_named(" ".join(parts(text)))
        towns = known and not text.islower() and len("".join(own)) > _SHORT_TOWN
        return (name_target(own, _Known(label, role)),) if towns else ()
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
    found, told = covered(spans), told_words(doc)
    for (start, end), first, stop, known in hits:
        if told and known.label in NAMES and told.issuperset(view.folded[first:stop]):
            continue  # where a told word is a name, metadata says
        free = not found.issuperset(range(start, end))
        if known.label is Label.CITY:
            written = _is_small_town(view, first, stop)
        else:
            written = known.label not in NAMES or reads_as_name(view, first, stop)
        if free and written:
            yield Span(start, end, known.label, _SCORE, "propagate", known.role)


def _is_small_town(view: View, first: int, stop: int) -> bool:
    """The run is in small letters, no ordinary words, and behind no eponym's noun or name."""
    words = [at for at in range(first, stop) if view.texts[at].isalpha()]
    return (
        all(view.texts[at].islower() for at in words)
        and not all(view.bits[at] & (voc.WORD | voc.FREQUENT) for at in words)
        and first not in view.guarded
        and not view.bits[first - 1 if first else 0] & voc.CALL
    )


def reads_as_name(view: View, first: int, stop: int) -> bool:
    """The run is written as a name is, and in no eponym phrase."""
    if first in view.guarded or view.folded[max(0, first - 2) : first] == ("saint", "-"):
        return False
    letters = [i for i in range(first, stop) if view.texts[i].isalpha()]
    if not letters:  # a number, once taken for a name
        return False
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
    if text.islower() or bits & voc.CLOSED:
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
