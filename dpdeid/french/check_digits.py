"""Check digits of identifiers: what a number must end in, and whether it does.

`…_digit`, `…_digits` and `…_key` give the check digits of bare characters (no separators; see
`compact`). The others are true when those of a whole number agree, and false for a wrong length or
alphabet. A true one is strong evidence where no trigger word stands beside the number; a false one
is none against it, since typists err.
"""

from __future__ import annotations

import re
from string import ascii_uppercase
from typing import Final

_MARKS: Final = re.compile(r"[^0-9A-Za-z]+")
_IBAN: Final = re.compile(r"[A-Z]{2}[0-9]{2}[0-9A-Z]{11,30}")
_DOUBLED: Final = str.maketrans("0123456789", "0246813579")
"""The digits of twice each digit, added up."""
_RIB: Final = dict(zip(ascii_uppercase, [*range(1, 10), *range(1, 10), *range(2, 10)], strict=True))
_TURN: Final = (1, 5, 7, 6, 2, 8, 3, 0, 9, 4)


def compact(text: str) -> str:
    """The letters and digits of a number, upper case: "1 85-01" → "18501"."""
    return _MARKS.sub("", text).upper()


def _digits(number: str, *lengths: int) -> bool:
    return number.isascii() and number.isdigit() and (not lengths or len(number) in lengths)


def luhn_digit(digits: str) -> str:
    """The digit that makes `digits` + it pass the Luhn test (RPPS, FINESS, SIREN, bank cards).

    >>> luhn_digit("7992739871")
    '3'
    """
    doubled = digits[::-2].translate(_DOUBLED)
    return str(-(sum(map(int, digits[-2::-2])) + sum(map(int, doubled))) % 10)


def luhn(number: str) -> bool:
    """Whether the last digit is the Luhn digit of the others: RPPS, SIREN, SIRET, FINESS."""
    return _digits(number) and luhn_digit(number[:-1]) == number[-1]


def ean_digit(digits: str) -> str:
    """The 13th digit of an EAN-13 number (Swiss AVS and GLN).

    >>> ean_digit("756921707698")
    '5'
    """
    odd, even = sum(map(int, digits[::2])), sum(map(int, digits[1::2]))
    return str(-(odd + 3 * even) % 10)


def ean13(number: str) -> bool:
    """Thirteen digits with an EAN check digit: the Swiss AVS number, GLN."""
    return _digits(number, 13) and ean_digit(number[:12]) == number[12]


def avs(number: str) -> bool:
    """A Swiss social security number: 13 digits from 756, EAN check digit."""
    return number.startswith("756") and ean13(number)


def nir_key(number: str) -> str:
    """The two-digit key of a 13-character French NIR, 97 − n mod 97; 2A and 2B count as 19 and 18.

    >>> nir_key("2951099126111")
    '93'
    """
    plain = number.replace("2A", "19", 1).replace("2B", "18", 1)
    return f"{97 - int(plain) % 97:02d}"


def nir_form(number: str) -> bool:
    """A French NIR of 13 or 15 characters, by its form: sex, month, department.

    Months 20 and 30 to 42 and 50 to 99 stand for unknown ones; letters are Corsica's 2A and 2B.
    """
    if len(number) not in (13, 15) or number[0] not in "123478":
        return False
    if number[5:7] in ("2A", "2B"):
        number = f"{number[:5]}19{number[7:]}"
    if not _digits(number):
        return False
    month = int(number[3:5])
    return (1 <= month <= 12 or month == 20 or 30 <= month <= 42 or month >= 50) and (
        number[5:7] != "00"
    )


def nir(number: str) -> bool:
    """A French NIR of 15 characters that ends in its key."""
    return len(number) == 15 and nir_form(number) and nir_key(number[:13]) == number[13:]


def niss_key(number: str, born_after_1999: bool) -> str:
    """The two-digit key of a 9-digit Belgian national number.

    >>> niss_key("850730033", False)
    '28'
    """
    return f"{97 - int('2' * born_after_1999 + number) % 97:02d}"


def niss(number: str) -> bool:
    """A Belgian national number: 11 digits, with the key of either century."""
    return _digits(number, 11) and number[9:] in [niss_key(number[:9], c) for c in (False, True)]


def _times(a: int, b: int) -> int:
    """The product of two symmetries of the pentagon: 0–4 turn it, 5–9 mirror it."""
    mirrored = (a >= 5) != (b >= 5)
    turned = (a + b if a < 5 else a - b) % 5
    return turned + 5 if mirrored else turned


def verhoeff(number: str) -> bool:
    """Verhoeff's sum over any run of digits (the last one is the check digit)."""
    if not _digits(number):
        return False
    total = 0
    for place, character in enumerate(reversed(number)):
        digit = int(character)
        for _ in range(place % 8):
            digit = _TURN[digit]
        total = _times(total, digit)
    return total == 0


def verhoeff_digit(digits: str) -> str:
    """The digit that makes `digits` + it pass Verhoeff's test.

    >>> verhoeff_digit("236")
    '3'
    """
    return next(str(d) for d in range(10) if verhoeff(f"{digits}{d}"))


def matricule(number: str) -> bool:
    """A Luxembourg number: 13 digits from a date, a Luhn digit and a Verhoeff digit."""
    if not (_digits(number, 13) and number[:2] in ("18", "19", "20")):
        return False
    if not ("01" <= number[4:6] <= "12" and "01" <= number[6:8] <= "31"):
        return False
    return luhn(number[:12]) and verhoeff(number[:11] + number[12])


def iban_digits(country: str, account: str) -> str:
    """The two check digits of an IBAN (ISO 7064, mod 97-10).

    >>> iban_digits("BE", "539007547034")
    '68'
    """
    number = "".join(str(int(c, 36)) for c in f"{account}{country}00")
    return f"{98 - int(number) % 97:02d}"


def iban(number: str) -> bool:
    """An account number of 15 to 34 characters with its check digits (ISO 13616)."""
    return bool(_IBAN.fullmatch(number)) and iban_digits(number[:2], number[4:]) == number[2:4]


def rib_key(account: str) -> str:
    """The two-digit key of a 21-character French bank account (bank, branch, account).

    >>> rib_key("200410100505000" "13M026")
    '06'
    """
    values = "".join(c if c.isdigit() else str(_RIB[c]) for c in account)
    bank, branch, number = int(values[:5]), int(values[5:10]), int(values[10:])
    return f"{97 - (89 * bank + 15 * branch + 3 * number) % 97:02d}"
