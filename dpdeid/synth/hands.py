"""Whose hand a note is in: which noise comes together."""

from __future__ import annotations

from typing import Final

from dpdeid.synth import noise
from dpdeid.synth.dice import Dice
from dpdeid.synth.noise import Noise
from dpdeid.synth.pieces import Piece

LETTER: Final = ("plain",) * 10 + (
    "office",
    "office",
    "wrapped",
    "printed",
    "html",
    "bare",
    "hasty",
    "scan",
    "curly",
    "curly",
)
FORM: Final = ("plain",) * 5 + (
    "columns",
    "columns",
    "printed",
    "html",
    "bare",
    "capitals",
    "scan",
    "form",
)
THEATRE: Final = ("plain",) * 5 + (
    "capitals",
    "capitals",
    "capitals",
    "bare",
    "columns",
    "wrapped",
    "scan",
    "office",
)
NURSE: Final = ("telegraphic",) * 5 + (
    "small",
    "small",
    "plain",
    "plain",
    "hasty",
    "capitals",
    "bare",
)
MAIL: Final = ("plain",) * 5 + ("hasty", "hasty", "small", "telegraphic", "html", "curly")
DICTATED: Final = ("plain", "small", "plain", "no_stops")
PRINTED: Final = ("printed", "scan")
"""Hands whose notes have the header of a page in the middle."""

_Steps = tuple[tuple[Noise, int], ...]
HANDS: Final[dict[str, _Steps]] = {
    "plain": ((noise.stuck, 3), (noise.windows_lines, 2), (noise.no_names_accents, 8)),
    "office": ((noise.double_lines, 100), (noise.curly, 40)),
    "curly": ((noise.curly, 100),),
    "wrapped": ((noise.wrapped, 100), (noise.no_accents, 15)),
    "printed": ((noise.wrapped, 60), (noise.wide, 50), (noise.stuck, 40)),
    "columns": ((noise.wide, 100), (noise.no_names_accents, 40)),
    "form": ((noise.no_names_accents, 100), (noise.wide, 50), (noise.stuck, 30)),
    "html": ((noise.html, 100),),
    "bare": ((noise.no_accents, 100), (noise.stuck, 15)),
    "hasty": (
        (noise.typos, 100), (noise.stuck, 40), (noise.no_accents, 30),
        (noise.spaced_punctuation, 40),
    ),
    "scan": ((noise.wrapped, 70), (noise.scanned, 100), (noise.stuck, 30)),
    "capitals": ((noise.upper, 100), (noise.no_accents, 75), (noise.wrapped, 15)),
    "small": ((noise.lower, 100), (noise.stuck, 15)),
    "telegraphic": (
        (noise.lower, 100), (noise.no_accents, 60), (noise.no_punctuation, 65),
        (noise.spaced_punctuation, 20), (noise.stuck, 30), (noise.typos, 30),
    ),
    "no_stops": ((noise.no_punctuation, 100), (noise.lower, 50)),
}  # fmt: skip
"""The steps of each hand, in order, each with the percent of notes that it comes in."""


def noisy(pieces: list[Piece], hand: str, dice: Dice) -> list[Piece]:
    """The pieces as that hand leaves them."""
    for step, percent in HANDS[hand]:
        if dice.chance(percent):
            pieces = step(pieces, dice)
    return pieces
