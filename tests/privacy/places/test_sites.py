"""Weighted sites: every weight keeps its rate, and draws follow the weights."""

from __future__ import annotations

import math
from collections import Counter
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dpdeid.privacy.exact import SCALE, exp_below
from dpdeid.privacy.places.weighted import SLACK, Sites
from tests.privacy.helpers import STREAMS, chi_square_fits

KM = 1_000_000
POINTS = tuple(sorted((i * 9 * KM, j * 7 * KM) for i in range(8) for j in range(5)))
spots = st.tuples(st.integers(-90 * KM, 90 * KM), st.integers(-90 * KM, 90 * KM))


def made(rate: str = "1/10000000", tip: int = 0) -> Sites:
    weights = tuple(1_000 + 37 * number % 900 for number in range(len(POINTS)))
    return Sites(Fraction(rate), tip, POINTS, weights, tuple(n // 2 for n in range(len(POINTS))))


@given(spots, spots, st.sampled_from([0, 3 * KM]), st.sampled_from(["1e-7", "2e-6"]))
def test_no_weight_moves_faster_than_its_rate(
    one: tuple[int, int], other: tuple[int, int], tip: int, rate: str
) -> None:
    sites = made(rate, tip)
    apart = math.isqrt((one[0] - other[0]) ** 2 + (one[1] - other[1]) ** 2) + 1 + SLACK
    bound = exp_below(sites.rate * apart)
    here, there = sites.pmf(*one), sites.pmf(*other)
    assert here.keys() == there.keys()
    for index, weight in here.items():
        assert 0 < max(weight, there[index]) * SCALE <= min(weight, there[index]) * bound


@given(st.integers(0, 500 * KM), st.sampled_from([0, 5 * KM]))
def test_the_kernel_follows_its_formula(away: int, tip: int) -> None:
    sites = made(tip=tip)
    expected = math.exp(-1e-7 * (math.hypot(away, tip) - tip))
    found = sites.kernel(away**2) / sites.kernel(0)
    assert found == pytest.approx(max(expected, math.exp(-16)), rel=3e-6)


@pytest.mark.parametrize("position", [(0, 0), (31 * KM, 12 * KM), (-800 * KM, 0)])
def test_draws_follow_the_weights_and_the_test_has_power(position: tuple[int, int]) -> None:
    sites, steeper = made(), made("1/7000000")
    stream = STREAMS.stream("sites")
    counts = Counter(sites.draw(*position, stream) for _ in range(8_000))

    def expected(of: Sites) -> dict[int, Fraction]:
        weights = of.pmf(*position)
        return {index: Fraction(w, sum(weights.values())) for index, w in weights.items()}

    assert chi_square_fits(counts, expected(sites))
    assert position[0] < -500 * KM or not chi_square_fits(counts, expected(steeper))


@given(spots)
def test_every_site_within_reach_is_met_once_and_its_weight_is_that_of_the_pmf(
    position: tuple[int, int],
) -> None:
    sites = made()
    met = list(sites.around(*position))
    assert len({site for site, _ in met}) == len(met)
    found = dict.fromkeys(sites.outputs, 0)
    for site, weight in enumerate(sites.weights):
        found[sites.outputs[site]] += weight * sites.floor
    for site, more in met:
        found[sites.outputs[site]] += more
    assert found == sites.pmf(*position)
    assert sites.total(*position) == sum(found.values()) == sites.flat + sum(m for _, m in met)


def test_a_known_total_changes_no_draw_and_a_wrong_one_is_noticed() -> None:
    sites, here = made(), (31 * KM, 12 * KM)
    one, other = STREAMS.stream("total"), STREAMS.stream("total")
    total = sites.total(*here)
    assert [sites.draw(*here, one) for _ in range(50)] == [
        sites.draw(*here, other, total) for _ in range(50)
    ]
    with pytest.raises(ValueError, match="not that of its weights"):
        [sites.draw(*here, one, 2 * total) for _ in range(50)]


@pytest.mark.parametrize(
    ("points", "weights", "rate", "tip"),
    [
        ((), (), "1e-7", 0),
        (((5, 0), (1, 0)), (1, 1), "1e-7", 0),
        (((1, 0), (5, 0)), (1, 0), "1e-7", 0),
        (((1, 0), (5, 0)), (1, 1), "1", 0),
        (((1, 0), (5, 0)), (1, 1), "1e-12", 0),
        (((1, 0), (5, 0)), (1, 1), "1e-7", -1),
    ],
)
def test_bad_sites_are_refused(
    points: tuple[tuple[int, int], ...], weights: tuple[int, ...], rate: str, tip: int
) -> None:
    with pytest.raises(ValueError, match=r"sites must|rate must"):
        Sites(Fraction(rate), tip, points, weights, tuple(range(len(points))))
