"""What is printed never says more than was measured."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dpdeid.evaluate.counts import down, high_percent, low_percent, percent, up


@given(st.floats(0, 1))
def test_ends_are_rounded_outwards_by_less_than_a_step(share: float) -> None:
    low, high = float(low_percent(share)), float(high_percent(share))
    assert low - 1e-9 <= 100 * share <= high + 1e-9
    assert high - low < 0.1 + 1e-9
    assert down(share, 6) <= share + 1e-12
    assert up(share, 6) >= share - 1e-12


@pytest.mark.parametrize("thousandths", range(1_001))
def test_what_has_one_decimal_stays_as_it_is(thousandths: int) -> None:
    share, text = thousandths / 1_000, f"{thousandths / 10:.1f}"
    assert low_percent(share) == high_percent(share) == percent(share) == text


def test_not_quite_all_is_not_all() -> None:
    assert percent(2_999 / 3_000) == "> 99.9"
    assert percent(1 / 3_000) == "< 0.1"
    assert (percent(1.0), percent(0.0), percent(0.9994)) == ("100.0", "0.0", "99.9")
    assert (low_percent(0.99997), high_percent(0.00001)) == ("99.9", "0.1")
