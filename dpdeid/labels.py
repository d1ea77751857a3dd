"""The one label set: what can identify somebody in a note, and what other schemes call it.

Labels are upper snake case in code, policies, gold files and reports. Every other scheme (AP-HP,
HNFC, CHUV) is a crosswalk from these labels to its own names; the crosswalks are not one to one.
"""

from __future__ import annotations

from enum import StrEnum
from typing import Final


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


DIRECT: Final = frozenset(
    {
        Label.LAST_NAME,
        Label.FIRST_NAME,
        Label.BIRTH_DATE,
        Label.STREET,
        Label.PHONE,
        Label.FAX,
        Label.EMAIL,
        Label.URL,
        Label.IP,
        Label.PATIENT_ID,
        Label.VISIT_ID,
        Label.ORDER_ID,
        Label.SSN,
        Label.PROVIDER_ID,
        Label.OTHER_ID,
    }
)
"""Direct identifiers: each can name a person by itself."""

QUASI: Final = frozenset(Label) - DIRECT
"""Quasi-identifiers: they name a person only together."""


NAMES: Final = frozenset({Label.LAST_NAME, Label.FIRST_NAME})
"""Names of people."""

CATEGORIES: Final = {
    **dict.fromkeys((Label.LAST_NAME, Label.FIRST_NAME), "NAME"),
    **dict.fromkeys((Label.BIRTH_DATE, Label.DATE, Label.DURATION, Label.TIME), "TIME"),
    **dict.fromkeys((Label.STREET, Label.ZIP, Label.CITY, Label.COUNTRY), "PLACE"),
    **dict.fromkeys((Label.HOSPITAL, Label.ORGANIZATION, Label.UNIT, Label.ROOM), "INSTITUTION"),
    **dict.fromkeys((Label.PHONE, Label.FAX, Label.EMAIL, Label.URL, Label.IP), "CONTACT"),
    **dict.fromkeys((Label.PATIENT_ID, Label.VISIT_ID, Label.ORDER_ID, Label.SSN), "NUMBER"),
    **dict.fromkeys((Label.PROVIDER_ID, Label.OTHER_ID), "NUMBER"),
    **dict.fromkeys((Label.AGE, Label.PROFESSION, Label.NATIONALITY), "PERSON"),
    **dict.fromkeys((Label.MARITAL_STATUS, Label.KINSHIP), "PERSON"),
}
"""Super-categories, for reports; every label has one."""


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


APHP: Final = {
    Label.LAST_NAME: "NOM",
    Label.FIRST_NAME: "PRENOM",
    Label.DATE: "DATE",
    Label.BIRTH_DATE: "DATE_NAISSANCE",
    Label.STREET: "ADRESSE",
    Label.ZIP: "ZIP",
    Label.CITY: "VILLE",
    Label.HOSPITAL: "HOPITAL",
    Label.PHONE: "TEL",
    Label.FAX: "TEL",
    Label.EMAIL: "MAIL",
    Label.PATIENT_ID: "IPP",
    Label.VISIT_ID: "NDA",
    Label.SSN: "SECU",
    Label.PROVIDER_ID: "RPPS",
}
"""Names in AP-HP's eds-pseudo; labels it does not know are absent."""

HNFC: Final = {
    Label.LAST_NAME: "PER",
    Label.FIRST_NAME: "PER",
    Label.BIRTH_DATE: "DATE",
    Label.DATE: "DATE",
    Label.DURATION: "DATE",
    Label.AGE: "AGE",
    Label.STREET: "LOC",
    Label.ZIP: "LOC",
    Label.CITY: "LOC",
    Label.COUNTRY: "LOC",
    Label.HOSPITAL: "ORG",
    Label.ORGANIZATION: "ORG",
    Label.UNIT: "ORG",
    Label.PHONE: "PHONE",
    Label.FAX: "PHONE",
}
"""The classes of Tchouka et al. (HNFC)."""

CHUV: Final = {
    Label.LAST_NAME: "NOM",
    Label.FIRST_NAME: "NOM",
    Label.BIRTH_DATE: "DATE",
    Label.DATE: "DATE",
    Label.TIME: "TEMPS",
    Label.AGE: "ÂGE",
    Label.STREET: "RUE",
    Label.ZIP: "CODE_POSTAL",
    Label.CITY: "EMPLACEMENT_GÉOGRAPHIQUE",
    Label.COUNTRY: "PAYS",
    Label.HOSPITAL: "ORGANISATION",
    Label.ORGANIZATION: "ORGANISATION",
    Label.UNIT: "STRUCTURE_RÉFÉRENCE",
    Label.ROOM: "BÂTIMENT_CHAMBRE_OU_LIT",
    Label.PHONE: "TÉLÉPHONE",
    Label.FAX: "FAX",
    Label.EMAIL: "EMAIL",
    Label.URL: "URL",
    Label.PATIENT_ID: "IPP",
    Label.VISIT_ID: "NUMÉRO_SÉJOUR",
    Label.ORDER_ID: "NUMÉRO_BON",
    Label.OTHER_ID: "AUTRES",
    Label.PROFESSION: "PROFESSION",
    Label.NATIONALITY: "NATIONALITÉ",
    Label.MARITAL_STATUS: "ÉTAT_CIVIL",
    Label.KINSHIP: "LIEN_DE_PARENTÉ",
}
"""The CHUV categories; names of patients and staff are told apart by role (see `chuv_name`)."""


def chuv_name(label: Label, role: Role) -> str:
    """The CHUV category of a span; a label CHUV does not have keeps its own name."""
    if label in (Label.LAST_NAME, Label.FIRST_NAME):
        return "PERSONNEL_MÉDICAL" if role is Role.STAFF else "PATIENT_E"
    return CHUV.get(label, label.value)
