"""Integer bounded Laplace: its table, its proof, its calibration."""

from __future__ import annotations

from fractions import Fraction

import pytest

from dpdeid.privacy.mechanisms.falling import BoundedLaplace
from tests.privacy.helpers import at_most_exp, mean_error, probabilities, worst_ratio

EPSILONS = ("0.5", "1", "2", "4", "8")


@pytest.mark.parametrize(
    ("epsilon", "days"), list(zip(EPSILONS, (19.11, 17.62, 14.92, 10.81, 6.50), strict=True))
)
def test_mean_error_on_two_months(epsilon: str, days: float) -> None:
    assert mean_error(BoundedLaplace(epsilon=Fraction(epsilon), upper=61)) == pytest.approx(
        days, abs=0.006
    )


@pytest.mark.parametrize("epsilon", EPSILONS)
@pytest.mark.parametrize("upper", [1, 2, 61])
def test_every_pair_keeps_epsilon(epsilon: str, upper: int) -> None:
    mechanism = BoundedLaplace(epsilon=Fraction(epsilon), upper=upper)
    worst = worst_ratio([probabilities(mechanism, value) for value in mechanism.domain])
    assert at_most_exp(worst, mechanism.epsilon)
    assert not at_most_exp(worst, mechanism.epsilon * Fraction(999_999, 1_000_000))
    assert at_most_exp(worst, mechanism.privacy_loss().amount)


def test_the_naive_scale_breaks_epsilon_for_a_small_sensitivity() -> None:
    """Width 660, sensitivity 61, scale 61 / ε: the true ε of a stated 1 is 1.49."""
    naive = BoundedLaplace(epsilon=Fraction(660, 61), upper=660)
    ratio = probabilities(naive, 0)[0] / probabilities(naive, 61)[0]
    assert at_most_exp(ratio, Fraction("1.50"))
    assert not at_most_exp(ratio, Fraction("1.48"))


@pytest.mark.parametrize("upper", [660, 36_000])
@pytest.mark.parametrize("epsilon", ["1/21", "8"])
def test_large_domains_are_certified(upper: int, epsilon: str) -> None:
    mechanism = BoundedLaplace(epsilon=Fraction(epsilon), upper=upper)
    assert mechanism.privacy_loss().amount <= mechanism.epsilon
    ends = [mechanism.pmf(value) for value in (0, upper)]
    assert sum(ends[0]) == sum(ends[1])
    assert at_most_exp(Fraction(ends[0][0], ends[1][0]), mechanism.epsilon)
