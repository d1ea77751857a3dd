"""The audit finds what is wrong, and finds nothing where nothing is: each check with its power."""

from __future__ import annotations

import math
import random
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dpdeid.policy.policy import load_policy
from dpdeid.privacy.audit import at_least, certificate, chord_km, exact, lower_bound, sampler
from dpdeid.privacy.losses import Epsilon, EpsilonPerDay, EpsilonPerKm, Loss
from dpdeid.privacy.mechanisms.contract import Mechanism
from dpdeid.privacy.mechanisms.falling import BoundedLaplace, ClampedGeometric
from dpdeid.privacy.mechanisms.window import Window
from dpdeid.privacy.places.planar import PlanarLaplace
from dpdeid.privacy.places.weighted import exponential
from dpdeid.privacy.rng import Source
from dpdeid.privacy.timeline.modes import Metric, Paper, Strict
from dpdeid.substitute.dates.strategy import Dates
from tests.privacy.helpers import STREAMS
from tests.privacy.making import FRANCE

ONE = Fraction(1)


def arms() -> list[object]:
    """Every mechanism of every shipped policy on days, with the loss that it states."""
    found: dict[str, tuple[Mechanism, Loss]] = {}
    for name in ("dp", "dp-strict", "hnfc", "hnfc-strict"):
        for strategy in load_policy(name).strategies:
            mode = strategy.timeline if isinstance(strategy, Dates) else None
            if isinstance(mode, Metric | Strict):
                found |= {arm.name: (arm.mechanism, arm.loss) for arm in mode.arms()}
            elif isinstance(mode, Paper):
                found |= {str(m): (m, Epsilon(m.epsilon)) for m in mode.mechanisms()}
    return [pytest.param(*pair, id=name) for name, pair in found.items()]


@pytest.mark.parametrize(("mechanism", "loss"), arms())
def test_every_shipped_mechanism_keeps_its_loss(mechanism: Mechanism, loss: Loss) -> None:
    assert exact(mechanism, loss).passed


@pytest.mark.parametrize(("mechanism", "loss"), arms())
def test_every_shipped_sampler_draws_what_its_pmf_says(mechanism: Mechanism, loss: Loss) -> None:
    """Its power, rejecting 0.7 and 1.3 ε, is part of the check."""
    check = sampler(mechanism, mechanism.domain[0], STREAMS.stream(str(mechanism)))
    assert check.passed, check


@dataclass(frozen=True)
class Cut(Window):
    """The wrong window: cut at the ends instead of shifted, so that totals differ."""

    def pmf(self, value: int) -> tuple[int, ...]:
        low, high = self.weights.outside, self.weights.inside
        inside = range(value - self.size // 2, value - self.size // 2 + self.size)
        return tuple(high if y in inside else low for y in self.domain)


@dataclass(frozen=True)
class Leaky(BoundedLaplace):
    """Never gives the original back."""

    def pmf(self, value: int) -> tuple[int, ...]:
        weights = list(super().pmf(value))
        weights[value] = 0
        return tuple(weights)


class TestExact:
    def test_a_cut_window_exceeds_its_epsilon(self) -> None:
        """PRIVACY: true ε 1.22 for a stated 1."""
        check = exact(Cut(epsilon=ONE, upper=61), Epsilon(ONE))
        assert not check.passed
        assert 1.15 < check.found < 1.3

    def test_excluding_the_original_is_an_infinite_loss(self) -> None:
        check = exact(Leaky(epsilon=ONE, upper=61), Epsilon(ONE))
        assert (check.passed, check.found) == (False, math.inf)

    @given(st.fractions(Fraction(1, 10), 6), st.integers(1, 90))
    @settings(max_examples=20)
    def test_a_stated_loss_below_the_true_one_fails(self, epsilon: Fraction, upper: int) -> None:
        mechanism = BoundedLaplace(epsilon=epsilon, upper=upper)
        assert exact(mechanism, Epsilon(epsilon)).passed
        assert not exact(mechanism, Epsilon(epsilon * 9 / 10)).passed
        assert not exact(mechanism, EpsilonPerDay(epsilon)).passed

    def test_a_rate_per_day_is_compared_a_day_apart(self) -> None:
        mechanism = ClampedGeometric(epsilon_per_day=Fraction(1, 20), lower=-3_000, upper=3_000)
        assert exact(mechanism, EpsilonPerDay(Fraction(1, 20))).passed
        assert not exact(mechanism, EpsilonPerDay(Fraction(49, 1000))).passed


class TestSampler:
    def test_a_sampler_that_ignores_its_pmf_fails(self) -> None:
        class Uniform(Window):
            def randomise(self, value: int, source: Source) -> int:
                return source.randbelow(self.upper + 1)

        check = sampler(Uniform(epsilon=ONE, upper=61), 3, STREAMS.stream("u"), 5_000)
        assert not check.passed

    def test_an_output_that_the_pmf_does_not_have_fails(self) -> None:
        class Wrong(Leaky):
            pass

        check = sampler(Wrong(epsilon=ONE, upper=9), 3, STREAMS.stream("w"), 1_000)
        assert check.found == math.inf


class TestCertificate:
    near = FRANCE.positions[:6]

    def test_the_place_mechanisms_keep_theirs(self) -> None:
        rate = EpsilonPerKm(Fraction(1, 10))
        planar = PlanarLaplace(epsilon_per_km=rate.amount, places=FRANCE)
        assert certificate(planar, self.near, rate, planar.rounding_loss()).passed
        assert certificate(exponential(rate.amount, FRANCE), self.near, rate).passed

    def test_a_rate_that_is_too_large_exceeds_it(self) -> None:
        rate = EpsilonPerKm(Fraction(1, 10))
        fast = PlanarLaplace(epsilon_per_km=Fraction(3, 10), places=FRANCE)
        assert not certificate(fast, self.near, rate, fast.rounding_loss()).passed
        assert not certificate(exponential(Fraction(1, 2), FRANCE), self.near, rate).passed

    @given(st.floats(42, 51), st.floats(-4, 8), st.floats(42, 51), st.floats(-4, 8))
    def test_a_chord_is_at_most_the_geodesic(
        self, north: float, east: float, other_north: float, other_east: float
    ) -> None:
        geodesic = pytest.importorskip("geopy.distance").geodesic
        one, other = (north, east), (other_north, other_east)
        true = geodesic(one, other).km
        assert 0.998 * true - 1e-6 <= chord_km(one, other) <= true + 1e-6


class TestLowerBound:
    def test_clopper_pearson_is_that_of_scipy(self) -> None:
        beta = pytest.importorskip("scipy.stats").beta
        for hits, trials in ((1, 10), (9, 10), (10, 10), (37, 2_000), (1_990, 2_000)):
            exactly = beta.ppf(0.0025, hits, trials - hits + 1)
            assert at_least(hits, trials, 0.0025) == pytest.approx(exactly, rel=1e-6)
        assert at_least(0, 10, 0.01) == 0

    @pytest.mark.parametrize("epsilon", [Fraction(1, 2), ONE, Fraction(2), Fraction(4)])
    def test_it_stays_below_the_truth_and_comes_near_to_it(self, epsilon: Fraction) -> None:
        mechanism = Window(epsilon=epsilon, upper=61)
        stream = STREAMS.stream("bound", str(epsilon))
        draws = int(60_000 / epsilon)  # a small loss takes more of them to be told from none
        one, other = ([mechanism.randomise(x, stream) for _ in range(draws)] for x in (0, 61))
        assert 0.75 * epsilon <= lower_bound(one, other) <= epsilon

    @pytest.mark.statistical
    @pytest.mark.parametrize("epsilon", ["0.5", "1", "2", "4", "8"])
    @pytest.mark.parametrize("kind", [Window, BoundedLaplace])
    def test_a_million_draws_come_within_15_percent(
        self, epsilon: str, kind: type[Window | BoundedLaplace]
    ) -> None:
        """Black box: only outputs are looked at, for the two values that differ most."""
        vectorised = pytest.importorskip("benchmarks.vectorised.days")
        numpy = pytest.importorskip("numpy")
        mechanism = kind(epsilon=Fraction(epsilon), upper=61)
        stream = STREAMS.stream("million", str(mechanism))
        one, other = (
            vectorised.randomise_all(mechanism, numpy.full(1_000_000, value), stream).tolist()
            for value in (0, 61)
        )
        assert 0.85 * float(epsilon) <= lower_bound(one, other) <= float(epsilon)

    def test_equal_inputs_show_nothing(self) -> None:
        chance = random.Random(3)
        for _ in range(10):
            one, other = ([chance.randrange(500) for _ in range(1_000)] for _ in range(2))
            assert lower_bound(one, other) <= 0.3

    def test_what_one_input_never_gives_is_found(self) -> None:
        bound = lower_bound(["a"] * 4_000, ["b"] * 4_000)
        assert 5.5 < bound < math.log(2_000)
        assert lower_bound(["a"] * 4_000, ["a"] * 4_000) == pytest.approx(0, abs=0.01)

    def test_a_delta_is_granted(self) -> None:
        one = [1] * 400 + [0] * 3_600
        random.Random(1).shuffle(one)
        assert lower_bound(one, [0] * 4_000) > 3
        assert lower_bound(one, [0] * 4_000, delta=0.2) < 0.3

    def test_more_draws_bring_it_closer(self) -> None:
        bounds = [lower_bound(["a"] * n, ["b"] * n) for n in (200, 2_000, 20_000)]
        assert all(few < many for few, many in pairwise(bounds))
