"""Streets of the same kind: numbers redrawn, each name replaced by one that leads nowhere.

Names are those that are common everywhere. A street in another language gets a Flemish or German
name where the surrogate town lies there, else a French one.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Final, Literal

from dpdeid import gazetteers
from dpdeid.french import numerals
from dpdeid.french.calendar import MONTHS, either
from dpdeid.french.tables import words_by_key
from dpdeid.gazetteers import Place
from dpdeid.normalize import fold
from dpdeid.privacy.rng import Stream
from dpdeid.substitute.places import naming
from dpdeid.substitute.places.institutions import LINKS
from dpdeid.substitute.pseudonyms import canonical, first_free, lay_over, like_case, listed, redraw

_WORDS: Final = words_by_key("addresses")
_WAYS: Final = frozenset(_WORDS["way"])
"""Words that say what a house number stands in."""
KINDS: Final = _WAYS.union(_WORDS["part"])
_ORDINALS: Final = frozenset(listed("er ere eme nd nde ieme"))
_FIRST: Final = ("er", "ere")
_NUMERO: Final = ("n", "no", "num", "numero")
"""Before a number what stays: "chemin des lilas n 12", "n° 12"."""
_DAY: Final = re.compile(
    rf"\d{{1,2}}(?:er)?[ -]{either(MONTHS)}\b(?:[ -]\d{{4}}\b)?", re.IGNORECASE
)
"""A day that a street is named after ("rue du 11 novembre 1918")."""
_NUMBER: Final = r"[lIO]*\d[\dlIO]*(?:(?![^\W\d_]{2})|(?=(?:[eè]re?|i?[eè]me|nde?)\b))"
_TOKEN: Final = re.compile(
    rf"{_DAY.pattern}|{_NUMBER}|\d*[^\W\d_][^\W_]*(?:['’.-]+[^\W\d_][^\W_]*)*\.?"
    r"|[\s'’-]+|.",
    re.DOTALL | re.IGNORECASE,
)
_NUMBERED: Final = re.compile(r"(?=.*\d)[\dlIO]+[A-Za-z]?|[A-Za-z]\d+")
"""A number, perhaps misread or with a letter: "12", "l4", "12B", "D3"."""
_SPELT: Final = re.compile(r"([^\W\d_]+(?:[- ][^\W\d_]+){0,5}?) (?=[^\W\d_])")
_Form = Literal["french", "foreign", "dutch", "german"]
_LANGUAGES: Final[Mapping[str, _Form]] = {"BE-NL": "dutch", "CH-DE": "german"}
"""List of places → of which language its streets are."""


def street(text: str, near: Place | None, stream: Stream) -> str:
    """A street of the same kind near a surrogate place."""
    number, text = _in_words(text, stream)
    tokens = _TOKEN.findall(text)
    words = [fold(token).replace(".", "") for token in tokens]
    draw = partial(_name, _form(tokens, words, near), text, stream)
    out: list[str] = []
    run: list[str] = []
    for at, (token, word) in enumerate(zip(tokens, words, strict=True)):
        name = word not in KINDS and len(word) > 1 and any(map(str.isalpha, word))
        name = (name and not _NUMBERED.fullmatch(token)) or _DAY.fullmatch(token) is not None
        name = name or (
            word.isdecimal() and "".join(words[max(at - 2, 0) : at]).strip() in LINKS and at > 1
        )
        ordinal = word in _ORDINALS or (word == "e" and "etage" in words[at + 1 : at + 3])
        if ordinal and not run and out and out[-1].isdecimal():
            out.append(_ordinal(token, word, out[-1]))
        elif word in _NUMERO and "".join(words[at + 1 : at + 4]).lstrip(" °º")[:1].isdecimal():
            out += (*_named(run, draw, behind=bool(out), small=text.islower()), token)
            run = []
        elif name or (run and (word in LINKS or not token.strip(" '’-"))):
            run.append(token)
        else:
            out += _named(run, draw, behind=bool(out), small=text.islower())
            run = []
            out.append(_part(token, "".join(out[-1:]), stream))
    return "".join([number, *out, *_named(run, draw, behind=bool(out), small=text.islower())])


def _in_words(text: str, stream: Stream) -> tuple[str, str]:
    """Another house number in words where one is spelt out, else nothing; and the rest."""
    for found in _SPELT.finditer(text[:60]):
        words = naming.words_of(found[1])
        if found.start() == 0 and numerals.read(words) is not None:
            return f"{numerals.spell(1 + stream.randbelow(99))} ", text[found.end() :]
    return "", text


def _name(form: _Form, text: str, stream: Stream, *, behind: bool) -> str:
    """A name behind what kind of street it is, or one that stands alone."""
    if form not in ("french", "foreign"):
        return naming.drawn(form, text, stream)
    if form == "french" and not behind:
        return naming.alone(naming.drawn("hamlet", text, stream))
    name = naming.drawn("street", text, stream)
    if form == "foreign":
        return f"rue {name}" if behind else f"Rue {name}"
    return name


def _form(tokens: Sequence[str], words: Sequence[str], near: Place | None) -> _Form:
    """Of a number without a word for a street ("3 hent Kerhuon": another language, or a place in
    the country) the language of the surrogate place.
    """
    if not any(map(str.isdecimal, tokens)) or not _WAYS.isdisjoint(words):
        return "french"
    listed = "" if near is None else gazetteers.place_list_name(near)
    return _LANGUAGES.get(listed, "foreign")


def _ordinal(token: str, word: str, number: str) -> str:
    """The ending of a number that was redrawn: "1er" but "4e"."""
    if (number == "1") == (word in _FIRST):
        return token
    return like_case("er" if number == "1" else "e", token)


def _part(token: str, before: str, stream: Stream) -> str:
    """A number, letter, kind of street or mark between names, redrawn if it tells anything."""
    if token.isdecimal() or (len(token) > 1 and numerals.in_digits(token)):
        number = "".join(str(int(c)) for c in numerals.in_digits(token) or token)
        return first_free(lambda: redraw(number, stream), number, ()) or "1"
    if any(map(str.isdecimal, token)):
        code = canonical(token)
        digits = first_free(lambda: redraw(code, stream), code, ()) or code
        return lay_over(token, digits)
    if len(token) > 1 or not token.isalpha() or fold(token) in KINDS or before.isdecimal():
        return token
    return first_free(lambda: like_case(redraw("A", stream), token), token, ()) or "A"


def _named(run: list[str], draw: Callable[..., str], *, behind: bool, small: bool) -> list[str]:
    """One name in the place of a run of words, with the marks that ended it.

    Args:
        small: whether the street has no capital.
    """
    if not run:
        return []
    end = len(run)
    while end > 1 and not run[end - 1].strip(" '’-\n\t\r"):
        end -= 1
    name, old = draw(behind=behind), "".join(run[:end])
    return [name if old.islower() and not small else like_case(name, old), *run[end:]]
