"""Which towns and postal codes are the seat of an institution that a policy keeps.

Its name is public and so is where it stands: in its letterhead, or in brackets or behind a comma
after it, if it has a name of its own or names that very town; and where its letter is dated. Where
somebody lives or goes is no seat. Only texts that stay are compared, and mentions with the name of
the institution.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from typing import Final, NamedTuple

from dpdeid.document import Document, Mention, text_between
from dpdeid.gazetteers import place_key
from dpdeid.labels import Label
from dpdeid.normalize import fold
from dpdeid.substitute.places.institutions import NAMED, area_of, seat_of, split

_WITHIN: Final = (Label.STREET, Label.ZIP, Label.UNIT, Label.PHONE, Label.FAX, Label.PROVIDER_ID)
"""What may stand between an institution and its town."""
_FAR: Final = 120
_LINES: Final = 3
_TIGHT: Final = re.compile(
    r"(?:[\s,()–—/:.·•-]|\d|\b(?:à|de|bp|cs|tsa|cedex|f|b|ch|l)\b|\bd['’])*", re.IGNORECASE
)
"""What may stand between an institution and any town that is its seat."""
_ELSEWHERE: Final = re.compile(
    r"\b(?:vers|puis|pour|a|et|ou|chez|domicil\w*|habit\w+|transf\w+|demeur\w+|resid\w+|vi[tv]\w*"
    r"|origin\w+|par|est|nee?|patient\w*|nom|mr?|mme|dr|pr)\b"
)
_SIGNED: Final = re.compile(r",?\s{1,2}le\s{1,2}", re.IGNORECASE)
_BLANK: Final = re.compile(r"\n\s*\n")


class _House(NamedTuple):
    """The institution before a town.

    Args:
        seat: the key of the town that it is known to be at, "" if none is told.
        is_named: whether it has a name of its own.
        between: the text between them, without the mentions there.
        addressed: whether a street or a postal code stands there.
    """

    seat: str
    is_named: bool
    between: str
    addressed: bool


def seats(
    every: Sequence[Mention], documents: Sequence[Document], kept: Collection[Label]
) -> list[Mention]:
    """The towns and postal codes that are the seat of an institution.

    Args:
        every: all mentions of a record, in their order.
        kept: the labels whose values stay.
    """
    found: dict[int, Mention] = {}
    houses = [label for label in NAMED if label in kept]
    for at, mention in enumerate(every):
        if mention.label is not Label.CITY:
            continue
        if at - 1 in found and area_of(mention.text) and _touch(every[at - 1 : at + 1], documents):
            found[at] = mention
            continue
        if _is_signed(at, every, documents) and any(
            seat.document == mention.document and place_key(seat.text) == place_key(mention.text)
            for seat in found.values()
        ):
            found[at] = mention
            continue
        house = _house(at, every, documents, houses, found)
        if house is None or not _is_seat(mention.text, house):
            continue
        found[at] = mention
        for other in (at - 1, at + 1):
            pair = every[max(min(at, other), 0) : max(at, other) + 1]
            if any(one.label is Label.ZIP for one in pair) and _touch(pair, documents):
                found[other] = every[other]
    return [*found.values()]


def _touch(pair: Sequence[Mention], documents: Sequence[Document]) -> bool:
    between = text_between(documents, pair[0], pair[1], _FAR) if len(pair) == 2 else None
    return between is not None and _TIGHT.fullmatch(between) is not None


def _is_signed(at: int, every: Sequence[Mention], documents: Sequence[Document]) -> bool:
    """Whether a letter is dated in a town: "Sion, le 22.02.19"."""
    if at + 1 == len(every) or every[at + 1].label is not Label.DATE:
        return False
    between = text_between(documents, every[at], every[at + 1], _FAR)
    return between is not None and _SIGNED.fullmatch(between) is not None


def _house(
    at: int,
    every: Sequence[Mention],
    documents: Sequence[Document],
    houses: Collection[Label],
    found: Collection[int],
) -> _House | None:
    """The institution before a town, or its seat that was named before."""
    between, addressed = "", False
    for before in range(at - 1, -1, -1):
        gap = text_between(documents, every[before], every[before + 1], _FAR)
        if gap is None or len(between) + len(gap) > _FAR:
            return None
        between = gap + between
        label, text = every[before].label, every[before].text
        if label in houses:
            return _House(_seat(before, every, documents), split(text)[2] != "", between, addressed)
        if label is Label.CITY and before in found:
            return _House(place_key(text), False, between, addressed)
        if label not in _WITHIN:
            return None
        addressed |= label in (Label.STREET, Label.ZIP)
    return None


def _seat(at: int, every: Sequence[Mention], documents: Sequence[Document]) -> str:
    """The key of the town that the name of an institution tells, or of the one it is a part of."""
    town = seat_of(every[at].text)
    if town is not None:
        return place_key(town.name)
    pair = every[max(at - 1, 0) : at + 1]
    if pair[0].label is pair[-1].label and _touch(pair, documents):
        return _seat(at - 1, every, documents)
    return ""


def _is_seat(town: str, house: _House) -> bool:
    between = house.between
    if _BLANK.search(between) or between.count("\n") > _LINES:
        return False
    if house.seat == place_key(town):
        return _ELSEWHERE.search(fold(between)) is None
    own = house.is_named and (house.seat == "" or house.addressed)
    return own and _TIGHT.fullmatch(between) is not None
