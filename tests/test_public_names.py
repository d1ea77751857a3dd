"""The public names, pinned: adding or removing one is a decision."""

from __future__ import annotations

import pytest

import dpdeid

NAMES = """
Charge Cohort CohortError Deidentified Deidentifier Document DpdeidError Failure Finding
GazetteerError InputError Label Ledger Mention Policy PolicyError Record Role SecretKeyError Sex
Span SubstitutionError Surrogate UsageError deidentify load_policy
"""


def test_public_names() -> None:
    assert sorted(dpdeid.__all__) == sorted(NAMES.split())
    assert all(getattr(dpdeid, name).__name__ == name for name in dpdeid.__all__)


def test_dir_lists_them() -> None:
    assert set(dir(dpdeid)) == {*dpdeid.__all__, "__version__"}


def test_an_unknown_name_is_an_attribute_error() -> None:
    with pytest.raises(AttributeError, match="Deidentify"):
        _ = dpdeid.Deidentify  # type: ignore[attr-defined]
