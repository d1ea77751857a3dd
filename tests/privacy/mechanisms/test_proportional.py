"""Noise in proportion to a gap: its public table, its loss in steps, its error."""

from __future__ import annotations

from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import pairwise
from math import ceil
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dpdeid.privacy.audit import exact, sampler
from dpdeid.privacy.exact import SCALE, exp_below
from dpdeid.privacy.losses import EpsilonPerDay, EpsilonPerStep
from dpdeid.privacy.mechanisms.falling import ClampedGeometric
from dpdeid.privacy.mechanisms.proportional import PER_STEP, STEPS, ProportionalNoise
from dpdeid.privacy.rng import Source
from tests.privacy.helpers import STREAMS, at_most_exp, probabilities

NEAR = ProportionalNoise(share=Fraction(7, 20), least=Fraction(3, 5), upper=60)


@st.composite
def noises(draw: st.DrawFn, most: int = 60) -> ProportionalNoise:
    """Tables of many steps a day and of many days a step."""
    least = draw(st.sampled_from(["1/7", "3/5", "4", "33", "500"]).map(Fraction))
    return ProportionalNoise(
        share=draw(st.sampled_from(["0", "1/4", "3/5", "3"]).map(Fraction)),
        least=least,
        upper=draw(st.integers(1, most)),
        after=draw(st.sampled_from([0, 0, 1, 15])),
        most=draw(st.sampled_from([None, ceil(least), ceil(least) + 8])),
    )


@given(noises(2_000))
def test_the_table_is_the_sum_of_what_each_day_is_worth(noise: ProportionalNoise) -> None:
    worth, most = Fraction(0), noise.most or max(noise.upper, ceil(noise.least))
    for day in noise.domain:
        assert abs(noise.index(day) - worth) <= Fraction(1, 2) + Fraction(day, 1 << 64)
        worth += STEPS / min(max(noise.least, noise.share * (day - noise.after)), most)
    indices = [noise.index(day) for day in noise.domain]
    assert indices == sorted(indices)
    assert (noise.index(-5), noise.index(10**9)) == (indices[0], indices[-1])


@given(noises())
def test_a_day_stands_for_its_own_index_where_it_is_the_only_one(noise: ProportionalNoise) -> None:
    assert [noise.index(day) for day in noise.table.days] == list(noise.table.indices)
    every = [noise.index(day) for day in noise.domain]
    alone = [day for day, index in enumerate(every) if every.count(index) == 1]
    assert set(alone) <= set(noise.table.days)
    assert all(noise.pmf(day)[day] > 0 for day in alone)


@given(noises())
def test_every_index_comes_out_as_the_day_that_stands_for_it(noise: ProportionalNoise) -> None:
    stretches = [noise.stands_for(day) for day in noise.table.days]
    indices = [index for first, last in stretches for index in range(first, last + 1)]
    assert indices == list(noise.inner.domain), "each once, and none is left out"
    row, weights = noise.pmf(0), noise.inner.pmf(0)
    for day, (first, last) in zip(noise.table.days, stretches, strict=True):
        assert row[day] == sum(weights[first : last + 1])


@given(noises(25))
def test_every_pair_keeps_its_steps_and_has_the_same_outputs(noise: ProportionalNoise) -> None:
    rows = [noise.pmf(value) for value in noise.domain]
    assert len({sum(row) for row in rows}) == 1
    assert len({tuple(weight > 0 for weight in row) for row in rows}) == 1
    for value, row in enumerate(rows):
        for other, their in enumerate(rows):
            loss = noise.loss(value, other)
            assert loss == Fraction(abs(noise.index(value) - noise.index(other)), 32)
            bound = exp_below(loss) if loss else SCALE
            assert all(a * SCALE <= b * bound for a, b in zip(row, their, strict=True))
    assert noise.privacy_loss().amount <= PER_STEP


def test_the_loss_is_tight() -> None:
    near, far = probabilities(NEAR, 40)[60], probabilities(NEAR, 0)[60]
    assert not at_most_exp(near / far, NEAR.loss(0, 40) * Fraction(999_999, 1_000_000))
    assert NEAR.privacy_loss().amount > PER_STEP * Fraction(999_999, 1_000_000)


def test_without_a_share_it_is_linear_noise() -> None:
    linear = ProportionalNoise(share=Fraction(0), least=Fraction(STEPS), upper=300)
    rate = ClampedGeometric(epsilon_per_day=PER_STEP, lower=0, upper=300)
    assert all(linear.pmf(day) == rate.pmf(day) for day in (0, 1, 140, 299, 300))
    fine = ProportionalNoise(share=Fraction(0), least=Fraction(8), upper=300)
    assert {fine.loss(one, other) for one, other in pairwise(fine.domain)} == {Fraction(1, 8)}


@pytest.mark.parametrize("gap", [7, 100, 2_000])
@pytest.mark.parametrize(("share", "least"), [("1/4", 2), ("7/20", 3), ("0", 20)])
def test_the_mean_error_is_the_noise_at_the_gap(share: str, least: int, gap: int) -> None:
    noise = ProportionalNoise(share=Fraction(share), least=Fraction(least), upper=36_500)
    at_gap = max(noise.least, noise.share * gap)
    weights = noise.pmf(gap)
    error = sum(w * abs(day - gap) for day, w in enumerate(weights)) / sum(weights)
    clamped = gap < 2 * at_gap  # there is no room below 0
    assert error == pytest.approx(float(at_gap), rel=0.6 if clamped else 0.2)


def test_days_left_out_of_the_share_are_told_more_exactly() -> None:
    plain, later = (
        ProportionalNoise(share=Fraction(3, 5), least=Fraction(4), upper=4_000, after=after)
        for after in (0, 15)
    )
    assert plain.index(6) == later.index(6)  # 0.6 of six days is less than four
    assert later.loss(14, 21) > 1.5 * plain.loss(14, 21)
    assert abs(later.loss(1_000, 3_000) - plain.loss(1_000, 3_000)) <= 2 * PER_STEP


def test_from_the_most_noise_on_it_grows_no_more() -> None:
    plain, capped = (
        ProportionalNoise(share=Fraction(9, 25), least=Fraction(3, 5), upper=43_830, most=most)
        for most in (None, 200)
    )
    within = range(0, 555, 15)  # 0.36 of 555 days is less than 200
    assert [plain.index(gap) for gap in within] == [capped.index(gap) for gap in within]
    for gap in (600, 9_000, 43_000):
        assert capped.loss(gap, gap + 200) == pytest.approx(1, abs=float(PER_STEP))
    weights = capped.pmf(18_000)
    error = sum(w * abs(day - 18_000) for day, w in enumerate(weights)) / sum(weights)
    assert error == pytest.approx(200, rel=0.02)
    assert plain.loss(18_000, 18_200) < Fraction(1, 20)


def test_the_most_noise_is_in_the_name_if_there_is_one() -> None:
    assert "most" not in str(NEAR)
    assert "most=9" in str(replace(NEAR, most=9))


@pytest.mark.parametrize(
    "options",
    [
        {"share": -1},
        {"share": "nan"},
        {"share": 0.35},
        {"least": 0},
        {"least": -2},
        {"least": 0.6},
        {"upper": 0},
        {"upper": True},
        {"upper": 10**9},
        {"after": -1},
        {"most": 0},
        {"most": 1},
        {"most": 10**9},
        {"most": 9.5},
    ],
)
def test_bad_options_are_refused(options: dict[str, Any]) -> None:
    whole = {"share": Fraction(1, 2), "least": Fraction(2), "upper": 60}
    with pytest.raises(ValueError, match=next(iter(options))):
        ProportionalNoise(**(whole | options))


def test_a_table_of_more_than_a_million_steps_is_refused() -> None:
    with pytest.raises(ValueError, match="more than 1,000,000 steps"):
        ProportionalNoise(share=Fraction(0), least=Fraction(STEPS, 1_001), upper=1_000)
    most = ProportionalNoise(share=Fraction(0), least=Fraction(STEPS, 1_000), upper=1_000)
    assert most.index(1_000) == 1_000_000


@dataclass(frozen=True, kw_only=True)
class Sharp(ProportionalNoise):
    """States the loss of its table, and draws with half of the noise."""

    @property
    def sharper(self) -> ProportionalNoise:
        return ProportionalNoise(share=self.share / 2, least=self.least / 2, upper=self.upper)

    def pmf(self, value: int) -> tuple[int, ...]:
        return self.sharper.pmf(value)

    def randomise(self, value: int, source: Source) -> int:
        return self.sharper.randomise(value, source)


class TestAudit:
    @given(noises(40))
    @settings(max_examples=15)
    def test_it_keeps_its_loss_and_no_smaller_one(self, noise: ProportionalNoise) -> None:
        check = exact(noise, EpsilonPerStep(PER_STEP))
        assert check.passed, check
        assert check.found <= PER_STEP
        assert not exact(noise, EpsilonPerStep(PER_STEP * 99 / 100)).passed
        assert not exact(noise, EpsilonPerDay(PER_STEP)).passed

    def test_draws_that_are_sharper_than_the_table_exceed_it(self) -> None:
        wrong = Sharp(share=NEAR.share, least=NEAR.least, upper=NEAR.upper)
        check = exact(wrong, EpsilonPerStep(PER_STEP))
        assert not check.passed
        assert check.found > 1.5 / STEPS

    def test_its_sampler_draws_its_pmf_and_a_sharper_one_does_not(self) -> None:
        assert sampler(NEAR, 10, STREAMS.stream("own"), 8_000).passed

        class Other(ProportionalNoise):
            def randomise(self, value: int, source: Source) -> int:
                sharper = Sharp(share=self.share, least=self.least, upper=self.upper).sharper
                return sharper.randomise(value, source)

        wrong = Other(share=NEAR.share, least=NEAR.least, upper=NEAR.upper)
        assert not sampler(wrong, 10, STREAMS.stream("wrong"), 8_000).passed
