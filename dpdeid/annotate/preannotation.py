"""Suggestions made worse on purpose: fewer of them, or wrong ones.

How good must a finder be before its suggestions help? To measure it, one team sees suggestions that
another does not (Loftsson, CHUV 2022, section 4.2, Tables 4.2 and 4.5). Every draw is named by the
seed and the mark: what is shown at a retention of .5 is shown at .8 too.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from dpdeid.annotate.exchange import Design
from dpdeid.annotate.schemes import Scheme
from dpdeid.annotate.units import Marked, Unit
from dpdeid.errors import UsageError
from dpdeid.synth.dice import Dice
from dpdeid.tokens import tokenize

KINDS: Final = ("category", "boundary", "both")
"""What is altered of a mark: its category, one of its ends or both ends, or all of that."""
_FINE: Final = 1_000_000


def check_kinds(kinds: Sequence[str]) -> tuple[str, ...]:
    """The kinds, all of them if none is given.

    Raises:
        UsageError: one is none of `KINDS`.
    """
    for kind in kinds:
        if kind not in KINDS:
            raise UsageError(f"no such perturbation: {kind}; allowed: {', '.join(KINDS)}")
    return tuple(kinds) or KINDS


def altered(unit: Unit, scheme: Scheme, design: Design) -> Unit:
    """The unit with what is left of its suggestions under a design."""
    kept: list[Marked] = []
    every = ((mark, _dice("keep", unit, mark, design)) for mark in unit.suggested or ())
    marks = [mark for mark, dice in every if _falls(design.retention, dice)]
    for number, mark in enumerate(marks):
        before = kept[-1].end if kept else 0
        behind = marks[number + 1].start if number + 1 < len(marks) else len(unit.text)
        dice = _dice("alter", unit, mark, design)
        if _falls(design.perturbation, dice):
            mark = _perturbed(mark, unit.text, (before, behind), scheme, design, dice)
        kept.append(mark)
    return replace(unit, suggested=tuple(kept))


def _dice(what: str, unit: Unit, mark: Marked, design: Design) -> Dice:
    return Dice.of(design.seed, f"annotate {what}", unit.id, str(mark.start), str(mark.end))


def _falls(chance: float, dice: Dice) -> bool:
    return dice.randbelow(_FINE) < round(chance * _FINE)


def _perturbed(
    mark: Marked,
    text: str,
    room: tuple[int, int],
    scheme: Scheme,
    design: Design,
    dice: Dice,
) -> Marked:
    """The mark altered in one of the kinds; in its category where its ends cannot be moved."""
    kind = dice.choice(design.perturbs)
    moved = mark if kind == "category" else _moved(mark, text, room, dice)
    if kind != "boundary" or moved == mark:
        moved = moved._replace(category=dice.choice(scheme.similar(mark.category)))
    return moved


def _moved(mark: Marked, text: str, room: tuple[int, int], dice: Dice) -> Marked:
    """The mark with its left, its right or both ends a token farther out or in, inside its room;
    itself if there is nowhere to go.
    """
    tokens = tokenize(text)
    sides = dice.choice(("left", "right", "left right"))
    start, end = mark.start, mark.end
    if "left" in sides:
        out = [at for at in tokens.starts if room[0] <= at < start][-1:]
        inward = [at for at in tokens.starts if start < at < end][:1]
        start = dice.choice([*out, *inward] or [start])
    if "right" in sides:
        out = [at for at in tokens.ends if end < at <= room[1]][:1]
        inward = [at for at in tokens.ends if start < at < end][-1:]
        end = dice.choice([*out, *inward] or [end])
    return mark._replace(start=start, end=end)
