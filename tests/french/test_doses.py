"""Letters and digits that stand apart: a dose, or a name that is spelt."""

from __future__ import annotations

from functools import partial

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dpdeid.french.doses import is_order
from tests.linear import LIMIT, growth


def signs(text: str) -> list[str]:
    return [sign.lower() for sign in text if sign.isalnum()]


@pytest.mark.parametrize(
    "text",
    [
        "1 G I V", "2 G X 3 / J", "5 U I I V L", "4 M G P O", "2 L A L", "J 2 A J 5", "3 C P X 2",
        "I V S E", "S C", "P O", "I M", "H T A D N I D", "8 T H R", "T 2 N 0 M 0", "1 F / J",
        "A J 1",
    ],
)  # fmt: skip
def test_a_dose_a_way_or_a_stage(text: str) -> None:
    assert is_order(signs(text))


@pytest.mark.parametrize(
    "text",
    [
        "D U R A N D", "K E R V E L L A", "L E G O F F", "B O U Z I D", "1 2 0 3 1 9 5 8",
        "7 4 0 2",
        "K 4 4 7 1", "A 1 2 B 3 4", "7 5 0 1 1", "A B", "1 4 S E P", "1 8 J A N 2 1", "0 0 4 G",
        "", "G",
    ],
)  # fmt: skip
def test_a_name_a_number_or_nothing(text: str) -> None:
    assert not is_order(signs(text))


@given(st.text("0189agijlmvx", max_size=30))
def test_any_signs_are_asked_in_little_time(text: str) -> None:
    assert is_order(list(text)) in (True, False)


def test_time_grows_with_the_signs() -> None:
    assert growth(lambda n: partial(is_order, list("aldivx" * n)), 400) < LIMIT
