"""The hospital's structured facts, found in the note in any writing.

Every fact of `doc.known` (names, birth date, address, town, phones, numbers) is searched in any
case, accent, separator or line break; a known name also with one slip of the pen where a name is
expected. Facts are trusted, not checked: an empty or absurd one finds nothing or little.
Cost: one pass over the tokens, whatever the number of facts.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import product
from typing import ClassVar, Final

from dpdeid.detect import vocabulary as voc
from dpdeid.detect.search import NUMBER_GAPS, Finder, Target, name_target, one_slip, parts, squeeze
from dpdeid.detect.units import View, view_of
from dpdeid.document import Document, Span
from dpdeid.labels import Label, Role

_NAMES: Final = (Label.LAST_NAME, Label.FIRST_NAME)
_PLACES: Final = (Label.CITY, Label.STREET, Label.HOSPITAL, Label.ORGANIZATION, Label.COUNTRY)
_PHONES: Final = (Label.PHONE, Label.FAX)
_DATES: Final = (Label.BIRTH_DATE, Label.DATE)
_MIN_NUMBER: Final = 4
_MIN_SLIP: Final = 5
_SHORT_PART: Final = 3

MONTHS: Final = (
    ("janvier", "janv", "jan"),
    ("fevrier", "fevr", "fev"),
    ("mars", "mar"),
    ("avril", "avr"),
    ("mai",),
    ("juin",),
    ("juillet", "juil", "jul"),
    ("aout",),
    ("septembre", "sept", "sep"),
    ("octobre", "oct"),
    ("novembre", "nov"),
    ("decembre", "dec"),
)

_ROMAN: Final = ("i", "ii", "iii", "iv", "v", "vi", "vii", "viii", "ix", "x", "xi", "xii")


@dataclass(frozen=True, slots=True)
class _Fact:
    label: Label
    whole: bool = True


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
        for first, stop, fact in Finder(_targets(doc.known)).find(view):
            if fact.label in _NAMES:
                if fact.whole or _stands_alone(view, first, stop):
                    named.append((first, stop, fact.label))
            elif _bounded(view, first, stop):
                first, stop = _with_sign(view, first, stop, fact.label)
                found.append(_span(view, first, stop, fact.label))
        edges = {(at, label) for first, stop, label in named for at in (first, -stop)}
        named = [n for n in named if _is_name(view, n, edges)]
        named += _slips(view, doc.known, named)
        named = [_whole(view, *n) for n in named]
        named += _initials(view, doc.known, named)
        found += [_span(view, *n) for n in named]
        return found


def _span(view: View, first: int, stop: int, label: Label) -> Span:
    return view.span(
        first, stop, label, 1.0, "metadata", Role.PATIENT if label in _NAMES else Role.UNKNOWN
    )


def _targets(known: Mapping[Label, tuple[str, ...]]) -> Iterator[Target[_Fact]]:
    for label, values in known.items():
        for value in values:
            if label in _NAMES:
                yield from _name_targets(label, parts(value))
            elif label in _DATES:
                for fields in dates(value):
                    yield name_target(fields, _Fact(label), NUMBER_GAPS)
            elif label in _PHONES:
                for key in _phones(squeeze(value)):
                    yield Target(key, _Fact(label))
            elif label in _PLACES:
                for piece in {value, value.split(",")[0]}:
                    words = parts(piece)
                    if len("".join(words)) > 2:
                        yield name_target(words, _Fact(label))
            else:
                yield from _number_targets(label, squeeze(value))


def _name_targets(label: Label, words: tuple[str, ...]) -> Iterator[Target[_Fact]]:
    if len("".join(words)) < 2:
        return
    yield name_target(words, _Fact(label), broken=True)
    if len(words) > 1:
        for word in words:
            if len(word) > _SHORT_PART and word not in voc.PARTICLES:
                yield name_target((word,), _Fact(label, whole=False))


def _number_targets(label: Label, key: str) -> Iterator[Target[_Fact]]:
    if len(key) < _MIN_NUMBER or not any(c.isdigit() for c in key):
        return
    yield Target(key, _Fact(label))
    if label is Label.SSN and len(key) == 15:
        yield Target(key[:13], _Fact(label))
    if (bare := key.lstrip("0")) != key and len(bare) > _MIN_NUMBER:
        yield Target(bare, _Fact(label))


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
    months = {str(day.month), f"{day.month:02}", *MONTHS[day.month - 1], _ROMAN[day.month - 1]}
    years = {str(day.year), f"{day.year % 100:02}"}
    written = {(*d, m, y) for d, m, y in product(days, months, years)}
    # 1/1/55 squeezed ("1155") is any number; what remains is at least a day, month and year
    return {fields for fields in written if len("".join(fields)) > 4} | {
        (str(day.year), f"{day.month:02}", f"{day.day:02}")
    }


def _bounded(view: View, first: int, stop: int) -> bool:
    """No digit or letter of another token touches the run."""
    before = view.glued(first) and view.texts[first - 1].isalnum()
    after = stop < view.size and view.glued(stop) and view.texts[stop].isalnum()
    numeric = view.texts[first].isdigit()
    return not (before and view.texts[first - 1].isdigit() == numeric) and not (
        after and view.texts[stop].isdigit() == view.texts[stop - 1].isdigit()
    )


def _with_sign(view: View, first: int, stop: int, label: Label) -> tuple[int, int]:
    if label in _PHONES and first and view.texts[first - 1] == "+":
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
    if view.bits[first] & voc.EPONYM and not _titled(view, first):
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
    other = _NAMES[label is _NAMES[0]]
    beside = not edges.isdisjoint({(stop, other), (stop + 1, other), (-first, other)})
    if beside or _titled(view, first):
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


def _titled(view: View, first: int) -> bool:
    at = first - 1
    while at >= 0 and view.texts[at] in '.:«"(':
        at -= 1
    return at >= 0 and bool(view.bits[at] & (voc.TITLE | voc.ROLE) or view.folded[at] in voc.MAIDEN)


def _slips(
    view: View, known: Mapping[Label, tuple[str, ...]], named: list[tuple[int, int, Label]]
) -> Iterator[tuple[int, int, Label]]:
    """Known names with one letter wrong, where a name stands or no word is spelt like it."""
    words = {
        (part, label)
        for label in _NAMES
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
        if word[0] not in heads or len(word) not in sizes or index in taken:
            continue
        near = (
            index in beside
            or _titled(view, index)
            or (
                index > 1 and bool(view.bits[index - 1] & voc.PARTICLE) and _titled(view, index - 1)
            )
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


def _initials(
    view: View, known: Mapping[Label, tuple[str, ...]], named: list[tuple[int, int, Label]]
) -> Iterator[tuple[int, int, Label]]:
    """The initials of a known given name beside the surname: "J.-M. LE GOFF", "Le Goff M."."""
    letters = {
        "".join(p[0] for p in parts(value))
        for value in known.get(Label.FIRST_NAME, ())
        if parts(value)
    }
    letters |= {initials[0] for initials in letters}
    for first, stop, label in named:
        if label is not Label.LAST_NAME:
            continue
        if (unit := view.unit(stop)) is not None and unit.shape == "I":
            text = view.text[view.starts[unit.first] : view.ends[unit.stop - 1]]
            if squeeze(text) in letters and (text[0].isupper() or "." in text):
                yield unit.first, unit.stop, Label.FIRST_NAME
        for back in (1, 2, 4, 5):
            unit = view.unit(first - back) if first >= back else None
            if unit is not None and unit.shape == "I" and unit.stop == first:
                text = view.text[view.starts[unit.first] : view.ends[unit.stop - 1]]
                if squeeze(text) in letters and text[0].isupper() and text not in ("M", "M."):
                    yield unit.first, unit.stop, Label.FIRST_NAME
