"""The hospital's structured facts, found in the note in any writing.

Every fact of `doc.known` and `doc.others` (names, birth date, address, town, phones, numbers) is
searched in any case, accent, separator or line break; a known name also with one slip of the pen
where a name is expected. Facts are trusted, not checked: an empty or absurd one finds nothing or
little. Places and institutions of others are found only where they are written as names.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise, product
from typing import ClassVar, Final

from dpdeid.detect.known_facts.propagate import (
    NUMBER_GAPS,
    Finder,
    Target,
    name_target,
    parts,
    squeeze,
)
from dpdeid.detect.known_facts.told_words import (
    among_capitals,
    is_feast,
    is_thing,
    of_body,
    stands,
)
from dpdeid.detect.names import vocabulary as voc
from dpdeid.detect.names.name_tokens import View, view_of
from dpdeid.document import Document, Span
from dpdeid.french.calendar import LATIN_MONTHS, spellings
from dpdeid.labels import Label, Role
from dpdeid.normalize import one_slip
from dpdeid.spans import covered

NAMES: Final = (Label.LAST_NAME, Label.FIRST_NAME)
_PLACES: Final = (Label.CITY, Label.STREET, Label.HOSPITAL, Label.ORGANIZATION, Label.COUNTRY)

PHONES: Final = (Label.PHONE, Label.FAX)
_DATES: Final = (Label.BIRTH_DATE, Label.DATE)
_MIN_NUMBER: Final = 4
_SHORT_PART: Final = 3


def _alike(text: str) -> tuple[tuple[str, ...], ...]:
    """The groups of words that mean the same, from a text with bars between them."""
    return tuple(tuple(group.split()) for group in text.split("|"))


_ROMAN: Final = [number.lower() for number in LATIN_MONTHS]
_SAINTS: Final = _alike("saint st|sainte ste")
_STREETS: Final = _alike(
    "rue r|avenue av ave|boulevard bd bld bvd|route rte|chemin ch che|place pl|impasse imp"
    "|allee all|square sq|residence res"
)
_RESPELT: Final = 4
"""Words of a place whose type may be short."""
_INSIDE: Final = voc.words("bat batiment appt app appartement esc etage porte bte")


@dataclass(frozen=True, slots=True)
class Fact:
    """What a hit stands for; not `whole` if it is one part of a double name."""

    label: Label
    whole: bool = True


def targets(known: Mapping[Label, tuple[str, ...]]) -> Iterator[Target[Fact]]:
    """What to search for in a note, for all known facts."""
    for label, values in known.items():
        for value in values:
            if label in NAMES:
                yield from _name_targets(label, parts(value))
            elif label in _DATES:
                for fields in dates(value):
                    yield name_target(fields, Fact(label), NUMBER_GAPS)
            elif label in PHONES:
                yield from (Target(key, Fact(label)) for key in _phones(squeeze(value)))
            elif label in _PLACES:
                for words in _writings(value):
                    yield name_target(words, Fact(label), NUMBER_GAPS)
            else:
                yield from _number_targets(label, squeeze(value))


def _writings(value: str) -> Iterable[tuple[str, ...]]:
    """The words of a place or address: whole, or less its last parts, number or street type."""
    whole = parts(value)
    first = parts(value.split(",")[0])
    cut = next((i for i, word in enumerate(whole) if i and word in _INSIDE), len(whole))
    writings = {whole, first, whole[:cut]}
    for words in tuple(writings):
        start = next((i for i, word in enumerate(words) if word[0].isalpha() and len(word) > 3), 0)
        writings.add(words[start:] if start and len(words) - start > 1 else words)
    for words in tuple(writings):
        writings.update(respelt(words, street=True))
    return {w for w in writings if sum(c.isalpha() for c in "".join(w)) > 2}


def respelt(words: tuple[str, ...], *, street: bool) -> Iterable[tuple[str, ...]]:
    """The words with "Saint" and, of a street, its type written out or not: "av St Malo"."""
    kinds = (*_STREETS, *_SAINTS) if street else _SAINTS
    same = [next((kind for kind in kinds if word in kind), (word,)) for word in words[:_RESPELT]]
    return ((*head, *words[_RESPELT:]) for head in product(*same))


def _name_targets(label: Label, words: tuple[str, ...]) -> Iterator[Target[Fact]]:
    if len("".join(words)) < 2:
        return
    yield name_target(words, Fact(label), broken=True)
    if len(words) > 1:
        for word in words:
            if len(word) > _SHORT_PART and word not in voc.PARTICLES:
                yield name_target((word,), Fact(label, whole=False))


def _number_targets(label: Label, key: str) -> Iterator[Target[Fact]]:
    if len(key) < _MIN_NUMBER or not any(c.isdigit() for c in key):
        return
    yield Target(key, Fact(label))
    if label is Label.SSN and len(key) == 15:
        yield Target(key[:13], Fact(label))
    if (bare := key.lstrip("0")) != key and len(bare) > _MIN_NUMBER:
        yield Target(bare, Fact(label))


def _phones(digits: str) -> Iterable[str]:
    """The ways to dial a number: national, and with the country's prefix."""
    if len(digits) < 8:
        return (digits,) if len(digits) >= _MIN_NUMBER else ()
    core = digits
    for prefix in ("0033", "0041", "0032", "33", "41", "32"):
        if digits.startswith(prefix) and len(digits) >= len(prefix) + 8:
            core = digits[len(prefix) :]
            break
    core = core.removeprefix("0")
    return {digits, core, "0" + core} | {
        p + core for p in ("33", "330", "0033", "41", "410", "0041", "32", "320", "0032")
    }


def dates(iso: str) -> Iterable[tuple[str, ...]]:
    """The fields under which a birth date given in ISO form may stand; none if it is no date."""
    try:
        day = dt.date.fromisoformat(iso.strip()[:10])
    except ValueError:
        return ()
    days: set[tuple[str, ...]] = {(str(day.day),), (f"{day.day:02}",)}
    if day.day == 1:
        days.add(("1", "er"))
    months = {str(day.month), f"{day.month:02}", *spellings(day.month), _ROMAN[day.month - 1]}
    years = {str(day.year), f"{day.year % 100:02}"}
    written = {(*d, m, y) for d, m, y in product(days, months, years)}
    # 1/1/55 squeezed ("1155") is any number; what remains is at least a day, month and year
    return {fields for fields in written if len("".join(fields)) > 4} | {
        (str(day.year), f"{day.month:02}", f"{day.day:02}")
    }


_OTHER_NAMES: Final = frozenset(("naissance", "usage", "marital", "usuel", "famille"))
_MIN_SLIP: Final = 5


@dataclass(frozen=True, slots=True)
class Metadata:
    """Finds the known facts of the patient, and those of others, in the note."""

    name: ClassVar[str] = "metadata"

    def __call__(self, doc: Document) -> Iterable[Span]:
        if not any(any(facts.values()) for facts in doc.facts):
            return ()
        view = view_of(doc)
        found = _found(view, doc.known, Role.PATIENT)
        if any(doc.others.values()):
            taken = covered(found)
            others = _found(view, doc.others, Role.UNKNOWN)
            found += [span for span in others if not taken.issuperset(range(span.start, span.end))]
        return found


def _found(view: View, known: Mapping[Label, tuple[str, ...]], role: Role) -> list[Span]:
    """Where facts stand, and names as those of a role."""
    found: list[Span] = []
    named: list[tuple[int, int, Label]] = []
    for first, stop, fact in Finder(targets(known)).find(view):
        if fact.label in NAMES:
            if fact.whole or is_written(view, first, first + 1) or stands(view, first, stop):
                named.append((first, stop, fact.label))
        elif bounded(view, first, stop) and (
            role is Role.PATIENT or fact.label not in _PLACES or is_written(view, first, stop)
        ):
            signed = fact.label in PHONES and first > 0 and view.texts[first - 1] == "+"
            span = view.span(first - signed, stop, fact.label, 1.0, "metadata", Role.UNKNOWN)
            found.append(span)
    edges = {(at, label) for first, stop, label in named for at in (first, -stop)}
    named = [n for n in named if _is_name(view, n, edges)]
    named += list(_slips(view, known, named))
    named = [_whole(view, *n) for n in named]
    letters = initial_letters(map(parts, known.get(Label.FIRST_NAME, ())))
    named += [
        (*place, Label.FIRST_NAME)
        for first, stop, label in named
        if label is Label.LAST_NAME
        for place in initials(view, first, stop, letters)
    ]
    return found + [view.span(*n, 1.0, "metadata", role) for n in named]


def is_written(view: View, first: int, stop: int) -> bool:
    """Whether a run has a word that is written as a name, or is no word: "Tours", no "tours"."""
    return any(
        not view.texts[at].islower() or not view.bits[at] & voc.WORD
        for at in range(first, stop)
        if view.texts[at].isalnum()
    )


def bounded(view: View, first: int, stop: int) -> bool:
    """Whether no digit or letter of another token touches the run."""
    before = view.glued(first) and view.texts[first - 1].isalnum()
    after = stop < view.size and view.glued(stop) and view.texts[stop].isalnum()
    numeric = view.texts[first].isdigit()
    return not (before and view.texts[first - 1].isdigit() == numeric) and not (
        after and view.texts[stop].isdigit() == view.texts[stop - 1].isdigit()
    )


def _is_name(view: View, hit: tuple[int, int, Label], edges: set[tuple[int, Label]]) -> bool:
    """A known name that is also a word counts where it is written as a name or a person stands."""
    first, stop, label = hit
    if view.glued(first) and view.folded[first - 2 : first] in (("saint", "-"), ("st", "-")):
        return False
    eponym = first in view.guarded or (first > 0 and view.folded[first - 1] in ("de", "d", "'"))
    if eponym and view.bits[first] & voc.EPONYM and not titled(view, first):
        return False
    if any(
        not view.bits[i] & (voc.WORD | voc.PARTICLE)
        for i in range(first, stop)
        if view.texts[i].isalpha()
    ) and (view.ends[stop - 1] - view.starts[first] > 2):
        return not is_thing(view, first, stop)
    other = NAMES[label is NAMES[0]]
    if _is_beside(view, first, stop, edges, other):
        return True
    if titled(view, first) and not of_body(view, first):
        return True
    if first in view.guarded:
        return False
    text, written = view.texts[first], False
    if text.isupper():
        written = view.ends[stop - 1] - view.starts[first] > 2
        written = written and not among_capitals(view, first, stop)
    elif text[0].isupper():
        written = not view.opens(first) and not is_feast(view, first, stop)
    return written or stands(view, first, stop)


def _is_beside(
    view: View, first: int, stop: int, edges: set[tuple[int, Label]], other: Label
) -> bool:
    """Whether the other name stands beside a word; from the next line or behind a mark it counts
    only if capitals say that the word is a name."""
    before, after = (-first, other) in edges, (stop, other) in edges
    if (before and first not in view.breaks) or (after and stop not in view.breaks):
        return True
    parted = (stop + 1, other) in edges and view.texts[stop] not in ".:!?"
    if parted and view.texts[stop] == "," and view.opens(first):
        return True  # "petit, aurore : retour"
    opened = first > 1 and view.texts[first - 1] == "," and view.opens(first - 2)
    if opened and (1 - first, other) in edges:
        return True
    written = view.texts[first][0].isupper() and not among_capitals(view, first, stop)
    return written and (before or after or parted)


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
    if view.texts[at + 1] == "." and at >= 0 and not view.bits[at] & voc.TITLE:
        return view.folded[at] in voc.ABBREVIATED_ROLES  # another sentence begins
    if at > 0 and view.folded[at] in _OTHER_NAMES:
        return "nom" in view.folded[max(0, at - 2) : at]
    if at > 0 and view.folded[at] == "mm" and view.texts[at - 1].isdigit():
        return False
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
    touching = {i for first, stop, _ in named for i in (first - 1, stop)}
    surnames = map(parts, known.get(Label.LAST_NAME, ()))
    before = {part: ahead for name in surnames for ahead, part in pairwise(name)}
    heads = {part[0] for part, _ in words}
    for index, word in enumerate(view.folded):
        if word[:1] not in heads or len(word) not in sizes or index in taken:
            continue
        plain = view.bits[index] & voc.WORD and view.texts[index].islower()
        near = (
            index in (touching if plain else beside)
            or titled(view, index)
            or (index > 1 and bool(view.bits[index - 1] & voc.PARTICLE) and titled(view, index - 1))
        )
        strange = not view.bits[index] & voc.WORD and len(word) > _MIN_SLIP
        if not near and not strange:
            continue
        for part, label in words:
            least = _MIN_SLIP - 1 if near and view.texts[index][0].isupper() else _MIN_SLIP
            if len(part) >= least and part != word and part[0] == word[0] and one_slip(part, word):
                whole = index > 0 and view.folded[index - 1] == before.get(part)
                yield index - whole, index + 1, label
                break


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
