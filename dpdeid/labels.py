"""The one label set: what can identify somebody in a note, and what other schemes call it.

Labels are upper snake case in code, policies, gold files and reports. Every other scheme (AP-HP,
HNFC, CHUV) is a crosswalk from these labels to its own names; the crosswalks are not one to one.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from enum import StrEnum
from importlib.resources import files
from typing import Final

_HEAD: Final = ("label", "kind", "category", "aphp", "hnfc", "chuv")


class Label(StrEnum):
    """What a span is. Trigger words (Dr, Mme, né le, Tél, service de) stay outside the span."""

    LAST_NAME = "LAST_NAME"  # surname with its particle
    FIRST_NAME = "FIRST_NAME"  # given name or initials
    BIRTH_DATE = "BIRTH_DATE"  # date of birth
    DATE = "DATE"  # absolute date, also partial: 12/03, mars 2019, 2007, a weekday, a holiday
    DURATION = "DURATION"  # relative time that carries an exact interval: il y a 3 jours, J+3
    TIME = "TIME"  # clock time of day
    AGE = "AGE"  # age with its unit
    STREET = "STREET"  # house number and street
    ZIP = "ZIP"  # postal code
    CITY = "CITY"  # any place smaller than a country
    COUNTRY = "COUNTRY"  # country
    HOSPITAL = "HOSPITAL"  # named place of care, EHPAD included
    ORGANIZATION = "ORGANIZATION"  # employer, school, insurer, company
    UNIT = "UNIT"  # named department of a hospital
    ROOM = "ROOM"  # building, floor, room or bed
    PHONE = "PHONE"  # telephone number
    FAX = "FAX"  # fax number
    EMAIL = "EMAIL"  # e-mail address
    URL = "URL"  # web address
    IP = "IP"  # network address
    PATIENT_ID = "PATIENT_ID"  # hospital patient number (IPP)
    VISIT_ID = "VISIT_ID"  # stay number (NDA)
    ORDER_ID = "ORDER_ID"  # order, request or examination number
    SSN = "SSN"  # social security number (NIR, INS, AVS)
    PROVIDER_ID = "PROVIDER_ID"  # number of a caregiver or hospital (RPPS, ADELI, FINESS)
    OTHER_ID = "OTHER_ID"  # plate, serial number, IBAN, insurance number
    PROFESSION = "PROFESSION"  # profession of the patient or a relative
    NATIONALITY = "NATIONALITY"  # nationality of the patient or a relative
    MARITAL_STATUS = "MARITAL_STATUS"  # marital status of the patient or a relative
    KINSHIP = "KINSHIP"  # kinship noun

    __hash__ = str.__hash__  # Enum's own is a call in Python, and spans are hashed by the thousand

    @property
    def is_direct(self) -> bool:
        """Whether it is a direct identifier."""
        return self in DIRECT


_ROWS: Final = tuple(
    dict(zip(_HEAD, line.split("\t"), strict=True))
    for line in (files("dpdeid") / "labels.tsv").read_text(encoding="utf-8").splitlines()[1:]
)
"""One row a label: its kind, its super-category, and its name in other schemes, if it has one."""


def _column(name: str) -> dict[Label, str]:
    return {Label(row["label"]): row[name] for row in _ROWS if row[name]}


DIRECT: Final = frozenset(label for label, kind in _column("kind").items() if kind == "direct")
"""Direct identifiers: each can name a person by itself."""

QUASI: Final = frozenset(Label) - DIRECT
"""Quasi-identifiers: they name a person only together."""

NAMES: Final = frozenset({Label.LAST_NAME, Label.FIRST_NAME})
"""Names of people."""

KEPT: Final = frozenset(
    {
        Label.COUNTRY,
        Label.NATIONALITY,
        Label.PROFESSION,
        Label.MARITAL_STATUS,
        Label.KINSHIP,
        Label.DURATION,
        Label.UNIT,
    }
)
"""Labels that the default policy keeps: covering a name with one of them does not redact it."""

CATEGORIES: Final = _column("category")
"""Super-categories, for reports; every label has one."""

APHP: Final = _column("aphp")
"""Names in AP-HP's eds-pseudo; labels it does not know are absent."""

HNFC: Final = _column("hnfc")
"""The classes of Tchouka et al. (HNFC)."""

CHUV: Final = _column("chuv")
"""The CHUV categories; names of patients and staff are told apart by role (see `chuv_name`)."""


class Role(StrEnum):
    """Whose name a span is, where it can be told (CHUV and PARTAGES split patient from staff)."""

    PATIENT = "patient"
    STAFF = "staff"
    RELATIVE = "relative"
    UNKNOWN = "unknown"


class Sex(StrEnum):
    """Administrative sex, for the gender of surrogate names and the first digit of a NIR."""

    FEMALE = "F"
    MALE = "M"
    UNKNOWN = "U"


def label_of(name: object) -> Label | None:
    """The label that is given, or that a text names in any case: "last_name"; None for no label."""
    return _BY_NAME.get(name.upper()) if isinstance(name, str) else None


_BY_NAME: Final = {label.value: label for label in Label}


def by_label(
    name: str, given: Mapping[Label, Sequence[str]], error: type[Exception]
) -> dict[Label, tuple[str, ...]]:
    """Facts of a document by label, given by labels or their names.

    Args:
        name: what messages call them: "known" or "others".

    Raises:
        Exception: the one given: a key is no label, or its values are no texts; repeats neither.
    """
    found: dict[Label, tuple[str, ...]] = {}
    for at, (key, texts) in enumerate(given.items(), 1):
        if (label := label_of(key)) is None:
            allowed = f"a Label or its name, one of {', '.join(Label)}"
            raise error(f"{name}: key {at} of a Document is no label: {allowed}")
        if not isinstance(texts, tuple | list) or not all(isinstance(t, str) for t in texts):
            raise error(f"the {name} facts of a Document are a tuple of texts a label")
        found[label] = (*found.get(label, ()), *texts)
    return found


def chuv_name(label: Label, role: Role) -> str:
    """The CHUV category of a span; a label CHUV does not have keeps its own name."""
    if label in (Label.LAST_NAME, Label.FIRST_NAME):
        return "PERSONNEL_MÉDICAL" if role is Role.STAFF else "PATIENT_E"
    return CHUV.get(label, label.value)
