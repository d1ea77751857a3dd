"""What a tagger's chance is worth for a word of each kind, and the least that is tagged.

A learned chance of 0.3 is right three times in ten over all words, but not over each kind: a word
that no list has is a name more often than a word of every dictionary. So each kind has a line
(Platt 1999) that turns the log odds of the tagger into those of held-out notes. One threshold then
means the same for all kinds: the expected precision of the least likely token that is tagged.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final

from dpdeid.detect.evidence import EVIDENCE

KINDS: Final = ("unlisted", "short", "name", "capital", "word", "number", "other")
_SHORT: Final = 4
_SURE: Final = 0.999
"""Chances beyond it, and below its complement, count as it: a log odds has no end."""

Line = tuple[float, float]
"""Slope and shift of the log odds."""


def kind_of(text: str, folded: str) -> str:
    """The kind of a token: "unlisted" is in no list of words ("short": and an abbreviation by its
    look), "name" in a list of names and capitalised; "capital" and "word" are the other words of
    the lists; "number" is digits, and "other" what is no word.
    """
    if not text.isalpha():
        return "number" if text.isdecimal() else "other"
    found = EVIDENCE[folded]
    if found.suspicious:
        return "short" if text.isupper() and len(text) <= _SHORT else "unlisted"
    if text[0].islower():
        return "word"
    named = found.first_name or found.surname or found.name_word
    return "name" if named else "capital"


@dataclass(frozen=True, slots=True)
class Chances:
    """How the chances of one model are read.

    Args:
        lines: kind of token → its line; a kind without one is taken at its word.
        recall: label → the least chance with which its tokens reached a target recall.
    """

    lines: Mapping[str, Line] = field(default_factory=dict)
    recall: Mapping[str, float] = field(default_factory=dict)

    def of(self, kind: str, chance: float) -> float:
        """The calibrated chance, in (0, 1)."""
        slope, shift = self.lines.get(kind, (1.0, 0.0))
        return 1 / (1 + math.exp(-slope * log_odds(chance) - shift))

    def settings(self) -> dict[str, float]:
        """The same as flat entries of a model card."""
        flat = {f"recall/{label}": least for label, least in self.recall.items()}
        for kind, (slope, shift) in self.lines.items():
            flat |= {f"slope/{kind}": slope, f"shift/{kind}": shift}
        return flat

    @classmethod
    def of_settings(cls, settings: Mapping[str, str | int | float]) -> Chances:
        """What a model card says; what it does not say is left out.

        Raises:
            ValueError: an entry is no number.
        """
        lines = {
            kind: (float(settings[f"slope/{kind}"]), float(settings[f"shift/{kind}"]))
            for kind in KINDS
            if f"slope/{kind}" in settings and f"shift/{kind}" in settings
        }
        return cls(
            lines,
            {
                key.removeprefix("recall/"): float(value)
                for key, value in settings.items()
                if key.startswith("recall/")
            },
        )


def log_odds(chance: float) -> float:
    """Of a chance in [0, 1]; at most those of 0.999, either way."""
    chance = min(_SURE, max(1 - _SURE, chance))
    return math.log(chance / (1 - chance))
