"""Telephone numbers of the same country and kind, in ranges that no subscriber has if there are.

ARCEP keeps six French ranges for fiction, Ofcom British ones, the North American plan 555-0100 to
0199 of every area. The area of a landline is that of the released place (`area_at`), or is drawn;
what is of overseas France stays there. Other numbers are redrawn digit for digit behind their
country code. Extensions and numbers in words are covered too.
"""

from __future__ import annotations

import math
import re
from dataclasses import dataclass, field
from functools import cache
from typing import Final

from dpdeid import gazetteers
from dpdeid.french import numerals
from dpdeid.french.phones import Range, by_area, ranges
from dpdeid.french.tables import rows
from dpdeid.gazetteers import Place
from dpdeid.normalize import fold
from dpdeid.privacy.rng import Stream
from dpdeid.substitute.places.localities import largest_of
from dpdeid.substitute.pseudonyms import listed, redraw

FICTION: Final = {one.prefix[1]: one.prefix for one in ranges("FR", use="fiction")}
"""The ARCEP ranges for audiovisual works, by the digit after 0; four digits follow."""

_OVERSEAS: Final = {one.prefix: one for one in ranges("OM")}
_SWISS: Final = tuple(one.prefix for one in ranges("CH"))
_SWISS_AREAS: Final = tuple(one.prefix for one in ranges("CH", "landline", "drawn"))
_BELGIAN_CITIES: Final = tuple(one.prefix for one in ranges("BE", "city"))
_BELGIAN_AREAS: Final = tuple(one.prefix for one in ranges("BE", "landline"))
_AMERICAN: Final = tuple(one.prefix for one in ranges("US"))
_BRITISH: Final = {one.kind: one.prefix for one in ranges("GB")}
_AMERICAN_GROUPS: Final = re.compile(r"\(?[2-9]\d\d\)?[ .-]{1,2}[2-9]\d\d[ .-]\d{4}")
_FRENCH_GROUPS: Final = re.compile(r"0\d(?:\D\d\d){4}")
_INTERNATIONAL: Final = re.compile(r"\W{0,2}(?:\+|00)\W?(?=\d)")
_COUNTRY: Final = re.compile(r"1|7|(?:2[1-689]|3[578]|42|5[09]|6[7-9]|8[05-8]|9[679])\d|[2-9]\d")
"""Country codes: one digit, three or two."""
_LENGTHS: Final = {(one.code, one.length): one.plan for one in ranges() if one.plan != "OM"}
"""Country code and how many digits its numbers have behind a 0 → plan."""
_SHORTEST: Final = 4
"""Digits that a national number has at least."""
_SWISS_GROUPS: Final = re.compile(r"0\d\d\D{1,3}\d{3}\D{1,3}\d\d\D{1,3}\d\d")
_BELGIAN_MOBILE: Final = re.compile(r"04[5-9]\d/")
_WORD: Final = re.compile(r"[^\W\d_]+")
_BESIDE: Final = frozenset(listed("p po pos poste ext int tel fax bip dect num n no ou et a"))


@dataclass(frozen=True, slots=True)
class Number:
    """A telephone number, read.

    Args:
        country: "FR", "OM" (French overseas), "CH", "BE", "LU", "MC", "US" (North America), "GB",
            or "" where only the shape is known.
        national: its digits, with the leading 0 where the country has one.
        code: digits of the international prefix and country code in the text.
        trunk: whether the leading 0 of `national` stands in the text.
        spelled: whether it stands there in words.
    """

    country: str
    national: str = field(repr=False)
    code: str = ""
    trunk: bool = True
    spelled: bool = False


def read(text: str, place: Place | None) -> Number | None:
    """What a text says as a telephone number; None if it has neither digits nor letters.

    `place` is the surrogate place nearby, whose country tells between plans that look alike.
    """
    if any(fold(word) not in _BESIDE for word in _WORD.findall(text)):
        return Number("FR", fold(text), spelled=True)
    digits = "".join(filter(str.isdecimal, text))
    if not digits.isascii():
        digits = "".join([str(int(c)) for c in digits])
    if not digits:
        return None
    prefix = _INTERNATIONAL.match(text)
    country = prefix and _COUNTRY.match(digits, 2 * ("+" not in prefix[0]))
    if country and len(digits) - country.end() >= _SHORTEST:
        code, rest = digits[: country.end()], digits[country.end() :]
        trunk = rest.startswith("0")
        national = rest if trunk else "0" + rest
        return Number(_country(country[0], national), national, code, trunk)
    if _AMERICAN_GROUPS.fullmatch(text):
        return Number("US", f"0{digits}", trunk=False)
    return Number(_at_home(text, digits, place), digits)


def _country(code: str, national: str) -> str:
    if any(code == one.code for one in ranges("OM")) and len(national) == 10:
        return "OM"
    return _LENGTHS.get((code, len(national)), "")


def _at_home(text: str, digits: str, place: Place | None) -> str:
    if not digits.startswith("0") or len(digits) not in (9, 10) or digits[1] == "0":
        return ""
    here = place.country if place else "FR"
    if len(digits) == 9 or (here == "BE" and digits[1] == "4") or _BELGIAN_MOBILE.match(text):
        return "BE"
    here_swiss = here == "CH" and not _FRENCH_GROUPS.fullmatch(text)
    if digits[:3] in _SWISS and (here_swiss or _SWISS_GROUPS.fullmatch(text)):
        return "CH"
    return "OM" if digits[:4] in _OVERSEAS else "FR"


def area_at(plan: str, place: Place | None) -> str | None:
    """The first digits of the landlines of a place, None if it is not of the plan.

    >>> area_at("BE", gazetteers.places_named("namur")[0])
    '081'
    """
    if place is None or place.country != plan:
        return None
    if plan == "FR":
        zone = by_area("FR").get(place.department)
        return FICTION[zone.prefix[1]] if zone else None
    flat = math.cos(math.radians(place.latitude))

    def away(centre: tuple[Place, str]) -> float:
        east = (centre[0].longitude - place.longitude) * flat
        return math.hypot(east, centre[0].latitude - place.latitude)

    return min(_centres(plan), key=away)[1]


@cache
def _centres(plan: str) -> tuple[tuple[Place, str], ...]:
    """Towns and the area in whose midst they lie."""
    return tuple(
        (place, prefix)
        for country, prefix, names in rows("phone_areas")
        if country == plan
        for name in names.split("|")
        for place in [p for p in gazetteers.places_named(name) if p.country == plan][:1]
    )


def _overseas(number: Number, place: Place | None) -> Range:
    """The range of a number overseas: of the place if the text says that it lies where the number
    does, else its own; a mobile stays one.
    """
    own = _OVERSEAS.get(number.national[:4]) or next(iter(_OVERSEAS.values()))
    served = by_area("OM", own.kind)
    if place is not None and place.department in served:
        towns = (largest_of("department", area) for area in own.areas)
        near = gazetteers.place_list_name(place)
        if any(town and gazetteers.place_list_name(town) == near for town in towns):
            return served[place.department]
    return served[own.areas[0]]


def draw(number: Number, place: Place | None, stream: Stream) -> str:
    """National digits of a surrogate number of the same country and kind."""
    first = number.national[1:2]
    match number.country:
        case "FR" if number.spelled or first in "67":
            return FICTION["6"] + _digits(4, stream)
        case "FR" if first in "12345":
            return (area_at("FR", place) or FICTION[stream.choice("12345")]) + _digits(4, stream)
        case "FR":
            return number.national[:2] + _digits(8, stream)
        case "OM":
            return _overseas(number, place).prefix + _digits(6, stream)
        case "CH" if first == "7":
            return f"07{stream.choice('56789')}{_digits(7, stream)}"
        case "CH":
            return (area_at("CH", place) or stream.choice(_SWISS_AREAS)) + _digits(7, stream)
        case "BE" if len(number.national) == 10:
            return f"04{stream.choice('789')}{_digits(7, stream)}"
        case "BE":
            alike = _BELGIAN_CITIES if number.national[:2] in _BELGIAN_CITIES else _BELGIAN_AREAS
            area = area_at("BE", place) or stream.choice(alike)
            return area + _digits(9 - len(area), stream)
        case "US":
            return stream.choice(_AMERICAN) + _digits(2, stream)
        case "GB":
            return _BRITISH["mobile" if first == "7" else "landline"] + _digits(3, stream)
        case "LU" | "MC" if kept := _prefix(number):
            return kept + _digits(len(number.national) - len(kept), stream)
        case _:
            return redraw(number.national, stream)


def _prefix(number: Number) -> str:
    heads = [one.prefix for one in ranges(number.country)]
    return next(filter(number.national.startswith, heads), "")


def given(number: Number) -> int:
    """How many digits of a surrogate are those of a range or follow a place."""
    if number.country == "FR":
        return len(FICTION["1"]) if number.spelled or number.national[1:2] in "1234567" else 2
    if number.country in ("LU", "MC"):
        return len(_prefix(number))
    return {"OM": 4, "CH": 3, "BE": 3, "US": 9, "GB": 8}.get(number.country, 0)


def write(text: str, number: Number, national: str) -> str:
    """`text` with the digits of a surrogate; one in words alone is told in words."""
    if number.spelled:
        pairs = [national[i : i + 2] for i in range(0, len(national), 2)]
        return " ".join(pairs if any(map(str.isdecimal, text)) else map(_said, pairs))
    code = number.code
    if number.country == "OM" and code:
        code = code[:-3] + _code(national)
    if number.country == "BE" and len(national) == _BELGIAN:
        old, size = (1 if n[:2] in _BELGIAN_CITIES else 2 for n in (number.national, national))
        text = _regrouped(text, len(code) + number.trunk, old, size)
    digits = iter(code + national[not number.trunk :])
    return "".join([next(digits, "") if old.isdecimal() else old for old in text])


def _said(pair: str) -> str:
    """Two digits of a number as one says them: "zéro six", "quatre-vingt-seize"."""
    spelt = numerals.spell(int(pair))
    return f"{numerals.spell(0)} {spelt}" if pair.startswith("0") else spelt


_MARK: Final = re.compile(r"\D+")
_BELGIAN: Final = 9
"""Digits of a Belgian landline; of them two or three are its area."""


def _regrouped(text: str, before: int, old: int, size: int) -> str:
    """A text whose area has another size: "04/367.92.55" is "043/67.92.55" where it has two digits.

    Args:
        before: digits before the area, the 0 of the trunk included.
        old, size: digits of the area without that 0, as it was and as it is to be.
    """
    ends = [at + 1 for at, character in enumerate(text) if character.isdecimal()]
    end, wanted = ends[before + old - 1], ends[before + size - 1]
    mark = _MARK.match(text, end)
    if mark is None or old == size:
        return text
    if old < size:
        return text[:end] + text[mark.end() : mark.end() + 1] + mark[0] + text[mark.end() + 1 :]
    return text[:wanted] + mark[0] + text[wanted:end] + text[mark.end() :]


def _digits(count: int, stream: Stream) -> str:
    return f"{stream.randbelow(10**count):0{count}d}"


def _code(national: str) -> str:
    return next(one.code for one in ranges("OM") if national.startswith(one.prefix))
