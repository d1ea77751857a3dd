"""The number behind CEDEX goes with its town: only Paris, Lyon and Marseille have a thirteenth."""

from __future__ import annotations

import re

import pytest

from dpdeid.engine import Deidentifier
from dpdeid.testing import other_key

NOTES = [
    "Adresse : 12 rue des Lilas, 75651 PARIS CEDEX 13.",
    "Écrire à 33076 Bordeaux Cedex 9 par courrier.",
    "CHU, 97448 Saint-Pierre CEDEX 02, service de soins.",
    "69437 LYON CEDEX 03   Tél : 04 72 11 00 37",
    "80054 Amiens cedex n° 1",
]


@pytest.mark.parametrize("policy", ["dp", "dp-strict", "redact", "hnfc"])
@pytest.mark.parametrize("note", NOTES)
def test_no_number_stays_behind_cedex(note: str, policy: str) -> None:
    for number in range(4):
        text = Deidentifier(policy, key=other_key(number))(note).text
        assert not re.search(r"(?i)c[ée]dex\s*(?:n°\s?)?\d", text), text


def test_the_number_of_a_date_behind_it_is_none() -> None:
    text = Deidentifier("dp", key=other_key(4))("33076 Bordeaux Cedex 9/03/2021").text
    assert re.search(r"(?i)cedex \d\d/\d\d/\d{4}", text)
