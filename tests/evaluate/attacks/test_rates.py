"""Rates and their intervals."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import beta

from dpdeid.evaluate.attacks.rates import FAILURE, Rate


@given(st.integers(1, 300).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n))))
def test_the_interval_is_that_of_clopper_and_pearson(counts: tuple[int, int]) -> None:
    hits, trials = counts
    rate = Rate(hits, trials)
    low = beta.ppf(FAILURE / 2, hits, trials - hits + 1) if hits else 0
    high = beta.ppf(1 - FAILURE / 2, hits + 1, trials - hits) if hits < trials else 1
    assert rate.low == pytest.approx(low, abs=1e-6)
    assert rate.high == pytest.approx(high, abs=1e-6)
    assert rate.low <= rate.share <= rate.high


def test_nothing_tried_says_nothing() -> None:
    rate = Rate.of([])
    assert (rate.share, rate.low, rate.high) == (0, 0, 1)


@pytest.mark.parametrize(("hits", "trials"), [(-1, 2), (3, 2)])
def test_more_hits_than_trials_are_refused(hits: int, trials: int) -> None:
    with pytest.raises(ValueError, match="0 <= hits <= trials"):
        Rate(hits, trials)
