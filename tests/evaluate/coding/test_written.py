"""Codes in the text, and what only looks like one."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dpdeid.evaluate.coding.codes import Terminology, written_codes


def values(text: str, **lists: set[str]) -> list[str]:
    return [code.value for code in written_codes(text, **lists)]


@pytest.mark.parametrize(
    ("text", "codes"),
    [
        ("DP : E11.9 équilibré", ["E119"]),
        ("Codé I10.", ["I10"]),
        ("CIM-10 : J45, K35", ["J45", "K35"]),
        ("Diagnostics associés : N18 et D64", ["N18", "D64"]),
        ("(M54.5)", ["M545"]),
    ],
)
def test_codes(text: str, codes: list[str]) -> None:
    assert values(text) == codes


@pytest.mark.parametrize(
    "text",
    [
        "à 18 h", "à 39", "10h30", "à J10", "L4 L5", "vitamine B12", "lit B20", "chambre C34.2",
        "G2P1", "T12", "A18", "version 2.E11.9", "code de la route", "Codé ce jour\nA18", "E11.9.2",
    ],
)  # fmt: skip
def test_what_is_no_code(text: str) -> None:
    assert values(text) == []


@given(st.integers(0, 23), st.integers(0, 59), st.sampled_from(["h", " h ", ":", " heures "]))
def test_no_hour_is_a_code(hour: int, minute: int, sign: str) -> None:
    for before in ("à ", "À ", "vers ", "codé à ", "revu J"):
        assert values(f"{before}{hour:02}{sign}{minute:02}") == []


def test_codes_that_the_lists_do_not_hold_are_none() -> None:
    assert values("E11.9 et E11.7", known={"E119"}) == ["E119"]


def test_ccam_codes_are_those_of_the_file() -> None:
    (code,) = written_codes("acte HHFA016, puis ABCD123", ccam={"HHFA016"})
    assert (code.value, code.terminology) == ("HHFA016", Terminology.CCAM)
    assert (code.start, code.end) == (5, 12)
    assert values("acte HHFA016") == []
