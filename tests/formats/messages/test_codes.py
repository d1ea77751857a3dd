"""A code passes if its system is public and it has the form of one."""

from __future__ import annotations

import pytest

from dpdeid.formats.messages.codes import is_public


@pytest.mark.parametrize(
    ("system", "code", "passes"),
    [
        ("http://loinc.org", "11490-0", True),
        ("LN", "2160-0", True),
        ("http://loinc.org", "QUEMENEUR", False),
        ("http://loinc.org/QUEMENEUR", "11490-0", False),
        ("http://snomed.info/sct", "49436004", True),
        ("I10", "I48.0", True),
        ("I10", "8004512377", False),
        ("http://terminology.hl7.org/CodeSystem/v2-0074", "LAB", True),
        ("http://kervallon.fr", "LAB", False),
        ("", "", False),
    ],
)
def test_codes(system: str, code: str, passes: bool) -> None:
    assert is_public(system, code) is passes
