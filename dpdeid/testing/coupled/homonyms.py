"""Whether the words of a template tell which list a town is of whose name stands in several.

S says of such a town the list that the words around it tell. Here that is asked of the template
alone, and strictly: words right behind the town or its postal code, else all other places and
telephone numbers, which must agree, else none of them and the public default. What is told less
clearly has no skeleton; that the engine then counts votes no test of ours shows.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from typing import Final

from dpdeid.gazetteers import Place, place_list_name
from dpdeid.testing.coupled.forms import PHRASES, lists_named
from dpdeid.testing.coupled.template import (
    AreaSlot,
    Filling,
    Fixed,
    Phrase,
    Template,
    TownSlot,
    ZipSlot,
)

_LARGE: Final = 20_000
_TOLD: Final = {after: listed for listed, told in PHRASES["told"].items() for _, _, after in told}
_PHONES: Final = {number: listed for listed, number in PHRASES["phoned"].items()}


def list_is_told(template: Template, filling: Filling, var: str) -> bool:
    """Whether the list of a town is what its record tells, at once and when its notes come one by
    one; so of each town whose name stands in one list alone.
    """
    place = filling[var]
    if not isinstance(place, Place) or len(_lists(place)) < 2:
        return True
    first = next(at for at, slot in template.slots if slot.var == var)
    return all(_is_told(template, filling, var, upto) for upto in (first, len(template.notes)))


@cache
def _lists(place: Place) -> dict[str, Place]:
    return lists_named(place)


def _is_told(template: Template, filling: Filling, var: str, upto: int) -> bool:
    """The same by the notes up to one."""
    phrases = [p for note in template.notes[: upto + 1] for p in note.phrases]
    here = phrases if upto == len(template.notes) else template.notes[upto].phrases
    place = filling[var]
    assert isinstance(place, Place)
    own, lists = place_list_name(place), _lists(place)
    if lists[own] != place:
        return False
    if beside := {said for phrase in phrases for said in _beside(phrase, var, own)}:
        return beside == {own}
    strong = {listed for p in phrases for listed in _named(p, filling, var, phoned=p in here)}
    others = {x for x in filling.values() if isinstance(x, Place) and len(_lists(x)) > 1}
    groups = {_group(listed) for listed in lists}
    told = {_group(x) for x in strong} & groups
    every = told | {_group(place_list_name(x)) for x in others} & groups
    if every - {_group(own)} or [_group(x) for x in lists].count(_group(own)) > 1:
        return False
    home = lists.get("FR")
    default = "FR" if home and home.population >= _LARGE else next(iter(lists))
    return bool(told) or default == own


def _group(listed: str) -> str:
    return "FR" if listed == "20" else listed.partition("-")[0]


def _beside(phrase: Phrase, var: str, own: str) -> Iterator[str]:
    """The lists that words right behind a town tell, or its postal code or department there."""
    if not any(isinstance(piece, TownSlot) and piece.var == var for piece in phrase):
        return
    if any(isinstance(piece, ZipSlot | AreaSlot) and piece.var == var for piece in phrase):
        yield own
    for piece in phrase:
        if isinstance(piece, str) and piece in _TOLD:
            yield _TOLD[piece]


def _named(phrase: Phrase, filling: Filling, var: str, *, phoned: bool) -> Iterator[str]:
    """The lists that the other places of a phrase tell, and its telephone numbers if they are
    `phoned`: of a note that came before its places are known, and they are not.
    """
    for piece in phrase:
        if phoned and isinstance(piece, Fixed) and piece.written in _PHONES:
            yield _PHONES[piece.written]
        if isinstance(piece, TownSlot | ZipSlot | AreaSlot) and piece.var != var:
            place = filling[piece.var]
            if isinstance(place, Place):
                own = place_list_name(place)
                sure = not isinstance(piece, TownSlot) or len(_lists(place)) < 2
                if sure or own in _beside(phrase, piece.var, own):
                    yield own
