"""Classes count as distance: a loss a step, and nothing of the class without a price."""

from __future__ import annotations

import math
from collections import Counter
from fractions import Fraction

import pytest

from dpdeid.privacy.nearest import PlaceList
from dpdeid.privacy.places import Exponential, PlanarNearest, Spot
from dpdeid.privacy.rng import Streams
from tests.privacy.helpers import STREAMS, chi_square_fits
from tests.privacy.making import FRANCE, grid

CLASSES = tuple(number % 3 for number in range(len(FRANCE.positions)))
CLASSED = PlaceList("FR", FRANCE.positions, CLASSES)
EPSILON, STEP = Fraction("0.05"), Fraction(20)


def drawn(level: int, times: int = 1_500) -> Counter[int]:
    """The classes of surrogates for one position and class."""
    mode = PlanarNearest(epsilon_per_km=EPSILON, class_km=STEP)
    spot = Spot("x", 46.5, 2.5, CLASSED, level)
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
    charge = mode.draw(Spot("x", 46.5, 2.5, CLASSED, 1), STREAMS).charges[0]
    assert charge.mechanism == "planar-laplace(epsilon_per_km=0.05, class_km=20)"
    assert "counts 20 km" in mode.draws()[0].note
    assert mode.draws()[0].mechanism == charge.mechanism


def test_what_comes_out_is_the_nearest_of_the_class() -> None:
    """With a budget that leaves no doubt: own place, own class."""
    mode = Exponential(epsilon_per_km=Fraction(100), class_km=Fraction(1))
    for index in (0, 1, 2, 50):
        spot = Spot("x", *FRANCE.positions[index], CLASSED, CLASSES[index])
        assert mode.draw(spot, STREAMS).index == index


def test_a_list_without_classes_is_refused() -> None:
    mode = PlanarNearest(epsilon_per_km=EPSILON, class_km=STEP)
    with pytest.raises(ValueError, match="have no classes"):
        mode.draw(Spot("x", 46.5, 2.5, FRANCE), STREAMS)


@pytest.mark.parametrize("classes", [(0,) * 24, (1,) * 25, (0, 2) * 12 + (0,)])
def test_bad_classes_are_refused(classes: tuple[int, ...]) -> None:
    with pytest.raises(ValueError, match="classes must"):
        PlaceList("bad", grid(5, 5), classes)


@pytest.mark.parametrize("class_km", [0, -3, 0.5, "nan"])
def test_a_bad_step_is_refused(class_km: object) -> None:
    with pytest.raises(ValueError, match="class_km"):
        PlanarNearest(epsilon_per_km=EPSILON, class_km=class_km)  # type: ignore[arg-type]
