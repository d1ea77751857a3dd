"""Facts by the names of their fields, and what may stand in a field of which nothing is known."""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from importlib.resources import files
from typing import Final

from dpdeid import gazetteers
from dpdeid.errors import InputError
from dpdeid.formats.rows import FACTS, facts
from dpdeid.french.calendar import day_of
from dpdeid.labels import Label, Sex
from dpdeid.normalize import fold
from dpdeid.views.words import is_name

_SIGNS: Final = re.compile(r"[^a-z0-9]+")
_STAMP: Final = re.compile(r"(\d{8})(?:\d{2,6}(?:\.\d{1,6})?)?(?:[+-]\d{4}|Z)?")
_HARMLESS: Final = re.compile(
    r"[<>=~±]{0,2}[+-]?\d{1,4}(?:[.,]\d{1,4})?(?:[/x×-]\d{1,4}(?:[.,]\d{1,3})?)?"
    r"(?:%|[a-zµ]{1,3}/[a-zA-Z]{1,3}|[a-zµ]{1,3}L?)?"  # a measure
    r"|[A-Z]{1,3}\d{1,4}(?:[.-]\d{1,4})?|\d{3,5}-\d"  # a code: of ICD, ATC, CCAM, LOINC
    r"|[A-Z]{1,2}|(?:A|B|AB|O)[+-]|text(?:/\w{1,10})?|html|xml|true|false|utf-?8|base64"
    r"|[a-z]{2}-[A-Z]{2}"
)
_DATED: Final = re.compile(
    r"\d{4}-\d\d-\d\d(?:T[\d:.]{4,15}(?:Z|[+-]\d\d:?\d\d)?)?|\d\d?[/.-]\d\d?[/.-]\d{2,4}"
    r"|\d{1,2}[:h]\d\d(?::\d\d)?|(?:19|20)\d{6}(?:\d{4}(?:\d{2})?)?(?:[+-]\d{4}|Z)?"
)
PACKED: Final = re.compile(r"[A-Za-z0-9+/=_-]{40,}")


@cache
def _named() -> dict[str, str]:
    return {name: row[0] for row in _rows() if row[0] != "whose" for name in row[1:]}


@cache
def _others() -> tuple[str, ...]:
    return next(tuple(row[1:]) for row in _rows() if row[0] == "whose")


@cache
def _rows() -> tuple[list[str], ...]:
    lines = (files(__package__) / "fields.tsv").read_text(encoding="utf-8").splitlines()
    return tuple(line.split("\t") for line in lines if not line.startswith("#"))


@cache
def field_of(name: str) -> str:
    """What a field of that name holds: a key of facts, "sex", "note_date", "read" or "never"; ""
    if it is not known.
    """
    bare = _SIGNS.sub("", fold(name))
    return _named().get(bare, "")


@cache
def is_of_another(name: str) -> bool:
    """Whether what stands in an element of that name is not the patient's."""
    bare = _SIGNS.sub("", fold(name))
    return "patient" not in bare and any(other in bare for other in _others())


def may_pass(name: str, value: str, *, is_read: bool = True) -> bool:
    """Whether the value of a field passes: it is read, by its name or as a text of several words,
    or it is a measure, a code, a date or a word that is known and nobody's name.

    Args:
        is_read: whether the engine reads it; if not, each of its words must be harmless.
    """
    kind, words = field_of(name), value.split()
    if not is_read:
        return all(_is_harmless(word) for word in words)
    if kind == "never" or PACKED.search(value):
        return not words
    if kind or len(words) > 1:
        return True
    return all(_is_harmless(word) or _DATED.fullmatch(word) for word in words)


def _is_harmless(word: str) -> bool:
    if _HARMLESS.fullmatch(word):
        return True
    parts = [part for part in re.split(r"['’/,;.:()-]+", word) if part]
    return all(part.isalpha() and _is_word(part) for part in parts)


@cache
def _is_word(word: str) -> bool:
    """Whether a word is known, and in small letters or nobody's name."""
    folded = fold(word)
    known = folded in gazetteers.words() or folded in gazetteers.medical()
    return known and (word.islower() or not is_name(folded))


ABOUT_SOMEBODY: Final = frozenset(("first_name", "birth_name", "birth_date", "ipp", "ssn"))
"""Fields beside which a name is somebody's: "nom" of a drug stands beside none."""


@dataclass(frozen=True, slots=True)
class Known:
    """What the fields of a file say of its patient, its date, and others."""

    facts: Mapping[Label, tuple[str, ...]] = field(default_factory=dict, repr=False)
    sex: Sex = field(default=Sex.UNKNOWN, repr=False)
    patient_id: str | None = field(default=None, repr=False)
    note_date: dt.date | None = field(default=None, repr=False)
    others: Mapping[Label, tuple[str, ...]] = field(default_factory=dict, repr=False)


def known(pairs: Iterable[tuple[str, str]]) -> Known:
    """What is known by fields: keys of `field_of` with their values; a value that cannot be one is
    left.
    """
    given: dict[str, list[str]] = {}
    for key, value in pairs:
        text = " ".join(value.split())
        if text and (key in FACTS or key in ("sex", "note_date")):
            text = _STAMP.sub(r"\1", text) if key in ("birth_date", "note_date") else text
            if text not in (values := given.setdefault(key, [])) and is_fact(key, text):
                values.append(text)
    days = map(day_of, given.pop("note_date", ()))
    found, sex = facts({key: one[0] if key == "sex" else one for key, one in given.items()}, "")
    return Known(found, sex, _first(given.get("ipp"), given.get("ssn")), next(days, None))


def is_fact(key: str, value: str) -> bool:
    """Whether a value can be a fact of that key, or a day if it is "note_date"."""
    if key == "note_date":
        return day_of(value) is not None
    try:
        facts({key: value}, "")
    except InputError:
        return False
    return True


def _first(*values: Sequence[str] | None) -> str | None:
    return next((given[0] for given in values if given), None)
