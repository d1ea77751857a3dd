"""Integer bounded Laplace: its table, its proof, its calibration."""

from __future__ import annotations

from fractions import Fraction

import pytest

from dpdeid.privacy.laplace import BoundedLaplace
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


@pytest.mark.parametrize(("upper", "sensitivity"), [(60, 10), (60, 59), (60, 60), (100, 1)])
def test_calibration_is_tight_over_all_protected_pairs(upper: int, sensitivity: int) -> None:
    mechanism = BoundedLaplace(epsilon=Fraction(1), upper=upper, sensitivity=sensitivity)
    rows = [probabilities(mechanism, value) for value in mechanism.domain]
    worst = max(
        worst_ratio([rows[x], rows[y]])
        for x in mechanism.domain
        for y in range(x + 1, min(x + sensitivity, upper) + 1)
    )
    assert at_most_exp(worst, Fraction(1))
    assert not at_most_exp(worst, Fraction(999_999, 1_000_000))
    assert mechanism.privacy_loss().amount <= 1


@pytest.mark.parametrize("upper", [660, 36_000])
@pytest.mark.parametrize("epsilon", ["1/21", "8"])
def test_large_domains_are_certified(upper: int, epsilon: str) -> None:
    mechanism = BoundedLaplace(epsilon=Fraction(epsilon), upper=upper)
    assert mechanism.privacy_loss().amount <= mechanism.epsilon
    ends = [mechanism.pmf(value) for value in (0, upper)]
    assert sum(ends[0]) == sum(ends[1])
    assert at_most_exp(Fraction(ends[0][0], ends[1][0]), mechanism.epsilon)


def test_a_sensitivity_above_the_width_is_refused() -> None:
    with pytest.raises(ValueError, match="sensitivity"):
        BoundedLaplace(epsilon=Fraction(1), upper=61, sensitivity=62)
    with pytest.raises(ValueError, match="sensitivity"):
        BoundedLaplace(epsilon=Fraction(1), upper=61, sensitivity=0)
    for wrong in (1.5, True):
        with pytest.raises(ValueError, match="sensitivity must be a whole number"):
            BoundedLaplace(epsilon=Fraction(1), upper=61, sensitivity=wrong)  # type: ignore[arg-type]
