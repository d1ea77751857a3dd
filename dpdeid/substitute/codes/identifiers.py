"""Numbers and codes: a keyed surrogate of the same shape, with the check digits of its kind.

One code of a record gets one surrogate whatever its separators and case; two codes get two. The
draw depends on the key, the unit and the code alone, so a later note of the patient gets the same
surrogate. Codes are pseudonyms: there is no ε. A NIR tells sex, birth month and department, a NISS
the birth date, a FINESS number the department: these derive from surrogates (the department of a
NIR from the town of birth, where one is told) or are drawn; the sex is kept, as surrogate names
keep their gender. What writes a code takes what is `kept` of the original, which holds no digit but
a sex and a country, a released birth and a released area: no other can show in it.
"""

from __future__ import annotations

import datetime as dt
import re
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import islice, pairwise
from operator import itemgetter
from typing import ClassVar, Final, NamedTuple

from dpdeid.document import Mention, Record, Surrogate, text_before, text_between
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
from dpdeid.substitute.people.addresses import logins
from dpdeid.substitute.pseudonyms import (
    PSEUDONYM,
    EarlierBirths,
    EarlierPlaces,
    canonical,
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
_DIGIT: Final = re.compile(r"[^\W_]")
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


def nir(sex: str, stream: Stream, birth: dt.date | None, area: str | None) -> str:
    """A NIR with its key; month and department drawn where none is given."""
    department = area or stream.choice(_DEPARTMENTS)
    commune = 1 + stream.randbelow(89 if len(department) == 3 else 299)
    if department == _ABROAD:
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
        named = {s.mention: s for s in logins(self.name, mentions, record, context)}
        yield from named.values()
        mentions = [mention for mention in mentions if mention not in named]
        groups: dict[str, list[Mention]] = defaultdict(list)
        keys = _lone_keys(mentions)
        for mention in mentions:
            if code := _code(keys.get(mention, mention)):
                own = code[:_NUMBER] if _is_nir(code, mention.label) else code  # without its key
                groups[own].append(mention)
        places, births = EarlierPlaces(context), EarlierBirths(context)
        kinds = {code: _kind(code, groups[code]) for code in groups}
        birthplace = _birthplace(record, context) if "nir" in kinds.values() else None
        taken, drawn_ones = set(groups), set[str]()
        # in text order where a code tells a birth or a place, since its digits must not
        for code in sorted(groups, key=lambda one: "" if _RULES[kinds[one]].own else one):
            kind = kinds[code]
            rule = _RULES[kind]
            birth = births.of(code[rule.year]) if rule.year else None
            area = _area(places.nearest(groups[code][0]), rule.country) if rule.country else None
            if kind == "nir":
                area = birthplace or area
            stream, cost = keyed(context.streams, f"{self.name} {kind}", self.name, kind, code)
            draw = partial(rule.draw, rule.kept(code), stream, birth, area)
            others = drawn_ones if rule.own else taken
            free = partial(first_free, draw, code, others, own=rule.own or rule.drawn)
            drawn = context.memory.once(free, self.name, kind, code)
            if drawn is None:
                continue
            taken.add(drawn)
            drawn_ones.add(drawn)
            for mention in groups[code]:
                shown = drawn[_NUMBER:] if mention in keys else drawn
                yield Surrogate(mention, _laid(shown, mention), self.name, (cost,))

    def guarantees(self) -> tuple[Guarantee, ...]:
        return (Guarantee(self.labels, self.name, PSEUDONYM),)


_BORN: Final = re.compile(r"(?:\bn[ée]e?(?:\(e\))?|naissance)\W+(?:(?:à|au|aux|en)\W+)?\Z", re.I)
_THERE: Final = re.compile(r"\W*(?:à|au|aux|en|\()\W*", re.I)
_BEFORE: Final = 40
"""Characters before a town that are looked at."""
_NEAR: Final = 4
"""Characters between a town and its country."""


def _birthplace(record: Record, context: Context) -> str | None:
    """The department of the surrogate of the first town in which somebody is said to be born ("née
    le … à"), 99 if it lies abroad.
    """
    placed = dict(context.values(Label.CITY))
    every = context.mentions
    for previous, town, behind in zip((None, *every), every, (*every[1:], None), strict=False):
        place = placed.get(town)
        if not isinstance(place, Place):
            continue
        between = text_between(record.documents, previous, town, _BEFORE) if previous else None
        born = previous is not None and previous.label is Label.BIRTH_DATE
        if between is None:
            told = _BORN.search(text_before(record.documents, town, _BEFORE))
        else:
            told = _BORN.search(between) or (_THERE.fullmatch(between) if born else None)
        if told:
            land = behind is not None and behind.label is Label.COUNTRY
            near = text_between(record.documents, town, behind, _NEAR) if behind else None
            return _ABROAD if land and near is not None else _area(place, "FR") or _ABROAD
    return None


def _area(place: Place | None, country: str) -> str | None:
    """The department or canton of a surrogate place, if it lies in a country."""
    return place.department or None if place is not None and place.country == country else None


def _code(mention: Mention) -> str:
    """The canonical code of a mention, without the word "clé" inside a social security number."""
    return canonical(_KEY.sub("", mention.text) if mention.label is Label.SSN else mention.text)


def _laid(drawn: str, mention: Mention) -> str:
    """The first characters of a drawn code in the form of a mention, whose word "clé" stays; in a
    social security number small letters would tell that they were Corsica's.
    """
    characters = iter(drawn)
    parts = [mention.text]
    if mention.label is Label.SSN:
        parts = [p if _KEY.fullmatch(p) else _DIGIT.sub("0", p) for p in _KEY.split(mention.text)]
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


def _shape(code: str) -> str:
    """A code without its values: each digit a 9, or the first one a 0, each letter an X."""
    shape = "".join(["9" if c.isdigit() else "X" for c in code])
    first = next(filter(str.isdigit, code), "")
    return shape.replace("9", "0", 1) if first == "0" else shape


class _Rule(NamedTuple):
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


_RULES: Final[Mapping[str, _Rule]] = {
    "nir": _Rule(nir, itemgetter(0), own=slice(10, 13), year=slice(1, 3), country="FR"),
    "niss": _Rule(
        lambda sex, s, born, _: niss(sex, s, born), itemgetter(8), own=slice(6, 9), year=slice(2)
    ),
    "finess": _Rule(lambda _, s, b, at: finess(s, at), own=slice(5, 8), country="FR"),
    "swiss plate": _Rule(
        lambda shape, s, b, at: swiss_plate(shape, s, at), own=slice(2, None), country="CH"
    ),
    "inami": _Rule(lambda _, s, *__: inami(s)),
    "avs": _Rule(lambda _, s, *__: numbered("756", 12, ean_digit, s)),
    "gln": _Rule(lambda _, s, *__: numbered("7601", 12, ean_digit, s), drawn=slice(4, None)),
    "rpps": _Rule(lambda _, s, *__: numbered("10", 10, luhn_digit, s)),
    "iban": _Rule(
        lambda shape, s, *_: iban(shape, s), lambda c: f"{c[:2]}99{_shape(c[4:])}", slice(4, None)
    ),
    "rib": _Rule(lambda shape, s, *_: rib(shape, s)),
    "siret": _Rule(lambda shape, s, *_: siret(shape, s), lambda c: _shape(c[:9]) + _shape(c[9:])),
    "luhn": _Rule(lambda shape, s, *_: with_luhn(shape, s)),
    "code": _Rule(lambda shape, s, *_: redraw(shape, s)),
}
