"""The writings of the hospital's structured facts: from a known value to what may stand in a note.

A name may lose a part, an address its number, a phone its prefix; a birth date has thirty forms.
What each is searched with is a `Target`; where it may be believed is for `metadata` to say.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import product
from typing import Final

from dpdeid.detect import vocabulary as voc
from dpdeid.detect.search import NUMBER_GAPS, Target, name_target, parts, squeeze
from dpdeid.labels import Label

NAMES: Final = (Label.LAST_NAME, Label.FIRST_NAME)
_PLACES: Final = (Label.CITY, Label.STREET, Label.HOSPITAL, Label.ORGANIZATION, Label.COUNTRY)

PHONES: Final = (Label.PHONE, Label.FAX)

_DATES: Final = (Label.BIRTH_DATE, Label.DATE)

_MIN_NUMBER: Final = 4

_SHORT_PART: Final = 3

MONTHS: Final = (
    ("janvier", "janv", "jan"),
    ("fevrier", "fevr", "fev"),
    ("mars", "mar"),
    ("avril", "avr"),
    ("mai",),
    ("juin",),
    ("juillet", "juil", "jul"),
    ("aout", "aou"),
    ("septembre", "sept", "sep"),
    ("octobre", "oct"),
    ("novembre", "nov"),
    ("decembre", "dec"),
)

_ROMAN: Final = ("i", "ii", "iii", "iv", "v", "vi", "vii", "viii", "ix", "x", "xi", "xii")

_STREETS: Final = (
    ("rue", "r"),
    ("avenue", "av", "ave"),
    ("boulevard", "bd", "bld", "bvd"),
    ("route", "rte"),
    ("chemin", "ch", "che"),
    ("place", "pl"),
    ("impasse", "imp"),
    ("allee", "all"),
    ("square", "sq"),
    ("residence", "res"),
)

_SAINTS: Final = (("saint", "st"), ("sainte", "ste"))

_RESPELT: Final = 4

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
                for key in _phones(squeeze(value)):
                    yield Target(key, Fact(label))
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
    months = {str(day.month), f"{day.month:02}", *MONTHS[day.month - 1], _ROMAN[day.month - 1]}
    years = {str(day.year), f"{day.year % 100:02}"}
    written = {(*d, m, y) for d, m, y in product(days, months, years)}
    # 1/1/55 squeezed ("1155") is any number; what remains is at least a day, month and year
    return {fields for fields in written if len("".join(fields)) > 4} | {
        (str(day.year), f"{day.month:02}", f"{day.day:02}")
    }
