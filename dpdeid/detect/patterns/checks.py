"""Control digits of the numbers that have them: true when the digits agree.

Every function takes the bare characters (no separators; see `compact`) and answers False for a
wrong length or alphabet. A True is strong evidence where no trigger word stands beside the number;
a False is not evidence against it, since typists err.
"""

from __future__ import annotations

import re
from typing import Final

_MARKS: Final = re.compile(r"[^0-9A-Za-z]+")


def compact(text: str) -> str:
    """The letters and digits of a number, upper case: "1 85-01" → "18501"."""
    return _MARKS.sub("", text).upper()


def _digits(number: str, *lengths: int) -> bool:
    return len(number) in lengths and number.isascii() and number.isdigit()


_DOUBLED: Final = str.maketrans("0123456789", "0246813579")
"""The digits of twice each digit, added up."""


def luhn(number: str) -> bool:
    """Luhn's sum over any run of digits: RPPS, SIREN, SIRET, FINESS without Corsican letters."""
    if not (number.isascii() and number.isdigit()):
        return False
    doubled = number[-2::-2].translate(_DOUBLED)
    return (sum(map(int, number[-1::-2])) + sum(map(int, doubled))) % 10 == 0


def ean13(number: str) -> bool:
    """Thirteen digits with an EAN check digit: the Swiss AVS number, GLN."""
    if not _digits(number, 13):
        return False
    return (sum(map(int, number[::2])) + 3 * sum(map(int, number[1::2]))) % 10 == 0


def nir_form(number: str) -> bool:
    """A French NIR of 13 or 15 characters, by its form: sex, month, department.

    Months 20 and 30 to 42 and 50 to 99 stand for unknown ones; letters are Corsica's 2A and 2B.
    """
    if len(number) not in (13, 15) or number[0] not in "123478":
        return False
    if number[5:7] in ("2A", "2B"):
        number = f"{number[:5]}19{number[7:]}"
    if not _digits(number, 13, 15):
        return False
    month = int(number[3:5])
    return (1 <= month <= 12 or month == 20 or 30 <= month <= 42 or month >= 50) and (
        number[5:7] != "00"
    )


def nir_key(number: str) -> bool:
    """A French NIR of 15 characters whose key is 97 − n mod 97 (2A counts as 19, 2B as 18)."""
    if len(number) != 15 or not nir_form(number):
        return False
    body = number[:13].replace("2A", "19").replace("2B", "18")
    return 97 - int(body) % 97 == int(number[13:])


def avs(number: str) -> bool:
    """A Swiss social security number: 13 digits from 756, EAN check digit."""
    return number.startswith("756") and ean13(number)


def niss(number: str) -> bool:
    """A Belgian national number: 11 digits, 97 − n mod 97; from 2000 on a 2 stands before."""
    if not _digits(number, 11):
        return False
    body, key = number[:9], int(number[9:])
    return key in (97 - int(body) % 97, 97 - int("2" + body) % 97)


_TURN: Final = (1, 5, 7, 6, 2, 8, 3, 0, 9, 4)


def _times(a: int, b: int) -> int:
    """The product of two symmetries of the pentagon: 0–4 turn it, 5–9 mirror it."""
    mirrored = (a >= 5) != (b >= 5)
    turned = (a + b if a < 5 else a - b) % 5
    return turned + 5 if mirrored else turned


def verhoeff(number: str) -> bool:
    """Verhoeff's sum over any run of digits (the last one is the check digit)."""
    if not (number.isascii() and number.isdigit()):
        return False
    total = 0
    for place, character in enumerate(reversed(number)):
        digit = int(character)
        for _ in range(place % 8):
            digit = _TURN[digit]
        total = _times(total, digit)
    return total == 0


def matricule(number: str) -> bool:
    """A Luxembourg number: 13 digits from a date, a Luhn digit and a Verhoeff digit."""
    if not (_digits(number, 13) and number[:2] in ("18", "19", "20")):
        return False
    if not ("01" <= number[4:6] <= "12" and "01" <= number[6:8] <= "31"):
        return False
    return luhn(number[:12]) and verhoeff(number[:11] + number[12])


def iban(number: str) -> bool:
    """An account number of 15 to 34 characters whose remainder by 97 is 1 (ISO 13616)."""
    if not re.fullmatch(r"[A-Z]{2}[0-9]{2}[0-9A-Z]{11,30}", number):
        return False
    return int("".join(str(int(c, 36)) for c in number[4:] + number[:4])) % 97 == 1
