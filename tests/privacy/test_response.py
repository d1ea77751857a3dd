"""Randomised response: any choice with the same small weight, the true one with e^ε of it."""

from __future__ import annotations

from fractions import Fraction

import pytest

from dpdeid.privacy.mechanisms import KRandomisedResponse
from tests.privacy.helpers import (
    HAIR,
    at_most_exp,
    chi_square_fits,
    probabilities,
    sample,
    worst_ratio,
)

MECHANISM = KRandomisedResponse(epsilon=Fraction(1), options=7)


@pytest.mark.parametrize("epsilon", ["0.5", "2", "8"])
@pytest.mark.parametrize("options", [2, 101])
def test_every_pair_keeps_epsilon_and_no_less(epsilon: str, options: int) -> None:
    mechanism = KRandomisedResponse(epsilon=Fraction(epsilon), options=options)
    worst = worst_ratio([probabilities(mechanism, value) for value in mechanism.domain])
    assert at_most_exp(worst, mechanism.privacy_loss().amount + HAIR)
    assert mechanism.privacy_loss().amount <= mechanism.epsilon
    assert not at_most_exp(worst, mechanism.epsilon * Fraction(999_999, 1_000_000))


def test_the_sampler_draws_its_pmf_and_the_test_has_power() -> None:
    counts = sample(lambda stream: MECHANISM.randomise(3, stream), 8_000)
    for epsilon, fits in (("1", True), ("0.7", False), ("1.3", False)):
        other = KRandomisedResponse(epsilon=Fraction(epsilon), options=7)
        expected = dict(enumerate(probabilities(other, 3)))
        assert chi_square_fits(counts, expected) == fits


@pytest.mark.parametrize("value", [-1, 7])
def test_what_is_not_an_option_is_refused(value: int) -> None:
    with pytest.raises(ValueError, match="not one of the options"):
        MECHANISM.pmf(value)


@pytest.mark.parametrize("options", [0, 1, True, 2.5, 10**7])
def test_a_bad_number_of_options_is_refused(options: object) -> None:
    with pytest.raises(ValueError, match="options"):
        KRandomisedResponse(epsilon=Fraction(1), options=options)  # type: ignore[arg-type]
