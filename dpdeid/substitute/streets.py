"""Streets: another of the same kind, with a number of as many digits. Names come from a short list
of the most common French street names, which say nothing about where they stand.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from dpdeid.normalize import fold
from dpdeid.privacy.rng import Stream
from dpdeid.substitute.shapes import first_free, like_case, listed, redraw, runs

PLANTS: Final = (
    "des Lilas",
    "des Tilleuls",
    "des Acacias",
    "des Peupliers",
    "des Cerisiers",
    "des Marronniers",
    "des Hirondelles",
    "des Noyers",
)
"""Names that a street, a clinic and a residence may bear alike."""

NAMES: Final = (
    *PLANTS,
    "Victor-Hugo",
    "Pasteur",
    "Jean-Jaurès",
    "Gambetta",
    "Molière",
    "Voltaire",
    "Jules-Ferry",
    "de la Gare",
    "du Moulin",
    "de la Fontaine",
    "des Écoles",
    "du Stade",
    "de la Poste",
    "de Verdun",
    "du 8-Mai-1945",
)

_RUNS: Final = {name: runs(fold(name)) for name in NAMES}
_ANY_RUN: Final = frozenset().union(*_RUNS.values())
_DAY: Final = re.compile(
    r"\d{1,2}(?:er)?[ -](?:janvier|f[ée]vrier|mars|avril|mai|juin|juillet|ao[uû]t|septembre|octobre"
    r"|novembre|d[ée]cembre)\b(?:[ -]\d{4}\b)?",
    re.IGNORECASE,
)
"""A day that a street is named after ("rue du 11 novembre 1918")."""
_TOKEN: Final = re.compile(
    _DAY.pattern + r"|\d+|[^\W\d_]+(?:['’.-]+[^\W\d_]+)*\.?|[\s'’-]+|.", re.DOTALL | re.IGNORECASE
)
_WORDS: Final = re.compile(r"[^\W_]+")
_KINDS: Final = frozenset(
    listed(
        "rue r avenue av ave bd boulevard bld blvd place pl chemin ch che chem allee allees all"
        " impasse imp route rte quai cours square sq passage pass sentier sente montee cote voie"
        " faubourg fbg fg traverse rond-point rondpoint esplanade promenade corniche chaussee"
        " venelle ruelle residence res lotissement lot villa cite hameau quartier lieu-dit lieudit"
        " domaine parc immeuble imm batiment bat tour bloc escalier esc etage appartement appt apt"
        " app porte boite bte bp cs tsa case chateau chalet ferme maison zone za zi zac bis ter"
        " quater etg hlm gauche droite"
    )
)
_PARTS: Final = frozenset(
    listed(
        "bis ter quater batiment bat immeuble imm tour bloc escalier esc etage etg appartement appt"
        " apt app porte boite bte case gauche droite"
    )
)
"""Parts of an address that do not say what kind of way it is."""
_WAYS: Final = _KINDS - _PARTS
"""Words that say what a house number stands in."""
_ORDINALS: Final = frozenset(listed("er ere eme nd nde ieme"))
_FIRST: Final = frozenset(("er", "ere"))
_LINKS: Final = frozenset(listed("de du des d l la le les et en sur sous aux au a"))


def street(text: str, stream: Stream) -> str:
    """A street of the same kind: numbers redrawn, each name replaced by one of the list."""
    old = runs(fold(text))
    free: Sequence[str] = NAMES
    if not _ANY_RUN.isdisjoint(old):
        free = [name for name, its in _RUNS.items() if its.isdisjoint(old)]
    out: list[str] = []
    run: list[str] = []
    tokens = _TOKEN.findall(text)
    words = [fold(token).replace(".", "") for token in tokens]
    if any(map(str.isdecimal, tokens)) and _WAYS.isdisjoint(words):
        # "3 hent Kerhuon": another language, a place in the country
        free = [f"rue {name}" for name in free]
    for at, (token, word) in enumerate(zip(tokens, words, strict=True)):
        name = word[:1].isalpha() and word not in _KINDS and len(word) > 1
        name = name or _DAY.fullmatch(token) is not None
        ordinal = word in _ORDINALS or (word == "e" and "etage" in words[at + 1 : at + 3])
        if ordinal and "".join(out[-1:]).isdecimal():
            out.append(_ordinal(token, word, out[-1]))
            continue
        if name or (run and (word in _LINKS or not token.strip(" '’-"))):
            run.append(token)
        else:
            out += _named(run, stream, free, not out)
            run = []
            out.append(_part(token, "".join(out[-1:]), stream))
    out += _named(run, stream, free, not out)
    return "".join(out)


def code(text: str) -> str:
    """The canonical value of a street: its numbers and names, without its kind."""
    return " ".join([word for word in _WORDS.findall(fold(text)) if word not in _KINDS])


def _ordinal(token: str, word: str, number: str) -> str:
    """The ending of a number that was redrawn: "1er" but "4e"."""
    if (number == "1") == (word in _FIRST):
        return token
    return like_case("er" if number == "1" else "e", token)


def _part(token: str, before: str, stream: Stream) -> str:
    """A number, letter, kind of street or mark between names, redrawn if it tells anything."""
    if token.isdecimal():
        number = "".join(str(int(c)) for c in token)
        return first_free(lambda: redraw(number, stream), number, ()) or "1"
    if len(token) > 1 or not token.isalpha() or fold(token) in _KINDS:
        return token
    if before.isdecimal():
        return token
    return first_free(lambda: like_case(redraw("A", stream), token), token, ()) or "A"


def _named(run: list[str], stream: Stream, free: Sequence[str], alone: bool) -> list[str]:
    """One name in the place of a run of words, with the marks that ended it.

    `alone`: no kind of street stands before it ("Les Lilas").
    """
    if not run:
        return []
    names = free
    if alone and free[:1] and not free[0].startswith("rue "):
        names = [f"Les {name[4:]}" for name in free if name in PLANTS]
    name = stream.choice(names or NAMES)
    if alone:
        name = name[0].upper() + name[1:]
    end = len(run)
    while end > 1 and not run[end - 1].strip(" '’-\n\t\r"):
        end -= 1
    return [like_case(name, "".join(run[:end])), *run[end:]]
