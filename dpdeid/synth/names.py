"""First names and surnames: by birth year, sex and origin; common, rare, and in no list at all."""

from __future__ import annotations

import re
from functools import cache
from typing import Final

from dpdeid import gazetteers
from dpdeid.labels import Sex
from dpdeid.normalize import fold
from dpdeid.synth.dice import Dice
from dpdeid.synth.grammar import lines

ORIGINS: Final = ("maghreb", "afrique", "asie", "est", "iberique", "iles", "breton")
RARE_PERCENT: Final = 15
"""Surnames that fewer people bear than the 30,000 most frequent ones."""
OUTSIDE_PERCENT: Final = 12
"""Surnames that are in no list of names or words."""
_DECADES: Final = (1920, 1945, 1965, 1985, 2005)
_SOUNDS: Final = dict(zip("iysckeot", ["y", "i", "z", "k", "c", "a", "au", "th"], strict=True))
"""What a typist writes for a letter."""
_PART: Final = re.compile(r"[^aeiouyé]*[aeiouyé]+(?:[^aeiouyé](?![aeiouyé]))?", re.IGNORECASE)
_WORD: Final = re.compile(r"[^\W\d_]+")


@cache
def listed(name: str) -> tuple[str, ...]:
    """The names of a comma-separated list of names.txt."""
    return tuple(part.strip() for line in lines(name) for part in line.split(",") if part.strip())


@cache
def _known(name: str) -> tuple[str, ...]:
    """The surnames of a list that are among the 30,000 most frequent: the others are rare ones."""
    ranks, most = gazetteers.surnames(), len(gazetteers.surname_list())
    return tuple(n for n in listed(name) if ranks.get(fold(n), most) < most)


@cache
def _rare() -> tuple[str, ...]:
    ranks, most = gazetteers.surnames(), len(gazetteers.surname_list())
    return tuple(n for n in ranks if len(n) > 3 and ranks[n] >= most)[::3]


@cache
def _long() -> tuple[str, ...]:
    return tuple(n for n in gazetteers.surname_list() if n.isalpha() and len(n) > 4)


def surname(dice: Dice, origin: str = "") -> str:
    """A surname: 15 % rare, 12 % outside every list, else by rank or of the origin's list."""
    drawn = dice.randbelow(100)
    if drawn < RARE_PERCENT:
        return _WORD.sub(lambda word: word[0].capitalize(), dice.choice(_rare()))
    if drawn < RARE_PERCENT + OUTSIDE_PERCENT:
        return outside(dice)
    if origin and (own := _known(f"last.{origin}")):
        return dice.choice(own)
    if dice.chance(18):
        return dice.choice(_known("last.double"))
    return gazetteers.surname_list()[dice.by_rank(len(gazetteers.surname_list()))]


def outside(dice: Dice) -> str:
    """A surname that sounds like one and is in no list of names, words or places."""
    while True:
        first, last = (_PART.findall(dice.choice(_long())) for _ in range(2))
        if len(first) < 2 or len(last) < 2:
            continue
        name = "".join(first[: dice.between(1, 2)] + last[-dice.between(1, 2) :]).capitalize()
        if dice.chance(8):
            name = dice.choice(("Le ", "Ker", "Van ", "De ", "Ben ", "Mac", "O'")) + name
        if 4 <= len(name) <= 13 and not _is_listed(name):
            return name


def _is_listed(name: str) -> bool:
    key = fold(name)
    words = {key, key.replace(" ", "")}
    return any(w in gazetteers.surnames() or w in gazetteers.words() for w in words) or (
        key in gazetteers.first_names()
    )


def first_name(dice: Dice, sex: Sex, born: int, origin: str = "") -> str:
    """A first name of that sex, usual in that year of birth or of that origin."""
    if origin in ORIGINS and dice.chance(75):
        return dice.choice(listed(f"first.{sex.value}.{origin}"))
    if dice.chance(25):
        usual = gazetteers.first_name_list(sex)
        return usual[dice.by_rank(len(usual))]
    decade = max((d for d in _DECADES if d <= born), default=_DECADES[0])
    if dice.chance(15):
        decade = dice.choice(_DECADES)
    return dice.choice(listed(f"first.{sex.value}.{decade}"))


def nickname(dice: Dice, first: str) -> str:
    """What friends make of a first name."""
    head = re.split(r"[- ]", first)[0]
    short = head[: dice.between(3, 4)] if len(head) > 4 else head
    return dice.choice((short, short, f"{short}o", f"{head[:2]}{head[:2].lower()}", f"{short}y"))


def initials(first: str) -> str:
    """ "Jean-Luc" → "J.-L.", "Paul" → "P."."""
    return "-".join(f"{part[0]}." for part in re.split(r"[- ]", first) if part)


def typo(name: str, dice: Dice) -> str:
    """The name as somebody in a hurry writes it: a letter doubled, lost, swapped or other."""
    if len(name) < 4:
        return name + name[-1]
    at = dice.between(1, len(name) - 2)
    match dice.randbelow(4):
        case 0:
            return name[:at] + name[at] + name[at:]
        case 1:
            return name[:at] + name[at + 1 :]
        case 2:
            return name[:at] + name[at + 1] + name[at] + name[at + 2 :]
        case _:
            return name[:at] + _SOUNDS.get(name[at], "e") + name[at + 1 :]
