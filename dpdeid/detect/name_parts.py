"""Says which units of a name are the surname and which are given names.

Upper case marks the surname in "LE GOF Annick"; else the lists and the usual order decide.
"""

from __future__ import annotations

from collections.abc import Sequence

from dpdeid.detect import vocabulary as voc
from dpdeid.detect.units import Unit, View
from dpdeid.document import Span
from dpdeid.labels import Label, Role


def label(
    view: View, units: Sequence[Unit], *, alone: Label, score: float, source: str, role: Role
) -> list[Span]:
    """The spans of a name's units. `alone` is what a single unit is when no list can tell."""
    firsts = given(view, units, alone)
    spans: list[Span] = []
    start = 0
    while start < len(units):
        stop = start + 1
        what = Label.FIRST_NAME if firsts[start] else Label.LAST_NAME
        while stop < len(units) and firsts[stop] == firsts[start]:
            if units[stop].shape == "I" or units[stop - 1].shape == "I":
                break
            stop += 1
        spans.append(view.span(units[start].first, units[stop - 1].stop, what, score, source, role))
        start = stop
    return spans


def given(view: View, units: Sequence[Unit], alone: Label, *, listed: bool = False) -> list[bool]:
    """For each unit of a name, whether it is a given name. `listed`: it stands in a list."""
    firsts = [u.shape == "I" for u in units]
    names = [i for i, first in enumerate(firsts) if not first]
    if not names:
        return [True] * len(units)
    if len(names) == 1:
        only = units[names[0]]
        listed = bool(only.bits & voc.FIRST)
        if len(units) == 1 and alone is Label.FIRST_NAME:
            firsts[names[0]] = listed or not only.bits & voc.LAST
        elif len(units) == 1:
            firsts[names[0]] = listed and not only.bits & voc.LAST
        elif names[0] == 0 and only.shape != "U" and listed and not only.bits & voc.COMMON:
            # "Laetitia B." is a given name and the initial of a surname
            return [True] + [False] * (len(units) - 1)
        return firsts
    for i in _given(view, units, names, listed=listed):
        firsts[i] = True
    return firsts


def _given(
    view: View, units: Sequence[Unit], names: Sequence[int], *, listed: bool
) -> Sequence[int]:
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
    if particles and particles[0] > names[0]:
        given = [i for i in names if i < particles[0]]
        joins = view.folded[units[particles[0]].first] in voc.JOINING
        return given[:-1] if joins and len(given) > 1 else given  # "João Pereira da Silva"
    if particles:
        tail = [i for i in names if i > particles[-1] + 1]
        return tail if all(units[i].bits & voc.FIRST for i in tail) else []
    if units[names[-1]].shape == "L" and "C" in shapes and len(names) > 2:
        return names[:-2]  # "Janine Vera toro": a double surname loses its second capital
    listed = listed or "\t" in view.gap(units[names[1]].first)
    return _by_lists(units, names, prose="C" in shapes and not listed)


def _joined_initials(view: View, unit: Unit) -> bool:
    return unit.size == 2 and not set(view.folded[unit.first]) & set("aeiou")


def _by_lists(units: Sequence[Unit], names: Sequence[int], *, prose: bool) -> Sequence[int]:
    """The given names of units that look alike: the lists tell, then the usual order."""
    head, tail = _run(units, names), _run(units, names[::-1])
    if len(head) == len(names):
        sure = [i for i in names if units[i].bits & voc.FREQUENT and not units[i].bits & voc.LAST]
        if len(names) == 2 and len(sure) == 1:
            return sure
        # every unit is a given name somewhere: lists go surname first, prose given name first
        return names[:-1] if prose else names[1:]
    if head and (not tail or prose):
        return head
    if prose and tail and not units[names[0]].bits & voc.LAST:
        return names[:1]
    return tail or (names[:1] if prose else names[1:])


def _run(units: Sequence[Unit], names: Sequence[int]) -> Sequence[int]:
    count = 0
    while count < len(names) and units[names[count]].bits & voc.FIRST:
        count += 1
    return names[:count]
