"""What every mechanism on whole days must do."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dpdeid.privacy.mechanisms.contract import Mechanism
from dpdeid.privacy.mechanisms.falling import BoundedLaplace, ClampedGeometric
from dpdeid.privacy.mechanisms.proportional import ProportionalNoise
from dpdeid.privacy.mechanisms.window import PriorWindow, Window
from dpdeid.privacy.timeline.priors import log_uniform
from tests.privacy.helpers import HAIR, STREAMS, at_most_exp, chi_square_fits, probabilities, sample

ONE = Fraction(1)
MECHANISMS: list[Mechanism] = [
    BoundedLaplace(epsilon=Fraction(4), upper=61),
    ClampedGeometric(epsilon_per_day=Fraction("0.1"), lower=-30, upper=30),
    ClampedGeometric(epsilon_per_day=Fraction(4), lower=0, upper=61),
    Window(epsilon=Fraction(2), upper=61),
    PriorWindow(epsilon=Fraction(2), table=log_uniform(90).table),
    PriorWindow(epsilon=ONE, table=(3, 3, 3, 5, 9, 9, 30, 61), width=2),
    ProportionalNoise(share=Fraction(7, 20), least=Fraction(3, 5), upper=61),
    ProportionalNoise(share=Fraction(3, 5), least=Fraction(70), upper=90),
]
COARSE = PriorWindow, ProportionalNoise
"""Where a value may stand for its neighbours, and never come out itself."""
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
    (
        PriorWindow(epsilon=Fraction(2), table=log_uniform(90).table, width=4000),
        [
            PriorWindow(epsilon=Fraction(e), table=log_uniform(90).table, width=4000)
            for e in ("1.4", "2.6")
        ],
    ),
    (
        ProportionalNoise(share=Fraction(1, 2), least=Fraction(2), upper=61),
        [
            ProportionalNoise(share=by / 2, least=2 * by, upper=61)
            for by in (Fraction(7, 10), Fraction(13, 10))
        ],
    ),
]


def _expected(mechanism: Mechanism, value: int) -> dict[int, Fraction]:
    return dict(zip(mechanism.domain, probabilities(mechanism, value), strict=True))


@pytest.mark.parametrize("mechanism", MECHANISMS, ids=str)
def test_all_values_have_the_same_outputs(mechanism: Mechanism) -> None:
    """Hole 1: an output that only some values can give would make ε infinite."""
    supports = set()
    for value in mechanism.domain:
        weights = mechanism.pmf(value)
        assert len(weights) == len(mechanism.domain)
        supports.add(tuple(weight > 0 for weight in weights))
        assert weights[value - mechanism.domain[0]] > 0 or isinstance(mechanism, COARSE)
    assert len(supports) == 1


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
    proportional = isinstance(mechanism, ProportionalNoise)
    for name in ("share=", "least=") if proportional else ("epsilon",):
        assert name in str(mechanism)
    assert "upper=" in str(mechanism)


@pytest.mark.parametrize(
    "epsilon",
    [0, -1, "0", "nan", "inf", "-inf", "one", 0.1, float("nan"), float("inf"), None, 1001, "1e-40"],
)
@pytest.mark.parametrize(
    ("kind", "domain"),
    [
        (BoundedLaplace, {"upper": 9}),
        (ClampedGeometric, {"lower": 0, "upper": 9}),
        (PriorWindow, {"table": (1, 2)}),
        (Window, {"upper": 9}),
    ],
)
def test_a_bad_epsilon_is_refused(kind: Any, domain: dict[str, Any], epsilon: object) -> None:
    name = "epsilon_per_day" if kind is ClampedGeometric else "epsilon"
    with pytest.raises(ValueError, match=name):
        kind(**{name: epsilon}, **domain)


def test_a_float_says_how_to_write_it() -> None:
    """0.1 as a float is 0.1000000000000000055…: what the user wrote has been lost."""
    with pytest.raises(ValueError, match="as text, an integer or a Fraction, not as a float"):
        Window(epsilon=0.1, upper=9)  # type: ignore[arg-type]


@pytest.mark.parametrize("epsilon", ["1e-30", "1e-9", "0.5", "40", "1000"])
@pytest.mark.parametrize("upper", [1, 61, 36_000])
def test_every_accepted_epsilon_is_kept_and_always_draws(epsilon: str, upper: int) -> None:
    exact = Fraction(epsilon)
    for mechanism in (
        BoundedLaplace(epsilon=exact, upper=upper),
        PriorWindow(epsilon=exact, table=(0, upper)),
        Window(epsilon=exact, upper=upper, width=1),
    ):
        stated = mechanism.privacy_loss().amount
        assert stated <= exact + Fraction(1, 10**45)
        assert mechanism.randomise(upper, STREAMS.stream(epsilon)) in mechanism.domain


@pytest.mark.slow
@pytest.mark.parametrize("epsilon", ["0.5", "4"])
@pytest.mark.parametrize("kind", [BoundedLaplace, Window])
def test_all_pairs_of_661_values_keep_epsilon(kind: Any, epsilon: str) -> None:
    """The largest and the least probability of each output, over all values, as fractions."""
    mechanism = kind(epsilon=Fraction(epsilon), upper=660)
    rows = [mechanism.pmf(value) for value in mechanism.domain]
    totals = [sum(row) for row in rows]
    for output in mechanism.domain:
        found = [(row[output], total) for row, total in zip(rows, totals, strict=True)]
        most = max(found, key=lambda one: Fraction(*one))
        least = min(found, key=lambda one: Fraction(*one))
        assert least[0] > 0
        ratio = Fraction(most[0] * least[1], most[1] * least[0])
        assert at_most_exp(ratio, mechanism.privacy_loss().amount + HAIR)
    assert mechanism.privacy_loss().amount <= Fraction(epsilon)


@pytest.mark.parametrize("upper", [0, -3, True, 2.5, 10**9])
@pytest.mark.parametrize("kind", [BoundedLaplace, Window])
def test_a_bad_width_is_refused(kind: Any, upper: object) -> None:
    with pytest.raises(ValueError, match="upper"):
        kind(epsilon=ONE, upper=upper)
