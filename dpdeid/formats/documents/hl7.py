"""HL7 v2: documents (MDM) and results (ORU), several messages a file, released as messages.

The note of a message is its textual results and comments, with their escapes read; a message that
names several patients is a note of each. Whatever separators it has, the engine sees plain lines,
and the way back is exact: outside the surrogates a value is released as it was written. The raw
segments are no note: what stands around the values is not released, and would be read as text.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from typing import BinaryIO, Final

from dpdeid.document import Deidentified
from dpdeid.formats.envelopes.parts import least, missing
from dpdeid.formats.kinds import MARK, Origin, PartError, Piece, Reading
from dpdeid.formats.messages.facts import Patient, Told
from dpdeid.formats.messages.outgoing import Outgoing, Slot, draft, head
from dpdeid.formats.messages.segments import Marks, Message, messages, value
from dpdeid.formats.rows import Row
from dpdeid.french.calendar import day_of
from dpdeid.labels import Label

_MARKS: Final = Marks()
_KINDS: Final = ("MDM", "ORU")
_TELLING: Final = ("OBX", "NTE", "OBR")
_TYPE: Final = re.compile("[A-Z]{3}")
_DATES: Final = (("TXA", 6), ("TXA", 4), ("OBR", 22), ("OBR", 7), ("OBX", 14))
"""Where the day on which a note was written may stand, the best first."""
_NUMBERS: Final = (
    *(("PID", 18), ("PV1", 5), ("PV1", 19), ("PV1", 50), ("TXA", 12), ("TXA", 14)),
    *(("OBR", 2), ("OBR", 3)),
)
"""Numbers of the stay, the document and its order."""
_PHONE, _MAIL, _OTHER_PHONE = 0, 3, 11
"""Components of a telecommunication address (XTN)."""
_PEOPLE: Final = {
    "EVN": (5,),
    "PV1": (7, 8, 9, 17, 52),
    "ORC": (10, 11, 12, 19),
    "OBR": (10, 16, 28, 32, 33, 34, 35),
    "TXA": (5, 9, 10, 11, 22, 23),
    "OBX": (16, 25),
    "ROL": (4,),
    "PRT": (5,),
}
"""Where segments name staff (XCN)."""
_RELATIVES: Final = {"NK1": (2, 30)}
"""Where they name relatives (XPN)."""
_INSTITUTIONS: Final = {"MSH": (4, 6), "ORC": (21,), "OBX": (23,), "PRT": (8,)}
_PLACES: Final = {"NK1": (4, 32), "ORC": (22, 24), "OBX": (24,), "PRT": (14,)}
_CALLED: Final = {"NK1": (5, 6, 31), "ORC": (14, 23), "OBR": (17,), "PRT": (15,)}
"""Their addresses and telephones."""


def read(file: BinaryIO, origin: Origin, how: Reading) -> Iterator[Row]:
    """The notes of a file; messages without a document are bare rows."""
    number = 0
    for found in messages(file):
        for message in (found,) if isinstance(found, str) else found.of_patients():
            number += 1
            where, note = origin.row(number), f"{origin.note}#{number}"
            try:
                yield _row(message, where, note, how)
            except PartError as error:
                who = patient_of(message) if isinstance(message, Message) else Patient()
                yield Row(where, note, None, f"{where}{MARK}{error}", patient_id=who.id)
    if not number:
        yield Row(origin.file, None, None, f"{origin.file}: holds no HL7 message", place="file 1")


def _row(message: Message | str, where: str, note: str, how: Reading) -> Row:
    if isinstance(message, str):
        return Row(where, note, None, f"{where}: {message}")
    who, kind = patient_of(message), message.field("MSH", 9)[:3]
    has_document = kind in _KINDS and any(segment[0] in _TELLING for segment in message.segments)
    if not has_document and not how.bare:
        return Row(where, note, patient_id=who.id, bare=kind if _TYPE.fullmatch(kind) else "other")
    new = draft(message, how, who)
    if has_document and not new.is_told:
        error = f"{where}{MARK}{new.lost[0]}" if new.lost else f"{where}: no text among its results"
        return Row(where, note, None, error, patient_id=who.id)
    text, form = new.done()
    days = (day_of(message.field(*place)[:8]) for place in _DATES)
    inner = (part.note.note_date for part in new.parts)
    day = next((day for day in (*days, *inner) if day), None)
    note_of = new.who.document(note, text, day)
    lost = missing(new.parts, len(new.lost))
    ocr = least(part.ocr for part in new.parts)
    return Row(where, note, note_of, patient_id=note_of.patient_id, form=form, lost=lost, ocr=ocr)


def patient_of(message: Message) -> Patient:
    """Whose a message is, and what is known of the patient and of others."""
    told = Told()

    def repeated(segment: str, number: int) -> list[list[str]]:
        return message.marks.repeated(message.field(segment, number))

    for number in (3, 2, 4):
        for one in repeated("PID", number):
            told.number(one[0], _at(one, 4), _at(one, 3))
    for number in (5, 9, 6):
        for one in repeated("PID", number):
            told.add("last_name", one[0].partition("&")[0])
            if number != 6:  # the mother's
                told.add("first_name", _at(one, 1), *_at(one, 2).split(","))
    told.add("birth_date", message.field("PID", 7)[:8])
    told.sex(message.field("PID", 8))
    for one in repeated("PID", 11):
        _lives(told, one)
    told.add("city", *(one[0] for one in repeated("PID", 23)))
    for number in (13, 14):
        for one in repeated("PID", number):
            _called(told, one)
    for segment, number in _NUMBERS:
        told.add("nda", *(one[0] for one in repeated(segment, number)))
    told.add("ssn", *(one[0] for one in repeated("PID", 19)))
    return replace(told.patient(), others=_others(message))


def _others(message: Message) -> Mapping[Label, tuple[str, ...]]:
    """What is known of staff, relatives and institutions."""
    told, marks = Told(), message.marks
    for segment in message.segments:
        for places, tell in (
            (_PEOPLE, _person),
            (_RELATIVES, _relative),
            (_INSTITUTIONS, _institution),
            (_PLACES, _lives),
            (_CALLED, _called),
        ):
            for number in places.get(segment[0], ()):
                for one in marks.repeated(value(segment, number)):
                    within = marks.split(one[0], marks.part)  # OBR-32 has its names in there
                    tell(told, within if tell is _person and len(within) > 1 else one)
    return told.others()


def _person(told: Told, one: list[str]) -> None:
    """One of the others: number, family and first names, or a name in the place of the number."""
    number, family = one[0], _at(one, 1).partition("&")[0]
    if any(map(str.isdigit, number)):
        told.add("provider", number)
        number = ""
    told.somebody(family or number, _at(one, 2), *_at(one, 3).split(","))


def _relative(told: Told, one: list[str]) -> None:
    """A relative: family and first names."""
    told.somebody(one[0].partition("&")[0], _at(one, 1), *_at(one, 2).split(","))


def _institution(told: Told, one: list[str]) -> None:
    told.institution(one[0])


def _lives(told: Told, one: list[str]) -> None:
    """An address (XAD)."""
    told.add("address", _at(one, 0).replace("&", " "), _at(one, 1))
    told.add("city", _at(one, 2))
    told.add("zip", _at(one, 4))


def _called(told: Told, one: list[str]) -> None:
    """A telephone or an address of mail (XTN)."""
    told.add("phone", _at(one, _OTHER_PHONE), *_phones(_at(one, _PHONE)))
    told.add("email", *(x for x in (_at(one, _MAIL), _at(one, _PHONE)) if "@" in x))


def _at(components: list[str], number: int) -> str:
    return components[number] if number < len(components) else ""


def _phones(value: str) -> Iterator[str]:
    if "@" not in value:
        yield value


def write(pieces: Iterable[Piece], file: BinaryIO) -> None:
    """Writes the messages one after the other. A text becomes a document (MDM), and a note that
    failed an acknowledgement that says so (MSA|AE).
    """
    file.writelines(map(_message, pieces))


def _message(piece: Piece) -> bytes:
    if "content" not in piece:
        return _refused(piece["id"], piece["error"])
    content: bytes = piece["content"]
    if piece["ending"] == ".hl7":
        return content
    if piece["ending"] != ".txt":
        return _refused(piece["id"], f"a note that is a {piece['ending']} file is no message")
    text = _MARKS.written(content.decode())
    segments = (
        ("MSH", *[""] * 8, "MDM^T02^MDM_T02"),
        ("TXA", "1"),
        ("OBX", "1", "FT", "", "", text),
    )
    _, form = draft(Message(_MARKS, segments)).done()
    return form.written(Deidentified("", ""), piece["id"])


def _refused(note: str | None, error: str) -> bytes:
    segments = (head(_MARKS, "ACK"), ("MSA|AE|", Slot.ID, "|", _MARKS.written(error)))
    return Outgoing(_MARKS, segments, ()).written(Deidentified("", ""), note or "")
