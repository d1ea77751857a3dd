"""Randomised response: any choice with the same small weight, the true one with e^ε of it."""

from __future__ import annotations

from fractions import Fraction

import pytest

from dpdeid.privacy.mechanisms.window import Window
from tests.privacy.helpers import (
    HAIR,
    at_most_exp,
    chi_square_fits,
    probabilities,
    sample,
    worst_ratio,
)

MECHANISM = Window(epsilon=Fraction(1), upper=6, width=1)


@pytest.mark.parametrize("epsilon", ["0.5", "2", "8"])
@pytest.mark.parametrize("options", [2, 101])
def test_every_pair_keeps_epsilon_and_no_less(epsilon: str, options: int) -> None:
    mechanism = Window(epsilon=Fraction(epsilon), upper=options - 1, width=1)
    worst = worst_ratio([probabilities(mechanism, value) for value in mechanism.domain])
    assert at_most_exp(worst, mechanism.privacy_loss().amount + HAIR)
    assert mechanism.privacy_loss().amount <= mechanism.epsilon
    assert not at_most_exp(worst, mechanism.epsilon * Fraction(999_999, 1_000_000))


def test_the_sampler_draws_its_pmf_and_the_test_has_power() -> None:
    counts = sample(lambda stream: MECHANISM.randomise(3, stream), 8_000)
    for epsilon, fits in (("1", True), ("0.7", False), ("1.3", False)):
        other = Window(epsilon=Fraction(epsilon), upper=6, width=1)
        expected = dict(enumerate(probabilities(other, 3)))
        assert chi_square_fits(counts, expected) == fits


@pytest.mark.parametrize(("value", "end"), [(-1, 0), (7, 6), (10**9, 6)])
def test_what_is_no_choice_is_taken_as_the_nearest(value: int, end: int) -> None:
    assert MECHANISM.pmf(value) == MECHANISM.pmf(end)
