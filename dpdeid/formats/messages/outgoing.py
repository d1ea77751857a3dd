"""HL7 v2 messages as they are released: made anew, with what is on a list and the new texts.

Texts stand in the note one below the other: comments and textual results in their order, then once
each what results and examinations are called. A result keeps everything about it that is a public
code, a number, a unit or a range of reference.
"""

from __future__ import annotations

import re
from base64 import b64encode
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from enum import Enum, auto
from typing import Final

from dpdeid.document import Deidentified
from dpdeid.formats.envelopes.parts import Held, Part, held, together
from dpdeid.formats.kinds import ANY, PartError
from dpdeid.formats.kinds import Reading as How
from dpdeid.formats.messages.codes import is_public
from dpdeid.formats.messages.embedded import embedded, typed
from dpdeid.formats.messages.facts import Patient
from dpdeid.formats.messages.segments import Marks, Message, value
from dpdeid.formats.messages.stretches import within
from dpdeid.french.measures import UNITS
from dpdeid.views.reading import Reading

_NUMBER: Final = r"[+-]?\d{1,7}(?:[.,]\d{1,6})?"
_PLAIN: Final = ("TX", "FT", "ST", "NM", "SN", "")
_CODED: Final = ("CE", "CWE", "CNE")
_MEASURED: Final = re.compile(_NUMBER)
_STRUCTURED: Final = re.compile(rf"[<>=]{{0,2}}|[-/:+.]|{_NUMBER}")
_UNIT: Final = re.compile(r"(?:[^\W\d_]|\d{1,3}(?!\d)|[%°/.*\[\]{}()'+\\-]){1,20}")
_UNITS: Final = {word for unit in UNITS for word in unit.split("/")} | {
    *("cell", "cells", "cellules", "champ", "copies", "cop", "gl", "gpt", "hg", "hpf", "iu"),
    *("kat", "log", "lpf", "nkat", "pmol", "prl", "secondes", "tpt", "ukat", "vol", "wb"),
    *("μg", "μl", "μmol", "μm", "µl", "µm"),
}
"""Words of units, folded; others are texts."""
_RANGE: Final = re.compile(rf"(?:[<>]=? ?)?{_NUMBER}(?: ?- ?{_NUMBER})?")
_FLAG: Final = re.compile(r"[A-Z]{1,2}|[<>]|POS|NEG")
_STATE: Final = re.compile(r"[A-Z]")
_CODE: Final = re.compile(r"[A-Z]{2,3}")
_DIGITS: Final = re.compile(r"\d{1,4}(?:\.\d{1,4}){0,4}")
_TYPE: Final = re.compile(r"[A-Z][A-Z0-9_]{2,6}")
_VERSION: Final = re.compile(r"2(?:\.\d){1,2}")
_DAY: Final = re.compile(r"\d{4}(?:-\d\d(?:-\d\d)?)?")
_NOBODY: Final = Patient()
_CHARSET: Final = "UNICODE UTF-8"
"""The character set of every message that is written."""


class Slot(Enum):
    """What is known only when a message is released."""

    ID = auto()
    DAY = auto()


@dataclass(frozen=True, slots=True)
class Value:
    """A text of a message: where it stands in the note, and how it was written."""

    start: int
    reading: Reading

    def written(self, marks: Marks, result: Deidentified, _: str) -> str:
        """The value as it is released: byte for byte what it was outside the surrogates."""
        raw, pieces, done = self.reading.raw, [""], 0
        end = self.start + len(self.reading.text)
        for first, last, new in within(result.surrogates, self.start, end):
            if stretch := self.reading.to_raw(first, last):
                pieces += (raw[done : stretch[0]], marks.written(new))
                done = max(done, stretch[1])
        return "".join((*pieces, raw[done:]))


@dataclass(frozen=True, slots=True)
class Packed:
    """A part of a message, in Base64: where its words stand in the note."""

    start: int
    part: Held

    def written(self, _: Marks, result: Deidentified, released_id: str) -> str:
        return b64encode(self.part.written(self.start, result, released_id)).decode()


Piece = str | int | Slot
"""Of a segment: as it is, a text by its number, or what comes with the release."""


@dataclass(frozen=True, slots=True)
class Outgoing:
    """A note that is a message.

    Args:
        segments: what is released, in pieces.
        told: its texts.
    """

    marks: Marks
    segments: Sequence[Sequence[Piece]] = field(repr=False)
    told: Sequence[Value | Packed] = field(repr=False)
    ending: str = ".hl7"

    def written(self, result: Deidentified, released_id: str) -> bytes:
        """The message, with segments that end with a carriage return, in UTF-8."""
        day = result.note_date or ""
        slots = {
            Slot.ID: self.marks.written(released_id),
            Slot.DAY: day.replace("-", "") if _DAY.fullmatch(day) else "",
        }

        def piece(one: Piece) -> str:
            if isinstance(one, int):
                return self.told[one].written(self.marks, result, released_id)
            return slots[one] if isinstance(one, Slot) else one

        lines = ("".join(map(piece, segment)) for segment in self.segments)
        return "".join(f"{line}\r" for line in lines).encode("utf-8", "replace")


class Draft:
    """A message that is being made, and the text of its note.

    Args:
        who: what is known of the patient, with what the parts say.
        parts: what was opened in it.
        lost: why others could not be.
    """

    def __init__(self, marks: Marks, how: How, who: Patient) -> None:
        self.marks = marks
        self.segments: list[list[Piece]] = []
        self.measured = False
        self.who = who
        self.parts: list[Held] = []
        self.lost: list[PartError] = []
        self._how = how.opening()
        self._readings: list[Reading | Held] = []
        self._names: dict[str, int] = {}

    @property
    def is_told(self) -> bool:
        """Whether it has a text, or a result, beside what these are called."""
        return self.measured or len(self._readings) > len(self._names)

    def add(self, name: str, fields: dict[int, Sequence[Piece]]) -> None:
        """Adds a segment, with its fields by number."""
        line: list[Piece] = [name]
        for number in range(1, max(fields, default=0) + 1):
            line += (self.marks.field, *fields.get(number, ()))
        self.segments.append(line)

    def text(self, raw: str) -> tuple[Piece, ...]:
        """A text of the note, as a piece of a field."""
        if not raw.strip():
            return ()
        self._readings.append(self.marks.read(self.marks.settled(raw)))
        return (len(self._readings) - 1,)

    def files(self, result: Sequence[str]) -> Sequence[Piece] | None:
        """The files that a result holds, as a field; empty if one cannot be read. None if it holds
        none.

        Raises:
            PartError: one cannot be read, and no half of a message is asked for.
        """
        try:
            parts = embedded(self.marks, result)
            pieces = [one for part in parts for one in (self.marks.repetition, *self._file(part))]
            return pieces[1:] if parts else None
        except PartError as error:
            if not self._how.partial:
                raise
            self.lost.append(error)
            return ()

    def _file(self, part: Part) -> Iterator[Piece]:
        one, mark = held(part, self._how), self.marks.component
        self.who = together(self.who, part.path, one)
        self.parts.append(one)
        self._readings.append(one)
        return iter((mark, *typed(one.ending, mark), mark, "Base64", mark, len(self._readings) - 1))

    def name(self, raw: str) -> tuple[Piece, ...]:
        """The same of what a result is called."""
        if raw not in self._names:
            if not (given := self.text(raw)):
                return ()
            self._names[raw] = len(self._readings) - 1
            return given
        return (self._names[raw],)

    def done(self) -> tuple[str, Outgoing]:
        """The text of the note, and its form."""
        names = {*self._names.values()}
        order = [at for at in range(len(self._readings)) if at not in names] + sorted(names)
        told: dict[int, Value | Packed] = {}
        text = ""
        for at in order:
            one = self._readings[at]
            apart = at in names or isinstance(one, Held)
            text += ("\n\n" if apart else "\n") if text else ""
            if isinstance(one, Held):
                told[at] = Packed(len(text), one)
                text += one.note.text
            else:
                told[at] = Value(len(text), one)
                text += one.text
        return text, Outgoing(self.marks, self.segments, [told[at] for at in sorted(told)])


def draft(message: Message, how: How = ANY, who: Patient = _NOBODY) -> Draft:
    """What is released of a message: MSH, a PID that tells nothing, TXA, OBR, OBX and NTE.

    Raises:
        PartError: see `Draft.files`.
    """
    new = Draft(message.marks, how, who)
    new.segments += (
        head(message.marks, _kind(message), message.field("MSH", 12), message.field("MSH", 11)),
        ["PID", message.marks.field, "1", *[message.marks.field] * 2, Slot.ID],
    )
    for segment in message.segments:
        if segment[0] == "TXA":
            new.add("TXA", _document(segment))
        elif segment[0] == "OBR":
            new.add("OBR", _examination(new, segment))
        elif segment[0] == "OBX":
            new.add("OBX", _result(new, segment))
        elif segment[0] == "NTE":
            known = {1: _known(_DIGITS, segment, 1), 2: _known(_STATE, segment, 2)}
            new.add("NTE", {**known, 3: new.text(value(segment, 3))})
    return new


def head(marks: Marks, kind: str, version: str = "", processing: str = "") -> list[Piece]:
    """The MSH of a released message."""
    version = marks.split(version, marks.component)[0]
    version = version if _VERSION.fullmatch(version) else "2.5"
    processing = processing if processing in ("P", "D", "T") else "P"
    pipe = marks.field
    ahead: list[Piece] = [
        f"MSH{marks.used}",
        *[pipe] * 5,
        Slot.DAY,
        pipe,
        pipe,
        kind,
        pipe,
        Slot.ID,
        pipe,
    ]
    return [*ahead, processing, pipe, version, *[pipe] * 6, _CHARSET]


def _kind(message: Message) -> str:
    mark = message.marks.component
    parts = message.marks.split(message.field("MSH", 9), mark)
    return mark.join(part for part in parts[:3] if _TYPE.fullmatch(part))


def _known(form: re.Pattern[str], segment: Sequence[str], number: int) -> tuple[Piece, ...]:
    """A field, if it has the form of a code that tells nothing."""
    one = value(segment, number)
    return (one,) if form.fullmatch(one) else ()


def _document(segment: Sequence[str]) -> dict[int, Sequence[Piece]]:
    codes = {number: _known(_CODE, segment, number) for number in (2, 3, 17)}
    return {**codes, 1: _known(_DIGITS, segment, 1), 4: (Slot.DAY,), 12: (Slot.ID,)}


def _examination(new: Draft, segment: Sequence[str]) -> dict[int, Sequence[Piece]]:
    return {
        1: _known(_DIGITS, segment, 1),
        4: _called(new, value(segment, 4)),
        7: (Slot.DAY,),
        13: new.text(value(segment, 13)),
        24: _known(_CODE, segment, 24),
        25: _known(_STATE, segment, 25),
    }


def _result(new: Draft, segment: Sequence[str]) -> dict[int, Sequence[Piece]]:
    kind, given = _valued(new, segment)
    unit, *_ = new.marks.split(value(segment, 6), new.marks.component)
    return {
        1: _known(_DIGITS, segment, 1),
        2: (kind,),
        3: _called(new, value(segment, 3)),
        4: _known(_DIGITS, segment, 4),
        5: given,
        6: (unit,) if _is_unit(unit) else new.name(unit),
        7: _known(_RANGE, segment, 7),
        8: _known(_FLAG, segment, 8),
        11: _known(_STATE, segment, 11),
    }


def _is_unit(unit: str) -> bool:
    words = re.findall(r"[^\W\d_]+", unit.lower())
    return _UNIT.fullmatch(unit) is not None and _UNITS.issuperset(words)


def _valued(new: Draft, segment: Sequence[str]) -> tuple[str, Sequence[Piece]]:
    """The type of a result and what is released of it: nothing of types that are not listed."""
    marks, kind, given = new.marks, value(segment, 2), value(segment, 5)
    if (files := new.files(segment)) is not None:
        return "ED", files
    if kind in _CODED:
        pieces: list[Piece] = []
        for at, one in enumerate(marks.split(given, marks.repetition)):
            pieces += ([marks.repetition] if at else []) + [*_coded(new, one, new.text)]
        return kind, pieces
    if kind not in _PLAIN:
        return (kind if _CODE.fullmatch(kind) else ""), ()
    parts = marks.split(given, marks.component)
    if kind == "SN" and len(parts) < 5 and all(map(_STRUCTURED.fullmatch, parts)):
        new.measured = True
        return kind, (given,)
    if kind == "NM" and _MEASURED.fullmatch(given):
        new.measured = True
        return kind, (given,)
    return (kind if kind in ("TX", "FT") else "ST"), new.text(given)


def _called(new: Draft, given: str) -> Sequence[Piece]:
    """What a result or examination is called: its public code, or its words as text."""
    return _coded(new, given, new.name, either=True)


def _coded(
    new: Draft, given: str, told: Callable[[str], Sequence[Piece]], *, either: bool = False
) -> Sequence[Piece]:
    marks = new.marks
    parts = marks.split(given, marks.component)
    pieces: list[Piece] = []
    for at in (0, 3):
        code, words, system = (*parts[at : at + 3], "", "", "")[:3]
        public = is_public(system, code)
        named = () if public and either else told(words)
        pieces += [code if public else "", marks.component, *named, marks.component]
        pieces += [system if public else "", marks.component]
    while pieces and pieces[-1] in ("", marks.component):
        pieces.pop()
    return pieces
