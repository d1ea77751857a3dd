"""How people are written: in full, reversed, in capitals, by initials, misspelt."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Final

from dpdeid.labels import Label
from dpdeid.synth import names
from dpdeid.synth.dice import Dice
from dpdeid.synth.people import Person
from dpdeid.synth.pieces import Piece

Form = Callable[[Person, Dice], Iterator[Piece]]
_SPACE: Final = Piece(" ")


def _last(who: Person, text: str) -> Piece:
    return Piece(text, Label.LAST_NAME, who.role, who.key)


def _first(who: Person, text: str) -> Piece:
    return Piece(text, Label.FIRST_NAME, who.role, who.key)


def _cased(who: Person, dice: Dice) -> tuple[Piece, Piece]:
    last = who.last.upper() if dice.chance(45) else who.last
    first = who.first.upper() if last.isupper() and dice.chance(25) else who.first
    if dice.chance(6):
        first, last = first.capitalize(), last.capitalize()
    return _first(who, first), _last(who, last)


def _full(who: Person, dice: Dice) -> Iterator[Piece]:
    first, last = _cased(who, dice)
    yield from (first, _SPACE, last) if dice.chance(68) else (last, _SPACE, first)


def _forward(who: Person, dice: Dice) -> Iterator[Piece]:
    first, last = _cased(who, dice)
    yield from (first, _SPACE, last)


def _backward(who: Person, dice: Dice) -> Iterator[Piece]:
    yield from (_last(who, who.last.upper()), _SPACE, _first(who, who.first))


def _signed(who: Person, dice: Dice) -> Iterator[Piece]:
    """As under a letter: in full, with initials, or reversed."""
    drawn = dice.randbelow(10)
    short = names.initials(who.first) if dice.chance(80) else names.initials(who.first)[:-1]
    first, last = _cased(who, dice)
    if drawn < 5:
        yield from (first, _SPACE, last)
    elif drawn < 8:
        yield from (_first(who, short), _SPACE, last)
    else:
        yield from (_last(who, who.last.upper()), _SPACE, _first(who, short))


def _short(who: Person, dice: Dice) -> Iterator[Piece]:
    """Surname alone, mostly; sometimes with an initial or all of it."""
    drawn = dice.randbelow(20)
    if drawn < 12:
        yield _last(who, who.last)
    elif drawn < 15:
        yield _last(who, who.last.upper())
    elif drawn < 17:
        yield from (_first(who, names.initials(who.first)), _SPACE, _last(who, who.last))
    else:
        yield from _full(who, dice)


def _letters(who: Person, dice: Dice) -> Iterator[Piece]:
    """Initials of a whole name, as typists and hurried authors leave them."""
    a, b = who.first[0], who.last[0]
    form = dice.choice((f"{a}{b}", f"{a}.{b}.", f"{a}. {b}.", f"{a.lower()}{b.lower()}", f"{b}{a}"))
    yield _first(who, form)


def _first_and_letter(who: Person, dice: Dice) -> Iterator[Piece]:
    yield from (_first(who, who.first), _SPACE, _first(who, f"{who.last[0]}."))


def _nickname(who: Person, dice: Dice) -> Iterator[Piece]:
    name = names.nickname(dice, who.first)
    yield _first(who, name)._replace(who=f"{who.key}/{name.lower()}")


def _maiden(who: Person, dice: Dice) -> Iterator[Piece]:
    name = who.maiden or names.surname(dice, who.origin)
    piece = _last(who, name.upper() if dice.chance(60) else name)
    yield piece._replace(who=f"{who.key}/{name.lower()}")


def _misspelt(who: Person, dice: Dice) -> Iterator[Piece]:
    yield _last(who, typo(who.last, dice))


def _title(who: Person, dice: Dice) -> Iterator[Piece]:
    him = ("Monsieur", "Monsieur", "M.", "M.", "Mr", "M", "Mr.", "MR", "mr")
    her = ("Madame", "Madame", "Mme", "Mme", "Mme", "MME", "Mlle", "mme", "Mme.")
    yield Piece(dice.choice(her if who.female else him))


def _kin(who: Person, dice: Dice) -> Iterator[Piece]:
    yield Piece(who.kin, Label.KINSHIP)


def _his(who: Person, dice: Dice) -> Iterator[Piece]:
    noun = who.kin[0]
    yield Piece("sa" if who.female and noun not in "aeéiou" else "son")


def _the(who: Person, dice: Dice) -> Iterator[Piece]:
    yield Piece("l'" if who.kin[0] in "aeéoiu" else "la " if who.female else "le ")


FORMS: Final[dict[str, Form]] = {
    "first": lambda who, dice: iter((_first(who, who.first),)),
    "FIRST": lambda who, dice: iter((_first(who, who.first.upper()),)),
    "last": lambda who, dice: iter((_last(who, who.last),)),
    "LAST": lambda who, dice: iter((_last(who, who.last.upper()),)),
    "low": lambda who, dice: iter((_first(who, who.first.lower()),)),
    "lastlow": lambda who, dice: iter((_last(who, who.last.lower()),)),
    "initials": lambda who, dice: iter((_first(who, names.initials(who.first)),)),
    "he": lambda who, dice: iter((Piece("elle" if who.female else "il"),)),
    "He": lambda who, dice: iter((Piece("Elle" if who.female else "Il"),)),
    "e": lambda who, dice: iter((Piece("e" if who.female else ""),)),
    "full": _full,
    "forward": _forward,
    "FULL": _backward,
    "signed": _signed,
    "short": _short,
    "letters": _letters,
    "firstl": _first_and_letter,
    "nick": _nickname,
    "maiden": _maiden,
    "typo": _misspelt,
    "M": _title,
    "kin": _kin,
    "his": _his,
    "the": _the,
    "new": lambda who, dice: iter(()),
}
"""What may follow the dot in a slot such as {s1.full}."""


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
            other = {
                "i": "y",
                "y": "i",
                "s": "z",
                "c": "k",
                "k": "c",
                "e": "a",
                "o": "au",
                "t": "th",
            }
            return name[:at] + other.get(name[at], "e") + name[at + 1 :]
