"""What a tagger is told about a word, wherever it stands: spelling, shape, lists, role.

A feature is a short string ("w=dupont", "s=Xx"). A word's features are made once and remembered, in
the forms in which the word itself and its neighbours carry them; given the features that a model
has weights for, all others are dropped on the way, which is most of them.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection
from typing import Final, NamedTuple

from dpdeid import gazetteers
from dpdeid.detect import vocabulary as voc
from dpdeid.detect.evidence import EVIDENCE, Evidence
from dpdeid.detect.place_index import names
from dpdeid.memo import Memo
from dpdeid.normalize import fold

Features = list[str]

REACH: Final = 3
"""How many tokens to either side a word is seen."""
_RUNS: Final = re.compile(r"(.)\1+")
_FLAGS: Final = (
    ("stop", voc.STOP),
    ("title", voc.TITLE),
    ("role", voc.ROLE),
    ("particle", voc.PARTICLE),
    ("eponym", voc.EPONYM),
    ("frequent", voc.FREQUENT),
    ("anchor", voc.ANCHOR),
    ("sole", voc.SOLE),
)
_WORDS: Final = (
    ("family", voc.FAMILY),
    ("staff", voc.STAFF),
    ("naming", voc.NAMING),
    ("maiden", voc.MAIDEN),
    ("person", voc.BEFORE_PERSON),
    ("place", voc.BEFORE_PLACE),
    ("street", voc.STREETS),
    ("does", voc.DOES),
    ("off", voc.SIGN_OFF),
)
_YEARS: Final = range(1900, 2040)


class Word(NamedTuple):
    """The features that a word gives.

    Args:
        kind: one short class, for the features that join two words.
        own: to itself.
        around: to the token at each distance, from `-REACH` to `REACH` without 0: key −1 for the
            token that has this word on its left.
    """

    kind: str
    own: Features
    around: dict[int, Features]


def keeper(known: Collection[str] | None) -> Callable[[Features], Features]:
    """What drops the features outside `known`; None keeps all."""
    if known is None:
        return lambda features: features
    held = frozenset(known)
    return lambda features: [f for f in features if f in held]


def word_memo(known: Collection[str] | None) -> Memo[Word]:
    """The features of each word as written, remembered."""
    keep = keeper(known)
    return Memo(lambda text: _word(text, keep))


def shape(text: str) -> str:
    """The pattern of a word, runs of letters shortened: "Martin" → "Xx", "12" → "dd"."""
    if text.isdecimal():
        return "d" * min(len(text), 11)
    if not text.isalpha():
        return text
    if len(text) == 1:
        return "X1" if text.isupper() else "x1"
    return _RUNS.sub(r"\1", "".join("X" if c.isupper() else "x" for c in text))


def _word(text: str, keep: Callable[[Features], Features]) -> Word:
    key, form = fold(text), shape(text)
    if not text.isalpha():
        kind = _number(text) if text.isdecimal() else text
        own = ["s=" + form, "k=" + kind, *(["w=" + key] if len(key) < 5 else ())]
        if len(text) == 5 and text.isdecimal() and gazetteers.places_with_zip(text):
            own.append("zip")
        near = ["k=" + kind if len(key) > 2 else "w=" + key]
        return Word(kind, keep(own), _around(near, near, keep))
    found, bits = EVIDENCE[key], voc.TRAITS[key]
    flags = [name for name, bit in _FLAGS if bits & bit]
    flags += [name for name, listed in _WORDS if key in listed]
    places = names()
    flags += [
        name
        for name, listed in (("town", places.alone), ("land", places.countries))
        if key in listed
    ]
    lexicon, lists = _lexicon(found), _lists(found)
    kind = _kind(key, form, bits, found)
    own = [
        "w=" + key,
        "k=" + kind,
        f"sl={form}/{lexicon}",
        f"sg={form}/{lists}",
        f"slg={form}/{lexicon}/{lists}",
        f"sz={form}/{found.frequency}",
        f"n={min(len(key), 9)}",
        *(f"sf={form}/{flag}" for flag in flags),
    ]
    if len(key) > 3:
        own += [f"p={key[:3]}", f"u={key[-2:]}", f"u={key[-3:]}"]
    near = ["w=" + key, "k=" + kind, *("f=" + flag for flag in flags)]
    return Word(kind, keep(own), _around(near, ["w=" + key, "k=" + kind], keep))


def _around(
    near: Features, far: Features, keep: Callable[[Features], Features]
) -> dict[int, Features]:
    """The features of a word for the tokens at each distance."""
    return {
        side * away: keep([f"{side * away}{f}" for f in (near if away == 1 else far)])
        for side in (-1, 1)
        for away in range(1, REACH + 1)
    }


def _number(text: str) -> str:
    """The class of a number: a day, a month, a year, or its length."""
    value = int(text[:5])
    if len(text) <= 2:
        return "month" if 1 <= value <= 12 else "day" if 1 <= value <= 31 else "dd"
    if len(text) == 4:
        return "year" if value in _YEARS else "dddd"
    return f"d{min(len(text), 15)}"


def _lexicon(found: Evidence) -> str:
    """In which lists of words."""
    marks = (
        ("w", found.word),
        ("n", found.name_word),
        ("m", found.medical),
        ("d", found.drug),
        ("a", found.shorthand),
    )
    return "".join(mark for mark, holds in marks if holds) or "-"


def _lists(found: Evidence) -> str:
    """In which lists of names."""
    return f"{'f' if found.first_name else ''}{found.surname or ''}" or "-"


def _kind(key: str, form: str, bits: int, found: Evidence) -> str:
    """The class of a word, for features that join neighbours: what it is, else how it looks."""
    if bits & voc.TITLE:
        return "TITLE"
    if key in voc.FAMILY:
        return "FAMILY"
    if key in voc.STAFF:
        return "STAFF"
    if bits & voc.PARTICLE or found.frequency >= 6:
        return key
    case = form if len(form) < 3 else "Xx" if form[0] == "X" else "x"
    if bits & voc.SOLE:
        return case + ("/first" if bits & voc.FIRST else "/last")
    if found.ambiguous:
        return case + ("/first?" if bits & voc.FIRST else "/last?")
    return case + ("/?" if found.suspicious else "/word")
