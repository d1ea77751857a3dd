"""Says which units of a name are the surname and which are given names.

Upper case marks the surname in "LE GOF Annick"; else the lists and the usual order decide.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Final

from dpdeid.detect import vocabulary as voc
from dpdeid.detect.leanings import leaning
from dpdeid.detect.units import Unit, View
from dpdeid.document import Span
from dpdeid.labels import Label, Role

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
"""Log odds, see `leanings`: of a particle or devotion, of one given name rather than two or none,
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
    if len(units) == 1:
        only = units[0]
        what = _FIRST if only.shape == "I" or _lone_given(view, only, alone) else _LAST
        return [view.span(only.first, only.stop, what, score, source, role)]
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
    shapes = {units[i].shape for i in names}
    if units[names[0]].shape == "U" and _joined_initials(view, units[names[0]]):
        return names[:1]  # "PY TANGUY"
    particles = [i for i in names[:-1] if units[i].bits & voc.PARTICLE and units[i].size < 7]
    if "U" in shapes and len(shapes) > 1:
        upper = [i for i in names if units[i].shape == "U"]
        before = [p for p in particles if upper[0] - 2 <= p < upper[0]]
        inside = range(min([*upper, *before]), upper[-1] + 1)
        return [i for i in names if i not in inside]
    if units[names[-1]].shape == "L" and "C" in shapes and len(names) > 2 and not particles:
        return names[:-2]  # "Janine Vera toro": a double surname loses its second capital
    return _likelier(view, units, _blocks(view, units, names))


def _joined_initials(view: View, unit: Unit) -> bool:
    return unit.size == 2 and not set(view.folded[unit.first]) & set("aeiou")


def _blocks(view: View, units: Sequence[Unit], names: Sequence[int]) -> list[list[int]]:
    """The names with their particles: "Anne | de la Tour", "Pereira | da Silva"."""
    blocks: list[list[int]] = []
    joined = False
    for i in names:
        particle = bool(units[i].bits & voc.PARTICLE) and units[i].size < _SHORT
        if joined:
            blocks[-1].append(i)
        else:
            blocks.append([i])
        joined = particle and i != names[-1]
    return blocks


def _likelier(view: View, units: Sequence[Unit], blocks: Sequence[Sequence[int]]) -> list[int]:
    """The given names among blocks: of all ways to part them in two, the likeliest."""
    weights = [_weight(view, units, blocks, n) for n in range(len(blocks))]
    if len(blocks) == 1:
        return []
    total, best = sum(weights), (-math.inf, 0, True)
    ahead = 0.0
    prose = _order(view, units)
    for cut in range(1, len(blocks)):
        ahead += weights[cut - 1]
        single = _SINGLE if cut == 1 else 0
        best = max(best, (2 * ahead - total + prose + single, cut, True))
        alone = _SINGLE if len(blocks) - cut == 1 else 0
        best = max(best, (total - 2 * ahead - prose + alone, cut, False))
    if any(len(block) > 1 for block in blocks):
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
    listed = any("\t" in view.gap(u.first) for u in units[1:]) or before in ("|", ";", ":")
    shape = units[0].shape
    if shape == "C" and before == ":":
        return _PROSE / 3
    if shape == "C":
        return -_LISTED if listed else _PROSE
    return -_LISTED if listed or view.opens(first) else -_LISTED / 4
