"""Check digits of identifiers: what a surrogate number must end in to be a well-formed one."""

from __future__ import annotations

from string import ascii_uppercase
from typing import Final


def luhn_digit(digits: str) -> str:
    """The digit that makes `digits` + it pass the Luhn test (RPPS, FINESS, SIREN, bank cards).

    >>> luhn_digit("7992739871")
    '3'
    """
    total = 0
    for place, digit in enumerate(reversed(digits)):
        value = int(digit) * (2 - place % 2)
        total += value - 9 if value > 9 else value
    return str(-total % 10)


def passes_luhn(digits: str) -> bool:
    """Whether the last digit is the Luhn digit of the others."""
    return len(digits) > 1 and luhn_digit(digits[:-1]) == digits[-1]


def ean_digit(digits: str) -> str:
    """The 13th digit of an EAN-13 number (Swiss AVS and GLN).

    >>> ean_digit("756921707698")
    '5'
    """
    odd, even = sum(map(int, digits[::2])), sum(map(int, digits[1::2]))
    return str(-(odd + 3 * even) % 10)


def nir_key(number: str) -> str:
    """The two-digit key of a 13-character French NIR, 97 − n mod 97; 2A and 2B count as 19 and 18.

    >>> nir_key("2951099126111")
    '93'
    """
    plain = number.replace("2A", "19", 1).replace("2B", "18", 1)
    return f"{97 - int(plain) % 97:02d}"


def niss_key(number: str, born_after_1999: bool) -> str:
    """The two-digit key of a 9-digit Belgian national number.

    >>> niss_key("850730033", False)
    '28'
    """
    return f"{97 - int('2' * born_after_1999 + number) % 97:02d}"


def iban_digits(country: str, account: str) -> str:
    """The two check digits of an IBAN (ISO 7064, mod 97-10).

    >>> iban_digits("BE", "539007547034")
    '68'
    """
    number = "".join(str(int(c, 36)) for c in f"{account}{country}00")
    return f"{98 - int(number) % 97:02d}"


def rib_key(account: str) -> str:
    """The two-digit key of a 21-character French bank account (bank, branch, account).

    >>> rib_key("200410100505000" "13M026")
    '06'
    """
    values = "".join(c if c.isdigit() else str(_RIB[c]) for c in account)
    bank, branch, number = int(values[:5]), int(values[5:10]), int(values[10:])
    return f"{97 - (89 * bank + 15 * branch + 3 * number) % 97:02d}"


_RIB: Final = dict(zip(ascii_uppercase, [*range(1, 10), *range(1, 10), *range(2, 10)], strict=True))
