"""Which units of a name are the surname and which the given names.

Upper case marks the surname in "LE GOF Annick"; else the ranks of the words in the two lists and
the usual order decide.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import cache
from typing import Final

from dpdeid import gazetteers
from dpdeid.detect.names import vocabulary as voc
from dpdeid.detect.names.name_tokens import Unit, View
from dpdeid.document import Span
from dpdeid.labels import Label, Role
from dpdeid.lexicon import Memo

_GIVEN_TOP: Final = 3
_SURNAME_TOP: Final = 20
"""Ranks from which both lists fall as one over the rank."""
_SURNAME_SHARE: Final = 0.35
"""Surnames spread over more names: the share of the most frequent one, beside a given name's."""
_PARTICLE: Final = 9.0
_SAINTS: Final = frozenset(("saint", "sainte", "st", "ste"))
_NO_GIVEN: Final = 1 / 400_000
_NO_SURNAME: Final = 1 / 60_000
"""How often a name outside the lists stands for one: 12 % of surnames are, 2 % of given names."""


@cache
def _ranks() -> dict[str, int]:
    return {name: rank for rank, name in enumerate(gazetteers.first_names())}


def _leaning(word: str) -> float:
    given, surname = _ranks().get(word), gazetteers.surnames().get(word)
    first = _NO_GIVEN if given is None else 1 / (given + _GIVEN_TOP)
    last = _NO_SURNAME if surname is None else _SURNAME_SHARE / (surname + _SURNAME_TOP)
    return math.log(first / max(last, _NO_SURNAME / 4))


LEANING: Final = Memo(_leaning)
"""Log odds that a folded word of a name is a given name; 0 says nothing."""


def leaning(view: View, unit: Unit) -> float:
    """The same of a unit, in [-13, 13]: the mean of its words; "d'" and "Saint-" make surnames."""
    if unit.stop - unit.first == 1:
        return LEANING[view.folded[unit.first]]
    words = view.folded[unit.first : unit.stop]
    if len(words) == 3 and not view.glued(unit.first + 2):
        return LEANING[words[0] + words[2]]  # one word, parted at the end of a line
    odds = [LEANING[word] for word in words if len(word) > 1]
    mean = sum(odds) / len(odds) if odds else 0.0
    elided = len(words[0]) == 1 and words[1] == "'"
    return mean - _PARTICLE if elided or words[0] in _SAINTS else mean


_FIRST: Final = Label.FIRST_NAME
_LAST: Final = Label.LAST_NAME
_SHORT: Final = 7
_SURE: Final = 6.0
_SINGLE: Final = 0.5
_NONE_GIVEN: Final = 3.0
_ALONE: Final = 5.0
_SOLE: Final = 2.5
_PROSE: Final = 3.0
_LISTED: Final = 2.0
"""Log odds of a particle or devotion, of one given name rather than two or none,
of what stands alone where the other is meant, of the order that prose and lists keep."""
_DEVOUT: Final = voc.words("maria ana anna rosa")
_DEVOTIONS: Final = voc.words(
    "luz carmo fatima lurdes lourdes dores conceicao graca ceu rosario jesus assuncao gloria"
    " carmen pilar mar rocio concepcion angeles"
)
"""What follows "Maria de" in given names."""


def label(
    view: View, units: Sequence[Unit], *, alone: Label, score: float, source: str, role: Role
) -> list[Span]:
    """The spans of a name's units. `alone` is what a single unit is when no list can tell."""
    firsts = given(view, units, alone)
    spans: list[Span] = []
    start, size = 0, len(units)
    while start < size:
        stop, first = start + 1, firsts[start]
        while stop < size and firsts[stop] == first:
            if units[stop].shape == "I" or units[stop - 1].shape == "I":
                break
            stop += 1
        what = _FIRST if first else _LAST
        spans.append(view.span(units[start].first, units[stop - 1].stop, what, score, source, role))
        start = stop
    return spans


def _lone_given(view: View, unit: Unit, alone: Label) -> bool:
    """Whether a name of one unit is a given name. `alone` as for `label`."""
    only = leaning(view, unit)
    if unit.bits & voc.FIRST and not unit.bits & voc.LAST and only > _SOLE:
        return True
    return only > (-_ALONE if alone is _FIRST else _ALONE)


def given(view: View, units: Sequence[Unit], alone: Label) -> list[bool]:
    """For each unit of a name, whether it is a given name. `alone` as for `label`."""
    if len(units) == 1:
        return [units[0].shape == "I" or _lone_given(view, units[0], alone)]
    firsts = [u.shape == "I" for u in units]
    names = [i for i, first in enumerate(firsts) if not first]
    if not names:
        return [True] * len(units)
    if len(names) == 1:
        only = leaning(view, units[names[0]])
        if names[0] == 0 and only > (_ALONE if units[0].shape == "U" else _PROSE / 2):
            # "Laetitia B." is a given name and the initial of a surname
            return [True] + [False] * (len(units) - 1)
        return firsts
    for i in _given(view, units, names):
        firsts[i] = True
    return firsts


def _given(view: View, units: Sequence[Unit], names: Sequence[int]) -> Sequence[int]:
    """Which of two or more units are given names."""
    upper = [i for i in names if units[i].shape == "U"]
    head = units[names[0]]
    consonants = head.size == 2 and not set(view.folded[head.first]) & set("aeiou")
    if upper and upper[0] == names[0] and consonants:
        return names[:1]  # "PY TANGUY"
    particles = [i for i in names[:-1] if _is_particle(units[i])]
    if upper and len(upper) < len(names):
        before = [p for p in particles if upper[0] - 2 <= p < upper[0]]
        low, high = (before or upper)[0], upper[-1]
        return [i for i in names if not low <= i <= high]
    lower_last = len(names) > 2 and units[names[-1]].shape == "L"
    if lower_last and not particles and any(units[i].shape == "C" for i in names):
        return names[:-2]  # "Janine Vera toro": a double surname loses its second capital
    return _likelier(view, units, _blocks(units, names))


def _is_particle(unit: Unit) -> bool:
    return bool(unit.bits & voc.PARTICLE) and unit.size < _SHORT


def _blocks(units: Sequence[Unit], names: Sequence[int]) -> list[list[int]]:
    """The names with their particles: "Anne | de la Tour", "Pereira | da Silva"."""
    blocks: list[list[int]] = []
    joined = False
    for i in names:
        if joined:
            blocks[-1].append(i)
        else:
            blocks.append([i])
        joined = _is_particle(units[i])
    return blocks


def _likelier(view: View, units: Sequence[Unit], blocks: Sequence[Sequence[int]]) -> list[int]:
    """The given names among blocks: of all ways to part them in two, the likeliest."""
    if len(blocks) == 1:
        return []
    weights = [_weight(view, units, blocks, n) for n in range(len(blocks))]
    total, best = sum(weights), (-math.inf, 0, True)
    ahead = 0.0
    prose = _order(view, units)
    for cut in range(1, len(blocks)):
        ahead += weights[cut - 1]
        odds = 2 * ahead - total + prose
        single = _SINGLE if cut == 1 else 0
        alone = _SINGLE if len(blocks) - cut == 1 else 0
        best = max(best, (odds + single, cut, True), (alone - odds, cut, False))
    if sum(map(len, blocks)) > len(blocks):
        best = max(best, (-total - _NONE_GIVEN, 0, True))  # "Pozzo di Borgo", "da Rocha Pinto"
    if weights[-1] == _SURE:
        return [i for block in blocks for i in block]  # "Maria da Luz" has no surname
    _, cut, leads = best
    return [i for block in (blocks[:cut] if leads else blocks[cut:]) for i in block]


def _weight(view: View, units: Sequence[Unit], blocks: Sequence[Sequence[int]], n: int) -> float:
    """How much a block is a given name; particles make surnames."""
    block = blocks[n]
    own = leaning(view, units[block[-1]])
    if len(block) == 1:
        return own
    saint = view.folded[units[block[-1]].first] in _DEVOTIONS
    if n and saint and view.folded[units[blocks[n - 1][-1]].first] in _DEVOUT:
        return _SURE  # "Maria da Luz"
    return min(own, 0.0) - _SURE


def _order(view: View, units: Sequence[Unit]) -> float:
    """What the place of a name says of its order: prose gives the given name first, lists last."""
    first = units[0].first
    before = view.texts[first - 1] if first else ""
    inside = view.text[view.starts[first] : view.starts[units[-1].first]]
    listed = "\t" in inside or before in ("|", ";", ":")
    shape = units[0].shape
    if shape == "C" and before == ":":
        return _PROSE / 3
    if shape == "C":
        return -_LISTED if listed else _PROSE
    return -_LISTED if listed or view.opens(first) else -_LISTED / 4
