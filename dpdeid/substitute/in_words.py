"""What has no surrogate, as ordinary French: a policy of surrogates shows no label in brackets.

A bracket would tell the reader which of the other names were replaced too. What stands for a value
is drawn from a stream named by its place among the values that nothing could read, or follows days
that were released: the value itself is looked at for its form alone, and for whether it was there
before. So nothing of it is told but that, and nothing is charged.
"""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar, Final

from dpdeid.document import Mention, Record, Surrogate
from dpdeid.labels import Label, Sex
from dpdeid.normalize import fold
from dpdeid.privacy.rng import Stream
from dpdeid.protocols import Context, Guarantee
from dpdeid.substitute.dates.ages import AgeUnit, elapsed
from dpdeid.substitute.dates.rendering import render
from dpdeid.substitute.dates.written.parser import Part, Piece, Shape
from dpdeid.substitute.people.first_names import first_name_pool
from dpdeid.substitute.people.name_table import surname_pool
from dpdeid.substitute.pseudonyms import (
    EarlierBirths,
    EarlierDays,
    canonical,
    lay_over,
    like_case,
    redraw,
)

_WORDS: Final[Mapping[Label, str]] = {
    Label.HOSPITAL: "l'établissement",
    Label.ORGANIZATION: "l'organisme",
    Label.UNIT: "le service",
    Label.CITY: "la commune",
    Label.COUNTRY: "le pays",
    Label.NATIONALITY: "étrangère",
    Label.STREET: "rue de la Gare",
    Label.PROFESSION: "salarié",
    Label.MARITAL_STATUS: "en famille",
    Label.KINSHIP: "proche",
    Label.DURATION: "quelque temps",
    Label.EMAIL: "contact@example.org",
    Label.URL: "www.example.org",
    Label.IP: "192.0.2.1",
}
_OTHERS: Final = {
    Label.DATE: "ce jour",
    Label.BIRTH_DATE: "ce jour",
    Label.AGE: "cet âge",
    Label.TIME: "heures",
}
"""What stands for a value without a digit; "non précisé" for one of other labels."""
_DIGIT: Final = re.compile(r"\d|(?<!\w)[OolI]{2}(?!\w)")
_LETTERS: Final = re.compile(r"[^\W\d_]{3}")
_SEPARATOR: Final = re.compile(r"\d\s?([/.-])\s?\w")
_YEAR: Final = re.compile(r"[\dOolI]{4}\W*\Z|\w+([/.-])\w+\1\w+")
_YOUNGEST: Final = 20
_OLDEST: Final = 90
_SPAN_DAYS: Final = 3652
"""Before e0: of a day in a note that has none."""


@dataclass(frozen=True, slots=True)
class Words:
    """Replaces a mention by a word, a number or a date that goes with its label.

    Args:
        labels: what it answers for.
    """

    name: ClassVar[str] = "words"
    needs: ClassVar[tuple[str, ...]] = ()

    labels: tuple[Label, ...] = tuple(Label)

    def substitute(
        self, mentions: Sequence[Mention], record: Record, context: Context
    ) -> Iterator[Surrogate]:
        numbers: dict[tuple[Label, str], int] = {}
        days, births = EarlierDays(context), EarlierBirths(context)
        for mention in mentions:
            number = numbers.setdefault((mention.label, fold(mention.text)), len(numbers))
            stream = context.streams.stream(self.name, mention.label, str(number))
            day = days.nearest(mention) or context.e0 - dt.timedelta(stream.randbelow(_SPAN_DAYS))
            birth = births.first or day - dt.timedelta(
                365 * _YOUNGEST + stream.randbelow(365 * (_OLDEST - _YOUNGEST))
            )
            text = _text(mention, stream, day, birth)
            yield Surrogate(mention, like_case(text, mention.text), self.name)

    def guarantees(self) -> tuple[Guarantee, ...]:
        return ()


def _text(mention: Mention, stream: Stream, day: dt.date, birth: dt.date) -> str:
    """What stands in the place of one mention.

    Args:
        day: the released day of its note.
        birth: the released birth of its record.
    """
    text, label = mention.text, mention.label
    if (word := _WORDS.get(label)) is not None:
        return word
    match label:
        case Label.LAST_NAME:
            return surname_pool().draw_any(stream).text
        case Label.FIRST_NAME:
            return first_name_pool(Sex.UNKNOWN).draw_any(stream).text
    if _DIGIT.search(text) is None:
        return _OTHERS.get(label, "non précisé")
    match label:
        case Label.DATE:
            return render(day, _shape(text), keep_padding=True)
        case Label.BIRTH_DATE:
            return render(birth, _BORN, keep_padding=True)
        case Label.AGE:
            return f"{max(elapsed(birth, day, AgeUnit.YEARS), 1)} ans"
        case Label.TIME:
            return f"{8 + stream.randbelow(11)}h{stream.randbelow(60):02d}"
    return lay_over(text, redraw(canonical(text), stream))


_BORN: Final = (
    Piece(Part.DAY, "2"),
    Piece(Part.TEXT, "/"),
    Piece(Part.MONTH, "2"),
    Piece(Part.TEXT, "/"),
    Piece(Part.YEAR, "4"),
)


def _shape(text: str) -> Shape:
    """The form of a date that could not be read: separator, letters, with a year or not."""
    separator = _SEPARATOR.search(text)
    worded = _LETTERS.search(text) is not None
    if not worded and separator is None:
        return (Piece(Part.DAY, "er"),)
    between = Piece(Part.TEXT, " " if worded or separator is None else separator[1])
    day, month = (Piece(Part.DAY, "er"), Piece(Part.MONTH, "full"))
    if not worded:
        day, month = Piece(Part.DAY, "2"), Piece(Part.MONTH, "2")
    year = (between, Piece(Part.YEAR, "4")) if _YEAR.search(text) else ()
    return (day, between, month, *year)
