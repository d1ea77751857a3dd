"""Telephone numbers of every country that notes come from, in the forms people write."""

from __future__ import annotations

from typing import Final

from dpdeid.substitute.numerals import spell
from dpdeid.synth.dice import Dice

_REGION: Final = {
    "11": "1", "24": "2", "27": "3", "28": "2", "32": "3", "44": "3", "52": "2", "53": "2",
    "75": "5", "76": "5", "84": "4", "93": "4", "94": "4",
}  # fmt: skip
_SEAS: Final = {"971": "590", "972": "596", "973": "594", "974": "262", "976": "269"}
_MOBILE: Final = {"971": "690", "972": "696", "973": "694", "974": "692", "976": "639"}


def phone(dice: Dice, country: str, department: str, region: str, mobile: bool) -> str:
    """A telephone number of that place in one of the usual forms."""
    if country == "CH":
        return _swiss(dice, mobile)
    if country == "BE":
        return _belgian(dice, mobile)
    if country == "LU":
        return dice.choice(
            (
                f"{dice.digits(2)} {dice.digits(2)} {dice.digits(2)}",
                f"+352 621 {dice.digits(3)} {dice.digits(3)}",
                f"26 {dice.digits(2)} {dice.digits(2)} {dice.digits(2)}",
            )
        )
    if country == "CA":
        area = dice.choice(("514", "418", "450", "819", "581"))
        return dice.choice(
            (
                f"{area} {dice.digits(3)}-{dice.digits(4)}",
                f"({area}) {dice.digits(3)}-{dice.digits(4)}",
                f"{area}-{dice.digits(3)}-{dice.digits(4)}",
            )
        )
    if department in ("987", "988"):
        return _grouped(dice.choice(("4", "7", "8")) + dice.digits(5), dice.choice(" ."))
    if department in _SEAS:
        head = (_MOBILE if mobile else _SEAS)[department]
        number = "0" + head + dice.digits(6)
        if dice.chance(15):
            return f"+{_SEAS[department]} {head} {_grouped(number[4:], ' ')}"
        if dice.chance(30):
            return f"{number[:4]} {_grouped(number[4:], ' ')}"
    else:
        head = dice.choice("667") if mobile else _REGION.get(region, "1")
        number = f"0{head}{dice.digits(8)}"
    return _french(dice, number)


def _french(dice: Dice, number: str) -> str:
    form = dice.randbelow(40)
    if form < 17:
        return _grouped(number, " ")
    if form < 23:
        return _grouped(number, ".")
    if form < 30:
        return number
    if form < 33:
        return _grouped(number, "-")
    if form < 35:
        return f"{number[:4]} {_grouped(number[4:], ' ')}"
    if form < 36:
        return _grouped(number, "/")
    head = dice.choice(("+33 ", "+33", "0033 ", "+33 (0)"))
    return head + number[1] + dice.choice((" " + _grouped(number[2:], " "), number[2:]))


def extension(dice: Dice) -> str:
    """The number of an extension, pager or DECT."""
    return dice.choice(
        (
            dice.digits(4),
            dice.digits(5),
            f"{dice.digits(2)} {dice.digits(2)}",
            f"{dice.digits(1)} {dice.digits(2)} {dice.digits(2)}",
        )
    )


def in_words(dice: Dice) -> str:
    """A mobile number as dictated: "zéro six douze trente-quatre …", some pairs in digits."""
    pairs = [dice.between(0, 99) for _ in range(4)]
    said = [spell(pair) if dice.chance(80) else f"{pair:02}" for pair in pairs]
    return " ".join((dice.choice(("zéro six", "zéro sept", "06", "zéro 6")), *said))


def _swiss(dice: Dice, mobile: bool) -> str:
    area = (
        dice.choice(("76", "77", "78", "79"))
        if mobile
        else dice.choice(("21", "22", "24", "26", "27", "32"))
    )
    rest = dice.digits(7)
    tail = f"{rest[:3]} {rest[3:5]} {rest[5:]}"
    return dice.choice(
        (
            f"0{area} {tail}",
            f"0{area} {tail}",
            f"+41 {area} {tail}",
            f"0{area}{rest}",
            f"0{area}/{tail.replace(' ', '.')}",
            f"+41 (0){area} {tail}",
        )
    )


def _belgian(dice: Dice, mobile: bool) -> str:
    if mobile:
        rest = dice.digits(6)
        area = "4" + dice.choice(("70", "71", "75", "76", "85", "86", "94", "97"))
        return dice.choice(
            (
                f"0{area} {_grouped(rest, ' ')}",
                f"0{area}/{_grouped(rest, '.')}",
                f"+32 {area} {_grouped(rest, ' ')}",
                f"0{area}{rest}",
            )
        )
    area = dice.choice(("2", "4"))
    rest = dice.digits(7)
    tail = f"{rest[:3]} {rest[3:5]} {rest[5:]}"
    return dice.choice(
        (
            f"0{area} {tail}",
            f"0{area}/{tail.replace(' ', '.')}",
            f"+32 {area} {tail}",
            f"0{dice.choice(('65', '71', '81', '87'))}/{rest[:2]}.{rest[2:4]}.{rest[4:6]}",
        )
    )


def _grouped(digits: str, sign: str) -> str:
    return sign.join(digits[at : at + 2] for at in range(0, len(digits), 2))
