"""Numbers of companies, accounts and vehicles: drawn anew, with valid check digits."""

from __future__ import annotations

import re
from typing import Final

from dpdeid.gazetteers import Place
from dpdeid.privacy.rng import Stream
from dpdeid.substitute.checks import iban_digits, luhn_digit, rib_key
from dpdeid.substitute.shapes import listed, redraw

_CANTONS: Final = listed(
    "AG AI AR BE BL BS FR GE GL GR JU LU NE NW OW SG SH SO SZ TG TI UR VD VS ZG ZH"
)
_SWISS_PLATE: Final = re.compile(rf"(?:{'|'.join(_CANTONS)})\d{{3,6}}")
_IBAN: Final = re.compile(r"[A-Z]{2}\d\d[A-Z0-9]{11,30}")
_RIB: Final = re.compile(r"\d{10}[A-Z0-9]{11}\d\d")
_BELGIAN_BANKS: Final = range(220, 500)
"""The longest run of bank codes that are all in use (National Bank of Belgium)."""


def is_iban(code: str) -> bool:
    """Whether a canonical code has the form and the check digits of an IBAN."""
    return _IBAN.fullmatch(code) is not None and iban_digits(code[:2], code[4:]) == code[2:4]


def is_rib(code: str) -> bool:
    """Whether a canonical code is a French bank account with its key."""
    return _RIB.fullmatch(code) is not None and rib_key(code[:21]) == code[21:]


def is_swiss_plate(code: str) -> bool:
    """Whether a canonical code has the form of a Swiss number plate."""
    return _SWISS_PLATE.fullmatch(code) is not None


def luhn(code: str, stream: Stream) -> str:
    """As many digits as `code`, the last one the Luhn digit of the others."""
    number = redraw(code[:-1], stream)
    return number + luhn_digit(number)


def siret(code: str, stream: Stream) -> str:
    """A SIRET: a SIREN with its own Luhn digit, an establishment, and the Luhn digit of all."""
    number = luhn(code[:9], stream) + redraw(code[9:13], stream)
    return number + luhn_digit(number)


def iban(code: str, stream: Stream) -> str:
    """An IBAN of the same country; French and Belgian accounts have their own key too."""
    country, account = code[:2], redraw(code[4:], stream)
    if country == "FR" and len(account) == 23:
        account = account[:21] + rib_key(account[:21])
    elif country == "BE" and account.isdecimal() and len(account) == 12:
        account = f"{_BELGIAN_BANKS.start + stream.randbelow(len(_BELGIAN_BANKS))}{account[3:10]}"
        account += f"{int(account) % 97 or 97:02d}"
    return country + iban_digits(country, account) + account


def rib(code: str, stream: Stream) -> str:
    """A French bank account: bank, branch, account, key."""
    account = redraw(code[:21], stream)
    return account + rib_key(account)


def swiss_plate(code: str, stream: Stream, place: Place | None) -> str:
    """A plate of the canton of the surrogate place, else of any, with as many digits."""
    swiss = place is not None and place.country == "CH" and place.department in _CANTONS
    canton = place.department if place and swiss else stream.choice(_CANTONS)
    return canton + redraw(code[2:], stream)
