"""What other schemes' label names are among ours, and in which classes they count.

A file is read in the first scheme that knows all its labels: ours, `aphp`, `chuv`, `i2b2`,
`partages`, `hnfc`. Names are compared without case, accents and marks ("PATIENT ID", "Patient_Id").
A scheme that does not tell our labels apart gives the broader one: PATIENT is LAST_NAME. Then the
classes of `--scheme` are what can be compared.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Final

import yaml

from dpdeid.errors import AnnotationError
from dpdeid.labels import APHP, CHUV, HNFC, Label

_KEY: Final = re.compile(r"[\W_]+")
_SAFE: Final = re.compile(r"[A-ZÀ-Þ][A-ZÀ-Þ0-9_:/ -]{0,31}")
"""Names that a message repeats. A damaged file may hold anything where a label should be: what is
not written like one is only counted."""


def key(name: str) -> str:
    """The name without case, accents and marks.

    >>> key("Date de naissance")
    'DATE_DE_NAISSANCE'
    """
    plain = unicodedata.normalize("NFD", name).upper()
    return _KEY.sub("_", "".join(c for c in plain if not unicodedata.combining(c))).strip("_")


def _reversed(classes: Mapping[Label, str]) -> dict[str, Label]:
    return {key(name): label for label, name in reversed(tuple(classes.items()))}


_NAMES: Final = {"NOM": Label.LAST_NAME, "PRENOM": Label.FIRST_NAME, "NAME": Label.LAST_NAME}
_PEOPLE: Final = ("PATIENT", "SOIGNANT", "AUTRE", "DOCTOR", "MEDECIN", "PROCHE")

SCHEMES: Final[Mapping[str, Mapping[str, Label]]] = {
    "ours": {label.value: label for label in Label},
    "aphp": _reversed(APHP)
    | {
        "LASTNAME": Label.LAST_NAME,
        "FIRSTNAME": Label.FIRST_NAME,
        "BIRTHDATE": Label.BIRTH_DATE,
        "ADDRESS": Label.STREET,
        "CITY": Label.CITY,
        "HOSPITAL": Label.HOSPITAL,
        "PHONE": Label.PHONE,
        "EMAIL": Label.EMAIL,
        "PATIENT_ID": Label.PATIENT_ID,
        "VISIT_ID": Label.VISIT_ID,
        "NSS": Label.SSN,
    },
    "chuv": _reversed(CHUV)
    | {
        "DATE": Label.DATE,
        "ORGANISATION": Label.ORGANIZATION,
        "PATIENT_E": Label.LAST_NAME,
        "PERSONNEL_MEDICAL": Label.LAST_NAME,
        "NUMERO_HABITATION": Label.STREET,
        "CODE_CANTON": Label.CITY,
    },
    "i2b2": {
        "PATIENT": Label.LAST_NAME,
        "DOCTOR": Label.LAST_NAME,
        "USERNAME": Label.OTHER_ID,
        "PROFESSION": Label.PROFESSION,
        "HOSPITAL": Label.HOSPITAL,
        "DEPARTMENT": Label.UNIT,
        "ROOM": Label.ROOM,
        "ORGANIZATION": Label.ORGANIZATION,
        "STREET": Label.STREET,
        "CITY": Label.CITY,
        "STATE": Label.CITY,
        "LOCATION": Label.CITY,
        "LOCATION_OTHER": Label.CITY,
        "COUNTRY": Label.COUNTRY,
        "ZIP": Label.ZIP,
        "AGE": Label.AGE,
        "DATE": Label.DATE,
        "PHONE": Label.PHONE,
        "FAX": Label.FAX,
        "EMAIL": Label.EMAIL,
        "URL": Label.URL,
        "IPADDR": Label.IP,
        "IPADDRESS": Label.IP,
        "SSN": Label.SSN,
        "MEDICALRECORD": Label.PATIENT_ID,
        "ID": Label.OTHER_ID,
        "IDNUM": Label.OTHER_ID,
        "HEALTHPLAN": Label.OTHER_ID,
        "ACCOUNT": Label.OTHER_ID,
        "LICENSE": Label.OTHER_ID,
        "VEHICLE": Label.OTHER_ID,
        "DEVICE": Label.OTHER_ID,
        "BIOID": Label.OTHER_ID,
        "OTHER": Label.OTHER_ID,
    },
    "partages": {
        **{f"{kind}_{who}": label for kind, label in _NAMES.items() for who in _PEOPLE},
        "DATE": Label.DATE,
        "DATE_NAISSANCE": Label.BIRTH_DATE,
        "AGE": Label.AGE,
        "ADRESSE": Label.STREET,
        "CODE_POSTAL": Label.ZIP,
        "VILLE": Label.CITY,
        "CITY": Label.CITY,
        "PAYS": Label.COUNTRY,
        "HOPITAL": Label.HOSPITAL,
        "HOSPITAL": Label.HOSPITAL,
        "TELEPHONE": Label.PHONE,
        "PHONE": Label.PHONE,
        "EMAIL": Label.EMAIL,
        "MAIL": Label.EMAIL,
        "PROFESSION": Label.PROFESSION,
    },
    "hnfc": {
        "PER": Label.LAST_NAME,
        "PERSON": Label.LAST_NAME,
        "LOC": Label.CITY,
        "LOCATION": Label.CITY,
        "ORG": Label.ORGANIZATION,
        "ORGANISATION": Label.ORGANIZATION,
        "ORGANIZATION": Label.ORGANIZATION,
        "DATE": Label.DATE,
        "AGE": Label.AGE,
        "PHONE": Label.PHONE,
        "EMAIL": Label.EMAIL,
        "URL": Label.URL,
    },
}
"""Label names by scheme, as `key` writes them. `partages` is after its description (a name with
whose it is) and the marks that go round with PARHAF; no release was at hand to check it against."""

I2B2: Final = {
    **dict.fromkeys((Label.LAST_NAME, Label.FIRST_NAME), "NAME"),
    Label.PROFESSION: "PROFESSION",
    **dict.fromkeys(
        (Label.HOSPITAL, Label.UNIT, Label.ROOM, Label.ORGANIZATION, Label.STREET, Label.CITY),
        "LOCATION",
    ),
    **dict.fromkeys((Label.COUNTRY, Label.ZIP), "LOCATION"),
    Label.AGE: "AGE",
    **dict.fromkeys((Label.DATE, Label.BIRTH_DATE), "DATE"),
    **dict.fromkeys((Label.PHONE, Label.FAX, Label.EMAIL, Label.URL, Label.IP), "CONTACT"),
    **dict.fromkeys((Label.SSN, Label.PATIENT_ID, Label.VISIT_ID, Label.ORDER_ID), "ID"),
    **dict.fromkeys((Label.PROVIDER_ID, Label.OTHER_ID), "ID"),
}
"""The main categories of i2b2 2014."""

CLASSES: Final[Mapping[str, Mapping[Label, str]]] = {
    "aphp": APHP,
    "hnfc": HNFC,
    "chuv": CHUV,
    "i2b2": I2B2,
}
"""Classes to count in. A label that a scheme does not have is left out of its counts."""

COARSE: Final = frozenset({"chuv", "i2b2", "partages", "hnfc"})
"""Schemes that have one class for surnames and first names."""


def scheme_of(names: Iterable[str]) -> str:
    """The first scheme that knows all names, else the one that knows most of them."""
    keys = {key(name) for name in names}
    return max(SCHEMES, key=lambda scheme: len(keys & SCHEMES[scheme].keys()))


def shown(names: Iterable[str]) -> str:
    """Label names for a message; one that does not look like a label is only counted."""
    names = sorted(names)
    safe = [name for name in names if _SAFE.fullmatch(name)]
    hidden = len(names) - len(safe)
    return ", ".join(safe + ([f"{hidden} not in capitals"] if hidden else []))


def read_labels(path: Path) -> dict[str, Label | None]:
    """A hospital's own label names, by `key`: a label of ours, or None to leave it out.

    Raises:
        AnnotationError: the file is no YAML mapping of names to labels or null.
    """
    try:
        loaded = yaml.safe_load(path.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError, yaml.YAMLError):
        raise AnnotationError(f"{path}: cannot be read as YAML") from None
    if not isinstance(loaded, dict) or not all(isinstance(name, str) for name in loaded):
        raise AnnotationError(f"{path}: lines 'NAME: LABEL' are expected")
    if wrong := [n for n, label in loaded.items() if label not in (None, *Label)]:
        allowed = ", ".join(Label)
        raise AnnotationError(f"{path}: {shown(wrong)}: not a label; allowed: null, {allowed}")
    return {key(name): None if label is None else Label(label) for name, label in loaded.items()}
