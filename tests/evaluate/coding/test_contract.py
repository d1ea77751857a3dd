"""What codes look like, and who counts as a coder."""

from __future__ import annotations

import pytest

from dpdeid.evaluate.coding.coders import LightCoder
from dpdeid.evaluate.coding.codes import Coder, Terminology, terminology_of, undotted
from dpdeid.evaluate.coding.timed import TimedCoder


@pytest.mark.parametrize(
    ("value", "kind"),
    [
        ("E11", Terminology.ICD10),
        ("E119", Terminology.ICD10),
        ("R53+1", Terminology.ICD10),
        ("D4440", Terminology.ICD10),
        ("N02BE01", Terminology.ATC),
        ("N02BE", Terminology.ATC),
        ("HHFA016", Terminology.CCAM),
        ("durand", None),
        ("", None),
        ("18H", None),
    ],
)
def test_the_form_tells_the_terminology(value: str, kind: Terminology | None) -> None:
    assert terminology_of(value) == kind


def test_codes_are_kept_without_dots() -> None:
    assert undotted(" e11.9 ") == "E119"


def test_the_coders_satisfy_the_contract() -> None:
    assert isinstance(LightCoder({}), Coder)
    assert isinstance(TimedCoder(), Coder)
