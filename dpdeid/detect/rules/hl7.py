"""The fields of HL7 v2 messages that identify: "PID|1||4011^^^IPP||ROY^ANNE||19850301|F".

A segment is a line of fields, whose place says what they hold (HL7 v2.5.1, chapters 2 to 4, 6 and
7; French use: IHE PAM, national extension 2.11). Only messages with the usual marks | ^ ~ & are
read. What stands in a comment or a textual result is a note like any other and is left to the
other rules.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Final

from dpdeid.detect.names.vocabulary import SPECIALTIES
from dpdeid.document import Document, Span
from dpdeid.labels import Label, Role
from dpdeid.normalize import fold

Parts = Sequence[tuple[int, str]]
"""The components of a value, each with its offset in the note."""

_HEADS: Final = ("MSH|", "PID|")
_SEGMENT: Final = re.compile(
    r"(?<!\S)(MSH|EVN|PID|PD1|NK1|MRG|PV1|PV2|IN1|GT1|ORC|OBR|OBX|NTE|SPM|TXA|DG1|PR1|ROL|SCH|ZBE)"
    r"\|(?:(?![ \t](?:MSH|EVN|PID|PD1|NK1|PV1|PV2|IN1|ORC|OBR|OBX|NTE|SPM|TXA)\|)[^\r\n]){1,4000}"
)
"""A segment ends with its line, or where an export has put the next one on the same line."""
_FIELDS: Final[dict[str, str]] = {
    "MSH": "4 facility, 6 facility, 7 time, 10 order",
    "EVN": "2 time, 3 time, 5 caregiver, 6 time",
    "PID": "2 patient, 3 patient, 4 patient, 5 name, 6 name, 7 birth, 9 name, 11 address, 12 town,"
    " 13 phone, 14 phone, 16 status, 18 visit, 19 social, 20 other, 21 patient, 23 town,"
    " 26 nation, 28 nation, 29 time",
    "PD1": "3 facility, 4 caregiver",
    "NK1": "2 relative, 3 kin, 4 address, 5 phone, 6 phone, 13 employer, 16 birth, 30 relative,"
    " 31 phone, 32 address, 33 other",
    "MRG": "1 patient, 2 patient, 3 visit, 4 patient, 5 visit, 7 name",
    "PV1": "3 place, 5 visit, 6 place, 7 caregiver, 8 caregiver, 9 caregiver, 11 place,"
    " 17 caregiver, 19 visit, 42 place, 44 time, 45 time, 50 visit, 52 caregiver",
    "PV2": "8 time, 9 time, 13 caregiver",
    "IN1": "4 employer, 5 address, 7 phone, 12 time, 13 time, 16 name, 17 kin, 18 birth,"
    " 19 address, 36 other, 49 other",
    "GT1": "3 relative, 5 address, 6 phone, 7 phone, 8 birth, 11 kin, 12 social",
    "ORC": "2 order, 3 order, 4 order, 8 order, 9 time, 10 caregiver, 11 caregiver, 12 caregiver,"
    " 14 phone, 15 time, 19 caregiver, 21 facility, 22 address, 23 phone, 24 address",
    "OBR": "2 order, 3 order, 6 time, 7 time, 8 time, 10 caregiver, 14 time, 16 caregiver,"
    " 17 phone, 18 order, 19 order, 20 order, 21 order, 22 time, 28 caregiver, 29 order,"
    " 32 reader, 33 reader, 34 reader, 35 reader",
    "OBX": "14 time, 16 caregiver, 19 time, 23 facility, 24 address, 25 caregiver",
    "SPM": "2 order, 17 time, 18 time",
    "TXA": "4 time, 5 caregiver, 6 time, 7 time, 8 time, 9 caregiver, 10 caregiver, 11 reader,"
    " 12 order, 13 order, 14 order, 15 order, 22 caregiver",
    "DG1": "5 time, 16 caregiver",
    "PR1": "5 time, 8 caregiver, 11 caregiver, 12 caregiver",
    "ROL": "4 caregiver, 11 address, 12 phone",
    "SCH": "1 order, 2 order, 12 caregiver, 13 phone, 16 caregiver, 20 caregiver",
    "ZBE": "1 visit, 2 time",
}
_KINDS: Final = {
    segment: {int(number): kind for number, kind in map(str.split, fields.split(","))}
    for segment, fields in _FIELDS.items()
}
_TEXTS: Final[dict[str, frozenset[int]]] = {
    "NTE": frozenset((3,)),
    "OBX": frozenset((5,)),
    "OBR": frozenset((13, 31)),
    "PV2": frozenset((3, 12)),
    "DG1": frozenset((3, 4)),
    "ORC": frozenset((16,)),
    "PR1": frozenset((4,)),
}
"""Fields that may be prose, and so may hold anything."""
_MEASURED: Final = frozenset(("NM", "SN", "CE", "CWE", "DT", "TM", "TS", "DTM"))
"""Kinds of results (OBX-2) that are no prose."""
_TYPES: Final[dict[str, Label]] = {
    **dict.fromkeys(("PI", "MR", "PT", "IPP", "NIP"), Label.PATIENT_ID),
    **dict.fromkeys(("AN", "VN", "NDA", "IEP"), Label.VISIT_ID),
    **dict.fromkeys(("SS", "NI", "NIR", "NIA", "INS", "INS-NIR", "INS-NIA", "AVS"), Label.SSN),
    **dict.fromkeys(("DL", "PPN"), Label.OTHER_ID),
    **dict.fromkeys(("1.2.250.1.213.1.4.8", "1.2.250.1.213.1.4.9"), Label.SSN),
}
"""What an identifier is by the type and the authority beside it (components 4 and 5)."""
_STAMP: Final = re.compile(r"((?:19|20)\d\d(?:\d\d){0,2})(\d{4}(?:\d\d)?)?(?!\d)")
_CODE: Final = 3
"""Characters that a number has at least."""
_NAME: Final = ((1, Label.LAST_NAME), (2, Label.FIRST_NAME), (3, Label.FIRST_NAME))
"""A name: surname, given name, further given names."""
_SCORE: Final = 0.98
_SOURCE: Final = "patterns/hl7"


def hl7_fields(doc: Document, spans: Sequence[Span]) -> Iterator[Span]:
    """What the fields of all segments hold; `spans` are not looked at."""
    text = doc.text
    if not any(head in text for head in _HEADS):
        return
    for segment in _SEGMENT.finditer(text):
        kinds = _KINDS.get(segment[1], {})
        for number, start, value in _fields(segment):
            if number in kinds:
                for at, one in _split(start, value, "~"):
                    yield from _READERS[kinds[number]](list(_split(at, one, "^")))


def is_coded(text: str, at: int) -> bool:
    """Whether the place lies in a field of a message that holds no prose and names nobody."""
    if not any(head in text for head in _HEADS):
        return False
    for segment in _SEGMENT.finditer(text, text.rfind("\n", 0, at) + 1):
        if segment.start() > at:
            return False
        if at < segment.end():
            fields = tuple(_fields(segment))
            number = max((n for n, begin, _ in fields if begin <= at), default=0)
            return not _may_name(segment[1], number, [value for _, _, value in fields])
    return False


_OF_TYPES: Final = {
    **dict.fromkeys(("patient", "visit", "social", "other"), frozenset((2, 3, 5))),
    "name": frozenset((5, 6, 7)),
    "phone": frozenset((2, 3)),
}
"""Components of a field that say what kind of thing it holds, and name nobody."""


def is_type(text: str, at: int) -> bool:
    """Whether the place lies in a component that says what kind of number or name it is: "^PI"."""
    if not any(head in text for head in _HEADS):
        return False
    for segment in _SEGMENT.finditer(text, text.rfind("\n", 0, at) + 1):
        if segment.start() <= at < segment.end():
            passed = ((n, begin) for n, begin, _ in _fields(segment) if begin <= at)
            number, begin = max(passed, default=(0, at))
            kind = _KINDS.get(segment[1], {}).get(number, "")
            component = text[begin:at].rpartition("~")[2].count("^") + 1
            return component in _OF_TYPES.get(kind, ())
    return False


def is_header(text: str, at: int) -> bool:
    """Whether the place lies in the header of a message, in a field that names nobody."""
    start = text.rfind("\n", 0, at) + 1
    return text.startswith("MSH", start) and is_coded(text, at)


def _may_name(segment: str, number: int, values: Sequence[str]) -> bool:
    if segment == "OBX" and number == 5:
        return values[1] not in _MEASURED
    return number in _KINDS.get(segment, {}) or number in _TEXTS.get(segment, frozenset())


def _fields(segment: re.Match[str]) -> Iterator[tuple[int, int, str]]:
    """The fields as (number, offset, value). The first of MSH is the mark between fields."""
    head = segment[1]
    values = _split(segment.start() + len(head) + 1, segment[0][len(head) + 1 :], "|")
    for number, (at, value) in enumerate(values, 2 if head == "MSH" else 1):
        yield number, at, value


def _split(at: int, value: str, mark: str) -> Iterator[tuple[int, str]]:
    for part in value.split(mark):
        yield at, part
        at += len(part) + 1


def _span(
    parts: Parts, number: int, label: Label, *, code: bool = False, role: Role = Role.UNKNOWN
) -> Iterator[Span]:
    """The component of that number, from 1, if filled in and long enough: its first part only."""
    if number > len(parts):
        return
    at, value = parts[number - 1]
    value = value.split("&")[0].rstrip()
    at += len(value) - len(value := value.lstrip())
    if (
        any(map(str.isdigit, value)) and len(value) >= _CODE
        if code
        else any(map(str.isalnum, value))
    ):
        yield Span(at, at + len(value), label, _SCORE, _SOURCE, role)


def _each(
    *components: tuple[int, Label], role: Role = Role.UNKNOWN
) -> Callable[[Parts], Iterator[Span]]:
    """A reader of values whose components have a label each."""

    def read(parts: Parts) -> Iterator[Span]:
        for number, label in components:
            yield from _span(parts, number, label, role=role)

    return read


def _number(label: Label) -> Callable[[Parts], Iterator[Span]]:
    """A reader of identifiers; the type beside one may say another label."""

    def read(parts: Parts) -> Iterator[Span]:
        beside = [word for _, part in parts[3:5] for word in part.split("&")]
        said = next((_TYPES[word] for word in beside if word in _TYPES), label)
        yield from _span(parts, 1, said, code=True)

    return read


def _caregiver(parts: Parts) -> Iterator[Span]:
    """A number and a name; some senders leave the number out and begin with the name, or name a
    specialty alone: "||bio".
    """
    if len(parts) == 1 and fold(parts[0][1]) in SPECIALTIES:
        return
    numbered = not parts[0][1].isalpha() or any(part for _, part in parts[2:3])
    if numbered:
        yield from _span(parts, 1, Label.PROVIDER_ID)
    for number, label in _NAME:
        yield from _span(parts, number + numbered, label, role=Role.STAFF)


def _reader(parts: Parts) -> Iterator[Span]:
    """Who read an examination: the person's parts are subcomponents."""
    yield from _caregiver(list(_split(*parts[0], "&")))
    yield from _time(parts[1:3])


def _stamp(label: Label) -> Callable[[Parts], Iterator[Span]]:
    """A reader of points in time: the day, and the time of day if it is there."""

    def read(parts: Parts) -> Iterator[Span]:
        for at, value in parts:
            if stamp := _STAMP.match(value):
                for group, what in ((1, label), (2, Label.TIME)):
                    start, end = stamp.span(group)
                    if start < end:
                        yield Span(at + start, at + end, what, _SCORE, _SOURCE)

    return read


_time: Final = _stamp(Label.DATE)


def _phone(parts: Parts) -> Iterator[Span]:
    """Telephones stand in component 1 or 12, addresses of e-mail in 4; FX is a fax."""
    label = Label.FAX if parts[2:3] and parts[2][1] == "FX" else Label.PHONE
    for number in (1, 4, 12):
        mail = number <= len(parts) and "@" in parts[number - 1][1]
        if mail or number != 4:
            yield from _span(parts, number, Label.EMAIL if mail else label, code=not mail)


def _coded(label: Label) -> Callable[[Parts], Iterator[Span]]:
    """A reader of coded values: their text, or the code where there is none."""

    def read(parts: Parts) -> Iterator[Span]:
        yield from list(_span(parts, 2, label)) or _span(parts, 1, label)

    return read


_READERS: Final[dict[str, Callable[[Parts], Iterable[Span]]]] = {
    "name": _each(*_NAME, role=Role.PATIENT),
    "relative": _each(*_NAME, role=Role.RELATIVE),
    "caregiver": _caregiver,
    "reader": _reader,
    "address": _each(
        *((1, Label.STREET), (2, Label.STREET), (3, Label.CITY), (5, Label.ZIP)),
        (6, Label.COUNTRY),
    ),
    "place": _each(
        *((1, Label.UNIT), (2, Label.ROOM), (3, Label.ROOM), (4, Label.HOSPITAL)),
        *((7, Label.ROOM), (8, Label.ROOM)),
    ),
    "facility": _each((1, Label.HOSPITAL)),
    "employer": _each((1, Label.ORGANIZATION)),
    "town": _each((1, Label.CITY)),
    "patient": _number(Label.PATIENT_ID),
    "visit": _number(Label.VISIT_ID),
    "order": _number(Label.ORDER_ID),
    "social": _number(Label.SSN),
    "other": _number(Label.OTHER_ID),
    "time": _time,
    "birth": _stamp(Label.BIRTH_DATE),
    "phone": _phone,
    "status": _coded(Label.MARITAL_STATUS),
    "nation": _coded(Label.NATIONALITY),
    "kin": _coded(Label.KINSHIP),
}
