"""The structured facts of a patient in an input row: its key "patient".

A fact that cannot be used is an error, never passed over: a birth date that no detector reads, or
a sex that no name follows, would leave the note less protected without a word. No message repeats
a value.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Final, TypeGuard

from dpdeid.days import DAY_FORMS, day_of
from dpdeid.errors import InputError
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
    return found, _sex(patient.get("sex"), where)


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


def _sex(value: object, where: str) -> Sex:
    code = "" if value is None else fold(str(value).strip())
    if code not in _SEXES:
        raise InputError(f"{where}: sex in patient is not one of F, M, 1, 2 or unknown")
    return _SEXES[code]


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
