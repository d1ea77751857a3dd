"""Classes count as distance: a loss a step, and nothing of the class without a price."""

from __future__ import annotations

import math
from collections import Counter
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dpdeid.privacy.places import release as semantic
from dpdeid.privacy.places.place_list import PlaceList
from dpdeid.privacy.places.release import Exponential, PlanarNearest, Spot
from dpdeid.privacy.rng import Streams
from tests.privacy.helpers import HAIR, STREAMS, at_most_exp, chi_square_fits
from tests.privacy.making import FRANCE, grid

CLASSES = tuple(number % 3 for number in range(len(FRANCE.positions)))
CLASSED = PlaceList("FR", FRANCE.positions, {"population": CLASSES})
REGIONS = tuple(number * 7 % 5 for number in range(len(FRANCE.positions)))
ALL = PlaceList(
    "FR",
    FRANCE.positions,
    {"population": CLASSES, "density": CLASSES[1:] + CLASSES[:1], "region": REGIONS},
)
EPSILON, STEP = Fraction("0.05"), Fraction(20)
STEPS = {"population": Fraction(20), "density": Fraction(7), "region": Fraction(30)}


def drawn(level: int, times: int = 1_500) -> Counter[int]:
    """The classes of surrogates for one position and class."""
    mode = PlanarNearest(epsilon_per_km=EPSILON, class_km=STEP)
    spot = Spot("x", 46.5, 2.5, CLASSED, {"population": level})
    units = (Streams(STREAMS.key, str(unit)) for unit in range(times))
    indices = [mode.draw(spot, unit).index for unit in units]
    return Counter(CLASSES[index] for index in indices if index is not None)


@pytest.mark.parametrize("level", [0, 1, 2])
def test_the_class_is_drawn_with_a_loss_a_step(level: int) -> None:
    """Two-sided geometric with e^−(ε · class_km) = e^−1 a step, clamped."""
    e = math.exp(-1)
    noise = {0: (1 - e) / (1 + e), 1: (1 - e) / (1 + e) * e, 2: e**2 / (1 + e)}
    expected = {
        0: {0: noise[0] + noise[1] + noise[2], 1: noise[1], 2: noise[2]},
        1: {0: noise[1] + noise[2], 1: noise[0], 2: noise[1] + noise[2]},
        2: {2: noise[0] + noise[1] + noise[2], 1: noise[1], 0: noise[2]},
    }[level]
    assert sum(expected.values()) == pytest.approx(1)
    counts = drawn(level)
    assert chi_square_fits(counts, {k: Fraction(v) for k, v in expected.items()})
    even = dict.fromkeys(range(3), Fraction(1, 3))
    assert not chi_square_fits(counts, even)


def test_the_ratio_of_two_classes_is_within_the_stated_distance() -> None:
    """Same place, two steps apart: at most e^(ε · 2 · class_km) = e² for each class."""
    low, high = drawn(0), drawn(2)
    for level in range(3):
        assert abs(math.log(low[level] / high[level])) <= 2 + 0.35


def test_the_charge_says_what_a_step_counts() -> None:
    mode = PlanarNearest(epsilon_per_km=EPSILON, class_km=STEP)
    charge = mode.draw(Spot("x", 46.5, 2.5, CLASSED, {"population": 1}), STREAMS).charges[0]
    assert charge.mechanism == "planar-laplace(epsilon_per_km=0.05, class_km=20)"
    assert "counts 20 km" in mode.draws()[0].note
    assert mode.draws()[0].mechanism == charge.mechanism


def test_what_comes_out_is_the_nearest_of_the_class() -> None:
    """With a budget that leaves no doubt: own place, own class."""
    mode = Exponential(epsilon_per_km=Fraction(100), class_km=Fraction(1))
    for index in (0, 1, 2, 50):
        spot = Spot("x", *FRANCE.positions[index], CLASSED, {"population": CLASSES[index]})
        assert mode.draw(spot, STREAMS).index == index


def region_counts(region: int, times: int = 1_500) -> Counter[int]:
    """The regions of surrogates for one position and region."""
    mode = PlanarNearest(epsilon_per_km=EPSILON, region_km=STEP)
    spot = Spot("x", 46.5, 2.5, ALL, {"region": region})
    units = (Streams(STREAMS.key, str(unit)) for unit in range(times))
    indices = [mode.draw(spot, unit).index for unit in units]
    return Counter(REGIONS[index] for index in indices if index is not None)


@pytest.mark.parametrize("region", [0, 3])
def test_the_region_is_drawn_by_randomised_response(region: int) -> None:
    """Its own with e^(ε · region_km) = e, any other with 1: no region is nearer than another."""
    total = math.e + 4
    expected = {at: Fraction(math.e / total if at == region else 1 / total) for at in range(5)}
    counts = region_counts(region)
    assert chi_square_fits(counts, expected)
    assert not chi_square_fits(counts, dict.fromkeys(range(5), Fraction(1, 5)))


@given(
    st.tuples(*[st.integers(0, 2)] * 2, st.integers(0, 4)),
    st.tuples(*[st.integers(0, 2)] * 2, st.integers(0, 4)),
)
def test_the_certificate_of_all_classes_together(
    one: tuple[int, int, int], other: tuple[int, int, int]
) -> None:
    """From the integers that are drawn from: the loss of each kind is at most ε × what its steps
    count, and the draws are independent, so their sum bounds the whole.
    """
    for kind, here, there in zip(STEPS, one, other, strict=True):
        mechanism = semantic.mechanism(kind, EPSILON * STEPS[kind], max(ALL.classes[kind]))
        steps = abs(here - there) if kind in semantic.ORDERED else int(here != there)
        first, second = mechanism.pmf(here), mechanism.pmf(there)
        assert sum(first) == sum(second)
        for weight, against in zip(first, second, strict=True):
            assert weight > 0
            assert at_most_exp(Fraction(weight, against), EPSILON * STEPS[kind] * steps + HAIR)


def test_all_kinds_are_drawn_and_charged_under_one_event() -> None:
    mode = PlanarNearest(epsilon_per_km=EPSILON, class_km=STEP, density_km=7, region_km=30)  # type: ignore[arg-type]
    own = {"population": 1, "density": 0, "region": 2}
    placed = mode.draw(Spot("x", 46.5, 2.5, ALL, own), STREAMS)
    name = "planar-laplace(epsilon_per_km=0.05, class_km=20, density_km=7, region_km=30)"
    assert placed.charges[0].mechanism == name
    assert len({charge.event for charge in placed.charges}) == 1
    for said in (
        "classes of two places counts 20 km",
        "counts 7 km",
        "another region counts 30 km",
    ):
        assert said in mode.draws()[0].note


def test_the_place_that_agrees_with_most_classes_and_is_nearest_is_printed() -> None:
    sure = dict.fromkeys(("class_km", "density_km", "region_km"), Fraction(1))
    mode = Exponential(epsilon_per_km=Fraction(100), **sure)
    for index in (0, 1, 2, 50):
        own = {kind: classes[index] for kind, classes in ALL.classes.items()}
        assert mode.draw(Spot("x", *FRANCE.positions[index], ALL, own), STREAMS).index == index
    nowhere = {"population": 0, "density": 0, "region": 1}
    assert not any(
        all(ALL.classes[kind][at] == level for kind, level in nowhere.items())
        for at in range(len(REGIONS))
    )
    index = mode.draw(Spot("x", *FRANCE.positions[0], ALL, nowhere), STREAMS).index
    assert index is not None
    assert sum(ALL.classes[kind][index] == level for kind, level in nowhere.items()) == 2


@pytest.mark.parametrize("option", ["class_km", "density_km", "region_km"])
def test_a_list_without_classes_is_refused(option: str) -> None:
    mode = PlanarNearest(epsilon_per_km=EPSILON, **{option: STEP})
    with pytest.raises(ValueError, match="have no classes"):
        mode.draw(Spot("x", 46.5, 2.5, FRANCE), STREAMS)


@pytest.mark.parametrize("classes", [(0,) * 24, (1,) * 25, (0, 2) * 12 + (0,)])
def test_bad_classes_are_refused(classes: tuple[int, ...]) -> None:
    with pytest.raises(ValueError, match="classes must"):
        PlaceList("bad", grid(5, 5), {"population": classes})


@pytest.mark.parametrize("option", ["class_km", "density_km", "region_km"])
@pytest.mark.parametrize("kilometres", [0, -3, 0.5, "nan", Fraction(1, 10**12), 20_001])
def test_a_bad_step_is_refused(option: str, kilometres: object) -> None:
    with pytest.raises(ValueError, match=option):
        PlanarNearest(epsilon_per_km=EPSILON, **{option: kilometres})  # type: ignore[arg-type]
