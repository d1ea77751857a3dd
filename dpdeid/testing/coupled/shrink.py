"""The smallest part of a pair that still shows a difference, so that it can be read at a glance."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Final

from dpdeid.policy import Policy
from dpdeid.testing.coupled.check import Violation, compared, keeps_order
from dpdeid.testing.coupled.pair import Pair, is_sound
from dpdeid.testing.coupled.template import Note, Template

_SEEDS: Final = range(12)


def shrunk(policy: Policy, violation: Violation) -> Violation:
    """The violation without notes, phrases and differences that it does not need (greedily), under
    another key if need be: with fewer slots the others are drawn anew.
    """
    found = violation
    while True:
        for pair in _smaller(found.pair):
            if not is_sound(pair, ordered=keeps_order(policy)):
                continue
            again = (compared(policy, replace(pair, seed=seed)) for seed in (pair.seed, *_SEEDS))
            if (less := next(filter(None, again), None)) is not None:
                found = less
                break
        else:
            return found


def _smaller(pair: Pair) -> Iterator[Pair]:
    """Pairs with one note, one phrase, one date of a note or one difference less."""
    notes = pair.template.notes
    for at, note in enumerate(notes):
        before, after = notes[:at], notes[at + 1 :]
        if len(notes) > 1:
            yield replace(pair, template=Template((*before, *after)))
        for which in range(len(note.phrases)):
            said = (*note.phrases[:which], *note.phrases[which + 1 :])
            yield replace(pair, template=Template((*before, replace(note, phrases=said), *after)))
        if note.date is not None:
            yield replace(pair, template=Template((*before, Note(None, note.phrases), *after)))
    for var in sorted(pair.template.variables()):
        if pair.one[var] != pair.other[var]:
            yield replace(pair, other={**pair.other, var: pair.one[var]})
            yield replace(pair, one={**pair.one, var: pair.other[var]})
