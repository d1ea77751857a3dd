"""Codes that pass: of public terminologies, in the form that their codes have."""

from __future__ import annotations

import re
from typing import Final

_LOINC: Final = r"\d{3,7}-\d"
_SNOMED: Final = r"[1-9]\d{5,17}"
_ICD: Final = r"[A-Z]\d\d(?:[.-]?\d{1,3})?(?:\+\d{1,2})?"
_WORD: Final = r"[A-Za-z][A-Za-z-]{0,39}"
_PUBLIC: Final = tuple(
    (re.compile(system), re.compile(code))
    for system, code in (
        (r"http://loinc\.org|urn:oid:2\.16\.840\.1\.113883\.6\.1|LN", _LOINC),
        (r"http://snomed\.info/sct|SCT", _SNOMED),
        (r"http://hl7\.org/fhir/sid/icd-10(?:-[a-z]{2})?|I10P?|CIM10", _ICD),
        (r"http://www\.whocc\.no/atc|ATC", r"[A-Z](?:\d\d(?:[A-Z](?:[A-Z](?:\d\d)?)?)?)?"),
        (r"http://terminology\.hl7\.org/CodeSystem/[A-Za-z0-9-]{1,40}", _WORD),
        (r"https://mos\.esante\.gouv\.fr/NOS/TRE_\w{1,40}/FHIR/TRE[_-][\w-]{1,40}", _LOINC),
    )
)
"""Names of systems, in FHIR and in HL7 v2 (table 0396), and the form of their codes."""


def is_public(system: str, code: str) -> bool:
    """Whether a code is one of a public terminology, by the names and forms of both."""
    return any(
        known.fullmatch(system) is not None and form.fullmatch(code) is not None
        for known, form in _PUBLIC
    )
