"""Which institutions of a record are one, and of what sort each is.

"Hôpital Henri-Mondor" and "Mondor", "Pitié-Salpêtrière" and "la Pitié", "Hôpital Nord
Franche-Comté" and "HNFC" are one. A kind alone ("au CHU") is the one of that kind that the record
names, the last before it, else the next. Only originals of institutions and kept words before them
are looked at.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final, NamedTuple

from dpdeid import gazetteers
from dpdeid.document import Document, Mention, text_before, text_between
from dpdeid.labels import Label
from dpdeid.normalize import fold
from dpdeid.substitute.places.institutions import LINKS, Institution, is_of, kind_of
from dpdeid.substitute.places.naming import BODY, CARE, COMPANY, DEPARTMENT, sort_of, words_of
from dpdeid.substitute.places.rendering import land_of

_BEFORE: Final = 30
"""Characters before an institution that may say what sort it is."""
_CUES: Final = 3
_ADJOINING: Final = re.compile(r"\w['’\s]*\Z")
"""The end of kept words that an institution stands right behind."""
_TELLING: Final = 4
"""Letters of a word by which an institution may be named for short."""
_NO_NAME: Final = frozenset(("saint", "sainte", "st", "ste", "notre", "dame"))
_LETTERS: Final = re.compile(r"(?=(?:[a-z.\- ]*[A-Z]){2})[A-Za-z](?:[A-Za-z]{1,5}|[A-Za-z.-]{2,7})")
_LOWER: Final = re.compile(r"[a-z]")
_BEGINNING: Final = re.compile(r"c?h[urs]|gh|ch[^aeiou]|eps|ap-?h")


@dataclass(frozen=True, slots=True)
class Known:
    """An institution of a record.

    Args:
        institution: what its name says; of a kind alone what is said where it is named.
        key: equal for one institution, "" if it has no name of its own.
        sort: what names it may get.
        is_short: whether it is named by less than elsewhere.
        is_letters: whether it is named by letters only: "HNFC".
        is_behind: whether words that stay say right before it what it is.
    """

    institution: Institution
    key: str
    sort: str
    is_short: bool = False
    is_letters: bool = False
    is_behind: bool = False


class Piece(NamedTuple):
    """An institution as one mention names it.

    Args:
        default: its sort if no word tells it.
        cues: the last folded words before it that stay.
        adjoins: whether no mark stands between them, as in a form: "Mutuelle : …".
    """

    institution: Institution
    default: str
    cues: Sequence[str]
    adjoins: bool = False


def pieces_of(
    told: Mapping[Mention, Sequence[Institution]],
    every: Sequence[Mention],
    documents: Sequence[Document],
) -> list[Piece]:
    """The institutions of a record with what tells their sorts, in their order.

    Args:
        told: what each mention names; it may be several.
        every: all mentions of the record, of every label, in their order.
    """
    found = []
    for previous, mention in zip((None, *every), every, strict=False):
        if named := told.get(mention):
            default = CARE if mention.label is Label.HOSPITAL else COMPANY
            before = _before(mention, previous, documents)
            first = Piece(
                named[0],
                default,
                words_of(before)[-_CUES:],
                adjoins=_ADJOINING.search(before) is not None,
            )
            found += [first, *(Piece(x, default, ()) for x in named[1:])]
    return found


def _before(mention: Mention, previous: Mention | None, documents: Sequence[Document]) -> str:
    between = text_between(documents, previous, mention, _BEFORE) if previous else None
    return text_before(documents, mention, _BEFORE) if between is None else between


def identified(pieces: Sequence[Piece]) -> list[Known]:
    """Which institutions these are, in their order."""
    whole = [*_completed([piece.institution for piece in pieces])]
    keys = _keys(whole)
    sorts = [_sort(piece) for piece in pieces]
    shared = {key: sort for key, sort in zip(keys, sorts, strict=True) if key and sort}
    longest = Counter[str]()
    for key, one in zip(keys, whole, strict=True):
        longest[key] = max(longest[key], len(words_of(one.name)))
    out = []
    for one, piece, key, sort in zip(whole, pieces, keys, sorts, strict=True):
        own = piece.institution
        sort = shared.get(key) or sort or piece.default
        known = Known(
            _placed(one, sort),
            key,
            sort,
            is_short=len(words_of(one.name)) < longest[key],
            is_letters=not own.head and is_letters(own.name),
            is_behind=bool(own.head) or (piece.adjoins and sort_of((), piece.cues[-1:]) == sort),
        )
        out.append(known)
    return out


def _sort(piece: Piece) -> str | None:
    one = piece.institution
    return sort_of(words_of(f"{one.head} {one.name}"), piece.cues)


def _placed(one: Institution, sort: str) -> Institution:
    """The institution, of a place if its kind is or its words say so, whatever place that is."""
    if one.of or (one.name and not one.head):
        return one
    if not one.name:
        return replace(one, of="department" if sort == DEPARTMENT else "elsewhere")
    named = sort == CARE and not (gazetteers.places_named(one.name) or land_of(one.name))
    if is_letters(one.name) or (not is_of(one.link) and sort not in (BODY, DEPARTMENT)):
        return one
    if named:  # "CH de Cornouaille"
        return replace(one, link=" ")
    return replace(one, name="", of="elsewhere", place=one.name)


def is_letters(name: str) -> bool:
    """Whether a name is the first letters of another ("HNFC", "GHdC", "AP-HP"), and no word."""
    if _LETTERS.fullmatch(name) is None or len(_LOWER.findall(name)) > 1:
        return False
    word = fold(name)
    known = word in gazetteers.surnames() or word in gazetteers.words()
    return not known or _BEGINNING.match(word) is not None


def content(name: str) -> tuple[str, ...]:
    """The folded words by which an institution is known, given names left out if others stay.

    >>> content("Henri-Mondor"), content("la Pitié"), content("Saint-Luc")
    (('mondor',), ('pitie',), ('saint', 'luc'))
    """
    words = [word for word in words_of(name) if word not in LINKS]
    own = [word for word in words if word not in gazetteers.first_names()]
    return tuple(words if _NO_NAME.issuperset(own) else own)


def _keys(pieces: Sequence[Institution]) -> list[str]:
    """Of each institution the words of the longest name that has all of its words."""
    named = [content(one.name) if one.name else () for one in pieces]
    ranked = sorted({words for words in named if words}, key=lambda words: (-len(words), words))
    spelt = {
        letters: words
        for one, words in zip(pieces, named, strict=True)
        if words and not is_letters(one.name)
        for letters in initials(f"{one.head} {one.name}")
    }
    return [
        " ".join(_longest(spelt.get(_plain(one), own), ranked))
        for one, own in zip(pieces, named, strict=True)
    ]


def _plain(one: Institution) -> str:
    return "".join(words_of(one.name)) if not one.head and is_letters(one.name) else ""


def initials(text: str) -> tuple[str, str]:
    """The first letters of the words of a text, and of those that are no links."""
    words = words_of(text)
    return "".join(w[0] for w in words), "".join(w[0] for w in words if w not in LINKS)


def _longest(own: tuple[str, ...], ranked: Sequence[tuple[str, ...]]) -> tuple[str, ...]:
    if not any(len(word) >= _TELLING for word in own):
        return own
    return next((words for words in ranked if set(own) <= set(words)), own)


def _completed(pieces: Sequence[Institution]) -> Iterator[Institution]:
    """The institutions, those of a kind alone as they are named before, else behind."""
    named: dict[str, Institution] = {}
    for one in reversed(pieces):
        if one.name or one.of:
            named[_kind(one)] = one
    for one in pieces:
        if one.name or one.of:
            named[_kind(one)] = one
            yield one
        else:
            found = named.get(_kind(one)) if one.head else None
            yield one if found is None else replace(found, head=one.head)


def _kind(one: Institution) -> str:
    return kind_of(one.head) or fold(one.head)
