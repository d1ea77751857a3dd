"""The same pair in other words: dates in terser forms, where both fillings are read as meant."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from dpdeid.labels import Label
from dpdeid.privacy.rng import Stream
from dpdeid.testing.coupled import forms, phrases
from dpdeid.testing.coupled.forms import Precision
from dpdeid.testing.coupled.pair import Pair, is_sound
from dpdeid.testing.coupled.template import DateSlot, Phrase, RangeSlot, Template

_TRIED: Final = 4


def reworded(pair: Pair, dice: Stream, *, ordered: bool) -> Pair:
    """The pair with other forms, also such as lack the year, where both are still read as meant."""
    for at, note in enumerate(pair.template.notes):
        for which, phrase in enumerate(note.phrases):
            for new in _other_words(phrase, dice):
                changed = _replaced(pair.template, at, which, new)
                trial = replace(pair, template=changed)
                if is_sound(trial, ordered=ordered):
                    pair = trial
                    break
    return pair


def _other_words(phrase: Phrase, dice: Stream) -> list[Phrase]:
    """The phrase with its dates in other forms, the one that is liked most first."""
    first = phrase[1] if len(phrase) > 1 else ""
    if isinstance(first, RangeSlot):
        whole = dice.shuffled(phrases.WHOLE)[:_TRIED]
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
    """The phrase with its two dates in other forms; the second lends the first what it lacks, if it
    stands near.
    """
    (at, first), (there, last) = dated
    near = len(str(phrase[at + 1])) <= phrases.BESIDE
    found: list[Phrase] = []
    for one, other in dice.shuffled(phrases.PAIRED):
        lacks = forms.DATES[one].lacks
        if lacks == "month" and not near:
            continue
        lent = last.var if near and one != other and lacks in ("month", "year") else None
        new = list(phrase)
        new[at] = replace(first, form=one, beside=lent)
        new[there] = replace(last, form=other)
        found.append(tuple(new))
    return found[:_TRIED]


def _replaced(template: Template, at: int, which: int, phrase: Phrase) -> Template:
    note = template.notes[at]
    said = (*note.phrases[:which], phrase, *note.phrases[which + 1 :])
    notes = (*template.notes[:at], replace(note, phrases=said), *template.notes[at + 1 :])
    return Template(notes)


def forms_of(precision: Precision, *lacks: str) -> list[str]:
    """The forms of dates of a precision that lack no more than this."""
    return [k for k, f in forms.DATES.items() if f.precision == precision and f.lacks in lacks]
