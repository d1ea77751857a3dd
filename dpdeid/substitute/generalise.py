"""Dates, ages and places made coarse, after the safe-harbor rule of HIPAA (45 CFR 164.514(b)(2)).

Dates become years, ages over 89 "90 ans ou plus", postal codes three digits, towns an area the size
of a state. Nothing is drawn and nothing is claimed: what is left is true. What would show an age
over 89, or cannot be read, has no surrogate, and the engine redacts it.
"""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import ClassVar, Final

from dpdeid.document import Mention, Record, Surrogate
from dpdeid.labels import Label
from dpdeid.protocols import Context, Guarantee
from dpdeid.substitute.ages import AgeUnit, elapsed, parse_age
from dpdeid.substitute.areas import area_named, populous_prefixes
from dpdeid.substitute.reading import Read, read_dates
from dpdeid.substitute.rendering import render
from dpdeid.substitute.written import DateRange, Precision

_DATES: Final = (Label.DATE, Label.BIRTH_DATE)
_SERVED: Final = (*_DATES, Label.AGE, Label.ZIP, Label.CITY)
OLDEST: Final = 89
"""The highest age that is printed."""
_OLD: Final = "90 ans ou plus"
_FRENCH_ZIP: Final = re.compile(r"(?:F(?:R)?[- ]?)?(\d{2}) ?(\d{3})", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Generalise:
    """Coarse but true values in the place of exact ones.

    Args:
        labels: some of DATE, BIRTH_DATE, AGE, ZIP, CITY.

    Raises:
        ValueError: another label is asked for.
    """

    name: ClassVar[str] = "generalise"
    needs: ClassVar[tuple[str, ...]] = ()

    labels: tuple[Label, ...]

    def __post_init__(self) -> None:
        if not self.labels or not set(self.labels) <= set(_SERVED):
            raise ValueError(f"labels must be some of {', '.join(_SERVED)}")

    def substitute(
        self, mentions: Sequence[Mention], record: Record, context: Context
    ) -> Iterable[Surrogate]:
        """A coarse value for every mention that can be read and shows no age over 89."""
        dated = [mention for mention in mentions if mention.label in _DATES]
        yield from _years(dated, record, context.e0)
        for mention in mentions:
            if mention.label not in _DATES:
                text = _COARSE[mention.label](mention.text)
                if text is not None:
                    yield Surrogate(mention, text, self.name)

    def guarantees(self) -> tuple[Guarantee, ...]:
        return ()


def _years(mentions: Sequence[Mention], record: Record, e0: dt.date) -> Iterator[Surrogate]:
    reads, against = read_dates(mentions, record, e0)
    for read in reads:
        reference = against[read.mention.document].day
        if elapsed(min(read.days), reference, AgeUnit.YEARS) <= OLDEST:
            yield Surrogate(read.mention, _year(read), Generalise.name)


def _year(read: Read) -> str:
    first, last = read.days[0], read.days[-1]
    if not isinstance(read.written, DateRange) and read.written.precision is Precision.DECADE:
        return render(first, read.written.shape, keep_padding=False)
    return f"{first:%Y}" if first.year == last.year else f"{first:%Y}-{last:%Y}"


def _age(text: str) -> str | None:
    age = parse_age(text)
    if age is None:
        return None
    over = age.unit is AgeUnit.YEARS and age.amount > OLDEST
    return _OLD if over else text


def _zip(text: str) -> str:
    match = _FRENCH_ZIP.fullmatch(text.strip())
    prefix = match[1] + match[2][:1] if match is not None else ""
    return prefix if prefix in populous_prefixes() else "000"


_COARSE: Final = {Label.AGE: _age, Label.ZIP: _zip, Label.CITY: area_named}
