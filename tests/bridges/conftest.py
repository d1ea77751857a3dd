"""A policy whose detectors load quickly, and the notes of these tests."""

from __future__ import annotations

from pathlib import Path

import pytest

POLICY = """\
name: quick
description: "noised dates and keyed pseudonyms, found by rules and lists alone"
unit: patient
detectors: [metadata, patterns, lookup, lookup_places]
propagators: [propagate]
merge: union
strategies:
  - dates:
      labels: [DATE, BIRTH_DATE, AGE]
      timeline: {metric: {epsilon_per_day: 0.05, cap: 200, shift_days: 3650}}
  - people: {labels: [LAST_NAME, FIRST_NAME], scope: record}
  - contacts: {labels: [PHONE, FAX, EMAIL, URL, IP]}
  - identifiers: {labels: [PATIENT_ID, VISIT_ID, SSN]}
  - keep: {labels: [DURATION, COUNTRY]}
default: redact
"""


@pytest.fixture(scope="session")
def quick(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A policy file: unit patient, noised dates."""
    path = tmp_path_factory.mktemp("policies") / "quick.yaml"
    path.write_text(POLICY, encoding="utf-8")
    return path


@pytest.fixture(scope="session")
def by_note(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The same with the unit note."""
    path = tmp_path_factory.mktemp("policies") / "by-note.yaml"
    path.write_text(POLICY.replace("unit: patient", "unit: note"), encoding="utf-8")
    return path
