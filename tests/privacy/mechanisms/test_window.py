"""The window: one ratio for all pairs, near the optimum."""

from __future__ import annotations

from fractions import Fraction

import pytest

from dpdeid.privacy.mechanisms.falling import BoundedLaplace
from dpdeid.privacy.mechanisms.window import Window
from tests.privacy.helpers import at_most_exp, mean_error, probabilities, worst_ratio

EPSILONS = ("0.5", "1", "2", "4", "8")
OPTIMUM = {"0.5": 14.75, "1": 13.23, "2": 9.68, "4": 4.28, "8": 0.42}  # linear programme


@pytest.mark.parametrize(
    ("epsilon", "days"), list(zip(EPSILONS, (17.80, 15.10, 10.44, 4.42, 0.42), strict=True))
)
def test_mean_error_on_two_months(epsilon: str, days: float) -> None:
    error = mean_error(Window(epsilon=Fraction(epsilon), upper=61))
    assert error == pytest.approx(days, abs=0.01)
    if Fraction(epsilon) >= 2:
        assert error <= 1.1 * OPTIMUM[epsilon]


@pytest.mark.parametrize(("epsilon", "share"), [("2", 0.75), ("4", 0.45)])
def test_it_beats_bounded_laplace(epsilon: str, share: float) -> None:
    window = mean_error(Window(epsilon=Fraction(epsilon), upper=61))
    assert window <= share * mean_error(BoundedLaplace(epsilon=Fraction(epsilon), upper=61))


@pytest.mark.parametrize("epsilon", EPSILONS)
@pytest.mark.parametrize("upper", [1, 61])
def test_every_pair_keeps_epsilon(epsilon: str, upper: int) -> None:
    mechanism = Window(epsilon=Fraction(epsilon), upper=upper)
    worst = worst_ratio([probabilities(mechanism, value) for value in mechanism.domain])
    assert at_most_exp(worst, mechanism.epsilon)
    assert mechanism.privacy_loss().amount <= mechanism.epsilon


@pytest.mark.parametrize("width", [1, 7, 60])
def test_the_window_is_shifted_at_the_ends_and_never_cut(width: int) -> None:
    mechanism = Window(epsilon=Fraction(1), upper=61, width=width)
    for value in mechanism.domain:
        weights = mechanism.pmf(value)
        assert weights.count(max(weights)) == width
        assert weights[value] == max(weights)


@pytest.mark.parametrize("width", [0, 62])
def test_a_window_that_does_not_fit_is_refused(width: int) -> None:
    with pytest.raises(ValueError, match="width"):
        Window(epsilon=Fraction(1), upper=61, width=width)
