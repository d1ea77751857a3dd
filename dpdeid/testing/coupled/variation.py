"""Other fillings and other words for one template: days laid out anew, dates in terser forms.

A layout is a sequence of nodes: a run of days, or a month, year … with nodes inside it. Every
filling of one layout has them in the same order, at other distances. Forms of dates that lack the
year or the month are taken where both fillings are still read as meant.
"""

from __future__ import annotations

import datetime as dt
from calendar import monthrange
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

from dpdeid.labels import Label
from dpdeid.privacy.rng import Stream
from dpdeid.testing.coupled import forms
from dpdeid.testing.coupled.forms import Precision, begins, span_of
from dpdeid.testing.coupled.skeleton import Pair, is_sound
from dpdeid.testing.coupled.template import E0, DateSlot, Phrase, RangeSlot

_DAY: Final = dt.timedelta(1)
_TURNS: Final = 7
"""Months and years begin where they do, so a layout is moved until its last note fits."""
_TELLING: Final = ((1, 1), (7, 1), (12, 31), (5, 15), (2, 29))
"""Days of the year by which a month or year is often stood for, or that are ends."""


@dataclass(frozen=True, slots=True)
class Node:
    """A run of days, or one longer stretch.

    Args:
        names: the variables; several only of days.
        inside: what lies within it.
    """

    names: tuple[str, ...]
    precision: Precision = "day"
    inside: tuple[Node, ...] = ()


def laid_out(
    nodes: Sequence[Node],
    notes: Sequence[str],
    dice: Stream,
    *,
    most_bits: int,
    recent: bool = False,
) -> dict[str, dt.date]:
    """A day for each variable.

    Args:
        notes: the variables of note dates: none lies after e0.
        most_bits: two dates that follow one another are less than 2 to so many days apart.
        recent: the last lies less than two months before e0, else up to six years.
    """
    seed = dice.words(4)
    start = dt.date(2019, 1, 1) + dt.timedelta(dice.randbelow(365))
    latest = E0 - dt.timedelta(dice.randbelow(1 << dice.randbelow(6 if recent else 12)))
    if not notes and not recent and dice.randbelow(2):
        latest = E0 + dt.timedelta(dice.randbelow(80) - 40)
    found: dict[str, dt.date] = {}
    for turn in range(_TURNS):
        found = {}
        _place(nodes, start, Stream(seed), most_bits, found)
        pivot = max(found[name] for name in (notes or found))
        if pivot == latest or (turn > 1 and pivot <= E0):
            break
        start += latest - pivot - (turn > 1) * dt.timedelta((8 if recent else 100) << turn)
    return found


def _place(
    nodes: Sequence[Node], start: dt.date, dice: Stream, bits: int, found: dict[str, dt.date]
) -> None:
    at = start
    for node in nodes:
        if node.precision != "day":
            at = _around(node, at + _gap(dice, bits), dice, found)
            continue
        for number, name in enumerate(node.names):
            gap = _gap(dice, bits if number == 0 else min(bits, 5))
            found[name] = at = _telling(at + gap, gap, dice)


def _gap(dice: Stream, bits: int) -> dt.timedelta:
    return dt.timedelta(1 + dice.randbelow(1 << dice.randbelow(bits + 1)))


def _telling(day: dt.date, gap: dt.timedelta, dice: Stream) -> dt.date:
    """The day, or one that stands for more, no further than the gap before it is long."""
    month, of = dice.choice(_TELLING)
    if dice.randbelow(3):
        return day
    for year in (day.year, day.year + 1):
        other = dt.date(year, month, min(of, monthrange(year, month)[1]))
        if day <= other <= day + max(gap, dt.timedelta(31)):
            return other
    return day


def _around(node: Node, at: dt.date, dice: Stream, found: dict[str, dt.date]) -> dt.date:
    """Places a stretch and what lies within it; its last day."""
    first = begins(node.precision, at)
    if first < at:
        first = span_of(node.precision, first)[1] + _DAY
    low, high = span_of(node.precision, first)
    found[node.names[0]] = low
    share = (high - low + _DAY) // max(len(node.inside), 1)
    for number, inner in enumerate(node.inside):
        since = low + number * share
        if inner.precision != "day":
            _around(
                inner, since + dt.timedelta(dice.randbelow(max(share.days // 3, 1))), dice, found
            )
            continue
        room = share.days // len(inner.names)
        for at_, name in enumerate(inner.names):
            found[name] = since + dt.timedelta(at_ * room + dice.randbelow(max(room, 1)))
    return high


_TRIED: Final = 4


def reworded(pair: Pair, dice: Stream) -> Pair:
    """The pair with other forms, also such as lack the year, where both are still read as meant."""
    for at, note in enumerate(pair.template.notes):
        for which, phrase in enumerate(note.phrases):
            for new in _other_words(phrase, dice):
                trial = replace(pair, template=pair.template.with_phrases(at, which, new))
                if is_sound(trial):
                    pair = trial
                    break
    return pair


def _other_words(phrase: Phrase, dice: Stream) -> list[Phrase]:
    """The phrase with its dates in other forms, the one that is liked most first."""
    first = phrase[1] if len(phrase) > 1 else ""
    if isinstance(first, RangeSlot):
        whole = dice.shuffled(forms.PHRASES["whole"])[:_TRIED]
        ranges = [replace(first, forms=(one, last), joiner=by) for one, by, last in whole]
        return [(phrase[0], one, *phrase[2:]) for one in ranges]
    dated = [
        (at, piece)
        for at, piece in enumerate(phrase)
        if isinstance(piece, DateSlot) and piece.label is Label.DATE
    ]
    if len(dated) == 2:
        return _paired(phrase, dated, dice)
    if not dated:
        return []
    at, slot = dated[0]
    lacking = dice.choice((("nothing",), ("century",), ("year", "week"), ("year", "week")))
    options = dice.shuffled(forms_of(forms.DATES[slot.form].precision, *lacking))[:_TRIED]
    return [(*phrase[:at], replace(slot, form=form), *phrase[at + 1 :]) for form in options]


def _paired(phrase: Phrase, dated: Sequence[tuple[int, DateSlot]], dice: Stream) -> list[Phrase]:
    """The phrase with its two dates in other forms; the second may lend what the first lacks."""
    (at, first), (there, last) = dated
    near = len(str(phrase[at + 1])) <= forms.BESIDE
    found: list[Phrase] = []
    for one, other in dice.shuffled(forms.PHRASES["paired"]):
        lacks = forms.DATES[one].lacks
        if lacks == "month" and not near:
            continue
        lent = last.var if near and one != other and lacks in ("month", "year") else None
        new = list(phrase)
        new[at] = replace(first, form=one, beside=lent)
        new[there] = replace(last, form=other)
        found.append(tuple(new))
    return found[:_TRIED]


def forms_of(precision: Precision, *lacks: str) -> list[str]:
    """The forms of dates of a precision that lack no more than this."""
    return [k for k, f in forms.DATES.items() if f.precision == precision and f.lacks in lacks]
