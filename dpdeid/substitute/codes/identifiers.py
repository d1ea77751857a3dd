"""Numbers and codes: a keyed surrogate of the same shape, with the check digits of its kind.

One code of a record gets one surrogate whatever its separators and case; two codes get two. The
draw depends on the key, the unit and the code alone, so a later note of the patient gets the same
surrogate. Codes are pseudonyms: there is no ε. A NIR tells sex, birth month and department, a NISS
the birth date, a FINESS number the department: these derive from surrogates or are drawn; the sex
digit is kept, as surrogate names keep their gender.
"""

from __future__ import annotations

import datetime as dt
import re
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import islice, pairwise
from typing import ClassVar, Final, NamedTuple

from dpdeid.document import Mention, Record, Surrogate
from dpdeid.french import check_digits
from dpdeid.french.check_digits import (
    ean_digit,
    iban_digits,
    luhn,
    luhn_digit,
    nir_key,
    niss_key,
    rib_key,
)
from dpdeid.gazetteers import Place
from dpdeid.labels import Label
from dpdeid.privacy.rng import Stream
from dpdeid.protocols import Context, Guarantee
from dpdeid.substitute.pseudonyms import (
    PSEUDONYM,
    EarlierPlaces,
    canonical,
    earlier_birth,
    first_free,
    keyed,
    lay_over,
    listed,
    redraw,
)

IDENTIFIERS: Final = (
    Label.PATIENT_ID,
    Label.VISIT_ID,
    Label.ORDER_ID,
    Label.SSN,
    Label.PROVIDER_ID,
    Label.OTHER_ID,
)

_KEY: Final = re.compile(r"(\bcl[ée]\b)", re.IGNORECASE)
_NUMBER: Final = 13
"""Characters of a NIR without its key."""
_APART: Final = 12
"""Characters that may stand between a NIR and its key."""
_NISS: Final = re.compile(r"\d\d(?:0\d|1[012])(?:[0-2]\d|3[01])\d{5}")
_CORSICAN: Final = re.compile(r"2[AB]\d{7}")
_INAMI: Final = re.compile(r"\d-\d{5}-\d\d-\d{3}")


_NIR: Final = re.compile(r"[1-478]\d{4}(?:\d\d|2[AB])\d{6}(?:\d\d)?")

_DEPARTMENTS: Final = tuple(f"{n:02d}" for n in range(1, 96) if n != 20)
_ABROAD: Final = "99"


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


def numbered(prefix: str, size: int, digit: Callable[[str], str], stream: Stream) -> str:
    """A number of `size` digits that begins with a prefix, and its check digit."""
    free = size - len(prefix)
    number = f"{prefix}{stream.randbelow(10**free):0{free}d}"
    return number + digit(number)


def finess(stream: Stream, place: Place | None) -> str:
    """9 digits of a French institution in the department of the place, else in any."""
    department = _department(stream, place).replace("2A", "20").replace("2B", "20")
    return numbered(department, 8, luhn_digit, stream)


def inami(stream: Stream) -> str:
    """11 digits of a Belgian caregiver's number; the two after the sixth are its check."""
    number = 100_000 + stream.randbelow(100_000)
    return f"{number}{97 - number % 97:02d}{stream.randbelow(1000):03d}"


def _month(stream: Stream, birth: dt.date | None) -> str:
    if birth is not None:
        return f"{birth:%y%m}"
    return f"{(1930 + stream.randbelow(80)) % 100:02d}{1 + stream.randbelow(12):02d}"


def _department(stream: Stream, place: Place | None) -> str:
    if place is not None and place.country == "FR" and place.department:
        return place.department
    return stream.choice(_DEPARTMENTS)


_CANTONS: Final = listed(
    "AG AI AR BE BL BS FR GE GL GR JU LU NE NW OW SG SH SO SZ TG TI UR VD VS ZG ZH"
)
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


def with_luhn(code: str, stream: Stream) -> str:
    """As many digits as `code`, the last one the Luhn digit of the others."""
    number = redraw(code[:-1], stream)
    return number + luhn_digit(number)


def siret(code: str, stream: Stream) -> str:
    """A SIRET: a SIREN with its own Luhn digit, an establishment, and the Luhn digit of all."""
    number = with_luhn(code[:9], stream) + redraw(code[9:13], stream)
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


@dataclass(frozen=True, slots=True)
class Identifiers:
    """Redraws codes digit for digit and letter for letter, keyed by the code.

    Args:
        labels: the labels it serves.
    """

    name: ClassVar[str] = "identifiers"
    needs: ClassVar[tuple[str, ...]] = ("dates", "places", "people")

    labels: tuple[Label, ...] = IDENTIFIERS

    def substitute(
        self, mentions: Sequence[Mention], record: Record, context: Context
    ) -> Iterator[Surrogate]:
        groups: dict[str, list[Mention]] = defaultdict(list)
        keys = _lone_keys(mentions)
        for mention in mentions:
            if code := _code(keys.get(mention, mention)):
                own = code[:_NUMBER] if _is_nir(code, mention.label) else code  # without its key
                groups[own].append(mention)
        places = EarlierPlaces(context)
        taken = set(groups)
        for code in sorted(groups):
            kind = _kind(code, groups[code])
            rule = _RULES[kind]
            place = places.nearest(groups[code][0]) if rule.placed else None
            stream, cost = keyed(context.streams, f"{self.name} {kind}", self.name, kind, code)
            draw = partial(rule.draw, code, stream, place, context)
            whole, given = code, rule.given
            if kind == "nir":
                whole = code + nir_key(code)
                given = 5 + len(place.department) if place else given
            drawn = first_free(draw, whole, taken, given=given)
            if drawn is None:
                continue
            taken.add(drawn)
            for mention in groups[code]:
                shown = drawn[_NUMBER:] if mention in keys else drawn
                yield Surrogate(mention, _laid(shown, mention), self.name, (cost,))

    def guarantees(self) -> tuple[Guarantee, ...]:
        return (Guarantee(self.labels, self.name, PSEUDONYM),)


def _code(mention: Mention) -> str:
    """The canonical code of a mention, without the word "clé" inside a social security number."""
    return canonical(_KEY.sub("", mention.text) if mention.label is Label.SSN else mention.text)


def _laid(drawn: str, mention: Mention) -> str:
    """The first characters of a drawn code in the form of a mention, whose word "clé" stays."""
    characters = iter(drawn)
    parts = _KEY.split(mention.text) if mention.label is Label.SSN else [mention.text]
    for at in range(0, len(parts), 2):
        length = sum(map(str.isalnum, parts[at]))
        parts[at] = lay_over(parts[at], "".join(islice(characters, length)))
    return "".join(parts)


def _lone_keys(mentions: Sequence[Mention]) -> dict[Mention, Mention]:
    """The mentions that are the key of the NIR right before them ("… clé : 85"), and that NIR."""
    numbers = sorted(
        (m for m in mentions if m.label is Label.SSN), key=lambda m: (m.document, m.span)
    )
    return {
        key: number
        for number, key in pairwise(numbers)
        if key.document == number.document
        and key.span.start - number.span.end <= _APART
        and len(key.text) == 2 == len(_code(key))
        and key.text.isdecimal()
        and len(_code(number)) == _NUMBER
        and _NIR.fullmatch(_code(number))
    }


def _is_swiss(code: str) -> bool:
    return len(code) == 13 and code.isdigit() and code.startswith(("756", "7601"))


def _is_nir(code: str, label: Label) -> bool:
    """Whether a code has the form of a NIR, and where no label says it is one ends in its key."""
    if _is_swiss(code) or _NIR.fullmatch(code) is None:
        return False
    return label is Label.SSN or (len(code) == 15 and nir_key(code[:13]) == code[13:])


def _kind(code: str, mentions: Sequence[Mention]) -> str:
    """Which rules the surrogate of a code must obey, by its labels and its form."""
    labels = {mention.label for mention in mentions}
    if _is_swiss(code):
        return "gln" if code.startswith("7601") else "avs"
    if len(code) == _NUMBER and any(_is_nir(_code(m), m.label) for m in mentions):
        return "nir"
    if Label.SSN in labels and _NISS.fullmatch(code):
        return "niss"
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
    if check_digits.iban(code):
        return "iban"
    if code.isdigit() and len(code) >= 8 and luhn(code):
        return "siret" if len(code) == 14 and luhn(code[:9]) else "luhn"
    return "code"


class _Rule(NamedTuple):
    """How codes of one kind are drawn.

    Args:
        draw: one surrogate after another.
        given: how many of the first characters of a surrogate follow other surrogates, or are
            always the same: every French IBAN begins with FR76.
        placed: whether it follows a place.
    """

    draw: Callable[[str, Stream, Place | None, Context], str]
    given: int = 0
    placed: bool = False


_RULES: Final[Mapping[str, _Rule]] = {
    "nir": _Rule(lambda code, s, at, c: nir(code, s, earlier_birth(code[1:3], c), at), 7, True),
    "niss": _Rule(lambda code, s, at, c: niss(code, s, earlier_birth(code[:2], c)), 6),
    "finess": _Rule(lambda code, s, at, c: finess(s, at), 2, True),
    "swiss plate": _Rule(lambda code, s, at, c: swiss_plate(code, s, at), 2, True),
    "inami": _Rule(lambda code, s, at, c: inami(s)),
    "avs": _Rule(lambda code, s, at, c: numbered("756", 12, ean_digit, s)),
    "gln": _Rule(lambda code, s, at, c: numbered("7601", 12, ean_digit, s), 4),
    "rpps": _Rule(lambda code, s, at, c: numbered("10", 10, luhn_digit, s)),
    "iban": _Rule(lambda code, s, at, c: iban(code, s), 4),
    "rib": _Rule(lambda code, s, at, c: rib(code, s)),
    "siret": _Rule(lambda code, s, at, c: siret(code, s)),
    "luhn": _Rule(lambda code, s, at, c: with_luhn(code, s)),
    "code": _Rule(lambda code, s, at, c: redraw(code, s)),
}
