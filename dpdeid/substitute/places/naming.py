"""Names to draw for institutions and streets, by their sort, and how a name is written.

A sort is a set of patterns over public lists (`institution_names.tsv`), so that there are hundreds
of names of each and none leads to a place. What sort an institution is its words say, or the kept
words right before it: "lycée", "mutuelle", "labo". A name is written behind what it says it is
("clinique des Lilas", "pharmacie du Marché") or alone ("Les Lilas").
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from functools import cache
from itertools import product
from typing import Final

from dpdeid.french.tables import words_by_key
from dpdeid.normalize import fold
from dpdeid.privacy.rng import Stream
from dpdeid.substitute.pseudonyms import runs

CARE: Final = "care"
COMPANY: Final = "company"
INITIALS: Final = "initials"
BODY: Final = "body"
DEPARTMENT: Final = "department"
_PATTERNS: Final = words_by_key("institution_names")
_SORTS: Final = {
    word: sort for sort, words in words_by_key("institution_sorts").items() for word in words
}
_FIELD: Final = re.compile(r"\{(\w+)\}")
_WORD: Final = re.compile(r"[^\W_]+")
_TRIES: Final = 64
_AFTER: Final = re.compile(r"(?:(des)|(du)|de (la|l['’]))(?: |\b)\s?")
"""What a name begins with behind what it is the name of."""


@cache
def names_of(sort: str) -> tuple[tuple[str, ...], ...]:
    """All names of a sort, pattern by pattern, as they are written behind what they name."""
    return tuple(tuple(dict.fromkeys(_expanded(one))) for one in _PATTERNS[sort])


def _expanded(pattern: str) -> Iterable[str]:
    """What a pattern may be: each of its fields is one of the names of a list."""
    fixed = _FIELD.split(pattern)
    lists = [_PATTERNS[field] for field in fixed[1::2]]
    for chosen in product(*lists):
        pieces = [*fixed]
        pieces[1::2] = chosen
        yield "".join(pieces).replace("_", " ")


def alone(name: str) -> str:
    """A name that stands by itself.

    >>> alone("des Lilas"), alone("du Parc"), alone("de la Source"), alone("Saint-Luc")
    ('Les Lilas', 'Le Parc', 'La Source', 'Saint-Luc')
    """
    found = _AFTER.match(name)
    if found is None:
        return name
    article = "Les " if found[1] else "Le " if found[2] else found[3].capitalize()
    return article + ("" if article.endswith(("'", "’", " ")) else " ") + name[found.end() :]


def short(name: str) -> str:
    """What is said for short of a name after a person: "Barral" of "Louis-Barral"."""
    given, _, family = name.partition("-")
    return family if given in _PATTERNS["given"] and family in _PATTERNS["family"] else name


def sort_of(words: Sequence[str], before: Sequence[str]) -> str | None:
    """The sort that folded words of an institution tell, the first that does, else the last of
    those before it; None if none does.
    """
    told = (_SORTS.get(word) for word in (*words, *reversed(before)))
    return next((sort for sort in told if sort is not None), None)


def drawn(sort: str, original: str, stream: Stream) -> str:
    """A name of a sort, with no four letters in a row of an original if a few draws give one.

    A pattern is drawn first, or nearly all would have the form of the one with most names.
    """
    old = runs(fold(original))
    for _ in range(_TRIES):
        name = stream.choice(stream.choice(names_of(sort)))
        if runs(fold(name)).isdisjoint(old):
            break
    return name


def bare(sort: str, name: str) -> str:
    """A name of a sort without a word before it that says what it is.

    >>> bare("care", "des Lilas"), bare("transport", "Morel")
    ('Les Lilas', 'Ambulances Morel')
    """
    (noun,) = _PATTERNS.get(f"alone.{sort}", ("",))
    return f"{noun} {name}" if noun else alone(name)


def words_of(text: str) -> list[str]:
    """The folded words of a text."""
    return _WORD.findall(fold(text))
