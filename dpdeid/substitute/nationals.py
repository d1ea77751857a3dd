"""Social security and caregiver numbers: drawn anew in their fields, with valid check digits.

A French NIR spells sex, birth month and department, a Belgian national number the whole birth date,
a FINESS number the department. These fields come from surrogates drawn earlier, or are drawn here;
the sex digit is kept, as surrogate names keep their gender.
"""

from __future__ import annotations

import datetime as dt
import re
from typing import Final

from dpdeid.gazetteers import Place
from dpdeid.privacy.rng import Stream
from dpdeid.substitute.checks import ean_digit, luhn_digit, nir_key, niss_key

_NIR: Final = re.compile(r"[1-478]\d{4}(?:\d\d|2[AB])\d{6}(?:\d\d)?")

_DEPARTMENTS: Final = tuple(f"{n:02d}" for n in range(1, 96) if n != 20)
_ABROAD: Final = "99"


def is_nir(code: str) -> bool:
    """Whether a canonical code has the form of a NIR, without or with its key."""
    return _NIR.fullmatch(code) is not None


def has_nir_key(code: str) -> bool:
    """Whether a code of the form of a NIR ends in its own key."""
    return len(code) == 15 and is_nir(code) and nir_key(code[:13]) == code[13:]


def nir(code: str, stream: Stream, birth: dt.date | None, place: Place | None) -> str:
    """A NIR with its key: sex of `code`, month and place given or drawn."""
    department = _ABROAD if code[5:7] == _ABROAD else _department(stream, place)
    commune = 1 + stream.randbelow(89 if len(department) == 3 else 299)
    if department == _ABROAD:
        commune += 100
    number = (
        f"{code[0]}{_month(stream, birth)}{department}"
        f"{commune:0{5 - len(department)}d}{1 + stream.randbelow(998):03d}"
    )
    return number + nir_key(number)


def niss(code: str, stream: Stream, birth: dt.date | None) -> str:
    """11 digits of a Belgian national number whose serial is odd or even as that of `code`."""
    day = birth or dt.date(1920, 1, 1) + dt.timedelta(stream.randbelow(36_000))
    serial = 1 + 2 * stream.randbelow(498) + (int(code[8]) + 1) % 2
    number = f"{day:%y%m%d}{serial:03d}"
    return number + niss_key(number, day.year >= 2000)


def avs(stream: Stream) -> str:
    """13 digits of a Swiss AVS number."""
    return _ean("756", stream)


def gln(stream: Stream) -> str:
    """13 digits of a Swiss caregiver's location number."""
    return _ean("7601", stream)


def rpps(stream: Stream) -> str:
    """11 digits of a French caregiver's number."""
    number = f"10{stream.randbelow(10**8):08d}"
    return number + luhn_digit(number)


def finess(stream: Stream, place: Place | None) -> str:
    """9 digits of a French place of care (or ADELI number) in the department of `place`."""
    department = _department(stream, place).replace("2A", "20").replace("2B", "20")
    number = f"{department}{stream.randbelow(10 ** (8 - len(department))):0{8 - len(department)}d}"
    return number + luhn_digit(number)


def inami(stream: Stream) -> str:
    """11 digits of a Belgian caregiver's number; the two after the sixth are its check."""
    number = 100_000 + stream.randbelow(100_000)
    return f"{number}{97 - number % 97:02d}{stream.randbelow(1000):03d}"


def _ean(prefix: str, stream: Stream) -> str:
    free = 12 - len(prefix)
    number = f"{prefix}{stream.randbelow(10**free):0{free}d}"
    return number + ean_digit(number)


def _month(stream: Stream, birth: dt.date | None) -> str:
    if birth is not None:
        return f"{birth:%y%m}"
    return f"{(1930 + stream.randbelow(80)) % 100:02d}{1 + stream.randbelow(12):02d}"


def _department(stream: Stream, place: Place | None) -> str:
    if place is not None and place.country == "FR" and place.department:
        return place.department
    return stream.choice(_DEPARTMENTS)
