"""A mode at another ε: every loss a factor of what it was."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dpdeid.labels import Label
from dpdeid.privacy.mechanisms.proportional import PER_STEP
from dpdeid.privacy.timeline.chain import Role
from dpdeid.privacy.timeline.modes import Metric, Paper, Shift, Strict
from dpdeid.privacy.timeline.proved import CURVES, ENDING
from dpdeid.substitute.dates.strategy import Dates

FACTORS = [Fraction(2) ** power for power in range(-3, 4)]
METRIC = Metric(epsilon_per_day=Fraction("0.05"), cap=20, shift_days=365)
GAPS = st.integers(0, 7_000)
"""Where no noise is as large as the horizon, which bounds it."""


@given(st.sampled_from([Role.FIRST, *ENDING, *CURVES]), GAPS, GAPS, st.sampled_from(FACTORS))
def test_noise_in_proportion_costs_a_factor_of_what_it_did(
    role: Role, one: int, other: int, by: Fraction
) -> None:
    own, given_ = (
        METRIC.noise(role).loss(one, other),
        METRIC.scaled(by).noise(role).loss(one, other),
    )
    # a step of each table, and where noise has an end, that this is a whole number of days
    whole = by * own * by / getattr(METRIC, role.value)[2] if role in ENDING else 0
    assert abs(given_ - by * own) <= (1 + by) * PER_STEP + whole


@given(st.sampled_from(FACTORS), st.fractions(Fraction(1, 4), 4))
def test_what_a_total_is_made_of_is_scaled(by: Fraction, epsilon: Fraction) -> None:
    strict = Strict(mechanism="window", epsilon=epsilon, birth_epsilon=2 * epsilon, cap=5)
    assert strict.scaled(by).epsilon == by * epsilon
    assert strict.scaled(by).birth_epsilon == 2 * by * epsilon
    assert Paper(epsilon=epsilon).scaled(by).epsilon == by * epsilon


@pytest.mark.parametrize(
    "mode",
    [
        METRIC,
        Strict(mechanism="window", epsilon=Fraction(1), birth_epsilon=Fraction(3), cap=2),
        Paper(epsilon=Fraction(6)),
    ],
)
def test_there_and_back_is_the_same(mode: Metric | Strict | Paper) -> None:
    assert mode.scaled(Fraction(1)) == mode
    assert mode.scaled(Fraction(2)).scaled(Fraction(1, 2)) == mode
    assert mode.scaled(Fraction(2)) != mode


def test_a_shift_has_no_epsilon() -> None:
    dates = Dates((Label.DATE,), Shift())
    assert dates.scaled(Fraction(2)) == dates
