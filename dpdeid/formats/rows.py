"""Rows of whatever kind of file: a note each, or why there is none.

Reading never stops at a bad row: what cannot be read becomes a `Row` with an error that names the
row or file, so that every input row has its output row. No message repeats the input's values. The
key "patient" of a row holds what the hospital knows of the patient (`facts`).
"""

from __future__ import annotations

import datetime as dt
import re
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final, Protocol, TypeGuard

from dpdeid.document import Deidentified, Document
from dpdeid.errors import InputError
from dpdeid.french.calendar import DAY_FORMS, day_of
from dpdeid.labels import Label, Sex
from dpdeid.normalize import fold

FACTS: Final = {
    "first_name": Label.FIRST_NAME,
    "last_name": Label.LAST_NAME,
    "birth_name": Label.LAST_NAME,
    "birth_date": Label.BIRTH_DATE,
    "address": Label.STREET,
    "city": Label.CITY,
    "zip": Label.ZIP,
    "phone": Label.PHONE,
    "email": Label.EMAIL,
    "ipp": Label.PATIENT_ID,
    "nda": Label.VISIT_ID,
    "ssn": Label.SSN,
}
"""Keys of a row's "patient" and what they are; "sex" and "date_shift" stand beside them."""

_SEXES: Final = {
    **dict.fromkeys(("f", "2", "female", "femme", "feminin"), Sex.FEMALE),
    **dict.fromkeys(("m", "h", "1", "male", "homme", "masculin"), Sex.MALE),
    **dict.fromkeys(("", "0", "9", "u", "i", "x", "o", "other", "autre"), Sex.UNKNOWN),
    **dict.fromkeys(("unknown", "inconnu", "indetermine"), Sex.UNKNOWN),
}
"""Folded codes of sex in hospital systems: ISO 5218, HL7, FHIR, and French words."""
_EARLIEST: Final = 1850
_FARTHEST: Final = 36_525
"""Days by which a patient's dates may be moved: a century."""


def facts(patient: object, where: str) -> tuple[dict[Label, tuple[str, ...]], Sex]:
    """The facts of a row by label, and the sex. A birth date comes out in ISO form.

    Args:
        patient: the value of the key, None if the row has none.
        where: the row, for messages.

    Raises:
        InputError: it is no object, or a key or its value is none that is known.
    """
    if patient is None:
        return {}, Sex.UNKNOWN
    if not isinstance(patient, Mapping):
        raise InputError(f"{where}: patient is not an object")
    found: dict[Label, tuple[str, ...]] = {}
    for key, value in patient.items():
        if key in ("sex", "date_shift"):
            continue
        if key not in FACTS:
            allowed = ", ".join((*FACTS, "sex", "date_shift"))
            named = f" {key!r}" if re.fullmatch("[a-z_]{1,24}", key) else ""
            raise InputError(f"{where}: unknown key{named} in patient; allowed: {allowed}")
        values = value if isinstance(value, list) else [value]
        if any(v is not None and not is_code(v) for v in values) and key != "birth_date":
            raise InputError(f"{where}: {key} in patient is neither text nor a number")
        texts = tuple(str(v).strip() for v in values if v is not None and str(v).strip())
        if key == "birth_date":
            texts = tuple(_birth_date(text, where) for text in texts)
        if texts:
            found[FACTS[key]] = found.get(FACTS[key], ()) + texts
    sex = patient.get("sex")
    code = "" if sex is None else fold(str(sex).strip())
    if code not in _SEXES:
        raise InputError(f"{where}: sex in patient is not one of F, M, 1, 2 or unknown")
    return found, _SEXES[code]


def is_code(value: object) -> TypeGuard[str | int]:
    """Whether a value of a row may be a name or a number of something: text or a whole number."""
    return isinstance(value, str | int) and not isinstance(value, bool)


def _birth_date(value: object, where: str) -> str:
    born = day_of(value)
    if born is None or born.year < _EARLIEST:
        raise InputError(
            f"{where}: birth_date in patient is not a date such as {DAY_FORMS}; leave it out where"
            " it is unknown"
        )
    return born.isoformat()


def date_shift(patient: object, where: str) -> int | None:
    """By how many days the caller wants the dates of the patient moved, None if nothing is said.

    Raises:
        InputError: it is no whole number of days, 0, or more than a century.
    """
    days = patient.get("date_shift") if isinstance(patient, Mapping) else None
    if days is None:
        return None
    if isinstance(days, bool) or not isinstance(days, int) or not 0 < abs(days) <= _FARTHEST:
        raise InputError(f"{where}: date_shift is not a whole number of days, and not 0")
    return days


OWN_KEYS: Final = ("id", "text", "patient_id", "note_date", "patient")
"""Keys of a row that are read."""


class Form(Protocol):
    """How a released note is written as a file of the kind that it came in."""

    @property
    def ending(self) -> str:
        """Of the name of the file, as ".html"."""

    def written(self, result: Deidentified, released_id: str) -> bytes:
        """The whole file; what it holds beside the note passes by an allow-list only.

        Raises:
            InputError: the note cannot be written so; repeats no text.
        """


@dataclass(frozen=True, slots=True)
class Row:
    """One input row: a document, or why there is none.

    Args:
        where: the row or file, for messages.
        id: the caller's id, None if the row has no readable one.
        document: the note, None if the row cannot be read.
        error: why not.
        extra: the row's other keys.
        patient_id: whose note it is, where that can be read, also if the note cannot.
        place: `where` without the name of a file, which may be that of a patient: "file 3" of a
            folder in the order of names. For what is released; "" if `where` has no such name.
        form: of the file that the note came in, None if it is a text.
        encoding: how the file was encoded, "" if it is UTF-8.
        aside: it is no note, but a day of the patient that is moved with their notes.
        bare: what it is if it holds no document, as "ADT": no note then, and no failure.
        lost: parts of it that are not released, by why: pictures without words, and those that
            could not be read, where those that could are asked for.
        ocr: how sure OCR is of a word that it read, in percent; the least of several parts, None if
            it read none.
    """

    where: str
    id: str | None = None
    document: Document | None = field(default=None, repr=False)
    error: str = ""
    extra: Mapping[str, Any] = field(default_factory=dict, repr=False)
    patient_id: str | None = field(default=None, repr=False)
    place: str = ""
    form: Form | None = field(default=None, repr=False)
    encoding: str = ""
    aside: bool = False
    bare: str = ""
    lost: Counter[str] = field(default_factory=Counter)
    ocr: float | None = None


def document_of(row: Mapping[str, Any], number: int = 1) -> Document:
    """The document of a parsed JSON row `{"id", "text", "patient_id"?, "note_date"?, "patient"?}`.

    Raises:
        InputError: a field is missing or of the wrong kind; names the row and the key.
    """
    where = f"row {number}"
    known, sex = facts(row.get("patient"), where)
    patient_id = row.get("patient_id")
    if patient_id is not None and not is_code(patient_id):
        raise InputError(f"{where}: patient_id is neither text nor a number")
    text = row.get("text")
    if not isinstance(text, str):
        raise InputError(f"{where}: no text" if text is None else f"{where}: text is not text")
    return Document(
        _id(row, where),
        text,
        _whose(row),
        _note_date(row.get("note_date"), where),
        known,
        sex,
        date_shift(row.get("patient"), where),
    )


def _whose(row: Mapping[str, Any]) -> str | None:
    """The patient of a row, None if it names none: a blank does not, or all such rows were one."""
    value = row.get("patient_id")
    return str(value) if is_code(value) and str(value).strip() else None


def _id(row: Mapping[str, Any], where: str) -> str:
    value = row.get("id")
    if not is_code(value) or value == "":
        raise InputError(f"{where}: no id" if value is None else f"{where}: id is not text")
    return str(value)


def _note_date(value: object, where: str) -> dt.date | None:
    if value is None or value == "":
        return None
    day = day_of(value)
    if day is None:
        raise InputError(f"{where}: note_date is not a date such as {DAY_FORMS}")
    return day


def row_of(parsed: Mapping[str, Any], number: int, where: str) -> Row:
    """The row that an object with the keys of `document_of` is; others are its `extra`.

    Args:
        number: of the row in its file.
        where: the row, for messages.
    """
    extra = {key: value for key, value in parsed.items() if key not in OWN_KEYS}
    given = parsed.get("id")
    usable = is_code(given) and given != ""
    patient_id = _whose(parsed)
    try:
        doc = document_of(parsed, number)
        return Row(where, doc.id, doc, extra=extra, patient_id=patient_id)
    except InputError as error:
        message = str(error).replace(f"row {number}", where, 1)
        return Row(where, str(given) if usable else None, None, message, patient_id=patient_id)
