"""The kinds of numbers that identify, how one is told by its form, and how one is drawn.

What writes a code takes what is `kept` of the original, which holds no digit but a sex and a
country, of a NIR the list of the department of birth, a released birth and a released area: no
other can show in it.
"""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Callable, Mapping, Sequence
from operator import itemgetter
from typing import Final, NamedTuple

from dpdeid.document import Mention
from dpdeid.french import check_digits, numerals
from dpdeid.french.check_digits import (
    ean_digit,
    iban_digits,
    luhn,
    luhn_digit,
    nir_key,
    niss_key,
    rib_key,
    verhoeff_digit,
)
from dpdeid.gazetteers import place_list_name
from dpdeid.labels import Label
from dpdeid.privacy.rng import Stream
from dpdeid.substitute.places.localities import largest_of
from dpdeid.substitute.pseudonyms import canonical, listed, redraw

NIR: Final = 13
"""Characters of a NIR without its key."""
KEY: Final = re.compile(r"(\bcl[ée]\b)", re.IGNORECASE)
_NISS: Final = re.compile(r"\d\d(?:0\d|1[012])(?:[0-2]\d|3[01])\d{5}")
_MATRICULE: Final = re.compile(r"(?:18|19|20)\d\d(?:0\d|1[012])(?:[0-2]\d|3[01])\d{5}")
_IBAN: Final = re.compile(r"FR\d{12}[A-Z\d]{11}\d\d|BE\d{14}|(?:CH\d{7}|LU\d{5})[A-Z\d]{11,13}")
_CORSICAN: Final = re.compile(r"2[AB]\d{7}")
_INAMI: Final = re.compile(r"\d-\d{5}-\d\d-\d{3}")


NIR_FORM: Final = re.compile(r"[1-478]\d{4}(?:\d\d|2[AB])\d{6}(?:\d\d)?")

_DEPARTMENTS: Final = tuple(f"{n:02d}" for n in range(1, 96) if n != 20)
ABROAD: Final = "99"


def nir_kept(code: str) -> str:
    """What the surrogate of a NIR keeps: the sex, and the list of the department of birth.

    >>> nir_kept("2850578006084"), nir_kept("1800299131084"), nir_kept("1800297209084")
    ('2FR', '199', '1972')
    """
    return code[0] + birth_list(code[5:8])


def birth_list(department: str) -> str:
    """The list that the department of birth of a NIR belongs to ("FR", Corsica's "20", "974"), 99
    for all that is abroad; of three characters where it begins with 97 or 98.
    """
    code = department if department.startswith(("97", "98")) else department[:2]
    if code in ("20", "2A", "2B"):
        return "20"
    town = largest_of("department", code)
    if town is not None and town.country == "FR":
        return place_list_name(town)
    return "971" if len(code) == 3 else ABROAD if code >= "96" else "FR"


def nir(kept: str, stream: Stream, birth: dt.date | None, area: str | None) -> str:
    """A NIR with its key, of the sex and list that are kept; the month and a department of the list
    are drawn where none is given.
    """
    sex, listed = kept[0], kept[1:]
    own = {"FR": _DEPARTMENTS, "20": ("2A", "2B")}.get(listed, (listed,))
    fits = area is not None and birth_list(area) == listed
    department = area if area is not None and fits else stream.choice(own)
    commune = 1 + stream.randbelow(89 if len(department) == 3 else 299)
    if department == ABROAD:
        commune += 100
    number = (
        f"{sex}{_month(stream, birth)}{department}"
        f"{commune:0{5 - len(department)}d}{1 + stream.randbelow(998):03d}"
    )
    return number + nir_key(number)


def niss(sex: str, stream: Stream, birth: dt.date | None) -> str:
    """11 digits of a Belgian national number whose serial is odd or even as a sex is."""
    day = birth or dt.date(1920, 1, 1) + dt.timedelta(stream.randbelow(36_000))
    serial = 1 + 2 * stream.randbelow(498) + (int(sex) + 1) % 2
    number = f"{day:%y%m%d}{serial:03d}"
    return number + niss_key(number, day.year >= 2000)


def matricule(stream: Stream, birth: dt.date | None) -> str:
    """13 digits of a Luxembourg number: a birth, a serial, a Luhn and a Verhoeff digit."""
    day = birth or dt.date(1920, 1, 1) + dt.timedelta(stream.randbelow(36_000))
    number = f"{day:%Y%m%d}{stream.randbelow(1000):03d}"
    return number + luhn_digit(number) + verhoeff_digit(number)


def numbered(prefix: str, size: int, digit: Callable[[str], str], stream: Stream) -> str:
    """A number of `size` digits that begins with a prefix, and its check digit."""
    free = size - len(prefix)
    number = f"{prefix}{stream.randbelow(10**free):0{free}d}"
    return number + digit(number)


def finess(stream: Stream, area: str | None) -> str:
    """9 digits of a French institution in a department, else in any."""
    department = area or stream.choice(_DEPARTMENTS)
    return numbered(department.replace("2A", "20").replace("2B", "20"), 8, luhn_digit, stream)


def inami(stream: Stream) -> str:
    """11 digits of a Belgian caregiver's number; the two after the sixth are its check."""
    number = 100_000 + stream.randbelow(100_000)
    return f"{number}{97 - number % 97:02d}{stream.randbelow(1000):03d}"


def _month(stream: Stream, birth: dt.date | None) -> str:
    if birth is not None:
        return f"{birth:%y%m}"
    return f"{(1930 + stream.randbelow(80)) % 100:02d}{1 + stream.randbelow(12):02d}"


_CANTONS: Final = listed(
    "AG AI AR BE BL BS FR GE GL GR JU LU NE NW OW SG SH SO SZ TG TI UR VD VS ZG ZH"
)
_MISREAD: Final = re.compile(r"[\dOolI\W]*\d[\dOolI\W]*\d[\dOolI\W]*")
"""A number in which a scanner may have read letters, and nothing else."""
_SWISS_PLATE: Final = re.compile(rf"(?:{'|'.join(_CANTONS)})\d{{3,6}}")
_RIB: Final = re.compile(r"\d{10}[A-Z0-9]{11}\d\d")
_BELGIAN_BANKS: Final = range(220, 500)
"""The longest run of bank codes that are all in use (National Bank of Belgium)."""


def is_rib(code: str) -> bool:
    """Whether a canonical code is a French bank account with its key."""
    return _RIB.fullmatch(code) is not None and rib_key(code[:21]) == code[21:]


def is_swiss_plate(code: str) -> bool:
    """Whether a canonical code has the form of a Swiss number plate."""
    return _SWISS_PLATE.fullmatch(code) is not None


def with_luhn(shape: str, stream: Stream) -> str:
    """As many digits as a shape has, the last one the Luhn digit of the others."""
    number = redraw(shape[:-1], stream)
    return number + luhn_digit(number)


def siret(shape: str, stream: Stream) -> str:
    """A SIRET: a SIREN with its own Luhn digit, an establishment, and the Luhn digit of all."""
    number = with_luhn(shape[:9], stream) + redraw(shape[9:13], stream)
    return number + luhn_digit(number)


def iban(shape: str, stream: Stream) -> str:
    """An IBAN of the country; French and Belgian accounts have their own key too."""
    country, account = shape[:2], redraw(shape[4:], stream)
    if country == "FR" and len(account) == 23:
        account = account[:21] + rib_key(account[:21])
    elif country == "BE" and account.isdecimal() and len(account) == 12:
        account = f"{_BELGIAN_BANKS.start + stream.randbelow(len(_BELGIAN_BANKS))}{account[3:10]}"
        account += f"{int(account) % 97 or 97:02d}"
    return country + iban_digits(country, account) + account


def rib(shape: str, stream: Stream) -> str:
    """A French bank account: bank, branch, account, key."""
    account = redraw(shape[:21], stream)
    return account + rib_key(account)


def swiss_plate(shape: str, stream: Stream, area: str | None) -> str:
    """A plate of a canton, else of any, with as many digits."""
    return (area if area in _CANTONS else stream.choice(_CANTONS)) + redraw(shape[2:], stream)


def code_of(mention: Mention) -> str:
    """The canonical code of a mention, without the word "clé" inside a social security number."""
    text = KEY.sub("", mention.text) if mention.label is Label.SSN else mention.text
    if _MISREAD.fullmatch(text):
        text = numerals.in_digits("".join(filter(str.isalnum, text))) or text
    return canonical(text)


def is_swiss(code: str) -> bool:
    return len(code) == 13 and code.isdigit() and code.startswith(("756", "7601"))


def is_matricule(code: str) -> bool:
    """Whether a code is a Luxembourg number, and not a NIR, whose month its digits would hide."""
    if _MATRICULE.fullmatch(code) is None:
        return False
    return check_digits.matricule(code) or not "01" <= code[3:5] <= "12"


def is_nir(code: str, label: Label) -> bool:
    """Whether a code has the form of a NIR, and where no label says it is one ends in its key."""
    if is_swiss(code) or is_matricule(code) or NIR_FORM.fullmatch(code) is None:
        return False
    return label is Label.SSN or (len(code) == 15 and nir_key(code[:13]) == code[13:])


def kind_of(code: str, mentions: Sequence[Mention]) -> str:
    """Which rules the surrogate of a code must obey, by its labels and its form."""
    labels = {mention.label for mention in mentions}
    if is_swiss(code):
        return "gln" if code.startswith("7601") else "avs"
    if len(code) == NIR and any(is_nir(code_of(m), m.label) for m in mentions):
        return "nir"
    keyed = Label.PROVIDER_ID not in labels and check_digits.niss(code)
    if _NISS.fullmatch(code) and (Label.SSN in labels or keyed):
        return "niss"
    if Label.SSN in labels and is_matricule(code):
        return "matricule"
    if Label.PROVIDER_ID in labels and code.isdigit():
        if any(_INAMI.fullmatch(mention.text) for mention in mentions):
            return "inami"
        if len(code) == 11 and code.startswith("10"):
            return "rpps"
        if len(code) == 9:
            return "finess"
    if Label.PROVIDER_ID in labels and _CORSICAN.fullmatch(code):
        return "finess"
    if Label.OTHER_ID in labels and is_swiss_plate(code):
        return "swiss plate"
    if is_rib(code):
        return "rib"
    if check_digits.iban(code) or _IBAN.fullmatch(code):
        return "iban"
    if code.isdigit() and len(code) >= 8 and luhn(code):
        return "siret" if len(code) == 14 and luhn(code[:9]) else "luhn"
    return "code"


def _shape(code: str) -> str:
    """A code without its values: each digit a 9, or the first one a 0, each letter an X."""
    shape = "".join(["9" if c.isdigit() else "X" for c in code])
    first = next(filter(str.isdigit, code), "")
    return shape.replace("9", "0", 1) if first == "0" else shape


class Rule(NamedTuple):
    """How codes of one kind are drawn.

    Args:
        draw: one surrogate after another, of what is kept, a birth and an area.
        kept: what a surrogate takes from its original.
        drawn: which characters of a surrogate are compared with those of the original: the others
            are always the same, as every French IBAN begins with FR76.
        own: the same where the others follow other surrogates, which no original may change.
        year: which characters are the year of a birth.
        country: whose departments or cantons it follows.
    """

    draw: Callable[[str, Stream, dt.date | None, str | None], str]
    kept: Callable[[str], str] = _shape
    drawn: slice = slice(None)
    own: slice | None = None
    year: slice | None = None
    country: str = ""


RULES: Final[Mapping[str, Rule]] = {
    "nir": Rule(nir, nir_kept, own=slice(10, 13), year=slice(1, 3), country="FR"),
    "niss": Rule(
        lambda sex, s, born, _: niss(sex, s, born), itemgetter(8), own=slice(6, 9), year=slice(2)
    ),
    "matricule": Rule(
        lambda _, s, born, __: matricule(s, born), own=slice(8, 11), year=slice(2, 4)
    ),
    "finess": Rule(lambda _, s, b, at: finess(s, at), own=slice(5, 8), country="FR"),
    "swiss plate": Rule(
        lambda shape, s, b, at: swiss_plate(shape, s, at), own=slice(2, None), country="CH"
    ),
    "inami": Rule(lambda _, s, *__: inami(s)),
    "avs": Rule(lambda _, s, *__: numbered("756", 12, ean_digit, s)),
    "gln": Rule(lambda _, s, *__: numbered("7601", 12, ean_digit, s), drawn=slice(4, None)),
    "rpps": Rule(lambda _, s, *__: numbered("10", 10, luhn_digit, s)),
    "iban": Rule(
        lambda shape, s, *_: iban(shape, s), lambda c: f"{c[:2]}99{_shape(c[4:])}", slice(4, None)
    ),
    "rib": Rule(lambda shape, s, *_: rib(shape, s)),
    "siret": Rule(lambda shape, s, *_: siret(shape, s), lambda c: _shape(c[:9]) + _shape(c[9:])),
    "luhn": Rule(lambda shape, s, *_: with_luhn(shape, s)),
    "code": Rule(lambda shape, s, *_: redraw(shape, s)),
}
