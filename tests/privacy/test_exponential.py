"""The textbook exponential mechanism: half the budget wasted."""

from __future__ import annotations

from fractions import Fraction

import pytest

from dpdeid.privacy.mechanisms import Exponential
from tests.privacy.helpers import HAIR, at_most_exp, mean_error, probabilities, worst_ratio


@pytest.mark.parametrize(
    ("epsilon", "days"),
    list(zip(("0.5", "1", "2", "4", "8"), (19.88, 19.11, 17.62, 14.92, 10.81), strict=True)),
)
def test_mean_error_on_two_months(epsilon: str, days: float) -> None:
    error = mean_error(Exponential(epsilon=Fraction(epsilon), upper=61))
    assert error == pytest.approx(days, abs=0.006)


@pytest.mark.parametrize("epsilon", ["0.5", "8"])
@pytest.mark.parametrize("upper", [1, 61])
def test_its_true_loss_is_half_of_epsilon(epsilon: str, upper: int) -> None:
    mechanism = Exponential(epsilon=Fraction(epsilon), upper=upper)
    worst = worst_ratio([probabilities(mechanism, value) for value in mechanism.domain])
    stated = mechanism.privacy_loss().amount
    assert at_most_exp(worst, stated + HAIR)
    assert stated <= mechanism.epsilon / 2 * Fraction(1_000_001, 1_000_000)
