"""Templates: notes of one patient with typed slots, and what they say under a filling.

A filling gives each variable a value: a day (the first one, of what names a month or a year), a
birth, a place. A variable may stand in several slots: they are then equal in every filling.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Final
from zlib import crc32

from dpdeid.document import Document, Span
from dpdeid.gazetteers import Place
from dpdeid.labels import Label, Role
from dpdeid.testing.coupled.forms import AGES, DATES, NUMBERS, TIMES, TOWNS, Lead, led
from dpdeid.views.plain import reading_of

E0: Final = dt.date(2026, 12, 31)
"""The reference date of the cohort; notes lie before it, other dates where they will."""
Value = dt.date | dt.time | Place | str
Filling = Mapping[str, Value]
_PATIENT: Final = "p"
_NUMBERS: Final = 20
_FIELD: Final = 90
"""Characters of a field in a form of fixed width: more than any value has."""


@dataclass(frozen=True, slots=True)
class DateSlot:
    """A date.

    Args:
        beside: the variable of the date beside it, from which the year or month comes that its form
            lacks; without one it comes from the date of the note.
    """

    var: str
    form: str
    beside: str | None = None
    lead: Lead = ""
    label: Label = Label.DATE
    role: Role = Role.UNKNOWN

    def text(self, filling: Filling, note: dt.date) -> tuple[str, str]:
        """What French puts before it, and its own text."""
        return led(self.lead, DATES[self.form].write(day_of(filling, self.var)))


@dataclass(frozen=True, slots=True)
class RangeSlot:
    """Two dates in one span: "12-16/03/2024"."""

    var: str
    last: str
    forms: tuple[str, str]
    joiner: str
    label: Label = Label.DATE
    role: Role = Role.UNKNOWN

    def text(self, filling: Filling, note: dt.date) -> tuple[str, str]:
        first, last = (
            DATES[form].write(day_of(filling, var))
            for form, var in zip(self.forms, (self.var, self.last), strict=True)
        )
        return "", first + self.joiner + last


@dataclass(frozen=True, slots=True)
class AgeSlot:
    """The age of somebody born at `var`, on the day of the note, or on a day of the past."""

    var: str
    form: str
    label: Label = Label.AGE
    role: Role = Role.UNKNOWN
    then: str | None = None

    def text(self, filling: Filling, note: dt.date) -> tuple[str, str]:
        day = note if self.then is None else day_of(filling, self.then)
        return "", AGES[self.form].write(*self.amount(day_of(filling, self.var), day))

    def amount(self, born: dt.date, day: dt.date) -> tuple[int, int]:
        """Whole units, and the months beyond whole years."""
        days = (day - born).days
        months = (day.year - born.year) * 12 + day.month - born.month - (day.day < born.day)
        small = {"days": days, "weeks": days // 7, "months": months}.get(AGES[self.form].unit)
        return divmod(months, 12) if small is None else (small, 0)


@dataclass(frozen=True, slots=True)
class TownSlot:
    """The name of a town; of a text, where no list knows it.

    Args:
        cedex: whether a number of its post follows, which no span covers: "PARIS CEDEX 13".
    """

    var: str
    form: str
    lead: Lead = ""
    label: Label = Label.CITY
    role: Role = Role.UNKNOWN
    cedex: bool = False

    def text(self, filling: Filling, note: dt.date) -> tuple[str, str]:
        place = filling[self.var]
        word, name = led(self.lead, place.name if isinstance(place, Place) else str(place))
        return word, TOWNS[self.form](name)

    def behind(self, filling: Filling) -> str:
        """What follows it, another number for each town."""
        _, name = self.text(filling, E0)
        return f" CEDEX {1 + crc32(name.encode()) % _NUMBERS:02}" if self.cedex else ""


@dataclass(frozen=True, slots=True)
class InstitutionSlot:
    """An institution named after a town that a `TownSlot` tells: "CHU du Mans"."""

    var: str
    form: str
    head: str
    label: Label = Label.HOSPITAL
    role: Role = Role.UNKNOWN

    def text(self, filling: Filling, note: dt.date) -> tuple[str, str]:
        link, name = TownSlot(self.var, self.form, "de").text(filling, note)
        return "", self.head + link + name


@dataclass(frozen=True, slots=True)
class ZipSlot:
    """The first postal code of a town."""

    var: str
    form: str = "69003"
    label: Label = Label.ZIP
    role: Role = Role.UNKNOWN

    def text(self, filling: Filling, note: dt.date) -> tuple[str, str]:
        code = place_of(filling, self.var).zips[0]
        return "", code if self.form == "69003" else f"{code[:2]} {code[2:]}"


@dataclass(frozen=True, slots=True)
class AreaSlot:
    """The code of the department of a town."""

    var: str
    label: Label = Label.CITY
    role: Role = Role.UNKNOWN

    def text(self, filling: Filling, note: dt.date) -> tuple[str, str]:
        return "", place_of(filling, self.var).department


@dataclass(frozen=True, slots=True)
class NumberSlot:
    """A number that tells the birth `var` and the town `town`, as far as its form does."""

    var: str
    town: str
    form: str
    role: Role = Role.UNKNOWN

    @property
    def label(self) -> Label:
        return NUMBERS[self.form].label

    def text(self, filling: Filling, note: dt.date) -> tuple[str, str]:
        return "", NUMBERS[self.form].write(day_of(filling, self.var), place_of(filling, self.town))


@dataclass(frozen=True, slots=True)
class TimeSlot:
    """A clock time, on the day of the date right before it or of its note."""

    var: str
    form: str
    label: Label = Label.TIME
    role: Role = Role.UNKNOWN

    def text(self, filling: Filling, note: dt.date) -> tuple[str, str]:
        return "", TIMES[self.form](time_of(filling, self.var))

    def minute(self, filling: Filling) -> int:
        """From midnight, as it is printed."""
        time = time_of(filling, self.var)
        return 60 * time.hour + time.minute * ("54" in self.form)


@dataclass(frozen=True, slots=True)
class Fixed:
    """A keyed identifier or a kept value, the same in every filling. It has no variable."""

    written: str = field(repr=False)
    label: Label
    var: str = ""
    role: Role = Role.UNKNOWN

    def text(self, filling: Filling, note: dt.date) -> tuple[str, str]:
        return "", self.written


Slot = (
    DateSlot
    | RangeSlot
    | AgeSlot
    | TownSlot
    | InstitutionSlot
    | ZipSlot
    | AreaSlot
    | NumberSlot
    | TimeSlot
    | Fixed
)
Phrase = tuple[str | Slot, ...]


@dataclass(frozen=True, slots=True)
class Note:
    """A note.

    Args:
        date, known: the variables of its own date and of the patient's birth, None where the
            hospital gave none.
        form: of `FORMS`, how it is written.
    """

    date: str | None
    phrases: tuple[Phrase, ...] = field(repr=False)
    known: str | None = None
    form: str = "plain"


def _boxed(text: str, spans: Sequence[Span]) -> str:
    pieces: list[str] = []
    done = 0
    for span in spans:
        pieces += (text[done : span.start], "|".join(text[span.start : span.end]))
        done = span.end
    return "".join((*pieces, text[done:]))


FORMS: Final[Mapping[str, Callable[[str, Sequence[Span]], str]]] = {
    "plain": lambda text, _: text,
    "entities": lambda text, _: text.encode("ascii", "xmlcharrefreplace").decode(),
    "values in entities": lambda text, spans: "".join(
        f"&#{ord(c)};" if ord(c) > 127 and any(s.start <= at < s.end for s in spans) else c
        for at, c in enumerate(text)
    ),
    "unbreakable": lambda text, _: text.replace(" ", "\u00a0"),
    "boxes": _boxed,
    "fields": lambda text, _: text,
}
"""How a note may be written: a plain text with its spans → what stands in the file."""


@dataclass(frozen=True, slots=True)
class Template:
    """The notes of one patient.

    Args:
        slots: every slot with the index of its note.
    """

    notes: tuple[Note, ...]
    slots: tuple[tuple[int, Slot], ...] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        said = ((at, phrase) for at, note in enumerate(self.notes) for phrase in note.phrases)
        pieces = ((at, piece) for at, phrase in said for piece in phrase)
        slots = tuple([(at, piece) for at, piece in pieces if not isinstance(piece, str)])
        object.__setattr__(self, "slots", slots)

    def variables(self) -> frozenset[str]:
        """The variables that stand somewhere."""
        used = {var for note in self.notes for var in (note.date, note.known)}
        used |= {slot.var for _, slot in self.slots}
        more = {slot.last for _, slot in self.slots if isinstance(slot, RangeSlot)}
        more |= {slot.town for _, slot in self.slots if isinstance(slot, NumberSlot)}
        return frozenset(filter(None, used | more))

    def variables_of(self, at: int) -> frozenset[str]:
        """The variables of one note."""
        return Template((self.notes[at],)).variables()

    @property
    def can_come_apart(self) -> bool:
        """Whether its notes may come one by one: there are several, all dated, since a note without
        a date is read against those that came with it; and no institution is named before its town,
        since it has a keyed name then, which two fillings do not share.
        """
        first: dict[str, int] = {}
        for at, slot in self.slots:
            if isinstance(slot, TownSlot):
                first.setdefault(slot.var, at)
        dated = all(note.date is not None for note in self.notes)
        return (
            len(self.notes) > 1
            and dated
            and all(
                first.get(slot.var, at + 1) <= at
                for at, slot in self.slots
                if isinstance(slot, InstitutionSlot)
            )
        )

    def with_notes(self, at: int, *notes: Note) -> Template:
        """The same with these notes, or none, in the place of one."""
        return Template((*self.notes[:at], *notes, *self.notes[at + 1 :]))

    def with_phrases(self, at: int, which: int, *phrases: Phrase) -> Template:
        """The same with these phrases, or none, in the place of one of a note."""
        said = self.notes[at].phrases
        said = (*said[:which], *phrases, *said[which + 1 :])
        return self.with_notes(at, replace(self.notes[at], phrases=said))

    def fill(self, filling: Filling) -> tuple[tuple[Document, tuple[Span, ...]], ...]:
        """The notes of a filling as they are written, each with the spans of its plain text."""
        plain = [self._note(at, note, filling) for at, note in enumerate(self.notes)]
        return tuple(
            (replace(doc, text=FORMS[note.form](doc.text, spans)), spans)
            for note, (doc, spans) in zip(self.notes, plain, strict=True)
        )

    def as_plain(self) -> Template:
        """The same, in no form."""
        return Template(tuple(replace(note, form="plain") for note in self.notes))

    def reads_back(self, filling: Filling) -> bool:
        """Whether what is written is read as what was meant."""
        return all(
            reading_of(doc.text).text == self._note(at, self.notes[at], filling)[0].text
            for at, (doc, _) in enumerate(self.fill(filling))
        )

    def forms_seen(self, filling: Filling) -> tuple[bool, ...]:
        """Of each note whether the text between its values shows its form."""
        seen = []
        for number, note in enumerate(self.notes):
            doc, spans = self._note(number, note, filling)
            held = {at for span in spans for at in range(span.start, span.end)}
            between = "".join(c for at, c in enumerate(doc.text) if at not in held)
            seen.append(FORMS[note.form](between, ()) != between)
        return tuple(seen)

    def _note(self, at: int, note: Note, filling: Filling) -> tuple[Document, tuple[Span, ...]]:
        text, spans = "", []
        day = None if note.date is None else day_of(filling, note.date)
        for phrase in note.phrases:
            for piece in phrase:
                if isinstance(piece, str):
                    text += piece
                    continue
                word, own = piece.text(filling, day or E0)
                start = len(text) + len(word)
                end = start + len(own)
                spans.append(Span(start, end, piece.label, source="planted", role=piece.role))
                behind = piece.behind(filling) if isinstance(piece, TownSlot) else ""
                text += (word + own + behind).ljust(_FIELD if note.form == "fields" else 0)
        born = note.known and {Label.BIRTH_DATE: (day_of(filling, note.known).isoformat(),)}
        return Document(f"n{at}", text, _PATIENT, day, born or {}), tuple(spans)


def day_of(filling: Filling, var: str) -> dt.date:
    """The day that a filling gives a variable."""
    value = filling[var]
    if not isinstance(value, dt.date):
        raise TypeError(f"{var} is no date")
    return value


def time_of(filling: Filling, var: str) -> dt.time:
    """The time that a filling gives a variable."""
    value = filling[var]
    if not isinstance(value, dt.time):
        raise TypeError(f"{var} is no time")
    return value


def place_of(filling: Filling, var: str) -> Place:
    """The place that a filling gives a variable."""
    value = filling[var]
    if not isinstance(value, Place):
        raise TypeError(f"{var} is no place")
    return value
