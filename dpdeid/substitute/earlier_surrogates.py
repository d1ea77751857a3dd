"""Which surrogate of an earlier strategy a later one derives from.

Phone prefixes, the department of a NIR, hospitals and birth dates inside numbers would tell the
place or the birth beside which they stand; they follow surrogates that were already drawn and
charged. Originals are compared with originals only, to find whose surrogate it is.
"""

from __future__ import annotations

import bisect
import datetime as dt
import re
from collections import defaultdict
from functools import cached_property
from operator import itemgetter
from typing import Final

from dpdeid.document import Mention
from dpdeid.gazetteers import Place, place_key
from dpdeid.labels import Label
from dpdeid.normalize import fold
from dpdeid.protocols import Context
from dpdeid.substitute.dates.date_parser import parse
from dpdeid.substitute.dates.forms import PartialDate

_WORD: Final = re.compile(r"[^\W\d_]+")


class Places:
    """The surrogate places of a record, to be asked which one stands nearest."""

    def __init__(self, context: Context) -> None:
        self._by_note: dict[int, list[tuple[int, Place]]] = defaultdict(list)
        self._placed = [
            (mention, place)
            for mention, place in context.values(Label.CITY, Label.ZIP)
            if isinstance(place, Place)
        ]
        for mention, place in self._placed:
            self._by_note[mention.document].append((mention.span.start, place))
        for here in self._by_note.values():
            here.sort(key=itemgetter(0))

    @cached_property
    def names(self) -> dict[str, str]:
        """The surrogate town of each town of the record, by the key of its name."""
        names: dict[str, str] = {}
        for mention, place in self._placed:
            if mention.label is Label.CITY:
                names.setdefault(place_key(mention.text), place.name)
        return names

    def nearest(self, mention: Mention) -> Place | None:
        """The last place before a mention, as an address stands before its telephone.

        Else the first after it in its note, else the first of the record, else None.
        """
        here = self._by_note.get(mention.document)
        if here is None:
            return self._placed[0][1] if self._placed else None
        at = bisect.bisect_left(here, mention.span.start, key=itemgetter(0))
        return here[max(0, at - 1)][1]


def birth(year: str, context: Context) -> dt.date | None:
    """The surrogate of the birth date that has these two digits of a year, else of the first.

    Only years are compared: whether the digits are those of a day must not show.
    """
    births = [
        (parse(mention.text), value)
        for mention, value in context.values(Label.BIRTH_DATE)
        if isinstance(value, dt.date)
    ]
    same = (
        value
        for date, value in births
        if isinstance(date, PartialDate) and date.year is not None and date.year % 100 == int(year)
    )
    return next(same, births[0][1] if births else None)


def _words(text: str) -> list[str]:
    return [fold(text)] if text.isalpha() else _WORD.findall(fold(text))


def names(context: Context) -> tuple[dict[str, str], dict[str, str]]:
    """Folded original names with their surrogates in small letters, and first letters of both.

    A name of several words is there word by word and written as one ("legoff").
    """
    whole: dict[str, str] = {}
    firsts: dict[str, str] = {}
    seen = {
        (s.mention.text, s.text): s.mention.label is Label.FIRST_NAME
        for s in context.before
        if s.mention.label in (Label.LAST_NAME, Label.FIRST_NAME)
    }
    for (original, surrogate), given in seen.items():
        old, new = _words(original), _words(surrogate)
        whole.setdefault("".join(old), "".join(new))
        pairs = zip(old, new, strict=True) if len(old) == len(new) else [(old[-1:], new[-1:])]
        for o, n in pairs:
            whole.setdefault("".join(o), "".join(n))
        if given and old and new:
            firsts.setdefault(old[0][0], new[0][0])
    return {o: n for o, n in whole.items() if len(o) > 1}, firsts
