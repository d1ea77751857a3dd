"""The new identities of one annotated note: equal values stay equal in any case and spelling."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Final

from dpdeid import gazetteers
from dpdeid.labels import Sex
from dpdeid.normalize import fold
from dpdeid.substitute.shapes import like_case
from dpdeid.synth import names, places
from dpdeid.synth.dice import Dice
from dpdeid.synth.places import Town

_RUN: Final = re.compile(r"[^\W\d_]+")
_INITIALS: Final = re.compile(r"(?:[^\W\d_]\.?[- ]?){1,3}")


@dataclass(slots=True)
class Identities:
    """The new values of one note. Not frozen: it grows with every span."""

    dice: Dice
    lasts: dict[str, str] = field(default_factory=dict, repr=False)
    firsts: dict[str, str] = field(default_factory=dict, repr=False)
    others: dict[tuple[str, str], str] = field(default_factory=dict, repr=False)
    towns: dict[str, Town] = field(default_factory=dict, repr=False)

    def last(self, text: str) -> str:
        return "-".join(like_case(self._last(part), part) for part in text.split("-"))

    def _last(self, part: str) -> str:
        key = fold(part)
        if key not in self.lasts:
            self.lasts[key] = names.surname(self.dice, self._origin())
        return self.lasts[key]

    def _origin(self) -> str:
        return self.dice.choice(names.ORIGINS) if self.dice.chance(25) else ""

    def first(self, text: str) -> str:
        if is_initials(text):
            return self._initials(text)
        key = fold(text)
        if key not in self.firsts:
            sex = gazetteers.first_names().get(key, Sex.UNKNOWN)
            if sex is Sex.UNKNOWN:
                sex = self.dice.choice((Sex.FEMALE, Sex.MALE))
            self.firsts[key] = names.first_name(
                self.dice, sex, 1930 + self.dice.randbelow(80), self._origin()
            )
        return like_case(self.firsts[key], text)

    def _initials(self, text: str) -> str:
        known = {
            name[0]: new[0] for name, new in [*self.firsts.items(), *self.lasts.items()] if new
        }

        def other(found: re.Match[str]) -> str:
            letter = known.get(fold(found[0]))
            letter = letter or self.others.setdefault(
                ("letter", fold(found[0])), self.dice.letters(1)
            )
            return letter.upper() if found[0].isupper() else letter.lower()

        return _RUN.sub(lambda run: "".join(other(m) for m in re.finditer(".", run[0])), text)

    def town(self, text: str) -> Town:
        """A town that takes the same article and elision."""
        key = gazetteers.place_key(text)
        vowel = fold(text)[:1] in "aeiouh"
        while key not in self.towns:
            drawn = places.town(self.dice)
            plain = not drawn.name.startswith(("Le ", "La ", "Les ", "L'"))
            if plain and (fold(drawn.name)[0] in "aeiouh") == vowel:
                self.towns[key] = drawn
        return self.towns[key]

    def once(self, kind: str, text: str, make: Callable[[], str]) -> str:
        key = (kind, fold(text))
        if key not in self.others:
            self.others[key] = make()
        return self.others[key]


def is_initials(text: str) -> bool:
    return bool(_INITIALS.fullmatch(text)) and (
        "." in text or (len(text) < 3 and (text.isupper() or text.islower()))
    )
