"""Falling weights: within their rate, and as large as a draw allows."""

from __future__ import annotations

from fractions import Fraction
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dpdeid.privacy.exact import SCALE, exp_below
from dpdeid.privacy.mechanisms.contract import WORD
from dpdeid.privacy.mechanisms.falling import falling
from dpdeid.privacy.mechanisms.window import two_weights

rates = st.sampled_from(["1e-33", "1e-9", "0.00002", "0.01", "1", "30"]).map(Fraction)


@given(rates, st.sampled_from([1, 2, 61, 5_000]))
def test_no_step_exceeds_the_rate_and_every_total_leaves_few_words_over(
    rate: Fraction, upper: int
) -> None:
    made = falling(rate, upper)
    weights = [high - low for low, high in pairwise(made.sums)]
    assert all(0 < far <= near for near, far in pairwise(weights))
    growth = exp_below(rate)
    assert all(near * SCALE <= far * growth for near, far in pairwise(weights))
    for value in {0, upper // 3, upper // 2, upper}:
        total = made.total(value)
        assert total == sum(made.pmf(value))
        assert WORD % total < WORD // 256
        assert total <= WORD // 256


@pytest.mark.parametrize("rate", ["0.0002", "0.05", "2"])
def test_the_fall_follows_the_rate_where_it_matters(rate: str) -> None:
    weights = falling(Fraction(rate), 2_000).pmf(0)
    far = min(int(10 / Fraction(rate)), 2_000)
    assert weights[0] / weights[far] == pytest.approx(
        exp_below(Fraction(rate) * far) / SCALE, rel=1e-3
    )


@given(rates, st.integers(2, 100_000), st.integers(1, 100))
def test_two_weights_fill_a_word(epsilon: Fraction, entries: int, block: int) -> None:
    made = two_weights(epsilon, entries, min(block, entries - 1))
    assert made.inside * SCALE <= made.outside * exp_below(epsilon)
    assert WORD // 2 < made.total <= WORD
