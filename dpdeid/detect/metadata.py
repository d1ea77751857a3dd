"""The hospital's structured facts, found in the note in any writing.

Every fact of `doc.known` (names, birth date, address, town, phones, numbers) is searched in any
case, accent, separator or line break; a known name also with one slip of the pen where a name is
expected. Facts are trusted, not checked: an empty or absurd one finds nothing or little.
Cost: one pass over the tokens, whatever the number of facts.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar, Final

from dpdeid.detect import vocabulary as voc
from dpdeid.detect.facts import NAMES, PHONES, targets
from dpdeid.detect.search import Finder, parts, squeeze
from dpdeid.detect.units import View, view_of
from dpdeid.document import Document, Span
from dpdeid.labels import Label, Role
from dpdeid.normalize import one_slip

_MIN_SLIP: Final = 5


@dataclass(frozen=True, slots=True)
class Metadata:
    """Finds the patient's known facts in the note."""

    name: ClassVar[str] = "metadata"

    def __call__(self, doc: Document) -> Iterable[Span]:
        if not any(doc.known.values()):
            return ()
        view = view_of(doc)
        found: list[Span] = []
        named: list[tuple[int, int, Label]] = []
        for first, stop, fact in Finder(targets(doc.known)).find(view):
            if fact.label in NAMES:
                if fact.whole or _stands_alone(view, first, stop):
                    named.append((first, stop, fact.label))
            elif bounded(view, first, stop):
                first, stop = _with_sign(view, first, stop, fact.label)
                found.append(_span(view, first, stop, fact.label))
        edges = {(at, label) for first, stop, label in named for at in (first, -stop)}
        named = [n for n in named if _is_name(view, n, edges)]
        named += list(_slips(view, doc.known, named))
        named = [_whole(view, *n) for n in named]
        letters = initial_letters(map(parts, doc.known.get(Label.FIRST_NAME, ())))
        named += [
            (*place, Label.FIRST_NAME)
            for first, stop, label in named
            if label is Label.LAST_NAME
            for place in initials(view, first, stop, letters)
        ]
        found += [_span(view, *n) for n in named]
        return found


def _span(view: View, first: int, stop: int, label: Label) -> Span:
    return view.span(
        first, stop, label, 1.0, "metadata", Role.PATIENT if label in NAMES else Role.UNKNOWN
    )


def bounded(view: View, first: int, stop: int) -> bool:
    """Whether no digit or letter of another token touches the run."""
    before = view.glued(first) and view.texts[first - 1].isalnum()
    after = stop < view.size and view.glued(stop) and view.texts[stop].isalnum()
    numeric = view.texts[first].isdigit()
    return not (before and view.texts[first - 1].isdigit() == numeric) and not (
        after and view.texts[stop].isdigit() == view.texts[stop - 1].isdigit()
    )


def _with_sign(view: View, first: int, stop: int, label: Label) -> tuple[int, int]:
    if label in PHONES and first and view.texts[first - 1] == "+":
        return first - 1, stop
    return first, stop


def _stands_alone(view: View, first: int, stop: int) -> bool:
    """Part of a double name: a word that means nothing else, or written as a name."""
    bits = view.bits[first]
    return not bits & voc.WORD or view.texts[first][0].isupper()


def _is_name(view: View, hit: tuple[int, int, Label], edges: set[tuple[int, Label]]) -> bool:
    """A known name that is also a word counts only where it is written as a name."""
    first, stop, label = hit
    if view.glued(first) and view.folded[first - 2 : first] in (("saint", "-"), ("st", "-")):
        return False
    if view.bits[first] & voc.EPONYM and not titled(view, first):
        eponym = first in view.guarded or view.folded[first - 1 : first] in (
            ("de",),
            ("d",),
            ("'",),
        )
        if eponym:
            return False
    if any(
        not view.bits[i] & (voc.WORD | voc.PARTICLE)
        for i in range(first, stop)
        if view.texts[i].isalpha()
    ) and (view.ends[stop - 1] - view.starts[first] > 2):
        return True
    other = NAMES[label is NAMES[0]]
    beside = not edges.isdisjoint({(stop, other), (stop + 1, other), (-first, other)})
    if beside or titled(view, first):
        return True
    if first in view.guarded:
        return False
    text = view.texts[first]
    if text.isupper() and view.ends[stop - 1] - view.starts[first] > 2:
        return True
    return text[0].isupper() and not view.opens(first)


def _whole(view: View, first: int, stop: int, label: Label) -> tuple[int, int, Label]:
    """The hit with what a hyphen joins to its end: "Le Goff-Madec" where "Le Goff" is known."""
    while (
        stop + 1 < view.size
        and view.texts[stop] == "-"
        and view.glued(stop)
        and view.glued(stop + 1)
        and view.texts[stop + 1][0].isupper()
    ):
        stop += 2
    return first, stop, label


def titled(view: View, first: int) -> bool:
    """Whether a title, the name of a role or "née" stands before a token."""
    at = first - 1
    while at >= 0 and view.texts[at] in '.:«"(':
        at -= 1
    return at >= 0 and bool(view.bits[at] & voc.CALL or view.folded[at] in voc.MAIDEN)


def _slips(
    view: View, known: Mapping[Label, tuple[str, ...]], named: list[tuple[int, int, Label]]
) -> Iterator[tuple[int, int, Label]]:
    """Known names with one letter wrong, where a name stands or no word is spelt like it."""
    words = {
        (part, label)
        for label in NAMES
        for value in known.get(label, ())
        for part in parts(value)
        if len(part) >= _MIN_SLIP - 1
    }
    if not words:
        return
    taken = {i for first, stop, _ in named for i in range(first, stop)}
    sizes = {len(w) + d for w, _ in words for d in (-1, 0, 1)}
    beside = {i for first, stop, _ in named for i in (first - 2, first - 1, stop, stop + 1)}
    glued = _glued_names(known)
    heads = {part[0] for part, _ in words}
    for index, word in enumerate(view.folded):
        if word[:1] not in heads or len(word) not in sizes or index in taken:
            continue
        near = (
            index in beside
            or titled(view, index)
            or (index > 1 and bool(view.bits[index - 1] & voc.PARTICLE) and titled(view, index - 1))
        )
        strange = not view.bits[index] & voc.WORD and len(word) > _MIN_SLIP
        if not near and not strange:
            continue
        for part, label in words:
            least = _MIN_SLIP - 1 if near and view.texts[index][0].isupper() else _MIN_SLIP
            if len(part) >= least and part != word and part[0] == word[0] and one_slip(part, word):
                first = index
                if (
                    (word_before := glued.get(part))
                    and index
                    and view.folded[index - 1] == word_before
                ):
                    first = index - 1
                yield first, index + 1, label
                break


def _glued_names(known: Mapping[Label, tuple[str, ...]]) -> dict[str, str]:
    """For each part of a known surname, the part before it."""
    out: dict[str, str] = {}
    for value in known.get(Label.LAST_NAME, ()):
        words = parts(value)
        out.update(zip(words[1:], words, strict=False))
    return out


def initial_letters(names: Iterable[Sequence[str]]) -> frozenset[str]:
    """The initials under which given names may stand, from their folded words: "jm", "j"."""
    joined = {"".join(word[0] for word in words) for words in names if words}
    return frozenset(joined | {letters[0] for letters in joined})


def initials(
    view: View, first: int, stop: int, letters: frozenset[str]
) -> Iterator[tuple[int, int]]:
    """Where initials stand beside a surname: "J.-M. LE GOFF", "Le Goff M."."""
    if (unit := view.unit(stop)) is not None and unit.shape == "I":
        text = view.text[view.starts[unit.first] : view.ends[unit.stop - 1]]
        if squeeze(text) in letters and (text[0].isupper() or "." in text):
            yield unit.first, unit.stop
    for back in (1, 2, 4, 5):
        unit = view.unit(first - back) if first >= back else None
        if unit is not None and unit.shape == "I" and unit.stop == first:
            text = view.text[view.starts[unit.first] : view.ends[unit.stop - 1]]
            if squeeze(text) in letters and text[0].isupper() and text not in ("M", "M."):
                yield unit.first, unit.stop
