"""What every mechanism on whole days must do."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dpdeid.privacy.mechanisms import BoundedLaplace, ClampedGeometric, Mechanism, Window
from tests.privacy.helpers import STREAMS, chi_square_fits, probabilities, sample

ONE = Fraction(1)
MECHANISMS: list[Mechanism] = [
    BoundedLaplace(epsilon=Fraction(4), upper=61),
    BoundedLaplace(epsilon=ONE, upper=61, sensitivity=20),
    ClampedGeometric(epsilon_per_day=Fraction("0.1"), lower=-30, upper=30),
    ClampedGeometric(epsilon_per_day=Fraction(4), lower=0, upper=61),
    Window(epsilon=Fraction(2), upper=61),
]
SCALED: list[tuple[Mechanism, list[Mechanism]]] = [
    (
        BoundedLaplace(epsilon=Fraction(4), upper=61),
        [BoundedLaplace(epsilon=Fraction(e), upper=61) for e in ("2.8", "5.2")],
    ),
    (
        ClampedGeometric(epsilon_per_day=Fraction("0.1"), lower=-30, upper=30),
        [
            ClampedGeometric(epsilon_per_day=Fraction(e), lower=-30, upper=30)
            for e in ("0.07", "0.13")
        ],
    ),
    (
        Window(epsilon=Fraction(2), upper=61),
        [Window(epsilon=Fraction(e), upper=61, width=18) for e in ("1.4", "2.6")],
    ),
]


def _expected(mechanism: Mechanism, value: int) -> dict[int, Fraction]:
    return dict(zip(mechanism.domain, probabilities(mechanism, value), strict=True))


@pytest.mark.parametrize("mechanism", MECHANISMS, ids=str)
def test_all_values_have_the_same_outputs(mechanism: Mechanism) -> None:
    for value in mechanism.domain:
        weights = mechanism.pmf(value)
        assert len(weights) == len(mechanism.domain)
        assert min(weights) > 0


@pytest.mark.parametrize("mechanism", MECHANISMS, ids=str)
def test_the_sampler_draws_its_pmf(mechanism: Mechanism) -> None:
    low, high = mechanism.domain[0], mechanism.domain[-1]
    for value in (low, (low + high) // 2 + 3, high):
        counts = sample(lambda s, v=value: mechanism.randomise(v, s), 8_000)  # type: ignore[misc]
        assert chi_square_fits(counts, _expected(mechanism, value))


@pytest.mark.parametrize(("mechanism", "others"), SCALED, ids=lambda v: str(v)[:30])
def test_the_chi_square_has_power(mechanism: Mechanism, others: list[Mechanism]) -> None:
    counts = sample(lambda stream: mechanism.randomise(10, stream), 8_000)
    assert chi_square_fits(counts, _expected(mechanism, 10))
    for other in others:
        assert not chi_square_fits(counts, _expected(other, 10))


@given(st.sampled_from(MECHANISMS), st.integers(-(10**9), 10**9), st.text())
def test_any_value_gives_one_of_the_domain(mechanism: Mechanism, value: int, name: str) -> None:
    drawn = mechanism.randomise(value, STREAMS.stream(name))
    assert drawn in mechanism.domain
    assert drawn == mechanism.randomise(value, STREAMS.stream(name))
    nearest = min(max(value, mechanism.domain[0]), mechanism.domain[-1])
    assert mechanism.pmf(value) == mechanism.pmf(nearest)


@pytest.mark.parametrize("mechanism", MECHANISMS, ids=str)
def test_its_text_holds_every_parameter(mechanism: Mechanism) -> None:
    assert isinstance(mechanism, Mechanism)
    assert len({str(m) for m in MECHANISMS}) == len(MECHANISMS)
    assert "epsilon" in str(mechanism)
    assert "upper=" in str(mechanism)


@pytest.mark.parametrize(
    "epsilon", [0, -1, "0", "nan", "inf", "-inf", "one", 0.1, float("nan"), None, 1001, "1e-40"]
)
@pytest.mark.parametrize("kind", [BoundedLaplace, ClampedGeometric, Window])
def test_a_bad_epsilon_is_refused(kind: Any, epsilon: object) -> None:
    name = "epsilon_per_day" if kind is ClampedGeometric else "epsilon"
    domain = {"lower": 0, "upper": 9} if kind is ClampedGeometric else {"upper": 9}
    with pytest.raises(ValueError, match=name):
        kind(**{name: epsilon}, **domain)


@pytest.mark.parametrize("upper", [0, -3, True, 2.5, 10**9])
@pytest.mark.parametrize("kind", [BoundedLaplace, Window])
def test_a_bad_width_is_refused(kind: Any, upper: object) -> None:
    with pytest.raises(ValueError, match="upper"):
        kind(epsilon=ONE, upper=upper)
