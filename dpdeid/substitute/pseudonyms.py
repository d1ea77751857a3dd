"""Keyed pseudonyms: a draw in the outer form of a value, and the surrogates that it must follow.

Surrogates take the case, the separators, the digits and letters of what they replace. Nothing is
drawn here but uniform characters from a stream that the caller has named; whether a draw may be
released (it must not repeat the original) is asked here too.

Phone prefixes, the department of a NIR, hospitals and birth dates inside numbers would tell the
place or the birth beside which they stand; they follow surrogates that were already drawn and
charged. Originals are compared with originals only, to find whose surrogate it is.
"""

from __future__ import annotations

import bisect
import datetime as dt
from collections import Counter, defaultdict
from collections.abc import Callable, Collection
from operator import itemgetter
from typing import Final, Literal

from dpdeid.document import Mention
from dpdeid.labels import Label
from dpdeid.normalize import fold
from dpdeid.privacy.ledger import Charge
from dpdeid.privacy.losses import NoGuarantee
from dpdeid.privacy.rng import Stream, Streams
from dpdeid.privacy.timeline.points import Kind
from dpdeid.protocols import Context
from dpdeid.substitute.dates.written.parser import PartialDate, parse

PSEUDONYM: Final = NoGuarantee("keyed pseudonym")
"""What a keyed pseudonym costs: it is consistent and secret, and has no bound."""

KEPT: Final = NoGuarantee("kept as it stands")
"""What a kept value costs: it is told."""

LETTERS: Final = "ABCDEFGHJKLMNPRSTVWXYZ"
"""Letters of drawn codes; I, O, Q and U are left out, as on French number plates."""

RUN: Final = 4
"""A run of this many characters of an original must not be left in its surrogate."""

_TRIES: Final = 64
_BLOCK: Final = 18
_TELLING: Final = 64
"""Characters from which a code shares four in a row with any other by chance."""
_LONG: Final = 6
"""Digits from which a leading 0 is filling, and stays."""


def listed(text: str) -> tuple[str, ...]:
    """The words of a list that is written with spaces between them."""
    return tuple(text.split())


def keyed(streams: Streams, mechanism: str, *name: str) -> tuple[Stream, Charge]:
    """The stream called `name`, and what a draw from it costs, as a keyed pseudonym."""
    stream, event = streams.named(*name)
    return stream, Charge(streams.unit, event, mechanism, PSEUDONYM)


def kept(mention: Mention, streams: Streams) -> Charge:
    """What a mention that stays costs, one charge for each distinct value."""
    event = streams.event("keep", mention.span.label, fold(mention.text))
    return Charge(streams.unit, event, "keep", KEPT)


def like_case(text: str, original: str) -> str:
    """`text` in the case pattern of `original`: all capitals, all small, or as it is.

    >>> like_case("Le Mans", "RENNES"), like_case("Le Mans", "brest"), like_case("Le Mans", "Caen")
    ('LE MANS', 'le mans', 'Le Mans')
    """
    return in_case(text, case_of(original))


Case = Literal["", "upper", "lower"]


def case_of(original: str) -> Case:
    """The case pattern of a text: all capitals, all small, or neither."""
    if original.isupper() and sum(map(str.isalpha, original)) > 1:
        return "upper"
    return "lower" if original.islower() else ""


def in_case(text: str, case: Case) -> str:
    """`text` in a case pattern."""
    return text.upper() if case == "upper" else text.lower() if case == "lower" else text


def canonical(text: str) -> str:
    """The letters and digits of a code, one capital or digit for each, without its separators."""
    return "".join(_plain(c) for c in text if c.isalnum())


def _plain(character: str) -> str:
    if character.isdecimal():
        return str(int(character))
    folded = fold(character).upper()
    return folded if len(folded) == 1 and folded.isascii() and folded.isalnum() else "X"


def lay_over(text: str, characters: str) -> str:
    """`text` with its letters and digits replaced in order by `characters`; small stays small.

    Raises:
        ValueError: there are not as many characters as places for them.
    """
    if sum(map(str.isalnum, text)) != len(characters):
        raise ValueError("more or fewer characters than places")
    places = iter(characters)
    drawn = (next(places) if old.isalnum() else old for old in text)
    return "".join([d.lower() if old.islower() else d for old, d in zip(text, drawn, strict=True)])


def redraw(code: str, stream: Stream) -> str:
    """A code of the shape of a canonical one: digit for digit, letter for letter, uniform.

    A first digit that is not 0 stays so; the leading 0 of a number of six digits or more stays.
    """
    digits = sum(map(str.isdigit, code))
    number = ""
    while len(number) < digits:  # in blocks, since long integers cost the square of their length
        size = min(_BLOCK, digits - len(number))
        low, high = 0, 10**size
        if not number and next(filter(str.isdigit, code)) != "0":
            low = high // 10
        elif not number and digits >= _LONG:
            high //= 10
        number += str(low + stream.randbelow(high - low)).zfill(size)
    if digits == len(code):
        return number
    drawn = iter(number)
    return "".join([next(drawn) if c.isdigit() else stream.choice(LETTERS) for c in code])


def runs(text: str) -> set[str]:
    """Every four characters in a row of a text."""
    return {text[i : i + RUN] for i in range(len(text) - RUN + 1)}


def shares_run(text: str, original: str) -> bool:
    """Whether four characters in a row of `original` stand anywhere in `text`."""
    return any(map(text.__contains__, runs(original)))


def first_free(
    draw: Callable[[], str],
    original: str,
    taken: Collection[str],
    *,
    own: slice = slice(None),
    alike: bool = False,
) -> str | None:
    """The first draw that is not taken and leaves nothing of `original`; None if there is none.

    Where the shape is too small for all of that (a room number), a draw other than the original.

    Args:
        own: which characters are its own choice, and are compared: others follow another surrogate,
            or are those of a reserved range, and to refuse one would tell that it is the true one.
        alike: whether anything may be shared, but not all.
    """
    whole = alike or len(original) > _TELLING
    other = None
    for _ in range(_TRIES):
        drawn = draw()
        if drawn[own] == original[own]:
            continue
        other = drawn
        if drawn not in taken and (whole or not shares_run(drawn[own], original[own])):
            return drawn
    return other


class EarlierDays:
    """The released days of a record, to be asked which one stands nearest."""

    def __init__(self, context: Context) -> None:
        self._by_note: dict[int, list[tuple[int, dt.date]]] = defaultdict(list)
        for mention, day in context.values(Label.DATE):
            if isinstance(day, dt.date):
                self._by_note[mention.document].append((mention.span.start, day))
        for here in self._by_note.values():
            here.sort(key=itemgetter(0))

    @property
    def any(self) -> bool:
        """Whether there is one."""
        return bool(self._by_note)

    def nearest(self, mention: Mention) -> dt.date | None:
        """The last day before a mention, else the next in its note, else the first of any note."""
        here = self._by_note.get(mention.document)
        if here is None:
            return next((days[0][1] for _, days in sorted(self._by_note.items())), None)
        at = bisect.bisect_left(here, mention.span.start, key=itemgetter(0))
        return here[max(0, at - 1)][1]


class EarlierBirths:
    """The surrogates of the births of a unit: of its birth dates, if it has none of its ages.

    `first` is the patient's, `are_printed` whether birth dates tell it.
    """

    def __init__(self, context: Context) -> None:
        births = [
            (date.year if isinstance(date := parse(mention.text), PartialDate) else None, value)
            for mention, value in context.values(Label.BIRTH_DATE)
            if isinstance(value, dt.date)
        ]
        births += [
            (dt.date.fromordinal(point.day).year, dt.date.fromordinal(given.day))
            for point, given in context.memory.past.entries
            if point.kind is Kind.BIRTH and given.day is not None and point.name.endswith("/day")
        ]
        aged = Counter(v for _, v in context.values(Label.AGE) if isinstance(v, dt.date))
        whose = births[0][1] if births else None
        self.first: dt.date | None = whose or next((v for v, _ in aged.most_common(1)), None)
        self.are_printed: bool = bool(births)
        self._of: dict[int, dt.date] = {}
        for told, value in births:
            if told is not None:
                self._of.setdefault(told % 100, value)

    def of(self, year: str) -> dt.date | None:
        """That of the birth date that has these two digits of a year; of a record without birth
        dates the one that most of its ages tell.

        Only years are compared: whether the digits are those of a day must not show.
        """
        return self._of.get(int(year)) if self._of else self.first
