"""Strategies that draw nothing: `Redact` leaves a label or a mask, `Keep` the original,
`Generalise` a coarse value.

`Keep` exists so that a policy must name what it keeps and the ledger counts it: a kept value is one
without any guarantee. `Generalise` follows the safe-harbor rule of HIPAA (45 CFR 164.514(b)(2)):
dates become years, ages over 89 "90 ans ou plus", postal codes three digits, towns an area the size
of a state. Nothing is claimed: what is left is true. What would show an age over 89, or cannot be
read, has no surrogate, and the engine redacts it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from typing import ClassVar, Final, Literal, get_args

from dpdeid.document import Mention, Record, Surrogate
from dpdeid.gazetteers import places
from dpdeid.labels import Label, chuv_name
from dpdeid.privacy.ledger import Charge
from dpdeid.protocols import Context, Guarantee
from dpdeid.substitute.dates.ages import AgeUnit, elapsed, parse_age
from dpdeid.substitute.dates.reading import Read, read_dates
from dpdeid.substitute.dates.rendering import render
from dpdeid.substitute.dates.written.parser import DateRange, Precision
from dpdeid.substitute.places.lists.areas import area_named
from dpdeid.substitute.pseudonyms import KEPT, kept

Form = Literal["label", "chuv", "mask"]
MASK: Final = "*****"
"""One length for all, so that the mask does not tell how long the value was."""


@dataclass(frozen=True, slots=True)
class Redact:
    """Replaces a mention by what it was.

    Args:
        labels: what it redacts.
        form: "label" ([LAST_NAME]), "chuv" (the CHUV category, patients and staff apart) or "mask"
            (five asterisks).
    """

    name: ClassVar[str] = "redact"
    needs: ClassVar[tuple[str, ...]] = ()

    labels: tuple[Label, ...] = tuple(Label)
    form: Form = "label"

    def __post_init__(self) -> None:
        if self.form not in get_args(Form):
            raise ValueError(f"form is one of {', '.join(get_args(Form))}")

    def substitute(
        self, mentions: Sequence[Mention], record: Record, context: Context
    ) -> Iterator[Surrogate]:
        yield from (Surrogate(mention, self.text(mention), self.name) for mention in mentions)

    def text(self, mention: Mention) -> str:
        """What stands in the place of one mention."""
        if self.form == "mask":
            return MASK
        if self.form == "chuv":
            return f"[{chuv_name(mention.label, mention.span.role)}]"
        return f"[{mention.label}]"

    def guarantees(self) -> tuple[Guarantee, ...]:
        return ()


@dataclass(frozen=True, slots=True)
class Keep:
    """Leaves mentions as they stand, one charge without guarantee for each distinct value.

    Args:
        labels: what it keeps; there is no default, so that nothing is kept unnamed.
    """

    name: ClassVar[str] = "keep"
    needs: ClassVar[tuple[str, ...]] = ()

    labels: tuple[Label, ...]

    def substitute(
        self, mentions: Sequence[Mention], record: Record, context: Context
    ) -> Iterator[Surrogate]:
        costs: dict[tuple[Label, str], tuple[Charge]] = {}
        for mention in mentions:
            text = mention.text
            value = (mention.span.label, text)
            cost = costs.get(value)
            if cost is None:
                cost = costs[value] = (kept(mention, context.streams),)
            yield Surrogate(mention, text, self.name, cost)

    def guarantees(self) -> tuple[Guarantee, ...]:
        return (Guarantee(self.labels, "keep", KEPT),)


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
        reads, against = read_dates(dated, record, context.e0)
        for read in reads:
            day = against[read.mention.document].day
            if elapsed(min(read.days), day, AgeUnit.YEARS) <= OLDEST:
                yield Surrogate(read.mention, _year(read), self.name)
        for mention in mentions:
            if mention.label not in _DATES:
                text = _COARSE[mention.label](mention.text)
                if text is not None:
                    yield Surrogate(mention, text, self.name)

    def guarantees(self) -> tuple[Guarantee, ...]:
        return ()


def _year(read: Read) -> str:
    first, last = read.days[0], read.days[-1]
    if not isinstance(read.written, DateRange) and read.written.precision is Precision.DECADE:
        return render(first, read.written.shape, keep_padding=False)
    return f"{first:%Y}" if first.year == last.year else f"{first:%Y}-{last:%Y}"


def _age(text: str) -> str | None:
    age = parse_age(text)
    if age is None:
        return None
    return _OLD if age.unit is AgeUnit.YEARS and age.amount > OLDEST else text


def _zip(text: str) -> str:
    match = _FRENCH_ZIP.fullmatch(text.strip())
    prefix = match[1] + match[2][:1] if match is not None else ""
    return prefix if prefix in _populous_prefixes() else "000"


_COARSE: Final = {Label.AGE: _age, Label.ZIP: _zip, Label.CITY: area_named}


_ENOUGH: Final = 20_000
"""More people than this must live where a generalised place lies (HIPAA safe harbor)."""


@cache
def _populous_prefixes() -> frozenset[str]:
    """The first three digits of French postal codes under which more than 20,000 people live."""
    people: dict[str, int] = {}
    for place in places():
        for prefix in {code[:3] for code in place.zips if place.country == "FR"}:
            people[prefix] = people.get(prefix, 0) + place.population
    return frozenset(prefix for prefix, count in people.items() if count > _ENOUGH)
